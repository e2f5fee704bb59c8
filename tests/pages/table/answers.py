"""A made-up site for stories of a table's screen: a test writes its state, and it takes every command.

Such a story costs a tenth of one that asks the real site. It shows what a table seldom meets: teams, tables that deal,
refusals, a site that lost results. `tests/pages/table/test_story.py` has the stories with the real site.
"""

import re
from pathlib import Path
from typing import Any

from evenings.tables.words import catalogue
from tests.evenings.tables.screen_schema import fitting
from tests.node.running import check_story, run

KEY = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")

NAMES = {"N": "Zoé", "E": "Yann", "S": "Xavière", "W": "Willy", "F": "Ursule"}
NOW = "2026-11-26T20:00:00Z"
START = """
import { database } from "./database.js";
document.open('<script id="words"></script><div id="head"></div><p id="status"></p><div id="screen"></div>'
  + '<div id="foot"></div><p id="said"></p>');
document.getElementById("words").textContent = JSON.stringify(words);
location.pathname = "/t/code/";
navigator.language = "en-GB";
const mixed = (bytes) => bytes.map((_, place) => (37 * place + made) % 256);
let made = 0;
const getRandomValues = (bytes) => ((made += 1), bytes.set(mixed(bytes)), bytes);
Object.defineProperty(globalThis, "crypto", { value: { getRandomValues } });
Math.random = () => 0.5;
if (kept) globalThis.indexedDB = database(kept);

const sent = [];
const receipts = []; // what the site answers to the next commands of a kind, instead of taking them
let away = first; // the status and the text that the site answers to everything, or null
const plays = () => state.stops.flatMap((stop) => stop.plays);
const playOf = (id) => plays().find((play) => play.id === id);
const effects = {
  join: () => Object.assign(state.device, { known: true, writes: !state.device.others, label: "Table 1 · Android 1" }),
  take_over: () => Object.assign(state.device, { known: true, writes: true, label: "Table 1 · Android 1" }),
  leave: () => Object.assign(state.device, { known: false, writes: false }),
  start: (_, play) => Object.assign(play, { started: true, state: "started" }),
  not_played: (_, play) => Object.assign(play, { state: "not_played" }),
  check: ({ agrees }, play) => Object.assign(play, { state: agrees ? "confirmed" : "disputed" }),
  call: ({ key }) => Object.assign(state, { call: { coming: false }, called: key.slice(0, 8) }),
  uncall: () => Object.assign(state, { call: null, called: null }),
};
const enter = ({ entry, seat }, play) => Object.assign(play, { state: "entered", entry, seat, score: null });
let number = 0;
function take(command) {
  const { key, kind } = command;
  sent.push(command);
  const place = receipts.findIndex((each) => each.kind === kind);
  const { kind: _, ...other } = place < 0 ? {} : receipts.splice(place, 1)[0];
  const play = playOf(command.play);
  const stored = !other.status && ["enter", "correct", "blind", "check", "record"].includes(kind);
  const receipt = { key, status: "received", number: (number += 1), version: number, at: state.now, stored, code: "",
    text: "", questions: [], ...other };
  if (receipt.status === "received") {
    if (play && stored) Object.assign(play, { keys: [...play.keys, key.slice(0, 8)] });
    if (play && ["enter", "correct"].includes(kind)) play.version = receipt.version;
    (effects[kind] ?? (["enter", "correct"].includes(kind) ? enter : () => {}))(command, play);
  }
  return receipt;
}
globalThis.fetch = async (url, { method, headers, body, cache, credentials, redirect }) => {
  if ([cache, credentials, redirect].join() !== "no-store,omit,error") throw new Error("another site could answer");
  if (method === "GET") asked.push([url, headers["Accept-Language"]]);
  if (stage.offline) throw new TypeError("no network");
  const telling = (status, text) => ({ status, text: async () => text });
  if (away) return telling(...away);
  state.now = new Date().toISOString();
  if (method === "GET") return state.stamp && url.endsWith(`&seen=${state.stamp}`) ? telling(204, "") : telling(200,
    JSON.stringify(state));
  if (headers["Content-Type"] !== "application/json") return telling(415, "{}");
  return telling(200, JSON.stringify({ server: "topage", receipts: JSON.parse(body).commands.map(take), state }));
};
const asked = []; // the addresses of the questions for news, each with the language of the answer
Object.assign(ways, {
  site: (changes) => void Object.assign(state, changes), // what the site says from now on
  session: (changes) => void Object.assign(state.session, changes),
  play: (id, changes) => void Object.assign(playOf(id), changes),
  answer: (...given) => void receipts.push(...given),
  away: (...given) => void (away = given.length ? given : null),
  full: (on) => void (kept.full = on), // the device has no more room
  fire: (name, more) => void (document.dispatchEvent(Object.assign(new Event(name, { bubbles: true }), more))),
  hide: (on) => { document.hidden = on; document.dispatchEvent(new Event("visibilitychange")); },
  choose: (start) => document.querySelector(`[data-key^="${start}"]`).click(),
  keyed: (key, given) => void send(key, given),
  both: (...keys) => keys.forEach(press), // at once, before the device has written anything
  focus: (key) => document.querySelector(`[data-key="${key}"]`).focus(),
});
const places = ["head", "status", "screen", "foot", "said"];
const told = [];
await import("./table/app.js");
for (const [step, ...rest] of [["pass", 0], ...steps]) {
  const before = sent.length;
  await ways[step](...rest);
  await pass(0);
  const lines = places.flatMap((id) => read(document.getElementById(id)));
  const tellCommand = ({ kind, key: _, at: _1, ...more }) => `sent: ${kind} ${JSON.stringify(more)}`;
  const commands = sent.slice(before).map(tellCommand);
  const stop = document.querySelectorAll("[data-card]").find((each) => !each.hasAttribute("tabindex"));
  const focus = `focus: ${document.activeElement.dataset.key}${stop ? `, tab to ${stop.dataset.key}` : ""}`;
  told.push([focus, ...commands, ...lines]);
}
tell({ told, sent, asked, kept, title: document.title });
"""


def make_play(pk: int, **more: Any) -> dict[str, Any]:
    """Return a play that nobody has begun. Its étui has the last digit of its id as its number."""
    nothing: dict[str, Any] = dict.fromkeys(("version", "entry", "seat", "score", "record", "after"))
    state = {"state": "todo", "started": False, "check": "none", "arbiter": "", "withdrawn": False}
    return (
        nothing | state | {"id": pk, "etui": pk % 10, "taker": None, "leader": "N", "keys": [], "final": False} | more
    )


def make_stop(position: int, *plays: dict[str, Any], lines: str = "NESW", **more: Any) -> dict[str, Any]:
    """Return a position with these plays, at which the players of these seats sit."""
    seats = {line: {"name": NAMES[line]} for line in lines}
    facing = dict(zip("NESW", "SWNE", strict=True)) if len(lines) == 4 else {}
    told = {"position": position, "closed": False, "rest": False, "seats": seats, "facing": facing}
    return told | {"plays": list(plays)} | more


def make_state(*stops: dict[str, Any], session: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """Return the state of table 1, on a device that enters its results."""
    plain = {"club": "Club", "tournament": "Été", "date": "2026-11-26", "auction": "imposed", "shows": "nothing"}
    plain |= {"positions": len(stops), "whole_records": False, "published": False, "closed": False, "address": "/s/1/"}
    state = {"server": "topage", "session": plain | (session or {}), "table": 1, "position": 1, "here": 1}
    state |= {"clock": {"ends_at": None, "left": None}, "last_call": False, "call": None, "called": None}
    state |= {"device": {"writes": True, "others": 0, "known": True, "label": "Table 1 · Android 1"}}
    state |= {"stops": list(stops), "next": [], "left": None, "results": None, "requests": [], "stamp": "", "now": NOW}
    return dict(fitting("State", state | more))


def play_story(
    scripts: Any, state: dict[str, Any], steps: list[tuple[object, ...]], *, kept: Any = None, first: Any = None
) -> Any:
    """Return what the screen of a table told, what it sent and asked, and what the device keeps at the end.

    `kept` is what the device keeps at the beginning. Without it, the browser keeps nothing. `first` is what the site
    answers to everything until a step changes it.
    """
    found = run(scripts, START, words=catalogue(), state=state, steps=steps, kept=kept, first=first)
    for command in found["sent"]:
        fitting("Command", command)
    return found


def check_screens(name: str, told: Any, steps: list[tuple[object, ...]], tmp_path: Path) -> None:
    """Compare the screens of a story to its file, without the keys of the pad, the cards and the keys of commands."""
    screens = [[line for line in lines if not line.startswith(("[digit-", "[card-"))] for lines in told["told"]]
    check_story(f"table_{name}", steps, screens, tmp_path, lambda line: KEY.sub("KEY", line))


def press(*keys: str) -> list[tuple[object, ...]]:
    return [("press", key) for key in keys]


def points(digits: str) -> list[tuple[object, ...]]:
    return press(*(f"digit-{digit}" for digit in digits), "next")
