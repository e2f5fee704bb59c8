// Follows the cards of a deal as they are recorded: whose turn it is, who wins each trick, and which cards a player has
// denied to have. It knows only the cards recorded so far, and no hand. These are the rules of the Python package
// referee/; a test compares the two. A card is a number: 0–13 are ♠ As to Roi, 14–27 ♥, 28–41 ♦, 42–55 ♣, 56–76 the
// trumps 1 to 21, 77 the Excuse. All functions are pure.

/** @typedef {import("../../../../evenings/tables/screen").Command} Command */
/** @typedef {import("../../../../evenings/tables/screen").Line} Line */
/** @typedef {"" | "attack" | "defence"} Claim the side that has the tricks that are not recorded */

/**
 * @typedef Trick a trick that has all of its cards
 * @property {Line} leader
 * @property {number[]} cards in the order in which they were played
 * @property {Line} winner
 *
 * @typedef {{ [line in Line]?: Map<number, number> }} Denied by player: the cards denied, each with the trick's number
 *
 * @typedef Followed
 * @property {Trick[]} tricks
 * @property {Line} leader who leads the present trick
 * @property {number[]} cards of the present trick
 * @property {Line | null} turn null if every card is recorded
 * @property {Denied} denied
 */

const [PETIT, EXCUSE] = [56, 77];
const TRUMPS = 4; // the number of their suit
const SUIT = 14; // the number of cards of a suit
const SIGNS = "♠♥♦♣";
const HONOURS = "VCDR";
/** @type {Record<number, number>} */
const HANDS = { 3: 24, 4: 18, 5: 15 };

// The cards as a player looks for them: suit by suit, high to low, then the trumps, then the Excuse.
export const SUITS = [0, 1, 2, 3].map((suit) => falling(SUIT * suit + SUIT - 1, SUIT * suit));
export const ALL_TRUMPS = [...falling(EXCUSE - 1, PETIT), EXCUSE];

/** @param {number} high @param {number} low */
function falling(high, low) {
  return Array.from({ length: high - low + 1 }, (_, step) => high - step);
}

// Returns the number of the card's suit, TRUMPS for a trump. The Excuse has none.
/** @param {number} card */
const suitOf = (card) => (card === EXCUSE ? -1 : Math.min(Math.floor(card / SUIT), TRUMPS));

// Returns the sign of the card's suit, empty for a trump and the Excuse.
/** @param {number} card */
export const signOf = (card) => SIGNS[suitOf(card)] ?? "";

// Returns the card's rank as the site writes it: 1 to 10, V C D R, 1 to 21 for a trump, * for the Excuse.
/** @param {number} card */
export function rankOf(card) {
  if (card === EXCUSE) return "*";
  const rank = card >= PETIT ? card - PETIT + 1 : (card % SUIT) + 1;
  return card < PETIT && rank > 10 ? HONOURS[rank - 11] : String(rank);
}

// Returns the card as records have it: ♠R, ♥10, 17, *.
/** @param {number} card */
export const written = (card) => signOf(card) + rankOf(card);

// Returns the seats in the order of play, which is against the clock.
/** @param {Line[]} seats clockwise, as the site lists them */
export const orderOfPlay = ([first, ...others]) => [first, ...others.reverse()];

// Returns the number of cards that are played in a deal.
/** @param {Line[]} seats */
export const cardsOfDeal = (seats) => seats.length * HANDS[seats.length];

// Returns the record of these cards as it is sent.
/** @param {number[]} cards @param {Claim} claim @param {Line[]} seats @returns {Command["record"]} */
export function recordOf(cards, claim, { length }) {
  /** @type {string[][]} */
  const tricks = [];
  for (let start = 0; start < cards.length; start += length) {
    tricks.push(cards.slice(start, start + length).map(written));
  }
  return claim ? { tricks, claim } : { tricks };
}

// Returns what the recorded cards say.
/** @param {{ seats: Line[], leader: Line, taker: Line }} at @param {number[]} recorded @returns {Followed} */
export function follow({ seats, leader: first, taker }, recorded) {
  const order = orderOfPlay(seats);
  const total = cardsOfDeal(seats);
  /** @param {Line} line @param {number} steps */
  const after = (line, steps) => order[(order.indexOf(line) + steps) % order.length];
  /** @type {Trick[]} */
  const tricks = [];
  /** @type {Denied} */
  const denied = {};
  let leader = first;
  for (let start = 0; start < recorded.length; start += order.length) {
    const cards = recorded.slice(start, start + order.length);
    missing(cards).forEach((lacks, step) => note(denied, after(leader, step), lacks, tricks.length + 1));
    if (cards.length < order.length) return { tricks, leader, cards, turn: after(leader, cards.length), denied };
    const owner = cards.includes(EXCUSE) ? after(leader, cards.indexOf(EXCUSE)) : null;
    const kept = owner && start + order.length === total && wonAll(tricks, owner, taker);
    const winner = kept ? owner : after(leader, best(cards));
    tricks.push({ leader, cards, winner });
    leader = winner;
  }
  return { tricks, leader, cards: [], turn: recorded.length < total ? leader : null, denied };
}

// Returns the number of the trick in which the player whose turn it is denied to have the card, or undefined.
/** @param {Followed} followed @param {number} card */
export const deniedIn = ({ turn, denied }, card) => (turn ? denied[turn]?.get(card) : undefined);

// Returns whether the side of this player has won every trick. Then the Excuse wins the last one.
/** @param {Trick[]} tricks @param {Line} line @param {Line} taker */
const wonAll = (tricks, line, taker) => tricks.every(({ winner }) => (winner === taker) === (line === taker));

// Returns whether a card beats another one, which is undefined if only the Excuse has been played.
/** @param {number} card @param {number | undefined} other */
function beats(card, other) {
  if (card === EXCUSE) return false;
  if (other === undefined) return true;
  return suitOf(card) === suitOf(other) ? card > other : suitOf(card) === TRUMPS;
}

// Returns the place of the best card of a trick.
/** @param {number[]} cards */
function best(cards) {
  /** @type {number | undefined} */
  let high;
  for (const card of cards) if (beats(card, high)) high = card;
  return high === undefined ? 0 : cards.indexOf(high);
}

// Returns for each card of a trick a test of the cards that its player did not have: the suit led if the player did not
// follow, all trumps if the player did not trump either, and all higher trumps if the player did not go over.
/** @param {number[]} cards @returns {((card: number) => boolean)[]} */
function missing(cards) {
  /** @type {number | undefined} */
  let high;
  /** @type {number | undefined} */
  let led;
  return cards.map((card) => {
    const [suit, before] = [led, high];
    if (card !== EXCUSE && led === undefined) led = suitOf(card);
    if (beats(card, high)) high = card;
    if (card === EXCUSE || suit === undefined || (suit !== TRUMPS && suitOf(card) === suit)) return () => false;
    const over = high === card;
    return (other) => {
      const trump = suitOf(other) === TRUMPS;
      if (!trump) return suitOf(other) === suit;
      return suitOf(card) !== TRUMPS || (!over && beats(other, before));
    };
  });
}

/** @param {Denied} denied @param {Line} line @param {(card: number) => boolean} lacks @param {number} trick */
function note(denied, line, lacks, trick) {
  const cards = (denied[line] ??= new Map());
  for (let card = 0; card < EXCUSE; card += 1) if (lacks(card) && !cards.has(card)) cards.set(card, trick);
}
