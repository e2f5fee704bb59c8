// Buttons that fill in the notes that an arbiter often fixes. Without this script the arbiter types them.
const form = document.querySelector("[data-fills]").closest("form");

function fix(who, note) {
  form.elements[`fix_${who}`].value = note ? "figure" : "";
  form.elements[`note_${who}`].value = note;
}

function fill(event) {
  const [attack, defence] = event.currentTarget.dataset.fill.split("/");
  // Clear the players' own notes first, because they would count instead of the note of their side.
  for (const field of form.querySelectorAll('[name^="fix_"]')) fix(field.name.slice("fix_".length), "");
  fix("attack", attack);
  fix("defence", defence);
}

for (const button of form.querySelectorAll("[data-fill]")) button.addEventListener("click", fill);
form.querySelector("[data-fills]").hidden = false;
