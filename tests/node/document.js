// A small stand-in of a browser, for scripts that run in node: a document with elements, selectors, events and forms, a
// history, storages, and a clock that the test moves. It draws nothing. What it does not have, a script must not need.

const VOID = new Set(["area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source"]);
const PRESSED = ["BUTTON", "A", "INPUT", "SUMMARY"];

class Event {
  constructor(type, given = {}) {
    Object.assign(this, { bubbles: false, detail: null }, given, { type, target: null, defaultPrevented: false, stopped: false });
  }
  preventDefault() {
    this.defaultPrevented = true;
  }
  stopPropagation() {
    this.stopped = true;
  }
}
const kindsOfEvents = ["CustomEvent", "KeyboardEvent", "MouseEvent", "PointerEvent", "SubmitEvent", "InputEvent"].map((name) => [
  name,
  class extends Event {},
]);

class Target {
  #listeners = [];
  addEventListener(type, listener, options) {
    this.#listeners.push({ type, listener, capture: options === true, once: options?.once });
  }
  removeEventListener(type, listener) {
    this.#listeners = this.#listeners.filter((each) => each.type !== type || each.listener !== listener);
  }
  hear(event, capture) {
    for (const each of [...this.#listeners]) {
      if (each.type !== event.type || each.capture !== capture) continue;
      if (each.once) this.removeEventListener(each.type, each.listener);
      event.currentTarget = this;
      each.listener.call(this, event);
    }
  }
  dispatchEvent(event) {
    event.target = this;
    const path = [this];
    while (path.at(-1).parent) path.push(path.at(-1).parent);
    for (const each of [...path].reverse()) if (!event.stopped) each.hear(event, true);
    for (const each of path) if (!event.stopped && (each === this || event.bubbles)) each.hear(event, false);
    return !event.defaultPrevented;
  }
}

const window = new Target();

class Node extends Target {
  parent = null;
  childNodes = [];
  get parentElement() {
    return this.parent instanceof Element ? this.parent : null;
  }
  get parentNode() {
    return this.parent;
  }
  get children() {
    return this.childNodes.filter((each) => each instanceof Element);
  }
  get childElementCount() {
    return this.children.length;
  }
  get firstElementChild() {
    return this.children[0] ?? null;
  }
  get lastElementChild() {
    return this.children.at(-1) ?? null;
  }
  get textContent() {
    return this.childNodes.map((each) => each.textContent).join("");
  }
  set textContent(text) {
    this.replaceChildren(...(String(text) ? [String(text)] : []));
  }
  adopt(given) {
    return given.flatMap((each) => {
      if (each instanceof Fragment) return this.adopt([...each.childNodes]);
      const node = each instanceof Node ? each : new Text(String(each));
      node.remove();
      node.parent = this;
      return [node];
    });
  }
  append(...given) {
    const nodes = this.adopt(given); // first, because a node may move within its parent
    this.childNodes.push(...nodes);
  }
  prepend(...given) {
    const nodes = this.adopt(given);
    this.childNodes.unshift(...nodes);
  }
  replaceChildren(...given) {
    for (const each of this.childNodes) each.parent = null;
    this.childNodes = [];
    this.append(...given);
  }
  remove() {
    if (this.parent) this.parent.childNodes = this.parent.childNodes.filter((each) => each !== this);
    this.parent = null;
  }
  beside(given, more) {
    const { parent } = this;
    const nodes = parent.adopt(given);
    parent.childNodes.splice(parent.childNodes.indexOf(this) + more, 0, ...nodes);
  }
  after(...given) {
    this.beside(given, 1);
  }
  before(...given) {
    this.beside(given, 0);
  }
  replaceWith(...given) {
    this.after(...given);
    this.remove();
  }
  contains(other) {
    for (let each = other; each; each = each.parent) if (each === this) return true;
    return false;
  }
  querySelectorAll(selector) {
    const found = [];
    const look = (node) => {
      for (const each of node.children) {
        if (matches(each, selector)) found.push(each);
        look(each);
      }
    };
    look(this);
    return found;
  }
  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }
}

class Fragment extends Node {}

// Returns the first element below a node that fits, or null.
function find(node, fits) {
  for (const each of node.childNodes) {
    if (!(each instanceof Element)) continue;
    const found = fits(each) ? each : find(each, fits);
    if (found) return found;
  }
  return null;
}

class Text extends Node {
  constructor(text) {
    super();
    this.text = text;
  }
  get textContent() {
    return this.text;
  }
}

const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const escape = (text) => String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
const plain = (text) =>
  text.replace(/&(lt|gt|quot|amp|nbsp|#x27|#39);/g, (_, name) => ({ lt: "<", gt: ">", quot: '"', amp: "&", nbsp: " " })[name] ?? "'");

class Element extends Node {
  attributes = new Map();
  clientWidth = 100;
  scrollWidth = 100;
  offsetWidth = 100;
  clientHeight = 100;
  scrollHeight = 100;
  scrollTo() {}
  style = { setProperty: (name, value) => void (this.style[name] = value) };
  constructor(tag) {
    super();
    this.tagName = tag.toUpperCase();
    this.dataset = new Proxy(this, {
      get: (element, name) => element.getAttribute(`data-${kebab(String(name))}`) ?? undefined,
      set: (element, name, value) => (element.setAttribute(`data-${kebab(name)}`, value), true),
      deleteProperty: (element, name) => (element.removeAttribute(`data-${kebab(name)}`), true),
      has: (element, name) => element.hasAttribute(`data-${kebab(String(name))}`),
    });
  }
  get localName() {
    return this.tagName.toLowerCase();
  }
  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }
  setAttribute(name, value) {
    this.attributes.set(name, String(value));
  }
  removeAttribute(name) {
    this.attributes.delete(name);
  }
  hasAttribute(name) {
    return this.attributes.has(name);
  }
  toggleAttribute(name, on = !this.hasAttribute(name)) {
    if (on) this.setAttribute(name, "");
    else this.removeAttribute(name);
    return on;
  }
  get classList() {
    const names = () => (this.getAttribute("class") ?? "").split(/\s+/).filter(Boolean);
    const write = (given) => this.setAttribute("class", given.join(" "));
    return {
      contains: (name) => names().includes(name),
      add: (...more) => write([...new Set([...names(), ...more])]),
      remove: (...gone) => write(names().filter((name) => !gone.includes(name))),
      toggle(name, on = !names().includes(name)) {
        this[on ? "add" : "remove"](name);
        return on;
      },
    };
  }
  get innerHTML() {
    return this.childNodes.map((each) => (each instanceof Text ? escape(each.text) : each.outerHTML)).join("");
  }
  set innerHTML(html) {
    this.replaceChildren(...parse(html));
  }
  get outerHTML() {
    const told = [...this.attributes].map(([name, value]) => ` ${name}="${escape(value)}"`).join("");
    return `<${this.localName}${told}>${VOID.has(this.localName) ? "" : `${this.innerHTML}</${this.localName}>`}`;
  }
  get nextElementSibling() {
    return this.parent?.children[this.parent.children.indexOf(this) + 1] ?? null;
  }
  get previousElementSibling() {
    return this.parent?.children[this.parent.children.indexOf(this) - 1] ?? null;
  }
  matches(selector) {
    return matches(this, selector);
  }
  closest(selector) {
    for (let each = this; each instanceof Element; each = each.parent) if (matches(each, selector)) return each;
    return null;
  }
  getBoundingClientRect() {
    const [left, top] = (this.closest("[data-box]")?.dataset.box ?? "0,0").split(",").map(Number);
    return { left, top, width: 10, height: 10, right: left + 10, bottom: top + 10 };
  }
  get offsetParent() {
    return this.closest("[hidden]") ? null : this.parent;
  }
  get form() {
    return this.closest("form");
  }
  get elements() {
    const fields = this.querySelectorAll("input, select, textarea, button, output");
    const namedItem = (name) => {
      const found = fields.filter((each) => each.name === name || each.id === name);
      return found.length > 1 ? new RadioNodeList(found) : (found[0] ?? null);
    };
    return new Proxy(fields, { get: (all, name) => (name === "namedItem" ? namedItem : (all[name] ?? namedItem(name) ?? undefined)) });
  }
  get cells() {
    return this.children.filter(({ tagName }) => ["TD", "TH"].includes(tagName));
  }
  get cellIndex() {
    return this.parent.cells.indexOf(this);
  }
  get options() {
    return this.querySelectorAll("option");
  }
  get selectedIndex() {
    const { options } = this;
    return Math.max(options.findIndex((each) => each.chosen), 0);
  }
  set selectedIndex(place) {
    for (const [at, each] of this.options.entries()) each.chosen = at === place;
  }
  get selectedOptions() {
    return [this.options[this.selectedIndex]];
  }
  get text() {
    return this.textContent;
  }
  get isConnected() {
    return document.contains(this);
  }
  get content() {
    return this;
  }
  cloneNode() {
    return parse(this.outerHTML)[0];
  }
  focus() {
    focused = this;
    this.dispatchEvent(new Event("focus"));
    this.dispatchEvent(new Event("focusin", { bubbles: true }));
  }
  select() {
    stage.selected = this;
  }
  scrollIntoView() {
    stage.seen = this;
  }
  animate() {
    return { cancel() {}, finish() {}, finished: Promise.resolve() };
  }
  setPointerCapture() {}
  requestSubmit(submitter = null) {
    return this.dispatchEvent(new SubmitEvent("submit", { bubbles: true, submitter }));
  }
  click() {
    if (this.disabled) return;
    const ticks = this.tagName === "INPUT" && ["checkbox", "radio"].includes(this.type);
    if (ticks) this.checked = this.type === "radio" || !this.checked;
    const goesOn = this.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
    if (ticks) for (const type of ["input", "change"]) this.dispatchEvent(new Event(type, { bubbles: true }));
    if (goesOn && this.tagName === "BUTTON" && (this.type || "submit") === "submit") this.form?.requestSubmit(this);
  }
}

// Attributes that are also properties: texts, and those that are there or not.
for (const name of ["id", "name", "type", "title", "lang", "role", "href", "action", "rel"]) {
  Object.defineProperty(Element.prototype, name, {
    get() {
      return this.getAttribute(name) ?? "";
    },
    set(value) {
      this.setAttribute(name, value);
    },
  });
}
for (const name of ["hidden", "disabled", "open", "selected"]) {
  Object.defineProperty(Element.prototype, name, {
    get() {
      return this.hasAttribute(name);
    },
    set(value) {
      this.toggleAttribute(name, Boolean(value));
    },
  });
}
Object.defineProperty(Element.prototype, "className", {
  get() {
    return this.getAttribute("class") ?? "";
  },
  set(value) {
    this.setAttribute("class", value);
  },
});
Object.defineProperty(Element.prototype, "tabIndex", {
  get() {
    return Number(this.getAttribute("tabindex") ?? 0);
  },
  set(value) {
    this.setAttribute("tabindex", value);
  },
});
Object.defineProperty(Element.prototype, "checked", {
  get() {
    return this.ticked ?? this.hasAttribute("checked");
  },
  set(value) {
    this.ticked = Boolean(value);
    if (!value || this.type !== "radio" || !this.form) return;
    for (const other of this.form.querySelectorAll("input")) {
      if (other !== this && other.type === "radio" && other.name === this.name) other.ticked = false;
    }
  },
});
Object.defineProperty(Element.prototype, "value", {
  get() {
    if (this.tagName === "SELECT") {
      const chosen = this.options.find((each) => each.chosen) ?? this.options.find((each) => each.selected) ?? this.options[0];
      return chosen?.value ?? "";
    }
    if (this.tagName === "OPTION") return this.getAttribute("value") ?? this.textContent;
    if (this.tagName === "TEXTAREA") return this.typed ?? this.textContent;
    if (!["INPUT", "BUTTON"].includes(this.tagName)) return undefined;
    return this.typed ?? this.getAttribute("value") ?? (["checkbox", "radio"].includes(this.type) ? "on" : "");
  },
  set(value) {
    if (this.tagName === "SELECT") for (const each of this.options) each.chosen = each.value === String(value);
    else this.typed = String(value);
  },
});

class RadioNodeList {
  constructor(fields) {
    this.fields = fields;
  }
  get value() {
    return this.fields.find(({ checked }) => checked)?.value ?? "";
  }
  set value(value) {
    for (const field of this.fields) if (field.value === value) field.checked = true;
  }
}

class FormData {
  #pairs = [];
  constructor(form) {
    for (const field of form?.querySelectorAll("input, select, textarea") ?? []) {
      const ticks = ["checkbox", "radio"].includes(field.type);
      if (field.name && !field.disabled && (!ticks || field.checked)) this.#pairs.push([field.name, field.value]);
    }
  }
  get(name) {
    return this.#pairs.find(([each]) => each === name)?.[1] ?? null;
  }
  append(name, value) {
    this.#pairs.push([name, value]);
  }
  [Symbol.iterator]() {
    return this.#pairs[Symbol.iterator]();
  }
}

// Reads one selector: alternatives, each a chain of compounds with " " or ">" between them.
const splitOutside = (text, sign) => {
  const parts = [""];
  let depth = 0;
  for (const letter of text) {
    if ("([".includes(letter)) depth += 1;
    if (")]".includes(letter)) depth -= 1;
    if (!depth && letter === sign) parts.push("");
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim());
};
const SIMPLE = /^(?:(\*|[\w-]+)|#([\w-]+)|\.([\w-]+)|\[([\w-]+)(?:([\^$*]?=)"?((?:\\.|[^"\]])*)"?)?\]|:(not|is)\(((?:[^()]|\([^()]*\))*)\)|:(checked|empty))/;

function matchesCompound(element, compound) {
  let rest = compound;
  while (rest) {
    const found = SIMPLE.exec(rest.replace(/='([^']*)'/, '="$1"'));
    if (!found) throw new Error(`no such selector here: ${compound}`);
    rest = rest.replace(/='([^']*)'/, '="$1"').slice(found[0].length);
    const [, tag, id, name, attribute, sign, raw, call, inner, checked] = found;
    const has = attribute && element.getAttribute(attribute);
    const value = raw?.replace(/\\(.)/g, "$1");
    const fits = tag
      ? tag === "*" || element.localName === tag
      : id
        ? element.id === id
        : name
          ? element.classList.contains(name)
          : attribute
            ? has !== null && (!sign || (sign === "=" ? has === value : sign === "^=" ? has.startsWith(value) : sign === "$=" ? has.endsWith(value) : has.includes(value)))
            : call
              ? matches(element, inner) === (call === "is")
              : checked === "empty"
                ? !element.childNodes.length
                : (element.tagName === "OPTION" ? element.chosen || element.selected : element.checked);
    if (!fits) return false;
  }
  return true;
}

function matchesChain(element, parts) {
  const [last, ...before] = [...parts].reverse();
  if (!matchesCompound(element, last)) return false;
  if (!before.length) return true;
  if (before[0] === ">") return Boolean(element.parentElement) && matchesChain(element.parentElement, before.slice(1).reverse());
  for (let each = element.parentElement; each; each = each.parentElement) if (matchesChain(each, [...before].reverse())) return true;
  return false;
}

const chains = new Map(); // by selector
function matches(element, selector) {
  if (!chains.has(selector)) {
    const split = (chain) => splitOutside(chain.replace(/\s*>\s*/g, " > "), " ").filter(Boolean);
    chains.set(selector, splitOutside(selector, ",").map(split));
  }
  return chains.get(selector).some((chain) => matchesChain(element, chain));
}

// Reads HTML that is well formed, as templates and tests write it.
function parse(html) {
  const root = new Fragment();
  let place = root;
  const tags = /<!--[\s\S]*?-->|<!DOCTYPE[^>]*>|<(\/?)([\w-]+)((?:\s+[^\s=>/]+(?:="[^"]*"|='[^']*'|=[^\s>]+)?)*)\s*(\/?)>/gi;
  let at = 0;
  for (const found of html.matchAll(tags)) {
    if (found.index > at) place.append(new Text(plain(html.slice(at, found.index))));
    at = found.index + found[0].length;
    const [, closes, tag, attributes, ends] = found;
    if (!tag) continue;
    if (closes) {
      const open = place.closest?.(tag.toLowerCase());
      if (open) place = open.parent;
      continue;
    }
    const element = new Element(tag);
    for (const [, name, quoted, single, bare] of attributes.matchAll(/([^\s=>/]+)(?:="([^"]*)"|='([^']*)'|=([^\s>]+))?/g)) {
      element.setAttribute(name, plain(quoted ?? single ?? bare ?? ""));
    }
    place.append(element);
    if (!VOID.has(element.localName) && !ends) place = element;
  }
  if (at < html.length) place.append(new Text(plain(html.slice(at))));
  return [...root.childNodes];
}

class Storage {
  #values = new Map();
  getItem = (name) => this.#values.get(name) ?? null;
  setItem = (name, value) => {
    if (this.refuses) throw new Error("the storage is full");
    this.#values.set(name, String(value));
  };
  removeItem = (name) => void this.#values.delete(name);
}

const document = new Node();
document.parent = window;
Object.assign(document, {
  title: "",
  hidden: false,
  readyState: "complete",
  createElement: (tag) => new Element(tag),
  createElementNS: (_, tag) => new Element(tag),
  getElementById: (id) => find(document, (each) => each.attributes.get("id") === id),
  execCommand: () => false,
});
Object.defineProperty(document, "body", { get: () => document.querySelector("body") });
Object.defineProperty(document, "documentElement", { get: () => document.querySelector("html") });
document.open = (html) => {
  document.replaceChildren(...parse(`<html lang="en"><body>${html}</body></html>`));
};
// The element with the focus, or the body once that element has left the document.
let focused = null;
Object.defineProperty(document, "activeElement", { get: () => (focused && document.contains(focused) ? focused : document.body) });

// The entries of the browser's history. A step back takes a moment, as in a browser.
const location = {
  origin: "https://site.example",
  pathname: "/",
  hash: "",
  gone: [],
  assign: (url) => location.gone.push(url),
  reload: () => location.gone.push("reload"),
  get href() {
    return `${location.origin}${location.pathname}${location.hash}`;
  },
};
const entries = [null];
let place = 0;
const history = {
  get state() {
    return entries[place];
  },
  pushState(state, _, url) {
    entries.splice((place += 1), Infinity, structuredClone(state));
    if (url !== undefined) location.hash = "";
  },
  replaceState(state, _, url) {
    entries[place] = structuredClone(state);
    if (url !== undefined) location.hash = "";
  },
  back() {
    if (!place) return;
    queueMicrotask(() => {
      place -= 1;
      window.dispatchEvent(new Event("popstate"));
    });
  },
};

// The clock of the test: nothing passes by itself.
const realImmediate = setImmediate;
const RealDate = Date;
let now = RealDate.parse("2026-11-26T20:00:00Z");
let timers = [];
let count = 0;
const later = (action, wait, every) => {
  timers.push({ id: (count += 1), action, at: now + (wait ?? 0), every });
  return count;
};
class FakeDate extends RealDate {
  constructor(...given) {
    super(...(given.length ? given : [now]));
  }
  static now = () => now;
}

// Waits until every promise that can go on has gone on, and until the site has answered.
const settle = async () => {
  for (let turn = 0; turn < 8; turn += 1) {
    if (asked) turn = 0;
    await new Promise((done) => realImmediate(done));
  }
};

// Asks the test that started this script, by a line on the one side and a line on the other.
let asked = 0;
const answers = [];
async function fetch(url, { method = "GET", body, headers = {} } = {}) {
  if (stage.offline) throw new TypeError("no network");
  if (!answers.length && !asked) startReading();
  asked += 1;
  console.log(JSON.stringify({ url: String(url), method, body: body === undefined ? null : String(body), headers }));
  const { status, text, type = "application/json" } = await new Promise((done) => answers.push(done));
  asked -= 1;
  return { status, url, ok: status < 400, text: async () => text, json: async () => JSON.parse(text), headers: { get: () => type } };
}
let reading = false;
function startReading() {
  if (reading) return;
  reading = true;
  let rest = "";
  process.stdin.on("data", (more) => {
    const lines = (rest + more).split("\n");
    rest = lines.pop();
    for (const line of lines) answers.shift()(JSON.parse(line));
  });
}

// Lets time pass, with the timers that end meanwhile.
async function pass(milliseconds) {
  const until = now + milliseconds;
  for (;;) {
    await settle();
    const next = timers.filter(({ at }) => at <= until).sort((one, other) => one.at - other.at)[0];
    if (!next) break;
    now = Math.max(now, next.at);
    if (next.every) next.at += Math.max(next.every, 1);
    else timers = timers.filter((each) => each !== next);
    next.action();
  }
  now = until;
  await settle();
}

// Returns what a reader finds in an element, line by line: "[key] text" is something to press, with its state.
const INLINE = new Set(["span", "strong", "small", "abbr", "em", "b", "i", "output", "label", "td", "th", "time"]);
function read(element) {
  const told = [""];
  const flags = (each) =>
    [
      each.getAttribute("aria-pressed") === "true" && " *",
      each.getAttribute("aria-current") && " (here)",
      each.getAttribute("aria-disabled") === "true" && " (off)",
      each.disabled && " (disabled)",
      each.getAttribute("aria-label") && ` “${each.getAttribute("aria-label")}”`,
      each.href && ` → ${each.href}`,
    ].filter(Boolean);
  const mark = (each) => (/\b(is-[\w-]+|takes|attacks|wins)\b/.exec(each.className)?.[0] ?? "").replace(/^(.+)$/, "{$1} ");
  const line = () => told.at(-1).trim() && told.push("");
  const look = (node) => {
    if (node instanceof Text) told[told.length - 1] += node.text;
    if (!(node instanceof Element) || node.hidden || node.tagName === "SCRIPT") return;
    if (node.tagName === "INPUT") {
      const ticks = ["checkbox", "radio"].includes(node.type);
      line();
      told[told.length - 1] += ticks ? `(${node.checked ? "x" : " "}) ${node.name}=${node.value} ` : `${node.name}: ${node.value || "…"}`;
      if (!ticks) line();
      return;
    }
    if (PRESSED.includes(node.tagName)) {
      line();
      const text = node.childNodes.map((each) => each.textContent).filter(Boolean).join(" | ");
      told[told.length - 1] += `[${node.dataset.key ?? node.name ?? ""}] ${mark(node)}${text}${flags(node).join("")}`;
      line();
      return;
    }
    const inline = INLINE.has(node.localName) && node.parent?.localName !== "tr";
    if (!inline && !["TD", "TH"].includes(node.tagName)) line();
    if (node.tagName === "H1") told[told.length - 1] += "# ";
    if (node.tagName === "H2") told[told.length - 1] += "## ";
    if (node.role === "alert" && node.textContent) told[told.length - 1] += "! ";
    told[told.length - 1] += mark(node);
    if (node.title) told[told.length - 1] += `(${node.title}) `;
    if (node.getAttribute("aria-label") && node.tagName !== "ABBR") told[told.length - 1] += `“${node.getAttribute("aria-label")}” `;
    const drawn = ["points", "x1", "y1", "x2", "y2", "x", "y"].map((name) => node.getAttribute(name)).filter(Boolean);
    if (drawn.length) told[told.length - 1] += `${drawn.map((each) => each.replace(/\.\d+/g, "")).join(" ")} `;
    node.childNodes.forEach(look);
    if (inline || ["TD", "TH"].includes(node.tagName)) told[told.length - 1] += " ";
    else line();
  };
  look(element);
  return told.map((each) => each.replace(/[ \n]+/g, " ").trim()).filter(Boolean);
}

// Presses what has this key, types into the field of this name, or sends a key of the keyboard.
function press(key) {
  const found = find(document, (each) => each.attributes.get("data-key") === key && each.offsetParent);
  if (!found) throw new Error(`${read(document.body).join("\n")}\nnothing to press: ${key}`);
  found.click();
}
function type(name, value) {
  const field = document.querySelectorAll("input, select, textarea").find((each) => each.name === name || each.id === name);
  if (!field) throw new Error(`no field ${name}`);
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
function tick(name, value) {
  document.querySelectorAll("input").find((each) => each.name === name && each.value === value).click();
}
function send(key, given = {}, target = document.activeElement) {
  return target.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, key, ...given }));
}

export const stage = { document, window, settle, pass, read, press, type, tick, send, Event, copied: [], selected: null, seen: null };

const around = {
  ...{ document, window, location, history, Event, Node, Element, HTMLElement: Element, Text, FormData, RadioNodeList },
  ...Object.fromEntries(
    ["Input", "Button", "Form", "Details", "Select", "Anchor"].map((name) => [
      `HTML${name}Element`,
      class extends Element {
        static [Symbol.hasInstance](each) {
          return each instanceof Element && each.tagName === (name === "Anchor" ? "A" : name.toUpperCase());
        }
      },
    ]),
  ),
  ...Object.fromEntries(kindsOfEvents),
  localStorage: new Storage(),
  sessionStorage: new Storage(),
  navigator: { language: "en", userAgent: "Linux; Android 15", clipboard: { writeText: async (text) => void stage.copied.push(text) } },
  performance: { now: () => now },
  CSS: { escape: (text) => text.replace(/["\\]/g, "\\$&") },
  Date: FakeDate,
  scrollTo() {},
  fetch,
  getSelection: () => ({ selectAllChildren: (each) => void (stage.selected = each) }),
  matchMedia: () => ({ matches: true, addEventListener() {} }),
  setTimeout: (action, wait) => later(action, wait, 0),
  setInterval: (action, wait) => later(action, wait, wait),
  clearTimeout: (id) => void (timers = timers.filter((each) => each.id !== id)),
  clearInterval: (id) => void (timers = timers.filter((each) => each.id !== id)),
  addEventListener: (...given) => window.addEventListener(...given),
  removeEventListener: (...given) => window.removeEventListener(...given),
  dispatchEvent: (event) => window.dispatchEvent(event),
  getComputedStyle: () => ({}),
  requestAnimationFrame: (action) => later(action, 16, 0),
};
for (const [name, value] of Object.entries(around)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
const { SubmitEvent, MouseEvent, KeyboardEvent } = globalThis;
window.location = location;
document.open("");
