// Keeps what is typed into a form until the form is sent or the screen left, so that a reload of the page loses nothing.
// The browser keeps it for this tab alone. If it keeps nothing, all else works.

/** @typedef {Record<string, Record<string, string>>} Typed the values of fields by their names, by the key of the form */

const SLOT = "topage-game-typed";

/** @returns {Typed} */
function read() {
  try {
    return JSON.parse(sessionStorage.getItem(SLOT) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {Typed} typed */
function write(typed) {
  try {
    sessionStorage.setItem(SLOT, JSON.stringify(typed));
  } catch {
    // the browser keeps nothing
  }
}

// Fills in what was typed into this form before a reload, and keeps from now on what is typed.
/** @param {HTMLFormElement} form @param {string} key */
export function keepTyped(form, key) {
  for (const [name, value] of Object.entries(read()[key] ?? {})) {
    const field = form.elements.namedItem(name);
    if (field instanceof RadioNodeList || field instanceof HTMLInputElement) field.value = value;
  }
  form.addEventListener("input", () => {
    const values = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
    write({ ...read(), [key]: Object.fromEntries(values) });
  });
}

// Forgets what was typed into this form, or into all forms.
/** @param {string} [key] */
export function forgetTyped(key) {
  const typed = read();
  if (key) delete typed[key];
  write(key ? typed : {});
}
