// The screens that ask for a result, one question each: taker and contract (in a free auction), bouts, points, bonuses,
// questions about unlikely facts, the fiche. Each answer is stored at once.

import { attacker } from "./attacker.js";
import { button, h } from "./dom.js";
import { bonuses, petit } from "./deals/bonuses.js";
import { half, isAtFive, partner, pointsOf } from "./deals/five.js";
import { BOUTS, asksPetit, entryOf, facts, numberOf, owesPetit, resultOf, scored, seatTeams, seatsOf } from "../state/model.js";
import { answers, bouts, explained, fiche, nameOf, notice, outcome, person } from "./parts.js";
import { CONTRACTS, Impossible, againstTarget, check, checkBouts, checkCards, questionsOf } from "../state/score.js";
import { pad, padKeys, toggle, typed } from "./pad.js";
import { say } from "../words.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("./screen.js").Drawn} Drawn */
/** @typedef {import("../state/model.js").Draft} Draft */
/** @typedef {import("../../../../evenings/tables/screen").Bout} Bout */
/** @typedef {import("../../../../evenings/tables/screen").Facts} Facts */
/** @typedef {import("../../../../evenings/tables/screen").Line} Line */
/** @typedef {import("../../../../evenings/tables/screen").Play} Play */
/** @typedef {import("../../../../evenings/tables/screen").Stop} Stop */

/** @typedef {"attacker" | "taker" | "contract" | "partner" | "bouts" | "points" | "bonus" | "really" | "summary"} Question */
/** @typedef {Question | "figure" | "poignee" | "size" | "chelem"} Step */
/** @typedef {(step: Step, more?: { line: Line }) => void} To goes to another question */
/** @typedef {{ app: App, stop: Stop, play: Play, draft: Draft, to: To }} At */

// Returns the first question that the draft does not answer.
/** @param {import("../../../../evenings/tables/screen").Session} session @param {Draft} draft @returns {Question} */
export function firstStep(session, draft) {
  const free = session.auction === "free";
  if (draft.attacker === 0) return "attacker";
  if (free && !draft.taker && !draft.passed) return "taker";
  if ((free || session.contracts) && !draft.contract && !draft.passed) return "contract";
  if (draft.passed) return "summary";
  if (isAtFive(draft) && !draft.partner) return "partner";
  if (draft.bouts === null) return "bouts";
  return draft.points === "" ? "points" : "bonus";
}

/** @param {App} app @param {import("./screen.js").EntryView} view @returns {Drawn} */
export function entry(app, view) {
  const draft = app.drafts.of(view.play);
  const { stop: seated, play } = app.plays.find(view.play);
  const stop = seatTeams(seated, play, draft?.attacker);
  if (!draft) throw new Error(`no draft of ${view.play}`);
  /** @type {At} */
  const at = { app, stop, play, draft, to: (step, more) => app.screen.go({ ...view, ...more, step }) };
  return STEPS[view.step](at, view);
}

/** @type {Bout[][]} */
const EVERY_BOUTS = [[], ["21"], ["petit"], ["excuse"], ["21", "petit"], ["21", "excuse"], ["petit", "excuse"], BOUTS];

/** @type {Draft["of"][]} */
const WHOSE = ["taker", "defence"];
const MOST = 2000;
const FICHE_SURE = ["base_score_chelem", "base_score_impossible"]; // questions that only the arbiter decides

/** @type {Record<Step, (at: At, view: import("./screen.js").EntryView) => Drawn>} */
const STEPS = {
  attacker,
  partner,

  taker({ stop, draft, to, app }) {
    /** @param {Line} taker */
    const take = (taker) => {
      const alone = isAtFive(draft) && draft.taker && draft.partner === draft.taker ? { partner: taker } : {};
      app.screen.answer({ ...draft, ...alone, taker, passed: false }, () => to("contract"));
    };
    return {
      title: say("ask.taker"),
      body: [
        answers(
          seatsOf(stop).map((line) => ({
            text: person(stop, line),
            on: () => take(line),
            chosen: draft.taker === line,
            key: line,
          })),
        ),
        app.site.state.session.free_deals
          ? h("p", { class: "quiet" }, say("deal_again"))
          : answers([
              {
                text: say("everyone_passed"),
                on: () => app.screen.answer({ ...draft, taker: "", passed: true }, () => to("summary")),
                key: "passed",
              },
            ]),
      ],
    };
  },

  contract({ stop, draft, to, app }) {
    return {
      title: say("ask.contract", { name: nameOf(stop, draft.taker) }),
      body: answers(
        (app.site.state.session.contracts ?? CONTRACTS).map((contract) => ({
          text: say(`contract.${contract}`),
          on: () => app.screen.answer({ ...draft, contract }, () => to(isAtFive(draft) ? "partner" : "bouts")),
          chosen: draft.contract === contract,
          key: contract,
        })),
      ),
    };
  },

  bouts({ stop, draft, to, app }) {
    /** @param {Bout[]} named */
    const key = (named) => named.join("+") || "none";
    return {
      title: say(isAtFive(draft) ? "ask.bouts_of_both" : "ask.bouts", { name: nameOf(stop, draft.taker) }),
      body: [
        answers(
          EVERY_BOUTS.map((named) => ({
            text: bouts(named),
            note: named.length === 2 || named.length === 3 ? say("count.bouts", { count: named.length }) : null,
            on: () => app.screen.answer({ ...draft, named, bouts: named.length, fiche: null }, () => to("points")),
            chosen: draft.named !== null && key(draft.named) === key(named),
            key: key(named),
          })),
          { columns: 2 },
        ),
        h("p", { class: "quiet" }, say(isAtFive(draft) ? "bouts_are_of_both" : "bouts_are")),
      ],
    };
  },

  points(at) {
    const { draft, to, app } = at;
    const next = () => {
      const problem = draft.points === "" ? say("points_missing") : refusal(bare(draft), (wanted) => check(resultOf(wanted)));
      app.screen.answer({ ...draft, answered: true }, () => (problem ? app.screen.tell(problem) : to("bonus")));
    };
    /** @param {string} digit */
    const type = (digit) => {
      const before = draft.points === "0" || (draft.answered && digit) ? "" : draft.points;
      const points = digit === "" ? before.slice(0, -1) : `${before}${digit}`.slice(0, 2);
      const whole = draft.half && draft.answered && digit ? { half: false } : {};
      app.screen.answer({ ...draft, ...whole, points, answered: false }, () => app.screen.draw());
    };
    /** @param {Draft["of"]} side */
    const of = (side) => app.screen.answer({ ...draft, of: side }, () => app.screen.draw());
    return {
      title: say("ask.points"),
      body: [
        toggle(
          say("counted_whose"),
          WHOSE.map((side) => ({ key: side, text: say(pointsOf(draft, side)) })),
          draft.of,
          of,
        ),
        half(
          at,
          typed(
            draft.points + (draft.half ? "½" : ""),
            app.screen.told && [app.screen.told, " ", onlyFiche(to)],
            counted(draft),
          ),
        ),
        pad(type, next),
      ],
      keys: padKeys(type, next),
    };
  },

  // Asks only for the fiche's figure, if the facts that the table says are impossible. The arbiter decides later.
  figure({ draft, to, app }) {
    const next = () => {
      if (draft.figure === "") return app.screen.tell(say("figure_missing"));
      if (Number(draft.figure) > MOST) return app.screen.tell(say("error.fiche_range", { most: MOST }));
      const signed = Number(draft.figure) * (draft.column === "+" ? 1 : -1);
      return app.screen.answer({ ...draft, fiche: signed, figured: true, sure: FICHE_SURE }, () => to("summary"));
    };
    /** @param {string} digit */
    const type = (digit) => {
      const before = draft.figured && digit ? "" : draft.figure;
      const figure = digit === "" ? before.slice(0, -1) : `${before}${digit}`.slice(0, 4);
      app.screen.answer({ ...draft, figure, figured: false }, () => app.screen.draw());
    };
    /** @type {{ key: Draft["column"], text: string }[]} */
    const columns = [
      { key: "+", text: say("column.plus") },
      { key: "-", text: say("column.minus") },
    ];
    return {
      title: say("ask.figure"),
      body: [
        toggle(say("ask.figure"), columns, draft.column, (column) =>
          app.screen.answer({ ...draft, column }, () => app.screen.draw()),
        ),
        typed(draft.figure, app.screen.told, say("figure_is")),
        pad(type, next),
      ],
      keys: padKeys(type, next),
    };
  },

  bonus({ stop, draft, to, app }) {
    const none = ["", "none"].includes(draft.petit) && !Object.keys(draft.shown).length && draft.chelem === "none";
    /** @param {Draft} answered */
    const next = (answered) => {
      const problem = refusal(facts(answered));
      if (problem) app.screen.tell(problem);
      else to(asked(answered).length ? "really" : "summary");
    };
    const shown = seatsOf(stop).filter((line) => draft.shown[line]).map(
      (line) => `${nameOf(stop, line)} (${say(`poignee.${draft.shown[line]}`)})`,
    );
    return {
      title: say("ask.bonus"),
      body: [
        app.screen.told ? notice("danger", h("p", {}, app.screen.told, " ", onlyFiche(to)), "alert") : null,
        answers([
          {
            text: say("poignee"),
            note: shown.join(", ") || say("poignee_none"),
            on: () => to("poignee"),
            key: "poignee",
          },
          { text: say("chelem"), note: say(`chelem.${draft.chelem}`), on: () => to("chelem"), key: "chelem" },
        ]),
        asksPetit(draft) && petit(draft, (answered) => app.screen.answer(answered, () => next(answered))),
        owesPetit(draft)
          ? null
          : button(none ? say("no_bonus") : say("next"), () => next(draft), {
              kind: "button-primary forward",
              "data-key": "next",
            }),
      ],
    };
  },

  ...bonuses,

  really({ draft, to, app }) {
    const questions = asked(draft);
    const sure = questions.map(({ code }) => code);
    return {
      title: say("ask.really"),
      body: [
        notice(
          "warning",
          questions.map(({ code, params }) => h("p", {}, say(`question.${code}`, params))),
        ),
        answers([
          { text: say("really_yes"), on: () => app.screen.answer({ ...draft, sure }, () => to("summary")), key: "yes" },
          { text: say("really_no"), on: () => app.screen.back(), key: "no" },
        ]),
      ],
    };
  },

  summary({ stop, play, draft, to, app }) {
    const told = !draft.passed && draft.fiche === null;
    const problem = told ? refusal(facts(draft)) : "";
    const missing = told && !problem && asked(draft).some(({ code }) => !draft.sure.includes(code));
    const left = told && owesPetit(draft) ? "bonus" : missing ? "really" : null;
    if (problem) {
      const why = h("p", {}, problem, " ", onlyFiche(to));
      return { title: say("ask.summary"), body: [notice("danger", why, "alert"), correct(to, draft, app)] };
    }
    const said = entryOf(draft);
    const score = scored(said);
    return {
      title: say(draft.mode === "blind" ? "ask.summary_blind" : "ask.summary"),
      body: [
        app.screen.told ? notice("danger", h("p", {}, app.screen.told), "alert") : null,
        outcome(said, nameOf(stop, draft.taker), numberOf(play)),
        score && [fiche(score), explained(said, score, stop)],
        h(
          "div",
          { class: "ways" },
          button(
            say(draft.mode === "correct" ? "save_correction" : "save"),
            () => (left ? to(left) : save(app, draft)),
            {
              kind: "button-primary forward",
              "data-key": "save",
            },
          ),
          correct(to, draft, app),
        ),
      ],
    };
  },
};

/** @param {To} to @param {Draft} draft @param {App} app */
function correct(to, draft, app) {
  const { contracts, free_deals } = app.site.state.session;
  const first = free_deals ? "taker" : contracts ? "contract" : "bouts";
  return button(say("correct"), () => to(draft.passed ? "taker" : first), { kind: "forward", "data-key": "correct" });
}

/** @param {To} to */
const onlyFiche = (to) => button(say("only_fiche"), () => to("figure"), { kind: "in-text", "data-key": "only-fiche" });

// Saves the draft. If it has only the fiche's figure because the facts are impossible, it also calls the arbiter.
/** @param {App} app @param {Draft} draft */
function save(app, draft) {
  if (draft.fiche !== null && !app.site.call) app.site.command({ kind: "call", play: draft.play });
  return app.results.save(draft);
}

/** @param {Draft} draft */
const asked = (draft) => questionsOf(resultOf(facts(draft)));

// Returns the facts without bonuses, to check only the points: the chelem is asked for later.
/** @param {Draft} draft @returns {Facts} */
const bare = (draft) => ({ ...facts(draft), poignees_attack: [], poignees_defence: [], chelem: "none" });

/** @param {Facts} wanted */
const checkAll = (wanted) => {
  check(resultOf(wanted));
  checkCards(resultOf(wanted));
  checkBouts(wanted);
};

// Returns a sentence that says why these facts are impossible, or "" if they are possible.
/** @param {Facts} wanted */
function refusal(wanted, refuse = checkAll) {
  try {
    refuse(wanted);
    return "";
  } catch (error) {
    if (!(error instanceof Impossible)) throw error;
    return say(`error.${error.code}`, error.params);
  }
}

// Returns a sentence that says whether the typed points make the contract. The screen shows it before the next step.
/** @param {Draft} draft */
function counted(draft) {
  if (draft.points === "") return say("points_pad");
  const { made, difference, attack: points } = againstTarget(resultOf(facts(draft)));
  if (points < 0) return say("points_pad");
  return say(made ? "made_by" : "failed_by", { points, difference });
}
