// The answers given so far about one deal, and the deal that they make.

import { Impossible, check, checkCards, questionsOf } from "../../table/state/score.js";
import { factsOf, nextSeating, playersOf } from "./game.js";

/** @typedef {import("./game.js").Deal} Deal */
/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./game.js").Seating} Seating */

/**
 * @typedef Answers
 * @property {number | null} place of the deal that is corrected; null for a new one
 * @property {Deal["taker"]} taker
 * @property {Deal["contract"] | ""} contract
 * @property {Deal["partner"]} partner
 * @property {number | null} bouts
 * @property {string} points as typed
 * @property {boolean} half whether half a point is added
 * @property {boolean} answered whether the next digit begins a new number
 * @property {"taker" | "defence"} of whose points they are
 * @property {Deal["petit"]} petit
 * @property {Deal["shown"]} shown
 * @property {Deal["chelem"]} chelem
 *
 * @typedef {Seating & Answers} Draft
 */

/** @param {Game} game @param {number} taker @returns {Draft} */
export const newDraft = (game, taker) => ({
  ...nextSeating(game),
  ...{ place: null, taker, contract: "", partner: null, bouts: null, points: "", half: false, answered: false },
  ...{ of: "taker", petit: "none", shown: [], chelem: "none" },
});

/** @param {Game} game @param {number} place @returns {Draft} */
export function draftOfDeal(game, place) {
  const { half_points, ...deal } = game.deals[place];
  const points = String(Math.floor(half_points / 2));
  return { ...deal, place, points, half: half_points % 2 === 1, answered: true, of: "taker" };
}

/** @param {Draft} draft */
export const isAtFive = (draft) => playersOf(draft).length === 5;

// Returns the points of the taker's side, in halves.
/** @param {Draft} draft */
export function halvesOf({ points, half, of }) {
  const typed = 2 * Number(points) + Number(half);
  return of === "taker" ? typed : 182 - typed;
}

/** @param {Draft} draft @returns {Deal} */
export function dealOf(draft) {
  const { place, points, half, answered, of, ...deal } = draft;
  return { ...deal, contract: draft.contract || "garde", bouts: draft.bouts ?? 0, half_points: halvesOf(draft) };
}

// Returns why a draft is impossible, or null if it is possible. `points`: look only at the points and the bouts.
/** @param {Draft} draft @returns {Impossible | null} */
export function refusalOf(draft, { points = false } = {}) {
  try {
    const deal = dealOf(points ? { ...draft, shown: [], chelem: "none", petit: "none" } : draft);
    check(factsOf(deal));
    if (!points) checkCards(factsOf(deal));
    return null;
  } catch (error) {
    if (error instanceof Impossible) return error;
    throw error;
  }
}

/** @param {Draft} draft */
export const questionsAbout = (draft) => questionsOf(factsOf(dealOf(draft)));
