// The drill: questions about hands, answered with number keys. The bridge asks the questions and knows the answers.
import { element, face, fill, find, replace, show } from "./draw.js";
import { ask } from "./python.js";

let words = {};
let chosen = () => ({}); // returns the rulebook chosen on the page
let drill = null; // the seed, the number of the question, how many answers were right, the answer

// Receives the words of the page, and the function that returns the rulebook.
export function startDrill(given, rulebook) {
  words = given;
  chosen = rulebook;
  find('[data-choose="rulebook"]').addEventListener("change", () => {
    drill = null;
    if (document.body.classList.contains("drill")) drawDrill();
  });
}

const guess = () => find('[data-type="guess"]');

function type(digit) {
  if (!guess().readOnly) guess().value += digit;
}

// Shows the question and, after an answer or none, the right answer and why.
export async function drawDrill() {
  drill ??= { seed: Math.floor(Math.random() * 1e9), number: 0, right: 0, guess: null };
  const asking = drill;
  const { rulebook, options } = chosen();
  const said = await ask({ ask: "drill", rulebook, options, seed: asking.seed, number: asking.number, right: asking.right, guess: asking.guess ?? "" });
  if (drill !== asking) return;
  if (said.error) return show("drill").replaceChildren(element("p", { class: "refused" }, said.error));
  const isAnswered = asking.guess !== null;
  const tiles = ([place, faces]) => element("span", { class: `part ${place === "drawn" || place === "claimed" ? "won" : place}` }, ...faces.map((tile) => face(tile, tile === "None")));
  const digits = [..."123456789"].map((digit) => element("button", { type: "button", "data-digit": digit, onclick: () => type(digit) }, digit));
  const back = element("button", { type: "button", "data-key": "back", "aria-label": words.back_spoken, onclick: () => (guess().value = guess().value.slice(0, -1)) }, words.back);
  const zero = element("button", { type: "button", "data-digit": "0", onclick: () => type("0") }, "0");
  const next = element("button", { type: "button", class: "strong", "data-key": "next", onclick: () => step(said) }, isAnswered ? words.next : words.drill_answer);
  const field = element("input", { "data-type": "guess", inputmode: "none", autocomplete: "off", "aria-label": words.drill_answer, readonly: isAnswered, value: asking.guess ?? "" });
  field.addEventListener("keydown", ({ key }) => key === "Enter" && step(said));
  const how = said.right ? "right" : asking.guess === "" ? "skipped" : said.slips.length ? "nearly" : "wrong";
  replace(
    show("drill"),
    element("h1", {}, `${asking.number + 1}  ${said.head}`),
    element("div", { class: "tiles waiting", role: "img", "aria-label": said.read }, ...said.parts.map(tiles)),
    element("p", { "data-show": "question" }, said.question),
    element("div", { class: "answer" }, field, next),
    element("div", { class: "keys digits", role: "group", "aria-label": words.drill_answer, hidden: isAnswered }, ...digits, back, zero),
    element("p", { "data-show": "answer", role: "status" }, isAnswered ? fill(words.drill_says[how], said) : ""),
    element("ul", { hidden: !isAnswered }, ...said.slips.map((slip) => element("li", {}, slip))),
    element("pre", { hidden: !isAnswered }, said.sheet),
  );
  guess().focus({ preventScroll: true });
}

function step(said) {
  if (drill.guess === null) drill = { ...drill, guess: guess().value };
  else drill = { ...drill, number: drill.number + 1, right: drill.right + said.right, guess: null };
  return drawDrill();
}
