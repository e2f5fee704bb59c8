// What a press does to a play: beginning it, keeping its answers, saving, agreeing, correcting. Moves between screens
// by `go`, `home` and `back`, which are the screen's.

import { firstStep } from "./entry.js";
import {
  awaitsCheck,
  checkerOf,
  draftOf,
  entryOf,
  isOpen,
  nextPlay,
  owed,
  playOf,
  seen,
  stopOf,
} from "./model.js";
import { Site } from "./site.js";
import { say } from "./words.js";

export class Deeds extends Site {
  saving = false;

  find(id) {
    const { stop, play } = playOf(this.state, id);
    return { stop, play, found: seen(play, this.outbox.commands) };
  }

  // Whose word is asked for on the result that is there.
  checker(play, found) {
    return checkerOf(found.entry ?? { taker: play.taker }, found.seat || this.seat);
  }

  awaits(id) {
    const { stop, found } = this.find(id);
    return stop.position >= this.here && awaitsCheck(found);
  }

  // Whether the figures of a result may be seen: by those who sit here now, and not before a blind check is done.
  shows(stop, found) {
    const unseen = found.check === "blind" && ["kept", "entered"].includes(found.state);
    return stop.position >= this.here && !unseen;
  }

  mayBeUnplayed(id) {
    const { stop, play } = this.find(id);
    return !stop.closed && isOpen(play, this.outbox.commands);
  }

  // Whether étuis of a position may be begun without being asked: it is called, or, where nobody calls, comes next.
  reached(stop) {
    const { here, state, outbox } = this;
    if (stop.position <= Math.max(here, state.position)) return true;
    const before = stopOf(state, here);
    return !state.position && stop.position === here + 1 && !owed(before, outbox.commands).length;
  }

  // The étui that comes first: what those who sit here still have to play goes before a later position.
  first(stop) {
    const before = stop.position > this.here && nextPlay(stopOf(this.state, this.here), this.outbox.commands);
    return before || nextPlay(stop, this.outbox.commands);
  }

  open({ id }) {
    const { stop, play, found } = this.find(id);
    if (!this.writing) return this.go({ name: this.awaits(id) ? "check" : "play", play: id });
    const open = isOpen(play, this.outbox.commands);
    if (this.drafts[id] && (open || this.drafts[id].mode !== "enter")) return this.resume(id);
    if (!open) return this.go({ name: "play", play: id });
    const next = this.first(stop) === play && this.reached(stop) && !this.state.last_call;
    return next || found.state === "started" ? this.begin(play) : this.go({ name: "order", play: id });
  }

  begin(play) {
    const begun = this.find(play.id).found.state === "started" || this.state.last_call;
    if (!begun) this.command({ kind: "start", ...this.about(play.id) });
    this.draft(draftOf(play, this.state.session.auction, "enter"), () => this.resume(play.id));
  }

  resume(id) {
    this.go({ name: "entry", play: id, step: firstStep(this, this.drafts[id]) });
  }

  // Keeps an answer; the next question does not wait for the disk.
  draft(draft, then) {
    this.told = "";
    this.drafts = { ...this.drafts, [draft.play]: draft };
    this.store.write({ values: { [this.name("drafts")]: this.drafts } });
    then();
  }

  // The drafts without this play's, as they are to be kept.
  without(id) {
    const { [id]: _, ...drafts } = this.drafts;
    return drafts;
  }

  // Which play is meant, and by what it is found if the plan is laid out anew before this arrives.
  about(id) {
    const { stop, play } = this.find(id);
    return { play: id, position: stop.position, etui: play.etui };
  }

  // Keeps the command in the same moment as the draft goes: a reload finds the one or the other.
  async settle(id, command) {
    if (this.saving) return false;
    this.saving = true;
    try {
      const drafts = this.without(id);
      await this.command({ ...this.about(id), ...command }, { [this.name("drafts")]: drafts });
      this.drafts = drafts;
    } catch {
      this.tell(say("not_kept"));
      return false;
    } finally {
      this.saving = false;
    }
    return true;
  }

  async save(draft) {
    const { play, found } = this.find(draft.play);
    const entry = entryOf(draft);
    const blind = draft.mode === "blind";
    const seat = blind ? this.checker(play, found) : this.seat;
    const command = { kind: draft.mode, seat, entry, sure: draft.sure, ...this.following(draft.mode, found) };
    if (draft.mode === "correct") command.seen_version = play.version;
    if (!(await this.settle(play.id, command))) return;
    if (blind || found.check === "none") this.after(play.id);
    else this.go({ name: found.check === "other" ? "elsewhere" : "check", play: play.id });
  }

  // What waits for the receipt of the result typed before it.
  following(mode, found) {
    return mode !== "enter" && found.last && !found.last.receipt ? { after: found.last.key } : {};
  }

  async agree({ id }, agrees) {
    const { play, found } = this.find(id);
    const seat = this.checker(play, found);
    const command = { kind: "check", seat, agrees, version: play.version, ...this.following("check", found) };
    if (await this.settle(id, command)) this.after(id);
  }

  // What is shown after an entry is shown at once; else the list.
  after(id) {
    if (this.state.session.shows === "nothing") this.home();
    else this.go({ name: "play", play: id });
  }

  check({ id }) {
    this.go({ name: "check", play: id });
  }

  correct({ id }, entry = this.find(id).found.entry, mode = "correct") {
    const draft = draftOf(this.find(id).play, this.state.session.auction, mode, entry);
    const step = this.state.session.auction === "free" ? "taker" : "bouts";
    this.draft(draft, () => this.go({ name: "entry", play: id, step }));
  }

  blind({ id }) {
    this.draft(draftOf(this.find(id).play, this.state.session.auction, "blind"), () => this.resume(id));
  }

  async notPlayed(id) {
    if (await this.settle(id, { kind: "not_played" })) this.go({ name: "play", play: id });
  }

  undoNotPlayed({ id }) {
    return this.settle(id, { kind: "undo_not_played" });
  }

  // What the site did not take, or asks about

  dismiss(command) {
    return this.outbox.change({ ...command, receipt: { ...command.receipt, dismissed: true } });
  }

  confirm({ receipt, ...command }) {
    return this.outbox.change({ ...command, sure: receipt.questions.map(({ code }) => code) });
  }

  async retype(command) {
    await this.dismiss(command);
    const { play } = this.find(command.play);
    const mode = command.kind === "blind" ? "blind" : play.entry ? "correct" : "enter";
    this.correct(play, command.entry, mode);
  }
}
