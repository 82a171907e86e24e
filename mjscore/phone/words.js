// The words of the page: in the language chosen here, or else the first available one of the browser's.
import { fill, find } from "./draw.js";
import { fromLocal } from "./store.js";

const known = [...find('[data-choose="language"]').options].map(({ value }) => value);
export const language = [fromLocal("language"), ...navigator.languages.map((tag) => tag.slice(0, 2)), "en"].find((one) => known.includes(one));
export const words = await (await fetch(new URL(`words/${language}.json`, import.meta.url))).json();
const faces = {}; // the face of each tile, by its English name

const wordAt = (place) => place.split(".").reduce((group, name) => group?.[name], words);

// Python's English words in the current language, if it has them.
export function reworded(_, value) {
  if (!value?.say) return value;
  const found = wordAt(value.say);
  const filling = Object.fromEntries(Object.entries(value.words).map(([name, word]) => [name, faces[word] ?? word]));
  return found ? fill([found].flat().join(": "), filling) : value.english;
}

// Puts the words into the page, which is built in English.
export function putWords() {
  const labelled = (place) => place.replace(/^\S+/, wordAt);
  for (const one of document.querySelectorAll("[data-word]")) one.firstChild.data = wordAt(one.dataset.word);
  for (const one of document.querySelectorAll("[data-label]")) one.ariaLabel = labelled(one.dataset.label);
  for (const one of document.querySelectorAll("[data-hint]")) one.placeholder = wordAt(one.dataset.hint);
  for (const key of document.querySelectorAll("[data-tile]")) {
    const { tile } = key.dataset;
    const name = fill(words.faces[tile] ?? words.faces[tile[1]], { value: tile[0] });
    faces[key.ariaLabel] = name;
    key.ariaLabel = name;
  }
  document.documentElement.lang = find('[data-choose="language"]').value = language;
}
