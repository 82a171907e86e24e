// What Python starts with: on the page, and where the page's Python is prepared.
export const environment = { HOME: "/home/pyodide", MJSCORE_CACHE: "/mjscore/cache", MJSCORE_TILES: "plain" };
const PAGE = 65536; // bytes by which memory grows

// Pyodide's module, of which *see* is shown the memory when nothing has run in it yet.
export const withMemory = (create, see) => (settings) => {
  const { instantiateWasm } = settings;
  settings.instantiateWasm = (info, receive) =>
    instantiateWasm(info, (instance, module) => {
      see(instance.exports.memory);
      return receive(instance, module);
    });
  return create(settings);
};

// Turns a snapshot into its differences from a fresh memory, and these into the snapshot. It begins with some bytes of its own.
export function differences(snapshot, fresh) {
  const own = snapshot.length % PAGE;
  for (let place = Math.min(fresh.length, snapshot.length - own) - 1; place >= 0; place -= 1) snapshot[own + place] ^= fresh[place];
}
