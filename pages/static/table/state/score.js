// Computes the score of a deal from its facts, and finds facts that are impossible or unlikely. These are the rules of
// the Python package scoring/ for three, four and five players, so that a phone without network sees its score at once.
// The score of a tournament is the server's; a test compares the two on every result. Points are counted in halves, as
// in scoring/.

/** @typedef {import("../../../../evenings/tables/screen").Contract} Contract */
/** @typedef {import("../../../../evenings/tables/screen").Line} Line */
/** @typedef {import("../../../../evenings/tables/screen").Poignee} Poignee */
/** @typedef {import("../../../../evenings/tables/screen").Side} Side */
/** @typedef {import("../../../../evenings/tables/screen").Facts} TableFacts */
/**
 * @typedef Seats who plays; a table of four leaves it out
 * @property {number} [players] 3, 4 or 5
 * @property {boolean | null} [partner] at five, whether the taker has a partner; otherwise null or left out
 *
 * @typedef {"contract" | "bouts" | "half_points" | "petit_au_bout" | "chelem"} Fact
 * @typedef {Pick<TableFacts, Fact | "poignees_attack" | "poignees_defence"> & Seats} Facts
 */
/** @typedef {Record<string, any>} Params what a sentence is filled with */
/** @typedef {{ kind: string, amount: number, params: Params }} ScoreLine */
/** @typedef {"attack" | "defence"} Camp */

const BASE = 25;
export const TARGETS = [56, 51, 41, 36];
const PETIT = 10;
/** @type {Record<Contract, number>} */
const COEFFICIENTS = { prise: 1, garde: 2, garde_sans: 4, garde_contre: 6 };
/** @type {Record<Poignee, number>} */
const POIGNEES = { simple: 20, double: 30, triple: 40 };
/** @type {Record<number, Record<Poignee, number>>} by the number of players */
export const POIGNEE_TRUMPS = {
  3: { simple: 13, double: 15, triple: 18 },
  4: { simple: 10, double: 13, triple: 15 },
  5: { simple: 8, double: 10, triple: 13 },
};
/** @type {Record<TableFacts["chelem"], number>} */
const CHELEMS = {
  none: 0,
  announced_made: 400,
  announced_failed: -200,
  unannounced_made: 200,
  suffered: -200,
  announced_suffered: -400,
};
const SIGNS = { attack: 1, defence: -1, none: 0 };

/** @type {Record<number, number>} number of players → number of cards in the chien */
const CHIEN = { 3: 6, 4: 6, 5: 3 };
const DECK = 182;
const TRUMPS = 22;
const [BOUT, PLAIN] = [9, 1];
const ROI_DOWN = [9, 9, 9, 9, 7, 7, 7, 7];
const DAME_DOWN = [7, 7, 7, 7, 5, 5, 5, 5]; // the best cards of an écart, which can hold no Roi and no bout
const KEPT_EXCUSE = 8;

const MADE = ["announced_made", "unannounced_made"];
const SUFFERED = ["suffered", "announced_suffered"];

export const CONTRACTS = /** @type {Contract[]} */ (Object.keys(COEFFICIENTS));
export const CHELEM_CHOICES = /** @type {TableFacts["chelem"][]} */ (Object.keys(CHELEMS));
export const POIGNEE_CHOICES = /** @type {Poignee[]} */ (Object.keys(POIGNEES));

export class Impossible extends Error {
  /** @param {string} code @param {Params} params */
  constructor(code, params) {
    super(code);
    this.code = code;
    this.params = params;
  }
}

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

// Returns the base score with the lines that add up to it. Throws Impossible if the facts contradict each other.
/** @param {Facts} facts */
export function scoreOf(facts) {
  check(facts);
  const target = TARGETS[facts.bouts];
  const made = facts.half_points >= 2 * target;
  const sign = made ? 1 : -1;
  const difference = beyond(facts.half_points, target);
  const coefficient = COEFFICIENTS[facts.contract];
  /** @type {ScoreLine[]} */
  const lines = [
    {
      kind: made ? "made" : "failed",
      amount: sign * (BASE + difference) * coefficient,
      params: { contract: facts.contract, bouts: facts.bouts, difference, base: BASE, coefficient },
    },
  ];
  if (facts.petit_au_bout !== "none") {
    const params = { side: facts.petit_au_bout, bonus: PETIT, coefficient };
    lines.push({ kind: "petit_au_bout", amount: SIGNS[facts.petit_au_bout] * PETIT * coefficient, params });
  }
  for (const { side, poignees } of [
    { side: "attack", poignees: facts.poignees_attack },
    { side: "defence", poignees: facts.poignees_defence },
  ]) {
    for (const poignee of poignees) {
      lines.push({ kind: "poignee", amount: sign * POIGNEES[poignee], params: { poignee, side } });
    }
  }
  if (facts.chelem !== "none") {
    lines.push({ kind: "chelem", amount: CHELEMS[facts.chelem], params: { chelem: facts.chelem } });
  }
  return { base_score: sum(lines.map((line) => line.amount)), made, target, lines };
}

/** @param {Facts} facts */
const playersOf = ({ players = 4 }) => players;

// Returns the points above or below the target, rounded up: a half point goes to the winner of the deal.
/** @param {number} half_points @param {number} target */
const beyond = (half_points, target) => Math.ceil(Math.abs(half_points - 2 * target) / 2);

// Returns the marks of the taker, of the partner (null if there is none) and of each defender. They sum to zero.
/** @param {number} score @param {number} players @param {boolean | null} partner */
export function sharesOf(score, players, partner) {
  const defenders = players - (partner ? 2 : 1);
  const [taker, defender] = [defenders * score - (partner ? score : 0), -score || 0];
  return { taker: taker || 0, partner: partner ? score : null, defender };
}

// Returns the signed mark of a line. The taker gets the base score from each other player, who loses it.
/** @param {Line} line @param {Line | null} taker @param {number} score @param {number} others */
export const markOf = (line, taker, score, others) => (taker ? (line === taker ? others * score : -score) || 0 : 0);

// Compares the points with the target that the bouts set. Returns {made, difference, attack, defence}, in points.
/** @param {Facts} facts */
export function againstTarget({ bouts, half_points }) {
  const attack = half_points / 2;
  return {
    made: attack >= TARGETS[bouts],
    difference: beyond(half_points, TARGETS[bouts]),
    attack,
    defence: DECK / 2 - attack,
  };
}

// Returns a question for each fact that is possible but unlikely. The screen asks them before saving.
/** @param {Facts} facts */
export function questionsOf(facts) {
  const told = { points: facts.half_points / 2, bouts: facts.bouts, contract: facts.contract };
  /** @type {{ code: string, params: Params }[]} */
  const asked = [];
  if (petitWithoutBout(facts)) {
    asked.push({ code: "petit_without_bout", params: { ...told, side: facts.petit_au_bout } });
  }
  const least = withOwnCards("attack", facts, facts.bouts);
  if (facts.contract !== "garde_contre" && facts.half_points < least) {
    asked.push({ code: "points_below_ecart", params: { ...told, least: least / 2 } });
  }
  asked.push(...poigneeQuestions(facts, told));
  if (facts.chelem === "none" && facts.half_points > mostLeavingATrick(facts)) {
    asked.push({ code: "chelem_not_said", params: told });
  }
  if ([0, DECK].includes(facts.half_points)) asked.push({ code: "points_extreme", params: told });
  if (facts.chelem !== "none") asked.push({ code: "chelem", params: { chelem: facts.chelem } });
  for (const poignees of [facts.poignees_attack, facts.poignees_defence]) {
    if (poignees.includes("triple")) asked.push({ code: "poignee_triple", params: { poignee: "triple" } });
  }
  return asked;
}

// Returns a question if a side with a poignée has too few points: so many trumps win tricks.
/** @param {Facts} facts @param {Params} told @returns {{ code: string, params: Params }[]} */
function poigneeQuestions(facts, told) {
  const players = playersOf(facts);
  const [attack, defence] = [facts.poignees_attack, facts.poignees_defence].map((shown) => leastTricks(shown, players));
  const least = attack * players * PLAIN + withOwnCards("attack", facts, facts.bouts);
  const most = DECK - defence * players * PLAIN - withOwnCards("defence", facts, 3 - facts.bouts);
  const asked = [];
  if (attack && facts.half_points < least) {
    asked.push({ code: "poignee_too_few_points", params: { ...told, least: least / 2 } });
  }
  if (defence && facts.half_points > most) {
    asked.push({ code: "poignee_too_many_points", params: { ...told, most: most / 2 } });
  }
  return asked;
}

// Returns the smallest number of tricks that a side can win with its longest poignée, as in scoring/bounds.py.
/** @param {Poignee[]} poignees @param {number} players */
function leastTricks(poignees, players) {
  const played = Math.max(0, ...poignees.map((poignee) => POIGNEE_TRUMPS[players][poignee] - 1));
  return Math.max(0, played - (TRUMPS - 1 - played));
}

// Throws Impossible if the facts contradict each other.
/** @param {Facts} facts */
export function check(facts) {
  checkSeats(facts);
  checkPoignees(facts);
  checkPoints(facts);
  checkChelem(facts);
}

// Throws Impossible if no play of the cards can give these facts. `check` has accepted them before.
/** @param {Facts} facts */
export function checkCards(facts) {
  if (petitWithoutBout(facts)) throw new Impossible("petit_without_bout", told(facts, { side: facts.petit_au_bout }));
  const least = playersOf(facts) * PLAIN + withOwnCards("attack", facts, facts.bouts);
  const most = mostLeavingATrick(facts);
  if (facts.chelem === "none" && !(facts.half_points >= least && facts.half_points <= most)) {
    throw new Impossible("trick_for_each", told(facts, { least: least / 2, most: most / 2 }));
  }
}

// Throws Impossible if one side has the Petit au bout, but the Petit is named among the bouts of the other side.
/** @param {Pick<TableFacts, "attack_bouts" | "petit_au_bout">} facts */
export function checkBouts({ attack_bouts, petit_au_bout: side }) {
  if (attack_bouts && side !== "none" && (side === "attack") !== attack_bouts.includes("petit")) {
    throw new Impossible("petit_elsewhere", { side });
  }
}

// Returns whether a side can have the Petit au bout. A side that won no trick cannot, and one that did not win the Petit
// cannot either: in a chelem it may lie in the chien of the other side.
/** @param {Pick<TableFacts, "attack_bouts" | "bouts" | "chelem">} facts */
export function petitCanBeLast({ attack_bouts, bouts, chelem }) {
  const attack = attack_bouts ? attack_bouts.includes("petit") : bouts > 0;
  const defence = attack_bouts ? !attack_bouts.includes("petit") : bouts < 3;
  return (attack && !SUFFERED.includes(chelem)) || (defence && !MADE.includes(chelem));
}

/** @param {Facts} facts */
const petitWithoutBout = ({ petit_au_bout, bouts }) =>
  (petit_au_bout === "attack" && bouts === 0) || (petit_au_bout === "defence" && bouts === 3);

/** @param {Facts} facts */
function checkSeats({ players = 4, partner = null, half_points }) {
  if (!(players in CHIEN)) throw new Impossible("players", { value: players });
  if ((partner === null) === (players === 5)) throw new Impossible("partner", { players });
  if (!(half_points >= 0 && half_points <= DECK)) throw new Impossible("points_range", { value: half_points / 2 });
  if (players === 4 && half_points % 2) throw new Impossible("points_half", { value: half_points / 2 });
}

/** @param {Facts} facts */
function checkPoignees({ players = 4, partner = null, poignees_attack, poignees_defence }) {
  if (poignees_attack.length > 1 && !partner) {
    throw new Impossible("poignees_one_hand", { value: poignees_attack.length });
  }
  const trumps = POIGNEE_TRUMPS[players];
  const needed = sum([...poignees_attack, ...poignees_defence].map((poignee) => trumps[poignee]));
  if (needed > TRUMPS) throw new Impossible("poignees_trumps", { needed, trumps: TRUMPS });
}

/** @param {Facts} facts */
function checkPoints(facts) {
  const least = boutsAlone(facts.bouts);
  const most = DECK - Math.max(boutsAlone(3 - facts.bouts), withOwnCards("defence", facts, 3 - facts.bouts));
  /** @param {number} limit @returns {number} 1 if the limit is a half point that four players cannot have */
  const odd = (limit) => (playersOf(facts) === 4 ? limit % 2 : 0);
  if (facts.half_points > most)
    throw new Impossible("points_too_high", told(facts, { limit: (most - odd(most)) / 2 }));
  if (facts.half_points < least) {
    throw new Impossible("points_too_low", told(facts, { limit: (least + odd(least)) / 2 }));
  }
}

/** @param {Facts} facts */
function checkChelem(facts) {
  if (MADE.includes(facts.chelem)) {
    const possible = [0, 1, 2, 3].map((bouts) =>
      withoutTrick("defence", facts, 3 - bouts).map((total) => DECK - total),
    );
    if (!possible[facts.bouts].includes(facts.half_points)) {
      throw new Impossible("chelem_made_points", told(facts, { possible: ranges(possible) }));
    }
    checkPetit(facts, "defence");
  } else if (facts.chelem === "announced_failed" && facts.half_points > mostLeavingATrick(facts)) {
    throw new Impossible("chelem_failed_points", told(facts, { limit: mostLeavingATrick(facts) / 2 }));
  } else if (SUFFERED.includes(facts.chelem)) {
    const possible = [0, 1, 2, 3].map((bouts) => withoutTrick("attack", facts, bouts));
    if (facts.half_points > Math.max(-1, ...possible[facts.bouts])) {
      throw new Impossible("chelem_suffered_points", told(facts, { possible: ranges(possible) }));
    }
    checkPetit(facts, "attack");
  }
}

/** @param {Facts} facts @param {Camp} loser */
function checkPetit(facts, loser) {
  if (facts.petit_au_bout === loser) {
    throw new Impossible("petit_au_bout_chelem", { side: loser, chelem: facts.chelem });
  }
}

/** @param {number} bouts */
const boutsAlone = (bouts) => (bouts ? bouts * BOUT - (BOUT - KEPT_EXCUSE) : 0);

/** @param {Camp} side @param {Facts} facts */
const ownedCards = (side, facts) =>
  side === (facts.contract === "garde_contre" ? "defence" : "attack") ? CHIEN[playersOf(facts)] : 0;

/** @param {Camp} side @param {Facts} facts @param {number} bouts */
const withOwnCards = (side, facts, bouts) => ownedCards(side, facts) * PLAIN + bouts * (BOUT - PLAIN);

/** @param {Facts} facts */
const mostLeavingATrick = (facts) =>
  DECK - playersOf(facts) * PLAIN - withOwnCards("defence", facts, 3 - facts.bouts);

// Returns every number of points that a side with these bouts can have if it wins no trick.
/** @param {Camp} side @param {Facts} facts @param {number} bouts */
function withoutTrick(side, facts, bouts) {
  const cards = ownedCards(side, facts);
  const hidden = facts.contract === "garde_sans" || facts.contract === "garde_contre";
  const found = [];
  for (const excuse of [0, 1]) {
    const held = bouts - excuse;
    if (held < 0 || held > (hidden ? Math.min(cards, 3) : 0)) continue;
    const plain = cards - held;
    const highest = held * BOUT + sum((hidden ? ROI_DOWN : DAME_DOWN).slice(0, plain));
    for (let total = held * BOUT + plain * PLAIN; total <= highest; total += 2)
      found.push(total + excuse * KEPT_EXCUSE);
  }
  return found;
}

/** @param {Facts} facts @param {Params} more */
const told = (facts, more) => ({ value: facts.half_points / 2, bouts: facts.bouts, contract: facts.contract, ...more });

/** @param {number[][]} possible */
function ranges(possible) {
  const parts = possible.map((totals, bouts) => {
    const [low, high] = [Math.min(...totals) / 2, Math.max(...totals) / 2];
    return totals.length && `${low}${low === high ? "" : `–${high}`} (bouts: ${bouts})`;
  });
  return parts.filter(Boolean).join(", ");
}
