// What was typed so far about each play, stored on the device: the drafts of results until they are saved, and the cards
// that were tapped.

import { nameAt } from "./store.js";

/** @template {{ play: number }} Draft */
export class Drafts {
  /** @type {Record<number, Draft>} */
  #kept = {};
  #store;
  #name;

  // `what` names the drafts of one kind.
  /** @param {import("./store.js").Store} store @param {string} token @param {string} what */
  constructor(store, token, what) {
    this.#store = store;
    this.#name = nameAt(token, what);
  }

  async recall() {
    this.#kept = (await this.#store.get(this.#name)) ?? {};
  }

  get all() {
    return Object.values(this.#kept);
  }

  /** @param {number} id @returns {Draft | undefined} */
  of(id) {
    return this.#kept[id];
  }

  // Stores a draft. The next question is shown before the disk has finished.
  /** @param {Draft} draft */
  keep(draft) {
    this.#kept = { ...this.#kept, [draft.play]: draft };
    this.#store.write({ values: { [this.#name]: this.#kept } });
  }

  // All drafts except the one of this play. The caller stores them together with other values, and then calls `forget`.
  /** @param {number} id */
  without(id) {
    const { [id]: _, ...others } = this.#kept;
    return { [this.#name]: others };
  }

  /** @param {number} id */
  forget(id) {
    this.#kept = this.without(id)[this.#name];
  }

  /** @param {number} id */
  drop(id) {
    this.forget(id);
    this.#store.write({ values: { [this.#name]: this.#kept } });
  }
}
