// Runs `mjscore` in a browser's Python: node python.mjs PYODIDE TREE PACKAGES... -- ARGUMENTS; TREE has the samples.
const [pyodide, tree, ...rest] = process.argv.slice(2);
const packages = rest.slice(0, rest.indexOf("--"));
const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
const python = await loadPyodide({ indexURL: `${pyodide}/` });
[tree, ...packages].forEach((folder, number) => {
  python.FS.mkdir(`/mounted${number}`);
  python.mountNodeFS(`/mounted${number}`, folder);
});
python.globals.set("arguments", python.toPy(["mjscore", ...rest.slice(packages.length + 1)]));
python.globals.set("folders", python.toPy([tree, ...packages].map((_, number) => `/mounted${number}`)));
process.exitCode = python.runPython(`
import os, sys
os.chdir(folders[0])
sys.path[:0] = folders
sys.argv = arguments
from mjscore.cli.main import main
try:
    main()
    status = 0
except SystemExit as ended:
    status = ended.code or 0
status
`);
