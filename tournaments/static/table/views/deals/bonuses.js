// The questions about the bonuses of a deal: petit au bout, poignées, chelem. Each goes back to the list of bonuses.

import { button } from "../dom.js";
import { seatsOf } from "../../state/model.js";
import { answers, nameOf, person } from "../parts.js";
import { CHELEM_CHOICES, POIGNEE_CHOICES, POIGNEE_TRUMPS } from "../../state/score.js";
import { say } from "../../words.js";

/** @typedef {import("../entry.js").At} At */
/** @typedef {import("../screen.js").Drawn} Drawn */
/** @typedef {import("../../state/model.js").Draft} Draft */
/** @typedef {import("../../../../tables/screen").Facts} Facts */
/** @typedef {import("../../../../tables/screen").Side} Side */

/** @type {Side[]} */
const SIDES = ["none", "attack", "defence"];

// Returns the key of the words for a side. At five players the attack may be two.
/** @param {Draft} draft @param {Side} side */
export const petitOf = (draft, side) => (draft.players === 5 ? `side.${side}` : `petit.${side}`);

/** @type {Record<"petit" | "poignee" | "size" | "chelem", (at: At, view: import("../screen.js").EntryView) => Drawn>} */
export const bonuses = {
  petit({ draft, app }) {
    return {
      title: say("ask.petit"),
      body: answers(
        SIDES.map((petit) => ({
          text: say(petitOf(draft, petit)),
          on: () => app.screen.answer({ ...draft, petit }, () => app.screen.back()),
          chosen: draft.petit === petit,
          key: petit,
        })),
      ),
    };
  },

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
