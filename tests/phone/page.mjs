// Drives the page in a browser:   node page.mjs JOB, which is JSON: {site, browser, hands, evening, pictures}.
// Prints JSON: for each scenario null or what went wrong, its seconds, and what it has kept for further checks.
import { spawn } from "node:child_process";
import { createReadStream, existsSync, mkdtempSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { deflateRawSync, inflateRawSync } from "node:zlib";

const job = JSON.parse(readFileSync(process.argv[2], "utf-8"));
const { chromium } = await import(job.playwright);
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
TYPES[".json"] = TYPES[".webmanifest"] = "application/json";
TYPES[".svg"] = "image/svg+xml";
TYPES[".png"] = "image/png";

// a page is too short for what compiling its Python better would save
const args = ["--js-flags=--liftoff-only", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])];
const browser = await chromium.launch({ executablePath: job.browser, args });
const elsewhere = [];

// ---- a place for each scenario: a static server, which can be stopped; the pages that are opened from it; what they complain of

function place() {
  const served = [];
  const missing = new Set();
  const instead = new Map();
  const faults = [];
  let server;
  let port = 0;
  const one = { served, missing, instead, faults, bytes: 0 };
  one.serve = async () => {
    server = createServer((request, response) => {
      const { pathname } = new URL(request.url, "http://x");
      const path = join(job.site, decodeURIComponent(pathname).replace("1.0.1-next", job.version));
      served.push(request.url);
      const gone = [...missing].some((name) => path.endsWith(name));
      if (gone || !existsSync(path) || !statSync(path).isFile()) return response.writeHead(404).end();
      // no more than any static server says
      response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream", "Last-Modified": statSync(path).mtime.toUTCString() });
      one.bytes += statSync(path).size;
      const other = instead.get(pathname);
      return other ? response.end(other(readFileSync(path, "utf-8"))) : createReadStream(path).pipe(response);
    });
    await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
    port = server.address().port;
  };
  one.stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  one.address = (hash) => `http://localhost:${port}/index.html${hash}`;
  one.phone = async (width = 390, height = 844, more = {}) => {
    const context = await browser.newContext({ viewport: { width, height }, acceptDownloads: true, ...more });
    context.setDefaultTimeout(40_000);
    context.on("request", (request) => {
      if (!/^(blob|data):/.test(request.url()) && new URL(request.url()).hostname !== "localhost") elsewhere.push(request.url());
    });
    return context;
  };
  // with a script that runs before those of the page
  one.open = async (context, hash = "#hand", waits = true, script = () => {}) => {
    const page = await context.newPage();
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error" && !/404|ERR_(CONNECTION|FAILED)/.test(message.text())) faults.push(message.text());
    });
    await page.addInitScript(script);
    await page.goto(one.address(hash));
    if (waits) await ready(page);
    return page;
  };
  return one;
}

// ---- what a person does

const ready = (page) => shown(page, "state", "ready");
const text = (page, name) => page.textContent(`[data-show="${name}"]`);
const stored = (page, name = "evening") => page.evaluate((key) => localStorage.getItem(`mjscore.${key}`), name);

async function shown(page, name, wanted) {
  const fits = ([name, text, flags]) => {
    const found = document.querySelector(`[data-show="${name}"]`)?.textContent;
    return found !== undefined && (flags === undefined ? found === text : new RegExp(text, flags).test(found));
  };
  await page.waitForFunction(fits, [name, wanted.source ?? wanted, wanted.flags], { polling: 10 }).catch(async () => {
    throw new Error(`${name} shows ${JSON.stringify(await text(page, name))}, not ${wanted}; error: ${await text(page, "error")}`);
  });
}

// Touches keys by their handles, each where it is seen and nothing lies over it, as soon as it is there.
async function tap(page, ...keys) {
  for (const key of keys) {
    const [name, value] = key.split("=");
    const touched = (selector) => {
      const found = [...document.querySelectorAll(selector)].find((one) => one.checkVisibility() && !one.disabled);
      found?.scrollIntoView({ block: "nearest" });
      const { x, y, width, height } = found?.getBoundingClientRect() ?? {};
      const there = found && document.elementFromPoint(x + width / 2, y + height / 2);
      if (!found?.contains(there)) return false;
      found.click();
      return true;
    };
    await page.waitForFunction(touched, `[data-${name}="${value}"]`, { polling: 10 });
  }
}

async function longPress(page) {
  const back = await page.locator('[data-key="back"]').boundingBox();
  await page.mouse.move(back.x + 5, back.y + 5);
  await page.mouse.down();
  await page.waitForTimeout(550);
  await page.mouse.up();
}

// The same without the wait: what happens is told with the times of a key that was held.
async function clear(page) {
  await page.evaluate(() => {
    const down = new PointerEvent("pointerdown", { bubbles: true });
    Object.defineProperty(down, "timeStamp", { value: performance.now() - 550 });
    const back = document.querySelector('[data-key="back"]');
    back.dispatchEvent(down);
    back.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
  });
}

async function type(page, line) {
  await page.fill('[data-type="line"]', line);
  await page.press('[data-type="line"]', "Enter");
}

async function begin(page, rulebook = "babcock", counters = "babcock", says = /hand 1$/) {
  for (const [number, name] of ["Ann", "Ben", "Old Cid", "Dee"].entries()) await page.fill(`[data-player="${number + 1}"]`, name);
  await page.selectOption('[data-choose="rulebook"]', rulebook);
  await page.selectOption('[data-choose="counters"]', counters);
  await page.click('[data-do="begin"]');
  await shown(page, "under-way", says);
}

function equal(found, wanted, what = "") {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) throw new Error(`${what} ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
}

// a script with which Python never gets ready
const noPython = () => (window.Worker = class { postMessage() {} });
const told = async (page) => (await text(page, "totals")).trim().replace(/\s+/g, " ");
const WINNER = ["set=pung", "tile=2d", "set=pung", "tile=3d", "set=chow", "tile=4c", "set=kong", "tile=5b", "tile=Ww", "tile=Ww", "win=drawn", "in=Ww"];

// the smallest and the widest, or all
const SIZES = [[390, 844], [360, 640], [320, 568], [844, 390]].slice(job.whole ? 0 : 2);
// at each size: hand, score and all tiles are on the screen together, and no key moves whatever is tapped
async function still(page) {
  const keys = () => page.$$eval(".board button:not(.tile):not(.flags button)", (all) => all.map((key) => `${JSON.stringify(key.dataset)}${key.matches(".wins *") ? key.textContent : ""} ${["x", "y", "width", "height"].map((name) => key.getBoundingClientRect()[name])}`));
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    const before = await keys();
    const outside = await page.$$eval('[data-tile], [data-set], [data-key], [data-do="happened"], [data-type="number"], [data-show="score"], .area, .seat', (all) =>
      all.filter((one) => one.checkVisibility() && one.closest(".board")).map((one) => [one.outerHTML.slice(0, 40), one.getBoundingClientRect()]).filter(([, { top, left, bottom, right }]) => top < 0 || left < 0 || bottom > innerHeight || right > innerWidth),
    );
    equal(outside, [], `outside at ${width}`);
    // as a finger does: at the places where the keys were
    const places = {};
    for (const key of ["set=chow", "set=kong", "tile=5b", "tile=2d", "tile=3d", "tile=5c", "tile=Rd", "tile=1f", "key=back"]) {
      const { x, y, width: wide, height: high } = await page.locator(`[data-${key.replace("=", '="')}"]`).first().boundingBox();
      places[key] = [x + wide / 2, y + high / 2];
    }
    for (const key of ["set=kong", "tile=2d", "set=kong", "tile=3d", "set=kong", "tile=5c", "set=chow", "tile=5b", "tile=Rd", "tile=1f", "tile=1f"]) {
      await page.touchscreen.tap(...places[key]);
    }
    await shown(page, "read", /\(2222d\) \(3333d\) \(5555c\) \(567b\) Rd 1f/);
    await shown(page, "error", /./);
    const after = await keys();
    equal(after.filter((key) => !before.includes(key)), [], `moved at ${width}`);
    equal(await page.evaluate(() => [scrollX, scrollY]), [0, 0], "scrolled");
    // a tile of the hand is as large as a finger, and the one tapped last is to be seen
    const [last, area] = [await page.locator(".single button").last().boundingBox(), await page.locator(".area").boundingBox()];
    equal([last.width >= 44, last.height >= 44, last.y >= area.y, last.y + last.height <= area.y + area.height + 1], [true, true, true, true], `the last tile at ${width}`);
    await clear(page);
    await shown(page, "read", "");
  }
  await page.setViewportSize({ width: 390, height: 844 });
}

// the sides of the table: whole, and none over another or over what stands in the middle
async function apart(page, what) {
  const lying = await page.$$eval("[data-show=\"table\"] > *", (all) => all.filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect().toJSON()));
  const over = lying.some((one, number) => lying.slice(number + 1).some((other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom));
  const { width, height } = page.viewportSize();
  const out = lying.some(({ left, top, right, bottom }) => left < -1 || top < -1 || right > width + 1 || bottom > height + 1);
  if (over || out) throw new Error(`the sides of the table lie over each other or outside ${what}: ${JSON.stringify(lying)}`);
}

// the card after a hand: all of it is on the screen, at each size, and each score shows its sheet
async function card(page, title, ...parts) {
  const place = page.locator('[data-show="card"]');
  await shown(page, "card", new RegExp(`^${title}`));
  for (const part of parts) await shown(page, "card", new RegExp(part));
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    const cut = await place.evaluate((one) => [one, ...one.querySelectorAll("*")].filter((part) => part.getBoundingClientRect().bottom > innerHeight + 1 || part.scrollHeight > part.clientHeight + 2).map((part) => part.outerHTML.slice(0, 60)).filter((part) => !/^<(b|small|span)/.test(part)));
    equal(cut, [], `below the fold at ${width}`);
  }
  await page.setViewportSize({ width: 390, height: 844 });
}
const onCard = (page, word) => page.locator('[data-show="card"] .keys').getByText(word, { exact: true }).click();
async function happens(page, title, ...choices) {
  await tap(page, "do=happened");
  const dialog = page.locator("dialog[open]");
  await dialog.getByText(title, { exact: true }).click();
  for (const [name, value] of choices) {
    const field = dialog.locator(`[name="${name}"]`);
    if ((await field.first().getAttribute("type")) === "radio") await dialog.locator(`[name="${name}"][value="${value}"]`).check();
    else await field.fill(value);
  }
  if (choices.length) await dialog.getByText("Record it").click();
}

// ---- scenarios

const scenarios = {
  // a hand of each kind, tapped by the handles alone
  async hands(kept, place) {
    const { phone, open, served } = place;
    const context = await phone();
    const page = await open(context);
    kept.python = await page.getAttribute("body", "data-python");
    kept.started = Number(await page.evaluate(() => performance.now()));
    // all that there is was fetched, and once
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    kept.bytes = place.bytes;
    equal(served.filter((address, place) => served.indexOf(address) !== place), [], "fetched twice");
    const all = await page.evaluate(async () => Object.keys(await (await caches.match("files.json")).json()));
    equal(all.filter((name) => !served.includes(`/${name}`)), [], "not fetched");
    // the keys answer as soon as they are said to be ready
    for (const hand of job.hands) {
      await page.selectOption('[data-choose="rulebook"]', hand.rulebook);
      await page.selectOption('[data-choose="seat"]', hand.seat);
      await page.selectOption('[data-choose="round"]', hand.round);
      for (const key of hand.taps) await tap(page, key);
      await shown(page, "read", hand.read);
      await shown(page, "score", String(hand.score));
      equal(await text(page, "error"), "", hand.read);
      await clear(page);
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
    // a set in the middle goes out, and comes back
    await type(page, "e ...");
    await clear(page);
    await tap(page, "set=pung", "tile=1b", "set=pung", "tile=2b", "set=chow", "tile=4c", "tile=Rd", "in=2b");
    await shown(page, "hint", /to remove this set/);
    await tap(page, "key=back");
    await shown(page, "read", /: \(111b\) \(456c\) Rd/);
    await tap(page, "key=back");
    await shown(page, "read", /: \(111b\) \(456c\) \.\.\./);
    await tap(page, "key=undo", "key=undo");
    await shown(page, "read", /: \(111b\) \(456c\) 222b Rd/);
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
    // in a drill a question is answered with number keys, and the next one is another
    await page.setViewportSize({ width: 320, height: 568 });
    await page.click("nav a[href='#drill']");
    await shown(page, "question", /alone score\?$/);
    await tap(page, "digit=9", "digit=7");
    equal(await page.inputValue('[data-type="guess"]'), "97");
    await tap(page, "key=next");
    await shown(page, "answer", /it is \d+\.|^It is \d+\./);
    const right = (await text(page, "answer")).match(/\d+/)[0];
    const question = await text(page, "drill");
    await tap(page, "key=next");
    await shown(page, "answer", "");
    equal([question[0], (await text(page, "drill"))[0], right === "97"], ["1", "2", false]);
    equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    await page.setViewportSize({ width: 390, height: 844 });
    // an evening by a rulebook of one's own carries it
    equal(await page.textContent('[value="house-rules.toml"]'), "Thursday Club rules (your own)");
    await page.click("nav a[href='#evening']");
    await begin(page, "house-rules.toml", "");
    const [evening] = await Promise.all([page.waitForEvent("download"), tap(page, "key=share")]);
    kept.carrying = readFileSync(await evening.path(), "utf-8");
    equal(kept.carrying.startsWith(await stored(page)), true, "the evening that carries its rulebook");
    await context.close();
  },

  // an evening of eight hands, in numbers, tiles and lines; undone; storage full; offline, in a
  // second tab; lost and opened again
  async evening(kept, { phone, open, served, serve, stop, address }) {
    const context = await phone(390, 844, { hasTouch: true });
    const page = await open(context, "#evening", true, () => {
      window.felt = 0;
      navigator.vibrate = () => (window.felt += 1);
    });
    await begin(page);
    await still(page);
    if (!(await page.evaluate(() => window.felt))) throw new Error("a refused touch is not felt");
    await tap(page, ...WINNER);
    kept.winner = WINNER.length;
    if (job.pictures) await page.screenshot({ path: join(job.pictures, "evening.png") });
    // its sheet is a touch away
    await shown(page, "score", "36");
    await tap(page, "do=sheet");
    await shown(page, "dialog", /^Score 36.*Mah-Jongg.*Babcock p. 35/);
    await tap(page, "do=close", "key=next");
    const loser = ["set=pung", "tile=Rd", "set=kong", "tile=Gd"];
    await tap(page, ...loser);
    kept.loser = loser.length;
    await tap(page, "key=next");
    kept.nothing = 0;
    await tap(page, "key=next", "key=next");
    await shown(page, "under-way", /hand 2$/);
    kept.first = await told(page);
    await card(page, "hand 1: Ann wins 36", "Ben pays Ann 72", "Old Cid hands Ann: 1 × 100");
    await page.click('[data-show="card"] button:has-text("80")');
    await shown(page, "dialog", /^Ben: 80.*Red dragons: doubles once.*Babcock p. 35/);
    await tap(page, "do=close");
    await onCard(page, "Next hand");
    equal(await page.locator('[data-show="card"]').isVisible(), false, "the card");
    await shown(page, "played", /^hand 1: Ann wins 36 Ann \+216/);
    // one undo for everything, in the order in which it was done, and it says what it takes back
    const first = await stored(page);
    await tap(page, "tile=5c", "tile=6c");
    await longPress(page);
    await shown(page, "read", "");
    for (const [says, then] of [["cleared", /56c/], ["6 characters", /5c \.\.\./], ["5 characters", /^$/]]) {
      equal(await page.textContent('[data-key="undo"]:visible small'), says);
      equal(await stored(page), first, "the settled hand");
      await tap(page, "key=undo");
      await shown(page, "read", then);
    }
    equal(await page.textContent('[data-key="undo"]:visible small'), "hand 1: Ann wins 36");
    // numbers, and from whom
    await page.fill('[data-type="number"]', "64");
    await page.click('[aria-label="from Dee"]');
    await tap(page, "key=next", "key=nothing", "key=next", "key=next", "key=next");
    await shown(page, "under-way", /hand 3$/);
    // as in play
    await type(page, "2 8 64w 0");
    await shown(page, "under-way", /hand 4$/);
    await happens(page, "Nobody won");
    await shown(page, "card", /^the draw, hand 4/);
    for (const line of ["e 20", "s 64 win", "w 0", "n 2"]) await type(page, line);
    await shown(page, "under-way", /hand 6$/);
    await page.fill('[data-type="line"]', "w 123b4");
    await shown(page, "live", /West .*: 3 of 13 tiles/);
    for (const [number, line] of ["2 4 8 20w", "4 20w 0 2", "e 2 s 0 w 0 n 96 win", "300w 0 0 0"].entries()) {
      await type(page, line);
      await shown(page, "under-way", new RegExp(`hand ${number + 7}$`));
    }
    if ((await page.locator("[data-show='entries'] .entry").count()) !== 9) throw new Error(await text(page, "entries") + (await stored(page)));
    const before = await told(page);
    kept.totals = before;
    kept.text = await stored(page);
    // an earlier hand put right on the keyboard, while one is under way; what that changes is shown before it is taken
    await tap(page, "tile=5c");
    await shown(page, "read", /5c/);
    await page.click("[data-show='entries'] li:last-child button");
    await onCard(page, "Correct");
    await shown(page, "mending", /^hand 1/);
    await shown(page, "read", /\(222d\) \(333d\)/);
    await tap(page, "do=done");
    await shown(page, "error", /nothing has been changed/);
    await page.click(".seat.W");
    await page.fill('[data-type="number"]', "32");
    await tap(page, "do=done");
    await shown(page, "card", /hand 1: what this changes.*Old Cid 0 → 32/);
    equal(await stored(page), kept.text, "before it is taken");
    await onCard(page, "Yes, write it");
    await shown(page, "card", /^hand 1.*To correct the counters/s);
    if (!(await stored(page)).includes('"Old Cid": 32')) throw new Error("it is not written");
    await onCard(page, "Undo");
    await shown(page, "card", /^Undone.*To correct the counters/s);
    equal(await stored(page), kept.text, "undone");
    await tap(page, "do=leave");
    await shown(page, "read", /5c/);
    for (const [step, then] of [["hand 1: cancelled", /^hand 1/], ["32", /^hand 1/], ["hand 1: corrected", /^$/], ["5 characters", /^$/]]) {
      equal(await page.textContent('[data-key="undo"]:visible small'), step);
      await tap(page, "key=undo");
      await shown(page, "mending", then);
    }
    await shown(page, "read", "");
    equal(await stored(page), kept.text, "undone");
    // storage that is full is said where one looks, and has everything as soon as it is not
    await page.evaluate(() => {
      window.storing = IDBObjectStore.prototype.put;
      IDBObjectStore.prototype.put = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    });
    await tap(page, "tile=6c");
    await shown(page, "unkept", "not stored!");
    await shown(page, "news", /full/);
    for (const name of ["unkept", "news"]) {
      const { y, height } = await page.locator(`[data-show="${name}"]`).boundingBox();
      if (y < 0 || y + height > 844) throw new Error(`${name} is at ${y}`);
    }
    await page.evaluate(() => (IDBObjectStore.prototype.put = window.storing));
    await tap(page, "tile=7c");
    await shown(page, "unkept", "");
    // a second tab, without a server, looks on until the first is closed
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await stop();
    const count = served.length;
    const second = await open(context, "#evening", false);
    await shown(second, "totals", /Ann/); // from what is stored, before Python is there
    equal(await told(second), before, "totals before Python");
    await shown(second, "news", /another tab/);
    await tap(second, "tile=5c");
    await shown(second, "error", /another tab/);
    await page.close();
    await shown(second, "news", "");
    // what was done in the other is undone here
    await ready(second);
    await shown(second, "read", /67c/);
    await tap(second, "key=undo", "key=undo", "key=undo");
    await shown(second, "under-way", /hand 9$/);
    await second.click('[data-do="redo"]:visible');
    await shown(second, "under-way", /hand 10$/);
    equal(await told(second), before, "totals after redo");
    await type(second, "20w 0 0 0");
    await shown(second, "under-way", /hand 11$/);
    await second.goto(address("#hand"));
    await tap(second, "tile=5c");
    await shown(second, "read", /5c/);
    equal(served.length, count, "requests");
    await second.goto(address("#evening"));
    await serve();
    await tap(second, "tile=5c");
    await shown(second, "read", /5c/);
    // shared; another evening begins beside it; both are named, deleted and had again, and opened from the list
    const [download] = await Promise.all([second.waitForEvent("download"), tap(second, "key=share")]);
    const file = await download.path();
    equal(readFileSync(file, "utf-8"), await stored(second), "the file that is shared");
    const last = await told(second);
    await second.click('[data-do="fresh"]:visible');
    await begin(second, "harr", "");
    if ((await stored(second)).includes("babcock")) throw new Error("no other evening began");
    const list = (word) => second.locator('[data-show="evenings"] li:has-text("+")').getByText(word, { exact: true });
    await second.click("nav a[href='#evenings']");
    equal(await second.locator('[data-show="evenings"] li').count(), 2, "evenings");
    await list("Rename").click();
    await second.fill('[data-show="evenings"] input', "Tea at Ann's");
    await second.press('[data-show="evenings"] input', "Enter");
    await shown(second, "evenings", /Tea at Ann's/);
    await list("Delete").click();
    equal(await second.locator('[data-show="evenings"] li').count(), 1, "evenings but the deleted one");
    equal(await second.textContent('[data-key="undo"]:visible small'), "Tea at Ann's deleted");
    await tap(second, "key=undo");
    await list("Open").click();
    await shown(second, "under-way", /hand 11$/);
    equal(await told(second), last, "totals of the evening");
    await tap(second, "key=undo", "key=undo"); // opened another one, named this one
    await shown(second, "under-way", /hand 1$/);
    await second.setInputFiles('[data-type="file"]', { name: "evening.mj", mimeType: "text/plain", buffer: readFileSync(file) });
    await shown(second, "under-way", /hand 11$/);
    await second.setInputFiles('[data-type="file"]', { name: "twice.mj", mimeType: "text/plain", buffer: Buffer.from(job.evening) });
    await shown(second, "news", "twice.mj is open");
    await second.click("nav a[href='#evenings']");
    equal(await second.locator('[data-show="evenings"] li').count(), 3, "evenings with that of the file");
    await list("Open").first().click();
    equal(await told(second), last, "totals of the file");
    // what opens and does not hold changes nothing
    for (const [name, content] of [["bad.mj", "players A B\nhand\n  A: x\n"], ["bad.toml", "extends = 7"], ["long.mj", "x".repeat(3_000_000)]]) {
      await second.setInputFiles('[data-type="file"]', { name, mimeType: "text/plain", buffer: Buffer.from(content) });
      await shown(second, "news", /./);
      await second.evaluate(() => (document.querySelector('[data-show="news"]').textContent = ""));
    }
    equal(await stored(second), readFileSync(file, "utf-8"), "the evening after bad files");
    // an older copy is told, and one that has gone apart; neither takes the place of the other
    const whole = readFileSync(file, "utf-8");
    const older = whole.slice(0, whole.lastIndexOf("\nhand") + 1);
    for (const [name, content, title, answer, left] of [["older.mj", older, "The copy on this phone is newer", "Continue with the newer", whole], ["apart.mj", `${older}note tea\n`, "Two copies have diverged", "Keep both", `${older}note tea\n`]]) {
      await second.setInputFiles('[data-type="file"]', { name, mimeType: "text/plain", buffer: Buffer.from(content) });
      await shown(second, "card", new RegExp(title));
      await card(second, title, "The file", "On this phone");
      await onCard(second, answer);
      await second.waitForFunction((wanted) => localStorage["mjscore.evening"] === wanted, left);
    }
    await second.goto(address("#page"));
    await second.waitForFunction(() => document.querySelector('[data-show="page"] div')?.shadowRoot?.textContent.includes("Standings"));
    if (job.pictures) await second.screenshot({ path: join(job.pictures, "report.png") });
    await context.close();
  },

  // the browser killed a moment after a hand was settled: it is there, and its steps; killed between any two taps: what was
  // tapped is there, and the evening
  async killed(kept, { open }) {
    const folder = mkdtempSync(join(job.folder, "profile"));
    const launched = async () => {
      const command = [...args, "--headless", "--remote-debugging-port=0", `--user-data-dir=${folder}`, "--no-first-run", "about:blank"];
      const child = spawn(job.browser, command, { detached: true, stdio: ["ignore", "ignore", "pipe"] });
      const address = await new Promise((resolve) => {
        let said = "";
        child.stderr.on("data", (data) => {
          said += data;
          const found = /DevTools listening on (\S+)/.exec(said);
          if (found) resolve(found[1]);
        });
      });
      const [context] = (await chromium.connectOverCDP(address)).contexts();
      context.setDefaultTimeout(40_000);
      return { context, kill: () => process.kill(-child.pid, "SIGKILL") };
    };
    let { context, kill } = await launched();
    try {
      let page = await open(context, "#evening");
      await begin(page, "harr", "");
      const begun = await stored(page);
      await type(page, "64w 8 2 0");
      await shown(page, "under-way", /hand 2$/);
      await tap(page, "tile=5c");
      const evening = await stored(page);
      if (!evening.startsWith(begun) || evening === begun) throw new Error("the hand is not kept");
      await page.waitForTimeout(300);
      kill();
      await new Promise((resolve) => setTimeout(resolve, 300));
      ({ context, kill } = await launched());
      page = await open(context, "", false, noPython); // as from the home screen
      await shown(page, "totals", /Ann/);
      await page.waitForFunction((wanted) => localStorage["mjscore.evening"] === wanted, evening);
      equal(JSON.parse(await stored(page, "draft")).taps.E, ["5c"], "the tap before");
      await tap(page, "key=undo");
      for (const [number, key] of WINNER.slice(0, 10).entries()) {
        await tap(page, key);
        const kills = [1, 5, 9].includes(number); // behind the key of a set, behind a tile, behind the last one
        if (kills) {
          await page.close();
          page = await open(context, "#evening", false, number < 9 ? noPython : undefined);
          await shown(page, "under-way", /hand 2$/);
        }
        equal(await stored(page), evening, "the evening");
        equal(JSON.parse(await stored(page, "draft")).taps.E?.length, number + 1, `taps after ${number + 1}`);
      }
      await ready(page);
      await shown(page, "hint", /^Fourteen tiles/);
      await tap(page, "win=drawn", "in=Ww", "key=next", "key=next", "key=next", "key=next");
      await shown(page, "under-way", /hand 3$/);
      // and so are its steps
      await onCard(page, "Undo");
      await shown(page, "under-way", /hand 2$/);
      // a tap and what came just before the end of a browser may be one step
      const tapped = async () => JSON.parse(await stored(page, "draft")).taps.E?.length ?? 0;
      for (let left = await tapped(); left; left = await tapped()) {
        await tap(page, "key=undo");
        await page.waitForFunction((left) => (JSON.parse(localStorage["mjscore.draft"]).taps.E?.length ?? 0) < left, left);
      }
      await shown(page, "read", "");
      equal(await page.locator('[data-key="undo"] small').first().textContent(), "64w 8 2 0");
      await tap(page, "key=undo");
      await shown(page, "under-way", /hand 1$/);
      equal(await stored(page), begun, "undone");
    } finally {
      kill();
    }
  },

  // what was kept by version 1.0 opens; from 320 pixels to a desk, with text twice as large, in the dark, nothing is cut off at
  // the side; names are no markup
  async widths(kept, { phone, open }) {
    const context = await phone(390, 844, { serviceWorkers: "block" });
    await context.addInitScript((given) => {
      if (localStorage.length) return;
      const draft = { text: given, taps: { S: ["5c"] }, seat: "S" };
      const steps = { text: given, past: [{ text: given.replace(/\nhand[^]*/, "\n"), taps: {} }], future: [] };
      for (const [name, value] of Object.entries({ draft, steps })) localStorage[`mjscore.${name}`] = JSON.stringify(value);
      localStorage["mjscore.evening"] = given;
      localStorage["mjscore.hand"] = JSON.stringify({ taps: ["line W: 1b ..."], seat: "W", round: "S", rulebook: "bmja", options: {} });
      navigator.vibrate = () => (window.felt = true);
      const lock = Object.assign(new EventTarget(), { release: async () => (window.awake = lock.dispatchEvent(new Event("release")) && false) });
      Object.defineProperty(navigator, "wakeLock", { value: { request: async () => (window.awake = true) && lock } });
    }, job.evening.replaceAll("Dee", '"<b>D</b>"'));
    const page = await open(context);
    await shown(page, "read", "W@S: 1b ...");
    equal(await page.inputValue('[data-choose="rulebook"]'), "bmja");
    await page.click("nav a[href='#evening']");
    await shown(page, "totals", /<b>D<\/b>/);
    // the screen stays on for as long as an evening is looked at, unless that is not wanted
    const awake = (wanted) => page.waitForFunction((is) => window.awake === is, wanted);
    await awake(true);
    await tap(page, "do=awake");
    await awake(false);
    await tap(page, "do=awake");
    await awake(true);
    for (const [width, height, large] of [[320, 640, false], [390, 844, true], [844, 390, false], [1280, 800, false]]) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: large ? "dark" : "light", reducedMotion: "reduce" });
      await page.evaluate((size) => (document.documentElement.style.fontSize = size), large ? "200%" : "");
      for (const hash of ["#evening", "#hand", "#table", "#page"]) {
        await page.evaluate((wanted) => (location.hash = wanted), hash);
        await page.waitForFunction((mode) => document.body.classList.contains(mode.slice(1)), hash);
        const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        if (wide > room) throw new Error(`${hash} at ${width} is ${wide} wide`);
        if (!large) await apart(page, `at ${width}`);
      }
      const small = await page.evaluate(() => {
        location.hash = "#hand";
        return [...document.querySelectorAll("button[data-tile]")].filter((key) => key.clientWidth && (key.clientWidth < 35 || key.clientHeight < (innerHeight < 600 && innerWidth < innerHeight ? 44 : 48))).length;
      });
      equal(small, 0, `small keys at ${width}`);
      const silent = await page.evaluate(() => [...document.querySelectorAll("button, input:not([hidden]), select")].filter((one) => !one.labels?.length && !one.ariaLabel && !one.textContent.trim()).length);
      equal(silent, 0, "keys without words");
      if (job.pictures && large) await page.screenshot({ path: join(job.pictures, "large.png") });
    }
    await page.setViewportSize({ width: 390, height: 844 });
    // the table is read at arm's length, from each side or from one
    await page.click("nav a[href='#table']");
    const turned = () => page.$$eval(".side strong", (all) => all.map((one) => [`${getComputedStyle(one.parentElement).rotate} ${getComputedStyle(one).writingMode}`, parseInt(getComputedStyle(one).fontSize) > 30]));
    equal((await turned()).map(([turn]) => turn).toSorted(), ["180deg horizontal-tb", "180deg vertical-rl", "none horizontal-tb", "none vertical-rl"]);
    await page.click(".round button");
    equal((await turned()).every(([turn, isLarge]) => turn === "none horizontal-tb" && isLarge), true, "all one way");
    await page.click("nav a[href='#evening']");
    await shown(page, "read", /5c/);
    equal(await page.getAttribute(".seat.S", "aria-pressed"), "true");
    await tap(page, "key=undo");
    await shown(page, "under-way", /hand 1$/);
    // names: each stands in its place, and nothing of them turns what is beside it around
    await page.click('[data-do="fresh"]:visible');
    for (const [number, name] of ["A\u202enn", "", "Cid", "Dee"].entries()) await page.fill(`[data-player="${number + 1}"]`, name);
    await page.click('[data-do="begin"]');
    await shown(page, "news", /player 2 has no name/);
    await page.fill('[data-player="2"]', "Ben");
    await page.fill('[data-player="5"]', "Eve");
    await page.selectOption('[data-choose="rulebook"]', "bmja");
    await page.click('[data-do="begin"]');
    await shown(page, "news", /no place for a fifth(?!.*--)/);
    await page.fill('[data-player="5"]', "");
    await page.click('[data-do="begin"]');
    await shown(page, "under-way", /hand 1$/);
    await page.click(".seat.S");
    await page.waitForSelector("[aria-label='from A\\\\u{202e}nn']");
    if ((await page.textContent("main")).includes("\u202e")) throw new Error("a name turns the line around");
    // before the first hand its rules may be others
    await tap(page, "do=rules");
    await page.selectOption('dialog [data-option="limit"]', "500");
    await page.waitForFunction(() => localStorage["mjscore.evening"].includes("set limit 500"));
    await tap(page, "do=close"); // at once: it stays closed
    // a false Mah-Jongg, a payment that is put right, a friend who comes late: by fingers alone
    await happens(page, "False Mah-Jongg", ["who", "Ben"]);
    await card(page, "the false win 0a", "Ben pays Cid");
    await happens(page, "A payment", ["who", "Cid"], ["to", "Ben"], ["points", "4O"]);
    await shown(page, "dialog", /4O' is not a score/);
    await page.fill('dialog [name="points"]', "40");
    await page.click("dialog >> text=Record it");
    await card(page, "the payment 0b", "Cid pays Ben 40");
    await onCard(page, "Correct");
    await page.check('dialog [name="to"][value="Dee"]');
    await page.click("dialog >> text=Record it");
    await shown(page, "card", /the payment 0b: what this changes/);
    await onCard(page, "Yes, write it");
    await shown(page, "card", /Cid pays Dee 40/);
    await happens(page, "A friend comes or goes", ["comes", "Eve"], ["for", "Ben"]);
    await shown(page, "card", /Eve for Ben/);
    await onCard(page, "Next hand");
    await shown(page, "seats", /SouthEve/);
    await page.click("nav a[href='#table']");
    await apart(page, "with short names");
    await page.click("nav a[href='#evening']");
    // letters are tiles, arrows lead through a row, and a row is one stop
    await page.click(".seat.S");
    for (const key of ["p", "5", "c", "w", "d", "e", "Backspace"]) await page.keyboard.press(key);
    await shown(page, "read", /\(555c\) Wd/);
    const at = () => page.evaluate(() => document.activeElement.dataset.tile ?? document.activeElement.dataset.win ?? "");
    await page.focus('[data-tile="5c"]');
    for (const key of ["ArrowRight", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    equal(await at(), "Rd", "by arrows");
    await page.keyboard.press("Tab");
    equal(await at(), "drawn", "the next stop");
    await page.keyboard.press("Shift+Tab");
    equal(await at(), "Rd", "the focus comes back");
    const small = await page.$$eval(".board :is(button, input, select, a), .ends button", (all) => all.filter((one) => one.checkVisibility() && !one.matches(".tile, .key")).map((one) => [one.outerHTML.slice(0, 50), one.getBoundingClientRect()]).filter(([, { width, height }]) => Math.min(width, height) < 44));
    equal(small, [], "too small for a finger");
    await context.close();
  },

  // another version is put on the server while the evening is open: the old one goes on, whole, until it is closed
  async updated(kept, { phone, open, served, instead }) {
    const context = await phone(390, 844, { locale: "fr-CH" });
    let page = await open(context, "#hand", false, () => {
      if (localStorage["mjscore.language"] !== '"de"') window.Worker = class { postMessage() {} }; // Python in German alone
    });
    // in the language of the browser
    const words = () => page.evaluate(() => [document.documentElement.lang, document.querySelector("nav").textContent, document.querySelector('[data-tile="2b"]').ariaLabel, document.querySelector('[data-type="line"]').placeholder]);
    const french = ["fr", "MainSoiréeListeTableBilanQuiz", "2 bambou", "ou tapez une ligne, puis Entrée"];
    await page.waitForSelector("html[lang=fr]");
    equal(await words(), french);
    await page.evaluate(() => navigator.serviceWorker.register("service.js")); // which the page does when Python is there
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    // the same but for its words, under another name
    const [, version] = /version = "([^"]+)"/.exec(readFileSync(join(job.site, "service.js"), "utf-8"));
    const next = (text) => text.replaceAll(version, "1.0.1-next");
    instead.set("/service.js", (text) => next(text).replace(/(words\/en.json": ")/, "$1x"));
    instead.set("/index.html", (text) => next(text).replace("<body", '<body data-next="yes"'));
    const count = served.length;
    await page.evaluate(() => navigator.serviceWorker.getRegistration().then((registration) => registration.update()));
    while (!(await page.evaluate(() => navigator.serviceWorker.getRegistration().then(({ waiting }) => waiting !== null)))) await page.waitForTimeout(50);
    // of which only what changed is fetched
    equal(served.slice(count).filter((address) => !/index.html|service.js/.test(address)), ["/1.0.1-next/words/en.json"], "fetched");
    // another language is chosen, and the page loads itself anew
    const choose = async (language) => {
      await Promise.all([page.waitForEvent("load"), page.selectOption('[data-choose="language"]', language)]);
      await page.waitForSelector(`html[lang=${language}]`);
      equal(await page.getAttribute("body", "data-next"), null, "the page while it is open");
    };
    await choose("de");
    await ready(page);
    await tap(page, "tile=Ew", "tile=Ew", "tile=Ew", "tile=Ew");
    await page.waitForSelector('[data-tile="Ew"][aria-disabled]');
    await tap(page, "tile=Ew");
    await shown(page, "error", "Ostwind gibt es nur viermal"); // what is refused too
    await type(page, "E: 12x"); // what the page has no words for
    await shown(page, "error", /no class of tiles/);
    equal(await words(), ["de", "HandAbendAlleTischBerichtÜben", "Bambus 2", "oder eine Zeile tippen, dann Enter"]);
    await page.click("nav a[href='#evening']");
    await begin(page, "harr", "", "Ost-Runde, Spiel 1");
    const evening = await stored(page);
    await choose("fr");
    equal(await words(), french);
    await page.close();
    // the browser turns to the new one some time after the last page of the old one is gone
    for (let turn = 0; turn < 5; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      page = await open(context, "#evening", false, noPython);
      const isNext = (await page.getAttribute("body", "data-next")) === "yes";
      await page.close();
      if (isNext) break;
    }
    page = await open(context, "#evening");
    equal(await page.getAttribute("body", "data-next"), "yes", "the page opened anew");
    await type(page, "20w 0 0 0");
    await shown(page, "under-way", "Tour : Est, donne 2");
    await shown(page, "card", /^donne 1 : Ann gagne avec 20/);
    if ((await stored(page)) === evening || !(await stored(page)).startsWith(evening)) throw new Error("the evening is lost");
    await context.close();
  },

  // Python that does not start: the evening can still be shared; without the memory of this build it starts plainly
  async broken(kept, { phone, open, missing, faults }) {
    missing.add("pyodide.asm.wasm.bin");
    const context = await phone(390, 844, { serviceWorkers: "block" });
    await context.addInitScript((given) => localStorage.setItem("mjscore.evening", given), job.evening);
    let page = await open(context, "#evening", false);
    await shown(page, "state", /does not start/);
    const [download] = await Promise.all([page.waitForEvent("download"), tap(page, "key=share")]);
    equal(readFileSync(await download.path(), "utf-8"), job.evening);
    await context.close();
    missing.clear();
    missing.add("snapshot.bin");
    const second = await phone(390, 844, { serviceWorkers: "block" });
    // a link holds an evening, which opens by a touch with the rulebook that it carries, which this phone has not
    page = await open(second, `#mj=${deflateRawSync(job.carrying).toString("base64url")}`);
    equal(await page.getAttribute("body", "data-python"), "files");
    equal([await stored(page), new URL(page.url()).hash], [null, ""], "before it is opened");
    await tap(page, "do=take");
    await shown(page, "totals", /Ann \+84/);
    await tap(page, "do=link");
    const link = await page.inputValue('[data-show="link"]');
    equal(inflateRawSync(Buffer.from(link.split("#mj=")[1], "base64url")).toString(), job.carrying, "the link");
    await tap(page, "do=close");
    await page.evaluate(() => (location.hash = "#mj=nonsense"));
    await shown(page, "dialog", /does not hold a whole evening/);
    await tap(page, "do=close");
    await page.click("nav a[href='#evening']");
    await tap(page, "tile=5c");
    await shown(page, "read", /5c/);
    await second.close();
    faults.length = 0; // what is missing is told by the browser too
  },
};

const results = {};
const seconds = {};
const kept = {};
// side by side, since each waits most of its time for a Python that starts
const left = Object.entries(scenarios).filter(([name]) => !job.only || job.only === name);
async function runs() {
  for (let next = left.shift(); next; next = left.shift()) {
    const [name, scenario] = next;
    const start = Date.now();
    const here = place();
    await here.serve();
    try {
      await scenario(kept, here);
      results[name] = here.faults.length ? `told by the browser: ${here.faults.join("; ")}` : null;
    } catch (error) {
      results[name] = `${error.message}\n${error.stack.split("\n").filter((line) => line.includes("page.mjs")).join("\n")}\n${here.faults.join("\n")}`;
    }
    seconds[name] = (Date.now() - start) / 1000;
    await here.stop();
  }
}
await Promise.all([runs(), runs(), runs()]);
await browser.close();
console.log(JSON.stringify({ results, seconds, kept, elsewhere }));
