// Around the entry of results: coming to the table, the menu, and what is said where there is nothing to show.

import { button, h } from "./dom.js";
import { LINES, stopOf } from "./model.js";
import { answers, notice, person } from "./parts.js";
import { day, say } from "./words.js";

// The first look at a table: who sits there, and whether this device is to write.
export function join(app) {
  const { state } = app;
  const stop = stopOf(state, app.here);
  const { session } = state;
  const taken = state.device.others > 0;
  const write = {
    text: say(taken ? "take_over" : "join_write"),
    on: () => app.join(taken ? "take_over" : "join"),
    key: "write",
  };
  const follow = { text: say("join_follow"), note: say("join_follow_note"), on: () => app.join("join"), key: "follow" };
  return {
    title: say(taken ? "join_taken" : "join_title", { table: state.table }),
    body: [
      h("p", { class: "quiet" }, `${session.tournament} · ${session.club} · ${day(session.date)}`),
      !stop.rest &&
        h(
          "ul",
          { class: "greeted" },
          LINES.map((line) => h("li", {}, person(stop, line))),
        ),
      answers(taken ? [follow, write] : [write]),
    ],
  };
}

// The desk, after the log-in where one is needed.
const directorAddress = (state) => (state ? state.session.address : "/login/");

export function menu(app) {
  const { state } = app;
  const other = app.language === "fr" ? "en" : "fr";
  return {
    title: say("menu"),
    body: [
      state &&
        app.writing && [
          h("h2", {}, say("who_enters")),
          answers(
            LINES.map((line) => ({
              text: person(stopOf(state, app.here), line),
              on: () => app.sit(line),
              chosen: app.seat === line,
              key: `seat-${line}`,
            })),
          ),
          h("p", { class: "quiet" }, say("who_enters_note")),
        ],
      h(
        "div",
        { class: "stacked" },
        button(say("other_language"), () => app.speak(other), { lang: other, "data-key": "language" }),
        h("a", { class: "button", href: directorAddress(state), "data-key": "director" }, say("director_mode")),
        state &&
          !app.writing &&
          button(say("take_over"), () => app.command({ kind: "take_over" }), { "data-key": "take_over" }),
        state && state.device.known && button(say("leave", { name: state.device.label.split(" · ").at(-1) }), () => app.leave(), { "data-key": "leave" }),
      ),
    ],
  };
}

// Nothing is known of the table yet: why, and what to do.
export function nothing(app) {
  const reason = app.reason;
  return {
    title: say(reason ? `nothing.${reason}` : "connecting"),
    body: reason ? notice(reason === "gone" ? "danger" : "info", h("p", {}, say(`nothing.${reason}_do`))) : null,
  };
}

// The way back and what is always at hand, at the foot of every screen.
export function foot(app, view) {
  const { state } = app;
  if (!state || view.name === "join") return [];
  const { call } = app;
  const played = view.play && app.writing && app.mayBeUnplayed(view.play);
  return [
    view.name !== "position" && button(say("back"), () => app.back(), { "data-key": "back" }),
    played && button(say("not_played"), () => app.notPlayed(view.play), { "data-key": "not_played" }),
    call === "calls" || call === "kept"
      ? button(say(call === "kept" ? "uncall_kept" : "uncall"), () => app.command({ kind: "uncall" }), {
          kind: "is-calling",
          "data-key": "call",
        })
      : button(say("call"), () => app.command({ kind: "call", ...(view.play && { play: view.play }) }), {
          "data-key": "call",
        }),
  ];
}
