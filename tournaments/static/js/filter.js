// Narrows a list of choices to the names that hold what is typed, accents and capitals aside. What is ticked stays ticked
// and in view. Enter ticks the name that is marked and empties the field for the next one; the list is one stop of the Tab
// key, in which the arrows move. What needs this script is hidden until it runs: without it the whole list stands there.
const bare = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

class Pick {
  constructor(field) {
    this.field = field;
    this.told = document.getElementById(field.getAttribute("aria-describedby"));
    this.choices = [...document.querySelectorAll(`${field.dataset.filter} .check`)];
    field.hidden = this.told.hidden = false;
    field.addEventListener("input", (event) => {
      event.stopPropagation(); // it is no answer of the form's
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

  // Names that begin with what is typed come before names that hold it.
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
    this.box(wanted).click(); // as by hand, so that the form hears of it
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
