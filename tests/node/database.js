// A small stand-in of the browser's database, IndexedDB: two stores, and transactions that write all or nothing. What
// it keeps is a plain object, { values, commands } or empty at first, which a test may give and read. If `full` is set, nothing is written.

export function database(kept) {
  const asked = (answer) => {
    const request = {};
    setImmediate(() => {
      request.result = answer();
      request.onsuccess?.();
    });
    return request;
  };

  // Returns a transaction. It ends once nothing has been asked for a turn.
  const begin = () => {
    const changes = [];
    const transaction = { error: null, open: 1 };
    const end = () => {
      if ((transaction.open -= 1)) return;
      if (kept.full && changes.length) transaction.onabort?.();
      else {
        for (const change of changes) change();
        transaction.oncomplete?.();
      }
    };
    const wait = () => setImmediate(() => setImmediate(() => setImmediate(end)));
    const ask = (answer) => {
      transaction.open += 1;
      wait();
      return asked(answer);
    };
    const write = (change) => {
      changes.push(change);
      return ask(() => undefined);
    };
    transaction.commit = () => {};
    transaction.objectStore = (name) => {
      const rows = kept[name];
      return {
        get: (key) => ask(() => structuredClone(rows[key])),
        getAll: () => ask(() => structuredClone(Object.values(rows))),
        getAllKeys: () => ask(() => Object.keys(rows)),
        put(row, key = row.key) {
          const copy = structuredClone(row);
          return write(() => void (rows[key] = copy));
        },
        delete: (key) => write(() => void delete rows[key]),
      };
    };
    wait();
    return transaction;
  };
  const opened = { transaction: begin, close() {}, createObjectStore: (name) => void (kept[name] ??= {}) };
  return {
    open() {
      const request = asked(() => {
        request.result = opened;
        if (!kept.values) request.onupgradeneeded();
        return opened;
      });
      return request;
    },
  };
}
