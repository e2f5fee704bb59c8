// The screen of a position at this table: its étuis with takers and states, missing results, and everybody's next seat.

import { button, h } from "./dom.js";
import { differing, nextPlay, numberOf, owed, playOf, scored, seatTeams, seen, stopAt, stopOf } from "../state/model.js";
import { attackerOf } from "../state/plays.js";
import { answers, badge, explained, mark, nameOf, notice, person, sideOf } from "./parts.js";
import { noted } from "./record.js";
import { requests } from "./requests.js";
import { running } from "./deals/sheet.js";
import { say, signed } from "../words.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("./screen.js").Drawn} Drawn */
/** @typedef {import("../state/model.js").Found} Found */
/** @typedef {import("../../../../evenings/tables/screen").Going} Going */
/** @typedef {import("../../../../evenings/tables/screen").Line} Line */
/** @typedef {import("../../../../evenings/tables/screen").Play} Play */
/** @typedef {import("../../../../evenings/tables/screen").Stop} Stop */

/** @param {App} app @param {import("./screen.js").PositionView} view @returns {Drawn} */
export function position(app, view) {
  const { state, here } = app.site;
  const stop = stopAt(state, view.position ?? here);
  const present = stop.position === here;
  const complete = !stop.rest && !stop.unseated && stop.position <= here && !owed(stop, app.site.commands).length;
  return {
    title: title(app, stop, complete),
    body: [
      !app.site.durable && notice("warning", h("p", {}, say("not_durable"))),
      troubles(app),
      noted(app, view),
      present && requests(app),
      state.session.closed ? over() : !app.site.writing && following(app),
      present && [late(app, stop), debts(app, stop)],
      complete && present && nextSeats(stop, state.next, stop.position === state.session.positions),
      complete && present && comes(app, stop),
      stop.unseated && h("p", {}, say("seats_to_come", { position: stop.position })),
      stop.rest ? h("p", {}, say("rest_explained")) : etuis(app, stop, complete && present),
      present && running(app, stop, complete),
      present && left(app, stop),
      around(app, stop),
    ],
  };
}

/** @param {App} app @param {Stop} stop @param {boolean} complete */
function title(app, stop, complete) {
  if (stop.rest) return say("rests");
  if (stop.unseated) return say("coming", { position: stop.position });
  if (!app.plays.reached(stop)) return say("coming", { position: stop.position });
  if (complete) return say("complete", { position: stop.position });
  return say(app.site.writing ? "ask.etui" : "etuis_of", { position: stop.position });
}

/** @param {App} app @param {Stop} stop @param {boolean} done */
const etuis = (app, stop, done) =>
  h(
    "ul",
    { class: done ? "etuis is-done" : "etuis" },
    stop.plays.map((play) => h("li", {}, etui(app, stop, play))),
  );

/** @param {App} app @param {Stop} stop @param {Play} play */
function etui(app, stop, play) {
  const found = seen(play, app.site.commands);
  const { kind, text } = told(app, stop, play, found);
  const { writing, here, commands } = app.site;
  const next = nextPlay(stop, commands) === play && stop.position >= here && app.plays.reached(stop);
  return h(
    "button",
    {
      type: "button",
      class: writing && next ? "etui is-next" : "etui",
      on: () => app.results.open(play),
      "data-key": `etui-${play.id}`,
    },
    h("strong", {}, h("span", { class: "visually-hidden" }, say("etui", { etui: "" }), " "), String(numberOf(play))),
    h("span", {}, plan(app, stop, play)),
    h("span", { class: `state state-${kind}` }, text),
  );
}

/** @param {App} app @param {Stop} stop @param {Play} play */
function plan(app, stop, play) {
  if (play.dealer) return dealing(stop, play, play.dealer);
  if (app.site.state.session.auction === "free" || !play.taker)
    return say("leader_is", { name: nameOf(stop, play.leader) });
  if (play.attack) return attacks(app, stop, play, play.attack);
  const leads = say("leader_is", { name: say(`letter.${play.leader}`) });
  const note = play.taker === play.leader ? say("takes_and_leads") : `${say("takes")} · ${leads}`;
  return [person(stop, play.taker), h("small", {}, note)];
}

// Returns who deals, and who rests if five sit and four play.
/** @param {Stop} stop @param {Play} play @param {Line} dealer */
function dealing(stop, play, dealer) {
  const at = { seats: play.seats ?? stop.seats };
  const rests = play.resting && play.resting !== dealer && say("rests_now", { name: nameOf(at, play.resting) });
  const key = play.resting === dealer ? "deals_and_rests" : "deals_now";
  return [say(key, { name: nameOf(at, dealer) }), rests && h("small", {}, rests)];
}

// Returns the attacking team of an étui, and its member who attacks.
/** @param {App} app @param {Stop} stop @param {Play} play @param {import("../../../../evenings/tables/screen").Attack} attack */
function attacks(app, stop, play, attack) {
  const place = attackerOf(seen(play, app.site.commands)) || attack.badge;
  const taker = /** @type {Line} */ (play.taker);
  const seated = seatTeams(stop, play, place);
  return [
    h("span", { class: "person" }, mark(taker), h("span", {}, nameOf(seated, taker))),
    h("small", {}, badge(place, attack), ` ${say("attacks", { team: attack.team })}`),
  ];
}

// Returns the state of a play in two or three words.
/** @param {App} app @param {Stop} stop @param {Play} play @param {Found} found */
export function told(app, stop, play, found) {
  const score = app.plays.shows(stop, found) && found.entry && (found.score ?? scored(found.entry));
  const fiche = score && found.entry?.kind !== "sheet" ? `${signed(score.base_score)} · ` : "";
  if (found.trouble) return { kind: "alert", text: say("state.look") };
  if (found.state === "kept" || found.checked) return { kind: "wait", text: fiche + say("state.kept") };
  if (score && !found.arbiter && differing(play, found) !== null)
    return { kind: "alert", text: fiche + say("state.look") };
  if (found.state === "disputed") return { kind: "alert", text: fiche + say("state.disputed") };
  if (app.plays.awaits(play.id)) return { kind: "wait", text: fiche + say("state.to_check") };
  if (["entered", "confirmed"].includes(found.state))
    return { kind: "done", text: fiche + say(found.arbiter ? `arbiter.${found.arbiter}` : `state.${found.state}`) };
  if (play.withdrawn && ["todo", "started"].includes(found.state))
    return { kind: "alert", text: say("state.withdrawn") };
  if (app.drafts.of(play.id)?.bouts != null) return { kind: "wait", text: say("state.draft") };
  /** @type {Record<string, string>} */
  const kinds = { not_played: "off", annulled: "off", adjusted: "done", started: "wait" };
  return { kind: kinds[found.state] ?? "todo", text: say(`state.${found.state}`) };
}

const over = () => notice("info", [h("p", {}, h("strong", {}, say("evening_over"))), h("p", {}, say("evening_closed"))]);

/** @param {App} app */
const following = (app) =>
  notice("info", [
    h("p", {}, say("following")),
    button(say("take_over"), () => app.site.command({ kind: "take_over" }), { "data-key": "take_over" }),
  ]);

// The notice that this position has missing results although the next position is called. The list below has the étuis.
/** @param {App} app @param {Stop} stop */
function late(app, stop) {
  const { state, commands } = app.site;
  const plays = owed(stop, commands);
  if (state.position <= stop.position || !plays.length) return null;
  const etuis = plays.map(numberOf).join(", ");
  return notice("warning", h("p", {}, h("strong", {}, say("late")), ` ${etuis}`));
}

// The links to missing results of earlier positions.
/** @param {App} app @param {Stop} stop */
function debts(app, stop) {
  const { state, commands } = app.site;
  const earlier = state.stops.filter((one) => one.position < stop.position && !one.closed);
  const plays = earlier.flatMap((one) => owed(one, commands).map((play) => ({ one, play })));
  if (!plays.length) return null;
  /** @param {{ one: Stop, play: Play }} debt */
  const link = ({ one, play }) =>
    button(say("owed_etui", { etui: numberOf(play), position: one.position }), () => app.results.open(play), {
      kind: "button-plain",
      "data-key": `owed-${play.id}`,
    });
  return notice("warning", [h("p", {}, say("owed")), ...plays.map(link)]);
}

// The notices about commands that the site refused or asks about, with the typed result.
/** @param {App} app */
export function troubles(app) {
  const found = app.site.commands.filter(
    ({ kind, receipt }) =>
      receipt &&
      !["received", "dropped"].includes(receipt.status) &&
      !receipt.dismissed &&
      !(kind === "start" && app.site.state.session.closed), // the notice of the following result says it already
  );
  return found.map((command) => {
    const { stop, play } = playOf(app.site.state, command.play);
    const { status, text, questions } = command.receipt ?? {};
    // If the site does not have the play of a command, its result is shown only here.
    const typed = command.kind === "check" ? null : command.entry; // a check has the result that was seen
    const entry = !stop || stop.position >= app.site.here ? typed : null;
    const score = entry && scored(entry);
    const etui = play ? numberOf(play) : command.etui;
    /** @param {string} name */
    const key = (name) => ({ "data-key": `${name}-${command.key}` });
    const dismiss = button(say("understood"), () => app.results.dismiss(command), key("dismiss"));
    return notice(
      status === "conflict" ? "warning" : "danger",
      [
        h("p", {}, etui && h("strong", {}, say("etui", { etui })), " ", text),
        score && h("p", {}, say("typed_kept", { score: signed(score.base_score) })),
        entry && score && !play && explained(entry, score, stop ?? stopAt(app.site.state, app.site.here)),
        (questions ?? []).map((question) => h("p", {}, question.text)),
        h(
          "div",
          { class: "row" },
          status === "question" && button(say("really_yes"), () => app.results.confirm(command), key("sure")),
          typed &&
            play &&
            app.site.writing &&
            status !== "conflict" &&
            button(say("correct"), () => app.results.retype(command, play), key("retype")),
          dismiss,
        ),
      ],
      "alert",
    );
  });
}

// The present seats of the players of the position before, shown until an étui of this position is begun.
/** @param {App} app @param {Stop} stop */
function left(app, stop) {
  const { left: before } = app.site.state;
  const begun = stop.plays.some((play) => !["todo", "not_played"].includes(seen(play, app.site.commands).state));
  if (!before || before.position !== stop.position - 1 || begun) return null;
  return h("section", { class: "next" }, h("h2", {}, say("where_left", before)), seatList(stop, before.next));
}

/** @param {Stop} stop @param {Going[]} next @param {boolean} last */
function nextSeats(stop, next, last) {
  if (!next.length) return last && h("p", {}, say("last_position"));
  return h("section", { class: "next" }, h("h2", {}, say("where_next")), seatList(stop, next));
}

// Says that the next game has no seats yet, where the ranking decides who meets whom.
/** @param {App} app @param {Stop} stop */
const comes = (app, { position }) =>
  stopOf(app.site.state, position + 1)?.unseated && h("p", {}, say("seats_to_come", { position: position + 1 }));

/** @param {Going["table"]} table @param {number[]} [tables] */
function goesTo(table, tables) {
  if (table === "rest") return say("goes_rest");
  return tables ? say("tables", { tables: tables.join(", ") }) : say("table", { table });
}

// Returns the list of the places to go to. A team has its side of the table in words.
/** @param {Stop} stop @param {Going[]} next */
const seatList = (stop, next) =>
  h(
    "ul",
    {},
    next.map(({ name, line, table, tables, part }) =>
      h(
        "li",
        {},
        stop.teams
          ? h("span", {}, name, table !== "rest" && (part || !stop.attacking) && [" ", h("small", {}, sideOf(stop, line))])
          : person({ seats: { [line]: { name } } }, line),
        h("strong", {}, goesTo(table, tables)),
      ),
    ),
  );

/** @param {App} app @param {Stop} stop */
function around(app, stop) {
  /** @param {Stop | undefined} place @param {string} key */
  const to = (place, key) =>
    place &&
    button(
      say("position", { position: place.position }),
      () => app.screen.go({ name: "position", position: place.position }),
      { "data-key": key },
    );
  const before = stopOf(app.site.state, stop.position - 1);
  const after = stopOf(app.site.state, stop.position + 1);
  return h("nav", { class: "around", "aria-label": say("positions") }, to(before, "before"), to(after, "after"));
}

// The question before an étui that is not the next one, or whose position is not called yet as far as this device
// knows.
/** @param {App} app @param {import("./screen.js").PlayView} view @returns {Drawn} */
export function order(app, view) {
  const { stop, play } = app.plays.find(view.play);
  const first = app.plays.first(stop);
  const why = app.site.state.last_call ? "last_call" : !app.plays.reached(stop) ? "early" : "other";
  const params = { etui: numberOf(play), first: first && numberOf(first), position: stop.position };
  return {
    title: say("ask.order", params),
    body: [
      h("p", {}, say(`order.${why}`, params)),
      answers([
        {
          text: say(why === "last_call" ? "order_begun" : "order_yes", params),
          on: () => app.results.begin(play),
          key: "yes",
        },
        { text: say("order_no"), on: () => app.screen.back(), key: "no" },
      ]),
    ],
  };
}
