// The sheet of a game, where the tables deal: the marks of each deal with their sums. At the end of the game it is read
// back, and one player agrees to all of it.

import { button, h } from "../dom.js";
import { numberOf, scored, seatTeams, seatsOf, seen, stopAt } from "../../state/model.js";
import { answers, mark, marksOf, nameOf, notice, person } from "../parts.js";
import { say, signed } from "../../words.js";

/** @typedef {import("../../app.js").App} App */
/** @typedef {import("../screen.js").Drawn} Drawn */
/** @typedef {import("../../../../tables/screen").Line} Line */
/** @typedef {import("../../../../tables/screen").Play} Play */
/** @typedef {import("../../../../tables/screen").Stop} Stop */
/** @typedef {{ play: Play, marks: Map<Line, number> | null }} Row a deal, and its marks by seat if it has a result */

// Returns the deals of a game with the marks that this device may show.
/** @param {App} app @param {Stop} stop @returns {Row[]} */
function rowsOf(app, stop) {
  return stop.plays.map((play) => {
    const found = seen(play, app.site.commands);
    const score = found.score ?? scored(found.entry);
    if (!found.entry || !score || !app.plays.shows(stop, found)) return { play, marks: null };
    return { play, marks: new Map(marksOf(found.entry, score, seatsOf(seatTeams(stop, play)))) };
  });
}

/** @param {Row[]} rows @param {Line} line */
const totalOf = (rows, line) => rows.reduce((sum, { marks }) => sum + (marks?.get(line) ?? 0), 0);

// Returns the running marks of the game for the list of its deals, and the way to its sheet once it can be read back.
/** @param {App} app @param {Stop} stop @param {boolean} complete */
export function running(app, stop, complete) {
  if (!app.site.state.session.free_deals || stop.rest || stop.unseated) return null;
  const rows = rowsOf(app, stop);
  if (!rows.some(({ marks }) => marks)) return null;
  const unread = complete && app.plays.unread(stop.position).length > 0;
  const open = () => app.screen.go({ name: "sheet", position: stop.position });
  return h("section", { class: "sheet-so-far" }, [
    h("h2", {}, say("marks_so_far")),
    h(
      "ul",
      { class: "marks marks-by-name" },
      seatsOf(stop).map((line) =>
        h("li", {}, person(stop, line), h("span", { class: "num" }, signed(totalOf(rows, line)))),
      ),
    ),
    button(say(unread ? "read_back" : "see_sheet"), open, {
      kind: unread ? "button-primary forward" : "button-plain",
      "data-key": "sheet",
    }),
  ]);
}

/** @param {App} app @param {import("../screen.js").SheetView} view @returns {Drawn} */
export function sheet(app, { position }) {
  const stop = stopAt(app.site.state, position);
  const rows = rowsOf(app, stop);
  const unread = app.plays.unread(position);
  return {
    title: say("sheet_of", { position }),
    body: [
      app.screen.told ? notice("danger", h("p", {}, app.screen.told), "alert") : null,
      grid(app, stop, rows),
      h("p", { class: "quiet" }, say("sheet_correct")),
      unread.length > 0 && agreement(app, stop, unread),
      h("div", { class: "row" }, button(say("to_the_list"), () => app.screen.home(), { "data-key": "home-list" })),
    ],
  };
}

/** @param {App} app @param {Stop} stop @param {Row[]} rows */
function grid(app, stop, rows) {
  const lines = seatsOf(stop);
  return h(
    "table",
    { class: "sheet" },
    h(
      "thead",
      {},
      h("tr", {}, [
        h("th", { scope: "col" }, say("sheet_deal")),
        lines.map((line) => h("th", { scope: "col" }, h("span", {}, nameOf(stop, line)), " ", mark(line))),
      ]),
    ),
    h(
      "tbody",
      {},
      rows.map((row) =>
        h("tr", {}, [h("th", { scope: "row" }, deal(app, row)), lines.map((line) => cell(row, line))]),
      ),
    ),
    h(
      "tfoot",
      {},
      h("tr", {}, [
        h("th", { scope: "row" }, say("sheet_total")),
        lines.map((line) => h("td", { class: "num" }, signed(totalOf(rows, line)))),
      ]),
    ),
  );
}

// Returns the number of a deal as a button that opens it, to look at it or to correct it.
/** @param {App} app @param {Row} row */
const deal = (app, { play }) =>
  button(String(numberOf(play)), () => app.results.open(play), {
    kind: "button-plain",
    "aria-label": say("etui", { etui: numberOf(play) }),
    "data-key": `deal-${play.id}`,
  });

/** @param {Row} row @param {Line} line */
function cell({ play, marks }, line) {
  if (!marks) return h("td", { class: "num" }, say(play.state === "not_played" ? "sheet_off" : "sheet_open"));
  const figure = marks.get(line);
  return h("td", { class: "num" }, figure === undefined ? say("sheet_rests") : signed(figure));
}

// Asks the players to agree. Somebody other than the writer says it, once for the whole game.
/** @param {App} app @param {Stop} stop @param {ReturnType<import("../../state/plays.js").Plays["unread"]>} unread */
function agreement(app, stop, unread) {
  const writer = unread[0].found.seat;
  const elsewhere = app.site.writing && unread.some(({ found }) => found.check === "other");
  if (elsewhere) return notice("info", h("p", {}, say("sheet_other_device")));
  return h("section", {}, [
    h("h2", {}, say("ask.sheet")),
    answers(
      seatsOf(stop)
        .filter((line) => line !== writer)
        .map((line) => ({
          text: person(stop, line),
          on: () => app.results.agreeToSheet(stop.position, line),
          key: `agree-${line}`,
        })),
      { columns: 2 },
    ),
  ]);
}
