// Holds what this device knows about its table. It asks the site every few seconds, takes in its answers, and stores
// the last state for times without network. It draws nothing, but calls `changed`.

import { hereOf, numberOf, playOf, withoutNames, writes } from "../state/model.js";
import { Unreached, ask } from "./net.js";
import { Outbox } from "./outbox.js";
import { hex, nameAt } from "./store.js";
import { clock, language, say, speak } from "../words.js";

/** @typedef {import("../../../../evenings/tables/screen").Line} Line */
/** @typedef {import("../../../../evenings/tables/screen").State} State */

const CALM = 10_000; // milliseconds between two requests for news
const EAGER = 4_000;
const OLD = 3 * 24 * 3600 * 1000; // milliseconds after which a receipt is deleted
const LIFE = 36 * 3600 * 1000; // milliseconds after which every table's code has expired
const RESULTS = ["enter", "correct", "blind"];

export class Site {
  /** @type {State | null} */
  last = null; // the last state from the site, or null
  /** @type {import("./net.js").Reason | null} */
  reason = null; // the reason why the site was not reached, or null
  /** @type {string | null} */
  heard = null; // the last receipt as a sentence
  offset = 0; // the site's time minus this device's time, in milliseconds
  /** @type {Line} */
  seat = "N"; // the line of the player who enters results
  asks = true; // whether this device asks for the opening lead after each result
  #turn = 0; // the number of states received so far
  #store;
  #place;
  #changed;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {import("./store.js").Store} store @param {import("./outbox.js").Place} place
   * @param {() => void} changed
   */
  constructor(store, place, changed) {
    this.#store = store;
    this.#place = place;
    this.#changed = changed;
    this.outbox = new Outbox(store, place, (news) => this.hear(news));
  }

  // Reads what was stored when this page was last open.
  async recall() {
    this.outbox.language = language;
    await this.#forgetEvenings();
    this.last = (await this.#store.get(this.#name("state"))) ?? null;
    this.seat = (await this.#store.get(this.#name("seat"))) ?? "N";
    this.asks = (await this.#store.get(this.#name("asks"))) ?? true;
    const gone = (await this.outbox.load()).filter(({ receipt, order }) => receipt && order < Date.now() - OLD);
    if (gone.length) await this.#store.write({ gone: gone.map(({ key }) => key) });
  }

  // Deletes the players' names of tables whose code has expired.
  async #forgetEvenings() {
    const forgotten = [];
    for (const name of await this.#store.names()) {
      if (!name.endsWith(":heard") || (await this.#store.get(name)) > Date.now() - LIFE) continue;
      forgotten.push(name, nameAt(name.slice(0, -":heard".length), "state"));
    }
    if (forgotten.length) await this.#store.write({ forgotten });
  }

  /** @param {string} what */
  #name(what) {
    return nameAt(this.#place.token, what);
  }

  // The last state, for callers that are only called when there is one.
  get state() {
    if (!this.last) throw new Error("nothing is known of the table yet");
    return this.last;
  }

  get commands() {
    return this.outbox.commands;
  }

  // True if the typed values survive a reload.
  get durable() {
    return this.#store.durable;
  }

  // Moves the commands of an earlier code of this table to the new code: those that were never sent, and those that the
  // site has lost because it was restored from an older backup.
  async adopt() {
    const { last } = this;
    if (!last) return;
    const ours = homeOf(last);
    const earlier = (await this.outbox.load()).filter(
      ({ token, receipt, play, home }) =>
        token !== this.#place.token && (home ? home === ours : !receipt && playOf(last, play).play),
    );
    if (!earlier.length) return;
    await this.#store.write({ commands: earlier.map((command) => ({ ...command, token: this.#place.token })) });
    await this.outbox.load();
    if (!this.reason) await this.outbox.recover(this.state, this.outbox.held);
    this.outbox.send();
  }

  // Asks the site for news now, and again after some seconds.
  async look() {
    clearTimeout(this.#timer);
    const turn = this.#turn;
    const { held } = this.outbox;
    try {
      const stamp = this.last ? `&seen=${encodeURIComponent(this.last.stamp)}` : "";
      const address = `${this.#place.url}state/?device=${this.#place.device}${stamp}`;
      const state = /** @type {State | null} */ (await ask(address, { language }));
      const newer = turn !== this.#turn; // a newer state has come with a receipt meanwhile
      this.hear(newer ? { state: null } : { state, held });
      this.outbox.send();
    } catch (error) {
      if (!(error instanceof Unreached)) throw error;
      this.hear({ reason: error.reason });
    } finally {
      clearTimeout(this.#timer); // another request for news may have ended meanwhile
      if (!document.hidden) this.#timer = setTimeout(() => this.look(), this.#eager ? EAGER : CALM);
    }
  }

  // True if the screen waits for something: for the network, or for another device.
  get #eager() {
    return Boolean(this.reason) || !this.last || !this.writing;
  }

  /** @param {import("./outbox.js").News} news */
  hear({ state, reason = null, received = [], held }) {
    const before = this.last;
    if (state !== undefined || reason) this.reason = reason;
    if (state) {
      this.#turn += 1;
      this.last = state;
      this.offset = Date.parse(state.now) - Date.now();
      this.#keep(state);
    }
    if (reason === "gone" && this.last?.stamp) this.#keep((this.last = withoutNames(this.last)));
    if (state !== undefined && held && this.last) this.outbox.recover(this.last, held, before);
    if (state && !state.session.closed) this.outbox.reopen();
    for (const { kind, play, receipt } of received) {
      if (receipt.status !== "received" || !RESULTS.includes(kind)) continue;
      const { play: told } = playOf(this.state, play);
      const etui = told && numberOf(told);
      this.heard = say("receipt_of", { etui, number: receipt.number, time: clock(receipt.at) });
    }
    this.#changed();
  }

  // Stores the state with this device's time, which may differ from the site's.
  /** @param {State} state */
  #keep(state) {
    this.#store.write({ values: { [this.#name("state")]: state, [this.#name("heard")]: Date.now() } });
  }

  get writing() {
    return !this.state.session.closed && writes(this.state, this.commands);
  }

  // The state of the call for the arbiter: not sent yet, "calls", "coming" (a director has answered), or "".
  get call() {
    const asked = this.outbox.waiting.filter(({ kind }) => kind === "call" || kind === "uncall").at(-1);
    if (asked) return asked.kind === "call" ? "kept" : "";
    const call = this.last?.call;
    return call ? (call.coming ? "coming" : "calls") : "";
  }

  get here() {
    return hereOf(this.state, this.commands);
  }

  /** @param {import("./outbox.js").Fresh} command @param {import("./store.js").Values} [values] kept with it */
  command(command, values) {
    return this.outbox.add([{ key: uuid(), home: homeOf(this.state), ...command }], values);
  }

  // Stores several commands at once: all of them or none.
  /** @param {import("./outbox.js").Fresh[]} commands */
  commandAll(commands) {
    return this.outbox.add(commands.map((command) => ({ key: uuid(), home: homeOf(this.state), ...command })));
  }

  /** @param {string} wanted */
  speak(wanted) {
    speak(wanted);
    this.outbox.language = wanted;
    this.heard = null;
    this.#store.write({ values: { language: wanted } });
    this.#changed();
    this.look();
  }

  /** @param {Line} line */
  sit(line) {
    this.seat = line;
    this.#store.write({ values: { [this.#name("seat")]: line } });
    this.#changed();
  }

  /** @param {boolean} wanted */
  askLeads(wanted) {
    this.asks = wanted;
    this.#store.write({ values: { [this.#name("asks")]: wanted } });
    this.#changed();
  }
}

// Returns a name for this table of this session, the same for all codes that open it.
/** @param {State} state */
const homeOf = (state) => `${state.session.address}#${state.table}`;

// Returns a random UUID, version 4. Browsers offer their own function only with https, which a laptop in a hall may
// lack.
function uuid() {
  const digits = [...hex(16)];
  digits[12] = "4";
  digits[16] = "89ab"[parseInt(digits[16], 16) & 3];
  return digits.join("").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
