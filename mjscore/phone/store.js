// What is kept on the phone: the evening's text as a .mj file, the steps to undo, what was tapped and not yet taken.
const STEPS = 60;
let onFull = () => {};

export function whenFull(tell) {
  onFull = tell;
}

export function read(name, otherwise) {
  try {
    const kept = localStorage.getItem(`mjscore.${name}`);
    return kept === null ? otherwise : JSON.parse(kept);
  } catch {
    return otherwise;
  }
}

export function write(name, value) {
  return put(`mjscore.${name}`, JSON.stringify(value));
}

function put(key, text) {
  try {
    localStorage.setItem(key, text);
    return true;
  } catch {
    onFull();
    return false;
  }
}

// The evening's text, and the texts before and after it, each with what was tapped then.
export function readEvening() {
  let text = null;
  try {
    text = localStorage.getItem("mjscore.evening");
  } catch {
    // a browser that keeps nothing: the evening lives as long as the page
  }
  const steps = read("steps", { text, past: [], future: [] });
  if (steps.text === text) return { text, past: steps.past, future: steps.future };
  // stopped between the two, or the text was put there by somebody else: what was before can be had again
  return { text, past: steps.text ? [...steps.past, { text: steps.text, taps: {} }] : steps.past, future: [] };
}

export function writeEvening({ text, past, future }) {
  if (text === null) localStorage.removeItem("mjscore.evening");
  else if (!put("mjscore.evening", text)) return false;
  let kept = past.slice(-STEPS);
  while (kept.length && JSON.stringify(kept).length > 1_500_000) kept = kept.slice(1);
  return write("steps", { text, past: kept, future: future.slice(-STEPS) });
}

// One tab writes; *taken* is called when this one may.
export async function becomeWriter(taken, waits) {
  if (!navigator.locks) return taken();
  const hold = () => new Promise(() => {});
  const free = await new Promise((resolve) => {
    navigator.locks.request("mjscore.evening", { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock === null ? undefined : hold();
    });
  });
  if (free) return taken();
  waits();
  navigator.locks.request("mjscore.evening", () => {
    taken();
    return hold();
  });
}
