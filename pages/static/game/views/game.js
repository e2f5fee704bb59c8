// A game between two deals: who deals, the totals, the last deal explained, the curve; one deal; the score sheet.

import { answers, button, h } from "../../table/views/dom.js";
import { againstTarget } from "../../table/state/score.js";
import { day, say, signed } from "../../table/words.js";
import { draftOfDeal, newDraft } from "../state/draft.js";
import {
  attacks,
  factsOf,
  isOver,
  MOST_DEALS,
  nextSeating,
  passed,
  playersOf,
  ranking,
  runningTotals,
  scoreDeal,
  totalsOf,
  withoutDeal,
} from "../state/game.js";
import { curve } from "./curve.js";
import { brief } from "./list.js";

/** @typedef {import("./screen.js").At} At */
/** @typedef {import("./screen.js").Drawn} Drawn */
/** @typedef {import("../state/game.js").Game} Game */
/** @typedef {import("../state/game.js").Seating} Seating */

/** @param {At} at @returns {Drawn} */
export function game(at) {
  const { game } = at;
  const last = game.deals.length - 1;
  const news = last >= 0 && [
    h("h2", {}, say("game.deal", { number: last + 1 })),
    h("div", { class: "last-deal" }, explained(game, last), waysOf(at, last)),
  ];
  return isOver(game) || last + 1 >= MOST_DEALS
    ? { title: over(game), body: [standing(game), goOn(at), news, curve(game)] }
    : { title: asked(game), body: [whoTakes(at), news, curve(game)] };
}

/** @param {Game} game */
function asked({ deals, end }) {
  const number = deals.length + 1;
  return say(end.kind === "deals" ? "game.who_takes_of" : "game.who_takes", { number, deals: end.value });
}

/** @param {At} at */
function whoTakes({ screen, games, game }) {
  const [seating, totals, draft] = [nextSeating(game), totalsOf(game), games.draftOf(game.id)];
  /** @param {number} taker */
  const take = (taker) => {
    games.keepDraft(game.id, newDraft(game, taker));
    screen.go({ name: "entry", id: game.id, step: "contract" });
  };
  const pass = async () => {
    await games.keep(passed(game), say("game.all_passed", { name: game.names[game.dealer] }));
    screen.draw();
  };
  return [
    h(
      "div",
      { class: "row-apart" },
      h("p", {}, seated(game, seating)),
      button(say("game.other_dealer"), () => screen.go({ name: "dealer", id: game.id }), {
        kind: "button-plain",
        "data-key": "dealer",
      }),
    ),
    draft?.place === null &&
      button(
        say("game.go_on_entering", { name: game.names[draft.taker] }),
        () => screen.go({ name: "entry", id: game.id, step: draft.points ? "bonus" : draft.bouts === null ? "contract" : "points" }),
        { kind: "button-primary forward", "data-key": "go-on" },
      ),
    answers(
      playersOf(seating).map((player) => ({
        text: game.names[player],
        note: h("strong", { class: "num" }, signed(totals[player])),
        on: () => take(player),
        key: `player-${player}`,
      })),
    ),
    seating.resting !== null &&
      h(
        "p",
        { class: "resting row-apart" },
        h("span", {}, say("game.rests", { name: game.names[seating.resting] })),
        h("strong", { class: "num" }, signed(totals[seating.resting])),
      ),
    button(say("everyone_passed"), pass, { kind: "forward", "data-key": "passed" }),
  ];
}

/** @param {Game} game @param {Seating} seating */
const seated = ({ names }, seating) =>
  say("game.deals_and_leads", { dealer: names[seating.dealer], leader: names[playersOf(seating)[0]] });

/** @param {Game} game */
function over(game) {
  const first = ranking(game).filter(({ rank }) => rank === 1);
  if (first.length === 1) return say("game.wins", { name: game.names[first[0].player] });
  return say("game.win_together", { names: first.map(({ player }) => game.names[player]).join(", ") });
}

/** @param {Game} game */
const standing = (game) =>
  h(
    "ol",
    { class: "list standing" },
    ranking(game).map(({ player, total, rank }) =>
      h(
        "li",
        { class: rank === 1 ? "is-first" : null },
        h("span", { class: "rank num" }, rank),
        h("span", { class: "list-main" }, game.names[player]),
        h("strong", { class: "num" }, signed(total)),
      ),
    ),
  );

/** @param {At} at */
function goOn({ screen, games, game }) {
  const more = async () => {
    await games.keep({ ...game, end: { kind: "open", value: 0 } }, say("game.goes_on"));
    screen.draw();
  };
  return h(
    "div",
    { class: "stacked no-print" },
    button(say("game.same_players"), () => screen.go({ name: "begin" }), { kind: "button-primary forward", "data-key": "begin" }),
    game.deals.length < MOST_DEALS
      ? button(say("game.one_more"), more, { kind: "forward", "data-key": "more" })
      : h("p", {}, say("game.full", { most: MOST_DEALS })),
  );
}

// Returns who took and what it gave: the lines that add up to the score, and the mark of each player.
/** @param {Game} game @param {number} place */
export function explained(game, place) {
  const deal = game.deals[place];
  const { lines, base_score, marks } = scoreDeal(deal);
  const { attack, defence } = againstTarget(factsOf(deal));
  return [
    h("p", {}, h("strong", {}, took(game, place))),
    h("p", { class: "quiet" }, say("both_points", { attack, defence })),
    h(
      "ul",
      { class: "score-lines" },
      lines.map(({ kind, amount, params }) =>
        h("li", {}, h("span", {}, say(`score.${kind}`, params)), h("span", { class: "num" }, signed(amount))),
      ),
      lines.length > 1 &&
        h("li", {}, h("span", {}, say("game.for_each_defender")), h("strong", { class: "num" }, signed(base_score))),
    ),
    h(
      "ul",
      { class: "game-marks", "aria-label": say("game.marks") },
      [...marks].map(([player, mark]) =>
        h(
          "li",
          { class: attacks(deal, player) ? "attacks" : null },
          h("span", {}, game.names[player]),
          h("span", { class: "num" }, signed(mark)),
        ),
      ),
    ),
  ];
}

// Returns who took a deal, with whom: "Anna and Benoît".
/** @param {Game} game @param {number} place */
export function took({ names, deals }, place) {
  const { taker, partner } = deals[place];
  if (partner === null) return say("game.took", { name: names[taker] });
  if (partner === taker) return say("game.took_alone", { name: names[taker] });
  return say("game.took_with", { name: names[taker], partner: names[partner] });
}

/** @param {At} at @param {number} place */
function waysOf({ screen, games, game }, place) {
  const correct = () => {
    games.keepDraft(game.id, draftOfDeal(game, place));
    screen.go({ name: "entry", id: game.id, step: "taker" });
  };
  const remove = async () => {
    await games.keep(withoutDeal(game, place), say("game.removed", { number: place + 1 }));
    screen.go({ name: "game", id: game.id });
  };
  return h(
    "div",
    { class: "row no-print" },
    button(say("correct"), correct, { "data-key": "correct" }),
    button(say("game.remove"), remove, { kind: "button-plain", "data-key": "remove" }),
  );
}

/** @param {At} at @returns {Drawn} */
export function deal(at) {
  const { game, view, screen } = at;
  const place = view.place ?? 0;
  const last = game.deals.length - 1;
  const seating = game.deals[place];
  /** @param {number} to @param {string} key */
  const turn = (to, key) =>
    to >= 0 &&
    to <= last &&
    button(say("game.deal", { number: to + 1 }), () => screen.go({ name: "deal", id: game.id, place: to }), { "data-key": key });
  return {
    title: say("game.deal", { number: place + 1 }),
    body: [
      h(
        "p",
        {},
        seated(game, seating),
        seating.resting !== null && ` ${say("game.rests", { name: game.names[seating.resting] })}`,
      ),
      h("div", { class: "last-deal" }, explained(game, place)),
      waysOf(at, place),
      h("div", { class: "row-apart no-print" }, turn(place - 1, "before") || h("span"), turn(place + 1, "after") || h("span")),
    ],
  };
}

// Asks who deals next, for a game that does not begin with the first player.
/** @param {At} at @returns {Drawn} */
export function dealer({ screen, games, game }) {
  return {
    title: say("game.ask.dealer"),
    body: answers(
      game.present.map((player) => ({
        text: game.names[player],
        on: async () => {
          await games.keep({ ...game, dealer: player });
          screen.back();
        },
        chosen: game.dealer === player,
        key: `player-${player}`,
      })),
    ),
  };
}

// Returns the score sheet: a row for each deal, with the mark of each player and the total so far.
/** @param {At} at @returns {Drawn} */
export function sheet({ screen, game }) {
  const [running, totals] = [runningTotals(game), totalsOf(game)];
  const figures = game.names.map((_, player) => player);
  /** @param {number} place */
  const open = (place) => screen.go({ name: "deal", id: game.id, place });
  /** @param {number} place @param {number} player */
  const cell = (place, player) => {
    const [given, mark] = [game.deals[place], scoreDeal(game.deals[place]).marks.get(player)];
    if (mark === undefined) return h("td", { class: "num quiet" }, "–", h("small", {}, signed(running[place][player])));
    const side = attacks(given, player) && say(player === given.taker ? "game.is_taker" : "game.is_partner");
    return h(
      "td",
      { class: side ? "num attacks" : "num" },
      signed(mark),
      side && h("span", { class: "visually-hidden" }, ` (${side})`),
      h("small", {}, signed(running[place][player])),
    );
  };
  const table = h(
    "table",
    { class: "game-sheet" },
    h("caption", { class: "visually-hidden" }, say("game.sheet_is")),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, say("game.deal_column")),
        figures.map((player) => h("th", { scope: "col", class: "num" }, game.names[player])),
      ),
    ),
    h(
      "tbody",
      {},
      game.deals.map((_, place) =>
        h(
          "tr",
          {},
          h(
            "th",
            { scope: "row" },
            button(String(place + 1), () => open(place), {
              kind: "button-plain",
              "aria-label": say("game.deal", { number: place + 1 }),
              "data-key": `deal-${place}`,
            }),
          ),
          figures.map((player) => cell(place, player)),
        ),
      ),
    ),
    h(
      "tfoot",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "row" }, h("abbr", { title: say("game.total") }, "Σ")),
        figures.map((player) => h("td", { class: "num" }, h("strong", {}, signed(totals[player])))),
      ),
    ),
  );
  return {
    title: say("game.sheet"),
    wide: true,
    body: [
      h("p", { class: "quiet" }, brief(game)),
      game.deals.length
        ? [
            h("div", { class: "sheet-scroll", tabindex: "0", role: "region", "aria-label": say("game.sheet") }, table),
            h(
            "p",
            { class: "quiet" },
            say("game.sheet_legend"),
            h("span", { class: "no-print" }, ` ${say("game.sheet_tap")}`),
          ),
            curve(game),
            button(say("game.print"), () => print(), { kind: "no-print", "data-key": "print" }),
          ]
        : h("p", {}, say("game.no_deal_yet")),
      h("p", { class: "printed-only" }, say("game.printed", { day: day(game.day) })),
    ],
  };
}
