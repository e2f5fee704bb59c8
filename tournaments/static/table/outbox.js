// Sends what the table typed, in its order, until the site's own receipt for it is in. Draws nothing.
//
// A command is kept before it is sent, and sent again under the same key until its receipt is kept too, so that an
// answer lost on the way costs nothing. One that follows another (`after`: the check of an entry, its correction) waits
// for that one's receipt: it is about the version which the site has given it, and about no other.

import { Unreached, ask } from "./net.js";

const BATCH = 20;
const LEASE = 20_000; // milliseconds, more than one request may take
const [FIRST, LONGEST] = [2_000, 30_000]; // milliseconds between two attempts

export class Outbox {
  // `place` {url, token, device}; `report` is told {commands, state, reason} whenever something changed.
  constructor(store, place, report) {
    Object.assign(this, { store, place, report, commands: [], busy: false, wait: FIRST, timer: 0 });
    this.holder = tab();
  }

  async load() {
    const all = await this.store.commands();
    this.commands = all.filter((command) => command.token === this.place.token).sort((a, b) => a.order - b.order);
    return all;
  }

  get waiting() {
    return this.commands.filter((command) => !command.receipt);
  }

  // Keeps commands, and in the same moment the values given; then sends. Resolves once they are kept.
  async add(commands, values) {
    const order = Math.max(Date.now(), (this.commands.at(-1)?.order ?? 0) + 1);
    const kept = commands.map((command, index) => ({
      ...command,
      token: this.place.token,
      order: order + index,
      at: new Date().toISOString(),
    }));
    await this.store.write({ commands: kept, values });
    this.commands.push(...kept);
    this.report({});
    this.send();
  }

  async change(command) {
    await this.store.write({ commands: [command] });
    await this.load();
    this.report({});
    this.send();
  }

  // Sends everything that waits; one at a time, whoever asks. A failure is tried again later, each time a little later.
  async send() {
    clearTimeout(this.timer);
    this.again = true;
    if (this.busy) return;
    this.busy = true;
    try {
      while (this.again) {
        this.again = false; // until somebody asks meanwhile
        while (await this.sendSome());
      }
      this.wait = FIRST;
    } catch (error) {
      this.timer = setTimeout(() => this.send(), this.wait * (0.75 + Math.random() / 2));
      this.wait = Math.min(this.wait * 2, LONGEST);
      if (!(error instanceof Unreached)) throw error;
      this.report({ reason: error.reason });
    } finally {
      this.busy = false;
    }
  }

  // True if there may be more to send.
  async sendSome() {
    await this.load(); // another tab may have sent some
    await this.drop();
    const batch = this.waiting.filter((command) => this.ready(command)).slice(0, BATCH);
    if (!batch.length) return false;
    if (!(await this.store.lease(this.holder, LEASE))) {
      this.timer = setTimeout(() => this.send(), FIRST);
      return false;
    }
    try {
      const commands = batch.map((command) => bare(this.resolved(command)));
      const body = { device: this.place.device, commands };
      const { receipts, state } = (await ask(`${this.place.url}send/`, { language: this.language, body })) ?? {};
      const answered = batch.flatMap((command) => {
        const receipt = receipts?.find(({ key }) => key === command.key);
        return receipt ? { ...command, receipt } : [];
      });
      if (!answered.length) throw new Unreached(receipts ? "trouble" : "portal");
      await this.store.write({ commands: answered });
      await this.load();
      this.report({ state, received: answered });
    } finally {
      await this.store.lease(this.holder, 0);
    }
    return true;
  }

  parent(command) {
    return this.commands.find(({ key }) => key === command.after);
  }

  ready(command) {
    return !command.after || settled(this.parent(command)?.receipt);
  }

  // About the version that the site gave the entry; the correction of what it did not take is an entry of its own.
  resolved(command) {
    if (!command.after) return command;
    const { status, version } = this.parent(command).receipt;
    if (command.kind === "check") return { ...command, version };
    if (command.kind === "correct")
      return status === "received" ? { ...command, seen_version: version } : { ...command, kind: "enter" };
    return command;
  }

  // The check of what the site did not take means nothing.
  async drop() {
    const lost = this.waiting.filter(
      (command) => command.kind === "check" && command.after && this.ready(command) && !taken(this.parent(command)),
    );
    if (!lost.length) return;
    const dropped = lost.map((command) => ({ ...command, receipt: { status: "dropped", dismissed: true } }));
    await this.store.write({ commands: dropped });
    await this.load();
  }
}

// This tab's own number, which a reload in the middle of a request does not change.
function tab() {
  const fresh = String(crypto.getRandomValues(new Uint32Array(1))[0]);
  try {
    return (sessionStorage.tab ??= fresh);
  } catch {
    return fresh; // a browser that keeps nothing
  }
}

// A question waits for the table's answer, and what follows it waits too.
const settled = (receipt) => Boolean(receipt) && receipt.status !== "question";

const taken = (command) => command.receipt.status === "received";

// A command as it travels: without what only this device needs to know.
function bare({ token, order, after, receipt, ...command }) {
  return command;
}
