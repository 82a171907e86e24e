// The page: routes, taps, drawing the bridge's answers. It knows no rule, no meaning of a tile and no payment.
import { closeDialog, drawSheet, drawWaits, giveWords, hideCard, openDialog } from "./cards.js";
import { drawGrey, drawParts, drawTaps, element, fill, find, pictureOf, pressed, refuse, replace, say, show } from "./draw.js";
import * as table from "./evening.js";
import { add, begun, drawEvenings, fileOf } from "./evenings.js";
import { drawDrill, startDrill } from "./drill.js";
import { startKeys } from "./keys.js";
import { offerLinked, showLink } from "./link.js";
import { ask, giveFiles, isReady, startPython } from "./python.js";
import * as store from "./store.js";
import { putWords, words } from "./words.js";

const { current, evening } = table;
const LONG = 500; // milliseconds of a long press
const tileNames = new Set([...document.querySelectorAll("[data-tile]")].map((key) => key.dataset.tile));
let own = {}; // the user's rulebook files, by name
let titles = {};
let failed = false;
let asked = 0;
let greyed = 0; // the question after which the keys were last greyed
let drawn = "";
let touched = null; // the set that the last tap touched
let shown = { sheet: [], payments: "", waits: [] }; // about the hand being shown

const inEvening = () => document.body.classList.contains("evening");
const one = () => ({ taps: [], seat: "E", round: "E", rulebook: "", options: {}, ...store.state.things.hand });
const place = () => (inEvening() || document.body.classList.contains("evenings") ? "evening" : "hand");
const taps = () => (inEvening() ? (current().taps[current().seat] ?? []) : one().taps);
const mayWrite = () => store.isWriter || place() === "hand" || say("error", words.other_tab);

// Records an action on the hand being shown; *told* names it for Undo.
function keep(told, changed) {
  if (inEvening()) table.keepTaps(told, changed);
  else choose(told, { taps: changed });
}

function choose(told, fields) {
  store.done("hand", told, { things: { hand: { ...one(), ...fields } } });
}

// A question about a hand: with an evening's text, or with the choices on the page.
function question(kind) {
  const asking = { ask: kind, taps: taps(), own: Object.keys(own) };
  return inEvening() ? { ...asking, ...table.here(), mark: table.mark(), seat: current().seat } : { ...one(), ...asking };
}

// ---- taps

const nameOf = (tapped) => tapped.split(" ").map((part) => find(`[data-tile="${part}"]`)?.ariaLabel ?? words.sets[part] ?? "").join("");

const tap = (tapped, told) =>
  table.soon(() => {
    if (!mayWrite()) return undefined;
    if (store.isWriter) say("news", "");
    hideCard();
    keep(told ?? ["tap", nameOf(tapped)], [...taps(), tapped]);
    return draw();
  });

// ⌫: removes the set just touched, or else the last tap.
const takeBack = () =>
  table.soon(() => {
    if (!taps().length || !mayWrite()) return undefined;
    if (touched !== null) return tap(`out ${touched}`, ["out"]);
    keep(["back", nameOf(taps().at(-1))], taps().slice(0, -1));
    return draw();
  });

const clear = () =>
  table.soon(() => {
    if (!taps().length || !mayWrite()) return undefined;
    keep(["clear"], []);
    return draw();
  });

async function draw() {
  const sent = taps();
  const { seat } = current();
  const turn = (asked += 1);
  touched = null;
  drawUndo();
  if (!inEvening() && routed() !== "hand") return;
  show("played").hidden = sent.length > 0 || !inEvening();
  if (!isReady) {
    drawTaps(sent, tileNames);
    if (failed) return;
  }
  const answer = await ask(question("hand"));
  if (turn !== asked) return;
  if (answer.fault || answer.slow || !answer.taps) return say("error", answer.error ?? "");
  if (JSON.stringify(answer.taps) !== JSON.stringify(sent)) {
    if (inEvening()) table.correct(answer.taps);
    else store.corrected("hand", { things: { hand: { taps: answer.taps } } });
    drawUndo();
  }
  drawHand(answer, seat);
  requestAnimationFrame(() => setTimeout(() => drawKeys(turn)));
}

// After the hand is drawn, asks what may be tapped next, unless the hand has changed again.
async function drawKeys(turn) {
  if (turn !== asked) return;
  const keys = await ask(question("keys"));
  if (turn !== asked || keys.error) return;
  greyed = turn;
  drawGrey(keys.grey);
  drawFlags(keys.flags);
  shown.waits = keys.waits;
  say("more", keys.waits.length ? words.is_waiting : "");
}

// The sheet of the hand being shown, and what it waits for.
function openSheet() {
  const { sheet, payments, waits } = shown;
  const head = `${words.score} ${show("score").textContent}`;
  openDialog(head, sheet.length ? drawSheet(sheet) : element("p", {}, show("read").textContent), element("p", {}, payments), ...drawWaits(waits));
}

// What the next Undo takes back, and whether there is anything to redo.
function drawUndo() {
  const step = store.lastStep(place());
  for (const button of document.querySelectorAll('[data-do="redo"]')) button.disabled = !store.nextStep(place());
  const [kind, what] = step?.told ?? [];
  const told = step ? fill(words.done[kind], { what }) : "";
  for (const button of document.querySelectorAll('[data-key="undo"]')) {
    button.lastElementChild.textContent = told;
    button.setAttribute("aria-label", `${words.undo}: ${told}`);
    button.disabled = !step;
  }
}

function drawHand(answer, seat) {
  drawParts(answer.parts, words, tap);
  shown = { sheet: answer.sheet, payments: answer.payments ?? "", waits: [] };
  say("more", "");
  find('[data-do="sheet"]').disabled = answer.empty;
  say("score", answer.score === null ? "" : String(answer.score));
  say("read", answer.empty ? "" : answer.read);
  const refused = answer.refused || answer.error || (mayWrite() ? "" : words.other_tab);
  const hand = JSON.stringify([place(), seat, answer.taps]);
  if (answer.refused) refuse(refused);
  else if (refused || hand !== drawn) say("error", refused); // a message stays until something changes
  drawn = hand;
  touched = answer.touched;
  const hints = [[touched !== null, "touched"], [answer.winning, "mark"], [answer.pending, "lowest"], [answer.full, "full"]];
  say("hint", words[hints.find(([holds]) => holds)?.[1]] ?? "");
  drawWin(answer);
  for (const key of document.querySelectorAll("[data-set]")) pressed(key, key.dataset.set === answer.pending);
  const field = find('[data-type="number"]');
  if (document.activeElement !== field) field.value = answer.number ?? "";
  if (inEvening()) {
    const shown = answer.empty && !taps().length ? undefined : (answer.score ?? "…");
    if (evening.scores[seat] !== shown) {
      evening.scores[seat] = shown;
      drawGiven(seat, shown);
    }
  } else {
    const { seat: sits, round } = answer;
    if (sits !== one().seat || round !== one().round) store.moved({ things: { hand: { ...one(), seat: sits, round } } });
    drawChosen();
    show("sheet").replaceChildren(drawSheet(answer.sheet), answer.payments ?? "");
    drawCompare();
  }
}

function drawGiven(seat, shown) {
  const place = find(`.seat.${seat} .given`);
  if (place && shown !== undefined) place.textContent = String(shown);
}

function drawWin({ won, winning, from }) {
  const here = winning || won;
  pressed(find('[data-win="drawn"]'), here === "drawn");
  pressed(find('[data-win="claimed"]'), here.startsWith("claimed"));
  replace(
    show("from"),
    ...from.map(([wind, name]) =>
      element(
        "button",
        { type: "button", "aria-label": `${words.from} ${name}`, "aria-pressed": String(here === `claimed ${wind}`), onclick: () => tap(`claimed ${wind}`, ["tap", `${words.from} ${name}`]) },
        element("small", {}, words.from),
        ` ${name}`,
      ),
    ),
  );
}

function drawFlags(flags) {
  replace(
    show("flags"),
    ...flags.map(({ flag, title, on }) =>
      element("button", { type: "button", "aria-pressed": String(on), onclick: () => tap(`!${flag}`, ["tap", words.flags[flag] ?? title]) }, words.flags[flag] ?? title),
    ),
  );
}

async function drawCompare() {
  const place = show("compare");
  if (!place.open || !isReady) return;
  const { rows } = await ask(question("compare"));
  const listed = rows.map(([name, score]) => element("li", {}, `${name} `, element("b", {}, score === null ? words.refused : String(score))));
  place.lastElementChild.replaceChildren(element("ul", {}, ...listed));
}

// ---- choices

function drawChosen() {
  for (const name of ["rulebook", "seat", "round"]) {
    const field = find(`[data-choose="${name}"]`);
    if (field.value !== one()[name]) field.value = one()[name];
  }
}

function listBooks() {
  const field = find('[data-choose="rulebook"]');
  for (const name of Object.keys(own)) {
    const there = [...field.options].find(({ value }) => value === name);
    if (name in words.club) continue;
    const title = `${titles[name] ?? name} (${words.own})`;
    if (there) there.textContent = title;
    else field.append(element("option", { value: name }, title));
  }
  const isKnown = [...field.options].some(({ value }) => value === one().rulebook);
  if (!isKnown) store.moved({ things: { hand: { ...one(), rulebook: field.value } } });
}

async function drawOptions() {
  const { rulebook, options: set } = one();
  const { options, error } = await ask({ ask: "rulebook", rulebook, options: set });
  if (error) {
    store.moved({ things: { hand: { ...one(), options: {} } } });
    return say("error", error);
  }
  const change = async (name, value, title) => {
    const changed = { ...one().options, [name]: value };
    const { error: refused } = await ask({ ask: "rulebook", rulebook, options: changed });
    if (!refused && mayWrite()) choose(["choice", title], { options: changed });
    await drawOptions();
    if (refused) say("news", refused);
    else draw();
  };
  return replace(show("options"), ...optionRows(options, change));
}

function optionRows(options, change) {
  return options.map(({ name, title, source, choices, value }) => {
    const values = choices.includes(value) ? choices : [value, ...choices];
    const listed = values.map((choice) => element("option", { value: choice, selected: choice === value }, choice));
    const select = element("select", { "data-option": name, disabled: !change, onchange: ({ target }) => change(name, target.value, title) }, ...listed);
    return element("label", {}, select, ` ${title} `, element("small", {}, source));
  });
}

// The rules of the evening, which may be changed before the first hand.
async function openRules(refused = null) {
  const rules = await ask({ ask: "rules", ...table.here() });
  if (rules.error) return say("error", rules.error);
  if (refused !== null && !show("dialog").open) return undefined; // closed in the meantime
  const play = (fields) => table.inTurn(async () => {
    const answer = mayWrite() ? await ask({ ask: "play by", ...table.here(), ...fields }) : { error: words.other_tab };
    if (!answer.error) table.change(["choice", rules.title], answer.text, answer);
    return openRules(answer.error ?? "");
  });
  const books = element("select", { "aria-label": words.rulebook, onchange: ({ target }) => play({ rulebook: target.value }) }, ...[...find('[data-choose="rulebook"]').options].map(({ value, text }) => element("option", { value, selected: value === rules.rulebook }, text)));
  const change = rules.is_open ? (name, value) => play({ options: { [name]: value } }) : null;
  return openDialog(rules.title, rules.is_open ? books : "", element("p", { class: "refused", role: "alert" }, refused ?? ""), ...optionRows(rules.options, change), element("pre", { class: "told" }, rules.card));
}

// ---- beginning an evening

async function begin() {
  const players = [...document.querySelectorAll("[data-player]")].map(({ value }) => value);
  const today = new Date();
  const date = new Date(today - today.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
  const counters = find('[data-choose="counters"]').value;
  const { rulebook, options } = one();
  const answer = await ask({ ask: "begin", players, rulebook, options, counters, date });
  if (answer.error || !mayWrite()) return say("news", answer.error ?? words.other_tab);
  say("news", "");
  begun(answer);
  navigator.storage?.persist?.();
  location.hash = "#evening";
  return table.stayAwake();
}

// ---- sharing and opening

async function share() {
  if (inEvening() || document.body.classList.contains("page")) return give(fileOf(current()));
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
    const { error, title } = await ask({ ask: "rulebook", rulebook: name }, 2);
    if (error) {
      giveFiles((own = before));
      return say("news", error);
    }
    if (!mayWrite()) return say("news", words.other_tab);
    store.set("rulebooks", own);
    store.set("titles", (titles = { ...titles, [name]: title }));
    choose(["choice", title], { rulebook: name, options: {} });
    listBooks();
    await drawOptions();
    draw();
  } else {
    const view = await ask({ ask: "file", text }, 2);
    if (view.error) return say("news", fill(words.not_an_evening, view));
    if (!mayWrite()) return say("news", words.other_tab);
    await add(view, file.name, words);
    location.hash = "#evening";
  }
  return say("news", fill(words.opened, { name: file.name }));
}

async function drawPage() {
  const answer = await ask({ ask: "page", ...table.here() });
  const place = show("page");
  if (answer.error) return place.replaceChildren(answer.error);
  const made = new DOMParser().parseFromString(answer.html.replace(/<style>[^]*?<\/style>/, ""), "text/html");
  const host = element("div");
  const style = element("link", { rel: "stylesheet", href: new URL("evening.css", import.meta.url).href });
  host.attachShadow({ mode: "open" }).append(style, made.querySelector("svg.faces"), made.querySelector("main"));
  return place.replaceChildren(host);
}

// ---- the page as a whole

const MODES = ["hand", "drill", "begin", "evening", "evenings", "table", "page"];
// the bare address, used by the home screen, opens the current evening
const routed = () => MODES.find((known) => location.hash === `#${known}`) ?? (location.hash || !table.underWay() ? "hand" : "evening");

// Follows the address; if it asks for an evening and there is none, shows how to begin one.
function arrange() {
  const mode = ["hand", "drill", "evenings"].includes(routed()) || table.underWay() ? routed() : "begin";
  document.body.classList.remove(...MODES);
  document.body.classList.add(mode);
  document.body.classList.toggle("fresh", !table.underWay());
  document.body.classList.toggle("mends", mode === "evening" && table.mark() !== "");
}

function redraw() {
  arrange();
  draw();
}

function route() {
  hideCard();
  offerLinked(open);
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === `#${routed()}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  say("error", "");
  say("news", store.isWriter ? "" : words.other_tab);
  table.draw();
  if (routed() === "evenings") drawEvenings(words, give, drawUndo);
  if (routed() === "page") drawPage();
  if (routed() === "drill") drawDrill();
  table.stayAwake();
}

// A key with another function when held; the time is measured by the events, even if the page is busy.
function pressable(button, short, long) {
  let since = 0;
  button.addEventListener("pointerdown", ({ timeStamp }) => (since = timeStamp));
  button.addEventListener("click", ({ timeStamp, detail }) => (detail && timeStamp - since > LONG ? long() : short()));
}

function listen() {
  for (const key of document.querySelectorAll("[data-tile], [data-set]")) {
    const name = key.dataset.tile ?? key.dataset.set;
    // a key still grey from before the last touch is not refused
    key.addEventListener("click", () => (key.ariaDisabled && greyed === asked ? refuse(key.title) : tap(name)));
  }
  for (const key of document.querySelectorAll("[data-win]")) key.addEventListener("click", () => tap(key.dataset.win));
  pressable(find('[data-key="back"]'), takeBack, clear);
  const doings = { begin, sheet: openSheet, close: closeDialog, leave: table.leave, fresh: () => (location.hash = "#begin"), redo: () => step(table.redo, store.redo) };
  doings.done = () => mayWrite() && table.finish();
  doings.rules = () => openRules();
  doings.link = () => showLink(fileOf(current()));
  doings.awake = () => {
    store.set("awake", !store.setting("awake", true));
    table.stayAwake();
  };
  doings.happened = () => mayWrite() && table.happened();
  for (const [name, act] of Object.entries(doings)) {
    for (const button of document.querySelectorAll(`[data-do="${name}"]`)) button.addEventListener("click", act);
  }
  const keys = { share, undo: () => step(table.undo, store.undo), open: () => find('[data-type="file"]').click(), nothing };
  keys.next = () => mayWrite() && table.next();
  for (const [name, act] of Object.entries(keys)) {
    for (const button of document.querySelectorAll(`[data-key="${name}"]`)) button.addEventListener("click", act);
  }
  find('[data-type="file"]').addEventListener("change", async ({ target }) => {
    if (target.files[0]) await open(target.files[0]);
    target.value = "";
  });
  find('[data-type="number"]').addEventListener("input", ({ target }) => {
    if (!mayWrite()) return;
    const digits = target.value.replace(/\D/g, "");
    table.soon(() => {
      keep(["number", digits], digits ? [`number ${digits}`] : []);
      return draw();
    });
  });
  find('[data-type="line"]').addEventListener("keydown", async ({ key, target }) => {
    const line = target.value;
    if (key !== "Enter" || !line.trim()) return;
    target.value = "";
    show("live").replaceChildren();
    // a refused line comes back for correction, unless the next one is being typed
    if (!(await typeLine(line)) && !target.value) target.value = line;
  });
  find('[data-type="line"]').addEventListener("input", ({ target }) => inEvening() && isReady && table.typing(target.value));
  for (const name of ["rulebook", "seat", "round"]) {
    find(`[data-choose="${name}"]`).addEventListener("change", ({ target }) => {
      if (!mayWrite()) return drawChosen();
      choose(["choice", target.selectedOptions[0].text], { [name]: target.value, ...(name === "rulebook" ? { options: {} } : {}) });
      if (name === "rulebook") drawOptions();
      return draw();
    });
  }
  find('[data-choose="language"]').addEventListener("change", ({ target }) => {
    store.set("language", target.value);
    location.reload();
  });
  show("compare").addEventListener("toggle", drawCompare);
  addEventListener("hashchange", route);
  document.addEventListener("visibilitychange", table.stayAwake);
  addEventListener("storage", async ({ key }) => {
    if (store.isWriter || (key !== null && key !== "mjscore.turn")) return;
    await store.load();
    takeUp();
  });
}

// Undoes, or redoes, the last action on what is being shown.
async function step(inEvenings, inHand) {
  if (!mayWrite()) return;
  if (place() === "evening") {
    await inEvenings();
    if (routed() === "evenings") drawEvenings(words, give, drawUndo);
  } else {
    inHand("hand");
    drawOptions();
    drawChosen();
  }
  draw();
}

// Marks a seat as having nothing; the second time, goes to the next seat.
function nothing() {
  if (!mayWrite()) return undefined;
  if (taps().join() === "number 0") return table.next();
  return table.soon(() => {
    keep(["nothing"], ["number 0"]);
    return table.draw();
  });
}

// Takes a typed line; returns whether there was one.
async function typeLine(line) {
  if (!mayWrite()) return false;
  if (inEvening()) return table.typed(line);
  const answer = await ask({ ...question("hand"), taps: [`line ${line}`] });
  if (!answer.taps?.length) {
    say("error", answer.refused || answer.error);
    show("error").scrollIntoView({ block: "nearest" });
    return false;
  }
  keep(["line", line], answer.taps);
  draw();
  return true;
}

// The saved state was loaded, or was changed in another tab.
function takeUp() {
  own = { ...store.setting("rulebooks", {}), ...words.club };
  titles = store.setting("titles", {});
  giveFiles(own);
  listBooks();
  drawChosen();
  table.takeUp();
  route();
  if (isReady) table.look();
}

async function start() {
  let before = "";
  store.whenTrouble((trouble) => {
    say("unkept", trouble === "full" ? words.unkept : "");
    if (trouble && trouble !== before) say("news", words[`storage_${trouble}`]);
    before = trouble;
  });
  putWords();
  giveWords(words);
  listen();
  startKeys();
  startDrill(words, one);
  table.startEvening(words, redraw);
  startPython((state, reason) => {
    document.body.dataset.python = reason;
    failed = state === "failed";
    const tell = () => {
      show("state").dataset.said = words[state];
      say("state", state === "ready" ? state : words[state]); // the same in every language, for programs
    };
    if (failed) say("news", `${words.failed_why} (${reason})`);
    if (state !== "ready") return tell();
    // after loading: it saves what the page has fetched
    navigator.serviceWorker?.register(new URL("../service.js", import.meta.url)).catch(() => {});
    // the visible part first, so that the first touch is answered immediately
    const isHand = routed() === "hand";
    return (isHand ? draw() : table.look()).then(tell).then(drawOptions).then(() => isHand && table.look());
  }, words);
  await store.load();
  takeUp();
  await store.becomeWriter(takeUp, route);
  const iphone = /iPhone|iPad/.test(navigator.userAgent) && !navigator.standalone;
  if (iphone) say("news", words.home_screen);
}

start();
