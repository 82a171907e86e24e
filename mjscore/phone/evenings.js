// The list of evenings: opened, named anew, shared, deleted; an evening that begins, or comes as a file, is one more.
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

// An evening that was opened as a file.
export function add(view, name) {
  const { text } = view;
  const same = evenings().find(([, thing]) => thing.text === text);
  if (same === undefined) change(["open", name], text, view, fresh());
  else if (same[0] !== store.state.at) turnTo(["open", name], same[0]);
}

const evenings = () => Object.entries(store.state.things).filter(([, { text }]) => text);

// *give* shares a file, *drawn* is called when the list is there anew.
export function drawEvenings(words, give, drawn) {
  const dated = ([id, { told }]) => `${told?.date ?? ""} ${id}`;
  const rows = evenings().sort((one, other) => (dated(one) < dated(other) ? 1 : -1));
  const redraw = () => drawEvenings(words, give, drawn);
  show("evenings").replaceChildren(...rows.map((row) => drawRow(row, words, give, redraw)));
  if (!rows.length) show("evenings").append(element("li", {}, words.no_evenings));
  for (const [id, thing] of rows) if (!thing.told && store.isWriter) tell(id, thing, redraw);
  drawn();
}

// What the list shows of an evening that was not looked at on this phone.
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
