// The screen on which the cards of a play are recorded: the 78 cards, whose turn it is, and the present trick. Without
// the session's setting for whole records, the opening lead is all that it asks for.

import { button, h } from "./dom.js";
import { numberOf } from "../state/model.js";
import { answers, mark, nameOf } from "./parts.js";
import { ALL_TRUMPS, SUITS, deniedIn, orderOfPlay, rankOf, signOf, written } from "../state/tricks.js";
import { say } from "../words.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("./screen.js").Drawn} Drawn */
/** @typedef {import("./screen.js").PlayView} PlayView */
/** @typedef {import("./records.js").Taps} Taps */
/** @typedef {import("../state/tricks.js").Followed} Followed */
/** @typedef {import("../state/tricks.js").Claim} Claim */
/** @typedef {import("../../../../evenings/tables/screen").Line} Line */
/** @typedef {import("../../../../evenings/tables/screen").Stop} Stop */
/** @typedef {{ app: App, id: number, stop: Stop, taps: Taps, followed: Followed }} At */

const COLUMNS = 8;
const RED = "♥♦";
const [LOWEST_TRUMP, HIGHEST] = [56, 77];
const GROUPS = [...SUITS, ALL_TRUMPS];
/** @param {number[]} cards */
const inRows = (cards) =>
  cards.flatMap((_, place) => (place % COLUMNS ? [] : [cards.slice(place, place + COLUMNS)]));
const ROWS = GROUPS.flatMap(inRows);

let focused = ROWS[0][0]; // the card that the keyboard comes to first

/** @param {App} app @param {PlayView} view @returns {Drawn} */
export function record(app, view) {
  const { stop } = app.plays.find(view.play);
  const taps = app.records.of(view.play);
  /** @type {At} */
  const at = { app, id: view.play, stop, taps, followed: app.records.followed(view.play) };
  return {
    title: title(at),
    body: [h("div", { class: app.records.whole ? "taps-trick is-whole" : "taps-trick" }, above(at)), deck(at)],
    said: told(at),
    keys: (key) => {
      if (key === "Backspace" && app.records.whole) app.records.undo(view.play);
    },
  };
}

// Returns whether the cards are recorded to the end: all of them, or up to a claim.
/** @param {At} at */
const isOver = ({ followed, taps }) => !followed.turn || Boolean(taps.claim);

/** @param {At} at */
function title(at) {
  const { stop, taps, followed, app } = at;
  if (!taps.cards.length || !app.records.whole) return say("ask.lead", { name: nameOf(stop, followed.leader) });
  if (isOver(at)) return say(taps.claim ? `claimed.${taps.claim}` : "record_over");
  return say("record_turn", { trick: followed.tricks.length + 1, name: nameOf(stop, followed.turn ?? "") });
}

// Returns a sentence about the last card and the next player, for screen readers.
/** @param {At} at */
function told(at) {
  const { stop, taps, followed, app } = at;
  if (app.records.refused >= 0) return ""; // the alert says it
  const card = taps.cards.at(-1);
  if (card === undefined) return say("ask.lead", { name: nameOf(stop, followed.leader) });
  const won = followed.cards.length ? null : followed.tricks.at(-1);
  return [
    say(`card.${card}`),
    won && say("trick_won", { trick: followed.tricks.length, name: nameOf(stop, won.winner) }),
    title(at),
  ]
    .filter(Boolean)
    .join(". ");
}

// Returns what stands above the cards, always in the same room: why a card is refused, what to do, or the trick.
/** @param {At} at */
function above(at) {
  const { app, id, stop, taps, followed } = at;
  const { refused, whole } = app.records;
  if (refused >= 0 && followed.turn) {
    const why = { name: nameOf(stop, followed.turn), trick: deniedIn(followed, refused) ?? 0, card: shown(refused) };
    const really = () => app.records.tap(id, refused, { really: true });
    return h("p", { class: "is-wrong", role: "alert" }, [
      say("card_denied", why),
      " ",
      button(say("card_really"), really, { kind: "in-text", "data-key": "really" }),
    ]);
  }
  if (!taps.cards.length || !whole) {
    const stopAsking = () => {
      app.site.askLeads(false);
      app.records.stop(id);
    };
    return h("p", { class: "quiet" }, [
      whole && [say("record_how"), " "],
      button(say("lead_never"), stopAsking, { kind: "in-text", "data-key": "never" }),
    ]);
  }
  const ask = () => app.screen.go({ name: "claim", play: id });
  return [trick(at), !isOver(at) && button(say("claim"), ask, { "data-key": "claim" })];
}

// Returns the cards of the present trick. A new trick shows the one before, with its winner, until its first card.
/** @param {At} at */
function trick({ stop, followed }) {
  const before = followed.cards.length ? undefined : followed.tricks.at(-1);
  const { leader, cards } = before ?? followed;
  const order = orderOfPlay(seats(stop));
  const lines = order.map((_, step) => order[(order.indexOf(leader) + step) % order.length]);
  const number = followed.tricks.length + (before ? 0 : 1);
  /** @param {Line} line */
  const state = (line) => {
    if (before) return line === before.winner ? "is-winner" : "is-past";
    return line === followed.turn ? "is-turn" : null;
  };
  return h(
    "ol",
    { "aria-label": say("trick", { trick: number }) },
    lines.map((line, step) =>
      h("li", { class: state(line) }, mark(line), h("span", {}, step < cards.length ? face(cards[step]) : "…")),
    ),
  );
}

/** @param {Stop} stop */
const seats = (stop) => /** @type {Line[]} */ (Object.keys(stop.seats));

// Returns a card as text. A star is the Excuse, and the sign of a suit is no coloured picture.
/** @param {number} card */
function shown(card) {
  if (card === HIGHEST) return "★";
  const sign = signOf(card);
  return sign ? `${sign}\uFE0E${rankOf(card)}` : rankOf(card);
}

/** @param {number} card */
const face = (card) => h("span", { class: `taps-face ${kind(card)}` }, shown(card));

/** @param {number} card */
const kind = (card) => (card >= LOWEST_TRUMP ? "is-trump" : RED.includes(signOf(card)) ? "is-red" : "is-black");

// Returns the 78 cards, each always in its place. The keyboard comes to one of them, and moves by the arrows.
/** @param {At} at */
function deck(at) {
  const element = h(
    "div",
    { class: "taps-deck", role: "group", "aria-label": say("deck") },
    GROUPS.map((cards, suit) =>
      h(
        "div",
        { class: "taps-suit", role: "group", "aria-label": say(`suit.${suit}`) },
        cards.map((card) => one(at, card)),
      ),
    ),
  );
  element.addEventListener("keydown", (event) => move(event));
  element.addEventListener("focusin", ({ target }) => note(target));
  return element;
}

/** @param {At} at @param {number} card */
function one(at, card) {
  const { app, id, stop, taps, followed } = at;
  const taken = taps.cards.includes(card);
  const trick = taken || !app.records.whole ? undefined : deniedIn(followed, card);
  const denied = trick && say("card_denied_short", { name: nameOf(stop, followed.turn ?? "") });
  const off = taken || (app.records.whole && isOver(at));
  return button(shown(card), () => app.records.tap(id, card), {
    kind: `${kind(card)} ${taken ? "is-taken" : denied ? "is-denied" : ""}`.trim(),
    tabindex: card === focused ? null : "-1",
    "aria-label": [say(`card.${card}`), taken ? say("card_taken") : denied].filter(Boolean).join(", "),
    "aria-disabled": off ? "true" : null,
    "data-key": `card-${written(card)}`,
    "data-card": String(card),
  });
}

/** @param {EventTarget | null} target */
function cardOf(target) {
  const card = target instanceof HTMLElement ? target.dataset.card : undefined;
  return card === undefined ? null : Number(card);
}

// Makes the card that has the focus the one to which the keyboard comes back.
/** @param {EventTarget | null} target */
function note(target) {
  const card = cardOf(target);
  if (card === null || card === focused) return;
  document.querySelector(`[data-card="${focused}"]`)?.setAttribute("tabindex", "-1");
  document.querySelector(`[data-card="${card}"]`)?.removeAttribute("tabindex");
  focused = card;
}

/** @type {Record<string, [row: number, column: number]>} */
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** @param {KeyboardEvent} event */
function move(event) {
  const [card, step] = [cardOf(event.target), STEPS[event.key]];
  if (card === null || !step) return;
  event.preventDefault();
  const row = ROWS.findIndex((cards) => cards.includes(card));
  const column = ROWS[row].indexOf(card);
  const cards = ROWS[Math.min(Math.max(row + step[0], 0), ROWS.length - 1)];
  const next = cards[Math.min(Math.max(column + step[1], 0), cards.length - 1)];
  const there = document.querySelector(`[data-card="${next}"]`);
  if (there instanceof HTMLElement) there.focus();
}

// The buttons at the foot of the screen of the cards: undo, and the way forward.
/** @param {App} app @param {number} id */
export function ways(app, id) {
  const { whole } = app.records;
  const { cards, claim } = app.records.of(id);
  const over = claim || !app.records.followed(id).turn;
  const undo = { "data-key": "undo-card", disabled: !cards.length };
  const goOn = { kind: over ? "button-primary" : "", "data-key": "skip" };
  const keep = whole ? say(over ? "save" : "record_stop") : cards.length && say("lead_keep", { card: shown(cards[0]) });
  return [
    whole && button(say("record_undo"), () => app.records.undo(id), undo),
    button(cards.length ? keep : say("skip"), () => app.records.stop(id), goOn),
  ];
}

// The question who has the tricks that are not recorded.
/** @param {App} app @param {PlayView} view @returns {Drawn} */
export function claim(app, view) {
  /** @type {Exclude<Claim, "">[]} */
  const sides = ["attack", "defence"];
  const choices = sides.map((side) => ({
    text: say(`petit.${side}`),
    on: () => app.records.claim(view.play, side),
    key: side,
  }));
  return { title: say("ask.claim"), body: [answers(choices), h("p", { class: "quiet" }, say("claim_note"))] };
}

// The line about cards that were just noted, with the way to take them back or to go on.
/** @param {App} app @param {{ noted?: number }} view */
export function noted(app, { noted: id }) {
  if (!id || !app.plays.has(id) || !app.records.mayRecord(id)) return null;
  const { cards } = app.records.of(id);
  if (!cards.length) return null;
  const back = app.records.mayTakeBack(id);
  const on = () => (app.records.mayTakeBack(id) ? app.records.takeBack(id) : app.records.begin(id));
  return h("div", { class: "taps-noted" }, [
    h("p", {}, [say("etui", { etui: numberOf(app.plays.find(id).play) }), " · ", inWords(cards)]),
    button(say(back ? "record_undo" : "record_change"), on, { "data-key": "noted" }),
  ]);
}

/** @param {number[]} cards */
const inWords = (cards) =>
  cards.length > 1 ? say("cards_noted", { count: cards.length }) : [say("lead_noted"), " ", face(cards[0])];

// What is known of a play's cards on the screen of its result, with the way to record them.
/** @param {App} app @param {number} id */
export function recorded(app, id) {
  if (!app.records.mayRecord(id)) return null;
  const { play } = app.plays.find(id);
  const { cards, claim: side } = app.records.of(id);
  const stored = play.record;
  const text = cards.length ? inWords(cards) : stored && say(`record.${stored.holds}`);
  const elsewhere = stored && !stored.mine && say("record_elsewhere");
  const todo = say(app.records.whole ? "record_cards" : "record_lead");
  return h("div", { class: "taps-noted" }, [
    h("p", {}, [text || say("record_none"), side && ` · ${say(`claimed.${side}`)}`, elsewhere && ` ${elsewhere}`]),
    button(text ? say("record_change") : todo, () => app.records.begin(id), { "data-key": "record" }),
  ]);
}
