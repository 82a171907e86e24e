// Prepares the site's Python with the Pyodide in use:   node prepare.mjs PYODIDE LIBRARY [ARCHIVE SNAPSHOT]
// LIBRARY, Python's own, is written anew as bytecode; with ARCHIVE it is that already, and stays as it is.
// ARCHIVE is written anew as bytecode and with what mjscore keeps in its cache: the grammars' tables and the rulebooks.
// SNAPSHOT becomes the memory of a Python that has answered every kind of question, packed; of what stands in the machine
// itself (environment.js) only the difference.
// All are the same bytes whenever they are made from the same source: a phone fetches only what has changed.
import crypto from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

process.on("uncaughtException", (error) => {
  console.error(error.message ?? error); // without the source around it, which is one line of a million letters
  process.exit(1);
});
const [pyodide, library, archive, snapshot] = process.argv.slice(2);
const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
const { default: createPyodideModule } = await import(`${pyodide}/pyodide.asm.mjs`);
const { environment, withMemory, differences } = await import("./environment.js");

// what differs from one run to the next would stay in memory, and move what lies there: hashes, the time and its zone,
// random numbers, the name of this file
const always = { ...environment, PYTHONHASHSEED: "0", PYTHONNODEBUGRANGES: "1" };
process.env.TZ = "UTC";
process.argv[1] = "prepare.mjs";
Date.now = performance.now = () => 0;
crypto.randomFillSync = (view) => view.fill(0);

const started = (options) => loadPyodide({ indexURL: `${pyodide}/`, stdLibURL: library, env: always, ...options });

async function python(options, warm) {
  const machine = await started(options);
  machine.unpackArchive(new Uint8Array(readFileSync(archive)), "zip", { extractDir: "/mjscore" });
  if (!options._makeSnapshot) machine.runPython(COMPILE + EACH);
  machine.runPython(`
import json, os, sys
sys.path.insert(0, "/mjscore")
os.mkdir("/rulebooks")
from mjscore.phone.bridge import answer
from mjscore.rulebook.entries import RULEBOOKS

def asked(**question):
    return json.loads(answer(json.dumps(question)))

${warm}
del asked
`);
  return machine;
}

// Bytecode is without its source, docstrings and columns, and of lines has that of each function: what fails is told by it. What is imported is compiled once.
const COMPILE = `
import os, zipfile
from importlib._bootstrap_external import _code_to_hash_pyc

def bare(code):
    parts = tuple(bare(part) if hasattr(part, "co_code") else part for part in code.co_consts)
    count, rest = divmod(len(code.co_code) // 2, 8)
    first = b"\\xef\\0" * count + (bytes([0xe8 + rest - 1, 0]) if rest else b"") # each instruction is in the line of its function
    return code.replace(co_consts=parts, co_linetable=first)

def compiled(name, content):
    code = compile(content, name, "exec", dont_inherit=True, optimize=2)
    return _code_to_hash_pyc(bare(code), bytes(8), False)

def read(path):
    with open(path, "rb") as stream:
        return stream.read()

def packed(contents, target):
    with zipfile.ZipFile(target, "w", compresslevel=9) as archive:
        for name, content in sorted(contents.items()):
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
`;
const LIBRARY = `
with zipfile.ZipFile("/library.zip") as library:
    contents = {name: library.read(name) for name in library.namelist() if name.endswith(".py")}
packed({f"{name}c": compiled(name, text) for name, text in contents.items()}, "/library.zip")
`;
const EACH = `
def files():
    return [os.path.join(folder, name) for folder, _, names in os.walk("/mjscore") for name in names]

for path in files():
    if path.endswith(".py"):
        with open(f"{path}c", "wb") as stream:
            stream.write(compiled(os.path.relpath(path, "/mjscore"), read(path)))
        os.remove(path)
`;

// Enough to have each grammar and rulebook read.
const SHORT = `
for name in RULEBOOKS:
    text = asked(ask="begin", players=["A", "B", "C", "D"], rulebook=name)["text"]
asked(ask="hand", taps=["line w 123b444ceee/77d67c<8c:e"], rulebook="bmja")
asked(ask="type", text=text, lines=["e 2"])
`;
const ALL = `
for name in RULEBOOKS:
    for line in ("123b 456b 789b 55c 11d +1d", "w 123b444ceee/77d67c<8c:e", "123x", "111122223333b"):
        for kind in ("hand", "keys", "compare", "picture"):
            asked(ask=kind, taps=[f"line {line}"], rulebook=name)
    text = asked(ask="begin", players=["A", "B", "C", "D"], rulebook=name, counters="babcock").get("text", "")
hands = {"E": ["pung", "2d", "kong", "1c", "1b", "1b", "5b", "6b", "7b", "chow", "3c", "drawn", "in 5b"], "S": ["Rd"]}
text = asked(ask="settle", text=text, hands=hands).get("text", text)
for lines in (["draw"], ["e 2"], ["w 2"], ["2 8 64w 0"], ["edit 1", "W: 8", "yes"], ["standings"], ["nonsense"]):
    asked(ask="type", text=text, lines=lines)
for kind in ("evening", "page", "rulebook", "rename"):
    asked(ask=kind, text=text, rulebook="babcock", title="Tea")
asked(ask="live", text=text, lines=[], line="w 123b4")
del text, hands
`;

// What was freed keeps what stood in it: it is taken once more, in blocks that become smaller, as zeros. A block behind all
// that is in use is room that was never taken.
function clear(machine) {
  const end = machine._malloc(1 << 22);
  machine._free(end);
  const taken = [];
  for (let size = 1 << 20; size >= 32; size >>= 1) {
    for (let block = machine._malloc(size); block; block = machine._malloc(size)) {
      taken.push(block);
      if (block >= end) break;
      machine.HEAPU8.fill(0, block, block + size);
    }
  }
  taken.forEach(machine._free);
}

if (!archive) {
  const plain = await started({});
  plain.FS.writeFile("/library.zip", new Uint8Array(readFileSync(library)));
  plain.runPython(COMPILE + LIBRARY);
  writeFileSync(library, plain.FS.readFile("/library.zip"));
  process.exit();
}
const first = await python({}, SHORT);
first.runPython('packed({os.path.relpath(path, "/mjscore"): read(path) for path in files()}, "/python.zip")');
writeFileSync(archive, first.FS.readFile("/python.zip"));
let fresh = null; // the memory of the machine when nothing has run yet
const look = withMemory(createPyodideModule, (memory) => (fresh = new Uint8Array(memory.buffer.slice(0))));
const second = await python({ _makeSnapshot: true, createPyodideModule: look }, ALL);
// what was remembered of those hands is nobody's
second.runPython(`
import functools, gc, mjscore.notation.vocabulary
HANDS = tuple(f"mjscore.{folder}" for folder in ("counters", "page", "phone", "play", "record", "scoring", "settling", "notation.told_words"))
for one in gc.get_objects():
    if isinstance(one, functools._lru_cache_wrapper) and one.__module__.startswith(HANDS):
        one.cache_clear()
for words in (mjscore.notation.vocabulary.words_apart, mjscore.notation.vocabulary.vocabulary):
    words.cache_clear() # read when a line is typed that has some
del mjscore, one, words
gc.collect()
`);
clear(second._module);
const taken = second.makeMemorySnapshot();
differences(taken, fresh);
writeFileSync(snapshot, gzipSync(taken, { level: 8 }));
