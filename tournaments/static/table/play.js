// A play whose result is there: what it came to, whether the site has it, and the other side's word on it.

import { button, h } from "./dom.js";
import { playOf, scored, seen } from "./model.js";
import { answers, explained, fiche, inBrief, nameOf, notice } from "./parts.js";
import { told } from "./position.js";
import { clock, percent, say, signed } from "./words.js";

export function play(app, view) {
  const { stop, play: one } = playOf(app.state, view.play);
  const found = seen(one, app.outbox.commands);
  const shown = found.entry && app.shows(stop, found);
  const score = found.score ?? scored(found.entry);
  const { kind, text } = told(app, stop, one, found);
  return {
    title: say("etui", { etui: one.etui }),
    body: [
      h("p", {}, h("span", { class: `state state-${kind}` }, text)),
      shown && [fiche(score), explained(found.entry, score)],
      found.last && receipt(found.last),
      stop.closed
        ? h("p", { class: "quiet" }, say("closed"))
        : one.final && h("p", { class: "quiet" }, say("final")),
      h("div", { class: "row" }, doors(app, stop, one, found)),
      one.after && after(one.after),
    ],
  };
}

function doors(app, stop, one, found) {
  const mine = app.writing && !stop.closed;
  const handed = app.writing ? found.check === "same" || found.check === "blind" : found.check !== "none";
  return [
    app.awaits(one.id) &&
      handed &&
      button(say("to_the_check"), () => app.check(one), { kind: "button-primary", "data-key": "check" }),
    mine && found.entry && !one.final && button(say("correct"), () => app.correct(one), { "data-key": "correct" }),
    mine &&
      found.state === "not_played" &&
      button(say("undo_not_played"), () => app.undoNotPlayed(one), { "data-key": "undo" }),
    button(say("to_the_list"), () => app.home(), { "data-key": "home-list" }),
  ];
}

function receipt(command) {
  const { receipt: given } = command;
  if (!given) return h("p", {}, say("receipt_waits"));
  if (given.status !== "received") return given.text ? notice("danger", h("p", {}, given.text)) : null;
  return h("p", { class: "quiet" }, say("receipt", { number: given.number, time: clock(given.at) }));
}

// What the session shows after an entry: the étui's plays so far, or the running ranking.
function after(shown) {
  const rows =
    shown.kind === "topage"
      ? shown.plays.map(({ base_score, taker, notes, mine }) => [
          signed(base_score),
          notes && taker && percent(notes[taker]),
          mine,
        ])
      : shown.players.map(({ rank, name, percent: share }) => [`${rank ?? "–"}  ${name}`, share && percent(share)]);
  return h("section", { class: "after" }, [
    h("h2", {}, say(`after.${shown.kind}`)),
    h(
      "ol",
      {},
      rows.map(([text, figure, mine]) =>
        h("li", { class: mine ? "is-me" : null }, h("span", {}, text), h("span", { class: "num" }, figure || "–")),
      ),
    ),
  ]);
}

// The word of the other side, on this device handed over or on another one.
export function check(app, view) {
  const { stop, play: one } = playOf(app.state, view.play);
  const found = seen(one, app.outbox.commands);
  const name = nameOf(stop, app.checker(one, found));
  const handed = app.writing;
  if (found.check === "blind") {
    return {
      title: handed ? say("hand_over", { name }) : say("your_word", { name }),
      body: [
        h("p", {}, say("blind_explained", { name })),
        button(say("blind_begin"), () => app.blind(one), { kind: "button-primary forward", "data-key": "blind" }),
      ],
    };
  }
  const score = found.score ?? scored(found.entry);
  return {
    title: handed ? say("hand_over", { name }) : say("your_word", { name }),
    body: [
      inBrief(found.entry),
      fiche(score),
      h("p", {}, say("ask.agree", { name, etui: one.etui })),
      answers([
        { text: say("agree_yes"), on: () => app.agree(one, true), key: "agree", primary: true },
        { text: say("agree_no"), on: () => app.go({ name: "disagree", play: one.id }), key: "disagree" },
      ]),
      explained(found.entry, score),
    ],
  };
}

export function disagree(app, view) {
  const { stop, play: one } = playOf(app.state, view.play);
  const choices = [
    {
      text: say("leave_to_arbiter"),
      note: say("leave_to_arbiter_note"),
      on: () => app.agree(one, false),
      key: "arbiter",
    },
  ];
  if (app.writing && !stop.closed && !one.final)
    choices.unshift({ text: say("correct_together"), on: () => app.correct(one), key: "correct" });
  return { title: say("ask.disagree"), body: answers(choices) };
}

// Said once the result is saved where another device has to agree.
export function elsewhere(app, view) {
  const { stop, play: one } = playOf(app.state, view.play);
  const found = seen(one, app.outbox.commands);
  const name = nameOf(stop, app.checker(one, found));
  return {
    title: say("saved"),
    body: [
      h("p", {}, say("other_device", { name })),
      button(say("to_the_list"), () => app.home(), { kind: "button-primary forward", "data-key": "home-list" }),
    ],
  };
}
