// Asks the site, and believes only the site: a captive portal answers too, with its own page and a friendly 200.
// Throws `Unreached`, whose `reason` is offline, portal, trouble (the site is there and fails) or gone (the code of the
// table is not, or no longer, valid).

/** @typedef {import("../../../tables/screen").Answer} Answer */
/** @typedef {import("../../../tables/screen").State} State */
/** @typedef {"offline" | "portal" | "trouble" | "gone"} Reason */

export class Unreached extends Error {
  /** @param {Reason} reason */
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

const PATIENCE = 15_000; // milliseconds

// The answer of the site as an object; null where it has nothing new. `language` is the one its sentences come in.
/** @param {string} url @param {{ language: string, body?: import("../../../tables/screen").Sending }} asked */
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
