// Counts down to the moments of rooms. The hour beside a countdown is always there; this only adds the time that is left.
//
// `data-until` is the moment and `data-now` the server's time when the page was made. When a moment has come, the page is
// loaded once more, but never while somebody types.
const loadedAt = Date.now();

/** @param {number} seconds */
function write(seconds) {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((part, place) => (place ? String(part).padStart(2, "0") : String(part))).join(":");
}

function tick() {
  let due = false;
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-until]"))) {
    const { until = "", now = "", said = "" } = element.dataset;
    const left = Math.ceil((Date.parse(until) - Date.parse(now) - (Date.now() - loadedAt)) / 1000);
    const days = left > 2 * 86_400;
    element.hidden = days || left <= 0;
    if (!element.hidden) element.textContent = said.replace("TIME", write(left));
    if (left <= 0 && Date.parse(until) > Date.parse(now)) due = true;
  }
  const typing = document.activeElement?.matches("input, select, textarea");
  if (due && !typing) {
    clearInterval(timer);
    window.location.reload();
  }
}

const timer = setInterval(tick, 1000);
tick();

// A second tap on "Play now" would make a second guest.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.matches(".room-join")) return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
});
window.addEventListener("pageshow", () => {
  const forms = /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll(".room-join"));
  for (const form of forms) delete form.dataset.sent;
});
