// Python, in a worker: it can be ended when it takes too long. One question at a time, JSON in and JSON out.
import { differences, environment, withMemory } from "./environment.js";

const here = new URL(".", import.meta.url);
const version = here.pathname.split("/").at(-2);
const snapshot = "{{snapshot}}"; // the sha256 of the memory of a Python that has started, where the site has one
const PACKED = ["pyodide/pyodide.asm.wasm", "pyodide/pyodide.asm.mjs"]; // as gzip, for servers that pack nothing
const TYPES = { wasm: "application/wasm", mjs: "text/javascript" };
const SET_UP = `
import importlib, os, sys
importlib.invalidate_caches()
if "/mjscore" not in sys.path:
    sys.path.insert(0, "/mjscore")
os.makedirs("/rulebooks", exist_ok=True)
from mjscore.phone.bridge import answer
answer`;
const UNPACK = `
def unpacked():
    import zipfile
    with zipfile.ZipFile("/python.zip") as archive:
        for number, name in enumerate(archive.namelist()):
            archive.extract(name, "/mjscore")
            if number % 10 == 0:
                yield
    importlib.invalidate_caches()

unpacked()`;
const PAGE = 65536; // bytes by which memory grows

// A file of this version, fetched once: it is kept where the service worker keeps what is there offline.
const download = fetch;
async function fetched(name) {
  const address = new URL(name, here).href;
  const kept = await self.caches?.open(version).catch(() => null);
  const there = await kept?.match(address);
  if (there) return there;
  const response = await download(address);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  kept?.put(address, response.clone()).catch(() => {});
  return response;
}

const unpacked = (response, type) => new Response(response.body.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": type } });

async function file(name) {
  return PACKED.includes(name) ? unpacked(await fetched(`${name}.bin`), TYPES[name.split(".").at(-1)]) : fetched(name);
}

// The memory to start from; nothing where there is none, or not the one that was made.
async function memory() {
  if (!snapshot) return null;
  try {
    const packed = await (await fetched("snapshot.bin")).arrayBuffer();
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", packed));
    if ([...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("") !== snapshot) return null;
    return new Uint8Array(await unpacked(new Response(packed)).arrayBuffer());
  } catch {
    return null;
  }
}

async function load(kept) {
  // Pyodide itself waits for ever for a file that is not there, and asks for them by fetch
  const machine = await file(PACKED[0]);
  self.fetch = async (address, ...more) => {
    const name = String(address.url ?? address).replace(here.href, "");
    if (name === PACKED[0] && !machine.bodyUsed) return machine;
    return String(address).startsWith(here.href) ? file(name) : download(address, ...more);
  };
  const script = URL.createObjectURL(await (await file(PACKED[1])).blob());
  const { default: create } = await import(script);
  const { loadPyodide } = await import(new URL("pyodide/pyodide.mjs", here));
  const options = { indexURL: new URL("pyodide/", here).href, env: environment, createPyodideModule: create };
  if (kept === null) return loadPyodide(options);
  const createPyodideModule = withMemory(create, (room) => {
    differences(kept, new Uint8Array(room.buffer));
    // Pyodide makes its memory as large as a fresh start needs
    const lacking = Math.ceil((kept.length - room.buffer.byteLength) / PAGE);
    if (lacking > 0) room.grow(lacking);
  });
  return loadPyodide({ ...options, _loadSnapshot: kept, createPyodideModule });
}

// The files of a Python that has all that a hand needs in its memory, little by little, so that a touch does not wait for them.
async function unpackSlowly(python) {
  python.FS.writeFile("/python.zip", new Uint8Array(await (await fetched("python.zip")).arrayBuffer()));
  const steps = python.runPython(UNPACK);
  do await new Promise((resolve) => setTimeout(resolve));
  while (!steps.next().done);
}

async function start() {
  const packages = fetched("python.zip");
  packages.catch(() => {});
  const kept = await memory();
  if (kept !== null) {
    try {
      const python = await load(kept);
      return { python, answer: python.runPython(SET_UP), files: packages.then(() => unpackSlowly(python)), from: "snapshot" };
    } catch {
      // another browser, another build of it: begin afresh
    }
  }
  const python = await load(null);
  python.unpackArchive(await (await packages).clone().arrayBuffer(), "zip", { extractDir: "/mjscore" });
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
    // words are in the files: a typed line may have some
    if (!/^{"ask":"(hand|keys)"/.test(question) || question.includes('"line ')) await files;
    for (const [name, text] of Object.entries(own)) python.FS.writeFile(`/rulebooks/${name}`, text);
    answered = answer(question);
  } catch (error) {
    answered = JSON.stringify({ error: String(error).trim().split("\n").pop(), fault: true });
  }
  postMessage({ id, answered });
};
