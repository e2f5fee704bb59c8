// Decides which screen is shown, and puts it on the page. Each screen is an entry of the browser's history, so that the
// back button goes one question back.

import { arrive, button, h, notice, put } from "../../table/views/dom.js";
import { language, say, speak } from "../../table/words.js";
import { ENTRY_STEPS, entry } from "./entry.js";
import { begin, list } from "./list.js";
import { forgetTyped } from "../typed.js";
import { deal, dealer, game, sheet } from "./game.js";
import { players } from "./players.js";
import { opened, share } from "./share.js";

/** @typedef {import("../../table/views/dom.js").Child} Child */
/** @typedef {import("../games.js").Games} Games */
/** @typedef {import("../state/game.js").Game} Game */
/** @typedef {{ title: string, body: Child, keys?: (key: string) => void, wide?: boolean }} Drawn */
/** @typedef {"deal" | "dealer" | "entry" | "game" | "players" | "share" | "sheet"} OfGame */
/** @typedef {{ name: "list" | "begin" | "opened" }} OtherView */
/** @typedef {{ name: OfGame, id: string, step?: import("./entry.js").Step, place?: number, player?: number }} GameView */
/** @typedef {OtherView | GameView} View */
/** @typedef {{ screen: Screen, games: Games, game: Game, view: GameView }} At */

const OF_GAME = { deal, dealer, entry, game, players, share, sheet };
const OTHERS = { list, begin, opened };
/** @type {OfGame[]} */
const TABS = ["game", "sheet", "players", "share"];
const UNDOING = ["game", "deal", "players"];
const TYPING = ["begin", "entry", "players"];

export class Screen {
  told = ""; // the reason why the answer on this screen is refused
  games;
  #shown = "";
  /** @type {Drawn["keys"]} */
  #keys;

  /** @param {Games} games */
  constructor(games) {
    this.games = games;
    games.onFailure = () => this.draw();
  }

  /** @returns {View} */
  get view() {
    if (location.hash.length > 1) return { name: "opened" };
    const asked = /** @type {View | null} */ (history.state);
    if (!asked?.name) return { name: this.games.all.length ? "list" : "begin" };
    if (!("id" in asked)) return asked;
    const found = this.games.of(asked.id);
    if (!found) return { name: "list" };
    const lost = asked.name === "entry" && (!this.games.draftOf(asked.id) || !asked.step || !ENTRY_STEPS.has(asked.step));
    if (lost || (asked.name === "deal" && !((asked.place ?? -1) in found.deals))) return { name: "game", id: asked.id };
    return asked;
  }

  /** @param {View} view */
  go(view, { replace = false } = {}) {
    this.told = "";
    forgetTyped();
    history[replace ? "replaceState" : "pushState"](view, "", location.pathname);
    this.draw();
  }

  step() {
    this.told = "";
    this.draw();
  }

  back() {
    history.back();
  }

  // Shows the reason why an answer is refused.
  /** @param {string} reason */
  tell(reason) {
    this.told = reason;
    this.draw();
  }

  async refresh() {
    if (TYPING.includes(this.view.name)) return; // nothing that is being typed is drawn anew
    this.told = ""; // it may be about the game before it changed
    await this.games.recall();
    this.draw();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const pressed = event.key === "Enter" && target.closest("button, a");
    if (event.ctrlKey || event.altKey || event.metaKey || pressed || target.closest("input")) return;
    this.#keys?.(event.key);
  }

  draw() {
    const view = this.view;
    const found = "id" in view ? this.games.of(view.id) : undefined;
    const drawn =
      "id" in view && found
        ? OF_GAME[view.name]({ screen: this, games: this.games, game: found, view })
        : OTHERS[/** @type {OtherView} */ (view).name](this);
    const now = JSON.stringify(view) + language;
    const heading = h("h1", { tabindex: "-1" }, drawn.title);
    put("screen", [heading, this.#undo(), drawn.body], true);
    put("head", [this.#head(view)], true);
    put("foot", found && view.name !== "entry" ? this.#foot(/** @type {GameView} */ (view)) : [], true);
    document.title = `${drawn.title} · Topage`;
    document.body.classList.toggle("is-wide", drawn.wide ?? false);
    this.#keys = drawn.keys;
    if (now !== this.#shown && this.#shown) arrive(heading);
    this.#shown = now;
  }

  #undo() {
    const problem = this.games.durable ? null : notice("warning", h("p", {}, say("game.not_kept")));
    const [before, view] = [this.games.undo, this.view];
    if (!before) return problem;
    const erased = view.name === "list" && !this.games.of(before.game.id);
    if (!erased && !("id" in view && view.id === before.game.id && UNDOING.includes(view.name))) return problem;
    const back = async () => {
      await this.games.keep(before.game);
      this.draw();
    };
    return [
      problem,
      h(
        "div",
        { class: "undo notice no-print", role: "status" },
        h("span", {}, before.text),
        button(say("game.undo"), back, { kind: "button-plain", "data-key": "undo" }),
      ),
    ];
  }

  /** @param {View} view */
  #head(view) {
    const other = language === "fr" ? "en" : "fr";
    const change = async () => {
      speak(other);
      await this.games.keepLanguage(other);
      this.draw();
    };
    const start = view.name === "list" || view.name === "begin";
    return h(
      "div",
      { class: "where" },
      start
        ? h("a", { class: "button-plain", href: "/" }, "Topage")
        : button(`← ${say("game.all")}`, () => this.go({ name: "list" }), { kind: "button-plain", "data-key": "all" }),
      button(say("other_language"), change, { kind: "button-plain", lang: other, "data-key": "language" }),
    );
  }

  /** @param {GameView} view */
  #foot({ name, id }) {
    return TABS.map((tab) =>
      button(say(`game.tab.${tab}`), () => tab !== name && this.go({ name: tab, id }), {
        "aria-current": tab === name ? "page" : null,
        "data-key": `tab-${tab}`,
      }),
    );
  }
}
