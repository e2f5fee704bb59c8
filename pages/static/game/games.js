// Keeps the games and the answers of unfinished deals on this device, until somebody erases them.

import { hex } from "../table/device/store.js";

/** @typedef {import("../table/device/store.js").Store} Store */
/** @typedef {import("./state/game.js").Game} Game */
/** @typedef {import("./state/draft.js").Draft} Draft */
/** @typedef {{ game: Game, at: number }} Kept a game, and when it was last changed */

const GAME = "game:";
const DRAFT = "draft:";

export class Games {
  /** @type {Map<string, Kept>} */
  #kept = new Map();
  /** @type {Map<string, Draft>} */
  #drafts = new Map();
  /** @type {{ game: Game, text: string } | null} the game before the last change, and what that change was */
  undo = null;
  failed = false; // true if the device had no room for the last change
  onFailure = () => {}; // called when a change could not be written
  #store;

  /** @param {Store} store */
  constructor(store) {
    this.#store = store;
  }

  get durable() {
    return this.#store.durable && !this.failed;
  }

  async recall() {
    const names = await this.#store.names();
    /** @param {string} kind @returns {Promise<[string, any][]>} */
    const read = (kind) =>
      Promise.all(
        names
          .filter((name) => name.startsWith(kind))
          .map(async (name) => /** @type {[string, any]} */ ([name.slice(kind.length), await this.#store.get(name)])),
      );
    if (!this.#store.durable && this.#kept.size) return;
    this.#kept = new Map(await read(GAME));
    this.#drafts = new Map(await read(DRAFT));
  }

  // All games, the one changed last first.
  get all() {
    return [...this.#kept.values()].sort((one, other) => other.at - one.at).map(({ game }) => game);
  }

  /** @param {string} id */
  of = (id) => this.#kept.get(id)?.game;

  // Keeps a game. With a text, the change can be undone, and the text says what it was.
  /** @param {Game} game */
  async keep(game, text = "") {
    const before = this.of(game.id);
    this.undo = text && before ? { game: before, text } : null;
    const kept = { game, at: Date.now() };
    this.#kept.set(game.id, kept);
    this.#drafts.delete(game.id);
    await this.#write({ values: { [GAME + game.id]: kept }, forgotten: [DRAFT + game.id] });
  }

  /** @param {Game} game */
  async erase(game, text = "") {
    this.undo = { game, text };
    this.#kept.delete(game.id);
    this.#drafts.delete(game.id);
    await this.#write({ forgotten: [GAME + game.id, DRAFT + game.id] });
  }

  /** @param {string} id */
  draftOf = (id) => this.#drafts.get(id);

  /** @param {string} id @param {Draft} draft */
  async keepDraft(id, draft) {
    this.#drafts.set(id, draft);
    await this.#write({ values: { [DRAFT + id]: draft } });
  }

  /** @param {string} language */
  keepLanguage = (language) => this.#write({ values: { language } });

  newId = () => hex(4);

  /** @param {import("../table/device/store.js").Change} change */
  async #write(change) {
    try {
      await this.#store.write(change);
      this.failed = false;
    } catch {
      this.failed = true; // the screen says so; what was typed stays in memory
      this.onFailure();
    }
  }
}
