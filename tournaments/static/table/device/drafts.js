// The drafts: the answers given so far about each play. The device stores them until the result is saved.

import { nameAt } from "./store.js";

/** @typedef {import("../state/model.js").Draft} Draft */

export class Drafts {
  /** @type {Record<number, Draft>} */
  #kept = {};
  #store;
  #name;

  /** @param {import("./store.js").Store} store @param {string} token */
  constructor(store, token) {
    this.#store = store;
    this.#name = nameAt(token, "drafts");
  }

  async recall() {
    this.#kept = (await this.#store.get(this.#name)) ?? {};
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
}
