// Sends what the table typed, in its order, until the site's own receipt for it is in. Draws nothing.
//
// A command is kept before it is sent, and sent again under the same key until its receipt is kept too, so that an
// answer lost on the way costs nothing. One that follows another (`after`: the check of an entry, its correction) waits
// for that one's receipt: it is about the version which the site has given it, and about no other.

import { stopOf } from "../state/model.js";
import { Unreached, ask } from "./net.js";

const BATCH = 20;
const KEPT = ["enter", "correct", "blind", "check"]; // what the site keeps under its sender's number
const CLOSED = "session_closed";
const OFTEN = 5; // a receipt is doubted so many times at most
const LEASE = 20_000; // milliseconds, more than one request may take
const [FIRST, LONGEST] = [2_000, 30_000]; // milliseconds between two attempts

/** @typedef {import("../../../tables/screen").Command} Command */
/** @typedef {import("../../../tables/screen").Receipt} Receipt */
/** @typedef {import("../../../tables/screen").State} State */
/** @typedef {import("../state/model.js").Kept} Kept */
/** @typedef {{ url: string, token: string, device: string }} Place */
/** @typedef {Omit<Kept, "key" | "token" | "order" | "at">} Fresh a command before it is kept */
/** @typedef {Kept & { receipt: Receipt }} Received */

/**
 * @typedef News of the site: a state (null if it has not changed), receipts, or why it was not reached
 * @property {State | null} [state]
 * @property {import("./net.js").Reason | null} [reason]
 * @property {Received[]} [received]
 * @property {Set<string>} [held] the receipts held when it was asked, where the answer is to be believed about them
 */

export class Outbox {
  /** @type {Kept[]} */
  commands = [];
  language = "fr";
  #store;
  #report;
  #holder = tab();
  #busy = false;
  #again = false;
  #wait = FIRST;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  // `report` is told whenever something changed.
  /** @param {import("./store.js").Store} store @param {Place} place @param {(news: News) => void} report */
  constructor(store, place, report) {
    this.#store = store;
    this.place = place;
    this.#report = report;
  }

  async load() {
    const all = await this.#store.commands();
    this.commands = all.filter((command) => command.token === this.place.token).sort((a, b) => a.order - b.order);
    return all;
  }

  get waiting() {
    return this.commands.filter((command) => !command.receipt);
  }

  // The keys of what this device has a receipt for. Those held when a state was asked for are what it must know of,
  // whatever the site's clock says: a laptop's may fall back in a power cut.
  get held() {
    return new Set(this.commands.filter(({ receipt }) => receipt).map(({ key }) => key));
  }

  // Keeps commands, and in the same moment the values given; then sends. Resolves once they are kept.
  /** @param {(Fresh & { key: string })[]} commands @param {import("./store.js").Values} [values] */
  async add(commands, values) {
    const order = Math.max(Date.now(), (this.commands.at(-1)?.order ?? 0) + 1);
    const kept = commands.map((command, index) => {
      const { token } = this.place;
      /** @type {Kept} */
      const one = { ...command, token, order: order + index, at: new Date().toISOString() };
      return one;
    });
    await this.#store.write({ commands: kept, values });
    this.commands.push(...kept);
    this.#report({});
    this.send();
  }

  /** @param {Kept} command */
  async change(command) {
    await this.#store.write({ commands: [command] });
    await this.load();
    this.#report({});
    this.send();
  }

  // What this device has a receipt for and the site no longer knows, after a power cut or with a restored backup, waits
  // again: under its own number, so that nothing is doubled, and until the publication, after which nothing is awaited.
  // `held` when the state was asked for.
  /** @param {State} state @param {Set<string>} held */
  async recover(state, held) {
    if (state.session.published) return;
    const known = new Set(state.stops.flatMap(({ plays }) => plays.flatMap(({ keys }) => keys)));
    const anew = this.commands.flatMap((command) => {
      const lost = held.has(command.key) && !known.has(command.key.slice(0, 8));
      const play = lost ? playOfReceipt(state, command) : null;
      if (!play || (command.kind === "check" && this.#resolved(command).version !== play.version)) return [];
      const { receipt: _, ...unsent } = command;
      return { ...unsent, play: play.id, again: true, times: (command.times ?? 0) + 1 };
    });
    if (!anew.length) return;
    await this.#store.write({ commands: anew });
    await this.load();
    this.#report({});
    this.send();
  }

  // What was refused because the evening was closed waits again once it is open.
  async reopen() {
    const closed = this.commands.filter(({ receipt }) => receipt && "code" in receipt && receipt.code === CLOSED);
    if (!closed.length) return;
    await this.#store.write({ commands: closed.map(({ receipt: _, ...unsent }) => unsent) });
    await this.load();
    this.#report({});
    this.send();
  }

  // Sends everything that waits; one at a time, whoever asks. A failure is tried again later, each time a little later.
  async send() {
    clearTimeout(this.#timer);
    this.#again = true;
    if (this.#busy) return;
    this.#busy = true;
    try {
      while (this.#again) {
        this.#again = false; // until somebody asks meanwhile
        while (await this.#sendSome());
      }
      this.#wait = FIRST;
    } catch (error) {
      this.#timer = setTimeout(() => this.send(), this.#wait * (0.75 + Math.random() / 2));
      this.#wait = Math.min(this.#wait * 2, LONGEST);
      if (!(error instanceof Unreached)) throw error;
      this.#report({ reason: error.reason });
    } finally {
      this.#busy = false;
    }
  }

  // True if there may be more to send.
  async #sendSome() {
    await this.load(); // another tab may have sent some
    await this.#drop();
    const batch = this.waiting.filter((command) => this.#ready(command)).slice(0, BATCH);
    if (!batch.length) return false;
    if (!(await this.#store.lease(this.#holder, LEASE))) {
      this.#timer = setTimeout(() => this.send(), FIRST);
      return false;
    }
    try {
      const commands = batch.map((command) => bare(this.#resolved(command)));
      /** @type {import("../../../tables/screen").Sending} */
      const body = { device: this.place.device, commands };
      const { held } = this;
      /** @type {Partial<import("./net.js").Answer>} */
      const { receipts, state } = (await ask(`${this.place.url}send/`, { language: this.language, body })) ?? {};
      const received = batch.flatMap((command) => {
        const receipt = receipts?.find(({ key }) => key === command.key);
        return receipt ? answered(command, receipt) : [];
      });
      if (!received.length) throw new Unreached(receipts ? "trouble" : "portal");
      await this.#store.write({ commands: received });
      await this.load();
      this.#report({ state, received, held });
    } finally {
      await this.#store.lease(this.#holder, 0);
    }
    return true;
  }

  /** @param {Kept} command */
  #parent(command) {
    return this.commands.find(({ key }) => key === command.after);
  }

  /** @param {Kept} command */
  #ready(command) {
    return !command.after || settled(this.#parent(command)?.receipt);
  }

  // About the version that the site gave the entry; the correction of what it did not take is an entry of its own.
  /** @param {Kept} command @returns {Kept} */
  #resolved(command) {
    const receipt = command.after && this.#parent(command)?.receipt;
    if (!receipt) return command;
    const { status, version } = receipt;
    if (command.kind === "check") return { ...command, version: version ?? undefined };
    if (command.kind === "correct")
      return status === "received" ? { ...command, seen_version: version } : { ...command, kind: "enter" };
    return command;
  }

  // The check of what the site did not take means nothing.
  async #drop() {
    const lost = this.waiting.filter(
      (command) => command.kind === "check" && command.after && this.#ready(command) && !taken(this.#parent(command)),
    );
    if (!lost.length) return;
    /** @type {Kept[]} */
    const dropped = lost.map((command) => ({ ...command, receipt: { status: "dropped", dismissed: true } }));
    await this.#store.write({ commands: dropped });
    await this.load();
  }
}

// The play whose result the site has taken by this command and should hold; found by position and étui, for it may
// have another id by now. What only said the same as a result that was there is missed where that one is gone too.
/** @param {State} state @param {Kept} command */
function playOfReceipt(state, { kind, receipt, position, etui, times = 0 }) {
  if (!receipt || !KEPT.includes(kind) || times >= OFTEN) return null;
  const play = position && stopOf(state, position)?.plays.find((one) => one.etui === etui);
  return play && (receipt.stored || (receipt.status === "received" && !play.keys.length)) ? play : null;
}

// What came of a command; one that came again and is another étui's by now is where it belongs.
/** @param {Kept} command @param {Receipt} receipt @returns {Received} */
const answered = (command, receipt) =>
  command.again && receipt.code === "key_used"
    ? { ...command, times: OFTEN, receipt: { ...receipt, status: "received" } }
    : { ...command, receipt };

// This tab's own number, which a reload in the middle of a request does not change.
function tab() {
  const fresh = String(crypto.getRandomValues(new Uint32Array(1))[0]);
  try {
    return /** @type {string} */ (sessionStorage.tab ??= fresh);
  } catch {
    return fresh; // a browser that keeps nothing
  }
}

// A question waits for the table's answer, and what follows it waits too.
/** @param {Kept["receipt"]} receipt */
const settled = (receipt) => Boolean(receipt && receipt.status !== "question");

/** @param {Kept | undefined} command */
const taken = (command) => command?.receipt?.status === "received";

// A command as it travels: without what only this device needs to know.
/** @param {Kept} command @returns {Command} */
function bare({ token: _, order: _1, after: _2, receipt: _3, home: _4, times: _5, ...command }) {
  return command;
}
