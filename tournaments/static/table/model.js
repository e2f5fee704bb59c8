// What the screen may say of the table at this moment: the site's last state with what this device has still to send
// laid over it. Pure: asks nobody, draws nothing.

import { marksOf, scoreOf } from "./score.js";

export const LINES = [..."NESW"];
export const BOUTS = ["21", "petit", "excuse"];
const FACING = { N: "S", S: "N", E: "W", W: "E" };
const ENTRIES = ["enter", "correct"];

export const stopOf = (state, position) => state.stops.find((stop) => stop.position === position);

// The position whose players sit here: as the site knows it, or further on if a result was begun here without network.
export function hereOf(state, commands) {
  const begun = commands.filter(({ kind, receipt }) => !receipt && ["start", ...ENTRIES].includes(kind));
  const positions = begun.map((command) => playOf(state, command.play).stop?.position ?? 0);
  return Math.max(state.here, ...positions);
}

export function playOf(state, id) {
  for (const stop of state.stops) for (const play of stop.plays) if (play.id === id) return { stop, play };
  return {};
}

// A play as it stands for this device. `state` is one of the site's, or "kept": entered here, no receipt yet.
// `entry` and `score` are of the newest result known, `checked` says that a word on it is still to be sent, `last` is
// the newest result typed here, `trouble` a command whose answer wants the table's eyes.
export function seen(play, commands) {
  const mine = commands.filter((command) => command.play === play.id);
  const { state, entry, score, seat, check, arbiter } = play;
  const found = { state, entry, score, seat, check, arbiter, checked: false, trouble: null, last: null };
  for (const command of mine) {
    const { kind, receipt } = command;
    if (ENTRIES.includes(kind)) found.last = command;
    if (receipt) {
      const told = receipt.status === "received" || receipt.dismissed || kind === "start";
      if (!told) found.trouble = command;
      continue;
    }
    if (ENTRIES.includes(kind)) {
      Object.assign(found, {
        state: "kept",
        arbiter: "",
        entry: command.entry,
        score: scored(command.entry),
        seat: command.seat,
        checked: false,
      });
    } else if (kind === "check" || kind === "blind") found.checked = true;
    else if (kind === "not_played") found.state = "not_played";
    else if (kind === "undo_not_played") found.state = found.entry ? "entered" : "todo";
    else if (kind === "start" && found.state === "todo") found.state = "started";
  }
  return found;
}

// What an entry comes to, by the rule of this device.
export function scored(entry) {
  if (!entry) return null;
  if (entry.kind === "passed") return { base_score: 0, lines: [], marks: marksOf(null, 0) };
  if (entry.kind === "fiche")
    return { base_score: entry.base_score, lines: [], marks: marksOf(entry.taker, entry.base_score) };
  const { base_score, lines } = scoreOf(entry);
  return { base_score, lines, marks: marksOf(entry.taker, base_score) };
}

const OPEN = ["todo", "started", "later"];

export const isOpen = (play, commands) => OPEN.includes(seen(play, commands).state);

export const owed = (stop, commands) => stop.plays.filter((play) => isOpen(play, commands));

// The étui that comes next in this position, in the order of the numbers; one put off for later comes last.
export function nextPlay(stop, commands) {
  const open = owed(stop, commands);
  return open.find((play) => seen(play, commands).state !== "later") ?? open[0];
}

// Who has to agree with what `seat` entered: the taker, or where the taker's side entered, the defender facing it.
export const checkerOf = (entry, seat) => (entry.taker && entry.taker !== seat ? entry.taker : FACING[seat]);

const needsCheck = (check) => check !== "none";

// Whether the other side has still to say its word on this play; in a blind check it need not have been shown it.
export const awaitsCheck = (found) =>
  needsCheck(found.check) &&
  (Boolean(found.entry) || found.check === "blind") &&
  ["entered", "kept"].includes(found.state) &&
  !found.checked;

// Whether this device writes, once what it has asked for is granted.
export function writes(state, commands) {
  const asked = commands.filter(({ kind, receipt }) => !receipt && ["join", "take_over"].includes(kind));
  return state.device.writes || asked.some(({ kind }) => kind === "take_over" || !state.device.others);
}

export const known = (state, commands) =>
  state.device.known || commands.some(({ kind, receipt }) => !receipt && ["join", "take_over"].includes(kind));

export function facts(draft) {
  const shown = Object.entries(draft.shown);
  const of = (side) =>
    shown.filter(([line]) => (line === draft.taker) === (side === "attack")).map(([, poignee]) => poignee);
  const typed = Number(draft.points);
  return {
    kind: "facts",
    taker: draft.taker,
    contract: draft.contract,
    bouts: draft.bouts,
    attack_bouts: draft.named,
    half_points: 2 * (draft.of === "taker" ? typed : 91 - typed),
    petit_au_bout: draft.petit,
    poignees_attack: of("attack"),
    poignees_defence: of("defence"),
    shown_by: draft.shown,
    chelem: draft.chelem,
  };
}

export function entryOf(draft) {
  if (draft.passed) return { kind: "passed" };
  return draft.fiche === null ? facts(draft) : { kind: "fiche", taker: draft.taker, base_score: draft.fiche };
}

// A draft of a play's result, begun afresh or from an entry that is to be corrected.
export function draftOf(play, auction, mode, entry) {
  const imposed = auction === "imposed";
  const fresh = {
    play: play.id,
    mode,
    passed: false,
    taker: imposed ? play.taker : "",
    contract: imposed ? "garde" : "",
    bouts: null,
    named: null, // which bouts these are; null where an entry to be corrected only counts them
    points: "",
    of: "taker",
    petit: "none",
    shown: {},
    chelem: "none",
    sure: [],
    fiche: null, // the signed base score alone, where the facts of the table cannot be
    figure: "",
    column: "+",
  };
  if (entry?.kind !== "facts") return fresh;
  return {
    ...fresh,
    taker: imposed ? play.taker : entry.taker, // the étui's, should another one have been played
    contract: entry.contract,
    bouts: entry.bouts,
    named: entry.attack_bouts ?? null,
    points: String(entry.half_points / 2),
    answered: true, // a digit typed from now on takes the place of these points
    petit: entry.petit_au_bout,
    shown: entry.shown_by ?? shownBy(entry),
    chelem: entry.chelem,
  };
}

// Whose poignées they can have been, where nobody has said.
function shownBy({ taker, poignees_attack, poignees_defence }) {
  const defenders = LINES.filter((line) => line !== taker);
  return Object.fromEntries([
    ...poignees_attack.map((poignee) => [taker, poignee]),
    ...poignees_defence.map((poignee, index) => [defenders[index], poignee]),
  ]);
}
