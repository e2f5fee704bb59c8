// The menu, and the foot of every screen with the buttons to go back and to call the arbiter.

import { button, h } from "./dom.js";
import { seatsOf, stopAt } from "../state/model.js";
import { answers, isNamedBySeats, person, sideOf } from "./parts.js";
import { ways } from "./record.js";
import { language, say } from "../words.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../../../../evenings/tables/screen").State} State */

/** @param {App} app @returns {import("./screen.js").Drawn} */
export function menu(app) {
  const { last } = app.site;
  const other = language === "fr" ? "en" : "fr";
  return {
    title: say("menu"),
    body: [
      last && app.site.writing && whoEnters(app, last),
      h(
        "div",
        { class: "stacked" },
        button(say("other_language"), () => app.site.speak(other), { lang: other, "data-key": "language" }),
        last &&
          !last.session.closed &&
          h("a", { class: "button", href: "arbiter/", "data-key": "arbiter_here" }, say("arbiter_here")),
        h("a", { class: "button", href: directorAddress(last), "data-key": "director" }, say("director_mode")),
        last &&
          !last.session.closed &&
          !app.site.writing &&
          button(say("take_over"), () => app.site.command({ kind: "take_over" }), { "data-key": "take_over" }),
        last &&
          app.site.writing &&
          button(say(app.site.asks ? "lead_never" : "lead_always"), () => app.site.askLeads(!app.site.asks), {
            "data-key": "asks",
          }),
        last?.device.known &&
          button(say("leave", { name: ownName(last.device.label) }), () => leave(app), { "data-key": "leave" }),
      ),
    ],
  };
}

/** @param {App} app @param {State} state */
const whoEnters = ({ site }, state) => [
  h("h2", {}, say("who_enters")),
  answers(
    teamsOrSeats(stopAt(state, site.here)).map((line) => ({
      text: personOrTeam(stopAt(state, site.here), line),
      on: () => site.sit(line),
      chosen: site.seat === line,
      key: `seat-${line}`,
    })),
  ),
  isNamedBySeats(stopAt(state, site.here)) && h("p", { class: "quiet" }, say("south_writes")),
  h("p", { class: "quiet" }, say("who_enters_note")),
];

/** @typedef {import("../../../../evenings/tables/screen").Stop} Stop */
/** @typedef {import("../../../../evenings/tables/screen").Line} Line */

// Returns the lines to choose from. Of teams, one line stands for each side of the table.
/** @param {Stop} stop */
const teamsOrSeats = (stop) => (stop.teams ? /** @type {Line[]} */ (Object.keys(stop.teams)) : seatsOf(stop));

/** @param {Stop} stop @param {Line} line */
const personOrTeam = (stop, line) =>
  stop.teams ? `${sideOf(stop, line)} · ${stop.teams[line]?.name ?? ""}` : person(stop, line);

// Returns the address of the desk, or of the login if no state is known.
/** @param {State | null} state */
const directorAddress = (state) => (state ? state.session.address : "/login/");

/** @param {string} label with the table's number before it */
const ownName = (label) => label.split(" · ").at(-1);

/** @param {App} app */
async function leave(app) {
  await app.site.command({ kind: "leave" });
  app.screen.home();
}

/** @param {App} app @param {import("./screen.js").View} view @returns {import("./dom.js").Child[]} */
export function foot(app, view) {
  if (!app.site.last || view.name === "join") return [];
  const play = "play" in view && app.plays.mayBeUnplayed(view.play) && view.play;
  return [
    view.name === "record" && ways(app, view.play),
    !["position", "results", "record"].includes(view.name) && button(say("back"), () => app.screen.back(), { "data-key": "back" }),
    play && button(say("not_played"), () => app.results.setAside(play), { "data-key": "not_played" }),
    !app.site.last.session.closed && arbiter(app, view),
  ];
}

/** @param {App} app @param {import("./screen.js").View} view */
function arbiter({ site, screen }, view) {
  const { call } = site;
  if (call === "calls" || call === "kept") {
    const uncall = () => {
      site.command({ kind: "uncall" });
      if (view.name === "call") screen.back();
    };
    return button(say(call === "kept" ? "uncall_kept" : "uncall"), uncall, { kind: "is-calling", "data-key": "call" });
  }
  const about = "play" in view ? { play: view.play } : {};
  const ask = () => {
    site.command({ kind: "call", ...about });
    if (view.name !== "call") screen.go({ name: "call" });
  };
  return button(say("call"), ask, { "data-key": "call" });
}

/** @type {NonNullable<import("../../../../evenings/tables/screen").Command["reason"]>[]} */
const REASONS = ["rules", "cards", "irregularity", "result", "device"];

// The screen after a call for the arbiter. The call is made already; a press on a reason adds it and goes back.
/** @param {App} app @returns {import("./screen.js").Drawn} */
export function call({ site, screen }) {
  const open = site.call === "calls" || site.call === "kept";
  return {
    title: say(open ? "call_why" : site.call === "coming" ? "arbiter_comes" : "call_over"),
    body: open && [
      answers(
        REASONS.map((reason) => ({
          text: say(`call.${reason}`),
          on: () => {
            site.command({ kind: "call_about", reason });
            screen.back();
          },
          key: `reason-${reason}`,
        })),
      ),
      h("p", { class: "quiet" }, say("call_why_note")),
    ],
  };
}
