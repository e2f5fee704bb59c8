// The screens for a device that comes to a table: the players there, and whether this device is to enter results. If
// the table is not known yet, a screen says why.

import { h } from "./dom.js";
import { seatTeams, seatsOf, stopAt } from "../state/model.js";
import { answers, isNamedBySeats, notice, person, sideOf } from "./parts.js";
import { day, say } from "../words.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("./screen.js").Drawn} Drawn */

/** @param {App} app @returns {Drawn} */
export function join(app) {
  const { state } = app.site;
  const stop = stopAt(state, app.site.here);
  const { session } = state;
  const taken = state.device.others > 0;
  const write = {
    text: say(taken ? "take_over" : "join_write"),
    on: () => come(app, taken ? "take_over" : "join"),
    key: "write",
  };
  const follow = {
    text: say("join_follow"),
    note: say("join_follow_note"),
    on: () => come(app, "join"),
    key: "follow",
  };
  return {
    title: say(taken ? "join_taken" : "join_title", { table: state.table }),
    body: [
      h("p", { class: "quiet" }, `${session.tournament} · ${session.club} · ${day(session.date)}`),
      !stop.rest &&
        h(
          "ul",
          { class: stop.teams ? "greeted teams-at-table" : "greeted" },
          stop.teams
            ? Object.entries(stop.teams).map(([line, { name }]) => h("li", {}, `${sideOf(stop, line)} · ${name}`))
            : seatsOf(stop).map((line) => h("li", {}, person(stop, line))),
        ),
      isNamedBySeats(stop) && seated(stop),
      isNamedBySeats(stop) && h("p", { class: "quiet" }, say("south_writes")),
      answers(taken ? [follow, write] : [write]),
    ],
  };
}

// The players in the seats that the line-ups give them.
/** @param {import("../../../../evenings/tables/screen").Stop} stop */
function seated(stop) {
  const there = seatTeams(stop, stop.plays[0]);
  return h(
    "ul",
    { class: "greeted" },
    seatsOf(stop).map((line) => h("li", {}, person(there, line))),
  );
}

/** @param {App} app @param {"join" | "take_over"} kind */
async function come(app, kind) {
  navigator.storage?.persist?.();
  await app.site.command({ kind, name: make() });
  app.screen.go({ name: "position" }, { replace: true });
}

// The names of the kinds of devices, as their owners call them.
const MAKES = {
  iPhone: "iPhone",
  iPad: "iPad",
  Android: "Android",
  Windows: "PC",
  CrOS: "Chromebook",
  Mac: "Mac",
  Linux: "PC",
};
const make = () => Object.entries(MAKES).find(([sign]) => navigator.userAgent.includes(sign))?.[1] ?? "";

// The screen if nothing is known of the table yet: the reason, and what to do.
/** @param {App} app @returns {Drawn} */
export function nothing(app) {
  const { reason } = app.site;
  return {
    title: say(reason ? `nothing.${reason}` : "connecting"),
    body: reason ? notice(reason === "gone" ? "danger" : "info", h("p", {}, say(`nothing.${reason}_do`))) : null,
  };
}
