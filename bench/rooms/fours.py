"""The tables for four of the bench: four guests at each, who wait for each other's cards and ask once a second.

Whoever is at turn thinks for two seconds and plays a card. The others ask `state?seen=`, and read the table when the
answer is not 204. A card is seen when another player of the table has read an answer with it.
"""

import asyncio
from time import monotonic
from typing import Any

from bench.hall.wire import Connection
from bench.rooms.asking import Timings, choose

ASKS, THINKS = 1.0, 2.0  # seconds
TOKEN = "x" * 32
SEATS = "SNEW"


class FourTable:
    """A table: when each card was sent, by the number of its deal and of the move, and by which seat."""

    def __init__(self, table_id: int) -> None:
        self.address = f"/api/v1/rooms/tables/{table_id}/"
        self.sent: dict[tuple[int, int], tuple[float, str]] = {}


class FourPlayer:
    """A guest at a table for four."""

    def __init__(self, table: FourTable, seat: str, token: str, port: int, found: Timings) -> None:
        self.table, self.seat, self.found = table, seat, found
        self.known = (0, 0)  # the deal and its moves that this player has seen
        cookies = f"visitor={token}; csrftoken={TOKEN}"
        self.wire = Connection(port, Cookie=cookies, **{"X-CSRFToken": TOKEN})

    async def play(self, start: float, end: float) -> None:
        """Play from a moment to another."""
        await asyncio.sleep(max(0.0, start - monotonic()))
        told = await self.look()
        while told is not None and monotonic() < end:
            if is_asked(told):
                await asyncio.sleep(THINKS)
                told = await self.move(told)
            elif told["is_over"] and told["deal"] and not is_ready(told, self.seat):
                await self.found.time("four", self.wire.post(f"{self.table.address}wish/", {"do": "next"}))
                told = await self.look()
            else:
                await asyncio.sleep(ASKS)
                answer = await self.wire.get(f"{self.table.address}state?seen={told['seen']}")
                told = told if answer.status == 204 else await self.look()

    async def look(self) -> Any:
        answer = await self.found.time("four", self.wire.get(self.table.address))
        return None if answer.failed else self.note(answer.json())

    async def move(self, told: dict[str, Any]) -> Any:
        game = {"asks_chelem": told["asks_chelem"], "table": told["game"]}
        body = {"deal": told["deal"], "at": told["length"], "move": choose(game)}
        self.table.sent[told["deal"], told["length"]] = monotonic(), self.seat
        answer = await self.found.time("four", self.wire.post(self.table.address, body))
        return None if answer.failed else self.note(answer.json())

    def note(self, told: Any) -> Any:
        """Note how long the cards of others took that this player now sees for the first time, and return the table."""
        deal, length = told["deal"], told["length"]
        first = self.known[1] if deal == self.known[0] else 0
        for at in range(first, length):
            sent, seat = self.table.sent.get((deal, at), (None, ""))
            if sent is not None and seat != self.seat:
                self.found.seconds["seen"].append(monotonic() - sent)
        self.known = deal, length
        return told


def is_asked(told: dict[str, Any]) -> bool:
    """Return whether the player has to move."""
    return not told["is_over"] and (told["asks_chelem"] or told["game"]["asks"]["kind"] not in ("wait", "over"))


def is_ready(told: dict[str, Any], seat: str) -> bool:
    """Return whether the player has wished for the next deal."""
    return any(each["ready"] for each in told["seats"] if each["seat"] == seat)


async def play_fours(players: list[FourPlayer], end: float) -> None:
    """Let all of them play until a moment. They come within the first seconds."""
    began = monotonic()
    starts = (began + ASKS * (place % 4) / 4 for place in range(len(players)))
    await asyncio.gather(*(player.play(start, end) for player, start in zip(players, starts, strict=True)))


def open_tables_for_four(port: int, count: int, found: Timings) -> list[FourPlayer]:
    """Make a room for four with so many tables of guests, and return its players."""
    from django.utils import timezone

    from rooms.classic.halls import TermsAsked, make_own_room
    from rooms.classic.sitting import take_seat
    from rooms.visitors.guests import make_guest

    now = timezone.now()
    room = make_own_room(TermsAsked(clock=90), now=now)
    players: list[FourPlayer] = []
    for number in range(count):
        table, seated = None, []
        for seat in SEATS:
            visitor, token = make_guest(name=f"Four {number}{seat} of {room.pk}", now=now)
            where = (table.number if table else None, seat)
            table = take_seat(room_id=room.pk, visitor=visitor, now=now, where=where, link=room.terms.link)
            seated.append((seat, token))
        assert table is not None
        held = FourTable(table.pk)
        players += [FourPlayer(held, seat, token, port, found) for seat, token in seated]
    return players
