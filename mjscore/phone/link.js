// An evening in a link: its text is packed after the #, a part that is not sent to servers; also as a QR code.
import { closeDialog, openDialog } from "./cards.js";
import { element, say } from "./draw.js";
import { generate } from "./lean-qr.js";
import { words } from "./words.js";

const MARK = "#mj=";
const OF_A_LINK = 16_000; // characters accepted by messengers and browsers
const OF_A_CODE = 1_300; // characters that a camera can read from a phone's screen
const OF_A_TEXT = 1 << 20; // characters after unpacking

const through = (blob, stream) => blob.stream().pipeThrough(stream);

async function packed(text) {
  const bytes = new Uint8Array(await new Response(through(new Blob([text]), new CompressionStream("deflate-raw"))).arrayBuffer());
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

// The text of a link; nothing if it has none, or too much for an evening.
async function unpacked(letters) {
  try {
    const bytes = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const reader = through(new Blob([bytes]), new DecompressionStream("deflate-raw")).pipeThrough(new TextDecoderStream("utf-8", { fatal: true })).getReader();
    let text = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += part.value;
      if (text.length > OF_A_TEXT) return "";
    }
    return text;
  } catch {
    return "";
  }
}

// Shows the link of an evening's *file*.
export async function showLink(file) {
  const address = `${location.href.split("#")[0]}${MARK}${await packed(await file.text())}`;
  if (address.length > OF_A_LINK) return say("news", words.link_too_long);
  const code = element("canvas", { class: "code", role: "img", "aria-label": words.link_title });
  const isShort = address.length <= OF_A_CODE;
  if (isShort) generate(address).toCanvas(code, { on: [0, 0, 0, 255], off: [255, 255, 255, 255] });
  const send = async () => {
    try {
      if (navigator.share) await navigator.share({ title: words.title, url: address });
      else await navigator.clipboard.writeText(address);
    } catch {
      return field.select(); // let the user copy it
    }
    closeDialog();
    return say("news", navigator.share ? words.shared : words.link_copied);
  };
  const field = element("input", { readonly: true, value: address, "data-show": "link", "aria-label": words.link_title, onfocus: () => field.select() });
  const button = element("button", { type: "button", class: "strong", "data-do": "send", onclick: send }, words.link_share);
  return openDialog(words.link_title, element("p", {}, words.link_why), element("div", { class: "keys" }, field, button), element("p", {}, isShort ? words.link_scan : words.link_long), isShort ? code : "");
}

// Asks whether to add the evening from the link that opened the page; *open* opens a file.
export async function offerLinked(open) {
  if (!location.hash.startsWith(MARK)) return;
  const letters = location.hash.slice(MARK.length);
  history.replaceState(null, "", location.pathname + location.search);
  const text = await unpacked(letters);
  const take = () => {
    closeDialog();
    open(new File([text], words.unnamed, { type: "text/plain" }));
  };
  const key = (word, act, more) => element("button", { type: "button", onclick: act, ...more }, word);
  const keys = text ? element("div", { class: "keys" }, key(words.answers.no, closeDialog), key(words.linked_open, take, { class: "strong", "data-do": "take" })) : "";
  openDialog(words.linked, element("p", {}, text ? words.linked_why : words.linked_bad), keys);
}
