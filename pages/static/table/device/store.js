// Stores on the device what the table has typed, so that a reload or an empty battery loses nothing.
//
// It has `values` by name (the last state, the drafts, the device's number) and `commands` by key (sent and to be
// sent). If the browser refuses to store anything, all is in memory and `durable` is false; the screen then says so.

const NAME = "topage-table";

/** @typedef {import("../state/model.js").Kept} Kept */
/** @typedef {Record<string, any>} Values what a name stands for is known to who keeps it */
/** @typedef {{ values?: Values, forgotten?: string[], commands?: Kept[], gone?: string[] }} Change */

/**
 * @typedef Store
 * @property {boolean} durable
 * @property {(name: string) => Promise<any>} get
 * @property {() => Promise<Kept[]>} commands
 * @property {(change: Change) => Promise<void>} write
 * @property {() => Promise<string[]>} names of the values
 * @property {(holder: string, milliseconds: number) => Promise<boolean>} lease
 */

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** @param {IDBTransaction} transaction @returns {Promise<void>} */
const finished = (transaction) =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
  });

// `name` is the name of the database: the table's screen and the friendly game have one each.
/** @returns {Promise<Store>} */
export async function openStore(name = NAME) {
  try {
    return onDisk(await open(name));
  } catch {
    return inMemory();
  }
}

/** @param {string} name */
function open(name) {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("values");
    request.result.createObjectStore("commands", { keyPath: "key" });
  };
  return done(request);
}

// Returns the name under which a value of one table's code is stored.
/** @param {string} token @param {string} what */
export const nameAt = (token, what) => `${token}:${what}`;

// Returns this device's number, which is the same at every table.
/** @param {Store} store @returns {Promise<string>} */
export async function identify(store) {
  const kept = await store.get("device");
  if (kept) return kept;
  const device = hex(16);
  await store.write({ values: { device } });
  return device;
}

/** @param {number} count */
export const hex = (count) =>
  [...crypto.getRandomValues(new Uint8Array(count))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {IDBDatabase} database @returns {Store} */
function onDisk(database) {
  database.onversionchange = () => database.close();
  return {
    durable: true,
    get: (name) => done(database.transaction("values").objectStore("values").get(name)),
    names: async () => (await done(database.transaction("values").objectStore("values").getAllKeys())).map(String),
    commands: () => done(database.transaction("commands").objectStore("commands").getAll()),

    // Writes all changes or none: the draft of a result is deleted in the same transaction that adds the command.
    async write({ values = {}, forgotten = [], commands = [], gone = [] }) {
      const transaction = database.transaction(["values", "commands"], "readwrite");
      for (const name of forgotten) transaction.objectStore("values").delete(name);
      for (const [name, value] of Object.entries(values)) transaction.objectStore("values").put(value, name);
      for (const command of commands) transaction.objectStore("commands").put(command);
      for (const key of gone) transaction.objectStore("commands").delete(key);
      transaction.commit?.(); // writes at once, in case the page is closed at this moment
      await finished(transaction);
    },

    // Takes the lease, the right to send, for some time. Returns false if another tab has it, so that two tabs never
    // send at the same time. A lease that ends later than is possible was taken before the phone's clock was set back.
    async lease(holder, milliseconds) {
      const transaction = database.transaction("values", "readwrite");
      const values = transaction.objectStore("values");
      const held = await done(values.get("lease"));
      const left = held ? held.until - Date.now() : 0;
      const free = !held || held.holder === holder || left < 0 || left > milliseconds;
      if (free) values.put({ holder, until: Date.now() + milliseconds }, "lease");
      await finished(transaction);
      return free;
    },
  };
}

/** @returns {Store} */
function inMemory() {
  const [values, commands] = [new Map(), new Map()];
  return {
    durable: false,
    get: async (name) => values.get(name),
    names: async () => [...values.keys()],
    commands: async () => structuredClone([...commands.values()]),
    async write({ values: given = {}, forgotten = [], commands: more = [], gone = [] }) {
      for (const name of forgotten) values.delete(name);
      for (const [name, value] of Object.entries(given)) values.set(name, structuredClone(value));
      for (const command of more) commands.set(command.key, structuredClone(command));
      for (const key of gone) commands.delete(key);
    },
    lease: async () => true,
  };
}
