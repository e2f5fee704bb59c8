// Counts down to the closing of the room, by the clock of the site. The last hour is counted in minutes and seconds.

const HOUR = 3600;
const SHORT = 120; // seconds
/** @type {number | undefined} */
let behind; // by how many milliseconds the clock of this device is behind the site's
let atEnd = () => {}; // is called once, when the time is over

export function tick() {
  const place = document.querySelector("[data-left]");
  if (!(place instanceof HTMLElement)) return;
  const { now, ends } = place.dataset;
  behind ??= Date.parse(now ?? "") - Date.now();
  const left = Math.max(0, Math.ceil((Date.parse(ends ?? "") - Date.now() - behind) / 1000));
  const isShown = left < HOUR;
  const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  for (const [name, shown] of [["until", !isShown], ["for", isShown]]) {
    place.querySelector(`[data-left-${name}]`)?.toggleAttribute("hidden", !shown);
  }
  const figure = place.querySelector("[data-left-clock]");
  if (figure && figure.textContent !== text) figure.textContent = text;
  place.classList.toggle("is-short", left < Number(place.dataset.short ?? SHORT));
  if (left > 0) return;
  atEnd();
  atEnd = () => {};
}

// Counts down from now on, and calls `whenOver` when the time is over.
/** @param {() => void} whenOver */
export function countDown(whenOver) {
  atEnd = whenOver;
  tick();
  setInterval(tick, 1000);
}
