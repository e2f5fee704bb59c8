// The keys of the hand: it is one stop of the Tab key, and the arrows move in it. The Enter key presses as everywhere.

// Returns the cards of a hand that can have the focus, in their order.
/** @param {ParentNode} place @returns {HTMLElement[]} */
export const listCards = (place) => [
  .../** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll("[data-hand] :is(button, input)[data-card]")),
];

// Makes one card of the hand the stop of the Tab key.
/** @param {ParentNode} place @param {number} at */
export function setTabStop(place, at) {
  const cards = listCards(place);
  const stop = Math.min(Math.max(at, 0), cards.length - 1);
  cards.forEach((card, number) => card.setAttribute("tabindex", number === stop ? "0" : "-1"));
  return cards[stop];
}

// Moves the focus in the hand by a key. Returns whether the key was one for the hand.
/** @param {ParentNode} place @param {KeyboardEvent} event */
export function moveInHand(place, event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return false;
  const cards = listCards(place);
  const at = cards.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  if (at < 0) return false;
  const to = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    ArrowUp: findInRow(cards, at, -1),
    ArrowDown: findInRow(cards, at, 1),
    Home: 0,
    End: cards.length - 1,
  }[event.key];
  if (to === undefined) return false;
  event.preventDefault();
  setTabStop(place, to)?.focus();
  return true;
}

// Returns the place of the nearest card in the row above or below.
/** @param {HTMLElement[]} cards @param {number} at @param {1 | -1} way */
function findInRow(cards, at, way) {
  const boxes = cards.map((card) => (card.parentElement ?? card).getBoundingClientRect());
  const tops = [...new Set(boxes.map(({ top }) => Math.round(top)))].sort((one, other) => one - other);
  const row = tops[tops.indexOf(Math.round(boxes[at].top)) + way];
  if (row === undefined) return at;
  /** @param {number} number */
  const gap = (number) => Math.abs(boxes[number].left - boxes[at].left);
  return boxes
    .map((_, number) => number)
    .filter((number) => Math.round(boxes[number].top) === row)
    .reduce((best, number) => (gap(number) < gap(best) ? number : best));
}
