// The open evening: the taps of each seat, who sits where, what was played, the entry being edited.
import { hideCard, openForms, propose, showCard } from "./cards.js";
import { element, fill, find, pressed, refuse, replace, say, show } from "./draw.js";
import { ask } from "./python.js";
import * as store from "./store.js";

// *view* is Python's view of the text, *entry* that of the entry being edited
export const evening = { view: null, entry: null, lines: [], scores: {} };
const NONE = { text: "", taps: {}, seat: "" };
const AS_USUAL = { mark: "", aside: null }; // no earlier hand is being edited
let words;
let changed = () => {};
let wake = null;
let last = Promise.resolve();
let waits = 0;

// Changes to the evening run one after another, each on the result of the one before.
export function inTurn(act) {
  waits += 1;
  last = last.then(act, act).finally(() => (waits -= 1));
  return last;
}

// Immediately, or after whatever is still running.
export const soon = (act) => (waits ? inTurn(act) : act());

export function startEvening(given, redraw) {
  words = given;
  changed = redraw;
}

export const current = () => store.state.things[store.state.at] ?? NONE;
export const underWay = () => current().text !== "";
// the evening's part of a question: its text, and the rulebook files that it carries
export const here = (text = current().text) => ({ text, carried: current().carried ?? "" });
export const mark = () => current().mark ?? "";
const seats = () => (mark() ? evening.entry : evening.view)?.seats ?? [];
const patch = (fields, at = store.state.at) => ({ at, things: { [at]: fields } });

// Continues the saved evening, showing what was last shown until Python has answered.
export function takeUp() {
  const seen = store.setting("view", null);
  Object.assign(evening, { entry: null, lines: [], scores: {}, view: seen !== null && seen.text === current().text ? seen : null });
}

export function keepTaps(told, taps, seat = current().seat) {
  store.done("evening", told, patch({ taps: { ...current().taps, [seat]: taps }, seat }));
}

export function correct(taps) {
  store.corrected("evening", patch({ taps: { ...current().taps, [current().seat]: taps } }));
}

// Asks Python for the view of the current text; the time limit is for files from elsewhere. If something was undone since
// the text *before*, the card says how the counters change.
export async function look(seconds, before = "") {
  const [{ text }, mended] = [current(), mark()];
  if (!underWay()) return draw();
  const view = await ask({ ask: "evening", ...here(), before }, seconds);
  const entry = mended ? await ask({ ask: "entry", ...here(), mark: mended }) : null;
  if (text !== current().text || mended !== mark()) return undefined;
  if (view.error) {
    evening.view = null;
    draw();
    say("error", fill(words.not_an_evening, view));
  } else {
    evening.entry = entry;
    see(view);
    if (view.card) showCard({ ...view.card, title: words.undone }, [[words.redo, redo], [words.back_to, null, true]]);
  }
  return view;
}

// What the list of evenings shows about one.
export const tellingOf = ({ title, date, totals }) => ({ title, date, totals });

function see(view) {
  const { said: _, card: __, carried, ...shown } = view;
  const { seat, told, text } = current();
  evening.view = { ...shown, text };
  if (store.isWriter) {
    const sits = seats().some(({ wind }) => wind === seat) ? seat : seats()[0].wind;
    const tells = tellingOf(view);
    if (seat !== sits || carried !== current().carried || JSON.stringify(told) !== JSON.stringify(tells)) store.moved(patch({ seat: sits, carried, told: tells }));
    store.set("view", evening.view);
  }
  draw();
}

// Replaces the text; if an earlier hand was edited, the taps of the current hand are kept.
export function change(told, text, view, at = store.state.at) {
  const aside = at === store.state.at ? moved(current().aside, view.seats) : null;
  const kept = aside ?? { taps: {}, seat: view.seats[0].wind };
  store.done("evening", told, patch({ text, carried: view.carried, ...kept, ...AS_USUAL, told: tellingOf(view) }, at));
  Object.assign(evening, { entry: null, lines: [], scores: {} });
  see(view);
}

// The taps of the current hand, by the winds of its players after a change.
function moved(aside, sitting) {
  if (!aside) return null;
  const now = Object.fromEntries((evening.view?.seats ?? []).map(({ wind, name }) => [wind, sitting.find((one) => one.name === name)?.wind ?? wind]));
  const taps = Object.entries(aside.taps).map(([wind, all]) => [now[wind] ?? wind, all.map((tap) => tap.replace(/^claimed (.)$/, (_, from) => `claimed ${now[from] ?? from}`))]);
  return { taps: Object.fromEntries(taps), seat: now[aside.seat] ?? aside.seat };
}

// Opens another evening, or none.
export function turnTo(told, at, more = {}) {
  store.done("evening", told, { at, things: more });
  takeUp();
  return look();
}

async function step(back) {
  const [{ text }, { at }, mended] = [current(), store.state, mark()];
  if (!back("evening")) return;
  hideCard();
  Object.assign(evening, { lines: [], scores: {} });
  if (text === current().text && mended === mark()) return draw();
  if (text !== current().text) evening.view = null;
  await look(undefined, text !== current().text && at === store.state.at ? text : "");
}

export const undo = () => inTurn(() => step(store.undo));
export const redo = () => inTurn(() => step(store.redo));

// Goes to the next seat; after the last one, the hand is settled.
export const next = () => inTurn(goOn);

async function goOn() {
  const order = seats().map(({ wind }) => wind);
  const at = order.indexOf(current().seat);
  return at + 1 < order.length ? sit(order[at + 1]) : settle();
}

const settle = async () => {
  const { taps } = current();
  const refused = await does({ ask: "settle", ...here(), hands: taps, mark: mark() }, "settle");
  if (refused) refuse(refused);
};

export const finish = () => inTurn(settle);

// Has Python do something, after showing the consequences of a change; a played hand gets its card. Returns the reason if refused.
async function does(question, kind) {
  const answer = await ask(question);
  if (answer.error) return answer.error;
  if (answer.editing) {
    const title = evening.entry?.title ?? "";
    propose(answer, fill(words.changed, { title }), (one) => one !== "no" && inTurn(() => does({ ...question, answer: one }, "mended")));
    return "";
  }
  const what = kind === "mended" ? evening.entry?.title : answer.card?.title || words.happened[question.word];
  change([kind, what ?? answer.entries.at(-1)?.title ?? ""], answer.text, answer);
  showPlayed(answer.card);
  return "";
}

// The card of the hand or event just played.
function showPlayed(card) {
  if (!card) return;
  const undoing = [words.undo, undo];
  showCard(card, card.mark ? [undoing, [words.mend, () => inTurn(() => mend(card.mark))], [words.on, null, true]] : [undoing, [words.on, null, true]]);
}

// An entry as it was played, to be viewed or edited.
export const openEntry = (which, lines = []) => inTurn(async () => {
  const entry = await ask({ ask: "entry", ...here(), mark: which });
  if (entry.error) return say("error", entry.error);
  const shown = lines.map((line) => element("code", {}, line));
  return showCard(entry.card ?? { title: entry.title }, [[words.mend, () => inTurn(() => mend(which))], [words.back_to, null, true]], [element("div", { class: "lines" }, ...shown)]);
});

// A hand is edited on the keyboard, anything else in its form.
async function mend(which) {
  const { taps, seat, aside } = current();
  const entry = await ask({ ask: "entry", ...here(), mark: which });
  if (entry.error) return say("error", entry.error);
  evening.entry = entry;
  if (entry.kind !== "hand") return openForms(await ask({ ask: "forms", ...here(), mark: which }), happens(which));
  evening.scores = {};
  const fields = { mark: which, aside: aside ?? { taps, seat }, taps: entry.taps, seat: entry.seats[0].wind };
  store.done("evening", ["mend", entry.title], patch(fields));
  return draw();
}

// Leaves the edited hand as it was.
export const leave = () => inTurn(() => {
  hideCard();
  store.done("evening", ["leave", evening.entry?.title ?? ""], patch({ ...current().aside, ...AS_USUAL }));
  Object.assign(evening, { entry: null, scores: {} });
  draw();
});

const happens = (which) => (word, filled) => inTurn(() => does({ ask: "happened", ...here(), mark: which, word, filled }, "happened"));

// Something happened other than a won hand.
export async function happened() {
  const forms = await ask({ ask: "forms", ...here() });
  if (forms.error) return say("error", forms.error);
  evening.entry = null;
  return openForms(forms, happens(""));
}

export function sit(wind) {
  hideCard();
  if (store.isWriter) store.moved(patch({ seat: wind }));
  draw();
}

// Takes a line as in play; returns whether it was accepted. A bare number is the score of the current seat.
export const typed = (line) => inTurn(() => take(line));

async function take(line) {
  if (/^\d+$/.test(line.trim()) && current().seat) {
    keepTaps(["number", line.trim()], [`number ${line.trim()}`]);
    draw();
    return true;
  }
  // a line typed while an earlier hand is edited belongs to that hand
  const lines = [...(evening.lines.length || !mark() ? evening.lines : [`edit ${mark()}`]), line];
  const answer = await ask({ ask: "type", ...here(), lines });
  if (answer.error) {
    say("error", answer.error);
    return false;
  }
  evening.lines = answer.editing ? lines : [];
  if (answer.answers.length) {
    propose(answer, fill(words.changed, { title: lines[0] }), typed);
    return true;
  }
  if (answer.text === current().text) {
    see(answer);
    drawAsked(answer);
  } else {
    change(["line", lines.findLast((one) => !words.answers[one])], answer.text, answer);
    if (answer.card) showPlayed(answer.card);
    else drawAsked(answer);
  }
  return true;
}

// What is shown about a line while it is typed.
export async function typing(line) {
  const { lines } = line.trim() ? await ask({ ask: "live", ...here(), lines: evening.lines, line }) : {};
  if (find('[data-type="line"]').value !== line) return;
  const drawn = (lines ?? []).map(([kind, told]) => element("div", { class: kind }, kind === "fault" ? `✗ ${told}` : told));
  show("live").replaceChildren(...drawn);
}

// The answer to a line that changes nothing, or an edit that waits for its lines.
function drawAsked({ said, editing }) {
  const place = show("asked");
  place.hidden = !said;
  const drop = element("button", { type: "button", onclick: () => typed("drop") }, words.answers.no);
  place.replaceChildren(element("div", { class: "told" }, said ?? ""), element("div", { class: "keys" }, editing ? drop : ""));
}

// ---- drawing

export function draw() {
  const { view, entry } = evening;
  say("mending", mark() ? fill(words.mending, { title: entry?.title ?? mark() }) : "");
  if (view === null) {
    for (const name of ["under-way", "totals", "played", "other_rules"]) say(name, "");
    for (const name of ["seats", "entries", "table"]) show(name).replaceChildren();
    show("asked").hidden = true;
    return changed();
  }
  say("under-way", fill(words.under_way, mark() && entry ? { round: entry.round, hand: mark() } : view) + (view.sits_out ? ` · ${fill(words.sits_out, { name: view.sits_out })}` : ""));
  show("totals").replaceChildren(
    ...view.totals.map(([name, points]) => element("span", { class: "total" }, `${name} `, element("b", {}, points), " ")),
  );
  say("other_rules", view.other_rules ?? "");
  drawPlayed(view);
  replace(show("seats"), ...seats().map(drawSeat));
  replace(show("entries"), ...view.entries.map(drawEntry).reverse());
  show("asked").hidden = true;
  drawTable(view);
  return changed();
}

// If the hand is empty: the last entry in short; touching it shows its card.
function drawPlayed({ entries }) {
  const one = entries.findLast(({ nets }) => nets.length);
  show("played").replaceChildren(one ? drawEntryKey(one) : "");
}

const drawEntryKey = ({ mark: which, title, nets, lines }) =>
  element(
    "button",
    { type: "button", class: "entry", onclick: () => openEntry(which, lines) },
    element("b", {}, title),
    " ",
    ...nets.map(([name, points]) => element("span", { class: "total" }, `${name} `, element("b", {}, points), " ")),
  );

const drawEntry = (entry) => element("li", {}, drawEntryKey(entry));

function drawSeat({ wind, title, name, given }) {
  const taps = current().taps[wind] ?? [];
  const entered = taps.length ? (evening.scores[wind] ?? (mark() && given ? given : "…")) : given;
  return element(
    "button",
    { type: "button", class: `seat ${wind}`, "aria-pressed": String(wind === current().seat), onclick: () => sit(wind) },
    element("span", { class: "wind" }, title),
    element("b", {}, name),
    element("span", { class: "given" }, entered === "" ? "–" : String(entered)),
  );
}

// To put in the middle of the table: who sits where, with wind and total, each facing its own side or all one way.
function drawTable({ round, hand, seats: sitting, totals }) {
  const points = Object.fromEntries(totals);
  const one = store.setting("table", "each") === "one";
  const side = ({ wind, title, name }) =>
    element("div", { class: `side ${wind}` }, element("span", {}, title), element("b", {}, name), element("strong", { class: (points[name] ?? "").startsWith("−") ? "less" : null }, points[name] ?? ""));
  const turn = () => {
    store.set("table", one ? "each" : "one");
    drawTable(evening.view);
  };
  const middle = element("div", { class: "round" }, fill(words.under_way, { round, hand }), element("button", { type: "button", onclick: turn }, one ? words.each_way : words.one_way));
  show("table").classList.toggle("one-way", one);
  replace(show("table"), ...sitting.map(side), middle);
}

// ---- the screen stays on while an evening is shown

export async function stayAwake() {
  const isChosen = store.setting("awake", true);
  const key = find('[data-do="awake"]');
  pressed(key, isChosen);
  key.hidden = !navigator.wakeLock;
  const wanted = isChosen && underWay() && document.visibilityState === "visible" && !document.body.classList.contains("hand");
  if (wanted && wake === null && navigator.wakeLock) {
    try {
      wake = await navigator.wakeLock.request("screen");
      wake.addEventListener("release", () => (wake = null));
    } catch {
      wake = null; // refused when the battery is low
    }
  } else if (!wanted && wake !== null) {
    await wake.release();
  }
}
