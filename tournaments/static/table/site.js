// What this device knows of its table, and how it learns: looks at the site from time to time, hears its answers, keeps
// the last state for when there is no network. Draws nothing: `draw` is the screen's.

import { hereOf, playOf, writes } from "./model.js";
import { Unreached, ask } from "./net.js";
import { Outbox } from "./outbox.js";
import { openStore } from "./store.js";
import { clock, language, learn, say, speak } from "./words.js";

const [CALM, EAGER] = [10_000, 4_000]; // milliseconds between two looks at the site
const OLD = 3 * 24 * 3600 * 1000; // milliseconds after which a receipt is of no more use
const RESULTS = ["enter", "correct", "blind"];

export class Site {
  state = null;
  drafts = {};
  reason = null; // why the site could not be reached, if it could not
  heard = null; // the last receipt, in words
  turn = 0; // how many states have been heard
  offset = 0; // the site's clock less ours, in milliseconds
  seat = "N"; // who enters

  async recall() {
    learn(JSON.parse(document.getElementById("words").textContent));
    this.url = location.pathname;
    this.token = this.url.split("/")[2];
    this.store = await openStore();
    speak((await this.store.get("language")) ?? navigator.language.slice(0, 2));
    this.language = language;
    const place = { url: this.url, token: this.token, device: await this.identity() };
    this.outbox = new Outbox(this.store, place, (news) => this.hear(news));
    this.outbox.language = language;
    this.state = (await this.store.get(this.name("state"))) ?? null;
    this.drafts = (await this.store.get(this.name("drafts"))) ?? {};
    this.seat = (await this.store.get(this.name("seat"))) ?? "N";
    const gone = (await this.outbox.load()).filter(({ receipt, order }) => receipt && order < Date.now() - OLD);
    if (gone.length) await this.store.write({ gone: gone.map(({ key }) => key) });
  }

  name(what) {
    return `${this.token}:${what}`;
  }

  // This device's own number, the same at every table.
  async identity() {
    const kept = await this.store.get("device");
    if (kept) return kept;
    const device = hex(16);
    await this.store.write({ values: { device } });
    return device;
  }

  // What was typed under an earlier code of this table goes out under the new one: what was never sent, and what a site
  // restored from an older backup has lost.
  async adopt() {
    if (!this.state) return;
    const ours = homeOf(this.state);
    const earlier = (await this.outbox.load()).filter(
      ({ token, receipt, play, home }) =>
        token !== this.token && (home ? home === ours : !receipt && playOf(this.state, play).play),
    );
    if (!earlier.length) return;
    await this.store.write({ commands: earlier.map((command) => ({ ...command, token: this.token })) });
    await this.outbox.load();
    if (!this.reason) await this.outbox.recover(this.state, this.outbox.held);
    this.outbox.send();
  }

  // Asks for news, now and again after a while.
  async look() {
    clearTimeout(this.timer);
    const { turn } = this;
    const { held } = this.outbox;
    try {
      const stamp = this.state ? `&seen=${encodeURIComponent(this.state.stamp)}` : "";
      const state = await ask(`${this.url}state/?device=${this.outbox.place.device}${stamp}`, {
        language: this.language,
      });
      this.hear(turn === this.turn ? { state, held } : { state: null }); // older than what a receipt has brought since?
      this.outbox.send();
    } catch (error) {
      if (!(error instanceof Unreached)) throw error;
      this.hear({ reason: error.reason });
    } finally {
      clearTimeout(this.timer); // another look may have ended meanwhile
      if (!document.hidden) this.timer = setTimeout(() => this.look(), this.eager ? EAGER : CALM);
    }
  }

  // Where something is waited for: the network, or what another device writes.
  get eager() {
    return Boolean(this.reason) || !this.state || !this.writing;
  }

  // News of the site: a state (null if it has not changed), receipts, or why it was not reached.
  // `held`: the receipts held when it was asked, unless the answer is not to be believed about them.
  hear({ state, reason = null, received = [], held }) {
    if (state !== undefined || reason) this.reason = reason;
    if (state) {
      this.turn += 1;
      this.state = state;
      this.offset = new Date(state.now) - Date.now();
      this.store.write({ values: { [this.name("state")]: this.state } });
    }
    if (state !== undefined && held) this.outbox.recover(this.state, held);
    for (const { kind, play, receipt } of received) {
      if (receipt.status !== "received" || !RESULTS.includes(kind)) continue;
      const { etui } = playOf(this.state, play).play ?? {};
      this.heard = say("receipt_of", { etui, number: receipt.number, time: clock(receipt.at) });
    }
    this.draw();
  }

  get writing() {
    return writes(this.state, this.outbox.commands);
  }

  // How a call for the arbiter stands: kept here and unheard, calls, coming (a director has said so), or "".
  get call() {
    const asked = this.outbox.waiting.filter(({ kind }) => kind === "call" || kind === "uncall").at(-1);
    if (asked) return asked.kind === "call" ? "kept" : "";
    const { call } = this.state ?? {};
    return call ? (call.coming ? "coming" : "calls") : "";
  }

  get here() {
    return hereOf(this.state, this.outbox.commands);
  }

  command(command, values) {
    return this.outbox.add([{ key: uuid(), home: homeOf(this.state), ...command }], values);
  }
}

// Which table of which session it is, whatever code opens it.
const homeOf = (state) => `${state.session.address}#${state.table}`;

const hex = (count) =>
  [...crypto.getRandomValues(new Uint8Array(count))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

// A random UUID, version 4. The browser has its own on secure pages only, and a hall's laptop may serve plain ones.
function uuid() {
  const digits = [...hex(16)];
  digits[12] = "4";
  digits[16] = "89ab"[parseInt(digits[16], 16) & 3];
  return digits.join("").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
