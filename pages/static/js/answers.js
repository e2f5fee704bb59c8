// Lets users answer a list of questions by the keyboard: the arrows choose, and Enter goes to the next open question,
// or to the button after the last one. Without this script, Enter sends the form, which shows the open questions again.
document.addEventListener("keydown", (event) => {
  const field = event.target.closest?.("[data-questions] input[type=radio]");
  if (!field || event.key !== "Enter") return;
  event.preventDefault();
  const groups = [...field.closest("[data-questions]").querySelectorAll("fieldset")];
  const here = groups.indexOf(field.closest("fieldset"));
  if (!field.checked && !groups[here].querySelector(":checked")) {
    field.checked = true;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }
  const open = (group) => !group.querySelector(":checked");
  const next = groups.slice(here + 1).find(open) ?? groups.find(open);
  (next?.querySelector("input") ?? document.querySelector("[data-after]")).focus();
});

// If the page has open questions, go to the first one, because on a phone it is far down the page.
addEventListener("load", () => document.querySelector("[data-questions] .is-open input")?.focus());
