// Sends requests to the site, and checks that the answer comes from the site: the login page of a public network (a
// portal) also answers with status 200. Throws `Unreached`, whose `reason` is "offline", "portal", "trouble" (the site
// answers with an error) or "gone" (the table's code is not valid, or no longer).

/** @typedef {import("../../../../evenings/tables/screen").Answer} Answer */
/** @typedef {import("../../../../evenings/tables/screen").State} State */
/** @typedef {"offline" | "portal" | "trouble" | "gone"} Reason */

export class Unreached extends Error {
  /** @param {Reason} reason */
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

const PATIENCE = 15_000; // milliseconds

// Returns the answer of the site as an object, or null if nothing is new. `language` is the language of its sentences.
/** @param {string} url @param {{ language: string, body?: import("../../../../evenings/tables/screen").Sending }} asked */
export async function ask(url, { language, body }) {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), PATIENCE);
  try {
    const answer = await fetch(url, {
      method: body ? "POST" : "GET",
      headers: { "Accept-Language": language, ...(body && { "Content-Type": "application/json" }) },
      body: body && JSON.stringify(body),
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      signal: giveUp.signal,
    });
    if (answer.status === 204) return null;
    return told(answer.status, await answer.text());
  } catch (error) {
    throw error instanceof Unreached ? error : new Unreached("offline");
  } finally {
    clearTimeout(timer);
  }
}

/** @param {number} status @param {string} text */
function told(status, text) {
  /** @type {Partial<State | Answer> & { error?: { code?: string } } | null} */
  let data;
  try {
    data = JSON.parse(text);
  } catch {
    throw new Unreached(status < 400 ? "portal" : "trouble");
  }
  if (status === 200 && data?.server === "topage") return data;
  if (status === 404 && data?.error?.code?.startsWith("token")) throw new Unreached("gone");
  throw new Unreached(status < 400 ? "portal" : "trouble");
}
