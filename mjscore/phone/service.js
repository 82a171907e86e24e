// Offline: a version has all its files or none, and no file is fetched twice: neither those that the page has saved
// already, nor those unchanged from the version before.
const version = "{{version}}";
const files = {{files}}; // each with a digest of its contents
const LIST = "files.json";

async function install() {
  const [cache, olds] = await Promise.all([caches.open(version), caches.keys()]);
  const known = {};
  for (const old of olds.filter((name) => name !== version)) {
    const kept = await caches.open(old);
    const listed = await kept.match(LIST).then((list) => list?.json());
    for (const [name, digest] of Object.entries(listed ?? {})) known[digest] = () => kept.match(name);
  }
  const take = async ([name, digest]) => {
    if (await cache.match(name)) return;
    await cache.put(name, (await known[digest]?.()) ?? (await fetched(name)));
  };
  await Promise.all([...Object.entries(files).map(take), fetched("index.html").then((page) => cache.put("index.html", page))]);
  await cache.put(LIST, new Response(JSON.stringify(files)));
}

// As cached by the browser when it loaded the page; a page of another version is fetched again.
async function fetched(name) {
  for (const cache of ["force-cache", "reload"]) {
    const response = await fetch(name, { cache });
    if (!response.ok) throw new Error(`${name}: ${response.status}`);
    if (name !== "index.html" || (await response.clone().text()).includes(`"mjscore ${version}"`)) return response;
  }
  throw new Error("another version is being put there");
}

self.addEventListener("install", (event) => event.waitUntil(install()));

self.addEventListener("activate", (event) => {
  const changed = async () => {
    const old = (await caches.keys()).filter((name) => name !== version);
    await Promise.all(old.map((name) => caches.delete(name)));
    if (!old.length) await clients.claim(); // the first version serves the page that installed it
  };
  event.waitUntil(changed());
});

self.addEventListener("fetch", (event) => {
  const page = event.request.mode === "navigate" && !event.request.url.endsWith(".txt");
  const wanted = page ? "index.html" : event.request;
  event.respondWith(caches.open(version).then((cache) => cache.match(wanted, { ignoreSearch: true })).then((kept) => kept ?? fetch(event.request)));
});
