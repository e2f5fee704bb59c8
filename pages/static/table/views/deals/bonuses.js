// The questions about the bonuses of a deal: petit au bout, poignées, chelem. Each but the petit's is a screen of its own,
// and goes back to the list of bonuses.

import { button, h } from "../dom.js";
import { seatsOf } from "../../state/model.js";
import { answers, nameOf, person } from "../parts.js";
import { CHELEM_CHOICES, POIGNEE_CHOICES, POIGNEE_TRUMPS } from "../../state/score.js";
import { say } from "../../words.js";

/** @typedef {import("../entry.js").At} At */
/** @typedef {import("../screen.js").Drawn} Drawn */
/** @typedef {import("../../state/model.js").Draft} Draft */
/** @typedef {import("../../../../../evenings/tables/screen").Facts} Facts */
/** @typedef {import("../../../../../evenings/tables/screen").Side} Side */

/** @type {Side[]} */
const SIDES = ["none", "attack", "defence"];

// Returns the question who has the petit au bout. Nothing is chosen before somebody has tapped an answer, and the answer
// goes on to the next screen.
/** @param {Draft} draft @param {(answered: Draft) => void} on */
export const petit = (draft, on) => [
  h("h2", {}, say("ask.petit")),
  answers(
    SIDES.map((side) => ({
      text: say(draft.players === 5 ? `side.${side}` : `petit.${side}`), // at five players the attack may be two
      on: () => on({ ...draft, petit: side }),
      chosen: draft.petit === side,
      key: `petit-${side}`,
    })),
  ),
];

/** @type {Record<"poignee" | "size" | "chelem", (at: At, view: import("../screen.js").EntryView) => Drawn>} */
export const bonuses = {
  poignee({ stop, draft, to, app }) {
    return {
      title: say("ask.poignee"),
      body: [
        answers(
          seatsOf(stop).map((line) => ({
            text: person(stop, line),
            note: say(draft.shown[line] ? `poignee.${draft.shown[line]}` : "poignee_none"),
            on: () => to("size", { line }),
            key: line,
          })),
        ),
        button(say("next"), () => app.screen.back(), { kind: "button-primary forward", "data-key": "next" }),
      ],
    };
  },

  size({ stop, draft, app }, { line = "N" }) {
    /** @param {Facts["poignees_attack"][number] | ""} poignee */
    const show = (poignee) => {
      const { [line]: _, ...others } = draft.shown;
      const shown = poignee ? { ...others, [line]: poignee } : others;
      app.screen.answer({ ...draft, shown }, () => app.screen.back());
    };
    return {
      title: say("ask.size", { name: nameOf(stop, line) }),
      body: answers(
        [/** @type {const} */ (""), ...POIGNEE_CHOICES].map((poignee) => ({
          text: say(poignee ? `poignee.${poignee}` : "poignee_none"),
          note: poignee && say("trumps", { trumps: POIGNEE_TRUMPS[draft.players ?? 4][poignee] }),
          on: () => show(poignee),
          chosen: (draft.shown[line] ?? "") === poignee,
          key: poignee || "none",
        })),
      ),
    };
  },

  chelem({ draft, app }) {
    return {
      title: say("ask.chelem"),
      body: answers(
        CHELEM_CHOICES.map((chelem) => ({
          text: say(`chelem.${chelem}`),
          on: () => app.screen.answer({ ...draft, chelem }, () => app.screen.back()),
          chosen: draft.chelem === chelem,
          key: chelem,
        })),
      ),
    };
  },
};
