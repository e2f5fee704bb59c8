// Filters a list of checkboxes by the names that contain the typed text, ignoring accents and case. Ticked names stay
// ticked and visible. Enter ticks the marked name and empties the field for the next name. The Tab key stops once at
// the list, and the arrows move in it. Without this script, the whole list is shown, and the field is hidden.
const bare = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

class Pick {
  constructor(field) {
    this.field = field;
    this.told = document.getElementById(field.getAttribute("aria-describedby"));
    this.choices = [...document.querySelectorAll(`${field.dataset.filter} .check`)];
    field.hidden = this.told.hidden = false;
    field.addEventListener("input", (event) => {
      event.stopPropagation(); // typing in this field does not change the form
      this.narrow();
    });
    field.addEventListener("keydown", (event) => this.searched(event));
    const list = document.querySelector(field.dataset.filter);
    list.addEventListener("keydown", (event) => this.walked(event));
    list.addEventListener("focusin", (event) => this.stopAt(event.target));
    list.addEventListener("change", () => this.tell());
    this.narrow();
    this.tell();
  }

  box(choice) {
    return choice.querySelector("input");
  }

  get shown() {
    return this.choices.filter((choice) => !choice.hidden);
  }

  // The name to mark: one that begins with the typed text, else one that contains the text.
  get wanted() {
    const typed = bare(this.field.value).trim();
    const found = this.choices.filter((choice) => this.holds(choice));
    return typed ? (found.find((choice) => bare(choice.textContent).trim().startsWith(typed)) ?? found[0]) : null;
  }

  holds(choice) {
    const name = bare(choice.textContent);
    return !this.box(choice).checked && bare(this.field.value).split(/\s+/).every((word) => name.includes(word));
  }

  narrow() {
    for (const choice of this.choices) choice.hidden = !this.box(choice).checked && !this.holds(choice);
    const wanted = this.wanted;
    for (const choice of this.choices) choice.classList.toggle("is-wanted", choice === wanted);
    wanted?.scrollIntoView({ block: "nearest" });
    this.stopAt(this.box(wanted ?? this.shown[0] ?? this.choices[0]));
  }

  stopAt(box) {
    for (const choice of this.choices) this.box(choice).tabIndex = this.box(choice) === box ? 0 : -1;
  }

  searched(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      this.tick();
    } else if (event.key === "ArrowDown" && this.shown.length) {
      event.preventDefault();
      this.box(this.wanted ?? this.shown[0]).focus();
    }
  }

  tick() {
    const [typed, wanted] = [bare(this.field.value).trim(), this.wanted];
    if (!typed) return;
    if (!wanted) {
      const there = this.choices.find((choice) => bare(choice.textContent).includes(typed));
      this.tell(there ? this.said("again", there) : this.told.dataset.none);
      return;
    }
    this.field.value = "";
    this.box(wanted).click(); // a click sends the same events as a press by hand
    this.narrow();
    this.tell(this.said("ticked", wanted));
  }

  said(what, choice) {
    return this.told.dataset[what].replace("NAME", choice.textContent.trim());
  }

  tell(what = "") {
    const count = this.choices.filter((choice) => this.box(choice).checked).length;
    this.told.textContent = `${what} ${this.told.dataset.count} ${count}`;
  }

  walked(event) {
    const boxes = this.shown.map((choice) => this.box(choice));
    const at = boxes.indexOf(event.target);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: boxes.length - 1 }[event.key];
    if (event.key === "Escape" || to === -1) this.field.focus();
    else if (to === undefined) return;
    else boxes[to]?.focus();
    event.preventDefault();
  }
}

for (const field of document.querySelectorAll("input[data-filter]")) new Pick(field);
