// Shows how the table came to its new state: card by card, a pause when a trick is complete, the trick to its winner.
// Readers who want less motion get the pauses without the motion. Any press ends the show at once.

import { isChosen } from "./choices.js";

const CARD = 200; // milliseconds for a card to arrive
const BETWEEN = 120; // between two cards
const TRICK = 800; // for which a complete trick stays
const AWAY = 220; // for a trick to leave

/** @param {ParentNode} form @param {string} seat @returns {HTMLElement | null} */
const slotOf = (form, seat) => form.querySelector(`[data-slot="${seat}"]`);

// Returns the shift of so many pixels from the middle of the table towards a seat.
/** @param {Element} slot the place of the seat's card @param {number} far */
function towards(slot, far) {
  const [card, table] = [slot, slot.parentElement ?? slot].map((each) => each.getBoundingClientRect());
  const across = card.left + card.width / 2 - (table.left + table.width / 2);
  const down = card.top + card.height / 2 - (table.top + table.height / 2);
  const length = Math.hypot(across, down) || 1;
  return `translate(${(across / length) * far}px, ${(down / length) * far}px)`;
}

export class Motion {
  /** @type {Set<() => void>} */
  waits = new Set();
  skips = false;

  get isCalm() {
    return matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  // Ends what is being shown.
  skip() {
    this.skips = true;
    for (const wake of [...this.waits]) wake();
  }

  // Waits for some milliseconds, or until somebody presses.
  /** @param {number} time @returns {Promise<void>} */
  rest(time) {
    if (this.skips || isChosen("quick")) return Promise.resolve();
    return new Promise((done) => {
      const wake = () => {
        clearTimeout(timer);
        this.waits.delete(wake);
        done();
      };
      const timer = setTimeout(wake, time);
      this.waits.add(wake);
    });
  }

  /** @param {Element} element @param {Keyframe[]} frames @param {number} duration */
  move(element, frames, duration) {
    if (this.isCalm || this.skips || isChosen("quick")) return;
    element.animate(frames, { duration, easing: "ease-out" });
  }

  // Lays a card into the place of a seat.
  /** @param {ParentNode} form @param {string} seat @param {Element} drawing @param {DOMRect} [from] */
  lay(form, seat, drawing, from) {
    const slot = slotOf(form, seat);
    if (!slot || slot.childElementCount) return;
    slot.append(drawing.cloneNode(true));
    this.arrive(slot, from);
  }

  // Moves a card to where it lies already: from the hand, or from the seat of its player.
  /** @param {HTMLElement} slot @param {DOMRect} [from] */
  arrive(slot, from) {
    const card = slot.firstElementChild;
    if (!card) return;
    const to = card.getBoundingClientRect();
    const start = from
      ? `translate(${from.left - to.left}px, ${from.top - to.top}px)`
      : towards(slot, Math.max(24, to.width / 2));
    this.move(card, [{ transform: start, opacity: from ? 1 : 0 }, {}], CARD);
  }

  // Completes the trick in the old drawing, as the new drawing has it in its last trick, and sweeps it to its winner.
  /** @param {ParentNode} old @param {ParentNode} fresh */
  async finishTrick(old, fresh) {
    const played = /** @type {NodeListOf<HTMLElement>} */ (fresh.querySelectorAll(".last-trick [data-played]"));
    for (const card of played) {
      const seat = card.dataset.seat ?? "";
      const drawing = card.querySelector("svg");
      if (!drawing || slotOf(old, seat)?.childElementCount) continue;
      this.lay(old, seat, drawing);
      await this.rest(CARD + BETWEEN);
    }
    const won = /** @type {HTMLElement | null} */ (fresh.querySelector(".last-trick .won"));
    const winner = slotOf(old, won?.dataset.seat ?? "");
    winner?.classList.add("is-winner");
    await this.rest(TRICK);
    for (const slot of old.querySelectorAll("[data-slot]")) {
      const card = slot.firstElementChild;
      if (card && winner) this.move(card, [{}, { transform: towards(winner, 120), opacity: 0 }], AWAY);
    }
    if (!this.isCalm) await this.rest(AWAY - 20);
  }

  // Shows one by one the cards of the trick on the table that were not there before.
  /** @param {ParentNode} form @param {Set<string>} known */
  async showNewCards(form, known) {
    const slots = [.../** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-slot]"))];
    const fresh = slots
      .filter((slot) => slot.childElementCount && !known.has(slot.dataset.slot ?? ""))
      .sort((one, other) => Number(one.dataset.place) - Number(other.dataset.place));
    for (const slot of fresh) slot.classList.add("to-come");
    for (const slot of fresh) {
      slot.classList.remove("to-come");
      this.arrive(slot);
      await this.rest(CARD + BETWEEN);
    }
  }

  // Moves the cards of the hand from where they were.
  /** @param {Map<string, DOMRect>} before @param {ParentNode} form */
  slide(before, form) {
    for (const [card, now] of boxesOf(form)) {
      const old = before.get(card);
      if (!old || (old.left === now.rect.left && old.top === now.rect.top)) continue;
      const start = `translate(${old.left - now.rect.left}px, ${old.top - now.rect.top}px)`;
      this.move(now.element, [{ transform: start }, {}], CARD);
    }
  }
}

// Returns where the cards of the hand are.
/** @param {ParentNode} form @returns {Map<string, DOMRect>} */
export const measureHand = (form) => new Map([...boxesOf(form)].map(([card, { rect }]) => [card, rect]));

/** @param {ParentNode} form @returns {Map<string, { element: Element, rect: DOMRect }>} */
function boxesOf(form) {
  const cards = /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-hand] [data-card]"));
  return new Map(
    [...cards].map((card) => {
      const element = card.closest("li") ?? card;
      return [card.dataset.card ?? "", { element, rect: element.getBoundingClientRect() }];
    }),
  );
}
