// The screen in the hall: letters as large as they fit, more players than fit by turns, and what to say when the network
// is lost. Without it the list stands there to be scrolled; on a phone it does nothing but watch the network.
const WIDE = matchMedia("(min-width: 64rem)");
const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const SIZES = [2.75, 2.5, 2.25, 2.05, 1.9, 1.75, 1.625, 1.5]; // in rem, which grows with the screen
const STEPS = [3.5, 3, 2.5, 2.1, 1.75, 1.5, 1.25]; // of the podium
const SECONDS = 8;
const pause = document.querySelector("[data-pause]");
const lost = document.getElementById("hall-lost");
let page = 0;
let refreshed = new Date();

const list = () => document.querySelector("[data-pages]");

function step(element) {
  return element.clientWidth + parseFloat(getComputedStyle(element).columnGap || 0);
}

function pages() {
  const element = list();
  if (!element) return 1; // the podium
  return WIDE.matches ? Math.ceil((element.scrollWidth - 1) / step(element)) : 1;
}

function show(smoothly) {
  const element = list();
  const count = pages();
  page = count > 1 ? page % count : 0;
  if (element)
    element.scrollTo({ left: page * step(element), behavior: smoothly && !STILL.matches ? "smooth" : "instant" });
  document.getElementById("hall-page").textContent = count > 1 ? `${page + 1} / ${count}` : "";
  pause.hidden = count < 2;
}

function fitPodium() {
  const podium = document.querySelector(".podium");
  for (const size of podium && WIDE.matches ? STEPS : []) {
    podium.style.setProperty("--podium-size", `${size}rem`);
    if (podium.scrollHeight <= podium.parentElement.clientHeight) break;
  }
}

function fit() {
  fitPodium();
  for (const size of SIZES) {
    list()?.style.setProperty("--hall-size", `${size}rem`);
    if (pages() < 2) break;
  }
  show(false);
}

function heard() {
  refreshed = new Date();
  lost.hidden = true;
}

function silent() {
  const moment = refreshed.toLocaleTimeString("fr", { hour: "2-digit", minute: "2-digit" });
  lost.textContent = `${lost.dataset.text} ${moment}`;
  lost.hidden = false;
}

pause.addEventListener("click", () => {
  pause.setAttribute("aria-pressed", String(pause.getAttribute("aria-pressed") !== "true"));
});
document.addEventListener("htmx:afterRequest", (event) => (event.detail.successful ? heard() : silent()));
document.addEventListener("htmx:afterSettle", fit);
addEventListener("offline", silent);
addEventListener("resize", fit);
setInterval(() => {
  if (pause.getAttribute("aria-pressed") === "true") return;
  page += 1;
  show(true);
}, 1000 * SECONDS);
fit();
