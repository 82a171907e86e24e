// Runs `mjscore` in the site's Python:   node python.mjs PYODIDE SITE TREE PACKAGES -- ARGUMENTS
// SITE is the folder of a version; what the page does without, the commands and click, is taken from TREE and PACKAGES.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

const [packed, site, tree, packages, , ...rest] = process.argv.slice(2);
const pyodide = mkdtempSync(join(tmpdir(), "pyodide"));
cpSync(packed, pyodide, { recursive: true });
for (const name of ["pyodide.asm.mjs", "pyodide.asm.wasm"]) writeFileSync(join(pyodide, name), gunzipSync(readFileSync(join(packed, `${name}.bin`))));
process.on("exit", () => rmSync(pyodide, { recursive: true }));
const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
const python = await loadPyodide({ indexURL: `${pyodide}/` });
python.unpackArchive(new Uint8Array(readFileSync(`${site}/python.zip`)), "zip", { extractDir: "/mjscore" });
python.FS.mkdir("/tree");
python.mountNodeFS("/tree", tree);
python.FS.mkdir("/packages");
python.mountNodeFS("/packages", packages);
python.globals.set("arguments", python.toPy(["mjscore", ...rest]));
process.exitCode = python.runPython(`
import os, sys
os.chdir("/tree")
sys.path[:0] = ["/mjscore", "/packages"]
sys.argv = arguments
import mjscore
mjscore.__path__.append("/tree/mjscore")
from mjscore.cli.main import main
from mjscore.game.tiles import Tile
from mjscore.refusal import program_fault
try:
    Tile.parse(None)
except KeyError as error:
    # what fails on a phone is told by the line of its function
    assert "it happened in tiles.py, line " in program_fault(error).hint, program_fault(error).hint
try:
    main()
    status = 0
except SystemExit as ended:
    status = ended.code or 0
status
`);
