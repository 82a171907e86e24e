// The list of evenings: opening, renaming, sharing, deleting; a new evening, or one from a file, is added.
import { showCard } from "./cards.js";
import { element, fill, say, show } from "./draw.js";
import { change, current, look, tellingOf, turnTo } from "./evening.js";
import { ask } from "./python.js";
import * as store from "./store.js";

const fresh = () => `e${Date.now()}`;
export const nameOf = ({ title, date } = {}, words = {}) => title || date || words.unnamed;
export const fileOf = ({ text, carried = "", told }) => new File([text, carried && !text.endsWith("\n") ? "\n" : "", carried], `mjscore-${told?.date || "evening"}.mj`, { type: "text/plain" });

export function begun(answer) {
  change(["begin"], answer.text, answer, fresh());
}

// An evening opened from a file is added, unless it is there already. If it is a copy of another, say which is newer.
export async function add(view, name, words) {
  const { text, carried, date } = view;
  const same = evenings().find(([, thing]) => thing.text === text);
  if (same !== undefined) return same[0] === store.state.at ? undefined : turnTo(["open", name], same[0]);
  const kept = Object.fromEntries(evenings().filter(([, { told }]) => !told || told.date === date).map(([id, thing]) => [id, { text: thing.text, carried: thing.carried }]));
  const copy = await ask({ ask: "copies", text, carried, kept });
  change(["open", name], text, view, fresh());
  if (location.hash !== "#evening") {
    location.hash = "#evening";
    await new Promise((shown) => addEventListener("hashchange", shown, { once: true }));
  }
  return copy.name && showCopies(copy, words);
}

function showCopies({ name, newer, sides: [mine, theirs] }, words) {
  const opened = store.state.at;
  const column = ({ hands, totals, since }, title) =>
    element("div", {}, element("h3", {}, title), element("p", {}, fill(words.hands, { hands })), ...since.map((line) => element("p", {}, line)), ...totals.map(([player, points]) => element("p", {}, `${player} `, element("b", {}, points))));
  const sides = element("div", { class: "copies" }, column(mine, words.this_copy), column(theirs, words.kept_copy));
  const drop = (id, then) => turnTo(["delete", words.older], then, { [id]: null });
  const actions = { this: [[words.drop_older, () => drop(name, opened)]], other: [[words.take_newer, () => drop(opened, name)]] }[newer] ?? [];
  showCard({ title: words.copies[newer || "apart"] }, [...actions, [words.keep_both, null, true]], [sides]);
}

const evenings = () => Object.entries(store.state.things).filter(([, { text }]) => text);

// *give* shares a file, *drawn* is called after the list was drawn.
export function drawEvenings(words, give, drawn) {
  const dated = ([id, { told }]) => `${told?.date ?? ""} ${id}`;
  const rows = evenings().sort((one, other) => (dated(one) < dated(other) ? 1 : -1));
  const redraw = () => drawEvenings(words, give, drawn);
  show("evenings").replaceChildren(...rows.map((row) => drawRow(row, words, give, redraw)));
  if (!rows.length) show("evenings").append(element("li", {}, words.no_evenings));
  for (const [id, thing] of rows) if (!thing.told && store.isWriter) tell(id, thing, redraw);
  drawn();
}

// What the list shows about an evening not yet opened on this phone.
async function tell(id, { text, carried }, redraw) {
  const view = await ask({ ask: "evening", text, carried });
  if (store.state.things[id]?.text !== text) return;
  store.moved({ things: { [id]: { told: view.error ? { title: view.error, totals: [] } : tellingOf(view) } } });
  redraw();
}

function drawRow([id, thing], words, give, redraw) {
  const { told } = thing;
  const name = nameOf(told, words);
  const button = (word, act) => element("button", { type: "button", "aria-label": `${words[word]}: ${name}`, onclick: act }, words[word]);
  const open = () => {
    if (id !== store.state.at) turnTo(["switch", name], id);
    location.hash = "#evening";
  };
  const remove = () => {
    if (id === store.state.at) turnTo(["delete", name], "", { [id]: null });
    else store.done("evening", ["delete", name], { things: { [id]: null } });
    redraw();
  };
  const row = element(
    "li",
    { "aria-current": id === store.state.at ? "true" : null },
    element("b", {}, name),
    element("small", {}, told?.title && told.date ? ` ${told.date}` : ""),
    element("p", {}, ...(told?.totals ?? []).map(([player, points]) => element("span", { class: "total" }, `${player} `, element("b", {}, points), " "))),
    element("div", { class: "keys" }, button("open_it", open), button("rename", () => rename(row, id, words, redraw)), button("share_it", () => give(fileOf(thing))), button("delete", remove)),
  );
  if (!store.isWriter) for (const one of row.querySelectorAll("button")) one.disabled = one.textContent !== words.share_it;
  return row;
}

function rename(row, id, words, redraw) {
  const { text, carried, told } = store.state.things[id];
  const field = element("input", { value: told?.title ?? "", maxlength: 60, "aria-label": words.name, placeholder: words.name });
  const take = async () => {
    const answer = await ask({ ask: "rename", text, carried, title: field.value });
    if (answer.error) return say("news", answer.error);
    if (store.state.things[id]?.text === text && answer.text !== text) {
      store.done("evening", ["rename", nameOf(told, words)], { things: { [id]: { text: answer.text, told: tellingOf(answer) } } });
      if (text !== current().text) look();
    }
    return redraw();
  };
  field.addEventListener("keydown", ({ key }) => key === "Enter" && take());
  row.replaceChildren(field, element("div", { class: "keys" }, element("button", { type: "button", class: "strong", onclick: take }, words.take_name), element("button", { type: "button", onclick: redraw }, words.answers.no)));
  field.focus();
}
