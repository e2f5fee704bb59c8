// How the plays of this table stand for those who sit at it now, and what comes first. Changes nothing.

import { awaitsCheck, checkerOf, isOpen, nextPlay, owed, playOf, seen, stopAt } from "./model.js";

/** @typedef {import("../../../tables/screen").Play} Play */
/** @typedef {import("../../../tables/screen").Stop} Stop */
/** @typedef {import("./model.js").Found} Found */

export class Plays {
  #site;

  /** @param {import("../device/site.js").Site} site */
  constructor(site) {
    this.#site = site;
  }

  /** @param {number} id */
  find(id) {
    const { stop, play } = playOf(this.#site.state, id);
    if (!stop || !play) throw new Error(`no play ${id}`);
    return { stop, play, found: seen(play, this.#site.commands) };
  }

  // Whose word is asked for on the result that is there.
  /** @param {Play} play @param {Found} found */
  checker(play, found) {
    const entry = found.entry ?? play;
    const { stop } = this.find(play.id);
    return checkerOf(stop, "taker" in entry ? entry.taker : null, found.seat || this.#site.seat);
  }

  /** @param {number} id */
  awaits(id) {
    const { stop, found } = this.find(id);
    return !this.#site.state.session.closed && stop.position >= this.#site.here && awaitsCheck(found);
  }

  // Whether the figures of a result may be seen: by those who sit here now, and not before a blind check is done.
  /** @param {Stop} stop @param {Found} found */
  shows(stop, found) {
    const unseen = found.check === "blind" && ["kept", "entered"].includes(found.state);
    return stop.position >= this.#site.here && !unseen;
  }

  /** @param {number} id */
  mayBeUnplayed(id) {
    const { stop, play } = this.find(id);
    return this.#site.writing && !stop.closed && isOpen(play, this.#site.commands);
  }

  // Whether étuis of a position may be begun without being asked: it is called, or, where nobody calls, comes next.
  /** @param {Stop} stop */
  reached(stop) {
    const { here, state, commands } = this.#site;
    if (stop.position <= Math.max(here, state.position)) return true;
    const before = stopAt(state, here);
    return !state.position && stop.position === here + 1 && !owed(before, commands).length;
  }

  // The étui that comes first: what those who sit here still have to play goes before a later position.
  /** @param {Stop} stop */
  first(stop) {
    const { here, state, commands } = this.#site;
    const before = stop.position > here && nextPlay(stopAt(state, here), commands);
    return before || nextPlay(stop, commands);
  }
}
