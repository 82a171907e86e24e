// Offline: a version's files are fetched together, all or none, and then never again.
const version = "{{version}}";
const files = ["index.html", ...{{files}}];

self.addEventListener("install", (event) => {
  const requests = files.map((name) => new Request(name, { cache: name.startsWith(version) ? "default" : "reload" }));
  event.waitUntil(caches.open(version).then((cache) => cache.addAll(requests)));
});

self.addEventListener("activate", (event) => {
  const changed = async () => {
    const old = (await caches.keys()).filter((name) => name !== version);
    await Promise.all(old.map((name) => caches.delete(name)));
    if (!old.length) await clients.claim(); // the first one serves the page that brought it
  };
  event.waitUntil(changed());
});

self.addEventListener("fetch", (event) => {
  const page = event.request.mode === "navigate" && !event.request.url.endsWith(".txt");
  const wanted = page ? "index.html" : event.request;
  event.respondWith(caches.open(version).then((cache) => cache.match(wanted, { ignoreSearch: true })).then((kept) => kept ?? fetch(event.request)));
});
