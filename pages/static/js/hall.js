// Runs the screen in the hall: makes the letters as large as they fit, shows a long list page by page, shows the
// ranking after the podium, and says when the network is lost. Without this script, people can scroll the list. On a
// phone the script only watches the network.
const WIDE = matchMedia("(min-width: 64rem)");
const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const SIZES = [2.75, 2.5, 2.25, 2.05, 1.9, 1.75, 1.625, 1.5]; // in rem, which grows with the screen
const STEPS = [3.5, 3, 2.5, 2.1, 1.75, 1.5, 1.25]; // sizes of the podium's letters, in rem
const LEAST_OF_RANKING = 2.05; // in rem: large enough for people in the last row of the hall
const SECONDS = 8;
const pause = document.querySelector("[data-pause]");
const lost = document.getElementById("hall-lost");
let turn = 0;
let count = 1; // pages of the list
let refreshed = new Date();

const list = () => document.querySelector("[data-pages]");
const ending = () => document.querySelector(".hall-end");

function step(element) {
  return element.clientWidth + parseFloat(getComputedStyle(element).columnGap || 0);
}

function countPages() {
  const element = list();
  if (!element) return 0;
  return WIDE.matches ? Math.ceil((element.scrollWidth - 1) / step(element)) : 1;
}

// The pages to show, one after the other; null is the podium. After the evening, the podium is shown for two turns,
// then the ranking from its first page on.
function turns() {
  const pages = [...Array(count).keys()];
  return ending() ? [null, null, ...(WIDE.matches ? pages : [])] : pages;
}

function show(smoothly) {
  const all = turns();
  turn = all.length ? turn % all.length : 0;
  const page = all[turn] ?? null;
  const element = list();
  ending()?.classList.toggle("shows-ranking", page !== null);
  if (page !== null) ending()?.classList.add("has-stood"); // shows the animation of the podium only once
  if (element && page !== null)
    element.scrollTo({ left: page * step(element), behavior: smoothly && !STILL.matches ? "smooth" : "instant" });
  document.getElementById("hall-page").textContent = count > 1 && page !== null ? `${page + 1} / ${count}` : "";
  pause.hidden = new Set(all).size < 2;
}

function fitPodium() {
  const podium = document.querySelector(".podium");
  for (const size of podium && WIDE.matches ? STEPS : []) {
    podium.style.setProperty("--podium-size", `${size}rem`);
    if (podium.scrollHeight <= podium.parentElement.clientHeight) break;
  }
}

function fit() {
  ending()?.classList.remove("shows-ranking");
  fitPodium();
  ending()?.classList.add("shows-ranking");
  for (const size of ending() ? SIZES.filter((size) => size >= LEAST_OF_RANKING) : SIZES) {
    list()?.style.setProperty("--hall-size", `${size}rem`);
    if (countPages() < 2) break;
  }
  count = countPages();
  show(false);
  loadRanking();
}

// Only a large screen loads the whole ranking. Phones have a link to the page of the ranking.
async function loadRanking() {
  const place = document.querySelector("[data-ranking]:empty");
  if (!place || !WIDE.matches || place.dataset.asked) return;
  place.dataset.asked = "yes";
  try {
    const answer = await fetch(place.dataset.ranking);
    if (!answer.ok) throw new Error(answer.statusText);
    place.innerHTML = await answer.text();
    if (place.isConnected) fit();
  } catch {
    delete place.dataset.asked; // keep the podium, and try again at the next turn
  }
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
  turn += 1;
  show(true);
  loadRanking();
}, 1000 * SECONDS);
fit();
