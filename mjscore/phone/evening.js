// The evening that is open: what each seat has tapped, who sits where, what was played.
import { element, fill, find, say, show } from "./draw.js";
import { ask } from "./python.js";
import * as store from "./store.js";

export const evening = { view: null, lines: [], scores: {} };
const NONE = { text: "", taps: {}, seat: "" };
let words;
let changed = () => {};
let wake = null;
let last = Promise.resolve();
let waits = 0;

// What changes the evening is done one after another, each upon what the one before has left.
export function inTurn(act) {
  waits += 1;
  last = last.then(act, act).finally(() => (waits -= 1));
  return last;
}

// At once, unless something is still being done: then behind that.
export const soon = (act) => (waits ? inTurn(act) : act());

export function startEvening(given, redraw) {
  words = given;
  changed = redraw;
}

export const current = () => store.state.things[store.state.at] ?? NONE;
export const underWay = () => current().text !== "";
const seats = () => evening.view?.seats ?? [];
const patch = (fields, at = store.state.at) => ({ at, things: { [at]: fields } });

// Takes up what is kept: what its page showed counts until Python says it anew.
export function takeUp() {
  const seen = store.setting("view", null);
  Object.assign(evening, { lines: [], scores: {}, view: seen !== null && seen.text === current().text ? seen : null });
}

export function keepTaps(told, taps, seat = current().seat) {
  store.done("evening", told, patch({ taps: { ...current().taps, [seat]: taps }, seat }));
}

export function correct(taps) {
  store.corrected("evening", patch({ taps: { ...current().taps, [current().seat]: taps } }));
}

// The view of the text that is there, asked of Python; the limit is for a file from elsewhere.
export async function look(seconds) {
  const { text } = current();
  if (!underWay()) return draw();
  const view = await ask({ ask: "evening", text }, seconds);
  if (text !== current().text) return undefined;
  if (view.error) {
    evening.view = null;
    draw();
    say("error", fill(words.not_an_evening, view));
  } else {
    see(view);
  }
  return view;
}

// What a list of evenings shows of one.
export const tellingOf = ({ title, date, totals }) => ({ title, date, totals });

function see(view) {
  const { said: _, ...shown } = view;
  const { seat, told, text } = current();
  evening.view = { ...shown, text };
  if (store.isWriter) {
    const sits = seats().some(({ wind }) => wind === seat) ? seat : seats()[0].wind;
    const tells = tellingOf(view);
    if (seat !== sits || JSON.stringify(told) !== JSON.stringify(tells)) store.moved(patch({ seat: sits, told: tells }));
    store.set("view", evening.view);
  }
  draw();
}

// A new text takes the place of the one before.
export function change(told, text, view, at = store.state.at) {
  store.done("evening", told, patch({ text, taps: {}, seat: view.seats[0].wind, told: tellingOf(view) }, at));
  Object.assign(evening, { lines: [], scores: {} });
  see(view);
}

// Opens another evening, or none.
export function turnTo(told, at, more = {}) {
  store.done("evening", told, { at, things: more });
  takeUp();
  return look();
}

function step(back) {
  const { text } = current();
  const done = back("evening");
  if (!done) return;
  evening.lines = [];
  evening.scores = {};
  if (text !== current().text) {
    evening.view = null;
    look();
  } else {
    draw();
  }
}

export const undo = () => inTurn(() => step(store.undo));
export const redo = () => inTurn(() => step(store.redo));

// On to the next seat; behind the last one the hand is settled.
export const next = () => inTurn(goOn);

async function goOn() {
  const order = seats().map(({ wind }) => wind);
  const at = order.indexOf(current().seat);
  if (at + 1 < order.length) return sit(order[at + 1]);
  const { text, taps } = current();
  const answer = await ask({ ask: "settle", text, hands: taps });
  if (answer.error) return say("error", answer.error);
  return change(["settle", answer.entries.at(-1)?.title ?? ""], answer.text, answer);
}

export function sit(wind) {
  if (store.isWriter) store.moved(patch({ seat: wind }));
  draw();
}

// A line as in play; whether it was taken. A bare number is the score of the seat whose turn it is.
export const typed = (line) => inTurn(() => take(line));

async function take(line) {
  if (/^\d+$/.test(line.trim()) && current().seat) {
    keepTaps(["number", line.trim()], [`number ${line.trim()}`]);
    draw();
    return true;
  }
  const lines = [...evening.lines, line];
  const answer = await ask({ ask: "type", text: current().text, lines });
  if (answer.error) {
    say("error", answer.error);
    return false;
  }
  const going = answer.editing ? lines : [];
  if (answer.text === current().text) {
    see(answer);
    drawAsked(answer);
  } else {
    change(["line", lines.findLast((one) => !words.answers[one])], answer.text, answer);
  }
  evening.lines = going;
  return true;
}

// What is said of a line while it is typed.
export async function typing(line) {
  const { lines } = line.trim() ? await ask({ ask: "live", text: current().text, lines: evening.lines, line }) : {};
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
    for (const name of ["under-way", "totals", "last", "played"]) say(name, "");
    for (const name of ["seats", "entries", "table"]) show(name).replaceChildren();
    show("asked").hidden = true;
    return changed();
  }
  say("under-way", fill(words.under_way, view) + (view.sits_out ? ` · ${fill(words.sits_out, { name: view.sits_out })}` : ""));
  show("totals").replaceChildren(
    ...view.totals.map(([name, points]) => element("span", { class: "total" }, `${name} `, element("b", {}, points), " ")),
  );
  say("last", view.last);
  drawPlayed(view);
  show("seats").replaceChildren(...view.seats.map(drawSeat));
  show("entries").replaceChildren(...view.entries.map(drawEntry).reverse());
  show("asked").hidden = true;
  drawTable(view);
  return changed();
}

// Where the hand is empty: what was played last, in short.
function drawPlayed({ entries }) {
  const one = entries.findLast(({ nets }) => nets.length);
  const nets = (one?.nets ?? []).map(([name, points]) => element("span", { class: "total" }, `${name} `, element("b", {}, points)));
  show("played").replaceChildren(...(one ? [element("b", {}, one.title), element("br"), ...nets] : []));
}

function drawSeat({ wind, title, name, given }) {
  const taps = current().taps[wind] ?? [];
  const entered = taps.length ? (evening.scores[wind] ?? "…") : given;
  return element(
    "button",
    { type: "button", class: `seat ${wind}`, "aria-pressed": String(wind === current().seat), onclick: () => sit(wind) },
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
