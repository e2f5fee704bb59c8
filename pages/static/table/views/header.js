// The header of all screens: the table, the position, its clock, the players' seats, the present deal, and whether the
// site has received the results.

import { button, h } from "./dom.js";
import { numberOf, playOf, seatTeams, seatsOf, seen, stopAt } from "../state/model.js";
import { attackerOf } from "../state/plays.js";
import { badge, mark, nameOf, sideOf } from "./parts.js";
import { minutes, say, variant } from "../words.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("./screen.js").View} View */
/** @typedef {import("../device/site.js").Site} Site */
/** @typedef {import("../../../../evenings/tables/screen").Line} Line */
/** @typedef {import("../../../../evenings/tables/screen").Play} Play */

/** @param {App} app @param {View} view @returns {import("./dom.js").Child[]} */
export function header(app, view) {
  const state = app.site.last;
  if (!state) return [h("div", { class: "where" }, h("strong", {}, "Topage"), menuButton(app, view))];
  const asked = "play" in view ? playOf(state, view.play) : null;
  const play = asked?.play;
  const position = "position" in view ? view.position : undefined;
  const at = asked?.stop ?? stopAt(state, position ?? app.site.here);
  const shown = play ? seatTeams(at, play, placeOf(app, play)) : at;
  const { text, late } = timeLeft(app.site);
  return [
    h(
      "div",
      { class: "where" },
      button(
        [
          h("strong", {}, say("table", { table: state.table })),
          h("span", {}, say("position_of", { position: shown.position, positions: state.session.positions })),
        ],
        () => app.screen.home(),
        { kind: "button-plain", "data-key": "home" },
      ),
      h("span", { class: late ? "clock is-late" : "clock", id: "clock" }, text),
      menuButton(app, view),
    ),
    !shown.rest && view.name !== "results" && seats(shown, play, app),
    play && h("p", { class: "deal" }, deal(app, play)),
  ];
}

/** @param {App} app @param {View} view */
const menuButton = (app, view) =>
  button(say("menu"), () => (view.name === "menu" ? app.screen.back() : app.screen.go({ name: "menu" })), {
    kind: "button-plain",
    "data-key": "menu",
  });

/** @param {import("../../../../evenings/tables/screen").Stop} stop @param {Play | undefined} play @param {App} app */
function seats(stop, play, app) {
  if (stop.teams && !play) return teams(stop, stop.teams);
  const taker = play && takerOf(app, play);
  return h(
    "ul",
    { class: "seats-at-table", "aria-label": say("who_sits_where") },
    seatsOf(stop).map((line) =>
      h(
        "li",
        { class: line === taker ? "takes" : null },
        seated(line, [nameOf(stop, line) || say("nobody_sits"), roles(line, taker, play)]),
      ),
    ),
  );
}

// Both teams of a position: the captain of each seats its players.
/** @typedef {import("../../../../evenings/tables/screen").Stop} Stop */
/** @param {Stop} stop @param {NonNullable<Stop["teams"]>} sides */
const teams = (stop, sides) =>
  h(
    "ul",
    { class: "seats-at-table teams-at-table", "aria-label": say("who_sits_where") },
    Object.entries(sides).map(([line, { name }]) =>
      h("li", {}, h("strong", {}, sideOf(stop, line)), " ", h("span", {}, name)),
    ),
  );

// Returns a name with the mark of its seat. The name comes first where the tables deal.
/** @param {Line} line @param {import("./dom.js").Child} name */
function seated(line, name) {
  const shown = h("span", {}, name);
  return variant === "free" ? [shown, mark(line)] : [mark(line), shown];
}

/** @param {Line} line @param {Line | "" | null | undefined} taker @param {Play} [play] */
function roles(line, taker, play) {
  const told = [
    line === taker && say("takes"),
    line === play?.dealer && say("deals"),
    line === play?.leader && say("leads"),
  ].filter(Boolean);
  return told.length ? [" ", h("small", {}, told.join(" · "))] : null;
}

/** @param {App} app @param {Play} play */
function takerOf(app, play) {
  if (app.site.state.session.auction === "imposed") return play.taker;
  const draft = app.drafts.of(play.id);
  if (draft) return draft.taker;
  const { entry } = seen(play, app.site.commands);
  return entry && "taker" in entry ? entry.taker : null;
}

/** @param {App} app @param {Play} play */
function deal(app, play) {
  const imposed = app.site.state.session.auction === "imposed";
  const etui = h("strong", {}, say("etui", { etui: numberOf(play) }));
  const { attack } = play;
  if (!attack) return [etui, imposed && ` · ${say("contract.garde")}`];
  return [etui, ` · ${say("attacks", { team: attack.team })} `, badge(placeOf(app, play) || attack.badge, attack)];
}

// Returns the place in the team of the member who attacks, as far as this device knows it.
/** @param {App} app @param {Play} play */
function placeOf(app, play) {
  return app.drafts.of(play.id)?.attacker || attackerOf(seen(play, app.site.commands));
}

// The kinds of commands about an étui that wait for a receipt.
const SAID = ["enter", "correct", "blind", "check", "not_played", "undo_not_played", "record"];

// Returns a sentence that says whether the site has received everything. Bad news goes before good news.
/** @param {Site} site */
export function status(site) {
  const waiting = site.outbox.waiting.filter(({ kind }) => SAID.includes(kind)).length;
  const { call } = site;
  const told = [
    site.reason && say(`net.${site.reason}`),
    call === "kept" && say("call_kept"),
    waiting && say("kept_here", { count: waiting }),
  ].filter(Boolean);
  if (told.length) return { kind: call === "kept" ? "alert" : "wait", text: told.join(" ") };
  if (!site.last) return { kind: "off", text: say("connecting") };
  if (call === "coming") return { kind: "done", text: say("arbiter_comes") };
  return { kind: "done", text: site.heard ?? say("all_received") };
}

// Returns the seconds left on the clock, or null if no clock is set.
/** @param {import("../../../../evenings/tables/screen").Clock} clock @param {number} now */
function secondsLeft(clock, now) {
  if (clock.ends_at) return Math.max(0, Math.round((Date.parse(clock.ends_at) - now) / 1000));
  return clock.left;
}

// Returns the time left as text, and whether it is over. Returns nothing after the evening.
/** @param {Site} site */
function timeLeft(site) {
  const { clock, last_call, results, session } = site.state;
  if (results || session.closed) return { text: "", late: false };
  const left = secondsLeft(clock, Date.now() + site.offset);
  const over = left === 0;
  const told = left === null ? "" : over ? say("time_over") : minutes(left);
  const text = [last_call && !over && say("last_call"), told].filter(Boolean).join(" · ");
  return { text, late: over || last_call };
}

// Replaces only the clock, every second. Screen readers do not read it each time.
/** @param {Site} site */
export function tick(site) {
  const place = document.getElementById("clock");
  if (!place) return;
  const { text, late } = timeLeft(site);
  if (place.textContent !== text) place.textContent = text;
  place.className = late ? "clock is-late" : "clock";
}
