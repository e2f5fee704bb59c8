// Sends the forms of the table to the site, and asks for the table again. The site answers with the drawing of the table.

/**
 * @typedef Answer what the site answers to a move, or to the question for the table
 * @property {string} [html] the drawing of the table, which takes the place of the present one
 * @property {string} [refused] why the move was refused; nothing has changed
 * @property {boolean} [conflict] the move came too late: the étui went on from another device
 * @property {string} [go] the address to go to, because there is no table to play at
 */

// Is thrown if the site cannot be reached or is in trouble, so that it is worth while to try again.
export class SiteAway extends Error {}

const PATIENCE = 15_000; // milliseconds

// Returns the site's answer. `body` has the fields of a form; without it the table is only asked for.
/** @param {string} url @param {URLSearchParams} [body] @returns {Promise<Answer>} */
export async function askTable(url, body) {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), PATIENCE);
  try {
    const answer = await fetch(url, {
      method: body ? "POST" : "GET",
      headers: { Accept: "application/json" },
      body,
      cache: "no-store",
      signal: giveUp.signal,
    });
    if (answer.status >= 500 || answer.status === 429) throw new SiteAway();
    if (!answer.headers.get("Content-Type")?.startsWith("application/json")) return { go: answer.url };
    return await answer.json();
  } catch {
    throw new SiteAway();
  } finally {
    clearTimeout(timer);
  }
}
