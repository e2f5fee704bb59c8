// Writes a game as a short text for the part of an address behind "#", which browsers send to no server, and reads it.
//
// The text is base64url of: one byte with the version; the game in bits; two bytes that check all bytes before them. A
// deal among five takes about 30 bits. docs/friendly.md lists the fields.

import { CHELEM_CHOICES, CONTRACTS, POIGNEE_CHOICES } from "../../table/state/score.js";
import { END_KINDS, MOST_DEALS, isPossible, playersOf } from "./game.js";

/** @typedef {import("./game.js").Deal} Deal */
/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./game.js").Seating} Seating */

export const VERSION = 1;
const FIRST_DAY = Date.UTC(2020, 0, 1);
const A_DAY = 86_400_000;
const MOST_TEXT = 8_000; // letters of a link; 200 deals have about 1 500
/** @type {Deal["petit"][]} */
const SIDES = ["none", "attack", "defence"];
// The number of bits of each figure.
const [PLAYER, COUNT, DEALS, NAME_BYTES, DAYS, VALUE] = [4, 3, 10, 8, 16, 14];

// A link that cannot be read. The codes: cut (or mistyped), newer (than this site), long (too many deals).
export class LinkError extends Error {
  /** @param {"cut" | "newer" | "long"} code */
  constructor(code) {
    super(code);
    this.code = code;
  }
}

class Writer {
  /** @type {number[]} */
  bits = [];

  /** @param {number} value @param {number} width */
  put(value, width) {
    for (let place = width - 1; place >= 0; place--) this.bits.push((value >> place) & 1);
  }

  get bytes() {
    const bytes = new Uint8Array(Math.ceil(this.bits.length / 8));
    this.bits.forEach((bit, place) => (bytes[place >> 3] |= bit << (7 - (place & 7))));
    return bytes;
  }
}

class Reader {
  #place = 0;
  #bytes;

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.#bytes = bytes;
  }

  /** @param {number} width */
  take(width) {
    let value = 0;
    for (let count = 0; count < width; count++, this.#place++) {
      const byte = this.#bytes[this.#place >> 3];
      if (byte === undefined) throw new LinkError("cut");
      value = value * 2 + ((byte >> (7 - (this.#place & 7))) & 1);
    }
    return value;
  }

  /** @param {number} times @param {number} width */
  takeMany(times, width) {
    return Array.from({ length: times }, () => this.take(width));
  }
}

/** @param {Game} game */
export function writeLink(game) {
  const out = new Writer();
  for (const digit of game.id) out.put(parseInt(digit, 16), 4);
  out.put(Math.max(0, Math.round((Date.parse(game.day) - FIRST_DAY) / A_DAY)), DAYS);
  out.put(game.names.length, PLAYER);
  for (const name of game.names) {
    const bytes = new TextEncoder().encode(name);
    out.put(bytes.length, NAME_BYTES);
    for (const byte of bytes) out.put(byte, 8);
  }
  out.put(END_KINDS.indexOf(game.end.kind), 2);
  out.put(game.end.value, VALUE);
  out.put(Number(game.mort), 1);
  putPresent(out, game.present);
  out.put(game.dealer, PLAYER);
  out.put(game.deals.length, DEALS);
  let before = game.present;
  for (const deal of game.deals) {
    putDeal(out, deal, before);
    before = deal.present;
  }
  return toText(new Uint8Array([VERSION, ...out.bytes]));
}

/** @param {Writer} out @param {number[]} present */
function putPresent(out, present) {
  out.put(present.length, COUNT);
  for (const player of present) out.put(player, PLAYER);
}

/** @param {Writer} out @param {Deal} deal @param {number[]} before who was present in the deal before */
function putDeal(out, deal, before) {
  const same = String(deal.present) === String(before);
  out.put(Number(same), 1);
  if (!same) putPresent(out, deal.present);
  out.put(deal.present.indexOf(deal.dealer), COUNT);
  out.put(Number(deal.resting !== null), 1);
  const players = playersOf(deal);
  out.put(players.indexOf(deal.taker), COUNT);
  if (players.length === 5) out.put(players.indexOf(deal.partner ?? deal.taker), COUNT);
  out.put(CONTRACTS.indexOf(deal.contract), 2);
  out.put(deal.bouts, 2);
  out.put(deal.half_points, 8);
  out.put(SIDES.indexOf(deal.petit), 2);
  out.put(CHELEM_CHOICES.indexOf(deal.chelem), 3);
  out.put(deal.shown.length, COUNT);
  for (const [player, poignee] of deal.shown) {
    out.put(players.indexOf(player), COUNT);
    out.put(POIGNEE_CHOICES.indexOf(poignee), 2);
  }
}

// Returns the game that a text holds. Throws LinkError.
/** @param {string} text @returns {Game} */
export function readLink(text) {
  if (text.length > MOST_TEXT) throw new LinkError("long");
  const bytes = fromText(text);
  if (bytes[0] > VERSION) throw new LinkError("newer");
  const end = bytes.length - 2;
  if (bytes[0] !== VERSION || end < 2 || checkOf(bytes.subarray(0, end)) !== bytes[end] * 256 + bytes[end + 1]) {
    throw new LinkError("cut");
  }
  const game = takeGame(new Reader(bytes.subarray(1, end)));
  if (!isPossible(game)) throw new LinkError("cut");
  return game;
}

/** @param {Reader} reader @returns {Game} */
function takeGame(reader) {
  const id = reader.takeMany(8, 4).map((digit) => digit.toString(16)).join("");
  const day = new Date(FIRST_DAY + reader.take(DAYS) * A_DAY).toISOString().slice(0, 10);
  const names = Array.from({ length: reader.take(PLAYER) }, () =>
    new TextDecoder().decode(new Uint8Array(reader.takeMany(reader.take(NAME_BYTES), 8))),
  );
  const end = { kind: END_KINDS[reader.take(2)], value: reader.take(VALUE) };
  const mort = reader.take(1) === 1;
  const present = takePresent(reader);
  const dealer = reader.take(PLAYER);
  const count = reader.take(DEALS);
  if (count > MOST_DEALS) throw new LinkError("long");
  /** @type {Deal[]} */
  const deals = [];
  for (let place = 0; place < count; place++) deals.push(takeDeal(reader, deals.at(-1)?.present ?? present));
  return { id, day, names, present, dealer, mort, end, deals };
}

/** @param {Reader} reader */
const takePresent = (reader) => reader.takeMany(reader.take(COUNT), PLAYER);

/** @param {Reader} reader @param {number[]} before @returns {Deal} */
function takeDeal(reader, before) {
  const present = reader.take(1) ? before : takePresent(reader);
  const dealer = present[reader.take(COUNT)];
  const seating = { present, dealer, resting: reader.take(1) ? dealer : null };
  const players = playersOf(seating);
  return {
    ...seating,
    taker: players[reader.take(COUNT)],
    partner: players.length === 5 ? players[reader.take(COUNT)] : null,
    contract: CONTRACTS[reader.take(2)],
    bouts: reader.take(2),
    half_points: reader.take(8),
    petit: SIDES[reader.take(2)],
    chelem: CHELEM_CHOICES[reader.take(3)],
    shown: Array.from({ length: reader.take(COUNT) }, () => [
      players[reader.take(COUNT)],
      POIGNEE_CHOICES[reader.take(2)],
    ]),
  };
}

// Returns 16 bits that change if a letter of a link is lost or changed (CRC-16 by the polynomial of the CCITT).
/** @param {Uint8Array} bytes */
function checkOf(bytes) {
  let check = 0xffff;
  for (const byte of bytes) {
    check ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) check = check & 0x8000 ? ((check << 1) ^ 0x1021) & 0xffff : check << 1;
  }
  return check;
}

/** @param {Uint8Array} bytes */
function toText(bytes) {
  const check = checkOf(bytes);
  const whole = String.fromCharCode(...bytes, check >> 8, check & 0xff);
  return btoa(whole).replaceAll("+", "-").replaceAll("/", "_").replace(/={1,2}$/, "");
}

/** @param {string} text */
function fromText(text) {
  try {
    const whole = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(whole, (letter) => letter.charCodeAt(0));
  } catch {
    throw new LinkError("cut");
  }
}
