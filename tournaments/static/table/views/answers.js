// The large answers of a screen's question, and notices. They know nothing about the table.

import { h } from "./dom.js";

/** @typedef {import("./dom.js").Child} Child */

/**
 * @typedef Choice a large answer
 * @property {Child} text
 * @property {() => unknown} on
 * @property {string} key
 * @property {boolean} [chosen]
 * @property {Child} [note]
 * @property {boolean} [primary]
 */

// Returns the answers to a screen's question as large buttons.
/** @param {Choice[]} choices */
export const answers = (choices, { columns = 1 } = {}) =>
  h(
    "ul",
    { class: `answers answers-${columns}` },
    choices.map(({ text, on, chosen, key, note, primary }) =>
      h(
        "li",
        {},
        h(
          "button",
          {
            type: "button",
            class: primary ? "answer is-primary" : "answer",
            on,
            "data-key": key,
            "aria-pressed": chosen === undefined ? null : String(chosen),
          },
          h("span", {}, text),
          note && h("small", {}, note),
        ),
      ),
    ),
  );

/** @param {string} kind @param {Child} children @param {string} [role] */
export const notice = (kind, children, role) => h("div", { class: `notice notice-${kind}`, role }, children);
