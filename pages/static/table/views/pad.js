// A keypad on the screen, to type figures. The keyboard of the device works too.

import { button, h } from "./dom.js";
import { say } from "../words.js";

// Returns buttons side by side, of which one is chosen.
/**
 * @template {string} Key
 * @param {string} label @param {{ key: Key, text: string }[]} choices
 * @param {Key} chosen @param {(key: Key) => void} on
 */
export const toggle = (label, choices, chosen, on) =>
  h(
    "div",
    { class: "toggle", role: "group", "aria-label": label },
    choices.map(({ key, text }) =>
      button(text, () => on(key), { "aria-pressed": String(chosen === key), "data-key": key }),
    ),
  );

// Returns the typed figure, with its meaning or the reason why it is impossible.
/** @param {string} figure @param {import("./dom.js").Child} told @param {string} hint */
export const typed = (figure, told, hint) =>
  h(
    "div",
    { class: "typed" },
    h("output", {}, figure === "" ? "–" : figure),
    told ? h("p", { class: "is-wrong", role: "alert" }, told) : h("p", { "aria-live": "polite" }, hint),
  );

// Returns the keypad. It calls `type` with a digit, or with "" to erase one.
/** @param {(digit: string) => void} type @param {() => void} next */
export const pad = (type, next) =>
  h(
    "div",
    { class: "pad" },
    [..."123456789"].map((digit) => button(digit, () => type(digit), { "data-key": `digit-${digit}` })),
    button("⌫", () => type(""), { "aria-label": say("erase"), "data-key": "erase" }),
    button("0", () => type("0"), { "data-key": "digit-0" }),
    button(say("next"), next, { kind: "button-primary", "data-key": "next" }),
  );

/** @param {(digit: string) => void} type @param {() => void} next @returns {(key: string) => void} */
export const padKeys = (type, next) => (key) =>
  /^[0-9]$/.test(key) ? type(key) : key === "Backspace" ? type("") : key === "Enter" ? next() : null;
