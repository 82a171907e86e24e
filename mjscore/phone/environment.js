// The environment of Python: on the page and where the page's Python is prepared.
export const environment = { HOME: "/home/pyodide", MJSCORE_CACHE: "/mjscore/cache", MJSCORE_TILES: "plain" };
