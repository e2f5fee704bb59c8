// The choices about the table that this browser keeps: whether a card needs two taps, and whether tricks pause.

const KEYS = { twoTaps: "topage-room-two-taps", quick: "topage-room-quick" };

/** @typedef {keyof typeof KEYS} Choice */

/** @param {Choice} choice */
export function isChosen(choice) {
  try {
    return localStorage.getItem(KEYS[choice]) === "yes";
  } catch {
    return false; // a browser that keeps nothing
  }
}

/** @param {Choice} choice @param {boolean} on */
function keep(choice, on) {
  try {
    localStorage.setItem(KEYS[choice], on ? "yes" : "no");
  } catch {
    // It counts until the page is left.
  }
}

// Shows the boxes of the page, which need this script, and keeps what is ticked.
export function offerChoices() {
  for (const box of document.querySelectorAll("[data-choice]")) {
    if (!(box instanceof HTMLInputElement)) continue;
    const choice = /** @type {Choice} */ (box.dataset.choice);
    box.checked = isChosen(choice);
    box.addEventListener("change", () => keep(choice, box.checked));
    const label = box.closest("label");
    if (label) label.hidden = false;
  }
}
