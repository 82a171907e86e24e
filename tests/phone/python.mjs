// Runs `mjscore` in the site's Python:   node python.mjs PYODIDE SITE TREE PACKAGES -- ARGUMENTS
// SITE is the folder of a version; what the page does without, the commands and click, is taken from TREE and PACKAGES.
import { readFileSync } from "node:fs";

const [pyodide, site, tree, packages, , ...rest] = process.argv.slice(2);
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
try:
    main()
    status = 0
except SystemExit as ended:
    status = ended.code or 0
status
`);
