// Small parts that several screens use.

import { h } from "./dom.js";
import { marksBySeat, resultOf, seatsOf } from "../state/model.js";
import { againstTarget } from "../state/score.js";
import { say, signed, variant } from "../words.js";

export { answers, notice } from "./dom.js";

/** @typedef {import("../../../../evenings/tables/screen").Bout} Bout */
/** @typedef {import("../../../../evenings/tables/screen").Entry} Entry */
/** @typedef {import("../../../../evenings/tables/screen").Facts} Facts */
/** @typedef {import("../../../../evenings/tables/screen").Line} Line */
/** @typedef {import("../../../../evenings/tables/screen").Stop} Stop */
/** @typedef {import("./dom.js").Child} Child */
/** @typedef {import("../state/model.js").Score} Score */

// Returns the letter of a line with its colour, for people who cannot tell the colours apart.
/** @param {Line} line */
export const mark = (line) =>
  h(
    "span",
    { class: `line line-${line.toLowerCase()}` },
    h("abbr", { title: say(`line.${line}`) }, say(`letter.${line}`)),
  );

// Returns the badge of a team member with its colour in words, or false where places have no colours.
/** @param {number} place @param {import("../../../../evenings/tables/screen").Attack} attack */
export const badge = (place, attack) =>
  attack.coloured !== false && h("span", { class: `badge badge-${place}` }, say(`badge.${place}`));

// Returns whether line-ups name the attacker of a stop, and who defends in which seat.
/** @param {Stop} stop */
export const isNamedBySeats = ({ plays }) => plays.some(({ attack }) => attack?.seats !== undefined);

// Returns the side of a table on which a team sits, or its part in a position in which one team attacks every étui.
/** @param {Stop} stop @param {string} line */
export function sideOf(stop, line) {
  if (stop.attacking) return say(line === stop.attacking ? "side_attacks" : "side_defends");
  return say(`side.${line}`);
}

/** @typedef {Pick<Stop, "seats">} Seated */

/** @param {Seated} stop @param {Line | ""} line */
export const nameOf = (stop, line) => (line && stop.seats[line]?.name) ?? "";

// Returns the mark and the name of a player. Where the tables deal, players know each other by name, which comes first.
/** @param {Seated} stop @param {Line} line */
export function person(stop, line) {
  const name = h("span", {}, nameOf(stop, line));
  if (variant === "free") return h("span", { class: "person person-by-name" }, name, mark(line));
  return h("span", { class: "person" }, mark(line), name);
}

/** @param {Score} score */
export const fiche = (score) =>
  h("p", { class: "fiche" }, say("fiche"), " ", h("strong", {}, signed(score.base_score)));

// Returns the names of bouts as text: "21, Excuse".
/** @param {Bout[]} named */
export const bouts = (named) =>
  say(named.length === 3 ? "bouts.all" : named.length ? `bouts.${named[0]}` : "bouts.none") +
  (named.length === 2 ? `, ${say(`bouts.${named[1]}`)}` : "");

/** @param {Facts} facts */
const counted = ({ bouts: count, attack_bouts: named }) =>
  say("count.bouts", { count }) + (named?.length ? ` (${bouts(named)})` : "");

// Returns the sentences that describe a result: the contract, the bouts, the points and the bonuses.
/** @param {Entry} entry @param {string} name @param {number} etui */
export function outcome(entry, name, etui) {
  if (entry.kind === "passed") return h("p", { class: "quiet" }, say("etui", { etui }));
  if (entry.kind === "sheet") return h("p", { class: "quiet" }, say("on_sheet"));
  const facts = entry.kind === "facts" && againstTarget(resultOf(entry));
  const made = facts && say(facts.made ? "was_made" : "was_failed", facts);
  return h("div", { class: "outcome" }, [
    h("p", {}, say("of_etui", { etui, name })),
    facts && h("p", { class: "both" }, say("both_points", facts)),
    facts && h("p", {}, `${counted(entry)}, `, h("strong", {}, made)),
  ]);
}

// Returns a result in one short line, to show beside its score.
/** @param {Entry} entry */
export const inBrief = (entry) =>
  entry.kind === "facts" && h("p", { class: "brief" }, `${say("both_points", againstTarget(resultOf(entry)))}, ${counted(entry)}`);

// Returns the lines that add up to the base score, and the mark of each player at the table.
/** @param {Entry} entry @param {Score} score @param {Seated} stop */
export const explained = (entry, score, stop) => [
  entry.kind === "passed" && h("p", {}, say("everyone_passed")),
  h(
    "ul",
    { class: "score-lines" },
    linesOf(score).map(({ text, amount }) =>
      h("li", {}, h("span", {}, text), h("span", { class: "num" }, signed(amount))),
    ),
  ),
  h(
    "ul",
    { class: variant === "free" ? "marks marks-by-name" : "marks", "aria-label": say("marks") },
    marksOf(entry, score, seatsOf(stop)).map(([line, figure]) =>
      h("li", {}, variant === "free" ? person(stop, line) : mark(line), h("span", { class: "num" }, signed(figure))),
    ),
  ),
];

/** @param {Entry} entry @param {Score} score @param {Line[]} seats @returns {[Line, number][]} */
export function marksOf(entry, score, seats) {
  const marks = "marks" in score ? score.marks : marksBySeat(entry, score.base_score, seats);
  return seats.map((line) => [line, marks[line] ?? 0]);
}

// Returns the lines of a score as texts. The site's lines have their text; for lines computed here, `words` has it.
/** @param {Score} score */
const linesOf = (score) =>
  score.lines.map((line) =>
    "text" in line
      ? { text: line.text, amount: line.value }
      : { text: say(`score.${line.kind}`, line.params), amount: line.amount },
  );
