// The table's screen: which question is shown, and how it is drawn. Each step is an entry of the browser's history, so
// that its back button goes one question back; a question whose draft is gone shows the result instead.

import { Deeds } from "./deeds.js";
import { arrive, h, put } from "./dom.js";
import { entry } from "./entry.js";
import { header, status, tick } from "./header.js";
import { known, playOf } from "./model.js";
import { foot, join, menu, nothing } from "./other.js";
import { check, disagree, elsewhere, play } from "./play.js";
import { order, position } from "./position.js";
import { keepShell } from "./shell.js";
import { say, speak } from "./words.js";

const SCREENS = { position, order, entry, play, check, disagree, elsewhere, join, menu, nothing };
const CHECKS = ["check", "disagree", "elsewhere"];

class App extends Deeds {
  told = ""; // why the answer on this screen is refused
  shown = "";
  keys = null;
  pressed = false; // a finger is down: nothing is drawn under it
  late = false; // something is to be drawn once it is up

  async start() {
    await this.recall();
    addEventListener("popstate", () => this.step());
    addEventListener("online", () => this.look());
    addEventListener("offline", () => this.hear({ reason: "offline" }));
    addEventListener("pointerdown", () => (this.pressed = true));
    for (const up of ["pointerup", "pointercancel"]) addEventListener(up, () => this.release());
    addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("visibilitychange", () => document.hidden || this.look());
    setInterval(() => tick(this), 1000);
    this.draw();
    await this.look();
    await this.adopt();
    await keepShell();
  }

  get view() {
    const asked = history.state?.name ? history.state : { name: "position" };
    if (asked.name === "menu") return asked;
    if (!this.state) return { name: "nothing" };
    if (!known(this.state, this.outbox.commands)) return { name: "join" };
    if (asked.play && !playOf(this.state, asked.play).play) return { name: "position" };
    const result = { name: "play", play: asked.play };
    if (asked.name === "entry" && !this.drafts[asked.play]) return result;
    if (CHECKS.includes(asked.name) && !this.awaits(asked.play)) return result;
    return asked;
  }

  go(view, { replace = false } = {}) {
    this.told = "";
    const depth = (history.state?.depth ?? 0) + (replace ? 0 : 1);
    history[replace ? "replaceState" : "pushState"]({ ...view, depth }, "");
    this.draw();
  }

  back() {
    this.told = "";
    if (history.state?.depth) history.back();
    else this.home();
  }

  // Questions whose draft is gone all show the result: one step of the browser's history passes them by.
  step() {
    if (history.state?.depth && this.nameOf(this.view) === this.shown) history.back();
    else this.draw();
  }

  // The same for two views that are the same screen.
  nameOf(view) {
    return JSON.stringify([{ ...view, depth: 0 }, this.language]);
  }

  home() {
    this.go({ name: "position" });
  }

  tell(problem) {
    this.told = problem;
    this.draw();
  }

  release() {
    this.pressed = false;
    if (this.late) setTimeout(() => this.draw()); // after the click that this was
  }

  draw() {
    this.late = this.pressed;
    if (this.late) return;
    const view = this.view;
    const screen = SCREENS[view.name](this, view);
    const shown = this.nameOf(view);
    const fresh = shown !== this.shown;
    const heading = h("h1", { tabindex: "-1", "data-key": "heading" }, screen.title);
    put(document.getElementById("head"), header(this, view).filter(Boolean), fresh);
    put(document.getElementById("screen"), [heading, ...[screen.body].flat(Infinity).filter(Boolean)], fresh);
    put(document.getElementById("foot"), foot(this, view).filter(Boolean), fresh);
    if (fresh) arrive(heading);
    this.drawStatus();
    document.title = `${screen.title} · ${this.state ? say("table", { table: this.state.table }) : "Topage"}`;
    this.keys = screen.keys;
    this.shown = shown;
    tick(this);
  }

  // Changed in place: it is read out when its words change, and only then.
  drawStatus() {
    const { kind, text } = status(this);
    const line = document.getElementById("status");
    line.className = `state state-${kind}`;
    if (line.textContent !== text) line.textContent = text;
  }

  key(event) {
    if (!this.keys || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" && event.target.closest("button, a")) return;
    this.keys(event.key);
  }

  speak(wanted) {
    speak(wanted);
    this.outbox.language = this.language = wanted;
    this.heard = null;
    this.store.write({ values: { language: wanted } });
    this.draw();
    this.look();
  }

  sit(line) {
    this.seat = line;
    this.store.write({ values: { [this.name("seat")]: line } });
    this.draw();
  }

  async leave() {
    await this.command({ kind: "leave" });
    this.home();
  }

  async join(kind) {
    navigator.storage?.persist?.();
    await this.command({ kind, name: make() });
    this.go({ name: "position" }, { replace: true });
  }
}

// What kind of device this is, in a word that its owner knows it by.
const MAKES = { iPhone: "iPhone", iPad: "iPad", Android: "Android", Windows: "PC", CrOS: "Chromebook", Mac: "Mac", Linux: "PC" };
const make = () => Object.entries(MAKES).find(([sign]) => navigator.userAgent.includes(sign))?.[1] ?? "";

new App().start();
