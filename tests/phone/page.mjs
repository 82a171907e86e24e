// Drives the page in a browser:   node page.mjs JOB, which is JSON: {site, browser, hands, evening, pictures}.
// Prints JSON: for each scenario null or what went wrong, its seconds, and what it has kept for further checks.
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";

const job = JSON.parse(readFileSync(process.argv[2], "utf-8"));
const { chromium } = await import(job.playwright);
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
TYPES[".json"] = TYPES[".webmanifest"] = "application/json";
TYPES[".svg"] = "image/svg+xml";

// ---- a static server, which can be stopped

const served = [];
const missing = new Set();
const instead = new Map();
let server;
let port = 0;
async function serve() {
  server = createServer((request, response) => {
    const path = join(job.site, decodeURIComponent(new URL(request.url, "http://x").pathname));
    served.push(request.url);
    const gone = [...missing].some((name) => path.endsWith(name));
    if (gone || !existsSync(path) || !statSync(path).isFile()) return response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream" });
    const other = instead.get(new URL(request.url, "http://x").pathname);
    return other ? response.end(other(readFileSync(path, "utf-8"))) : createReadStream(path).pipe(response);
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  port = server.address().port;
}
async function stop() {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

// ---- what a person does

const browser = await chromium.launch({ executablePath: job.browser, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
const faults = [];
const elsewhere = [];

async function phone(width = 390, height = 844, more = {}) {
  const context = await browser.newContext({ viewport: { width, height }, acceptDownloads: true, ...more });
  context.setDefaultTimeout(20_000);
  context.on("request", (request) => {
    if (!/^(blob|data):/.test(request.url()) && new URL(request.url()).hostname !== "localhost") elsewhere.push(request.url());
  });
  return context;
}

// what a page finds stored when it is opened
const storing = (context, evening) =>
  context.addInitScript((given) => localStorage["mjscore.evening"] ?? localStorage.setItem("mjscore.evening", given), evening);

async function open(context, hash = "#hand", waits = true) {
  const page = await context.newPage();
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !/404|ERR_(CONNECTION|FAILED)/.test(message.text())) faults.push(message.text());
  });
  await page.goto(`http://localhost:${port}/index.html${hash}`);
  if (waits) await ready(page);
  return page;
}

const ready = (page) => shown(page, "state", "ready");
const text = (page, name) => page.textContent(`[data-show="${name}"]`);
const stored = (page, name = "evening") => page.evaluate((key) => localStorage.getItem(`mjscore.${key}`), name);

async function shown(page, name, wanted) {
  const fits = (found) => (wanted instanceof RegExp ? wanted.test(found) : found === wanted);
  const end = Date.now() + 40_000;
  for (;;) {
    const found = await text(page, name);
    if (fits(found)) return found;
    if (Date.now() > end) throw new Error(`${name} shows ${JSON.stringify(found)}, not ${wanted}; error: ${await text(page, "error")}`);
    await page.waitForTimeout(15);
  }
}

let tapped = 0;
async function tap(page, ...keys) {
  for (const key of keys) {
    const [name, value] = key.split("=");
    await page.click(`[data-${name}="${value}"]:visible`);
    tapped += 1;
  }
}

async function type(page, line) {
  await page.fill('[data-type="line"]', line);
  await page.press('[data-type="line"]', "Enter");
}

async function begin(page, rulebook = "babcock", counters = "babcock") {
  for (const [number, name] of ["Ann", "Ben", "Old Cid", "Dee"].entries()) await page.fill(`[data-player="${number + 1}"]`, name);
  await page.selectOption('[data-choose="rulebook"]', rulebook);
  await page.selectOption('[data-choose="counters"]', counters);
  await page.click('[data-do="begin"]');
  await shown(page, "under-way", /hand 1$/);
}

function equal(found, wanted, what = "") {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) throw new Error(`${what} ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
}

const told = async (page) => (await text(page, "totals")).trim().replace(/\s+/g, " ");
const WINNER = ["set=pung", "tile=2d", "set=pung", "tile=3d", "set=chow", "tile=4c", "set=kong", "tile=5b", "tile=Ww", "tile=Ww", "win=drawn", "in=Ww"];

// ---- scenarios

const scenarios = {
  // a hand of each kind, tapped by the handles alone
  async hands(kept) {
    const context = await phone();
    const page = await open(context);
    kept.python = await page.getAttribute("body", "data-python");
    kept.started = Number(await page.evaluate(() => performance.now()));
    for (const hand of job.hands) {
      await page.selectOption('[data-choose="rulebook"]', hand.rulebook);
      await page.selectOption('[data-choose="seat"]', hand.seat);
      await page.selectOption('[data-choose="round"]', hand.round);
      for (const key of hand.taps) await tap(page, key);
      await shown(page, "read", hand.read);
      await shown(page, "score", String(hand.score));
      equal(await text(page, "error"), "", hand.read);
      const back = await page.locator('[data-key="back"]').boundingBox();
      await page.mouse.move(back.x + 5, back.y + 5);
      await page.mouse.down();
      await page.waitForTimeout(600); // a long press takes the whole hand
      await page.mouse.up();
      await shown(page, "read", "");
    }
    // what is typed, what is refused, what is grey
    await type(page, "s (222d) [1111c] 123b 456b 5c +5c!loose");
    await shown(page, "score", "68");
    await type(page, "s (222d) 12x");
    await shown(page, "error", /./);
    await shown(page, "score", "68");
    await page.click('[data-tile="2b"]', { force: true });
    await shown(page, "error", "the hand is full");
    equal(await page.getAttribute('[data-tile="2b"]', "aria-disabled"), "true");
    // each handle once
    const handles = await page.evaluate(() =>
      ["tile", "set", "in", "win", "key", "type", "choose", "show"].flatMap((name) =>
        [...document.querySelectorAll(`[data-${name}]`)].filter((one) => one.checkVisibility()).map((one) => `${name}=${one.dataset[name]}`),
      ),
    );
    equal(handles.length, new Set(handles).size, "handles");
    for (const name of ["tile=5c", "tile=Ew", "tile=4s", "set=chow", "win=claimed", "key=share", "key=open", "key=back", "type=line", "choose=rulebook", "show=score", "show=state"]) {
      if (!handles.includes(name)) throw new Error(`no ${name}`);
    }
    const values = await page.$$eval('[data-choose="rulebook"] option', (all) => all.map(({ value }) => value));
    equal(values, job.rulebooks);
    // a rulebook of one's own
    await page.setInputFiles('[data-type="file"]', join(job.samples, "house-rules.toml"));
    await shown(page, "news", "house-rules.toml is open");
    await type(page, "E: 123456789d ESWNw +5d");
    await shown(page, "score", String(job.house));
    await page.selectOption('[data-choose="rulebook"]', "harr");
    await type(page, "S: (222d) [1111c] 123b 456b 5c +5c!loose");
    await shown(page, "score", "68");
    // shared as a picture
    const [download] = await Promise.all([page.waitForEvent("download"), tap(page, "key=share")]);
    equal(download.suggestedFilename(), "hand.png");
    equal([...readFileSync(await download.path()).subarray(1, 4)], [80, 78, 71]);
    if (job.pictures) await page.screenshot({ path: join(job.pictures, "hand.png") });
    // a tap is answered at once
    await type(page, "s: 11b ...");
    await shown(page, "read", /11b/);
    const times = [];
    for (const key of ["tile=1c", "tile=2c", "tile=3c", "tile=4c", "tile=5c"]) {
      const before = await text(page, "read");
      const time = await page.evaluate(async ([selector, was]) => {
        const start = performance.now();
        document.querySelector(selector).click();
        while (document.querySelector('[data-show="read"]').textContent === was) await new Promise((resolve) => setTimeout(resolve, 1));
        return performance.now() - start;
      }, [`[data-${key.replace("=", '="')}"]`, before]);
      times.push(time);
    }
    kept.tap = times.sort((a, b) => a - b)[2];
    await context.close();
  },

  // an evening of eight hands, in numbers, tiles and lines; undone after a reload; offline; in two tabs; lost and opened again
  async evening(kept) {
    const context = await phone();
    const page = await open(context, "#evening");
    await begin(page);
    tapped = 0;
    await tap(page, ...WINNER);
    kept.winner = tapped;
    if (job.pictures) await page.screenshot({ path: join(job.pictures, "evening.png") });
    await tap(page, "key=next");
    tapped = 0;
    await tap(page, "set=pung", "tile=Rd", "set=kong", "tile=Gd");
    kept.loser = tapped;
    await tap(page, "key=next");
    kept.nothing = 0;
    await tap(page, "key=next", "key=next");
    await shown(page, "under-way", /hand 2$/);
    kept.first = await told(page);
    // numbers, and from whom
    await page.fill('[data-type="number"]', "64");
    await page.click('[aria-label="from Dee"]');
    await tap(page, "key=next", "key=nothing", "key=next", "key=next", "key=next");
    await shown(page, "under-way", /hand 3$/);
    // as in play
    for (const line of ["2 8 64w 0", "draw", "e 20", "s 64 win", "w 0", "n 2"]) await type(page, line);
    await shown(page, "under-way", /hand 6$/);
    await page.fill('[data-type="line"]', "w 123b4");
    await shown(page, "live", /West .*: 3 of 13 tiles/);
    for (const [number, line] of ["2 4 8 20w", "4 20w 0 2", "e 2 s 0 w 0 n 96 win", "300w 0 0 0"].entries()) {
      await type(page, line);
      await shown(page, "under-way", new RegExp(`hand ${number + 7}$`));
    }
    await page.click("summary:has-text('Everything played')");
    if ((await page.locator(".entry").count()) !== 9) throw new Error(await text(page, "entries") + (await stored(page)));
    const before = await told(page);
    kept.totals = before;
    kept.text = await stored(page);
    // an earlier hand put right, with the question answered
    await page.click(".entry:last-child summary");
    await page.click(".entry:last-child .row:has-text('Cid') button");
    await type(page, '"Old Cid": 32');
    await page.click("text=Yes, write it");
    await shown(page, "asked", /./).catch(() => {});
    await page.waitForFunction(() => localStorage["mjscore.evening"].includes('"Old Cid": 32'));
    await tap(page, "key=undo");
    await page.waitForFunction((was) => localStorage["mjscore.evening"] === was, kept.text);
    // undone after a reload
    await page.reload();
    await shown(page, "totals", /Ann/); // from what is stored, before Python is there
    equal(await told(page), before, "totals before Python");
    await ready(page);
    await tap(page, "key=undo");
    await shown(page, "under-way", /hand 9$/);
    await page.click('[data-do="redo"]');
    await shown(page, "under-way", /hand 10$/);
    equal(await told(page), before, "totals after redo");
    // without a server
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await stop();
    const count = served.length;
    await page.reload();
    await ready(page);
    await type(page, "20w 0 0 0");
    await shown(page, "under-way", /hand 11$/);
    await page.goto(`http://localhost:${port}/index.html#hand`);
    await tap(page, "tile=5c");
    await shown(page, "read", /5c/);
    equal(served.length, count, "requests");
    await page.goto(`http://localhost:${port}/index.html#evening`);
    await serve();
    // a second tab looks on until the first is closed
    const second = await open(context, "#evening");
    await shown(second, "news", /another tab/);
    await tap(second, "tile=5c");
    await shown(second, "error", /another tab/);
    await page.close();
    await shown(second, "news", "");
    await tap(second, "tile=5c");
    await shown(second, "read", /5c/);
    // shared, all that is stored taken away, and opened again
    const [download] = await Promise.all([second.waitForEvent("download"), tap(second, "key=share")]);
    const file = await download.path();
    equal(readFileSync(file, "utf-8"), await stored(second), "the file that is shared");
    const last = await told(second);
    await second.evaluate(() => localStorage.clear());
    await second.reload();
    await ready(second);
    equal(await second.locator('[data-do="begin"]').isVisible(), true);
    await second.setInputFiles('[data-type="file"]', { name: "evening.mj", mimeType: "text/plain", buffer: readFileSync(file) });
    await shown(second, "under-way", /hand 11$/);
    equal(await told(second), last, "totals of the file");
    // what opens and does not hold changes nothing
    for (const [name, content] of [["bad.mj", "players A B\nhand\n  A: x\n"], ["bad.toml", "extends = 7"], ["long.mj", "x".repeat(3_000_000)]]) {
      await second.setInputFiles('[data-type="file"]', { name, mimeType: "text/plain", buffer: Buffer.from(content) });
      await shown(second, "news", /./);
      await second.evaluate(() => (document.querySelector('[data-show="news"]').textContent = ""));
    }
    equal(await stored(second), readFileSync(file, "utf-8"), "the evening after bad files");
    await second.goto(`http://localhost:${port}/index.html#page`);
    await second.waitForFunction(() => document.querySelector('[data-show="page"] div')?.shadowRoot?.textContent.includes("Standings"));
    if (job.pictures) await second.screenshot({ path: join(job.pictures, "report.png") });
    await context.close();
  },

  // killed between any two taps: what was tapped is there, and the evening
  async killed(kept) {
    const context = await phone();
    let page = await open(context, "#evening");
    await begin(page, "harr", "");
    const evening = await stored(page);
    const keys = [...WINNER.slice(0, 10), "key=next"];
    for (const [number, key] of keys.entries()) {
      if (number > 9) break;
      await tap(page, key);
      await page.close();
      page = await open(context, "#evening", false);
      equal(await stored(page), evening, "the evening");
      const draft = JSON.parse(await stored(page, "draft"));
      equal(draft.taps.E?.length, number + 1, `taps after ${number + 1}`);
      await page.waitForFunction(() => document.querySelector('[data-show="under-way"]').textContent.endsWith("hand 1"));
    }
    await ready(page);
    await shown(page, "hint", /^Fourteen tiles/);
    await tap(page, "win=drawn", "in=Ww", "key=next", "key=next", "key=next", "key=next");
    await page.waitForFunction((was) => localStorage["mjscore.evening"] !== was, evening);
    await page.close();
    page = await open(context, "#evening", false);
    kept.killed = await stored(page);
    await shown(page, "under-way", /hand 2$/);
    // two writes belong to a step: stopped between them, the evening before can be had again
    await page.close();
    page = await open(context, "#hand", false);
    await page.evaluate(([was]) => {
      const steps = JSON.parse(localStorage["mjscore.steps"]);
      localStorage["mjscore.steps"] = JSON.stringify({ ...steps, text: was, past: [] });
    }, [evening]);
    await page.goto(`http://localhost:${port}/index.html#evening`);
    await page.reload();
    await ready(page);
    await tap(page, "key=undo");
    await page.waitForFunction((was) => localStorage["mjscore.evening"] === was, evening);
    await context.close();
  },

  // from 320 pixels to a desk, with text twice as large, in the dark: nothing is cut off at the side
  async widths() {
    for (const [width, height, large] of [[320, 640, false], [390, 844, true], [1280, 800, false]]) {
      const context = await phone(width, height, { colorScheme: large ? "dark" : "light", reducedMotion: "reduce" });
      await storing(context, job.evening);
      const page = await open(context, "#evening", false);
      if (large) await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
      await ready(page);
      await shown(page, "totals", /Dee/);
      for (const hash of ["#evening", "#hand", "#table", "#page"]) {
        await page.evaluate((wanted) => (location.hash = wanted), hash);
        await page.waitForTimeout(100);
        const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        if (wide > room) throw new Error(`${hash} at ${width} is ${wide} wide`);
      }
      const small = await page.evaluate(() => {
        location.hash = "#hand";
        return [...document.querySelectorAll("button[data-tile]")].filter((key) => key.clientWidth && (key.clientWidth < 30 || key.clientHeight < 40)).length;
      });
      equal(small, 0, `small keys at ${width}`);
      const silent = await page.evaluate(() => [...document.querySelectorAll("button, input:not([hidden]), select")].filter((one) => !one.labels?.length && !one.ariaLabel && !one.textContent.trim()).length);
      equal(silent, 0, "keys without words");
      if (job.pictures && width === 390) await page.screenshot({ path: join(job.pictures, "large.png") });
      await context.close();
    }
  },

  // another version is put on the server while the evening is open: the old one goes on, whole, until it is closed
  async updated() {
    const context = await phone();
    let page = await open(context, "#evening");
    await begin(page, "harr", "");
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const evening = await stored(page);
    instead.set("/service.js", (text) => text.replace(/version = "/, 'version = "next-').replaceAll(/"([^"/\s]+\/[^"\s]+)"/g, '"$1?next"'));
    instead.set("/index.html", (text) => text.replace("<body", '<body data-next="yes"'));
    await page.evaluate(() => navigator.serviceWorker.getRegistration().then((registration) => registration.update()));
    await page.waitForFunction(() => navigator.serviceWorker.getRegistration().then((registration) => registration.waiting !== null));
    await page.reload();
    equal(await page.getAttribute("body", "data-next"), null, "the page while it is open");
    await ready(page);
    await type(page, "20w 0 0 0");
    await shown(page, "under-way", /hand 2$/);
    await page.close();
    // the browser turns to the new one some time after the last page of the old one is gone
    for (let turn = 0; turn < 5; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      page = await open(context, "#evening", false);
      if ((await page.getAttribute("body", "data-next")) === "yes") break;
      await page.close();
    }
    await ready(page);
    equal(await page.getAttribute("body", "data-next"), "yes", "the page opened anew");
    if ((await stored(page)) === evening || !(await stored(page)).startsWith(evening)) throw new Error("the evening is lost");
    instead.clear();
    await context.close();
  },

  // names that are markup, and Python that does not start: the evening can still be shared
  async broken() {
    const context = await phone();
    await storing(context, job.evening.replaceAll("Dee", '"<b>D</b>"'));
    let page = await open(context, "#evening");
    await shown(page, "totals", /<b>D<\/b>/);
    await page.close();
    await context.close();
    const second = await phone(390, 844, { serviceWorkers: "block" });
    missing.add("pyodide.asm.wasm");
    await storing(second, job.evening);
    page = await open(second, "#evening", false);
    await shown(page, "state", /does not start/);
    const [download] = await Promise.all([page.waitForEvent("download"), tap(page, "key=share")]);
    equal(readFileSync(await download.path(), "utf-8"), job.evening);
    missing.clear();
    // another memory than that of this build: it starts plainly
    missing.add("snapshot.bin");
    await page.reload();
    await ready(page);
    equal(await page.getAttribute("body", "data-python"), "files");
    missing.clear();
    await second.close();
    faults.length = 0; // what is missing is told by the browser too
  },
};

const results = {};
const seconds = {};
const kept = {};
await serve();
for (const [name, scenario] of Object.entries(scenarios)) {
  if (job.only && job.only !== name) continue;
  const start = Date.now();
  faults.length = 0;
  try {
    await scenario(kept);
    results[name] = faults.length ? `told by the browser: ${faults.join("; ")}` : null;
  } catch (error) {
    results[name] = `${error.message}\n${error.stack.split("\n").filter((line) => line.includes("page.mjs")).join("\n")}\n${faults.join("\n")}`;
  }
  seconds[name] = (Date.now() - start) / 1000;
}
await browser.close();
await stop();
console.log(JSON.stringify({ results, seconds, kept, elsewhere }));
