// The actions on a play's result: begin, answer, save, agree, correct, and those on results that the site refused.
// After an action, `screen` shows the next screen.

import { firstStep } from "./entry.js";
import { draftOf, entryOf, isOpen, namedAttacker, owed, seatIn, seatsOf } from "../state/model.js";
import { say } from "../words.js";

/** @typedef {import("../../../../evenings/tables/screen").Entry} Entry */
/** @typedef {import("../../../../evenings/tables/screen").Play} Play */
/** @typedef {import("../state/model.js").Draft} Draft */
/** @typedef {import("../state/model.js").Found} Found */
/** @typedef {import("../state/model.js").Kept} Kept */
/** @typedef {import("../device/outbox.js").Fresh} Fresh */

// Returns whether a line-up names who attacks, so that nobody has to say it.
/** @param {Play} play */
const isNamed = ({ attack }) => attack !== undefined && namedAttacker(attack) > 0;

export class Results {
  #site;
  #drafts;
  #plays;
  #screen;
  #records;
  #saving = false;

  /** @param {Omit<import("../app.js").App, "results" | "taps">} parts */
  constructor({ site, drafts, plays, screen, records }) {
    this.#site = site;
    this.#drafts = drafts;
    this.#plays = plays;
    this.#screen = screen;
    this.#records = records;
  }

  /** @param {Play} play */
  open({ id }) {
    const { stop, play, found } = this.#plays.find(id);
    const checks = this.#plays.awaits(id) && (!play.dealer || found.check === "blind");
    if (!this.#site.writing) return this.#screen.go({ name: checks ? "check" : "play", play: id });
    const open = isOpen(play, this.#site.commands);
    const draft = this.#drafts.of(id);
    if (draft && (open || draft.mode !== "enter")) return this.resume(draft);
    if (!open) return this.#screen.go({ name: "play", play: id });
    const next = this.#plays.first(stop) === play && this.#plays.reached(stop) && !this.#site.state.last_call;
    return next || found.state === "started" ? this.begin(play) : this.#screen.go({ name: "order", play: id });
  }

  /** @param {Play} play */
  begin(play) {
    const { session, last_call } = this.#site.state;
    const begun = this.#plays.find(play.id).found.state === "started" || last_call;
    if (!begun) this.#site.command({ kind: "start", ...this.#about(play.id) });
    this.#ask(draftOf(play, this.#seats(play.id), session, "enter"));
  }

  /** @param {number} id */
  #seats = (id) => seatsOf(this.#plays.find(id).stop);

  /** @param {Draft} draft */
  resume(draft) {
    const step = firstStep(this.#site.state.session, draft);
    this.#screen.go({ name: "entry", play: draft.play, step });
  }

  /** @param {Draft} draft */
  #ask(draft) {
    this.#screen.answer(draft, () => this.resume(draft));
  }

  // Returns the fields that name the play of a command: its id, and the position and étui, in case the plan changes
  // before the command arrives.
  /** @param {number} id */
  #about(id) {
    const { stop, play } = this.#plays.find(id);
    return { play: id, position: stop.position, etui: play.etui };
  }

  // Stores the command and deletes the draft in one transaction, so that a reload finds one of the two.
  /** @param {number} id @param {Fresh} command */
  async #settle(id, command) {
    if (this.#saving) return false;
    this.#saving = true;
    try {
      await this.#site.command({ ...this.#about(id), ...command }, this.#drafts.without(id));
      this.#drafts.forget(id);
    } catch {
      this.#screen.tell(say("not_kept"));
      return false;
    } finally {
      this.#saving = false;
    }
    return true;
  }

  /** @param {Draft} draft */
  async save(draft) {
    const { stop, play, found } = this.#plays.find(draft.play);
    const entry = entryOf(draft);
    const blind = draft.mode === "blind";
    const seat = blind ? this.#plays.checker(play, found) : seatIn(stop, play, this.#site.seat);
    /** @type {Fresh} */
    const command = { kind: draft.mode, seat, entry, sure: draft.sure, ...following(draft.mode, found) };
    if (draft.mode === "correct") command.seen_version = play.version;
    if (!(await this.#settle(play.id, command))) return;
    if (play.dealer && !blind) this.#afterDeal(play.id);
    else if (blind || found.check === "none") this.#records.after(play.id);
    else this.#screen.go({ name: found.check === "other" ? "elsewhere" : "check", play: play.id });
  }

  // After a deal of a game: goes back to the list of deals. After the last one it goes to the sheet of the game or, if
  // nobody has to agree, on as after any result.
  /** @param {number} id */
  #afterDeal(id) {
    const { stop } = this.#plays.find(id);
    if (owed(stop, this.#site.commands).length) this.#screen.home();
    else if (this.#plays.unread(stop.position).length) this.#screen.go({ name: "sheet", position: stop.position });
    else this.#records.leave(id);
  }

  // Stores the agreement of one player with a whole game: each result that is still to be checked gets it, all in one
  // transaction of the device. `seatIn` returns the player's seat in a deal: it may change if somebody leaves or comes.
  /** @param {number} position @param {(play: Play) => import("../../../../evenings/tables/screen").Line | undefined} seatIn */
  async agreeToSheet(position, seatIn) {
    const commands = this.#plays.unread(position).map(({ play, found }) => {
      const seat = seatIn(play);
      /** @type {Fresh} */
      const command = { kind: "check", seat, agrees: true, ...checked(play, found), ...following("check", found) };
      return { ...this.#about(play.id), ...command };
    });
    if (this.#saving || !commands.length) return;
    this.#saving = true;
    try {
      await this.#site.commandAll(commands);
      this.#records.leave(commands[commands.length - 1].play);
    } catch {
      this.#screen.tell(say("not_kept"));
    } finally {
      this.#saving = false;
    }
  }

  /** @param {Play} play @param {boolean} agrees */
  async agree({ id }, agrees) {
    const { play, found } = this.#plays.find(id);
    const seat = this.#plays.checker(play, found);
    /** @type {Fresh} */
    const command = { kind: "check", seat, agrees, ...checked(play, found), ...following("check", found) };
    if (!(await this.#settle(id, command))) return;
    if (agrees) this.#records.after(id);
    else this.#records.leave(id);
  }

  /** @param {Play} play @param {Entry | null} [entry] @param {Draft["mode"]} [mode] */
  correct({ id }, entry = this.#plays.find(id).found.entry, mode = "correct") {
    const { session } = this.#site.state;
    const draft = draftOf(this.#plays.find(id).play, this.#seats(id), session, mode, entry);
    const own = draft.attacker === undefined || isNamed(this.#plays.find(id).play) ? "bouts" : "attacker";
    const step = session.auction === "free" ? "taker" : own;
    this.#screen.answer(draft, () => this.#screen.go({ name: "entry", play: id, step }));
  }

  /** @param {Play} play */
  enterBlind({ id }) {
    this.#ask(draftOf(this.#plays.find(id).play, this.#seats(id), this.#site.state.session, "blind"));
  }

  /** @param {number} id */
  async setAside(id) {
    if (await this.#settle(id, { kind: "not_played" })) this.#screen.go({ name: "play", play: id });
  }

  /** @param {Play} play */
  takeUp({ id }) {
    return this.#settle(id, { kind: "undo_not_played" });
  }

  // Actions on commands that the site refused or asks about

  /** @param {Kept} command */
  dismiss(command) {
    if (!command.receipt) return undefined;
    return this.#site.outbox.change({ ...command, receipt: { ...command.receipt, dismissed: true } });
  }

  /** @param {Kept} command */
  confirm({ receipt, ...command }) {
    return this.#site.outbox.change({ ...command, sure: receipt?.questions?.map(({ code }) => code) });
  }

  /** @param {Kept} command @param {Play} play */
  async retype(command, play) {
    await this.dismiss(command);
    const mode = command.kind === "blind" ? "blind" : play.entry ? "correct" : "enter";
    this.correct(play, command.entry, mode);
  }
}

// Returns the fields of a command that waits for the receipt of the result typed before it.
/** @param {Fresh["kind"]} mode @param {Found} found */
const following = (mode, found) =>
  mode !== "enter" && found.last && !found.last.receipt ? { after: found.last.key } : {};

// Returns the fields of a check: which result was seen. If its version is not known yet, its receipt will tell it.
/** @param {Play} play @param {Found} found @returns {Partial<Fresh>} */
const checked = ({ version }, { entry }) => ({ version: version ?? undefined, entry: entry ?? undefined });
