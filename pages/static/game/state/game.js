// A friendly game as data: who sits at the table, the deals, the marks. All functions are pure, and return a new game
// instead of changing the old one. A player is named by the place in `names`, which never changes.

import { CHELEM_CHOICES, CONTRACTS, POIGNEE_CHOICES, check, checkCards, scoreOf, sharesOf } from "../../table/state/score.js";

/** @typedef {import("../../table/state/score.js").Facts} Facts */
/** @typedef {import("../../table/state/score.js").Poignee} Poignee */

/**
 * @typedef Seating who is at the table for a deal
 * @property {number[]} present the players in the order in which they deal
 * @property {number} dealer
 * @property {number | null} resting the player who sits out this deal
 *
 * @typedef Told the result of a deal
 * @property {number} taker
 * @property {number | null} partner at five, the partner, or the taker who plays alone; null if fewer play
 * @property {Facts["contract"]} contract
 * @property {number} bouts
 * @property {number} half_points of the taker's side
 * @property {Facts["petit_au_bout"]} petit
 * @property {[player: number, poignee: Poignee][]} shown
 * @property {Facts["chelem"]} chelem
 *
 * @typedef {Seating & Told} Deal
 */

/** @typedef {"open" | "deals" | "score"} EndKind */

/**
 * @typedef Game
 * @property {string} id eight hexadecimal digits, the same in every copy
 * @property {string} day when it began, as 2026-11-26
 * @property {string[]} names of everybody who has played
 * @property {number[]} present who is at the table now, in the order in which they deal
 * @property {number} dealer of the next deal
 * @property {boolean} mort whether the dealer rests if five are at the table
 * @property {{ kind: EndKind, value: number }} end
 * @property {Deal[]} deals
 */

export const [LEAST, MOST] = [3, 5]; // players at the table
export const MOST_NAMES = 15;
export const MOST_LETTERS = 30;
export const MOST_DEALS = 200;
export const MOST_SCORE = 9999;
export const END_KINDS = /** @type {EndKind[]} */ (["open", "deals", "score"]);

/** @param {Pick<Game, "id" | "day" | "names" | "end" | "mort">} chosen @returns {Game} */
export const newGame = (chosen) => ({ ...chosen, present: chosen.names.map((_, place) => place), dealer: 0, deals: [] });

/** @param {number[]} present @param {number} player */
const after = (present, player) => present[(present.indexOf(player) + 1) % present.length];

// Returns who is at the table for the next deal.
/** @param {Game} game @returns {Seating} */
export function nextSeating({ present, dealer, mort }) {
  return { present, dealer, resting: mort && present.length === MOST ? dealer : null };
}

// Returns the players of a deal in their order of turn: the player after the dealer speaks and leads first.
/** @param {Seating} seating */
export function playersOf({ present, dealer, resting }) {
  const first = present.indexOf(dealer) + 1;
  return [...present.slice(first), ...present.slice(0, first)].filter((player) => player !== resting);
}

// Returns whether a player is on the side of the taker.
/** @param {Pick<Told, "taker" | "partner">} deal @param {number} player */
export const attacks = ({ taker, partner }, player) => player === taker || player === partner;

/** @param {Deal} deal @returns {Facts} */
export function factsOf(deal) {
  const players = playersOf(deal).length;
  /** @param {boolean} attack */
  const shownBy = (attack) =>
    deal.shown.filter(([player]) => attacks(deal, player) === attack).map(([, poignee]) => poignee);
  return {
    players,
    partner: players === 5 ? deal.partner !== deal.taker : null,
    contract: deal.contract,
    bouts: deal.bouts,
    half_points: deal.half_points,
    petit_au_bout: deal.petit,
    poignees_attack: shownBy(true),
    poignees_defence: shownBy(false),
    chelem: deal.chelem,
  };
}

// Returns the score of a deal with its lines, and the mark of each player who played: player → points. Throws
// Impossible if the facts contradict each other.
/** @param {Deal} deal */
export function scoreDeal(deal) {
  const [facts, players] = [factsOf(deal), playersOf(deal)];
  const score = scoreOf(facts);
  const shares = sharesOf(score.base_score, players.length, facts.partner ?? null);
  /** @param {number} player */
  const mark = (player) =>
    player === deal.taker ? shares.taker : player === deal.partner ? (shares.partner ?? 0) : shares.defender;
  return { ...score, marks: new Map(players.map((player) => [player, mark(player)])) };
}

// Returns the totals of everybody after each deal.
/** @param {Game} game @returns {number[][]} */
export function runningTotals({ names, deals }) {
  let totals = names.map(() => 0);
  return deals.map((deal) => {
    const { marks } = scoreDeal(deal);
    totals = totals.map((total, player) => total + (marks.get(player) ?? 0));
    return totals;
  });
}

/** @param {Game} game @returns {number[]} */
export const totalsOf = (game) => runningTotals(game).at(-1) ?? game.names.map(() => 0);

// Returns the players in the order of their totals, with ranks that equal players share.
/** @param {Game} game */
export function ranking(game) {
  const totals = totalsOf(game);
  const players = game.names.map((_, player) => player).sort((one, other) => totals[other] - totals[one]);
  return players.map((player) => ({
    player,
    total: totals[player],
    rank: 1 + totals.filter((total) => total > totals[player]).length,
  }));
}

/** @param {Game} game */
export function isOver(game) {
  const { kind, value } = game.end;
  if (kind === "deals") return game.deals.length >= value;
  return kind === "score" && Math.max(...totalsOf(game)) >= value;
}

// Returns the game with one deal more, or with a corrected deal at this place. After a new deal the next player deals.
/** @param {Game} game @param {Deal} deal @param {number | null} place @returns {Game} */
export function withDeal(game, deal, place) {
  if (place !== null) return { ...game, deals: game.deals.map((each, index) => (index === place ? deal : each)) };
  return { ...game, deals: [...game.deals, deal], dealer: after(game.present, game.dealer) };
}

// Returns the game without a deal. Without the last one, its dealer deals again.
/** @param {Game} game @param {number} place @returns {Game} */
export function withoutDeal(game, place) {
  const [deals, { dealer }] = [game.deals.filter((_, index) => index !== place), game.deals[place]];
  const again = place === deals.length && game.present.includes(dealer);
  return { ...game, deals, dealer: again ? dealer : game.dealer };
}

// Returns the game after a deal that everybody passed: the next player deals, and nothing is written.
/** @param {Game} game @returns {Game} */
export const passed = (game) => ({ ...game, dealer: after(game.present, game.dealer) });

/** @param {Game} game @param {number} player @returns {Game} */
export function leave(game, player) {
  const dealer = player === game.dealer ? after(game.present, player) : game.dealer;
  return { ...game, dealer, present: game.present.filter((each) => each !== player) };
}

// Returns the game with one player more at the table, who sits down in the last place. A new name is added to `names`.
/** @param {Game} game @param {string} name @returns {Game} */
export function join(game, name) {
  const found = game.names.findIndex((each) => sameName(each, name));
  const names = found < 0 ? [...game.names, name] : game.names;
  return { ...game, names, present: [...game.present, found < 0 ? game.names.length : found] };
}

// Returns the game in which a player sits one place earlier.
/** @param {Game} game @param {number} player @returns {Game} */
export function moveUp(game, player) {
  const [present, place] = [[...game.present], game.present.indexOf(player)];
  [present[place - 1], present[place]] = [present[place], present[place - 1]];
  return { ...game, present };
}

/** @param {string} name */
export const tidyName = (name) => [...name.normalize("NFC").replace(/\s+/g, " ").trim()].slice(0, MOST_LETTERS).join("");

/** @param {string} one @param {string} other */
export const sameName = (one, other) => one.toLocaleLowerCase() === other.toLocaleLowerCase();

/** @param {string[]} names */
export const firstTwice = (names) =>
  names.find((name, place) => names.findIndex((each) => sameName(each, name)) < place);

// Returns whether a game that comes from a link can have been played: every player, deal and result is possible.
/** @param {Game} game */
export function isPossible(game) {
  const { names, deals, end } = game;
  const tidy = names.every((name) => name && name === tidyName(name)) && firstTwice(names) === undefined;
  return (
    tidy &&
    names.length >= LEAST &&
    names.length <= MOST_NAMES &&
    END_KINDS.includes(end.kind) &&
    (end.kind === "open" || end.value > 0) &&
    isSeating(nextSeating(game), names) &&
    deals.every((deal) => isSeating(deal, names) && isDeal(deal))
  );
}

/** @param {Seating} seating @param {string[]} names */
function isSeating({ present, dealer, resting }, names) {
  const [some, four] = [present.length >= LEAST && present.length <= MOST, present.length === MOST];
  const known = present.every((player) => player in names) && new Set(present).size === present.length;
  return some && known && present.includes(dealer) && (resting === null || (four && resting === dealer));
}

/** @param {Deal} deal */
function isDeal(deal) {
  const players = playersOf(deal);
  const { taker, partner, shown } = deal;
  const seated = players.includes(taker) && (players.length === 5 ? players.includes(partner ?? -1) : partner === null);
  const showed = shown.map(([player]) => player);
  const hands = showed.every((player) => players.includes(player)) && new Set(showed).size === showed.length;
  const known =
    CONTRACTS.includes(deal.contract) &&
    CHELEM_CHOICES.includes(deal.chelem) &&
    shown.every(([, poignee]) => POIGNEE_CHOICES.includes(poignee));
  return seated && hands && known && isAccepted(deal);
}

/** @param {Deal} deal */
function isAccepted(deal) {
  try {
    check(factsOf(deal));
    checkCards(factsOf(deal));
    return true;
  } catch {
    return false;
  }
}
