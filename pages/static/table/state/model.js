// Computes what the screen shows of the table now: the site's last state, changed by the commands that this device has
// still to send. All functions are pure.

import { petitCanBeLast, scoreOf, sharesOf } from "./score.js";

/** @typedef {import("../../../../evenings/tables/screen").Command} Command */
/** @typedef {import("../../../../evenings/tables/screen").Entry} Entry */
/** @typedef {import("../../../../evenings/tables/screen").Facts} Facts */
/** @typedef {import("../../../../evenings/tables/screen").Line} Line */
/** @typedef {import("../../../../evenings/tables/screen").Play} Play */
/** @typedef {import("../../../../evenings/tables/screen").Poignee} Poignee */
/** @typedef {import("../../../../evenings/tables/screen").Receipt} Receipt */
/** @typedef {import("../../../../evenings/tables/screen").State} State */
/** @typedef {import("../../../../evenings/tables/screen").Stop} Stop */

/** @typedef {Omit<Partial<Receipt>, "status"> & { status: "dropped" }} Dropped */

/**
 * @typedef Keeping what a command is kept with on the device
 * @property {string} token the code of the table with which it is sent
 * @property {number} order
 * @property {string} [after] the key of the command whose receipt it waits for
 * @property {string} [home] the table and session to which it belongs, the same for all codes
 * @property {number} [times] how often it was sent again after a receipt
 * @property {(Receipt | Dropped) & { dismissed?: boolean }} [receipt]
 *
 * @typedef {Command & Keeping} Kept
 */

/**
 * @typedef Reckoned a score by the rule of this device: its lines have no words yet
 * @property {number} base_score
 * @property {import("./score.js").ScoreLine[]} lines
 *
 * @typedef {import("../../../../evenings/tables/screen").Score | Reckoned} Score
 */

/**
 * @typedef Found a play as it stands for this device
 * @property {Play["state"] | "kept"} state one of the site's, or "kept": entered here, no receipt yet
 * @property {Entry | null} entry with `score` of the newest result known
 * @property {Score | null} score
 * @property {Play["seat"]} seat
 * @property {Play["check"]} check
 * @property {Play["arbiter"]} arbiter
 * @property {boolean} checked true if the other side's answer is still to be sent
 * @property {Kept | null} trouble a command whose receipt the players must read
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
 * @property {Facts["attack_bouts"]} named which bouts these are; null if an entry to be corrected only has a number
 * @property {string} points as typed
 * @property {"taker" | "defence"} of whose points they are
 * @property {boolean} [answered] true if the next digit typed replaces these points
 * @property {Facts["petit_au_bout"] | ""} petit empty until somebody has said it
 * @property {{ [line in Line]?: Poignee }} shown
 * @property {Facts["chelem"]} chelem
 * @property {string[]} sure
 * @property {number | null} fiche the signed base score, if the facts that the table says are impossible
 * @property {string} figure as typed
 * @property {boolean} [figured] true if the next digit typed replaces this figure
 * @property {"+" | "-"} column
 * @property {number} [attacker] only of teams: the place of the member who attacked; 0 until somebody has said it
 * @property {3 | 5} [players] how many play the deal; four leave it out
 * @property {Line | ""} [partner] at five, the seat called; the taker's own seat plays alone
 * @property {boolean} [half] at three and five, whether half a point is added
 */

/** @type {import("../../../../evenings/tables/screen").Bout[]} */
export const BOUTS = ["21", "petit", "excuse"];
const ENTRIES = ["enter", "correct"];

// Returns the state without names, to be stored after the table's code has expired. It has no stamp either, so the site
// sends the whole state again if the code is valid after all.
/** @param {State} state @returns {State} */
export const withoutNames = (state) => ({
  ...state,
  stamp: "",
  stops: state.stops.map((stop) => ({
    ...stop,
    seats: Object.fromEntries(Object.keys(stop.seats).map((line) => [line, { name: "" }])),
    ...(stop.teams && { teams: nameless(stop.teams) }),
    plays: stop.plays.map((play) => ({
      ...play,
      ...(play.after?.kind === "ranking" && { after: null }),
      ...(play.seats && { seats: nameless(play.seats) }),
      ...(play.attack && { attack: { ...play.attack, team: "", defence: "", members: play.attack.members.map(unnamed), ...(play.attack.seats && { seats: {} }) } }),
    })),
  })),
  next: [],
  left: null,
  results: null,
  requests: [],
});

/** @param {NonNullable<Stop["teams"]>} teams @returns {Stop["teams"]} */
const nameless = (teams) => Object.fromEntries(Object.keys(teams).map((line) => [line, { name: "" }]));

/** @param {import("../../../../evenings/tables/screen").Attack["members"][number]} member */
const unnamed = (member) => ({ ...member, name: "" });

/** @param {State} state @param {number} position */
export const stopOf = (state, position) => state.stops.find((stop) => stop.position === position);

// Returns the stop of a position that exists.
/** @param {State} state @param {number} position */
export function stopAt(state, position) {
  const stop = stopOf(state, position);
  if (!stop) throw new Error(`no position ${position}`);
  return stop;
}

// Returns the position whose players sit here: the site's, or a later one if a play was begun here without network.
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

// Returns the number by which players know a play: the étui's, or the deal's in its game.
/** @param {Play} play */
export const numberOf = (play) => play.deal ?? play.etui;

// Returns what is known of a play: the site's state, changed by the commands that this device has still to send.
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
      const told = receipt.status === "received" || receipt.dismissed || ["start", "record"].includes(kind);
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

// Returns the base score of a play by its recorded cards if the site says that it differs from the result's, or null.
/** @param {Play} play @param {Found} found */
export function differing({ record, score }, found) {
  const other = record?.base_score ?? null;
  return other === null || !score || found.state === "kept" || other === score.base_score ? null : other;
}

// Returns the score of an entry, computed on this device.
/** @param {Entry | null} entry @returns {Reckoned | null} */
export function scored(entry) {
  if (!entry) return null;
  if (entry.kind === "passed") return { base_score: 0, lines: [] };
  if (entry.kind === "sheet") return { base_score: 0, lines: [] };
  if (entry.kind === "fiche") return { base_score: entry.base_score, lines: [] };
  const { base_score, lines } = scoreOf(resultOf(entry));
  return { base_score, lines };
}

// Returns the facts as `score.js` wants them: at five players it asks only whether the taker has a partner.
/** @param {Facts} entry */
export const resultOf = (entry) => ({
  ...entry,
  partner: entry.players === 5 && entry.partner ? entry.partner !== entry.taker : null,
});

// Returns the mark of each seat that plays a deal, by seat. The marks of a paper sheet are as they are.
/** @param {Entry} entry @param {number} score @param {Line[]} seats @returns {{ [line in Line]?: number }} */
export function marksBySeat(entry, score, seats) {
  if (entry.kind === "sheet") return entry.marks;
  if (entry.kind === "passed") return Object.fromEntries(seats.map((line) => [line, 0]));
  const { taker, partner } = entry;
  const called = seats.length === 5 ? partner !== undefined && partner !== taker : null;
  const shares = sharesOf(score, seats.length, called);
  /** @param {Line} line */
  const shareOf = (line) => (line === taker ? shares.taker : called && line === partner ? shares.partner : shares.defender);
  return Object.fromEntries(seats.map((line) => [line, shareOf(line) ?? 0]));
}

const OPEN = ["todo", "started", "later"];

/** @param {Play} play @param {Kept[]} commands */
export const isOpen = (play, commands) => OPEN.includes(seen(play, commands).state);

/** @param {Stop} stop @param {Kept[]} commands */
export const owed = (stop, commands) => stop.plays.filter((play) => isOpen(play, commands));

// Returns the next play of this position, in the order of étuis. An étui that is to be played later comes last.
/** @param {Stop} stop @param {Kept[]} commands */
export function nextPlay(stop, commands) {
  const open = owed(stop, commands);
  return open.find((play) => seen(play, commands).state !== "later") ?? open[0];
}

// Returns the lines of the players at a table, in the site's order.
/** @param {Pick<Stop, "seats">} stop */
export const seatsOf = (stop) => /** @type {Line[]} */ (Object.keys(stop.seats));

const NORTH_SOUTH = ["N", "S"];

// Returns the stop with the names at the table for a play of two teams: the attacker's in the taker's seat, and the
// defending team's in the others, or those of its players where a line-up names them. `place` is the attacker's place
// in the team, if it is not the one whose turn it is. Where the table deals, only those who play the deal are left.
/** @param {Stop} stop @param {Play} play @param {number} [place] @returns {Stop} */
export function seatTeams(stop, play, place) {
  const { attack, taker, resting } = play;
  if (play.seats || resting) {
    const there = Object.entries(play.seats ?? stop.seats).filter(([line]) => line !== resting);
    return { ...stop, seats: Object.fromEntries(there) };
  }
  if (!attack) return stop;
  const attacker = attack.members.find((member) => member.place === (place || attack.badge));
  const others = seatsOf(stop).map((line) => [line, { name: attack.seats?.[line] ?? attack.defence }]);
  return { ...stop, seats: { ...Object.fromEntries(others), [taker ?? ""]: { name: attacker?.name ?? attack.team } } };
}

// Returns the place of the member who attacks if a line-up names the attacker for the whole session, else 0: the screen
// asks who attacks.
/** @param {import("../../../../evenings/tables/screen").Attack} attack */
export const namedAttacker = (attack) => (attack.coloured === false ? attack.badge : 0);

// Returns the seat in a play from which the device enters. Of teams, `side` stands for one side of the table, and the
// seat is the taker's for the attacking team, and a defender's for the other.
/** @param {Stop} stop @param {Play} play @param {Line} side @returns {Line} */
export function seatIn(stop, play, side) {
  const { attack, taker } = play;
  if (!attack || !taker) return side;
  const attacks = stop.attacking
    ? side === stop.attacking
    : NORTH_SOUTH.includes(side) === NORTH_SOUTH.includes(taker);
  return attacks ? taker : (seatsOf(stop).find((line) => line !== taker) ?? side);
}

// Returns the line that must agree with the entry of `seat`: the taker or, if the taker entered, the defender opposite.
/** @param {Pick<Stop, "facing">} stop @param {Line | null} taker @param {Line | ""} seat */
export const checkerOf = (stop, taker, seat) =>
  taker && taker !== seat ? taker : /** @type {Line} */ (seat && stop.facing?.[seat]);

// Returns whether the other side has still to agree with the result. In a blind check, it has not seen the result.
/** @param {Found} found */
export const awaitsCheck = (found) =>
  found.check !== "none" &&
  (Boolean(found.entry) || found.check === "blind") &&
  ["entered", "kept"].includes(found.state) &&
  !found.checked;

// Returns whether this device enters results, supposing that the site grants what the device has asked for.
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
    shown
      .filter(([line]) => (line === draft.taker || line === draft.partner) === (side === "attack"))
      .map(([, poignee]) => poignee);
  const typed = 2 * Number(draft.points) + Number(draft.half ?? false);
  return {
    kind: "facts",
    taker: /** @type {Line} */ (draft.taker),
    contract: /** @type {Facts["contract"]} */ (draft.contract),
    bouts: draft.bouts ?? 0,
    attack_bouts: draft.named,
    half_points: draft.of === "taker" ? typed : 182 - typed,
    petit_au_bout: draft.petit || "none",
    poignees_attack: of("attack"),
    poignees_defence: of("defence"),
    shown_by: draft.shown,
    chelem: draft.chelem,
    ...(draft.players && { players: draft.players }),
    ...called(draft),
    ...attacked(draft),
  };
}

// Returns whether the screen asks who has the petit au bout: not if nobody can have it, unless the draft names a side.
/** @param {Draft} draft */
export const asksPetit = (draft) => petitCanBeLast(facts(draft)) || ["attack", "defence"].includes(draft.petit);

// Returns whether the draft still needs that answer.
/** @param {Draft} draft */
export const owesPetit = (draft) => draft.petit === "" && asksPetit(draft);

/** @param {Draft} draft */
const called = ({ partner }) => (partner ? { partner } : {});

/** @param {Draft} draft */
const attacked = ({ attacker }) => (attacker ? { attacker } : {});

/** @param {Draft} draft @returns {Entry} */
export function entryOf(draft) {
  if (draft.passed) return { kind: "passed" };
  const taker = /** @type {Line} */ (draft.taker);
  if (draft.fiche === null) return facts(draft);
  return { kind: "fiche", taker, base_score: draft.fiche, ...called(draft), ...attacked(draft) };
}

// Returns a draft of a play's result, empty or from an entry to be corrected.
/**
 * @param {Play} play @param {Line[]} seats @param {State["session"]} session
 * @param {Draft["mode"]} mode @param {Entry | null} [entry]
 * @returns {Draft}
 */
export function draftOf(play, seats, session, mode, entry) {
  const imposed = session.auction === "imposed";
  const taker = (imposed && play.taker) || "";
  /** @type {Draft} */
  const fresh = {
    play: play.id,
    mode,
    passed: false,
    taker,
    contract: imposed && !session.contracts ? "garde" : "",
    bouts: null,
    named: null,
    points: "",
    of: "taker",
    petit: "",
    shown: {},
    chelem: "none",
    sure: [],
    fiche: null,
    figure: "",
    column: "+",
    ...(seats.length === 3 && { players: 3, half: false }),
    ...(seats.length === 5 && { players: 5, half: false, partner: "" }),
    ...(play.attack && { attacker: (entry && "attacker" in entry && entry.attacker) || namedAttacker(play.attack) }),
  };
  if (entry?.kind !== "facts") return fresh;
  return {
    ...fresh,
    taker: taker || entry.taker, // the taker whom the étui names, even if the entry was made for another étui
    contract: entry.contract,
    bouts: entry.bouts,
    named: entry.attack_bouts ?? null,
    points: String(Math.floor(entry.half_points / 2)),
    ...(fresh.players && { half: entry.half_points % 2 === 1 }),
    ...(fresh.players === 5 && { partner: entry.partner ?? "" }),
    answered: true,
    petit: entry.petit_au_bout,
    shown: entry.shown_by ?? shownBy(entry, seats),
    chelem: entry.chelem,
  };
}

// Returns a possible player for each poignée, because an entry only tells the side.
/** @param {Facts} facts @param {Line[]} seats @returns {Draft["shown"]} */
function shownBy({ taker, partner, poignees_attack, poignees_defence }, seats) {
  const defenders = seats.filter((line) => line !== taker && line !== partner);
  return Object.fromEntries([
    ...poignees_attack.map((poignee, index) => [index ? partner : taker, poignee]),
    ...poignees_defence.map((poignee, index) => [defenders[index], poignee]),
  ]);
}
