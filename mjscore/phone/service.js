// Offline: a version's files are fetched together, all or none, and then never again.
const version = "{{version}}";
const files = ["index.html", ...{{files}}];

self.addEventListener("install", (event) => {
  const requests = files.map((name) => new Request(name, { cache: name.startsWith(version) ? "default" : "reload" }));
  event.waitUntil(caches.open(version).then((cache) => cache.addAll(requests)));
});

self.addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name !== version);
  event.waitUntil(
    caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name)))).then(() => clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const page = event.request.mode === "navigate" && !event.request.url.endsWith(".txt");
  const wanted = page ? "index.html" : event.request;
  event.respondWith(caches.open(version).then((cache) => cache.match(wanted, { ignoreSearch: true })).then((kept) => kept ?? fetch(event.request)));
});
