// Who is at the table: somebody goes, comes or changes place between two deals; when the game ends; erasing it.

import { button, h } from "../../table/views/dom.js";
import { say } from "../../table/words.js";
import { LEAST, MOST, MOST_LETTERS, MOST_NAMES, join, leave, moveUp, sameName, tidyName } from "../state/game.js";
import { forgetTyped, keepTyped } from "../typed.js";
import { endField, endIn, mortField, refusedEnd } from "./list.js";

/** @typedef {import("./screen.js").At} At */
/** @typedef {import("./screen.js").Drawn} Drawn */
/** @typedef {import("../state/game.js").Game} Game */

/** @param {At} at @returns {Drawn} */
export function players(at) {
  const { screen, games, game } = at;
  const away = game.names.map((_, player) => player).filter((player) => !game.present.includes(player));
  /** @param {Game} changed @param {string} text */
  const change = async (changed, text) => {
    await games.keep(changed, text);
    screen.draw();
  };
  const erase = async () => {
    await games.erase(game, say("game.erased"));
    screen.go({ name: "list" }, { replace: true });
  };
  return {
    title: say("game.players"),
    body: [
      h("p", { class: "quiet" }, say("game.order_is")),
      h(
        "ol",
        { class: "list" },
        game.present.map((player, place) => {
          const name = game.names[player];
          return h(
            "li",
            {},
            h("span", { class: "list-main" }, name),
            h(
              "span",
              { class: "list-side" },
              place > 0 &&
                button("↑", () => change(moveUp(game, player), say("game.moved", { name })), {
                  "aria-label": say("game.move_up", { name }),
                  "data-key": `up-${player}`,
                }),
              game.present.length > LEAST &&
                button(say("game.leaves"), () => change(leave(game, player), say("game.left", { name })), {
                  "aria-label": say("game.leaves_of", { name }),
                  "data-key": `leave-${player}`,
                }),
            ),
          );
        }),
      ),
      game.present.length < MOST ? comers(at, away, change) : h("p", { class: "quiet" }, say("game.table_full")),
      settings(at, change),
      h("hr"),
      button(say("game.erase"), erase, { kind: "button-danger", "data-key": "erase-game" }),
    ],
  };
}

// Returns the way back for those who have left, and the field for a new player.
/** @param {At} at @param {number[]} away @param {(changed: Game, text: string) => Promise<void>} change */
function comers({ game }, away, change) {
  /** @param {string} name */
  const come = (name) => {
    forgetTyped(key);
    return change(join(game, name), say("game.joined", { name }));
  };
  const key = `comer-${game.id}`;
  const field = /** @type {HTMLInputElement} */ (h("input", { name: "comer", maxlength: MOST_LETTERS, id: "comer", autocapitalize: "words" }));
  const problem = h("p", { class: "is-wrong", role: "alert" });
  const form = /** @type {HTMLFormElement} */ (h(
    "form",
    { class: "form comer", novalidate: true, autocomplete: "off" },
    h("label", { class: "label", for: "comer" }, say("game.comer")),
    field,
    h("button", { class: "button", "data-key": "join" }, say("game.joins")),
    problem,
  ));
  keepTyped(form, key);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const name = tidyName(field.value);
    const twice = game.present.some((player) => sameName(game.names[player], name));
    if (name && !twice) come(name);
    else problem.textContent = twice ? say("game.wrong.twice", { name }) : say("game.wrong.name");
  });
  return [
    away.map((player) =>
      button(say("game.comes_back", { name: game.names[player] }), () => come(game.names[player]), { "data-key": `back-${player}` }),
    ),
    game.names.length < MOST_NAMES && form,
  ];
}

/** @param {At} at @param {(changed: Game, text: string) => Promise<void>} change */
function settings({ game }, change) {
  const problem = h("p", { class: "is-wrong", role: "alert" });
  const form = /** @type {HTMLFormElement} */ (h(
    "form",
    { class: "form game-form", novalidate: true, autocomplete: "off" },
    mortField(game.present.length === MOST, game.mort),
    endField(game.end),
    problem,
    h("button", { class: "button", "data-key": "settings" }, say("game.keep_settings")),
  ));
  const key = `settings-${game.id}`;
  keepTyped(form, key);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const end = endIn(form);
    const reason = refusedEnd(end);
    problem.textContent = reason;
    if (!reason) forgetTyped(key);
    if (!reason) change({ ...game, end, mort: new FormData(form).get("mort") === "yes" }, say("game.settings_kept"));
  });
  return form;
}
