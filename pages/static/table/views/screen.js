// Decides which screen is shown, and puts it on the page. Each screen is an entry of the browser's history, so that the
// back button goes one question back. A question whose draft is deleted shows the result instead.

import { arrive, h, put } from "./dom.js";
import { entry } from "./entry.js";
import { header, status, tick } from "./header.js";
import { join, nothing } from "./join.js";
import { call, foot, menu } from "./menu.js";
import { isKnown, playOf } from "../state/model.js";
import { check, disagree, elsewhere, play } from "./play.js";
import { order, position } from "./position.js";
import { results } from "./published.js";
import { sheet } from "./deals/sheet.js";
import { claim, record } from "./record.js";
import { language, say, vary } from "../words.js";

/** @typedef {import("../../../../evenings/tables/screen").Line} Line */
/** @typedef {import("./dom.js").Child} Child */
/** @typedef {{ title: string, body: Child, said?: string, keys?: (key: string) => void }} Drawn */
/** @typedef {{ name: "position", position?: number, noted?: number }} PositionView */
/** @typedef {"order" | "play" | "check" | "disagree" | "elsewhere" | "record" | "claim"} OfPlay */
/** @typedef {{ name: OfPlay, play: number, noted?: number }} PlayView */
/** @typedef {{ name: "entry", play: number, step: import("./entry.js").Step, line?: Line }} EntryView */
/** @typedef {{ name: "sheet", position: number }} SheetView */
/** @typedef {PositionView | SheetView | PlayView | EntryView | { name: "call" | "join" | "menu" | "nothing" | "results" }} View */

const OF_PLAYS = { order, entry, play, check, disagree, elsewhere, record, claim };
const SCREENS = { position, sheet, ...OF_PLAYS, call, join, menu, nothing, results };
const CHECKS = ["check", "disagree", "elsewhere"];
const CARDS = ["record", "claim"];

export class Screen {
  told = ""; // the reason why the answer on this screen is refused
  #site;
  #drafts;
  #taps;
  #plays;
  #shown = "";
  /** @type {Drawn["keys"]} */
  #keys;
  #pressed = false; // true while a finger is down: then nothing is drawn
  #late = false; // true if the screen must be drawn when the finger is up
  #turned = false; // true if the published results were shown once by themselves
  /** @type {import("../app.js").App | null} */
  #app = null; // the parts of the app that the screens use

  /** @param {Omit<import("../app.js").App, "screen" | "records" | "results">} parts */
  constructor({ site, drafts, taps, plays }) {
    this.#site = site;
    this.#drafts = drafts;
    this.#taps = taps;
    this.#plays = plays;
  }

  /** @param {import("../app.js").App} app */
  show(app) {
    this.#app = app;
    this.draw();
  }

  /** @returns {View} */
  get view() {
    /** @type {View} */
    const asked = history.state?.name ? history.state : { name: "position" };
    if (asked.name === "menu") return asked;
    if (!this.#site.last) return { name: "nothing" };
    if (this.#site.last.results && asked.name === "position" && !asked.position) return { name: "results" };
    if (!isKnown(this.#site.last, this.#site.commands)) return { name: "join" };
    if (!("play" in asked)) return asked;
    if (!playOf(this.#site.last, asked.play).play) return { name: "position" };
    if (asked.name === "entry" && !this.#drafts.of(asked.play)) return { name: "play", play: asked.play };
    if (CHECKS.includes(asked.name) && !this.#plays.awaits(asked.play)) return { name: "play", play: asked.play };
    if (CARDS.includes(asked.name) && !this.#taps.of(asked.play)?.open) return { name: "play", play: asked.play };
    if (CARDS.includes(asked.name) && !this.#app?.records.mayRecord(asked.play)) return { name: "position" };
    return asked;
  }

  /** @param {View} view */
  go(view, { replace = false } = {}) {
    this.told = "";
    const depth = (history.state?.depth ?? 0) + (replace ? 0 : 1);
    history[replace ? "replaceState" : "pushState"]({ ...view, depth }, "");
    this.draw();
  }

  back() {
    this.told = "";
    if (history.state?.depth) history.back();
    else this.home();
  }

  // Skips the entries of the browser's history for questions whose draft is deleted.
  step() {
    if (history.state?.depth && this.#nameOf(this.view) === this.#shown) history.back();
    else this.draw();
  }

  // Returns a name that is equal for two views of the same screen.
  /** @param {View} view */
  #nameOf(view) {
    return JSON.stringify([{ ...view, depth: 0 }, language]);
  }

  home() {
    this.go({ name: "position" });
  }

  /** @param {string} problem */
  tell(problem) {
    this.told = problem;
    this.draw();
  }

  // Stores an answer, and goes on.
  /** @param {import("../state/model.js").Draft} draft @param {() => void} then */
  answer(draft, then) {
    this.told = "";
    this.#drafts.keep(draft);
    then();
  }

  press() {
    this.#pressed = true;
  }

  release() {
    this.#pressed = false;
    if (this.#late) setTimeout(() => this.draw()); // after the click event of this press
  }

  draw() {
    this.#late = this.#pressed;
    if (this.#late || !this.#app) return;
    const published = Boolean(this.#site.last?.results);
    if (published && !this.#turned) history.replaceState({ name: "position", depth: history.state?.depth ?? 0 }, "");
    this.#turned = published;
    vary(this.#site.last?.session.free_deals ? "free" : "");
    const view = this.view;
    const draw = /** @type {(app: import("../app.js").App, view: View) => Drawn} */ (SCREENS[view.name]);
    const drawn = draw(this.#app, view);
    const shown = this.#nameOf(view);
    const fresh = shown !== this.#shown;
    const heading = h("h1", { tabindex: "-1", "data-key": "heading" }, drawn.title);
    put("head", header(this.#app, view), fresh);
    put("screen", [heading, drawn.body], fresh);
    put("foot", foot(this.#app, view), fresh);
    if (fresh) arrive(heading);
    this.#drawStatus();
    this.#speak(fresh ? "" : drawn.said);
    const { last } = this.#site;
    document.title = `${drawn.title} · ${last ? say("table", { table: last.table }) : "Topage"}`;
    this.#keys = drawn.keys;
    this.#shown = shown;
    tick(this.#site);
    this.#app.records.settle(view);
  }

  // The page is hidden, and may be closed next.
  hide() {
    if (this.#app) this.#app.records.settle(this.view, { leaving: true });
  }

  // Has screen readers read a sentence. The heading of a fresh screen is read anyway.
  /** @param {string} [sentence] */
  #speak(sentence = "") {
    const place = document.getElementById("said");
    if (place && place.textContent !== sentence) place.textContent = sentence;
  }

  // Changes the status in its element, so that screen readers read it only when its words change.
  #drawStatus() {
    const { kind, text } = status(this.#site);
    const line = document.getElementById("status");
    if (!line) return;
    line.className = `state state-${kind}`;
    if (line.textContent !== text) line.textContent = text;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.#keys || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" && event.target instanceof Element && event.target.closest("button, a")) return;
    this.#keys(event.key);
  }
}
