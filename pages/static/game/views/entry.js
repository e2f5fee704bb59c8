// The screens that ask for the result of a deal, one question each. Each answer is stored at once. The next screen does
// not wait until the answer is written, so that no tap or key in between is lost.

import { answers, button, h, notice } from "../../table/views/dom.js";
import { pad, padKeys, toggle, typed } from "../../table/views/pad.js";
import {
  CHELEM_CHOICES,
  CONTRACTS,
  POIGNEE_CHOICES,
  POIGNEE_TRUMPS,
  TARGETS,
  againstTarget,
} from "../../table/state/score.js";
import { say, signed } from "../../table/words.js";
import { dealOf, halvesOf, isAtFive, questionsAbout, refusalOf } from "../state/draft.js";
import { factsOf, playersOf, scoreDeal, withDeal } from "../state/game.js";

/** @typedef {import("./screen.js").At} At */
/** @typedef {import("./screen.js").Drawn} Drawn */
/** @typedef {import("../state/draft.js").Draft} Draft */
/** @typedef {"taker" | "contract" | "partner" | "bouts" | "points" | "bonus" | "petit" | "poignee" | "size" | "chelem" | "really"} Step */
/** @typedef {At & { draft: Draft, to: (step: Step, player?: number) => void, keep: (more: Partial<Draft>) => Promise<void> }} AtDraft */

/** @type {Draft["of"][]} */
const WHOSE = ["taker", "defence"];
/** @type {Draft["petit"][]} */
const SIDES = ["none", "attack", "defence"];

/** @param {At} at @returns {Drawn} */
export function entry(at) {
  const { screen, games, game, view } = at;
  const draft = /** @type {Draft} */ (games.draftOf(game.id));
  /** @type {AtDraft["to"]} */
  const to = (step, player) => screen.go({ name: "entry", id: game.id, step, player });
  /** @type {AtDraft["keep"]} */
  const keep = (more) => games.keepDraft(game.id, { ...draft, ...more });
  return STEPS[view.step ?? "contract"]({ ...at, draft, to, keep });
}

/** @type {Record<Step, (at: AtDraft) => Drawn>} */
const STEPS = {
  // Only a correction asks for the taker here: the screen of the game asks it for a new deal.
  taker({ game, draft, to, keep }) {
    return {
      title: say("ask.taker"),
      body: answers(
        playersOf(draft).map((player) => ({
          text: game.names[player],
          on: () => {
            const alone = draft.partner === null ? null : draft.partner === draft.taker ? player : draft.partner;
            keep({ taker: player, partner: alone });
            to("contract");
          },
          chosen: draft.taker === player,
          key: `player-${player}`,
        })),
      ),
    };
  },

  contract({ game, draft, to, keep }) {
    return {
      title: say("ask.contract", { name: game.names[draft.taker] }),
      body: answers(
        CONTRACTS.map((contract) => ({
          text: say(`contract.${contract}`),
          on: () => {
            keep({ contract });
            to(isAtFive(draft) ? "partner" : "bouts");
          },
          chosen: draft.contract === contract,
          key: contract,
        })),
      ),
    };
  },

  partner({ game, draft, to, keep }) {
    /** @param {number} partner */
    const choose = (partner) => {
      keep({ partner });
      to("bouts");
    };
    return {
      title: say("game.ask.partner", { name: game.names[draft.taker] }),
      body: [
        answers(
          playersOf(draft)
            .filter((player) => player !== draft.taker)
            .map((player) => ({
              text: game.names[player],
              on: () => choose(player),
              chosen: draft.partner === player,
              key: `player-${player}`,
            })),
        ),
        answers([
          {
            text: say("game.alone"),
            note: say("game.alone_note"),
            on: () => choose(draft.taker),
            chosen: draft.partner === draft.taker,
            key: "alone",
          },
        ]),
      ],
    };
  },

  bouts({ draft, to, keep }) {
    return {
      title: say(isAtFive(draft) ? "game.ask.bouts_of_both" : "game.ask.bouts"),
      body: [
        answers(
          TARGETS.map((target, bouts) => ({
            text: say("count.bouts", { count: bouts }),
            note: say("game.target", { target }),
            on: () => {
              keep({ bouts });
              to("points");
            },
            chosen: draft.bouts === bouts,
            key: `bouts-${bouts}`,
          })),
          { columns: 2 },
        ),
        h("p", { class: "quiet" }, say("game.bouts_are")),
      ],
    };
  },

  points({ screen, draft, to, keep }) {
    const halves = playersOf(draft).length !== 4;
    const next = () => {
      const problem = draft.points === "" ? say("points_missing") : told(draft, { points: true });
      keep({ answered: true });
      if (problem) screen.tell(problem);
      else to("bonus");
    };
    /** @param {Partial<Draft>} more */
    const change = (more) => {
      screen.told = "";
      keep(more);
      screen.draw();
    };
    /** @param {string} digit */
    const type = (digit) => {
      const before = draft.points === "0" || (draft.answered && digit) ? "" : draft.points;
      const half = draft.answered && digit ? false : draft.half;
      if (digit === "" && half) return change({ half: false, answered: false });
      return change({ points: digit === "" ? before.slice(0, -1) : `${before}${digit}`.slice(0, 2), half, answered: false });
    };
    const keys = padKeys(type, next);
    const figure = draft.points + (draft.half ? "½" : "");
    return {
      title: say("ask.points"),
      body: [
        toggle(
          say("counted_whose"),
          WHOSE.map((side) => ({ key: side, text: say(isAtFive(draft) && side === "taker" ? "game.points_of_attack" : `points_of.${side}`) })),
          draft.of,
          (of) => change({ of }),
        ),
        h(
          "div",
          { class: halves ? "typed-half" : null },
          typed(figure, screen.told, counted(draft)),
          halves &&
            button("+ ½", () => change({ half: !draft.half }), {
              "aria-label": say("game.half"),
              "aria-pressed": String(draft.half),
              "data-key": "half",
            }),
        ),
        pad(type, next),
      ],
      keys: (key) => (halves && (key === "," || key === ".") ? change({ half: !draft.half }) : keys(key)),
    };
  },

  bonus(at) {
    const { screen, game, draft, to } = at;
    const problem = told(draft);
    const score = problem ? null : scoreDeal(dealOf(draft));
    const shown = draft.shown.map(([player, poignee]) => `${game.names[player]} (${say(`poignee.${poignee}`)})`);
    const next = () => {
      if (problem) screen.tell(problem);
      else if (questionsAbout(draft).length) to("really");
      else save(at);
    };
    return {
      title: say("ask.bonus"),
      body: [
        problem ? notice("danger", h("p", {}, problem), "alert") : null,
        answers([
          { text: say("petit_au_bout"), note: say(`side.${draft.petit}`), on: () => to("petit"), key: "petit" },
          { text: say("poignee"), note: shown.join(", ") || say("poignee_none"), on: () => to("poignee"), key: "poignee" },
          { text: say("chelem"), note: say(`chelem.${draft.chelem}`), on: () => to("chelem"), key: "chelem" },
        ]),
        score &&
          h(
            "p",
            { class: "fiche" },
            `${game.names[draft.taker]} `,
            h("strong", { class: "num" }, signed(score.marks.get(draft.taker) ?? 0)),
          ),
        button(say(draft.place === null ? "save" : "save_correction"), next, {
          kind: "button-primary forward",
          "data-key": "save",
        }),
        draft.place === null ? null : h("p", { class: "quiet" }, say("game.correcting", { number: draft.place + 1 })),
      ],
    };
  },

  petit({ screen, draft, keep }) {
    return {
      title: say("ask.petit"),
      body: answers(
        SIDES.map((petit) => ({
          text: say(`side.${petit}`),
          on: () => {
            keep({ petit });
            screen.back();
          },
          chosen: draft.petit === petit,
          key: petit,
        })),
      ),
    };
  },

  poignee({ screen, game, draft, to }) {
    const shown = new Map(draft.shown);
    return {
      title: say("ask.poignee"),
      body: [
        answers(
          playersOf(draft).map((player) => {
            const poignee = shown.get(player);
            return {
              text: game.names[player],
              note: say(poignee ? `poignee.${poignee}` : "poignee_none"),
              on: () => to("size", player),
              key: `player-${player}`,
            };
          }),
        ),
        button(say("next"), () => screen.back(), { kind: "button-primary forward", "data-key": "next" }),
      ],
    };
  },

  size({ screen, game, draft, view, keep }) {
    const player = view.player ?? draft.taker;
    const trumps = POIGNEE_TRUMPS[playersOf(draft).length];
    const others = draft.shown.filter(([each]) => each !== player);
    const now = new Map(draft.shown).get(player) ?? "";
    return {
      title: say("ask.size", { name: game.names[player] }),
      body: answers(
        [/** @type {const} */ (""), ...POIGNEE_CHOICES].map((poignee) => ({
          text: say(poignee ? `poignee.${poignee}` : "poignee_none"),
          note: poignee && say("game.trumps", { trumps: trumps[poignee] }),
          on: () => {
            keep({ shown: poignee ? [...others, [player, poignee]] : others });
            screen.back();
          },
          chosen: now === poignee,
          key: poignee || "none",
        })),
      ),
    };
  },

  chelem({ screen, draft, keep }) {
    return {
      title: say("ask.chelem"),
      body: answers(
        CHELEM_CHOICES.map((chelem) => ({
          text: say(`chelem.${chelem}`),
          on: () => {
            keep({ chelem });
            screen.back();
          },
          chosen: draft.chelem === chelem,
          key: chelem,
        })),
      ),
    };
  },

  really(at) {
    return {
      title: say("ask.really"),
      body: [
        notice(
          "warning",
          questionsAbout(at.draft).map(({ code, params }) => h("p", {}, say(`question.${code}`, params))),
        ),
        answers([
          { text: say("really_yes"), on: () => save(at), key: "yes" },
          { text: say("really_no"), on: () => at.screen.back(), key: "no" },
        ]),
      ],
    };
  },
};

export const ENTRY_STEPS = new Set(/** @type {Step[]} */ (Object.keys(STEPS)));

/** @param {AtDraft} at */
function save({ screen, games, game, draft }) {
  const number = (draft.place ?? game.deals.length) + 1;
  const text = say(draft.place === null ? "game.entered" : "game.corrected", { number });
  games.keep(withDeal(game, dealOf(draft), draft.place), text);
  screen.go(draft.place === null ? { name: "game", id: game.id } : { name: "deal", id: game.id, place: draft.place });
}

// Returns a sentence that says why a draft is impossible, or "".
/** @param {Draft} draft */
function told(draft, { points = false } = {}) {
  const refusal = refusalOf(draft, { points });
  return refusal ? say(`error.${refusal.code}`, refusal.params) : "";
}

// Returns a sentence that says whether the typed points make the contract.
/** @param {Draft} draft */
function counted(draft) {
  const halves = halvesOf(draft);
  if (draft.points === "" || halves < 0) return say("points_pad");
  const { made, difference, attack } = againstTarget(factsOf(dealOf(draft)));
  return say(made ? "made_by" : "failed_by", { points: attack, difference });
}
