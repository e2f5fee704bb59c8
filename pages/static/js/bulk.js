// Makes the grid for paper slips usable with the keyboard alone. Enter goes to the first field of the next row, and
// saves after the last row; the arrows move in a column. The browser keeps the typed values until they are saved, so a
// reload or a new log-in loses nothing. Without scripts, Enter saves, and Tab goes from field to field.
const form = document.querySelector("form[data-kept]");
const rows = [...form.querySelectorAll("tr[data-row]")];
const kept = form.dataset.kept;

const reachable = (field) => !field.closest("details:not([open])");
const fieldsOf = (row) => [...row.querySelectorAll("[data-cell]")].filter(reachable);
const open = (row) => fieldsOf(row).length > 0;

function focus(field) {
  field.focus();
  if (field.select) field.select();
}

function move(from, step, column) {
  for (let at = rows.indexOf(from) + step; at >= 0 && at < rows.length; at += step) {
    const fields = fieldsOf(rows[at]);
    if (fields.length) {
      focus(fields[Math.min(column, fields.length - 1)]);
      return true;
    }
  }
  return false;
}

form.addEventListener("keydown", (event) => {
  const field = event.target.closest("[data-cell]");
  if (!field || event.ctrlKey || event.altKey || event.metaKey) return;
  const said = field.closest(".bulk-said"); // the box with errors and questions below a row
  const row = said ? said.previousElementSibling : field.closest("tr[data-row]");
  const column = Math.max(fieldsOf(row).indexOf(field), 0);
  if (event.key === "Enter" && field.type !== "checkbox") {
    event.preventDefault();
    if (!move(row, event.shiftKey ? -1 : 1, 0)) focus(document.getElementById("save"));
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    if (field.tagName === "SELECT") return;
    event.preventDefault();
    move(row, event.key === "ArrowDown" ? 1 : -1, column);
  }
});

// The typed values that this tab keeps, by the names of their fields.
function read() {
  try {
    return JSON.parse(sessionStorage.getItem(kept)) || {};
  } catch {
    return {};
  }
}

function write(values) {
  try {
    sessionStorage.setItem(kept, JSON.stringify(values));
  } catch {
    // The storage is full or forbidden. The values are still in the page.
  }
}

const values = read();
for (const field of form.querySelectorAll("input[data-cell]:not([type=checkbox]), select[data-cell]")) {
  const mine = values[field.name];
  const stored = field.closest("details");
  if (mine && !stored && (!field.value || field.tagName === "SELECT")) field.value = mine;
  else if (!stored) values[field.name] = field.value;
}
for (const name of Object.keys(values)) {
  const row = document.getElementById(`row-${name.split("-").pop()}`);
  if (!values[name] || (row && row.classList.contains("is-in"))) delete values[name];
}
write(values);

form.addEventListener("input", (event) => {
  if (!event.target.matches("[data-cell]:not([type=checkbox])")) return;
  const now = read();
  now[event.target.name] = event.target.value;
  write(now);
});

// Show beside a typed figure by how much the contract was made or failed, as the site does after saving. This is the
// only place where the author can notice a wrong sign.
const made = JSON.parse(document.getElementById("made").textContent);

function figureOf(row) {
  for (const field of fieldsOf(row)) {
    const told = /^(score|plus|minus)-/.exec(field.name);
    const typed = told && /^([+\-−–]?)\s*(\d{1,4})$/.exec(field.value.trim());
    if (!typed) continue;
    const against = told[1] === "minus" ? true : told[1] === "score" || typed[1] ? /[-−–]/.test(typed[1]) : false;
    return against ? -Number(typed[2]) : Number(typed[2]);
  }
  return 0;
}

function sayMade(score) {
  if (!score) return "";
  const code = score > 0 ? "made" : "failed";
  for (const lost of [0, 1]) {
    const points = made.times ? (Math.abs(score) + lost * made.petit * made.times) / made.times - made.base : -1;
    if (Number.isInteger(points) && points >= (score > 0 ? 0 : 1) && points <= made.most[code]) {
      return made.texts[lost ? `${code}_petit` : `${code}_by`].replace("{}", String(points));
    }
  }
  return made.texts[code];
}

function showMade(row) {
  const place = row && row.querySelector("[data-made]");
  if (place) place.textContent = sayMade(figureOf(row));
}

form.addEventListener("input", (event) => showMade(event.target.closest("tr[data-row]")));
rows.forEach(showMade);

// Put the focus on the first question, else on the first error, else on the first empty row.
const asked = form.querySelector(".bulk-said [type=checkbox]") ?? form.querySelector("[aria-invalid=true]");
const begin = asked ?? rows.filter(open).flatMap(fieldsOf).find((field) => !field.value);
if (begin) focus(begin);
