// The corrections that players ask for in plays of this table, with the answers of the three other players.

import { button, h } from "./dom.js";
import { mark, notice } from "./parts.js";
import { say } from "../words.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../../../../evenings/tables/screen").Request} Request */
/** @typedef {import("../../../../evenings/tables/screen").Voice} Voice */

/** @param {App} app */
export const requests = (app) =>
  app.site.state.requests.map((request) => {
    const { etui, position, name } = request;
    return notice("warning", [
      h("p", {}, h("strong", {}, say("request_of", { etui, position, name }))),
      h("p", {}, h("q", {}, request.text)),
      request.voices.some((voice) => wordOf(app, request, voice) === null) && h("p", {}, say("request_agree")),
      h(
        "ul",
        { class: "voices" },
        request.voices.map((voice) => h("li", {}, said(app, request, voice))),
      ),
    ]);
  });

// Returns another player's answer, sent or still to be sent, or null if there is none.
/** @param {App} app @param {Request} request @param {Voice} voice */
function wordOf(app, request, { line, agrees }) {
  const kept = app.site.outbox.waiting.filter(
    (command) => command.kind === "agree" && command.request === request.id && command.seat === line,
  );
  return kept.at(-1)?.agrees ?? agrees;
}

// Shows a player's answer. Whoever holds this device can give and change it, unless the player gave it on their own
// page.
/** @param {App} app @param {Request} request @param {Voice} voice */
function said(app, request, voice) {
  const { line, name, agrees, own } = voice;
  const word = wordOf(app, request, voice);
  /** @param {boolean} wanted @param {string} text */
  const answer = (wanted, text) =>
    button(
      say(text),
      () => word === wanted || app.site.command({ kind: "agree", request: request.id, seat: line, agrees: wanted }),
      {
        "aria-label": say(`${text}_of`, { name }),
        "aria-pressed": String(word === wanted),
        "data-key": `${text}-${request.id}-${line}`,
      },
    );
  return [
    h("span", { class: "person" }, mark(line), h("span", {}, name)),
    own
      ? h("span", { class: agrees ? "state state-done" : "state state-alert" }, say(agrees ? "agrees" : "denies"))
      : h("span", { class: "row" }, answer(true, "agrees"), answer(false, "denies")),
  ];
}
