// Finds people while a director types a name into a field with data-find, as a list to choose from. In a field with
// several lines, the line of the cursor counts. Without this script, names are typed whole.
const url = document.currentScript.dataset.url;
const LEAST = 2;
const MOST = 60; // a longer line is no longer a name that somebody types
const PAUSE = 200; // milliseconds

for (const [number, field] of document.querySelectorAll("[data-find]").entries()) {
  const lines = field.localName === "textarea";
  const box = document.createElement("div");
  const told = document.createElement("p");
  let list = null;
  let timer = 0;
  let asked = null;
  let active = -1;

  box.className = "finder";
  box.hidden = true;
  told.className = "quiet";
  told.setAttribute("role", "status");
  box.append(told);
  (field.closest(".find-row") ?? field).after(box);
  field.removeAttribute("list"); // the names of the club, for browsers without this script
  field.setAttribute("aria-autocomplete", "list");
  if (!lines) {
    field.setAttribute("role", "combobox");
    field.setAttribute("aria-expanded", "false");
  }

  const lineAt = () => {
    const start = lines ? field.value.lastIndexOf("\n", field.selectionStart - 1) + 1 : 0;
    const end = lines ? field.value.indexOf("\n", start) : -1;
    return { start, end: end < 0 ? field.value.length : end };
  };

  const options = () => [...(list?.children ?? [])];

  const mark = (place) => {
    active = place;
    for (const [each, option] of options().entries()) option.setAttribute("aria-selected", String(each === place));
    const chosen = options()[place];
    if (chosen) {
      field.setAttribute("aria-activedescendant", chosen.id);
      chosen.scrollIntoView({ block: "nearest" });
    } else {
      field.removeAttribute("aria-activedescendant");
    }
  };

  const open = (isOpen) => {
    box.hidden = !isOpen;
    if (!lines) field.setAttribute("aria-expanded", String(isOpen && options().length > 0));
    if (!isOpen) mark(-1);
  };

  const close = () => {
    clearTimeout(timer);
    asked?.abort();
    open(false);
  };

  const choose = (option) => {
    const { start, end } = lineAt();
    const after = lines && field.value[end] !== "\n" ? "\n" : "";
    field.setRangeText(option.dataset.line + after, start, end, "end");
    close();
    field.focus();
    field.dispatchEvent(new CustomEvent("input", { bubbles: true, detail: "chosen" }));
  };

  const search = async () => {
    const { start, end } = lineAt();
    const text = field.value.slice(start, end).trim();
    asked?.abort();
    if (text.length < LEAST || text.length > MOST || text.includes(";")) return open(false);
    asked = new AbortController();
    try {
      const answer = await fetch(`${url}?q=${encodeURIComponent(text)}`, { signal: asked.signal });
      if (answer.redirected) return;
      const part = document.createElement("template");
      part.innerHTML = await answer.text();
      list?.remove();
      list = part.content.querySelector("[role=listbox]");
      if (!list) return open(false);
      list.id = `found-${number}`;
      for (const [each, option] of options().entries()) option.id = `found-${number}-${each}`;
      box.prepend(list);
      field.setAttribute("aria-controls", list.id);
      told.textContent = list.dataset.told;
      mark(-1);
      box.style.width = `${(field.closest(".find-row") ?? field).offsetWidth}px`;
      open(document.activeElement === field);
      box.scrollIntoView({ block: "nearest" });
    } catch (error) {
      if (error.name !== "AbortError") open(false);
    }
  };

  field.addEventListener("input", (event) => {
    clearTimeout(timer);
    if (event.detail === "chosen" || event.inputType === "insertFromPaste") return close();
    timer = setTimeout(search, PAUSE);
  });

  field.addEventListener("keydown", (event) => {
    const count = box.hidden ? 0 : options().length;
    if (event.key === "Escape" && !box.hidden) {
      event.preventDefault();
      close();
    } else if (count && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      mark(event.key === "ArrowDown" ? (active + 1) % count : (active <= 0 ? count : active) - 1);
    } else if (count && active >= 0 && event.key === "Enter") {
      event.preventDefault();
      choose(options()[active]);
    } else if (event.key === "Enter" || event.key === "Tab") {
      close();
    }
  });

  field.addEventListener("blur", close);
  box.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps the focus
  box.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) choose(option);
  });
}
