// The environment in which Python starts, on the page and while the page's Python is prepared.
export const environment = { HOME: "/home/pyodide", MJSCORE_CACHE: "/mjscore/cache", MJSCORE_TILES: "plain" };
const PAGE = 65536; // bytes by which memory grows

// Pyodide's module; *see* is called with its memory before anything has run.
export const withMemory = (create, see) => (settings) => {
  const { instantiateWasm } = settings;
  settings.instantiateWasm = (info, receive) =>
    instantiateWasm(info, (instance, module) => {
      see(instance.exports.memory);
      return receive(instance, module);
    });
  return create(settings);
};

// Turns a snapshot into its differences from a fresh memory, or back. The first bytes belong to the snapshot's own header.
export function differences(snapshot, fresh) {
  const own = snapshot.length % PAGE;
  for (let place = Math.min(fresh.length, snapshot.length - own) - 1; place >= 0; place -= 1) snapshot[own + place] ^= fresh[place];
}
