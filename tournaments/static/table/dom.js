// Makes elements, and puts a screen in place of another one without losing the focus. Knows no tarot and no words.

// Element `tag` with properties: `class`, `on` (what a press does), any attribute; false and null are left out.
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") element.addEventListener("click", guarded(value));
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

export function button(text, on, { kind = "", ...properties } = {}) {
  return h("button", { type: "button", class: `button ${kind}`.trim(), on, ...properties }, text);
}

let changedAt = 0;
const SETTLING = 300; // milliseconds: the second tap of a double tap is not meant for the screen that came of the first

function guarded(action) {
  return (event) => {
    const doubled = event.detail > 1 || event.pointerType === "touch";
    if (doubled && performance.now() - changedAt < SETTLING) return;
    action(event);
  };
}

// Puts these children into the place; what is the same screen and looks the same is left alone. The focus stays where
// it was, found again by `data-key`.
export function put(place, children, fresh) {
  if (!fresh && children.map((child) => child.outerHTML).join("") === place.innerHTML) return;
  const active = document.activeElement;
  const key = place.contains(active) ? active.dataset.key : undefined;
  place.replaceChildren(...children);
  if (key !== undefined) place.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

// A new screen is read from its heading.
export function arrive(heading) {
  changedAt = performance.now();
  scrollTo(0, 0);
  heading.focus({ preventScroll: true });
}
