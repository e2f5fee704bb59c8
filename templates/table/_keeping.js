self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(keep());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(forget().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate" && PAGE.test(pathname)) event.respondWith(kept(SHELL, request));
  else if (FILES.includes(pathname)) event.respondWith(kept(pathname, request));
});

async function kept(name, request) {
  return (await (await caches.open(CACHE)).match(name)) ?? fetch(request);
}

// Stores all files. It stops if an answer does not come from the site, for example from a public network's login page.
async function keep() {
  const pages = await self.clients.matchAll({ includeUncontrolled: true, type: "window" });
  const page = pages.map(({ url }) => new URL(url).pathname).find((pathname) => PAGE.test(pathname));
  const shell = await fresh(page, "text/html");
  if (!(await shell.clone().text()).includes(` data-version="${VERSION}"`)) throw new Error("another version");
  const files = await Promise.all(FILES.map((name) => fresh(name, TYPES[name.split(".").pop()])));
  const cache = await caches.open(CACHE);
  await Promise.all([cache.put(SHELL, shell), ...FILES.map((name, index) => cache.put(name, files[index]))]);
}

async function fresh(url, type) {
  const answer = await fetch(url, { cache: "no-store", credentials: "omit", redirect: "error" });
  if (!answer.ok || !answer.headers.get("Content-Type")?.includes(type)) throw new Error(`not ours: ${url}`);
  return answer;
}

async function forget() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(KIND) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}
