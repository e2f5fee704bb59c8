// Notes that an arbiter often fixes, filled in by one button; without it they are typed.
const form = document.querySelector("[data-fills]").closest("form");

function fix(who, note) {
  form.elements[`fix_${who}`].value = note ? "figure" : "";
  form.elements[`note_${who}`].value = note;
}

function fill(event) {
  const [attack, defence] = event.currentTarget.dataset.fill.split("/");
  // What is said of one player would go before their side's.
  for (const field of form.querySelectorAll('[name^="fix_"]')) fix(field.name.slice("fix_".length), "");
  fix("attack", attack);
  fix("defence", defence);
}

for (const button of form.querySelectorAll("[data-fill]")) button.addEventListener("click", fill);
form.querySelector("[data-fills]").hidden = false;
