// Sends the table's commands (entries, checks, records, calls) to the site, in their order, until a receipt has come
// for each one.
//
// A command is stored before it is sent. It is sent again with the same key until its receipt is stored too, so a lost
// answer does no harm. A command can follow another one (`after`), as the check of an entry does. It then waits for the
// receipt of that command, because it needs the version number in the receipt.

import { stopOf } from "../state/model.js";
import { Unreached, ask } from "./net.js";

const BATCH = 20;
const KEPT = ["enter", "correct", "blind", "check", "record"]; // commands that the site stores with their keys
const FOLLOWERS = ["check", "record"]; // commands that are nothing without the entry that they follow
const CLOSED = "session_closed";
const LOST = ["nothing_to_check", "corrected_meanwhile"]; // refusals of a site that has lost the result to check
const OFTEN = 5; // a command is sent again at most so many times after its receipt
const LEASE = 20_000; // milliseconds, longer than a request can take
const [FIRST, LONGEST] = [2_000, 30_000]; // milliseconds between two attempts

/** @typedef {import("../../../../evenings/tables/screen").Command} Command */
/** @typedef {import("../../../../evenings/tables/screen").Play} Play */
/** @typedef {import("../../../../evenings/tables/screen").Receipt} Receipt */
/** @typedef {import("../../../../evenings/tables/screen").State} State */
/** @typedef {import("../state/model.js").Kept} Kept */
/** @typedef {{ url: string, token: string, device: string }} Place */
/** @typedef {Omit<Kept, "key" | "token" | "order" | "at">} Fresh a command before it is stored */
/** @typedef {Kept & { receipt: Receipt }} Received */

/**
 * @typedef News of the site: a state (null if it has not changed), receipts, or why it was not reached
 * @property {State | null} [state]
 * @property {import("./net.js").Reason | null} [reason]
 * @property {Received[]} [received]
 * @property {Set<string>} [held] the keys of the receipts held when it was asked, if the state must know them all
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

  // `report` is called with the news whenever something has changed.
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

  // The keys of the commands for which this device has a receipt. A state that is requested later must know all of
  // them. Times cannot tell this, because the clock of the site's laptop may be wrong after a power cut.
  get held() {
    return new Set(this.commands.filter(({ receipt }) => receipt).map(({ key }) => key));
  }

  // Stores commands together with the given values, then sends the commands. Resolves when they are stored.
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

  // After a power cut or a restored backup, the site may have lost commands for which this device has a receipt. Sends
  // them again with the same key, so that none is stored twice, until the ranking is published. `held` are the keys of
  // the receipts when the state was requested; `before` is the state before it.
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
      const at = command.kind === "start" ? (receipt.at ?? command.at) : command.at; // the site's time, if it gave one
      return { ...unsent, play: play.id, at, again: true, times };
    });
    if (!anew.length) return;
    await this.#store.write({ commands: anew });
    await this.load();
    this.#report({});
    this.send();
  }

  // Sends commands again that were refused because the evening was closed, if it is open again.
  async reopen() {
    const closed = this.commands.filter(({ receipt }) => receipt && "code" in receipt && receipt.code === CLOSED);
    if (!closed.length) return;
    await this.#store.write({ commands: closed.map(({ receipt: _, ...unsent }) => unsent) });
    await this.load();
    this.#report({});
    this.send();
  }

  // Sends all commands that wait. Only one call runs at a time. After a failure it tries again, each time a bit later.
  async send() {
    clearTimeout(this.#timer);
    this.#again = true;
    if (this.#busy) return;
    this.#busy = true;
    try {
      while (this.#again) {
        this.#again = false; // another call of `send` during the request sets it again
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

  // Sends some commands. Returns true if there may be more.
  async #sendSome() {
    await this.load(); // another tab may have sent some commands already
    await this.#drop();
    const batch = this.waiting.filter((command) => this.#ready(command)).slice(0, BATCH);
    if (!batch.length) return false;
    if (!(await this.#store.lease(this.#holder, LEASE))) {
      this.#timer = setTimeout(() => this.send(), FIRST);
      return false;
    }
    try {
      const commands = batch.map((command) => bare(this.#resolved(command)));
      /** @type {import("../../../../evenings/tables/screen").Sending} */
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

  // Returns whether the effect of a command is missing in the present state of its play. An entry that was equal to a
  // stored result is missing if that result is gone. A check that the site refused, because it had lost this phone's
  // entry, is missing if the site has the entry again.
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

  // Returns whether the site has again the result that this phone entered and that the check is about.
  /** @param {Kept} check @param {Play["version"]} version @param {Set<string>} known */
  #hasBack({ position, etui }, version, known) {
    const of = this.commands.filter((one) => one.position === position && one.etui === etui);
    const entered = of.filter(({ kind }) => !FOLLOWERS.includes(kind));
    return entered.some((one) => taken(one) && one.receipt?.version === version && known.has(one.key.slice(0, 8)));
  }

  // Returns the call for the arbiter that was open in the state before and is missing in this one. Returns null if this
  // device did not make the call, or has withdrawn it.
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

  // Returns the command with the version number that the site gave to the entry. The correction of an entry that the
  // site refused becomes an entry.
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

  // Drops the checks and the records of entries that the site refused.
  async #drop() {
    const lost = this.waiting.filter(
      (command) =>
        FOLLOWERS.includes(command.kind) &&
        command.after &&
        this.#ready(command) &&
        !taken(this.#parent(command)),
    );
    if (!lost.length) return;
    /** @type {Kept[]} */
    const dropped = lost.map((command) => ({ ...command, receipt: { status: "dropped", dismissed: true } }));
    await this.#store.write({ commands: dropped });
    await this.load();
    this.#report({});
  }
}

// Returns the play of a command. It is found by position and étui, because its id may have changed since.
/** @param {State} state @param {Kept} command */
const playOfCommand = (state, { position, etui }) =>
  (position && stopOf(state, position)?.plays.find((one) => one.etui === etui)) || null;

// Returns whether a table may still begin a play.
/** @param {State} state */
const goesOn = (state) => !state.session.closed && !state.last_call;

// Returns a command with its receipt. If the site says of a command sent again that its key is in use, the site has the
// command already, perhaps at another étui: then it counts as received.
/** @param {Kept} command @param {Receipt} receipt @returns {Received} */
const answered = (command, receipt) =>
  command.again && receipt.code === "key_used"
    ? { ...command, times: OFTEN, receipt: { ...receipt, status: "received" } }
    : { ...command, receipt };

// Returns the number of this tab. A reload does not change it, even in the middle of a request.
function tab() {
  const fresh = String(crypto.getRandomValues(new Uint32Array(1))[0]);
  try {
    return /** @type {string} */ (sessionStorage.tab ??= fresh);
  } catch {
    return fresh; // the browser stores nothing
  }
}

// Returns whether a command is done. If the site asks a question about it, it waits for the table's answer.
/** @param {Kept["receipt"]} receipt */
const settled = (receipt) => Boolean(receipt && receipt.status !== "question");

/** @param {Kept | undefined} command */
const taken = (command) => command?.receipt?.status === "received";

// Returns the command as it is sent, without the fields that only this device needs.
/** @param {Kept} command @returns {Command} */
function bare({ token: _, order: _1, after: _2, receipt: _3, home: _4, times: _5, ...command }) {
  return command;
}
