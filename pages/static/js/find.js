// Filters a list by the names that contain the typed text, ignoring accents and case. Without this script, the form is
// sent, and the page comes back with only those names.
const bare = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/[-’']/g, " ");

for (const list of document.querySelectorAll("[data-found-by]")) {
  const field = document.getElementById(list.dataset.foundBy);
  field.addEventListener("input", () => {
    const wanted = bare(field.value).split(/\s+/);
    for (const row of list.children) {
      const name = bare(row.dataset.names ?? row.querySelector("strong").textContent);
      row.hidden = !wanted.every((word) => name.includes(word));
    }
  });
}
