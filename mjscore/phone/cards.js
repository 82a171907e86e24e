// Longer messages: the card after a hand, the consequences of a change, a score's sheet, forms of buttons.
import { element, fill, find, show } from "./draw.js";

let words;
let before = null; // where the focus was before a card appeared

export const giveWords = (given) => (words = given);

const button = (text, act, more = {}) => element("button", { type: "button", onclick: act, ...more }, text);

// ---- the card: it covers the hand, as tall as the screen; touching the hand's keys closes it

export function hideCard() {
  const card = show("card");
  if (card.hidden) return;
  card.hidden = true;
  card.replaceChildren();
  if (before?.isConnected && document.activeElement === document.body) before.focus({ preventScroll: true });
  before = null;
}

// *actions* are rows of a word, its function, and whether it is the usual choice; each of them closes the card.
export function showCard(card, actions, more = []) {
  const done = (act) => () => {
    hideCard();
    act?.();
  };
  const keys = actions.map(([text, act, strong]) => button(text, done(act), { class: strong ? "strong" : null }));
  const place = show("card");
  if (show("dialog").open) closeDialog();
  before ??= document.activeElement;
  place.replaceChildren(element("h1", {}, card.title), element("div", { class: "middle" }, ...parts(card), ...more), element("div", { class: "keys" }, ...keys));
  place.hidden = false;
  scrollTo(0, 0);
  (keys.find((key) => key.className) ?? place).focus({ preventScroll: true });
}

function parts({ rows = [], paid = [], counters = [], remarks = [], told = "" }) {
  const list = (lines, kind) => (lines.length ? element("ul", { class: kind }, ...lines.map((line) => element("li", {}, line))) : "");
  return [
    rows.length ? element("div", { class: "players-of-card" }, ...rows.map(drawRow)) : "",
    list(paid.map(([payer, payee, points]) => element("span", {}, `${fill(words.pays, { payer, payee })} `, element("b", {}, String(points)))), "paid"),
    list(counters, "counters"),
    list(remarks, "remarks"),
    element("p", { class: "told" }, told),
  ];
}

// A player with score, net and total; touching a counted score shows its sheet.
function drawRow({ wind, name, score, net, total, sheet }) {
  const figure = score === null || score === undefined ? "" : String(score);
  const scored = sheet.length ? button(figure, () => openDialog(`${name}: ${score}`, drawSheet(sheet)), { "aria-label": `${name}, ${words.score} ${score}: ${words.sheet}` }) : element("span", {}, figure);
  return element("div", {}, element("small", {}, wind), element("b", {}, name), scored, element("span", { class: net.startsWith("−") ? "less" : "more-points" }, net), element("b", { class: "total-of-card" }, total));
}

// The consequences of a change, with the possible answers.
export function propose({ said, answers }, title, answer) {
  showCard(
    { title, told: said },
    answers.map((one, number) => [words.answers[one], () => answer(one), number === 0]),
  );
}

// ---- the dialog: it covers the page until it is closed

export function openDialog(title, ...children) {
  const dialog = show("dialog");
  find("#dialog-title").textContent = title;
  dialog.lastElementChild.replaceChildren(...children);
  if (!dialog.open) dialog.showModal();
  dialog.lastElementChild.scrollTop = 0;
}

export const closeDialog = () => show("dialog").close();

export function drawSheet(rows) {
  const lines = rows.map(([title, figure, source, kind]) =>
    element("tr", { class: kind }, element("td", {}, title, element("small", {}, source)), element("td", { class: "n" }, figure)),
  );
  return element("table", { class: "sheet" }, element("tbody", {}, ...lines));
}

// The tiles that a hand waits for, each with its score.
export function drawWaits(waits) {
  const worth = (score) => (score === null ? words.no_win : score);
  const shown = waits.map(({ tile, drawn, claimed }) =>
    element("li", {}, fill(words.wait, { tile: find(`[data-tile="${tile}"]`).ariaLabel, drawn: worth(drawn), claimed: worth(claimed) }), " ", element("small", {}, tile)),
  );
  return shown.length ? [element("h3", {}, words.waits), element("ul", {}, ...shown)] : [];
}

// ---- forms for other events. *take* does what a filled form asks, and returns the reason if it cannot.

export function openForms({ word, filled, forms }, take) {
  const nameOf = (form) => form.title || words.happened[form.word] || form.word;
  const open = (form, there = {}) => (form.fields.length ? openForm(form, nameOf(form), there, take) : submit(form.word, {}, take));
  if (word && forms.length === 1) return open(forms[0], filled);
  const fits = (form) => (form.word === word ? filled : {});
  return openDialog(words.events, element("div", { class: "choices" }, ...forms.map((form) => button(nameOf(form), () => open(form, fits(form))))), element("p", { class: "refused", role: "alert" }));
}

async function submit(word, filled, take) {
  const refused = await take(word, filled);
  if (!refused) return closeDialog();
  const place = find("dialog .refused");
  place.textContent = refused;
  return place.scrollIntoView({ block: "nearest" });
}

function openForm({ word, fields }, title, filled, take) {
  const form = element("form", { class: "form" }, ...fields.map((field) => drawField(field, filled[field.name] ?? [])));
  form.append(element("p", { class: "refused", role: "alert" }), element("button", { class: "strong" }, words.take));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const data = new FormData(form);
    submit(word, Object.fromEntries(fields.map(({ name }) => [name, data.getAll(name)])), take);
  });
  openDialog(title, form);
  form.querySelector("input").focus();
}

function drawField({ name, kind, choices }, filled) {
  const type = kind === "some" ? "checkbox" : "radio";
  const legend = element("legend", {}, words.fields[name]);
  if (kind === "one" || kind === "some") {
    const keys = choices.map(([value, label]) => element("label", { class: "choice" }, element("input", { type, name, value, required: kind === "one", checked: filled.includes(value) }), element("span", {}, label || words.nobody)));
    return element("fieldset", {}, legend, element("div", { class: "choices" }, ...keys));
  }
  const field = element("input", { name, value: filled[0] ?? "", maxlength: 80, autocomplete: "off", inputmode: kind === "number" ? "numeric" : null, "aria-label": words.fields[name], required: kind === "number" });
  const known = choices.map(([value, label]) => button(label || words.nobody, () => (field.value = value)));
  return element("fieldset", {}, legend, field, element("div", { class: "choices" }, ...known));
}
