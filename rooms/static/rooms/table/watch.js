// Asks each second whether anything is new at a table for four. The site answers 204 if not, without reading a session.

const EVERY = 1000; // milliseconds
const HIDDEN = 5; // seconds between two questions of a page that nobody sees

/** @typedef {import("./table.js").RoomTable} RoomTable */

/** @param {RoomTable} table */
export function watch(table) {
  const url = table.root.dataset.watch;
  if (!url) return;
  let seconds = 0;
  let asks = false;
  setInterval(async () => {
    seconds += 1;
    if (asks || table.isBusy || (document.hidden && seconds % HIDDEN)) return;
    asks = true;
    try {
      const answer = await fetch(`${url}?seen=${table.form.dataset.state ?? ""}`, { cache: "no-store" });
      if (answer.status === 200) table.lookAgain();
    } catch {
      // The next second asks again.
    } finally {
      asks = false;
    }
  }, EVERY);
}
