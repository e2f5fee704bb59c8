// The games that this device keeps, and the form for a new one.

import { answers, button, h, notice } from "../../table/views/dom.js";
import { day, say, signed } from "../../table/words.js";
import {
  LEAST,
  MOST,
  MOST_DEALS,
  MOST_LETTERS,
  MOST_SCORE,
  END_KINDS,
  firstTwice,
  isOver,
  newGame,
  ranking,
  tidyName,
} from "../state/game.js";
import { keepTyped } from "../typed.js";

/** @typedef {import("./screen.js").Drawn} Drawn */
/** @typedef {import("./screen.js").Screen} Screen */
/** @typedef {import("../state/game.js").EndKind} EndKind */
/** @typedef {import("../state/game.js").Game} Game */

const USUAL = { deals: 20, score: 1000 };

// Returns the sentences about where the games are kept.
export const explained = () =>
  h("div", { class: "prose quiet" }, h("p", {}, say("game.stays_here")), h("p", {}, say("game.may_be_cleared")));

/** @param {Screen} screen @returns {Drawn} */
export function list(screen) {
  const all = screen.games.all;
  return {
    title: say("game.title"),
    body: [
      all.length
        ? h(
            "div",
            { class: "games" },
            answers(
              all.map((game) => ({
                text: namesOf(game),
                note: [brief(game), h("br"), leaders(game)],
                on: () => screen.go({ name: "game", id: game.id }),
                key: `game-${game.id}`,
              })),
            ),
          )
        : h("p", {}, say("game.none_kept")),
      button(say("game.new"), () => screen.go({ name: "begin" }), { kind: "button-primary forward", "data-key": "new" }),
      explained(),
    ],
  };
}

/** @param {Game} game */
export const namesOf = (game) => game.present.map((player) => game.names[player]).join(", ");

/** @param {Game} game */
export const brief = (game) =>
  `${day(game.day)} · ${say("game.count_deals", { count: game.deals.length })}${isOver(game) ? ` · ${say("game.over")}` : ""}`;

/** @param {Game} game */
const leaders = (game) =>
  game.deals.length > 0 &&
  ranking(game)
    .filter(({ rank }) => rank === 1)
    .map(({ player, total }) => `${game.names[player]} ${signed(total)}`)
    .join(", ");

/** @param {Screen} screen @returns {Drawn} */
export function begin(screen) {
  const last = screen.games.all[0];
  const before = last ? last.present.map((player) => last.names[player]) : [];
  const problem = h("p", { class: "is-wrong", role: "alert", id: "problem" });
  const form = /** @type {HTMLFormElement} */ (h(
    "form",
    { class: "form game-form", novalidate: true, autocomplete: "off" },
    h(
      "fieldset",
      {},
      h("legend", {}, say("game.ask.names")),
      h("p", { class: "help" }, say("game.names_help")),
      [...Array(MOST).keys()].map((place) =>
        h(
          "label",
          { class: "one-name" },
          h("span", { class: "num" }, place + 1),
          h("span", { class: "visually-hidden" }, say("game.player", { number: place + 1 })),
          h("input", {
            name: `name-${place}`,
            maxlength: MOST_LETTERS,
            value: before[place] ?? "",
            placeholder: place < LEAST ? null : say("game.nobody"),
            autocapitalize: "words",
            "aria-describedby": "problem",
          }),
        ),
      ),
    ),
    mortField(before.length === MOST, last?.mort ?? false),
    endField(last?.end ?? { kind: "open", value: 0 }),
    problem,
    h("button", { class: "button button-primary forward", "data-key": "begin" }, say("game.begin")),
  ));
  const askFive = () => {
    const five = /** @type {HTMLElement} */ (form.querySelector("#five"));
    five.hidden = namesIn(form).length < MOST;
  };
  keepTyped(form, "begin");
  askFive();
  form.addEventListener("input", askFive);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const names = namesIn(form);
    const end = endIn(form);
    const reason = refused(names, end);
    problem.textContent = reason;
    if (reason) return;
    const mort = new FormData(form).get("mort") === "yes" && names.length === MOST;
    const game = newGame({ id: screen.games.newId(), day: today(), names, end, mort });
    await screen.games.keep(game);
    screen.go({ name: "game", id: game.id }, { replace: true });
  });
  return {
    title: say("game.new"),
    body: [
      !screen.games.all.length && h("p", {}, say("game.what")),
      form,
      explained(),
      screen.games.all.length === 0 && notice("success", h("p", {}, say("game.works_offline"))),
    ],
  };
}

/** @param {HTMLElement} form */
const namesIn = (form) =>
  [...form.querySelectorAll("input[name^=name-]")]
    .map((input) => tidyName(/** @type {HTMLInputElement} */ (input).value))
    .filter(Boolean);

// Returns the fields that say when a game ends.
/** @param {Game["end"]} end */
export const endField = (end) =>
  h(
    "fieldset",
    {},
    h("legend", {}, say("game.ask.end")),
    END_KINDS.map((kind) =>
      h(
        "div",
        { class: "end-choice" },
        h(
          "label",
          {},
          h("input", { type: "radio", name: "end", value: kind, checked: kind === end.kind }),
          h("span", {}, say(`game.end.${kind}`)),
        ),
        kind !== "open" &&
          h("input", {
            name: `end-${kind}`,
            inputmode: "numeric",
            size: 5,
            maxlength: 4,
            value: kind === end.kind ? end.value : USUAL[kind],
            "aria-label": say(`game.end_of.${kind}`),
          }),
      ),
    ),
  );

/** @param {boolean} shown @param {boolean} mort */
export const mortField = (shown, mort) =>
  h(
    "fieldset",
    { id: "five", hidden: !shown },
    h("legend", {}, say("game.ask.five")),
    [false, true].map((rests) =>
      h(
        "div",
        { class: "end-choice" },
        h(
          "label",
          {},
          h("input", { type: "radio", name: "mort", value: rests ? "yes" : "no", checked: rests === mort }),
          h("span", {}, say(rests ? "game.five.mort" : "game.five.all")),
        ),
      ),
    ),
  );

// Returns when the game ends, as the form says; a value of 0 is wrong.
/** @param {HTMLFormElement} form @returns {Game["end"]} */
export function endIn(form) {
  const data = new FormData(form);
  const kind = /** @type {EndKind} */ (data.get("end"));
  if (kind === "open") return { kind, value: 0 };
  const typed = String(data.get(`end-${kind}`)).trim();
  const value = /^\d{1,4}$/.test(typed) ? Number(typed) : 0;
  return { kind, value: value <= (kind === "deals" ? MOST_DEALS : MOST_SCORE) ? value : 0 };
}

// Returns why a game cannot end so, or "".
/** @param {Game["end"]} end */
export const refusedEnd = ({ kind, value }) =>
  kind === "open" || value > 0 ? "" : say(`game.wrong.${kind}`, { most: kind === "deals" ? MOST_DEALS : MOST_SCORE });

/** @param {string[]} names @param {Game["end"]} end */
function refused(names, end) {
  if (names.length < LEAST) return say("game.wrong.names");
  const twice = firstTwice(names);
  return twice ? say("game.wrong.twice", { name: twice }) : refusedEnd(end);
}

function today() {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
