// Pieces of the page: elements, tiles, and the bridge's answers drawn as they are.
const SVG = "http://www.w3.org/2000/svg";

export const find = (selector) => document.querySelector(selector);
export const show = (name) => find(`[data-show="${name}"]`);
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

export function say(name, text) {
  const place = show(name);
  if (place.textContent !== text) place.textContent = text;
}

// Says why a touch was refused; the phone vibrates too, unless motion is reduced.
export function refuse(text) {
  say("error", text);
  if (text && !matchMedia("(prefers-reduced-motion: reduce)").matches) navigator.vibrate?.(30);
}

// Replaces the children, keeping the focus in the same position.
export function replace(place, ...children) {
  const keys = () => [...place.querySelectorAll("button, input, summary")];
  const at = keys().indexOf(document.activeElement);
  place.replaceChildren(...children);
  if (at >= 0) keys()[Math.min(at, keys().length - 1)]?.focus({ preventScroll: true });
}

// An element with attributes, listeners ("on…") and children.
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

export function face(tile, down = false) {
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", "0 0 56 80");
  picture.setAttribute("aria-hidden", "true");
  picture.setAttribute("class", down ? "down" : "face");
  if (!down) {
    const used = document.createElementNS(SVG, "use");
    used.setAttribute("href", `#face-${tile}`);
    picture.append(used);
  }
  return picture;
}

// The parts of the hand, with a button for each tile that sends its tap.
export function drawParts(parts, words, tap) {
  const drawn = parts.map((part) =>
    element(
      "span",
      { class: `part ${part.place}${part.touched ? " touched" : ""}${part.tiles.length > 1 && part.how !== "loose" ? "" : " single"}`, role: "group", "aria-label": words.how[part.how] ?? part.how },
      ...part.tiles.map(({ tile, tap: tapped, marked, down }) =>
        element(
          "button",
          {
            type: "button",
            class: "tile",
            "data-in": marked ? tile : null,
            "aria-label": `${find(`[data-tile="${tile}"]`).ariaLabel}, ${words.how[part.how] ?? part.how}`,
            title: words.touch[part.place === "won" ? "won" : part.how === "loose" ? "hand" : "set"],
            onclick: () => tap(tapped),
          },
          face(tile, down),
        ),
      ),
    ),
  );
  const place = show("tiles");
  const before = place.querySelectorAll("button").length;
  replace(place, ...drawn);
  if (place.querySelectorAll("button").length > before) place.parentElement.scrollTop = place.scrollHeight; // scroll to the new tile
}

// The taps made before Python is ready, as they were made.
export function drawTaps(taps, names) {
  const tiles = taps.filter((tap) => names.has(tap));
  show("tiles").replaceChildren(element("span", { class: "part waiting" }, ...tiles.map((tile) => face(tile))));
}

export function pressed(button, on) {
  button.setAttribute("aria-pressed", String(Boolean(on)));
}

// Keys that cannot be tapped now are grey and say why.
export function drawGrey(grey) {
  for (const key of document.querySelectorAll("[data-tile], [data-set]")) {
    const reason = grey[key.dataset.tile ?? key.dataset.set];
    if (reason) key.setAttribute("aria-disabled", "true");
    else key.removeAttribute("aria-disabled");
    key.title = reason ?? "";
  }
}

// An SVG converted to a picture that messengers can show.
export async function pictureOf(svg) {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = element("canvas", { width: image.width * 2, height: image.height * 2 });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}
