// A card that is dragged to the table is played. The finger may also just tap.

const BEGINS = 8; // pixels after which a press becomes a drag
const PLAYS = 56; // pixels upwards that play the card
const BACK = 160; // milliseconds

// Listens for drags in `root`, and calls `play` with the button of a card that was dragged to the table.
/** @param {HTMLElement} root @param {(button: HTMLButtonElement) => void} play */
export function listenForDrags(root, play) {
  /** @type {{ button: HTMLButtonElement, x: number, y: number, moved: boolean, shift?: Animation } | null} */
  let drag = null;
  let swallowed = false; // the click that ends a drag presses nothing

  root.addEventListener("pointerdown", (event) => {
    const button = event.target instanceof Element ? event.target.closest("button[data-card]") : null;
    swallowed = false;
    if (!(button instanceof HTMLButtonElement) || !event.isPrimary || event.button !== 0) return;
    drag = { button, x: event.clientX, y: event.clientY, moved: false };
  });
  root.addEventListener("pointermove", (event) => {
    if (!drag || !event.isPrimary) return;
    const [across, down] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.moved && Math.hypot(across, down) < BEGINS) return;
    if (!drag.moved) drag.button.setPointerCapture(event.pointerId);
    drag.moved = true;
    drag.shift?.cancel();
    drag.shift = drag.button.animate([{ transform: `translate(${across}px, ${down}px)` }], {
      duration: 1,
      fill: "forwards",
    });
  });
  root.addEventListener("pointerup", (event) => {
    if (!drag) return;
    const { button, moved, shift, y } = drag;
    drag = null;
    if (!moved) return;
    swallowed = true;
    shift?.cancel();
    if (y - event.clientY > PLAYS) {
      play(button);
    } else {
      button.animate([{ transform: `translate(0, ${event.clientY - y}px)` }, {}], { duration: BACK, easing: "ease-out" });
    }
  });
  root.addEventListener("pointercancel", () => {
    drag?.shift?.cancel();
    drag = null;
  });
  root.addEventListener(
    "click",
    (event) => {
      if (!swallowed) return;
      swallowed = false;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
}
