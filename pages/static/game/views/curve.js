// Draws the totals of a game after each deal as lines. The score sheet has the same figures as a table.

import { h } from "../../table/views/dom.js";
import { say, signed } from "../../table/words.js";
import { ranking, runningTotals } from "../state/game.js";

/** @typedef {import("../state/game.js").Game} Game */

const [WIDTH, HEIGHT, TOP, BOTTOM, LEFT, RIGHT] = [360, 210, 10, 200, 42, 278];
const APART = 15; // the least distance between two names at the ends of the lines
const LETTERS = 9;

/** @param {string} tag @param {Record<string, string | number>} attributes @param {(Node | string)[]} children */
function svg(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

// Returns the figure, or false before the second deal.
/** @param {Game} game */
export function curve(game) {
  const running = [game.names.map(() => 0), ...runningTotals(game)];
  if (running.length < 3) return false;
  const [low, high] = [Math.min(...running.flat()), Math.max(...running.flat(), 1)];
  /** @param {number} deal */
  const x = (deal) => LEFT + ((RIGHT - LEFT) * deal) / (running.length - 1);
  /** @param {number} total */
  const y = (total) => BOTTOM - ((BOTTOM - TOP) * (total - low)) / (high - low);
  /** @param {number} player */
  const points = (player) => running.map((totals, deal) => `${Math.round(x(deal))},${Math.round(y(totals[player]))}`).join(" ");
  const told = ranking(game).map(({ player, total }) => `${game.names[player]} ${signed(total)}`);
  const axis = [...new Set([low, 0, high])].map((total) => [
    svg("line", { x1: LEFT, x2: RIGHT, y1: y(total), y2: y(total), class: total ? "axis" : "axis zero" }),
    svg("text", { x: LEFT - 6, y: y(total) + 4, "text-anchor": "end" }, signed(total)),
  ]);
  const ends = spread(ranking(game).map(({ player, total }) => ({ player, at: y(total) })));
  return h(
    "figure",
    { class: "figure game-curve" },
    h("figcaption", {}, say("game.curve")),
    svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${say("game.curve")}: ${told.join(", ")}` },
      ...axis.flat(),
      ...game.names.map((_, player) => svg("polyline", { points: points(player), class: `curve curve-${player % 5}` })),
      ...ends.map(({ player, at }) =>
        svg("text", { x: RIGHT + 6, y: at + 4, class: `end end-${player % 5}` }, shorten(game.names[player])),
      ),
    ),
  );
}

/** @param {string} name */
const shorten = (name) => (name.length > LETTERS ? `${name.slice(0, LETTERS - 1)}…` : name);

// Returns the ends of the lines, from the highest, moved down or up so that the names do not lie on one another.
/** @param {{ player: number, at: number }[]} ends */
function spread(ends) {
  let last = -Infinity;
  const moved = ends.map(({ player, at }) => ({ player, at: (last = Math.max(at, last + APART)) }));
  let next = HEIGHT - 4 + APART;
  return moved.reverse().map(({ player, at }) => ({ player, at: (next = Math.min(at, next - APART)) }));
}
