// Has the browser keep the screen itself, so that it opens without network. Knows nothing of what is on it.
//
// A new version of the site is another worker, which keeps all of its files; the page then starts again with them.
// Drafts and outbox outlive that. On a page that is not secure, as a hall's laptop may serve it, nothing can be kept.

export async function keepShell() {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  if (serviceWorker.controller) serviceWorker.addEventListener("controllerchange", () => location.reload());
  await serviceWorker.register("/t/sw.js", { scope: "/t/" }).catch(() => null); // no network: what is kept goes on
}
