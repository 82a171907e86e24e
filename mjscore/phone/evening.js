// An evening: its text and the steps to undo, what each seat has tapped, who sits where, what was played.
import { element, fill, find, say, show } from "./draw.js";
import { ask } from "./python.js";
import { read, readEvening, write, writeEvening } from "./store.js";

export const evening = { text: null, past: [], future: [], taps: {}, seat: "", view: null, isWriter: false, lines: [] };
let words;
let changed = () => {};
let wake = null;
let last = Promise.resolve();

// What changes the evening is done one after another, each upon what the one before has left.
function inTurn(act) {
  last = last.then(act, act);
  return last;
}

export function startEvening(given, redraw) {
  words = given;
  changed = redraw;
  load();
}

// Takes up what is stored: the evening's text, and what its page showed, until Python says it anew.
export function load() {
  Object.assign(evening, readEvening(), { taps: {}, seat: "", lines: [] });
  const draft = read("draft", null);
  if (draft !== null && draft.text === evening.text) Object.assign(evening, { taps: draft.taps, seat: draft.seat });
  if (underWay() && !evening.seat) evening.seat = "E"; // whoever plays, there is an East
  const seen = read("view", null);
  evening.view = seen !== null && seen.text === evening.text ? seen : null;
}

export const underWay = () => evening.text !== null && evening.text !== "";
const seats = () => evening.view?.seats ?? [];

export function keepTaps() {
  return write("draft", { text: evening.text, taps: evening.taps, seat: evening.seat });
}

// The view of the text that is there, asked of Python; the limit is for a file from elsewhere.
export async function look(seconds) {
  const { text } = evening;
  if (!underWay()) return draw();
  const view = await ask({ ask: "evening", text }, seconds);
  if (text !== evening.text) return undefined;
  if (view.error) {
    evening.view = null;
    draw();
    say("error", fill(words.not_an_evening, view));
  } else {
    see(view);
  }
  return view;
}

function see(view) {
  const { said: _, ...kept } = view;
  evening.view = { ...kept, text: evening.text };
  write("view", evening.view);
  if (!seats().some(({ wind }) => wind === evening.seat)) evening.seat = seats()[0]?.wind ?? "";
  draw();
}

// A new text takes the place of the one before, which can be had again.
export function change(text, view) {
  if (text === evening.text) return;
  const before = { text: evening.text, taps: evening.taps };
  const past = evening.text === null ? evening.past : [...evening.past, before];
  Object.assign(evening, { text, past, future: [], taps: {}, seat: "E", lines: [] });
  writeEvening(evening);
  keepTaps();
  if (view) see(view);
  else look();
}

function step(from, to) {
  if (!evening[from].length) return;
  const there = evening[from].at(-1);
  evening[to] = [...evening[to], { text: evening.text, taps: evening.taps }];
  evening[from] = evening[from].slice(0, -1);
  Object.assign(evening, { text: there.text, taps: there.taps, seat: "E", lines: [], view: null });
  writeEvening(evening);
  keepTaps();
  look();
}

export const undo = () => inTurn(() => step("past", "future"));
export const redo = () => inTurn(() => step("future", "past"));

// On to the next seat; behind the last one the hand is settled.
export const next = () => inTurn(goOn);

async function goOn() {
  const order = seats().map(({ wind }) => wind);
  const at = order.indexOf(evening.seat);
  if (at + 1 < order.length) {
    evening.seat = order[at + 1];
    keepTaps();
    return draw();
  }
  const answer = await ask({ ask: "settle", text: evening.text, hands: evening.taps });
  if (answer.error) return say("error", answer.error);
  return change(answer.text, answer);
}

export function sit(wind) {
  evening.seat = wind;
  keepTaps();
  draw();
}

// A line as in play; whether it was taken. A bare number is the score of the seat whose turn it is.
export const typed = (line) => inTurn(() => take(line));

async function take(line) {
  if (/^\d+$/.test(line.trim()) && evening.seat) {
    evening.taps[evening.seat] = [`number ${line.trim()}`];
    keepTaps();
    draw();
    return true;
  }
  const lines = [...evening.lines, line];
  const answer = await ask({ ask: "type", text: evening.text, lines });
  if (answer.error) {
    say("error", answer.error);
    return false;
  }
  evening.lines = answer.editing ? lines : [];
  if (answer.text === evening.text) {
    see(answer);
    drawAsked(answer);
  } else {
    change(answer.text, answer);
  }
  return true;
}

// What is said of a line while it is typed.
export async function typing(line) {
  const { lines } = line.trim() ? await ask({ ask: "live", text: evening.text, lines: evening.lines, line }) : {};
  if (find('[data-type="line"]').value !== line) return;
  const drawn = (lines ?? []).map(([kind, told]) => element("div", { class: kind }, kind === "fault" ? `✗ ${told}` : told));
  show("live").replaceChildren(...drawn);
}

// What an edit would change, with the answers; or what a line only tells.
function drawAsked({ said, answers, editing }) {
  const place = show("asked");
  const answer = (line) => () => typed(line);
  place.hidden = !said;
  place.replaceChildren(
    element("h2", {}, editing ? words.changed : ""),
    element("div", { class: "told" }, said ?? ""),
    element(
      "div",
      { class: "keys" },
      ...(answers ?? []).map((one) => element("button", { type: "button", onclick: answer(one) }, words.answers[one])),
      editing && !answers?.length ? element("button", { type: "button", onclick: answer("drop") }, words.answers.no) : null,
    ),
  );
}

function mend(mark, line) {
  evening.lines = [`edit ${mark}`];
  const field = find('[data-type="line"]');
  field.value = line.trim();
  field.focus();
  field.scrollIntoView({ block: "center" });
}

// ---- what is drawn

export function draw() {
  const { view } = evening;
  if (view === null) {
    for (const name of ["under-way", "totals", "last"]) say(name, "");
    for (const name of ["seats", "entries", "table"]) show(name).replaceChildren();
    show("asked").hidden = true;
    return changed();
  }
  say("under-way", fill(words.under_way, view) + (view.sits_out ? ` · ${fill(words.sits_out, { name: view.sits_out })}` : ""));
  show("totals").replaceChildren(
    ...view.totals.map(([name, points]) => element("span", { class: "total" }, `${name} `, element("b", {}, points), " ")),
  );
  say("last", view.last);
  show("seats").replaceChildren(...view.seats.map(drawSeat));
  show("entries").replaceChildren(...view.entries.map(drawEntry).reverse());
  show("asked").hidden = true;
  drawTable(view);
  return changed();
}

function drawSeat({ wind, title, name, given }) {
  const taps = evening.taps[wind] ?? [];
  const entered = taps.length ? (evening.scores?.[wind] ?? "…") : given;
  return element(
    "button",
    { type: "button", class: `seat ${wind}`, "aria-pressed": String(wind === evening.seat), onclick: () => sit(wind) },
    element("span", { class: "wind" }, title),
    element("b", {}, name),
    element("span", { class: "given" }, entered === "" ? "–" : String(entered)),
  );
}

function drawEntry({ mark, title, nets, lines }) {
  const rows = lines.map((line, number) =>
    element(
      "div",
      { class: "row" },
      element("code", {}, line),
      number > 0 && /^\s+\S.*:/.test(line)
        ? element("button", { type: "button", "aria-label": `${words.mend}: ${line.trim()}`, onclick: () => mend(mark, line) }, "✎")
        : null,
    ),
  );
  return element(
    "details",
    { class: "entry" },
    element("summary", {}, title, " ", element("small", {}, nets.map(([name, points]) => `${name} ${points}`).join(" · "))),
    ...rows,
  );
}

// For the middle of the table: the same, to be read from each of its four sides.
function drawTable({ round, hand, seats: sitting, totals }) {
  const points = Object.fromEntries(totals);
  const side = (turn) =>
    element(
      "div",
      { class: `side turn${turn}`, "aria-hidden": turn ? "true" : null },
      element("p", { class: "round" }, fill(words.under_way, { round, hand })),
      element("ul", {}, ...sitting.map(({ title, name }) => element("li", {}, `${title} ${name} `, element("b", {}, points[name] ?? "")))),
    );
  show("table").replaceChildren(...[0, 1, 2, 3].map(side));
}

// ---- the screen stays on while an evening is looked at

export async function stayAwake() {
  const wanted = underWay() && document.visibilityState === "visible" && !document.body.classList.contains("hand");
  if (wanted && wake === null && navigator.wakeLock) {
    try {
      wake = await navigator.wakeLock.request("screen");
      wake.addEventListener("release", () => (wake = null));
    } catch {
      wake = null; // a battery that is nearly empty
    }
  } else if (!wanted && wake !== null) {
    await wake.release();
  }
}
