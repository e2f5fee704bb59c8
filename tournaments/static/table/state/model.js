// What the screen may say of the table at this moment: the site's last state with what this device has still to send
// laid over it. Pure: asks nobody, draws nothing.

import { scoreOf } from "./score.js";

/** @typedef {import("../../../tables/screen").Command} Command */
/** @typedef {import("../../../tables/screen").Entry} Entry */
/** @typedef {import("../../../tables/screen").Facts} Facts */
/** @typedef {import("../../../tables/screen").Line} Line */
/** @typedef {import("../../../tables/screen").Play} Play */
/** @typedef {import("../../../tables/screen").Poignee} Poignee */
/** @typedef {import("../../../tables/screen").Receipt} Receipt */
/** @typedef {import("../../../tables/screen").State} State */
/** @typedef {import("../../../tables/screen").Stop} Stop */

/** @typedef {Omit<Partial<Receipt>, "status"> & { status: "dropped" }} Dropped */

/**
 * @typedef Keeping what a command is kept with on the device
 * @property {string} token the code of the table under which it goes out
 * @property {number} order
 * @property {string} [after] the key of the command whose receipt it waits for
 * @property {string} [home] the table that it is of, whatever its code
 * @property {number} [times] how often its receipt was doubted
 * @property {(Receipt | Dropped) & { dismissed?: boolean }} [receipt]
 *
 * @typedef {Command & Keeping} Kept
 */

/**
 * @typedef Reckoned a score by the rule of this device: its lines have no words yet
 * @property {number} base_score
 * @property {import("./score.js").ScoreLine[]} lines
 *
 * @typedef {import("../../../tables/screen").Score | Reckoned} Score
 */

/**
 * @typedef Found a play as it stands for this device
 * @property {Play["state"] | "kept"} state one of the site's, or "kept": entered here, no receipt yet
 * @property {Entry | null} entry with `score` of the newest result known
 * @property {Score | null} score
 * @property {Play["seat"]} seat
 * @property {Play["check"]} check
 * @property {Play["arbiter"]} arbiter
 * @property {boolean} checked a word on it is still to be sent
 * @property {Kept | null} trouble a command whose answer wants the table's eyes
 * @property {Kept | null} last the newest result typed here
 */

/**
 * @typedef Draft the answers given so far
 * @property {number} play
 * @property {"enter" | "correct" | "blind"} mode
 * @property {boolean} passed
 * @property {Line | ""} taker
 * @property {Facts["contract"] | ""} contract
 * @property {number | null} bouts
 * @property {Facts["attack_bouts"]} named which bouts these are; null where an entry to be corrected only counts them
 * @property {string} points as typed
 * @property {"taker" | "defence"} of whose points they are
 * @property {boolean} [answered] a digit typed from now on takes the place of these points
 * @property {Facts["petit_au_bout"]} petit
 * @property {{ [line in Line]?: Poignee }} shown
 * @property {Facts["chelem"]} chelem
 * @property {string[]} sure
 * @property {number | null} fiche the signed base score alone, where the facts of the table cannot be
 * @property {string} figure as typed
 * @property {boolean} [figured] as `answered`, of the figure
 * @property {"+" | "-"} column
 */

/** @type {import("../../../tables/screen").Bout[]} */
export const BOUTS = ["21", "petit", "excuse"];
const ENTRIES = ["enter", "correct"];

// What a device keeps of its table once the code opens nothing any more: no name. Without its stamp the site sends all
// of it again, should the code open the table after all.
/** @param {State} state @returns {State} */
export const withoutNames = (state) => ({
  ...state,
  stamp: "",
  stops: state.stops.map((stop) => ({
    ...stop,
    seats: Object.fromEntries(Object.keys(stop.seats).map((line) => [line, { name: "" }])),
    plays: stop.plays.map((play) => (play.after?.kind === "ranking" ? { ...play, after: null } : play)),
  })),
  next: [],
  left: null,
  results: null,
  requests: [],
});

/** @param {State} state @param {number} position */
export const stopOf = (state, position) => state.stops.find((stop) => stop.position === position);

// The same of a position that there is.
/** @param {State} state @param {number} position */
export function stopAt(state, position) {
  const stop = stopOf(state, position);
  if (!stop) throw new Error(`no position ${position}`);
  return stop;
}

// The position whose players sit here: as the site knows it, or further on if a result was begun here without network.
/** @param {State} state @param {Kept[]} commands */
export function hereOf(state, commands) {
  const begun = commands.filter(({ kind, receipt }) => !receipt && ["start", ...ENTRIES].includes(kind));
  const positions = begun.map((command) => playOf(state, command.play).stop?.position ?? 0);
  return Math.max(state.here, ...positions);
}

/** @param {State} state @param {number | undefined} id @returns {{ stop?: Stop, play?: Play }} */
export function playOf(state, id) {
  for (const stop of state.stops) for (const play of stop.plays) if (play.id === id) return { stop, play };
  return {};
}

// A play with what this device has still to send of it laid over what the site knows.
/** @param {Play} play @param {Kept[]} commands */
export function seen(play, commands) {
  const mine = commands.filter((command) => command.play === play.id);
  const { state, entry, score, seat, check, arbiter } = play;
  /** @type {Found} */
  const found = { state, entry, score, seat, check, arbiter, checked: false, trouble: null, last: null };
  const begun = play.started || mine.some(({ kind }) => kind === "start");
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
        entry: command.entry ?? null,
        score: scored(command.entry ?? null),
        seat: command.seat ?? "",
        checked: false,
      });
    } else if (kind === "check" || kind === "blind") found.checked = true;
    else if (kind === "not_played") found.state = "not_played";
    else if (kind === "undo_not_played") found.state = found.entry ? "entered" : begun ? "started" : "todo";
    else if (kind === "start" && found.state === "todo") found.state = "started";
  }
  return found;
}

// What an entry comes to, by the rule of this device.
/** @param {Entry | null} entry @returns {Reckoned | null} */
export function scored(entry) {
  if (!entry) return null;
  if (entry.kind === "passed") return { base_score: 0, lines: [] };
  if (entry.kind === "fiche") return { base_score: entry.base_score, lines: [] };
  const { base_score, lines } = scoreOf(entry);
  return { base_score, lines };
}

const OPEN = ["todo", "started", "later"];

/** @param {Play} play @param {Kept[]} commands */
export const isOpen = (play, commands) => OPEN.includes(seen(play, commands).state);

/** @param {Stop} stop @param {Kept[]} commands */
export const owed = (stop, commands) => stop.plays.filter((play) => isOpen(play, commands));

// The étui that comes next in this position, in the order of the numbers; one put off for later comes last.
/** @param {Stop} stop @param {Kept[]} commands */
export function nextPlay(stop, commands) {
  const open = owed(stop, commands);
  return open.find((play) => seen(play, commands).state !== "later") ?? open[0];
}

// The lines of those who sit at a table, in their order: as the site says who sits there.
/** @param {Pick<Stop, "seats">} stop */
export const seatsOf = (stop) => /** @type {Line[]} */ (Object.keys(stop.seats));

// Who has to agree with what `seat` entered: the taker, or where the taker's side entered, the defender facing it.
/** @param {Pick<Stop, "facing">} stop @param {Line | null} taker @param {Line | ""} seat */
export const checkerOf = (stop, taker, seat) =>
  taker && taker !== seat ? taker : /** @type {Line} */ (seat && stop.facing?.[seat]);

// Whether the other side has still to say its word on this play; in a blind check it need not have been shown it.
/** @param {Found} found */
export const awaitsCheck = (found) =>
  found.check !== "none" &&
  (Boolean(found.entry) || found.check === "blind") &&
  ["entered", "kept"].includes(found.state) &&
  !found.checked;

// Whether this device writes, once what it has asked for is granted.
/** @param {State} state @param {Kept[]} commands */
export function writes(state, commands) {
  const asked = commands.filter(({ kind, receipt }) => !receipt && ["join", "take_over"].includes(kind));
  return state.device.writes || asked.some(({ kind }) => kind === "take_over" || !state.device.others);
}

/** @param {State} state @param {Kept[]} commands */
export const isKnown = (state, commands) =>
  state.device.known || commands.some(({ kind, receipt }) => !receipt && ["join", "take_over"].includes(kind));

/** @param {Draft} draft @returns {Facts} */
export function facts(draft) {
  const shown = Object.entries(draft.shown);
  /** @param {"attack" | "defence"} side */
  const of = (side) =>
    shown.filter(([line]) => (line === draft.taker) === (side === "attack")).map(([, poignee]) => poignee);
  const typed = Number(draft.points);
  return {
    kind: "facts",
    taker: /** @type {Line} */ (draft.taker),
    contract: /** @type {Facts["contract"]} */ (draft.contract),
    bouts: draft.bouts ?? 0,
    attack_bouts: draft.named,
    half_points: 2 * (draft.of === "taker" ? typed : 91 - typed),
    petit_au_bout: draft.petit,
    poignees_attack: of("attack"),
    poignees_defence: of("defence"),
    shown_by: draft.shown,
    chelem: draft.chelem,
  };
}

/** @param {Draft} draft @returns {Entry} */
export function entryOf(draft) {
  if (draft.passed) return { kind: "passed" };
  const taker = /** @type {Line} */ (draft.taker);
  return draft.fiche === null ? facts(draft) : { kind: "fiche", taker, base_score: draft.fiche };
}

// A draft of a play's result, begun afresh or from an entry that is to be corrected.
/**
 * @param {Play} play @param {Line[]} seats @param {State["session"]["auction"]} auction
 * @param {Draft["mode"]} mode @param {Entry | null} [entry]
 * @returns {Draft}
 */
export function draftOf(play, seats, auction, mode, entry) {
  const imposed = auction === "imposed";
  const taker = (imposed && play.taker) || "";
  /** @type {Draft} */
  const fresh = {
    play: play.id,
    mode,
    passed: false,
    taker,
    contract: imposed ? "garde" : "",
    bouts: null,
    named: null,
    points: "",
    of: "taker",
    petit: "none",
    shown: {},
    chelem: "none",
    sure: [],
    fiche: null,
    figure: "",
    column: "+",
  };
  if (entry?.kind !== "facts") return fresh;
  return {
    ...fresh,
    taker: taker || entry.taker, // the étui's, should another one have been played
    contract: entry.contract,
    bouts: entry.bouts,
    named: entry.attack_bouts ?? null,
    points: String(entry.half_points / 2),
    answered: true,
    petit: entry.petit_au_bout,
    shown: entry.shown_by ?? shownBy(entry, seats),
    chelem: entry.chelem,
  };
}

// Whose poignées they can have been, where nobody has said.
/** @param {Facts} facts @param {Line[]} seats @returns {Draft["shown"]} */
function shownBy({ taker, poignees_attack, poignees_defence }, seats) {
  const defenders = seats.filter((line) => line !== taker);
  return Object.fromEntries([
    ...poignees_attack.map((poignee) => [taker, poignee]),
    ...poignees_defence.map((poignee, index) => [defenders[index], poignee]),
  ]);
}
