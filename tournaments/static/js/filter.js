// Narrows a list of choices to the names that hold what is typed, accents and capitals aside. What is ticked stays
// ticked and in view. The field that asks is hidden until this runs: without scripts the whole list stands there.
const bare = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

for (const field of document.querySelectorAll("input[data-filter]")) {
  const choices = document.querySelectorAll(`${field.dataset.filter} .check`);
  field.hidden = false;
  field.addEventListener("input", (event) => {
    event.stopPropagation(); // it is no answer of the form's
    const words = bare(field.value).split(/\s+/);
    for (const choice of choices) {
      const name = bare(choice.textContent);
      choice.hidden = !choice.querySelector("input").checked && !words.every((word) => name.includes(word));
    }
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault();
  });
}
