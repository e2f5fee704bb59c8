// The table of the page: sends what is pressed, draws the answer, and tells what has happened.

import { isChosen, offerChoices } from "./choices.js";
import { listenForDrags } from "./drag.js";
import { listCards, moveInHand, setTabStop } from "./hand.js";
import { tick } from "./left.js";
import { Motion, measureHand } from "./motion.js";
import { SiteAway, askTable } from "./net.js";

/** @typedef {import("./net.js").Answer} Answer */

const THINKS = 150; // milliseconds after which bots that still think are asked again
const FIRST_TRY = 1000; // milliseconds before a move is sent again; each time longer
const LAST_TRY = 8000;

export class RoomTable {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.motion = new Motion();
    this.isBusy = false;
    this.tabStop = 0;
    /** @type {HTMLElement | null} */
    this.lifted = null; // the card that waits for its second tap
    this.isByKey = false;
    this.wanted = ""; // the button that was pressed by a key while cards moved
  }

  /** @returns {HTMLFormElement} */
  get form() {
    return /** @type {HTMLFormElement} */ (this.root.querySelector("[data-play]"));
  }

  // Returns the place for the reader's own card.
  /** @returns {HTMLElement | null} */
  get ownSlot() {
    return this.form.querySelector("[data-slot][data-own]");
  }

  begin() {
    offerChoices();
    this.root.addEventListener("submit", (event) => this.press(event));
    this.root.addEventListener("change", () => this.count());
    this.root.addEventListener("pointerdown", () => this.skip(), true);
    document.addEventListener("keydown", (event) => this.key(event));
    this.root.addEventListener("focusin", ({ target }) => this.follow(target));
    listenForDrags(this.root, (button) => this.isBusy || this.make(button));
    // The étui may have gone on from another device in between.
    document.addEventListener("visibilitychange", () => document.hidden || this.lookAgain());
    this.settle();
    if (this.form.dataset.thinking === "yes") this.goOn();
  }

  /** @param {SubmitEvent} event */
  press(event) {
    const button = event.submitter;
    event.preventDefault();
    if (!(button instanceof HTMLButtonElement) || !button.name) return;
    if (this.isBusy) {
      if (!this.isByKey) return;
      this.motion.skip();
      this.wanted = button.dataset.key ?? "";
      return;
    }
    if (button.dataset.card !== undefined && isChosen("twoTaps") && this.lifted !== button) {
      this.lift(button);
      return;
    }
    this.make(button);
  }

  // Ends what is being shown, when the reader presses anywhere. Only a key also chooses a card meanwhile.
  skip() {
    this.isByKey = false;
    if (this.isBusy) this.motion.skip();
  }

  // Presses the button that a key has chosen while cards moved, if it still may be pressed.
  takeWanted() {
    const key = this.wanted;
    this.wanted = "";
    const button = key ? this.form.querySelector(`button[data-key="${CSS.escape(key)}"]`) : null;
    if (button instanceof HTMLButtonElement && button.getAttribute("aria-disabled") !== "true") button.click();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    this.isByKey = true;
    if (event.key === "Escape") {
      if (this.isBusy) this.motion.skip();
      for (const opened of this.root.querySelectorAll("details[open]")) opened.removeAttribute("open");
      this.lift(null);
    } else if (this.root.contains(document.activeElement)) {
      moveInHand(this.form, event);
    }
  }

  // Remembers which card of the hand has the focus.
  /** @param {EventTarget | null} target */
  follow(target) {
    const at = listCards(this.form).indexOf(/** @type {HTMLElement} */ (target));
    if (at < 0) return;
    this.tabStop = at;
    setTabStop(this.form, at);
  }

  // Lifts the card that wants a second tap, and lowers the one that was lifted before.
  /** @param {HTMLElement | null} button */
  lift(button) {
    this.lifted?.classList.remove("is-lifted");
    if (this.lifted && !button) this.say("");
    this.lifted = button;
    button?.classList.add("is-lifted");
    if (button) this.say(this.root.dataset.saidTwice ?? "");
  }

  // Sends the move of a button. A legal card lies on the table at once; if it is refused, it goes back.
  /** @param {HTMLButtonElement} button */
  async make(button) {
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(this.form)) body.append(name, String(value));
    body.append(button.name, button.value);
    this.lift(null);
    if (button.name === "do") button.closest("details")?.removeAttribute("open");
    const isCard = button.dataset.card !== undefined && button.getAttribute("aria-disabled") !== "true";
    const drawing = button.querySelector("svg");
    if (isCard && drawing) {
      this.motion.skips = false;
      this.motion.lay(this.form, this.ownSlot?.dataset.slot ?? "", drawing, drawing.getBoundingClientRect());
      button.classList.add("is-away");
    }
    await this.send(body, () => {
      button.classList.remove("is-away");
      if (isCard) this.ownSlot?.replaceChildren();
    });
  }

  // Asks for the table again, unless an answer is on its way.
  lookAgain() {
    if (!this.isBusy) this.send(undefined, () => {});
  }

  // Asks for the table again, because the bots were still thinking.
  async goOn() {
    await new Promise((done) => setTimeout(done, THINKS));
    await this.send(undefined, () => {});
  }

  // Sends a move until the site answers, and draws the answer. `undo` takes back what the page has shown already.
  /** @param {URLSearchParams | undefined} body @param {() => void} undo */
  async send(body, undo) {
    this.setBusy(true);
    const etui = new FormData(this.form).get("etui");
    const isWhole = body || this.form.action.includes("?"); // the address of a trial has all of it
    const url = isWhole ? this.form.action : `${this.form.action}?etui=${etui}`;
    const answer = await this.askUntilAnswered(url, body);
    if (answer.go) {
      location.assign(answer.go);
      return;
    }
    if (answer.refused && !answer.html) {
      undo();
      this.setBusy(false);
      this.refuse(answer.refused);
      return;
    }
    await this.draw(answer);
    if (this.form.dataset.thinking === "yes") {
      this.goOn();
    } else {
      this.setBusy(false);
      this.takeWanted();
    }
  }

  // Returns the site's answer. Without network it says so, and tries again with the same fields.
  /** @param {string} url @param {URLSearchParams | undefined} body @returns {Promise<Answer>} */
  async askUntilAnswered(url, body) {
    for (let wait = FIRST_TRY; ; wait = Math.min(2 * wait, LAST_TRY)) {
      try {
        const answer = await askTable(url, body);
        if (this.root.dataset.away) this.say("");
        delete this.root.dataset.away;
        return answer;
      } catch (error) {
        if (!(error instanceof SiteAway)) throw error;
        this.root.dataset.away = "yes";
        this.say(this.root.dataset.saidOffline ?? "");
        await untilOnlineOr(wait);
      }
    }
  }

  /** @param {Answer} answer */
  async draw(answer) {
    const [old, fresh] = [this.form, formOf(answer.html ?? "")];
    const isSame = old.dataset.length === fresh?.dataset.length && old.dataset.state === fresh?.dataset.state;
    if (!fresh || (isSame && !answer.conflict)) return;
    const hadFocus = old.contains(document.activeElement);
    const inHand = hadFocus && document.activeElement?.closest("[data-hand]") !== null;
    const key = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.key : undefined;
    const news = this.findNews(old, fresh);
    const [before, after] = [Number(old.dataset.trick), Number(fresh.dataset.trick)];
    this.motion.skips = false;
    if (after === before + 1 && !answer.conflict) await this.motion.finishTrick(old, fresh);
    const known = new Set(after === before ? seatsWithCards(old) : []);
    const boxes = measureHand(old);
    const lifted = this.lifted?.dataset.key;
    const isSameQuestion = old.dataset.length === fresh.dataset.length && old.dataset.kind === fresh.dataset.kind;
    if (isSameQuestion) keepChoices(old, fresh);
    old.replaceWith(fresh);
    this.settle();
    if (isSameQuestion && lifted) this.lift(fresh.querySelector(`[data-key="${CSS.escape(lifted)}"]`));
    this.motion.slide(boxes, fresh);
    const isOtherScreen = old.dataset.kind !== fresh.dataset.kind;
    if (isOtherScreen && this.root.getBoundingClientRect().top < 0) this.root.scrollIntoView({ block: "start" });
    if (hadFocus) this.focus(key, inHand);
    await this.motion.showNewCards(fresh, known);
    this.tell(news);
  }

  // Prepares a new drawing: the stop of the Tab key, and the count of the écart.
  settle() {
    this.lifted = null;
    setTabStop(this.form, this.tabStop);
    this.count();
    tick();
  }

  // Shows how many cards are ticked for the écart.
  count() {
    const place = this.form.querySelector("[data-count]");
    if (!(place instanceof HTMLElement)) return;
    const ticked = this.form.querySelectorAll("input[name=ecart]:checked").length;
    place.textContent = `${ticked}/${place.dataset.of}`;
  }

  // Gives the focus to what had it before, to the hand, or to the question.
  /** @param {string | undefined} key @param {boolean} inHand */
  focus(key, inHand) {
    const same = key && !inHand ? this.form.querySelector(`[data-key="${CSS.escape(key)}"]`) : null;
    const stop = this.form.querySelector("[data-hand] [data-card][tabindex='0']");
    const first = this.form.querySelector(".bids button, [data-key=next]");
    const target = same ?? (inHand || !first ? stop : first) ?? first ?? this.form.querySelector("[data-asked]");
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }

  // Returns the sentences about what the new drawing knows and the old one did not: bids, announcements, the trick.
  /** @param {HTMLElement} old @param {HTMLElement} fresh */
  findNews(old, fresh) {
    const news = toldIn(fresh).slice(toldIn(old).length);
    if (old.dataset.trick !== fresh.dataset.trick) news.push(...this.sayTrick(fresh));
    return news;
  }

  // Returns the last trick in words.
  /** @param {HTMLElement} form */
  sayTrick(form) {
    const { saidCard = "", saidTrick = "" } = this.root.dataset;
    const cards = [...form.querySelectorAll(".last-trick [data-played]")].map((card) =>
      saidCard
        .replace("SEAT", card.querySelector("abbr")?.title ?? "")
        .replace("CARD", card.querySelector("svg")?.getAttribute("aria-label") ?? ""),
    );
    const won = form.querySelector(".last-trick [data-won]")?.textContent?.trim().replace(/\s+/g, " ") ?? "";
    return [saidTrick.replace("NUMBER", String(Number(form.dataset.trick) - 1)), ...cards, won];
  }

  /** @param {string[]} news */
  tell(news) {
    const place = document.querySelector("[data-news]");
    const asked = this.form.querySelector("[data-asked]")?.textContent?.trim() ?? "";
    const refused = this.form.querySelector("[data-refused]")?.textContent?.trim() ?? "";
    if (place) place.textContent = [...news, refused, asked].filter(Boolean).join(" ");
  }

  // Says why a move was refused, or that the table has changed.
  /** @param {string} text */
  refuse(text) {
    this.say(text, "alert");
  }

  /** @param {string} text */
  say(text, role = "status") {
    const place = this.form.querySelector("[data-refused]");
    if (!place) return;
    place.setAttribute("role", role);
    place.textContent = text;
  }

  /** @param {boolean} busy */
  setBusy(busy) {
    this.isBusy = busy;
    this.root.toggleAttribute("data-busy", busy);
  }
}

/** @param {string} html */
function formOf(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content.querySelector("form");
}

// Copies what the player has ticked and opened into a new drawing of the same question: a phrase of somebody else, for
// example, draws the table again in the middle of an écart.
/** @param {HTMLElement} old @param {HTMLElement} fresh */
function keepChoices(old, fresh) {
  for (const box of fresh.querySelectorAll("input[type=checkbox]")) {
    const same = `input[name="${box.getAttribute("name")}"][value="${box.getAttribute("value")}"]`;
    const before = old.querySelector(same);
    if (box instanceof HTMLInputElement && before instanceof HTMLInputElement) box.checked = before.checked;
  }
  const [before, after] = [old.querySelectorAll("details"), fresh.querySelectorAll("details")];
  if (before.length !== after.length) return;
  after.forEach((each, place) => {
    each.open = before[place].open;
  });
}

/** @param {ParentNode} form */
const toldIn = (form) => [...form.querySelectorAll("[data-told] > li")].map((item) => item.textContent?.trim() ?? "");

/** @param {ParentNode} form */
const seatsWithCards = (form) =>
  [.../** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-slot]"))]
    .filter((slot) => slot.childElementCount)
    .map((slot) => slot.dataset.slot ?? "");

/** @param {number} wait @returns {Promise<void>} */
const untilOnlineOr = (wait) =>
  new Promise((done) => {
    const go = () => {
      clearTimeout(timer);
      removeEventListener("online", go);
      done();
    };
    const timer = setTimeout(go, wait);
    addEventListener("online", go);
  });
