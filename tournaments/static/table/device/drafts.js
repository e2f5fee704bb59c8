// The answers given so far to the questions about each play, kept on the device until its result is saved.

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

  // The next question does not wait for the disk.
  /** @param {Draft} draft */
  keep(draft) {
    this.#kept = { ...this.#kept, [draft.play]: draft };
    this.#store.write({ values: { [this.#name]: this.#kept } });
  }

  // What is kept where this play's draft goes; for who writes it together with something else, and then forgets it.
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
