// Lets the browser store the files of a screen (the table's or the friendly game's), so that it opens without network.
// `folder` is the address below which the screen lies, with its service worker.
//
// A new version of the site has a new service worker, which stores all files again; then the page reloads. Drafts and
// outbox are not lost. Without https, as from a laptop in a hall, browsers allow no service worker.

/** @param {string} folder */
export async function keepShell(folder = "/t/") {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  if (serviceWorker.controller) serviceWorker.addEventListener("controllerchange", () => location.reload());
  await serviceWorker.register(`${folder}sw.js`, { scope: folder }).catch(() => null); // no network: use the stored files
}
