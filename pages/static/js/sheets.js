// Shows beside each sheet whether its figures sum to zero while they are typed. The browser keeps the typed figures until
// they are saved. Without scripts the site checks the sum when the sheet is saved.
const form = document.querySelector("form[data-kept]");
const words = JSON.parse(document.getElementById("sheet-words").textContent);
const kept = form?.dataset.kept;

// Returns the number that a field has, null if it is empty, or NaN if it is no whole number.
function read(field) {
  const text = field.value.trim().replace(/[−–]/g, "-").replace(/^([-+])\s/, "$1").replace(/(?<=\d)\s(?=\d{3}(?!\d))/g, "");
  if (text === "") return null;
  return /^[+-]?\d+$/.test(text) ? Number(text) : NaN;
}

function tell(row) {
  const figures = [...row.querySelectorAll("[data-cell]")].map(read);
  const told = row.querySelector("[data-sum]");
  if (!told) return;
  const typed = figures.filter((figure) => figure !== null);
  const sum = typed.reduce((total, figure) => total + figure, 0);
  const missing = figures.length - typed.length;
  const wrong = Number.isNaN(sum) || (!missing && sum !== 0);
  told.classList.toggle("is-wrong", wrong);
  if (!typed.length) told.textContent = "";
  else if (missing) told.textContent = words.missing.replace("{}", missing);
  else told.textContent = sum === 0 ? words.zero : words.off.replace("{}", Number.isNaN(sum) ? "?" : sum > 0 ? `+${sum}` : `−${-sum}`);
}

function store() {
  const values = Object.fromEntries([...form.querySelectorAll("[data-cell]")].map(({ name, value }) => [name, value]));
  try {
    sessionStorage.setItem(kept, JSON.stringify(values));
  } catch {
    // The storage is full or forbidden. The values are still in the page.
  }
}

function recall() {
  let values = {};
  try {
    values = JSON.parse(sessionStorage.getItem(kept)) || {};
    sessionStorage.removeItem(kept);
  } catch {
    return;
  }
  for (const field of form.querySelectorAll("[data-cell]")) field.value ||= values[field.name] ?? "";
}

if (form) {
  recall();
  form.querySelectorAll("[data-sheet]").forEach(tell);
  form.addEventListener("input", (event) => {
    const row = event.target.closest("[data-sheet]");
    if (row) tell(row);
    store();
  });
  form.addEventListener("submit", () => sessionStorage.removeItem(kept));
}
