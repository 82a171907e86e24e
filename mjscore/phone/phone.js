// The page: routes, taps, what the bridge says drawn. It knows no rule, no tile's meaning and no payment.
import { drawGrey, drawParts, drawSheet, drawTaps, element, fill, find, pictureOf, pressed, say, show } from "./draw.js";
import * as table from "./evening.js";
import { ask, giveFiles, isReady, startPython } from "./python.js";
import { becomeWriter, read, whenFull, write } from "./store.js";

const { evening } = table;
const LONG = 500; // milliseconds of a long press
const words = await (await fetch(new URL("words.json", import.meta.url))).json();
const tileNames = new Set([...document.querySelectorAll("[data-tile]")].map((key) => key.dataset.tile));
const one = read("hand", { taps: [], seat: "E", round: "E", rulebook: "", options: {} });
let own = read("rulebooks", {});
let failed = false;
let asked = 0;

const inEvening = () => document.body.classList.contains("evening");
const taps = () => (inEvening() ? (evening.taps[evening.seat] ?? []) : one.taps);
const mayWrite = () => !inEvening() || evening.isWriter;

function keep(changed) {
  if (inEvening()) {
    evening.taps = { ...evening.taps, [evening.seat]: changed };
    table.keepTaps();
  } else {
    one.taps = changed;
    write("hand", one);
  }
}

// What is asked of a hand: by an evening's text, or by what is chosen on the page.
function question(kind) {
  const own_ = Object.keys(own);
  if (inEvening()) return { ask: kind, taps: taps(), text: evening.text, seat: evening.seat, own: own_ };
  return { ask: kind, taps: taps(), seat: one.seat, round: one.round, rulebook: one.rulebook, options: one.options, own: own_ };
}

// ---- taps

function tap(tapped) {
  if (!mayWrite()) return say("error", words.other_tab);
  keep([...taps(), tapped]);
  return draw();
}

function takeBack() {
  if (!mayWrite()) return;
  keep(taps().slice(0, -1));
  draw();
}

function clear() {
  if (!mayWrite()) return;
  keep([]);
  draw();
}

async function draw() {
  const sent = taps();
  const { seat } = evening;
  const turn = (asked += 1);
  if (!inEvening() && routed() !== "hand") return;
  if (!isReady) {
    drawTaps(sent, tileNames);
    if (failed) return;
  }
  const answer = await ask(question("hand"));
  if (turn !== asked) return;
  if (answer.fault || answer.slow || !answer.taps) return say("error", answer.error ?? "");
  if (answer.taps.length < sent.length) keep(answer.taps);
  drawHand(answer, seat);
}

function drawHand(answer, seat) {
  drawParts(answer.parts, words, tap);
  drawGrey(answer.grey);
  drawSheet(answer.sheet);
  say("score", answer.score === null ? "" : String(answer.score));
  say("read", answer.empty ? "" : answer.read);
  say("error", answer.refused || answer.error || (mayWrite() ? "" : words.other_tab));
  say("hint", answer.winning ? words.mark : answer.pending ? words.lowest : answer.full ? words.full : "");
  say("payments", answer.payments ?? "");
  drawWaits(answer.waits);
  drawWin(answer);
  for (const key of document.querySelectorAll("[data-set]")) pressed(key, key.dataset.set === answer.pending);
  const field = find('[data-type="number"]');
  if (document.activeElement !== field) field.value = answer.number ?? "";
  if (inEvening()) {
    const scores = evening.scores ?? {};
    const shown = answer.empty && !taps().length ? undefined : (answer.score ?? "…");
    if (scores[seat] !== shown) {
      evening.scores = { ...scores, [seat]: shown };
      drawGiven(seat, shown);
    }
  } else {
    choose("seat", (one.seat = answer.seat));
    choose("round", (one.round = answer.round));
    drawCompare();
  }
}

function drawGiven(seat, shown) {
  const place = find(`.seat.${seat} .given`);
  if (place && shown !== undefined) place.textContent = String(shown);
}

function drawWin({ won, winning, from, flags }) {
  const here = winning || won;
  pressed(find('[data-win="drawn"]'), here === "drawn");
  pressed(find('[data-win="claimed"]'), here.startsWith("claimed"));
  show("from").replaceChildren(
    element("span", { class: "label", "aria-hidden": "true" }, words.from),
    ...from.map(([wind, name]) =>
      element(
        "button",
        { type: "button", "aria-label": `${words.from} ${name}`, "aria-pressed": String(here === `claimed ${wind}`), onclick: () => tap(`claimed ${wind}`) },
        name,
      ),
    ),
  );
  show("flags").replaceChildren(
    ...flags.map(({ flag, title, on }) =>
      element("button", { type: "button", "aria-pressed": String(on), onclick: () => tap(`!${flag}`) }, words.flags[flag] ?? title),
    ),
  );
}

function drawWaits(waits) {
  const worth = (score) => (score === null ? words.no_win : score);
  const shown = waits.map(({ tile, title, drawn, claimed }) =>
    element("li", {}, fill(words.wait, { tile: title, drawn: worth(drawn), claimed: worth(claimed) }), " ", element("small", {}, tile)),
  );
  show("waits").replaceChildren(...(shown.length ? [element("h2", {}, words.waits), element("ul", {}, ...shown)] : []));
}

async function drawCompare() {
  const place = show("compare");
  if (!place.open || !isReady) return;
  const { rows } = await ask(question("compare"));
  const listed = rows.map(([name, score]) => element("li", {}, `${name} `, element("b", {}, score === null ? words.refused : String(score))));
  place.lastElementChild.replaceChildren(element("ul", {}, ...listed));
}

// ---- what is chosen

const choose = (name, value) => {
  const field = find(`[data-choose="${name}"]`);
  if (value && field.value !== value) field.value = value;
};

function listBooks() {
  const field = find('[data-choose="rulebook"]');
  for (const name of Object.keys(own)) {
    if (![...field.options].some(({ value }) => value === name)) {
      field.append(element("option", { value: name }, `${name} (${words.own})`));
    }
  }
  one.rulebook = [...field.options].some(({ value }) => value === one.rulebook) ? one.rulebook : field.value;
  field.value = one.rulebook;
}

async function drawOptions() {
  const { options, error } = await ask({ ask: "rulebook", rulebook: one.rulebook, options: one.options });
  if (error) {
    one.options = {};
    return say("error", error);
  }
  const rows = options.map(({ name, title, source, choices, value }) => {
    const values = choices.includes(value) ? choices : [value, ...choices];
    const listed = values.map((choice) => element("option", { value: choice, selected: choice === value }, choice));
    const set = async ({ target }) => {
      const before = one.options;
      one.options = { ...one.options, [name]: target.value };
      const { error: refused } = await ask({ ask: "rulebook", rulebook: one.rulebook, options: one.options });
      if (refused) one.options = before;
      write("hand", one);
      await drawOptions();
      if (refused) say("news", refused);
      else draw();
    };
    return element("label", {}, element("select", { "data-option": name, onchange: set }, ...listed), ` ${title} `, element("small", {}, source));
  });
  return show("options").replaceChildren(...rows);
}

// ---- an evening begins

async function begin() {
  const players = [...document.querySelectorAll("[data-player]")].map(({ value }) => value);
  const today = new Date();
  const date = new Date(today - today.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
  const counters = find('[data-choose="counters"]').value;
  const answer = await ask({ ask: "begin", players, rulebook: one.rulebook, options: one.options, counters, date });
  if (answer.error) return say("news", answer.error);
  say("news", "");
  table.change(answer.text, answer);
  navigator.storage?.persist?.();
  return table.stayAwake();
}

function fresh() {
  const button = find('[data-do="fresh"]');
  if (button.dataset.sure !== "yes") {
    button.dataset.sure = "yes";
    setTimeout(() => delete button.dataset.sure, 8000);
    return say("news", words.fresh_sure);
  }
  delete button.dataset.sure;
  say("news", "");
  return table.change("", null);
}

// ---- sharing and opening

async function share() {
  if (inEvening() || document.body.classList.contains("page")) {
    const name = `mjscore-${/^date (\S+)/m.exec(evening.text ?? "")?.[1] ?? "evening"}.mj`;
    return give(new File([evening.text ?? ""], name, { type: "text/plain" }));
  }
  const answer = await ask(question("picture"));
  if (answer.error) return say("error", answer.error);
  const picture = await pictureOf(answer.svg);
  return give(new File([picture], "hand.png", { type: "image/png" }), answer.text);
}

async function give(file, text) {
  if (navigator.canShare?.({ files: [file] })) {
    try {
      await navigator.share({ files: [file], text });
      return say("news", words.shared);
    } catch (error) {
      if (error.name === "AbortError") return undefined;
    }
  }
  const address = URL.createObjectURL(file);
  element("a", { href: address, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
  return say("news", fill(words.saved, { name: file.name }));
}

async function open(file) {
  const text = await file.text();
  if (file.name.endsWith(".toml")) {
    const name = file.name.replace(/[^\w.-]/g, "_");
    const before = own;
    giveFiles((own = { ...own, [name]: text }));
    const { error } = await ask({ ask: "rulebook", rulebook: name }, 2);
    if (error) {
      giveFiles((own = before));
      return say("news", error);
    }
    write("rulebooks", own);
    one.rulebook = name;
    one.options = {};
    listBooks();
    await drawOptions();
    draw();
  } else {
    // looked at before it takes the place of what is there
    const view = await ask({ ask: "evening", text }, 2);
    if (view.error) return say("news", fill(words.not_an_evening, view));
    if (!evening.isWriter) return say("news", words.other_tab);
    table.change(text, view);
    location.hash = "#evening";
  }
  return say("news", fill(words.opened, { name: file.name }));
}

async function drawPage() {
  const answer = await ask({ ask: "page", text: evening.text ?? "" });
  const place = show("page");
  if (answer.error) return place.replaceChildren(answer.error);
  const made = new DOMParser().parseFromString(answer.html.replace(/<style>[^]*?<\/style>/, ""), "text/html");
  const host = element("div");
  const style = element("link", { rel: "stylesheet", href: new URL("evening.css", import.meta.url).href });
  host.attachShadow({ mode: "open" }).append(style, made.querySelector("svg.faces"), made.querySelector("main"));
  return place.replaceChildren(host);
}

// ---- the page as a whole

const MODES = ["hand", "begin", "evening", "table", "page"];
const routed = () => MODES.find((known) => location.hash === `#${known}`) ?? "hand";

// What the address asks for; of an evening, how one begins where none is under way.
function arrange() {
  const mode = routed() === "hand" || table.underWay() ? routed() : "begin";
  document.body.classList.remove(...MODES);
  document.body.classList.add(mode);
  document.body.classList.toggle("fresh", !table.underWay());
}

function redraw() {
  arrange();
  draw();
}

function route() {
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === `#${routed()}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  say("error", "");
  say("news", evening.isWriter || routed() === "hand" ? "" : words.other_tab);
  table.draw();
  if (routed() === "page") drawPage();
  table.stayAwake();
}

function pressable(button, short, long) {
  let timer = 0;
  let was = false;
  button.addEventListener("pointerdown", () => {
    was = false;
    timer = setTimeout(() => {
      was = true;
      long();
    }, LONG);
  });
  for (const end of ["pointerup", "pointerleave", "pointercancel"]) button.addEventListener(end, () => clearTimeout(timer));
  button.addEventListener("click", () => (was ? (was = false) : short()));
}

function listen() {
  for (const key of document.querySelectorAll("[data-tile], [data-set]")) {
    const why = () => key.title && say("error", key.title);
    pressable(key, () => (key.getAttribute("aria-disabled") ? why() : tap(key.dataset.tile ?? key.dataset.set)), why);
  }
  for (const key of document.querySelectorAll("[data-win]")) key.addEventListener("click", () => tap(key.dataset.win));
  pressable(find('[data-key="back"]'), takeBack, clear);
  const doings = { begin, fresh, redo: () => mayWrite() && table.redo() };
  for (const [name, act] of Object.entries(doings)) find(`[data-do="${name}"]`).addEventListener("click", act);
  const keys = { share, undo: () => mayWrite() && table.undo(), open: () => find('[data-type="file"]').click(), nothing };
  keys.next = () => (mayWrite() ? table.next() : say("error", words.other_tab));
  for (const [name, act] of Object.entries(keys)) find(`[data-key="${name}"]`).addEventListener("click", act);
  find('[data-type="file"]').addEventListener("change", async ({ target }) => {
    if (target.files[0]) await open(target.files[0]);
    target.value = "";
  });
  find('[data-type="number"]').addEventListener("input", ({ target }) => {
    if (!mayWrite()) return;
    const digits = target.value.replace(/\D/g, "");
    keep(digits ? [`number ${digits}`] : []);
    draw();
  });
  find('[data-type="line"]').addEventListener("keydown", async ({ key, target }) => {
    const line = target.value;
    if (key !== "Enter" || !line.trim()) return;
    target.value = "";
    show("live").replaceChildren();
    // what is refused comes back to be mended, unless the next line is being typed
    if (!(await typeLine(line)) && !target.value) target.value = line;
  });
  find('[data-type="line"]').addEventListener("input", ({ target }) => inEvening() && isReady && table.typing(target.value));
  for (const name of ["rulebook", "seat", "round"]) {
    find(`[data-choose="${name}"]`).addEventListener("change", ({ target }) => {
      one[name] = target.value;
      if (name === "rulebook") {
        one.options = {};
        drawOptions();
      }
      write("hand", one);
      draw();
    });
  }
  show("compare").addEventListener("toggle", drawCompare);
  for (const [line, title] of words.event_lines) {
    show("events").append(element("button", { type: "button", onclick: () => happened(line) }, element("b", {}, line), ` ${title}`));
  }
  addEventListener("hashchange", route);
  document.addEventListener("visibilitychange", table.stayAwake);
  addEventListener("storage", ({ key }) => {
    if (evening.isWriter || (key !== null && !key.startsWith("mjscore."))) return;
    table.load();
    table.look();
  });
}

// A seat that has nothing; said of it once more, it is the next one's turn.
function nothing() {
  if (!mayWrite()) return say("error", words.other_tab);
  if (taps().join() === "number 0") table.next();
  keep(["number 0"]);
  return table.draw();
}

// Takes a typed line; whether it was one.
async function typeLine(line) {
  if (!mayWrite()) {
    say("error", words.other_tab);
    return false;
  }
  if (inEvening()) return table.typed(line);
  const answer = await ask({ ...question("hand"), taps: [`line ${line}`] });
  if (!answer.taps?.length) {
    say("error", answer.refused || answer.error);
    return false;
  }
  keep(answer.taps);
  asked += 1;
  drawHand(answer, "");
  return true;
}

function happened(line) {
  const field = find('[data-type="line"]');
  field.value = line.endsWith(" ") ? line : "";
  field.focus();
  if (!field.value) typeLine(line);
}

function start() {
  whenFull(() => say("news", words.storage_full));
  giveFiles(own);
  listBooks();
  choose("seat", one.seat);
  choose("round", one.round);
  listen();
  table.startEvening(words, redraw);
  startPython((state, reason) => {
    document.body.dataset.python = reason;
    failed = state === "failed";
    const tell = () => say("state", failed ? `${words.failed} (${reason})` : words[state]);
    if (state !== "ready") return tell();
    drawOptions();
    // an evening that is looked at is shown first, if that takes no longer than a moment
    const shown = Promise.race([table.look(), new Promise((resolve) => setTimeout(resolve, 1000))]);
    return routed() === "hand" ? tell() : shown.then(tell);
  }, words);
  becomeWriter(
    () => {
      evening.isWriter = true;
      table.load();
      route();
      if (isReady) table.look();
    },
    route,
  );
  route();
  navigator.serviceWorker?.register(new URL("../service.js", import.meta.url)).catch(() => {});
  const iphone = /iPhone|iPad/.test(navigator.userAgent) && !navigator.standalone;
  if (iphone) say("news", words.home_screen);
}

start();
