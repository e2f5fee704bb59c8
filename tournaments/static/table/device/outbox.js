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
const LOST = ["nothing_to_check", "corrected_meanwhile"]; // what a site says that has lost the result to be checked
const OFTEN = 5; // a receipt is doubted so many times at most
const LEASE = 20_000; // milliseconds, more than one request may take
const [FIRST, LONGEST] = [2_000, 30_000]; // milliseconds between two attempts

/** @typedef {import("../../../tables/screen").Command} Command */
/** @typedef {import("../../../tables/screen").Play} Play */
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
  // `held` when the state was asked for, `before` the state heard before it.
  /** @param {State} state @param {Set<string>} held @param {State | null} [before] */
  async recover(state, held, before = null) {
    if (state.session.published) return;
    const known = new Set(state.stops.flatMap(({ plays }) => plays.flatMap(({ keys }) => keys)));
    const call = before && this.#callLost(before, state);
    const anew = this.commands.flatMap((command) => {
      const { receipt, ...unsent } = command;
      if (!receipt || !held.has(command.key) || known.has(command.key.slice(0, 8))) return [];
      const times = (command.times ?? 0) + 1;
      if (times > OFTEN) return [];
      if (command === call) return { ...unsent, again: true, times };
      const play = playOfCommand(state, command);
      if (!play || !this.#isLost(command, receipt, play, state, known)) return [];
      const at = command.kind === "start" ? (receipt.at ?? command.at) : command.at; // by the site's own word
      return { ...unsent, play: play.id, at, again: true, times };
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

  // Whether what was done by a command is missed in the state of its play. What only said the same as a result that was
  // there is missed where that one is gone too; a check that the site refused, where it had lost what this phone had
  // entered and has it again by now.
  /**
   * @param {Kept} command @param {NonNullable<Kept["receipt"]>} receipt @param {Play} play @param {State} state
   * @param {Set<string>} known
   */
  #isLost(command, receipt, play, state, known) {
    const { kind } = command;
    const was = receipt.status === "received";
    if (kind === "start") return was && !play.started && play.id === command.play && goesOn(state);
    if (!KEPT.includes(kind)) return false;
    if (kind === "check" && this.#resolved(command).version !== play.version) return false;
    if (receipt.stored || (was && !play.keys.length)) return true;
    return kind === "check" && LOST.includes(receipt.code ?? "") && this.#hasBack(command, play.version, known);
  }

  // Whether the site has, once more, the result that this phone had entered and that the check is about.
  /** @param {Kept} check @param {Play["version"]} version @param {Set<string>} known */
  #hasBack({ position, etui }, version, known) {
    const entered = this.commands.filter((one) => one.kind !== "check" && one.position === position && one.etui === etui);
    return entered.some((one) => taken(one) && one.receipt?.version === version && known.has(one.key.slice(0, 8)));
  }

  // The call of the arbiter that was open in the state before and is not known in this one; null where this device did
  // not make it, or has taken it back.
  /** @param {State} before @param {State} state */
  #callLost(before, state) {
    if (!before.call || before.call.coming || state.call) return null;
    if (before.called === state.called || state.session.closed) return null;
    const last = this.commands.filter(({ kind }) => kind === "call" || kind === "uncall").at(-1);
    return last?.kind === "call" && before.called === last.key.slice(0, 8) ? last : null;
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

// The play that a command is about; found by position and étui, for it may have another id by now.
/** @param {State} state @param {Kept} command */
const playOfCommand = (state, { position, etui }) =>
  (position && stopOf(state, position)?.plays.find((one) => one.etui === etui)) || null;

// Whether a play may still be begun.
/** @param {State} state */
const goesOn = (state) => !state.session.closed && !state.last_call;

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
