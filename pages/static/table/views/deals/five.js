// The answers that only tables of three or five players give: the partner, and half points.

import { button, h } from "../dom.js";
import { seatsOf } from "../../state/model.js";
import { answers, nameOf, person } from "../parts.js";
import { say } from "../../words.js";

/** @typedef {import("../entry.js").At} At */
/** @typedef {import("../screen.js").Drawn} Drawn */
/** @typedef {import("../../state/model.js").Draft} Draft */
/** @typedef {import("../../../../../evenings/tables/screen").Line} Line */

/** @param {Draft} draft */
export const isAtFive = (draft) => draft.players === 5;

// Returns the key of the words that say whose points are typed.
/** @param {Draft} draft @param {Draft["of"]} side */
export const pointsOf = (draft, side) =>
  isAtFive(draft) && side === "taker" ? "points_of.attack" : `points_of.${side}`;

// The question at five players: whom the taker called, or nobody.
/** @param {At} at @returns {Drawn} */
export function partner({ stop, draft, to, app }) {
  /** @param {Line} called */
  const call = (called) => app.screen.answer({ ...draft, partner: called }, () => to("bouts"));
  const taker = /** @type {Line} */ (draft.taker);
  return {
    title: say("ask.partner", { name: nameOf(stop, taker) }),
    body: [
      answers(
        seatsOf(stop)
          .filter((line) => line !== taker)
          .map((line) => ({
            text: person(stop, line),
            on: () => call(line),
            chosen: draft.partner === line,
            key: line,
          })),
      ),
      answers([
        {
          text: say("alone"),
          note: say("alone_note"),
          on: () => call(taker),
          chosen: draft.partner === taker,
          key: "alone",
        },
      ]),
    ],
  };
}

// Returns the typed points with a button that adds half a point, where half points can arise.
/** @param {At} at @param {HTMLElement} typed */
export function half({ draft, app }, typed) {
  if (!draft.players) return typed;
  const change = () =>
    app.screen.answer({ ...draft, half: !draft.half, answered: false }, () => app.screen.draw());
  return h(
    "div",
    { class: "typed-half" },
    typed,
    button("+ ½", change, {
      "aria-label": say("half_more"),
      "aria-pressed": String(Boolean(draft.half)),
      "data-key": "half",
    }),
  );
}
