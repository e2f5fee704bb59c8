// Returns the texts of the screen in the reader's language, from the catalogue that the page contains.

/** @typedef {string | [one: string, other: string, count: string]} Words */
/** @typedef {Record<string, any>} Params */

/** @type {Record<string, Record<string, Words>>} */
let catalogue = {};
export let language = "fr";
// "free" where the tables deal: then a key has other words if the catalogue has them under the key with "@free".
export let variant = "";

// The families of sentences whose parameters are values of the game, which are replaced by their names.
const TOLD = ["error", "question", "score"];
/** @type {Record<string, string>} */
const KINDS = { contract: "contract", side: "side", chelem: "chelem", poignee: "poignee" };

/** @param {typeof catalogue} words */
export function learn(words) {
  catalogue = words;
}

/** @param {string} wanted */
export function vary(wanted) {
  variant = wanted;
}

/** @param {string} wanted */
export function speak(wanted) {
  language = wanted in catalogue ? wanted : "fr";
  document.documentElement.lang = language;
}

// Returns the sentence of a key, filled with the params. Throws an error if the key is unknown.
/** @param {string} key @param {Params} params @returns {string} */
export function say(key, params = {}) {
  const found = (variant && catalogue[language][`${key}@${variant}`]) || catalogue[language][key];
  if (found === undefined) throw new Error(`no words for ${key}`);
  const sentence = TOLD.includes(key.split(".")[0]);
  const told = sentence ? named(params) : params;
  const text = typeof found === "string" ? found : plural(found, params);
  const filled = text.replace(/%\((\w+)\)s/g, (_, name) => figure(told[name]));
  return sentence ? filled.charAt(0).toUpperCase() + filled.slice(1) : filled;
}

// Returns a number with half points with the decimal sign of the language, and anything else as it is.
/** @param {any} value */
const figure = (value) =>
  typeof value === "number" && !Number.isInteger(value) ? String(value).replace(".", say("point")) : value;

/** @param {[string, string, string]} forms @param {Params} params */
function plural([one, other, count], params) {
  const single = language === "fr" ? params[count] < 2 : params[count] === 1;
  return single ? one : other;
}

/** @param {Params} params */
function named(params) {
  /** @param {[string, any]} param */
  const shown = ([name, value]) => [name, name in KINDS ? catalogue[language][`${KINDS[name]}.${value}`] : value];
  return Object.fromEntries(Object.entries(params).map(shown));
}

/** @param {number} score */
export const signed = (score) => (score > 0 ? `+${score}` : score < 0 ? `−${-score}` : "0");

// The locale for dates and times, as on the site's pages: British for English.
const dated = () => (language === "en" ? "en-GB" : language);

/** @param {string} iso */
export const clock = (iso) => new Date(iso).toLocaleTimeString(dated(), { hour: "2-digit", minute: "2-digit" });

/** @param {string} iso */
export const day = (iso) => {
  const written = new Date(`${iso}T12:00`).toLocaleDateString(dated(), { day: "numeric", month: "long", year: "numeric" });
  return language === "fr" ? written.replace(/^1 /, "1er ") : written;
};

/** @param {number} seconds */
export const minutes = (seconds) =>
  `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;

const IN_POINTS = / MP$/;
const IN_MARKS = / marks$/;

// Returns a percentage that the site has rounded, with the signs of the reader's language. Match points have their unit.
// Marks are plain signed numbers.
/** @param {string} share */
export function percent(share) {
  if (IN_MARKS.test(share)) return share.replace(IN_MARKS, "").replace("-", "−").replace(".", say("point"));
  const figure = share.replace(IN_POINTS, "").replace("-", "−").replace(".", say("point"));
  return IN_POINTS.test(share) ? say("match_points", { points: figure }) : `${figure}${say("percent")}`;
}
