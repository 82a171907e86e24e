// Questions to Python in its worker: answered in order, stopped if they take too long.
import { language, reworded } from "./words.js";

let worker = null;
let number = 0;
let files = {};
let told = () => {};
let tooSlow = "";
const waiting = new Map();
export let isReady = false;

// Starts Python; *tell* is called with "ready" or "failed".
export function startPython(tell, words) {
  told = tell;
  tooSlow = words.slow;
  worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => {
    if (data.ready) {
      isReady = true;
      told("ready", data.from);
      for (const one of waiting.values()) limit(one);
    } else if (data.failed) {
      told("failed", data.failed);
    } else if (waiting.has(data.id)) {
      const one = waiting.get(data.id);
      finish(one, JSON.parse(data.answered, reworded));
      for (const next of waiting.values()) limit(next);
    }
  };
  worker.onerror = (event) => told("failed", event.message);
}

function finish(one, answer) {
  clearTimeout(one.timer);
  waiting.delete(one.id);
  one.resolve(answer);
}

// The time of a question starts when Python can begin with it.
function limit(one) {
  clearTimeout(one.timer);
  one.timer = setTimeout(() => {
    const left = [...waiting.values()].filter((other) => other !== one);
    worker.terminate();
    isReady = false;
    told("loading", "");
    finish(one, { error: tooSlow, slow: true });
    startPython(told, { slow: tooSlow });
    for (const other of left) worker.postMessage(other.message);
  }, one.seconds * 1000);
}

// The bridge's answer to *question*; given up after *seconds* of Python's time.
export function ask(question, seconds = 10) {
  return new Promise((resolve) => {
    const id = (number += 1);
    const one = { id, resolve, seconds, message: { id, question: JSON.stringify({ ...question, language }), files } };
    waiting.set(id, one);
    worker.postMessage(one.message);
    if (isReady) limit(one);
  });
}

// The user's own rulebook files, by name.
export function giveFiles(own) {
  files = own;
}
