// Answers questions about the plays of this table: their states, what may be shown, and which play comes next.

import { awaitsCheck, checkerOf, isOpen, nextPlay, owed, playOf, seatIn, seatTeams, seen, stopAt } from "./model.js";

/** @typedef {import("../../../../evenings/tables/screen").Play} Play */
/** @typedef {import("../../../../evenings/tables/screen").Stop} Stop */
/** @typedef {import("./model.js").Found} Found */

// Returns the place in the team of the member who attacked, by the result that counts on this device.
/** @param {Found} found */
export const attackerOf = ({ entry }) => (entry && "attacker" in entry ? entry.attacker : undefined);

export class Plays {
  #site;

  /** @param {import("../device/site.js").Site} site */
  constructor(site) {
    this.#site = site;
  }

  /** @param {number} id */
  has(id) {
    return Boolean(playOf(this.#site.state, id).play);
  }

  /** @param {number} id */
  find(id) {
    const { stop, play } = playOf(this.#site.state, id);
    if (!stop || !play) throw new Error(`no play ${id}`);
    const found = seen(play, this.#site.commands);
    return { stop: seatTeams(stop, play, attackerOf(found)), play, found };
  }

  // Returns the line of the player who must agree with the result.
  /** @param {Play} play @param {Found} found */
  checker(play, found) {
    const entry = found.entry ?? play;
    const { stop } = this.find(play.id);
    return checkerOf(stop, "taker" in entry ? entry.taker : null, found.seat || seatIn(stop, play, this.#site.seat));
  }

  /** @param {number} id */
  awaits(id) {
    const { stop, found } = this.find(id);
    return !this.#site.state.session.closed && stop.position >= this.#site.here && awaitsCheck(found);
  }

  // Returns the results of a game that nobody but the writer has agreed to, in the order of deals. Where the tables
  // deal, a game is read back and agreed to at its end, as one sheet.
  /** @param {number} position */
  unread(position) {
    const { state, commands } = this.#site;
    const all = stopAt(state, position).plays.map((play) => ({ play, found: seen(play, commands) }));
    return all.filter(({ play, found }) => play.dealer && found.check !== "blind" && this.awaits(play.id));
  }

  // Returns whether the figures of a result may be shown: to the players of this position, and only after a blind
  // check.
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

  // Returns whether the étuis of a position may be begun without a question: the position is called or, if nobody calls
  // positions, it is the next one.
  /** @param {Stop} stop */
  reached(stop) {
    const { here, state, commands } = this.#site;
    if (stop.position <= Math.max(here, state.position)) return true;
    const before = stopAt(state, here);
    return !state.position && stop.position === here + 1 && !owed(before, commands).length;
  }

  // Returns the play that comes first. Plays of the players who sit here now come before those of a later position.
  /** @param {Stop} stop */
  first(stop) {
    const { here, state, commands } = this.#site;
    const before = stop.position > here && nextPlay(stopAt(state, here), commands);
    return before || nextPlay(stop, commands);
  }
}
