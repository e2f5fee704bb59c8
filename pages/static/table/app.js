// Starts the table's screen: makes its parts (the site's news, the drafts, the plays, the results, the drawing), gives
// each part those that it needs, and listens to the browser's events.

import { Drafts } from "./device/drafts.js";
import { tick } from "./views/header.js";
import { Plays } from "./state/plays.js";
import { Records } from "./views/records.js";
import { Results } from "./views/results.js";
import { Screen } from "./views/screen.js";
import { keepShell } from "./device/shell.js";
import { Site } from "./device/site.js";
import { identify, openStore } from "./device/store.js";
import { learn, speak } from "./words.js";

/** @typedef {import("./state/model.js").Draft} Draft */
/** @typedef {import("./views/records.js").Taps} Taps */

/**
 * @typedef App
 * @property {Site} site
 * @property {Drafts<Draft>} drafts of results
 * @property {Drafts<Taps>} taps the cards tapped
 * @property {Plays} plays
 * @property {Screen} screen
 * @property {Records} records
 * @property {Results} results
 */

async function start() {
  learn(JSON.parse(document.getElementById("words")?.textContent ?? ""));
  const store = await openStore();
  speak((await store.get("language")) ?? navigator.language.slice(0, 2));
  const url = location.pathname;
  const place = { url, token: url.split("/")[2], device: await identify(store) };

  /** @type {Drafts<Draft>} */
  const drafts = new Drafts(store, place.token, "drafts");
  /** @type {Drafts<Taps>} */
  const taps = new Drafts(store, place.token, "taps");
  /** @type {Site} */
  const site = new Site(store, place, () => screen.draw());
  const plays = new Plays(site);
  const screen = new Screen({ site, drafts, taps, plays });
  const records = new Records({ site, taps, plays, screen });
  const results = new Results({ site, drafts, plays, screen, records });
  await site.recall();
  await Promise.all([drafts.recall(), taps.recall()]);

  listen(site, screen);
  screen.show({ site, drafts, taps, plays, screen, records, results });
  await site.look();
  await site.adopt();
  await keepShell();
}

/** @param {Site} site @param {Screen} screen */
function listen(site, screen) {
  addEventListener("popstate", () => screen.step());
  addEventListener("online", () => site.look());
  addEventListener("offline", () => site.hear({ reason: "offline" }));
  addEventListener("pointerdown", () => screen.press());
  for (const up of ["pointerup", "pointercancel"]) addEventListener(up, () => screen.release());
  addEventListener("keydown", (event) => screen.key(event));
  document.addEventListener("visibilitychange", () => (document.hidden ? screen.hide() : site.look()));
  setInterval(() => tick(site), 1000);
}

start();
