// The sheet of a game, where the tables deal: the marks of each deal with their sums. At the end of the game it is read
// back, and one player agrees to all of it.

import { button, h } from "../dom.js";
import { numberOf, scored, seatTeams, seatsOf, seen, stopAt } from "../../state/model.js";
import { answers, mark, marksOf, nameOf, notice } from "../parts.js";
import { say, signed } from "../../words.js";

/** @typedef {import("../../app.js").App} App */
/** @typedef {import("../screen.js").Drawn} Drawn */
/** @typedef {import("../../../../../evenings/tables/screen").Line} Line */
/** @typedef {import("../../../../../evenings/tables/screen").Play} Play */
/** @typedef {import("../../../../../evenings/tables/screen").Stop} Stop */
/** @typedef {{ play: Play, marks: Map<Line, number> | null }} Row a deal, and its marks by seat if it has a result */
/** @typedef {{ name: string, line?: Line }} Person a player of the game; no seat if it changes within the game */

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

// Returns who sits at the table in a deal, by seat. Whoever rests is there too.
/** @param {Stop} stop @param {Play} play @returns {{ [line: string]: { name: string } }} */
const seatedAt = (stop, play) => play.seats ?? stop.seats;

// Returns the seat of a player in a deal, or undefined if the player does not sit there then.
/** @param {Stop} stop @param {Play} play @param {string} name */
const seatOf = (stop, play, name) =>
  /** @type {Line | undefined} */ (Object.keys(seatedAt(stop, play)).find((line) => seatedAt(stop, play)[line].name === name));

// Returns the players of a game. If somebody left or came within it, those who sit there at its end come first, and a
// seat may belong to one player first and to another one later: so a sheet has a column for each player.
/** @param {Stop} stop @returns {Person[]} */
function peopleOf(stop) {
  const last = seatsOf(stop).map((line) => nameOf(stop, line));
  const all = stop.plays.flatMap((play) => Object.values(seatedAt(stop, play)).map(({ name }) => name));
  return [...new Set([...last, ...all])].map((name) => {
    const lines = new Set(stop.plays.map((play) => seatOf(stop, play, name)).filter((line) => line !== undefined));
    return lines.size === 1 ? { name, line: [...lines][0] } : { name };
  });
}

/** @param {Person} who */
const named = ({ name, line }) =>
  h("span", { class: "person person-by-name" }, h("span", {}, name), line ? mark(line) : null);

/** @param {Stop} stop @param {Row[]} rows @param {string} name */
const totalOf = (stop, rows, name) =>
  rows.reduce((sum, { play, marks }) => {
    const line = seatOf(stop, play, name);
    return sum + ((line && marks?.get(line)) ?? 0);
  }, 0);

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
      peopleOf(stop).map((who) =>
        h("li", {}, named(who), h("span", { class: "num" }, signed(totalOf(stop, rows, who.name)))),
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
  const people = peopleOf(stop);
  return h(
    "table",
    { class: "sheet" },
    h(
      "thead",
      {},
      h("tr", {}, [
        h("th", { scope: "col" }, say("sheet_deal")),
        people.map(({ name, line }) => h("th", { scope: "col" }, h("span", {}, name), " ", line ? mark(line) : null)),
      ]),
    ),
    h(
      "tbody",
      {},
      rows.map((row) =>
        h("tr", {}, [h("th", { scope: "row" }, deal(app, row)), people.map(({ name }) => cell(stop, row, name))]),
      ),
    ),
    h(
      "tfoot",
      {},
      h("tr", {}, [
        h("th", { scope: "row" }, say("sheet_total")),
        people.map(({ name }) => h("td", { class: "num" }, signed(totalOf(stop, rows, name)))),
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

/** @param {Stop} stop @param {Row} row @param {string} name */
function cell(stop, { play, marks }, name) {
  const line = seatOf(stop, play, name);
  if (line === undefined) return h("td", { class: "num" });
  if (!marks) return h("td", { class: "num" }, say(play.state === "not_played" ? "sheet_off" : "sheet_open"));
  const figure = marks.get(line);
  return h("td", { class: "num" }, figure === undefined ? say("sheet_rests") : signed(figure));
}

// Asks the players to agree. Somebody other than the writer says it, once for the whole game.
/** @param {App} app @param {Stop} stop @param {ReturnType<import("../../state/plays.js").Plays["unread"]>} unread */
function agreement(app, stop, unread) {
  const writer = seatedAt(stop, unread[0].play)[unread[0].found.seat ?? ""]?.name;
  const present = peopleOf(stop).filter(({ name }) =>
    unread.every(({ play }) => seatOf(stop, play, name) !== undefined && name !== writer),
  );
  const elsewhere = app.site.writing && unread.some(({ found }) => found.check === "other");
  if (elsewhere) return notice("info", h("p", {}, say("sheet_other_device")));
  return h("section", {}, [
    h("h2", {}, say("ask.sheet")),
    answers(
      present.map((who) => ({
        text: named(who),
        on: () => app.results.agreeToSheet(stop.position, (play) => seatOf(stop, play, who.name)),
        key: `agree-${seatOf(stop, unread[unread.length - 1].play, who.name)}`,
      })),
      { columns: 2 },
    ),
  ]);
}
