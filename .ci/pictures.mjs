// Draws the overview, light and dark, and writes the drawings of FOLDER small:   node pictures.mjs PLAYWRIGHT BROWSER FOLDER OUT
// .ci/pictures calls it, and serves the page for a phone of FOLDER/site; terminal.html and evening.html lie in FOLDER too.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";

const [playwright, executablePath, folder, out] = process.argv.slice(2);
const { chromium } = await import(playwright);
const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
const COLOURS = {
  light: { back: "#ffffff", frame: "#d0cabc", window: "#fffef9", ink: "#20251f", faint: "#6a6a5e" },
  dark: { back: "#0d1117", frame: "#3a4048", window: "#161b1f", ink: "#e9e6da", faint: "#a09c8c" },
};
const address = "http://127.0.0.1:8347/index.html#evening";
const TAPS = ["set=pung", "tile=Rd", "set=kong", "tile=Gd", "set=chow", "tile=4b", "tile=7d", "tile=7d"];

// A PNG of at most 256 colours: those that stand most often, and for the others the nearest of them.
async function small(png) {
  const page = await browser.newPage();
  const { width, height, data } = await page.evaluate(async (source) => {
    const image = await createImageBitmap(await (await fetch(source)).blob());
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    const pixels = context.getImageData(0, 0, image.width, image.height).data;
    let text = "";
    for (let at = 0; at < pixels.length; at += 30_000) text += String.fromCharCode(...pixels.subarray(at, at + 30_000));
    return { width: image.width, height: image.height, data: btoa(text) };
  }, as_data(png));
  await page.close();
  const pixels = Buffer.from(data, "base64");
  const seen = new Map();
  for (let at = 0; at < pixels.length; at += 4) {
    const colour = pixels.readUIntBE(at, 3);
    seen.set(colour, (seen.get(colour) ?? 0) + 1);
  }
  const parts = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];
  const palette = [];
  // colours that hardly differ share a place
  for (const [colour] of [...seen].toSorted((one, other) => other[1] - one[1])) {
    const near = (other) => parts(other).every((part, at) => Math.abs(part - parts(colour)[at]) < 10);
    if (palette.length < 256 && !palette.some(near)) palette.push(colour);
  }
  const distance = (one, other) => parts(one).reduce((sum, part, at) => sum + (part - parts(other)[at]) ** 2, 0);
  const places = new Map([...seen.keys()].map((colour) => [colour, palette.reduce((best, other, at) => (distance(colour, other) < distance(colour, palette[best]) ? at : best), 0)]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rows[y * (width + 1) + x + 1] = places.get(pixels.readUIntBE((y * width + x) * 4, 3));
  const chunk = (name, content) => {
    const named = Buffer.concat([Buffer.from(name), content]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(content.length);
    ends.writeUInt32BE(crc32(named), 4);
    return [ends.subarray(0, 4), named, ends.subarray(4)];
  };
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0]);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  const chunks = [chunk("IHDR", head), chunk("PLTE", Buffer.from(palette.flatMap(parts))), chunk("IDAT", deflateSync(rows, { level: 9 })), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([signature, ...chunks.flat()]);
}

const as_data = (png) => `data:image/png;base64,${png.toString("base64")}`;

async function phone(colorScheme) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, colorScheme });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  await page.goto(address.replace("#evening", "#hand"));
  await page.waitForFunction(() => document.querySelector('[data-show="state"]')?.textContent === "ready");
  for (const key of TAPS) {
    const [name, value] = key.split("=");
    await page.click(`[data-${name}="${value}"]:visible`);
  }
  await page.waitForFunction(() => document.querySelector('[data-show="score"]').textContent === "80");
  const shot = await page.screenshot();
  await context.close();
  return as_data(shot);
}

async function evening(colorScheme) {
  const context = await browser.newContext({ viewport: { width: 1080, height: 640 }, deviceScaleFactor: 1.5, colorScheme });
  const page = await context.newPage();
  await page.setContent(readFileSync(join(folder, "evening.html"), "utf-8"));
  const shot = await page.screenshot();
  await context.close();
  return as_data(shot);
}

for (const [scheme, colours] of Object.entries(COLOURS)) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 700 }, deviceScaleFactor: 1.5 });
  const page = await context.newPage();
  await page.setContent(`<style>
    body { margin: 0; background: ${colours.back}; }
    main { display: grid; grid-template-columns: 640px 318px; gap: 18px; padding: 4px; width: max-content; }
    section, img.phone { border: 1px solid ${colours.frame}; border-radius: 10px; overflow: hidden; }
    pre { margin: 0; padding: 12px 16px; background: ${colours.window}; color: ${colours.ink}; font: 12.2px/1.3 "DejaVu Sans Mono", monospace; }
    pre i { font-style: normal; color: ${colours.faint}; }
    .left { display: grid; gap: 14px; grid-template-rows: auto 1fr; height: 688px; }
    .left img { width: 640px; display: block; }
    img.phone { width: 318px; height: 688px; }
  </style><main><div class="left"><section><pre>${readFileSync(join(folder, "terminal.html"), "utf-8")}</pre></section>
  <section><img src="${await evening(scheme)}"></section></div><img class="phone" src="${await phone(scheme)}"></main>`);
  writeFileSync(join(out, `overview-${scheme}.png`), await small(await page.locator("main").screenshot()));
  await context.close();
}
for (const name of ["hand.png", "season.png"]) writeFileSync(join(out, name), await small(readFileSync(join(folder, name))));
await browser.close();
