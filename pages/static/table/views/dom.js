// Makes HTML elements, large answers and notices, and replaces a screen by another one without losing the focus.

/** @typedef {Node | string | number | false | null | undefined | any[]} Child */

// Returns an element `tag` with properties: `class`, `on` (the function for a press), or any attribute. Properties that
// are false or null are left out.
/** @param {string} tag @param {Record<string, any>} properties @param {Child[]} children */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") element.addEventListener("click", guarded(value));
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...present(children));
  return element;
}

/** @param {Child[]} children @returns {(Node | string)[]} */
const present = (children) =>
  children.flatMap((child) => {
    if (Array.isArray(child)) return present(child);
    if (child === null || child === undefined || child === false) return [];
    return [child instanceof Node ? child : String(child)];
  });

/** @param {Child} text @param {() => unknown} on @param {Record<string, any>} properties */
export function button(text, on, { kind = "", ...properties } = {}) {
  return h("button", { type: "button", class: `button ${kind}`.trim(), on, ...properties }, text);
}

let changedAt = 0;
const SETTLING = 300; // milliseconds in which a new screen ignores presses: the second tap of a double tap

/** @param {(event: MouseEvent) => unknown} action */
function guarded(action) {
  /** @param {MouseEvent} event */
  return (event) => {
    const doubled = event.detail > 1 || (event instanceof PointerEvent && event.pointerType === "touch");
    if (doubled && performance.now() - changedAt < SETTLING) return;
    action(event);
  };
}

// Puts the children into the element with this id, unless it looks the same already. The focus stays on the element
// with the same `data-key`.
/** @param {string} id @param {Child[]} children @param {boolean} fresh */
export function put(id, children, fresh) {
  const place = /** @type {HTMLElement} */ (document.getElementById(id));
  const made = h("div", {}, children);
  if (!fresh && made.innerHTML === place.innerHTML) return;
  const active = document.activeElement;
  const key = active instanceof HTMLElement && place.contains(active) ? active.dataset.key : undefined;
  place.replaceChildren(...made.childNodes);
  if (key === undefined) return;
  const again = place.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
}

// Moves the focus to the heading of a new screen, where screen readers begin to read.
/** @param {HTMLElement} heading */
export function arrive(heading) {
  changedAt = performance.now();
  scrollTo(0, 0);
  heading.focus({ preventScroll: true });
}

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
