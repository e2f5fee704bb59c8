// What is always in view: the table, the position, its clock, who sits where, the deal at hand, and whether the site
// has received what was typed.

import { button, h } from "./dom.js";
import { LINES, playOf, seen, stopOf } from "./model.js";
import { mark, nameOf } from "./parts.js";
import { minutes, say } from "./words.js";

export function header(app, view) {
  const { state } = app;
  if (!state) return [h("div", { class: "where" }, h("strong", {}, "Topage"), menuButton(app, view))];
  const { stop, play } = view.play ? playOf(state, view.play) : { stop: stopOf(state, view.position ?? app.here) };
  const shown = stop ?? stopOf(state, app.here);
  const { text, late } = timeLeft(app);
  return [
    h(
      "div",
      { class: "where" },
      button(
        [
          h("strong", {}, say("table", { table: state.table })),
          h("span", {}, say("position_of", { position: shown.position, positions: state.session.positions })),
        ],
        () => app.home(),
        { kind: "button-plain", "data-key": "home" },
      ),
      h("span", { class: late ? "clock is-late" : "clock", id: "clock" }, text),
      menuButton(app, view),
    ),
    !shown.rest && seats(shown, play, app),
    play && h("p", { class: "deal" }, deal(app, play)),
  ];
}

const menuButton = (app, view) =>
  button(say("menu"), () => (view.name === "menu" ? app.back() : app.go({ name: "menu" })), {
    kind: "button-plain",
    "data-key": "menu",
  });

function seats(stop, play, app) {
  const taker = play && takerOf(app, play);
  return h(
    "ul",
    { class: "seats-at-table", "aria-label": say("who_sits_where") },
    LINES.map((line) =>
      h(
        "li",
        { class: line === taker ? "takes" : null },
        mark(line),
        h("span", {}, nameOf(stop, line) || say("nobody_sits"), roles(line, taker, play?.leader)),
      ),
    ),
  );
}

function roles(line, taker, leader) {
  const told = [line === taker && say("takes"), line === leader && say("leads")].filter(Boolean);
  return told.length ? [" ", h("small", {}, told.join(" · "))] : null;
}

const takerOf = (app, play) =>
  app.state.session.auction === "imposed"
    ? play.taker
    : (app.drafts[play.id]?.taker ?? seen(play, app.outbox.commands).entry?.taker);

function deal(app, play) {
  const imposed = app.state.session.auction === "imposed";
  return [h("strong", {}, say("etui", { etui: play.etui })), imposed && ` · ${say("contract.garde")}`];
}

// What a table says of an étui, and waits to be received.
const SAID = ["enter", "correct", "blind", "check", "not_played", "undo_not_played"];

// One sentence on what the site has of what was typed; the worst news first.
export function status(app) {
  const waiting = app.outbox.waiting.filter(({ kind }) => SAID.includes(kind)).length;
  const { call } = app;
  const told = [
    app.reason && say(`net.${app.reason}`),
    call === "kept" && say("call_kept"),
    waiting && say("kept_here", { count: waiting }),
  ].filter(Boolean);
  if (told.length) return { kind: call === "kept" ? "alert" : "wait", text: told.join(" ") };
  if (!app.state) return { kind: "off", text: say("connecting") };
  if (call === "coming") return { kind: "done", text: say("arbiter_comes") };
  return { kind: "done", text: app.heard ?? say("all_received") };
}

// Seconds left on the clock; null where none is set.
function secondsLeft(clock, now) {
  if (!clock) return null;
  if (clock.ends_at) return Math.max(0, Math.round((new Date(clock.ends_at) - now) / 1000));
  return clock.left ?? null;
}

// What the clock says, and whether it is late.
function timeLeft(app) {
  const left = secondsLeft(app.state.clock, Date.now() + app.offset);
  const over = left === 0;
  const told = left === null ? "" : over ? say("time_over") : minutes(left);
  const text = [app.state.last_call && !over && say("last_call"), told].filter(Boolean).join(" · ");
  return { text, late: over || app.state.last_call };
}

// Changed alone, every second; nobody wants to hear it each time.
export function tick(app) {
  const place = document.getElementById("clock");
  if (!place) return;
  const { text, late } = timeLeft(app);
  if (place.textContent !== text) place.textContent = text;
  place.className = late ? "clock is-late" : "clock";
}
