// Python, in a worker: it can be ended when it takes too long. One question at a time, JSON in and JSON out.
import { environment } from "./environment.js";

const here = new URL(".", import.meta.url);
const snapshot = "{{snapshot}}"; // the sha256 of the memory of a Python that has started, where the site has one
const SET_UP = `
import importlib, os, sys
importlib.invalidate_caches()
if "/mjscore" not in sys.path:
    sys.path.insert(0, "/mjscore")
os.makedirs("/rulebooks", exist_ok=True)
from mjscore.phone.bridge import answer
answer`;
const PAGE = 65536; // bytes by which memory grows

async function fetched(name) {
  const response = await fetch(new URL(name, here));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response.arrayBuffer();
}

// The memory to start from; nothing where there is none, or not the one that was made.
async function memory() {
  if (!snapshot) return null;
  try {
    const packed = await fetched("snapshot.bin");
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", packed));
    if ([...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("") !== snapshot) return null;
    const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(unpacked).arrayBuffer());
  } catch {
    return null;
  }
}

// Pyodide makes its memory as large as a fresh start needs: for more it is made to grow first.
async function fromMemory(kept) {
  const { default: create } = await import(new URL("pyodide/pyodide.asm.mjs", here));
  const createPyodideModule = (settings) => {
    const { instantiateWasm } = settings;
    settings.instantiateWasm = (info, receive) =>
      instantiateWasm(info, (instance, module) => {
        const room = instance.exports.memory;
        const lacking = Math.ceil((kept.length - room.buffer.byteLength) / PAGE);
        if (lacking > 0) room.grow(lacking);
        return receive(instance, module);
      });
    return create(settings);
  };
  return { _loadSnapshot: kept, createPyodideModule };
}

async function load(options) {
  // Pyodide itself waits for ever for a file that is not there
  const machine = await fetch(new URL("pyodide/pyodide.asm.wasm", here));
  if (!machine.ok) throw new Error(`pyodide.asm.wasm: ${machine.status}`);
  await machine.body?.cancel();
  const { loadPyodide } = await import(new URL("pyodide/pyodide.mjs", here));
  return loadPyodide({ indexURL: new URL("pyodide/", here).href, env: environment, ...options });
}

async function start() {
  const packages = fetched("python.zip");
  const kept = await memory();
  const unpack = async (python) => python.unpackArchive(await packages, "zip", { extractDir: "/mjscore" });
  if (kept !== null) {
    try {
      const python = await load(await fromMemory(kept));
      // the memory has all that a hand needs; the files follow
      const files = new Promise((resolve) => setTimeout(() => resolve(unpack(python)), 0));
      return { python, answer: python.runPython(SET_UP), files, from: "snapshot" };
    } catch {
      // another browser, another build of it: begin afresh
    }
  }
  const python = await load({});
  await unpack(python);
  const answer = python.runPython(SET_UP);
  answer('{"ask": "hand", "taps": ["1b"]}');
  return { python, answer, files: null, from: "files" };
}

const started = start();
started.then(
  ({ from }) => postMessage({ ready: true, from }),
  (error) => postMessage({ failed: String(error) }),
);

onmessage = async ({ data: { id, question, files: own } }) => {
  let answered;
  try {
    const { python, answer, files } = await started;
    if (!question.startsWith('{"ask":"hand"')) await files;
    for (const [name, text] of Object.entries(own)) python.FS.writeFile(`/rulebooks/${name}`, text);
    answered = answer(question);
  } catch (error) {
    answered = JSON.stringify({ error: String(error).trim().split("\n").pop(), fault: true });
  }
  postMessage({ id, answered });
};
