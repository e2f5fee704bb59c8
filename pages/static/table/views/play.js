// The screens of a play that has a result: its score, whether the site has received it, and the other side's agreement.

import { button, h } from "./dom.js";
import { differing, numberOf, scored } from "../state/model.js";
import { answers, explained, fiche, inBrief, nameOf, notice } from "./parts.js";
import { told } from "./position.js";
import { noted, recorded } from "./record.js";
import { clock, percent, say, signed } from "../words.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("./screen.js").Drawn} Drawn */
/** @typedef {import("./screen.js").PlayView} PlayView */
/** @typedef {import("../state/model.js").Found} Found */
/** @typedef {import("../../../../evenings/tables/screen").Play} Play */
/** @typedef {import("../../../../evenings/tables/screen").Stop} Stop */

/** @param {App} app @param {PlayView} view @returns {Drawn} */
export function play(app, view) {
  const { stop, play: one, found } = app.plays.find(view.play);
  const shown = found.entry && app.plays.shows(stop, found);
  const score = found.score ?? scored(found.entry);
  const { kind, text } = told(app, stop, one, found);
  const other = shown && differing(one, found);
  const entered = one.score?.base_score ?? 0;
  return {
    title: say("etui", { etui: numberOf(one) }),
    body: [
      noted(app, view),
      h("p", {}, h("span", { class: `state state-${kind}` }, text)),
      shown && found.entry && score && [ficheOf(found.entry, score), explained(found.entry, score, stop)],
      typeof other === "number" &&
        notice("warning", h("p", {}, say("record_differs", { score: signed(other), entered: signed(entered) }))),
      found.last && receipt(found.last),
      !view.noted && recorded(app, one.id),
      stop.closed
        ? h("p", { class: "quiet" }, say("closed"))
        : one.final && h("p", { class: "quiet" }, say("final")),
      h("div", { class: "row" }, doors(app, stop, one, found)),
      one.after && after(one.after),
    ],
  };
}

// Returns the base score of a result. The paper sheet of a game has none.
/** @param {import("../../../../evenings/tables/screen").Entry} entry @param {import("../state/model.js").Score} score */
const ficheOf = (entry, score) => (entry.kind === "sheet" ? h("p", {}, say("on_sheet")) : fiche(score));

/** @param {App} app @param {Stop} stop @param {Play} one @param {Found} found */
function doors(app, stop, one, found) {
  const mine = app.site.writing && !stop.closed;
  const handed = app.site.writing ? found.check === "same" || found.check === "blind" : found.check !== "none";
  return [
    (!one.dealer || found.check === "blind") &&
      app.plays.awaits(one.id) &&
      handed &&
      button(say("to_the_check"), () => app.screen.go({ name: "check", play: one.id }), {
        kind: "button-primary",
        "data-key": "check",
      }),
    mine &&
      found.entry &&
      !one.final &&
      button(say("correct"), () => app.results.correct(one), { "data-key": "correct" }),
    mine &&
      found.state === "not_played" &&
      button(say("undo_not_played"), () => app.results.takeUp(one), { "data-key": "undo" }),
    button(say("to_the_list"), () => app.screen.home(), { "data-key": "home-list" }),
  ];
}

/** @param {import("../state/model.js").Kept} command */
function receipt(command) {
  const { receipt: given } = command;
  if (!given) return h("p", {}, say("receipt_waits"));
  if (given.status !== "received") return given.text ? notice("danger", h("p", {}, given.text)) : null;
  return h("p", { class: "quiet" }, say("receipt", { number: given.number, time: clock(given.at) }));
}

// Returns what the session's settings show after an entry: the étui's plays so far, or the ranking so far.
/** @param {import("../../../../evenings/tables/screen").After} shown */
function after(shown) {
  const rows = shown.kind === "topage" ? topage(shown) : ranking(shown);
  return h("section", { class: "after" }, [
    h("h2", {}, say(rows.some(({ share }) => share?.endsWith(" MP")) ? `after.${shown.kind}_mp` : `after.${shown.kind}`)),
    h(
      "ol",
      {},
      rows.map(({ text, share, mine }) =>
        h(
          "li",
          { class: mine ? "is-me" : null },
          h("span", {}, text),
          h("span", { class: "num" }, share ? percent(share) : "–"),
        ),
      ),
    ),
  ]);
}

/** @typedef {{ text: string, share?: string | null, mine?: boolean }} Row */

/** @param {import("../../../../evenings/tables/screen").Topage} shown @returns {Row[]} */
const topage = ({ plays }) =>
  plays.map(({ base_score, taker, notes, mine }) => {
    return { text: signed(base_score), share: taker && notes?.[taker], mine };
  });

/** @param {import("../../../../evenings/tables/screen").Ranking} shown @returns {Row[]} */
const ranking = ({ players }) =>
  players.map(({ rank, name, percent: share }) => ({ text: `${rank ?? "–"}  ${name}`, share }));

// The screen on which the other side agrees or not, on this device (handed over) or on another one.
/** @param {App} app @param {PlayView} view @returns {Drawn} */
export function check(app, view) {
  const { stop, play: one, found } = app.plays.find(view.play);
  const name = nameOf(stop, app.plays.checker(one, found));
  const handed = app.site.writing;
  if (found.check === "blind") {
    return {
      title: handed ? say("hand_over", { name }) : say("your_word", { name }),
      body: [
        h("p", {}, say("blind_explained", { name })),
        button(say("blind_begin"), () => app.results.enterBlind(one), {
          kind: "button-primary forward",
          "data-key": "blind",
        }),
      ],
    };
  }
  const score = found.score ?? scored(found.entry);
  return {
    title: handed ? say("hand_over", { name }) : say("your_word", { name }),
    body: [
      found.entry && inBrief(found.entry),
      score && fiche(score),
      h("p", {}, say("ask.agree", { name, etui: numberOf(one) })),
      answers([
        { text: say("agree_yes"), on: () => app.results.agree(one, true), key: "agree", primary: true },
        { text: say("agree_no"), on: () => app.screen.go({ name: "disagree", play: one.id }), key: "disagree" },
      ]),
      found.entry && score && explained(found.entry, score, stop),
    ],
  };
}

/** @param {App} app @param {PlayView} view @returns {Drawn} */
export function disagree(app, view) {
  const { stop, play: one } = app.plays.find(view.play);
  /** @type {import("./dom.js").Choice[]} */
  const choices = [
    {
      text: say("leave_to_arbiter"),
      note: say("leave_to_arbiter_note"),
      on: () => app.results.agree(one, false),
      key: "arbiter",
    },
  ];
  if (app.site.writing && !stop.closed && !one.final)
    choices.unshift({ text: say("correct_together"), on: () => app.results.correct(one), key: "correct" });
  return { title: say("ask.disagree"), body: answers(choices) };
}

// The screen after the result is saved, if the other side must agree on another device.
/** @param {App} app @param {PlayView} view @returns {Drawn} */
export function elsewhere(app, view) {
  const { stop, play: one, found } = app.plays.find(view.play);
  const name = nameOf(stop, app.plays.checker(one, found));
  return {
    title: say("saved"),
    body: [
      h("p", {}, say("other_device", { name })),
      button(say("next"), () => app.records.after(one.id), { kind: "button-primary forward", "data-key": "home-list" }),
    ],
  };
}
