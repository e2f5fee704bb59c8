// Answers a list of doubts by the keyboard: the arrows choose, Enter goes on to the next question that is open, and after
// the last one to the button that takes them all. Without this script Enter sends the form, which asks again.
document.addEventListener("keydown", (event) => {
  const field = event.target.closest?.("[data-questions] input[type=radio]");
  if (!field || event.key !== "Enter") return;
  event.preventDefault();
  const groups = [...field.closest("[data-questions]").querySelectorAll("fieldset")];
  const here = groups.indexOf(field.closest("fieldset"));
  if (!field.checked && !groups[here].querySelector(":checked")) field.checked = true;
  const open = (group) => !group.querySelector(":checked");
  const next = groups.slice(here + 1).find(open) ?? groups.find(open);
  (next?.querySelector("input") ?? document.querySelector("[data-after]")).focus();
});

// A list that comes back with open questions shows the first of them: on a phone they stand far below.
addEventListener("load", () => document.querySelector("[data-questions] .is-open input")?.focus());
