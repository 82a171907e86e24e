// Prepares the site's Python with the Pyodide in use:   node prepare.mjs PYODIDE ARCHIVE SNAPSHOT
// ARCHIVE is written anew with bytecode and with what mjscore keeps in its cache: the grammars' tables and the rulebooks.
// SNAPSHOT becomes the memory of a Python that has answered every kind of question, packed.
// Both are the same bytes whenever they are made from the same source: a phone fetches only what has changed.
import crypto from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

process.on("uncaughtException", (error) => {
  console.error(error.message ?? error); // without the source around it, which is one line of a million letters
  process.exit(1);
});
const [pyodide, archive, snapshot] = process.argv.slice(2);
const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
const { environment } = await import("./environment.js");

// what differs from one run to the next would stay in memory, and move what lies there: hashes, the time and its zone,
// random numbers, the name of this file
const always = { ...environment, PYTHONHASHSEED: "0" };
process.env.TZ = "UTC";
process.argv[1] = "prepare.mjs";
Date.now = performance.now = () => 0;
crypto.randomFillSync = (view) => view.fill(0);

async function python(options) {
  const started = await loadPyodide({ indexURL: `${pyodide}/`, env: always, ...options });
  started.unpackArchive(new Uint8Array(readFileSync(archive)), "zip", { extractDir: "/mjscore" });
  started.runPython(`
import json, os, sys
sys.path.insert(0, "/mjscore")
os.mkdir("/rulebooks")
from mjscore.phone.bridge import answer
from mjscore.rulebook.entries import RULEBOOKS

def asked(**question):
    return json.loads(answer(json.dumps(question)))

for name in RULEBOOKS:
    for line in ("123b 456b 789b 55c 11d +1d", "w 123b444ceee/77d67c<8c:e", "123x", "111122223333b"):
        for kind in ("hand", "compare", "picture"):
            asked(ask=kind, taps=[f"line {line}"], rulebook=name)
    text = asked(ask="begin", players=["A", "B", "C", "D"], rulebook=name, counters="babcock").get("text", "")
hands = {"E": ["pung", "2d", "kong", "1c", "1b", "1b", "5b", "6b", "7b", "chow", "3c", "drawn", "in 5b"], "S": ["Rd"]}
text = asked(ask="settle", text=text, hands=hands).get("text", text)
for lines in (["draw"], ["e 2"], ["w 2"], ["2 8 64w 0"], ["edit 1", "W: 8", "yes"], ["standings"], ["nonsense"]):
    asked(ask="type", text=text, lines=lines)
for kind in ("evening", "page", "rulebook"):
    asked(ask=kind, text=text, rulebook="babcock")
del asked, text, hands
`);
  return started;
}

const first = await python({});
first.runPython(`
import compileall, py_compile, zipfile
mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
compileall.compile_dir("/mjscore", quiet=2, stripdir="/mjscore", invalidation_mode=mode)
paths = sorted(os.path.join(folder, name) for folder, _, names in os.walk("/mjscore") for name in names)
with zipfile.ZipFile("/python.zip", "w", compresslevel=9) as archive:
    for path in paths:
        with open(path, "rb") as stream:
            archive.writestr(zipfile.ZipInfo(os.path.relpath(path, "/mjscore")), stream.read(), zipfile.ZIP_DEFLATED)
`);
writeFileSync(archive, first.FS.readFile("/python.zip"));
const second = await python({ _makeSnapshot: true });
writeFileSync(snapshot, gzipSync(second.makeMemorySnapshot(), { level: 9 }));
