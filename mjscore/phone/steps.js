// Actions as pure functions from an old state to a new one: one undo for everything, in order.
//
// A state is {things, at, past, future, number}. *things* are the lone hand, by the name "hand", and the evenings: their text,
// the taps of each seat, whose turn it is. *at* is the open evening. A step keeps the old values of the fields that it
// changed. The lone hand and the evenings each have an order of their own, so that undo affects what is being shown.
const STEPS = 500;
const LETTERS = 2_000_000; // in all texts kept by steps

export const EMPTY = { things: {}, at: "", past: [], future: [], number: 0 };

const alike = (one, other) => JSON.stringify(one || null) === JSON.stringify(other || null);
const lettersOf = ({ before }) => Object.values(before.things).reduce((sum, thing) => sum + (thing?.text?.length ?? 0), 0);

// The state with some fields of things changed (null: without the thing), and the patch that restores the old ones.
export function put(state, { at, things = {} }) {
  const before = { things: {}, ...(at === undefined ? {} : { at: state.at }) };
  const after = { ...state.things };
  for (const [id, fields] of Object.entries(things)) {
    const was = state.things[id];
    before.things[id] = !was ? null : fields === null ? was : Object.fromEntries(Object.keys(fields).map((name) => [name, was[name]]));
    if (fields === null) delete after[id];
    else after[id] = { ...was, ...fields };
  }
  return [{ ...state, at: at ?? state.at, things: after }, before];
}

// The state after an action; *told* names it, in the words of the page, and *on* says where: "hand" or "evening".
export function act(state, on, told, patch) {
  const [after, before] = put(state, patch);
  const number = state.number + 1;
  let past = [...state.past, { number, on, told, before }].slice(-STEPS);
  let room = LETTERS;
  const last = past.findLastIndex((step) => (room -= lettersOf(step)) < 0);
  if (last >= 0) past = past.slice(last + 1);
  return { ...after, past, future: state.future.filter((step) => step.on !== on), number };
}

function back(state, on, from, to) {
  const step = state[from].findLast((one) => one.on === on);
  if (!step) return [state, null];
  const [after, before] = put(state, step.before);
  return [{ ...after, [from]: state[from].filter((one) => one !== step), [to]: [...state[to], { ...step, before }] }, step];
}

// The state with the last step undone, or redone, and that step; null if there is none.
export const undone = (state, on) => back(state, on, "past", "future");
export const redone = (state, on) => back(state, on, "future", "past");
export const lastStep = (state, on) => state.past.findLast((step) => step.on === on);
export const nextStep = (state, on) => state.future.findLast((step) => step.on === on);

// The state with fields corrected, as a part of the last step.
export function corrected(state, on, patch) {
  const [after] = put(state, patch);
  const step = lastStep(after, on);
  const isUndone = step && JSON.stringify(put(after, step.before)[0].things) === JSON.stringify(after.things);
  return isUndone ? { ...after, past: after.past.filter((one) => one !== step) } : after;
}

// The state with the open evening from a later save in the other place; what that save did is one step.
export function overlaid(state, { at = "", text, ...tapped }) {
  const was = state.things[at];
  const isSame = !at || (was?.text === text && ["taps", "mark", "aside"].every((name) => alike(was[name], tapped[name])));
  const patch = { at, things: at ? { [at]: isSame ? tapped : { text, ...tapped } } : {} };
  return isSame ? put(state, patch)[0] : act(state, "evening", ["earlier"], patch);
}

// The state with an evening from elsewhere added, unless it is there already.
export function found(state, text, id) {
  const same = Object.keys(state.things).find((one) => state.things[one].text === text);
  if (same !== undefined && same === state.at) return state;
  const patch = same === undefined ? { at: id, things: { [id]: { text, taps: {}, seat: "E" } } } : { at: same };
  return act(state, "evening", ["found"], patch);
}

// The state saved by version 1.0: an evening's text, and the texts before and after it with their
// taps. There, an empty text meant that an evening was put away: here it is kept.
export function fromTexts(state, text, { text: stepped, past, future }, draft) {
  const isWhole = stepped === text; // otherwise the page was stopped between two writes
  const now = { text, ...(draft?.text === text ? draft : { taps: {}, seat: "E" }) };
  const behind = isWhole ? future.toReversed() : [];
  const all = [...past, ...(isWhole || !stepped ? [] : [{ text: stepped }]), now, ...behind];
  let after = state;
  let id = "";
  for (const [number, { text: there, taps = {}, seat = "E" }] of all.entries()) {
    if (there && !id) id = `old ${number}`;
    else if (!there) id = "";
    const patch = { at: id, things: id ? { [id]: { text: there, taps, seat } } : {} };
    after = number ? act(after, "evening", ["earlier"], patch) : put(after, patch)[0];
  }
  for (const _ of behind) [after] = undone(after, "evening");
  return after;
}
