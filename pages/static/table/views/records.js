// The actions on the cards of a play: ask for the opening lead after a result, take a tapped card, undo it, stop. The
// cards tapped stay on the device. They are sent once their screen is left, as one record; an opening lead that is
// alone waits some seconds more, so that undoing it leaves no trace.

import { seatIn, seatsOf } from "../state/model.js";
import { follow, recordOf } from "../state/tricks.js";

/** @typedef {import("../state/tricks.js").Claim} Claim */
/** @typedef {import("./screen.js").View} View */
/** @typedef {import("../state/model.js").Kept} Kept */

/**
 * @typedef Taps the cards tapped of a play
 * @property {number} play
 * @property {number[]} cards
 * @property {Claim} claim
 * @property {boolean} open true while its screen is shown, so that a reload finds it again
 * @property {number} at when the last card was tapped, by this device's clock
 */

const HOLD = 15_000; // milliseconds in which an opening lead is not sent

export class Records {
  refused = -1; // the card just tapped that its player has denied before, or -1
  #site;
  #taps;
  #plays;
  #screen;
  /** @type {Set<number>} */
  #sending = new Set();

  /** @param {Omit<import("../app.js").App, "results" | "records" | "drafts">} parts */
  constructor({ site, taps, plays, screen }) {
    this.#site = site;
    this.#taps = taps;
    this.#plays = plays;
    this.#screen = screen;
  }

  // Returns the newest record of this play that this device has sent or will send, or undefined.
  /** @param {number} id @returns {Kept | undefined} */
  #said(id) {
    const mine = this.#site.commands.filter(({ kind, play }) => kind === "record" && play === id);
    return mine.filter(({ receipt }) => receipt?.status !== "dropped").at(-1);
  }

  /** @param {number} id @returns {Taps} */
  of(id) {
    return this.#taps.of(id) ?? { play: id, cards: [], claim: "", open: false, at: 0 };
  }

  // Returns who sits at the table, who leads first and who takes, or null if nothing can be recorded: there is no
  // result, everybody passed, or the result names no contract.
  /** @param {number} id */
  terms(id) {
    const { stop, play, found } = this.#plays.find(id);
    const { entry } = found;
    if (!entry || play.dealer || !("taker" in entry)) return null;
    const { auction, contracts } = this.#site.state.session;
    if (entry.kind === "fiche" && (auction === "free" || contracts)) return null;
    const announced = entry.kind === "facts" && entry.chelem.startsWith("announced");
    return { seats: seatsOf(stop), leader: announced ? entry.taker : play.leader, taker: entry.taker };
  }

  // Returns what the cards tapped say of a play whose cards can be recorded.
  /** @param {number} id */
  followed(id) {
    const terms = this.terms(id);
    if (!terms) throw new Error(`no cards of ${id}`);
    return follow(terms, this.of(id).cards);
  }

  get whole() {
    return this.#site.state.session.whole_records;
  }

  // Returns whether this device may record the cards of a play: only while those who played it sit here.
  /** @param {number} id */
  mayRecord(id) {
    const { stop } = this.#plays.find(id);
    return this.#site.writing && stop.position >= this.#site.here && this.terms(id) !== null;
  }

  // After a result: asks for the opening lead, at most once, and then goes on.
  /** @param {number} id */
  after(id) {
    const asked = this.#taps.of(id) || this.#said(id) || this.#plays.find(id).play.record;
    if (this.#site.asks && !asked && this.mayRecord(id)) this.begin(id);
    else this.leave(id);
  }

  /** @param {number} id */
  begin(id) {
    this.#keep({ ...this.of(id), open: true });
    this.#screen.go({ name: "record", play: id });
  }

  // Goes to the screen after an entry if the session shows something there, else to the list of étuis.
  /** @param {number} id */
  leave(id) {
    const noted = this.of(id).cards.length ? { noted: id } : {};
    if (this.#site.state.session.shows === "nothing") this.#screen.go({ name: "position", ...noted });
    else this.#screen.go({ name: "play", play: id, ...noted });
  }

  /** @param {Taps} taps */
  #keep(taps) {
    this.refused = -1;
    this.#taps.keep(taps);
  }

  // Takes a card, unless its player denied it before. `really` takes it all the same: a revoke is recorded as it was
  // played.
  /** @param {number} id @param {number} card */
  tap(id, card, { really = false } = {}) {
    const taps = this.of(id);
    const { turn, denied } = this.followed(id);
    if (taps.cards.includes(card) || taps.claim || !turn) return;
    if (!this.whole) {
      this.#keep({ ...taps, cards: [card], at: Date.now() });
      this.stop(id);
      return;
    }
    if (!really && denied[turn]?.has(card)) {
      this.refused = card;
      this.#screen.draw();
      return;
    }
    this.#keep({ ...taps, cards: [...taps.cards, card], at: Date.now() });
    this.#screen.draw();
  }

  // Takes back the claim, or the last card.
  /** @param {number} id */
  undo(id) {
    const taps = this.of(id);
    this.#keep({ ...taps, claim: "", cards: taps.claim ? taps.cards : taps.cards.slice(0, -1) });
    this.#screen.draw();
  }

  /** @param {number} id @param {Claim} claim */
  claim(id, claim) {
    this.#keep({ ...this.of(id), claim, at: Date.now() });
    this.#screen.back();
  }

  /** @param {number} id */
  stop(id) {
    this.#keep({ ...this.of(id), open: false });
    this.leave(id);
  }

  // Returns whether an opening lead that was just noted can still be taken back.
  /** @param {number} id */
  mayTakeBack(id) {
    return this.of(id).cards.length === 1 && !this.#said(id);
  }

  // Takes back an opening lead that was not sent, and asks again.
  /** @param {number} id */
  takeBack(id) {
    this.#keep({ ...this.of(id), cards: [] });
    this.begin(id);
  }

  // Returns whether the site has still to hear of the cards tapped.
  /** @param {Taps} taps */
  #unsaid({ play, cards, claim }) {
    if (!cards.length) return false;
    const { stop } = this.#plays.find(play);
    const said = this.#said(play)?.record;
    return JSON.stringify(said) !== JSON.stringify(recordOf(cards, claim, seatsOf(stop)));
  }

  // Returns whether the device can forget the cards: they are sent, and those who played them have moved on.
  /** @param {Taps} taps */
  #isOver(taps) {
    if (!this.#plays.has(taps.play)) return false;
    return this.#plays.find(taps.play).stop.position < this.#site.here && !this.#unsaid(taps);
  }

  // Sends the cards of the plays whose screen is not shown, except an opening lead that can still be undone. `leaving`
  // sends that too, because the page may be closed next.
  /** @param {View} view the screen that is shown */
  settle(view, { leaving = false } = {}) {
    if (!this.#site.last || this.#site.last.session.closed) return;
    for (const taps of this.#taps.all) {
      const { play, cards, at } = taps;
      const shown = (view.name === "record" || view.name === "claim") && view.play === play;
      const held = "noted" in view && view.noted === play && cards.length === 1 && Math.abs(Date.now() - at) < HOLD;
      if (!shown && (leaving || !held)) this.#send(taps);
      if (this.#isOver(taps)) this.#taps.drop(play);
    }
  }

  /** @param {Taps} taps */
  async #send(taps) {
    const { play: id, cards, claim } = taps;
    if (this.#sending.has(id) || !this.#plays.has(id) || !this.terms(id) || !this.#unsaid(taps)) return;
    const { stop, play, found } = this.#plays.find(id);
    const record = recordOf(cards, claim, seatsOf(stop));
    const after = found.last && !found.last.receipt ? { after: found.last.key } : {};
    this.#sending.add(id);
    try {
      const about = { play: id, position: stop.position, etui: play.etui, seat: seatIn(stop, play, this.#site.seat) };
      await this.#site.command({ kind: "record", ...about, record, ...after });
    } catch {
      // The device has not stored it. The cards stay, and the next drawing tries again.
    } finally {
      this.#sending.delete(id);
    }
  }
}
