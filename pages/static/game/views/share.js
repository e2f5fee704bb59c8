// The link that holds a whole game, and the screen of somebody who opens it. Nothing is replaced without asking.

import { answers, button, h, notice } from "../../table/views/dom.js";
import { say, signed } from "../../table/words.js";
import { LinkError, readLink, writeLink } from "../state/link.js";
import { ranking } from "../state/game.js";
import { brief, explained } from "./list.js";

/** @typedef {import("./screen.js").At} At */
/** @typedef {import("./screen.js").Drawn} Drawn */
/** @typedef {import("./screen.js").Screen} Screen */
/** @typedef {import("../state/game.js").Game} Game */

/** @param {Game} game */
export const addressOf = (game) => `${location.origin}${location.pathname}#${writeLink(game)}`;

/** @param {At} at @returns {Drawn} */
export function share({ screen, game }) {
  const address = addressOf(game);
  const field = /** @type {HTMLInputElement} */ (h("input", { id: "link", readonly: true, value: address }));
  field.addEventListener("focus", () => field.select());
  const status = h("p", { role: "status" }, screen.told);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      screen.told = say("game.copied");
    } catch {
      screen.told = say("game.copy_yourself");
      field.focus();
    }
    status.textContent = screen.told;
  };
  const send = () => navigator.share({ title: say("game.title"), url: address }).catch(() => null); // cancelled
  const shares = "share" in navigator;
  return {
    title: say("game.share"),
    body: [
      h("p", {}, say("game.share_is")),
      shares && button(say("game.send"), send, { kind: "button-primary forward", "data-key": "send" }),
      button(say("game.copy"), copy, { kind: shares ? "forward" : "button-primary forward", "data-key": "copy" }),
      status,
      h("div", { class: "form" }, h("div", {}, h("label", { class: "label", for: "link" }, say("game.link")), field)),
      explained(),
    ],
  };
}

/** @param {Screen} screen @returns {Drawn} */
export function opened(screen) {
  const leaveIt = () => screen.go({ name: screen.games.all.length ? "list" : "begin" }, { replace: true });
  const leaving = { text: say("game.leave_it"), on: leaveIt, key: "leave" };
  try {
    return offer(screen, readLink(location.hash.slice(1)), leaving);
  } catch (error) {
    if (!(error instanceof LinkError)) throw error;
    return {
      title: say("game.link_fails"),
      body: [notice("warning", h("p", {}, say(`game.link.${error.code}`))), answers([{ ...leaving, text: say("next") }])],
    };
  }
}

/** @param {Screen} screen @param {Game} game @param {import("../../table/views/dom.js").Choice} leaving @returns {Drawn} */
function offer(screen, game, leaving) {
  const { games } = screen;
  const here = games.of(game.id);
  /** @param {Game} kept */
  const keep = async (kept) => {
    await games.keep(kept, here && kept.id === here.id ? say("game.replaced") : "");
    screen.go({ name: "game", id: kept.id }, { replace: true });
  };
  const shown = [
    h("p", {}, brief(game)),
    h(
      "ul",
      { class: "list" },
      ranking(game).map(({ player, total }) =>
        h("li", {}, h("span", { class: "list-main" }, game.names[player]), h("strong", { class: "num" }, signed(total))),
      ),
    ),
  ];
  if (!here) {
    const yes = { text: say("game.keep_copy"), on: () => keep(game), key: "keep", primary: true };
    return { title: say("game.ask.keep"), body: [shown, answers([yes, leaving]), explained()] };
  }
  if (writeLink(here) === writeLink(game)) {
    const open = () => screen.go({ name: "game", id: game.id }, { replace: true });
    return { title: say("game.same_here"), body: [shown, answers([{ text: say("game.open"), on: open, key: "open", primary: true }])] };
  }
  return {
    title: say("game.ask.replace"),
    body: [
      h("p", {}, say("game.differs", { here: here.deals.length, link: game.deals.length })),
      shown,
      answers([
        { text: say("game.keep_both"), on: () => keep({ ...game, id: games.newId() }), key: "both", primary: true },
        { text: say("game.replace"), on: () => keep(game), key: "replace" },
        leaving,
      ]),
    ],
  };
}
