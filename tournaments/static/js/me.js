// Remembers on this phone who its reader is: the row number of one player, and nothing else. Whatever has `data-player`
// with that number gets the class `me`, before it is painted and whenever a part of the page is put in.
//
//   <tr data-player="12" id="player-12">      gets `me`; the first that has an id is his line, its [data-who] his name
//   <button data-me="12">It’s me</button>     says so, or takes it back; is not seen where nothing can be remembered
//   [data-me-here]                            a strip that knows him (components of templates/ranking)
//
// It stands in the head, without waiting: `html.knows-me` keeps the strip's place from the first paint on.
{
  const KEY = "topage.me";
  const root = document.documentElement;
  let me = "";
  let seen = null; // watches his line and the strip
  const inSight = new Map();

  const recall = () => {
    try {
      const kept = localStorage.getItem(KEY) ?? "";
      me = /^\d{1,15}$/.test(kept) ? kept : "";
      root.classList.add("remembers");
    } catch {
      me = ""; // a browser that keeps nothing has no buttons either
    }
    root.classList.toggle("knows-me", me !== "");
  };

  const remember = (player) => {
    try {
      if (player) localStorage.setItem(KEY, player);
      else localStorage.removeItem(KEY);
    } catch {
      // It holds for this page then.
    }
    me = player;
    root.classList.toggle("knows-me", me !== "");
    mark();
  };

  const write = (element, text) => {
    if (element.textContent !== text) element.textContent = text;
  };

  const mark = () => {
    for (const each of document.querySelectorAll("[data-player].me")) {
      if (each.dataset.player !== me) each.classList.remove("me");
    }
    for (const each of me ? document.querySelectorAll(`[data-player="${me}"]`) : []) each.classList.add("me");
    for (const button of document.querySelectorAll("[data-me]")) {
      button.setAttribute("aria-pressed", String(button.dataset.me === me));
    }
    for (const strip of document.querySelectorAll("[data-me-here]")) tell(strip);
  };

  const line = () => document.querySelector("[data-player].me[id]");

  const tell = (strip) => {
    const row = line();
    strip.classList.toggle("is-here", row !== null);
    strip.classList.toggle("is-told", document.readyState !== "loading"); // his line may still come
    const elsewhere = strip.querySelector("[data-me-elsewhere]");
    if (elsewhere && me) elsewhere.href = `${elsewhere.dataset.meElsewhere}${me}#player-${me}`;
    if (!row) return;
    const go = strip.querySelector("[data-me-go]");
    go.href = `#${row.id}`;
    write(go, row.querySelector("[data-who]").textContent.trim());
  };

  // The way to his line floats over the page while neither the line nor the strip that leads to it is in sight.
  const watch = () => {
    const pill = document.querySelector("[data-me-pill]");
    if (!pill) return;
    const row = line();
    seen?.disconnect();
    inSight.clear();
    pill.hidden = true;
    if (!row) return;
    pill.href = `#${row.id}`;
    seen = new IntersectionObserver((entries) => {
      for (const entry of entries) inSight.set(entry.target, entry.isIntersecting);
      pill.hidden = [...inSight.values()].some(Boolean);
      pill.dataset.towards = row.getBoundingClientRect().top < 0 ? "up" : "down";
    });
    for (const each of [row, ...document.querySelectorAll("[data-me-here]")]) seen.observe(each);
  };

  recall();
  mark();
  new MutationObserver(mark).observe(root, { childList: true, subtree: true });
  document.addEventListener("DOMContentLoaded", () => {
    mark();
    watch();
  });
  document.addEventListener("htmx:afterSettle", watch);
  document.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-me], [data-me-forget]");
    if (!button) return;
    const player = button.dataset.me ?? "";
    remember(player === me ? "" : player);
    watch();
  });
  // Another tab has said it, or this page comes back from where the browser had put it.
  for (const when of ["storage", "pageshow"]) {
    addEventListener(when, () => {
      recall();
      mark();
      watch();
    });
  }
}
