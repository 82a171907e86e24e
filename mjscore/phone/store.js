// What is saved on the phone: each evening as its .mj text with the taps, the lone hand, the steps to undo, settings.
// All of it is in IndexedDB, which reports when it is on disk; the open evening, the lone hand and the
// settings are also written to localStorage, immediately. Both number the saves: when the page opens, the later one is used.
import * as steps from "./steps.js";

const SETTINGS = ["view", "rulebooks", "titles", "table", "awake", "language"];
export let state = steps.EMPTY;
export let isWriter = false;
let settings = {};
let turn = 0;
let base = null;
let kept = steps.EMPTY; // what was last given to IndexedDB
let pending = new Map();
let isWriting = false;
let isHere = true;
let onTrouble = () => {};

// *tell* is called after every save: "full" if something was not saved, "short" if one of the two places lacks it.
export function whenTrouble(tell) {
  onTrouble = tell;
}

export const setting = (name, otherwise) => settings[name] ?? otherwise;

export function set(name, value) {
  settings = { ...settings, [name]: value };
  save({ [name]: value });
}

// Actions can be undone; mere moves (whose hand is shown, the view of a text) cannot.
export function done(on, told, patch) {
  state = steps.act(state, on, told, patch);
  save();
}

export function moved(patch) {
  [state] = steps.put(state, patch);
  save();
}

// Corrects the taps; a step without effect is dropped.
export function corrected(on, patch) {
  state = steps.corrected(state, on, patch);
  save();
}

export function undo(on, back = steps.undone) {
  const [after, step] = back(state, on);
  state = after;
  if (step) save();
  return step;
}

export const redo = (on) => undo(on, steps.redone);
export const lastStep = (on) => steps.lastStep(state, on);
export const nextStep = (on) => steps.nextStep(state, on);

// ---- the two places

const settled = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

async function opened() {
  const request = indexedDB.open("mjscore", 1);
  request.onupgradeneeded = () => request.result.createObjectStore("kept");
  return settled(request);
}

async function fromBase() {
  const found = { state: { ...steps.EMPTY, things: {}, past: [], future: [] }, settings: {}, turn: 0 };
  try {
    base ??= await opened();
    const store = base.transaction("kept").objectStore("kept");
    const [keys, values] = await Promise.all([settled(store.getAllKeys()), settled(store.getAll())]);
    for (const [place, [kind, name]] of keys.entries()) {
      const value = values[place];
      if (kind === "step") found.state[value.side].push(value.step);
      else if (kind === "thing") found.state.things[name] = value;
      else if (kind === "setting") found.settings[name] = value;
      else [found.turn, found.state.at, found.state.number] = [value.turn, value.at, value.number];
    }
    found.state.future.reverse(); // they are sorted by number: the last one undone is redone first
  } catch {
    // a browser without this storage
  }
  return found;
}

export function fromLocal(name, otherwise = null, read = JSON.parse) {
  try {
    return read(localStorage.getItem(`mjscore.${name}`)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

// Continues from the last save.
export async function load() {
  const { hand: mine } = state.things; // this page keeps its lone hand
  const found = await fromBase();
  const here = fromLocal("turn", 0);
  const text = fromLocal("evening", "", String).replace(/^null$/, "");
  const draft = fromLocal("draft");
  const older = fromLocal("steps"); // saved by a page without IndexedDB
  ({ state, settings } = found);
  kept = state;
  if (here > found.turn || !here) {
    for (const name of SETTINGS) settings = { ...settings, [name]: fromLocal(name, settings[name]) };
    const hand = fromLocal("hand");
    if (hand?.taps) [state] = steps.put(state, { things: { hand } });
  }
  if (mine) [state] = steps.put(state, { things: { hand: mine } });
  if (here > found.turn && draft !== null) state = steps.overlaid(state, draft);
  if (older !== null && !here && !found.turn) state = steps.fromTexts(state, text, older, draft);
  else if (text && text !== draft?.text) state = steps.found(state, text, `e${Date.now()}`);
  turn = Math.max(here, found.turn);
  if (isWriter) save(settings); // now it is in both places
}

// Saves what has changed since the last time.
function save(changed = {}) {
  if (!isWriter) return;
  turn += 1;
  for (const [id, thing] of Object.entries({ ...kept.things, ...state.things })) {
    if (state.things[id] !== kept.things[id]) pending.set(`thing ${id}`, state.things[id] && thing);
  }
  const sides = ({ past, future }) => new Map([...past.map((step) => [step, "past"]), ...future.map((step) => [step, "future"])]);
  const [before, after] = [sides(kept), sides(state)];
  for (const step of before.keys()) if (!after.has(step)) pending.set(`step ${step.number}`, undefined);
  for (const [step, side] of after) if (before.get(step) !== side) pending.set(`step ${step.number}`, { side, step });
  for (const [name, value] of Object.entries(changed)) pending.set(`setting ${name}`, value);
  pending.set("head", { at: state.at, number: state.number, turn });
  kept = state;
  isHere = toLocal(changed);
  if (!isWriting) toBase();
}

function toLocal(changed) {
  const { text = "", taps = {}, seat = "", mark = "", aside = null, carried = "" } = state.things[state.at] ?? {};
  const values = { ...changed, hand: state.things.hand ?? null, draft: { at: state.at, text, taps, seat, mark, aside, carried } };
  try {
    for (const [name, value] of Object.entries(values)) localStorage.setItem(`mjscore.${name}`, JSON.stringify(value));
    if (text) localStorage.setItem("mjscore.evening", text);
    else localStorage.removeItem("mjscore.evening");
    localStorage.setItem("mjscore.turn", turn);
    return true;
  } catch {
    return false;
  }
}

// Runs one transaction after another until everything is written; what failed is tried again with the next.
async function toBase() {
  isWriting = true;
  let isKept = true;
  while (pending.size && isKept) {
    const batch = pending;
    pending = new Map();
    try {
      const transaction = base.transaction("kept", "readwrite", { durability: "strict" });
      const store = transaction.objectStore("kept");
      for (const [key, value] of batch) {
        const [kind, name = ""] = key.split(/ (.*)/);
        const path = [kind, kind === "step" ? Number(name) : name];
        if (value === undefined) store.delete(path);
        else store.put(value, path);
      }
      await new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error);
      });
      if (isHere) localStorage.removeItem("mjscore.steps");
    } catch {
      pending = new Map([...batch, ...pending]);
      isKept = false;
    }
  }
  isWriting = false;
  onTrouble(isKept ? (isHere ? "" : "short") : "full");
}

// Only one tab writes; *taken* is called when this one may, *waits* if another one does.
export async function becomeWriter(taken, waits) {
  const write = async () => {
    isWriter = true;
    await load();
    taken();
  };
  if (!navigator.locks) return write();
  const hold = () => new Promise(() => {});
  const free = await new Promise((resolve) => {
    navigator.locks.request("mjscore.evening", { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock === null ? undefined : hold();
    });
  });
  if (free) return write();
  waits();
  return navigator.locks.request("mjscore.evening", () => {
    write();
    return hold();
  });
}
