// The screen at the end of the evening: the published result of each player who sat here last, with the link to the
// player's feuille de route.

import { button, h } from "./dom.js";
import { mark, notice } from "./parts.js";
import { troubles } from "./position.js";
import { requests } from "./requests.js";
import { percent, say } from "../words.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../../../../evenings/tables/screen").Result} Result */

/** @param {App} app @returns {import("./screen.js").Drawn} */
export function results(app) {
  const { results: published, session } = app.site.state;
  if (!published) throw new Error("nothing is published");
  const { status, players, address } = published;
  return {
    title: say(`results.${status}`),
    body: [
      h("p", { class: "quiet" }, `${session.tournament} · ${session.club}`),
      troubles(app),
      requests(app),
      players.length
        ? h("ul", { class: "published" }, players.map(result))
        : notice("info", h("p", {}, say("results_rest"))),
      h(
        "div",
        { class: "stacked" },
        h("a", { class: "button button-primary", href: address, "data-key": "ranking" }, say("whole_ranking")),
        button(say("to_the_list"), () => app.screen.go({ name: "position", position: app.site.here }), {
          "data-key": "to-list",
        }),
      ),
    ],
  };
}

/** @param {Result} player */
const result = ({ line, name, rank, percent: share, address }) =>
  h(
    "li",
    {},
    h("span", { class: "person" }, mark(line), h("strong", {}, name)),
    h("strong", { class: "num" }, share ? percent(share) : "–"),
    h("span", { class: "published-rank" }, rank ? say("rank", { rank }) : say("unranked")),
    address &&
      h(
        "a",
        { class: "button", href: address, "aria-label": say("feuille_of", { name }), "data-key": `feuille-${line}` },
        say("feuille"),
      ),
  );
