// Remembers on this device which player its owner is: only the player's number. Each element whose `data-player` is
// this number gets the class `me`, before the page is drawn and whenever a part of it is replaced.
//
//   <tr data-player="12" id="player-12">      gets `me`; the first with an id is the owner's row, [data-who] its name
//   <button data-me="12">It’s me</button>     sets or clears the number; it is hidden if nothing can be stored
//   [data-me-here]                            the strip with the link to the owner's row (templates/ranking)
//
// This script runs in the head of the page, so that `html.knows-me` keeps the place of the strip from the start.
{
  const KEY = "topage.me";
  const root = document.documentElement;
  let me = "";
  let seen = null; // the observer of the owner's row and of the strip
  const inSight = new Map();

  const recall = () => {
    try {
      const kept = localStorage.getItem(KEY) ?? "";
      me = /^\d{1,15}$/.test(kept) ? kept : "";
      root.classList.add("remembers");
    } catch {
      me = ""; // the browser stores nothing: then the buttons stay hidden
    }
    root.classList.toggle("knows-me", me !== "");
  };

  const remember = (player) => {
    try {
      if (player) localStorage.setItem(KEY, player);
      else localStorage.removeItem(KEY);
    } catch {
      // Nothing can be stored. The number then counts only on this page.
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
    strip.classList.toggle("is-told", document.readyState !== "loading"); // the row may still be loading
    const elsewhere = strip.querySelector("[data-me-elsewhere]");
    if (elsewhere && me) elsewhere.href = `${elsewhere.dataset.meElsewhere}${me}#player-${me}`;
    if (!row) return;
    const go = strip.querySelector("[data-me-go]");
    go.href = `#${row.id}`;
    write(go, row.querySelector("[data-who]").textContent.trim());
  };

  // Show a floating link to the owner's row while neither the row nor the strip is in sight.
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
  // The number was changed in another tab, or the browser shows this page again from its own cache.
  for (const when of ["storage", "pageshow"]) {
    addEventListener(when, () => {
      recall();
      mark();
      watch();
    });
  }
}
