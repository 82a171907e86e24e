// Using a keyboard: each row of buttons is one stop of the Tab key, with arrows inside; typed letters are tiles.
import { find } from "./draw.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const NAMED = { Backspace: '[data-key="back"]', Enter: '[data-key="next"]', "+": '[data-win="drawn"]', "<": '[data-win="claimed"]', p: '[data-set="pung"]', k: '[data-set="kong"]', o: '[data-set="chow"]' };
let begun = ""; // the beginning of a tile's name

const groups = () => [...document.querySelectorAll('[role="toolbar"]')].filter((one) => one.checkVisibility());
const buttonsOf = (group) => [...group.querySelectorAll("button, a")].filter((one) => !one.disabled && one.checkVisibility());

// One button of each row is a stop: the one that has or had the focus, or else the first.
function mark() {
  for (const group of groups()) {
    const all = buttonsOf(group);
    const stop = all.find((one) => one === document.activeElement) ?? all.find((one) => one.tabIndex === 0 && one.hasAttribute("tabindex")) ?? all[0];
    for (const one of all) one.tabIndex = one === stop ? 0 : -1;
  }
}

// The button that an arrow leads to: the next in the row, or the nearest above or below.
function neighbour(button, group, [right, down]) {
  const all = buttonsOf(group);
  if (right) return all[all.indexOf(button) + right];
  const here = button.getBoundingClientRect();
  const beyond = (one) => (one.getBoundingClientRect().top - here.top) * down > here.height / 2;
  const far = (one) => {
    const there = one.getBoundingClientRect();
    return Math.abs(there.top - here.top) * 1000 + Math.abs(there.left + there.width / 2 - here.left - here.width / 2);
  };
  return all.filter(beyond).toSorted((one, other) => far(one) - far(other))[0];
}

// A tile by the beginning of its name, once that is unique: 5c, E, Wd.
function typed(key) {
  const names = [...document.querySelectorAll("[data-tile]")].map((one) => one.dataset.tile);
  const fitting = (text) => names.filter((name) => name.toLowerCase().startsWith(text.toLowerCase()));
  begun = fitting(begun + key).length ? begun + key : fitting(key).length ? key : "";
  const [name, ...more] = fitting(begun);
  if (!begun || more.length) return begun !== "";
  begun = "";
  find(`[data-tile="${name}"]`).click();
  return true;
}

export function startKeys() {
  addEventListener("focusin", mark);
  addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || target.matches("input, select, textarea") || find("dialog").open) return;
    const group = target.closest('[role="toolbar"]');
    if (key in STEPS) {
      const next = group && neighbour(target, group, STEPS[key]);
      if (group) event.preventDefault();
      return next?.focus();
    }
    if (!find("[data-tile]").checkVisibility() || (key === "Enter" && target.matches("button, a, summary"))) return;
    const named = NAMED[key] && !begun ? find(NAMED[key]) : null;
    if (named?.checkVisibility()) named.click();
    else if (key.length > 1 || !typed(key)) return;
    event.preventDefault();
  });
  new MutationObserver(mark).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["class", "hidden", "disabled"] });
  mark();
}
