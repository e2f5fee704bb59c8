// Lets the browser store the files of the table's screen, so that the screen opens without network.
//
// A new version of the site has a new service worker, which stores all files again; then the page reloads. Drafts and
// outbox are not lost. Without https, as from a laptop in a hall, browsers allow no service worker.

export async function keepShell() {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  if (serviceWorker.controller) serviceWorker.addEventListener("controllerchange", () => location.reload());
  await serviceWorker.register("/t/sw.js", { scope: "/t/" }).catch(() => null); // no network: use the stored files
}
