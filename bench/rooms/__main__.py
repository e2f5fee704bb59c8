"""The measurement of many people who play at once in a room, on a real server: the waiting time of each card.

    python -m bench.rooms [--quick] [--players 109] [--tables 25] [--hall 150] [--level 10] [--seconds 120] [--runs 3]

This program starts PostgreSQL, Redis, a worker with its beat and the web server on this machine, in a temporary folder.
The players are guests. They join within 10 s, and each plays a card every 5 s, chosen by the policy of the bots. One
process sends their requests; it needs processor time too, and its share is printed. Beside them, four guests play at
each of 25 tables for four, as `bench.rooms.fours` says. There are two goals, for two quiet cores. Of 100 answers to a
card, 95 come within a second. Of 100 cards at a table for four, another player there sees 95 within 1.5 s.

With `--hall`, an evening with so many tables is played on the same site. Its entries and its desks have the goals of
`bench.hall`. The exit code is 1 if a goal is missed, or if an answer is an error.
"""

import argparse
import asyncio
import os
import sys
from contextlib import nullcontext
from time import monotonic, process_time
from typing import Any

from bench.hall.goals import percentile, spread_figures
from bench.hall.servers import Server, folder_of_run
from bench.rooms.asking import Timings, choose
from bench.rooms.fours import FourPlayer, open_tables_for_four, play_fours
from bench.site import set_up

JOIN_WITHIN, EVERY, GOAL, SEEN_GOAL = 10.0, 5.0, 1.0, 1.5  # seconds
ETUIS = 24
OF_A_HOUSE = 50  # players behind one address: a room opens 60 tables for each
TOKEN = "x" * 32


def say(line: str = "") -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


class RoomPlayer:
    """A guest who joins a room and plays its étuis by the policy of the bots."""

    def __init__(self, room_id: int, token: str, port: int, found: Timings, house: int) -> None:
        from bench.hall.wire import Connection

        self.room, self.found, self.etui = room_id, found, 1
        cookies = f"visitor={token}; csrftoken={TOKEN}"
        self.wire = Connection(port, Cookie=cookies, **{"X-CSRFToken": TOKEN, "X-Forwarded-For": f"198.51.100.{house}"})

    @property
    def address(self) -> str:
        return f"/api/v1/rooms/{self.room}/games/{self.etui}/"

    async def join(self) -> None:
        question = self.wire.ask("POST", f"/rooms/{self.room}/join/", {"Content-Type": FORM}, b"name=")
        await self.found.time("join", question)

    async def play(self, start: float, end: float) -> None:
        """Join at a moment, then play a card every few seconds until the end."""
        await asyncio.sleep(max(0.0, start - monotonic()))
        await self.join()
        game = await self.look("join")
        while game is not None and monotonic() < end:
            began = monotonic()
            if game["is_over"]:
                self.etui += 1
                if self.etui > ETUIS:
                    return
                game = await self.look("card")
            else:
                body = {"at": game["length"], "move": choose(game)}
                answer = await self.found.time("card", self.wire.post(self.address, body))
                game = None if answer.failed else answer.json()
            while game is not None and game["is_thinking"]:
                game = await self.look("thinking")
            await asyncio.sleep(max(0.0, EVERY - (monotonic() - began)))

    async def look(self, kind: str) -> Any:
        answer = await self.found.time(kind, self.wire.get(self.address))
        return None if answer.failed else answer.json()


FORM = "application/x-www-form-urlencoded"


async def play_all(players: list[RoomPlayer], fours: list[FourPlayer], seconds: float) -> None:
    began = monotonic()
    starts = [began + JOIN_WITHIN * place / len(players) for place in range(len(players))]
    ends = began + JOIN_WITHIN + seconds
    alone = (player.play(start, ends) for player, start in zip(players, starts, strict=True))
    await asyncio.gather(*alone, play_fours(fours, ends))


def open_room(level: int, minutes: int, places: int) -> tuple[int, list[str]]:
    """Make a room that is open now, and so many guests. Return the room's id and the guests' cookies."""
    import datetime as dt

    from django.conf import settings
    from django.utils import timezone

    from rooms.models import RoomKind
    from rooms.opening import Departure, make_room
    from rooms.visitors.guests import make_guest

    settings.ROOM_LEVEL, now = level, timezone.now()
    room = make_room(Departure(RoomKind.HALF, now, now + dt.timedelta(minutes=minutes), ETUIS), now=now)
    names = (f"Player {place} of {room.pk}" for place in range(places))
    return room.pk, [make_guest(name=name, now=now)[1] for name in names]


def measure(port: int, args: argparse.Namespace) -> Timings:
    """Let all players play for one run, and return the seconds of their answers."""
    room_id, tokens = open_room(args.level, 59, args.players)
    found = Timings()
    players = [RoomPlayer(room_id, token, port, found, place // OF_A_HOUSE) for place, token in enumerate(tokens)]
    fours = open_tables_for_four(port, args.tables, found)
    asyncio.run(play_all(players, fours, args.seconds))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="one run of 20 s")
    parser.add_argument("--players", type=int, default=109)
    parser.add_argument("--tables", type=int, default=25, help="for four people")
    parser.add_argument("--hall", type=int, default=0, help="tables of an evening on the same site")
    parser.add_argument("--level", type=int, default=10)
    parser.add_argument("--seconds", type=float, help="of play in each run")
    parser.add_argument("--runs", type=int)
    parser.add_argument("--processes", type=int, default=2, help="of the web server")
    args = parser.parse_args()
    args.seconds = args.seconds or (20.0 if args.quick else 120.0)
    args.runs = args.runs or (1 if args.quick else 3)
    os.environ["ROOMS"] = "yes"
    missed = False
    with folder_of_run() as folder, Server(folder, laptop=False, processes=args.processes) as server:
        set_up()
        from django.core.management import call_command

        from bench.rooms.evening import EveningBeside
        from tests.factories import make_club, make_director

        call_command("collectstatic", interactive=False, verbosity=0)
        make_director(make_club("rooms"), "organiser")  # otherwise the site asks for its first club
        evening = EveningBeside(args.hall) if args.hall else None
        server.start_workers()
        port, processes = server.start_site()
        if evening:
            evening.connect(port, processes)
        say(f"{args.players} players, level {args.level}, a card every {EVERY:g} s, {args.seconds:g} s a run")
        say(f"{args.tables} tables for four beside them" + (f", and a hall of {args.hall}" if args.hall else ""))
        for run in range(1, args.runs + 1):
            began, cpu = monotonic(), process_time()
            with evening.play(args.seconds) if evening else nullcontext() as hall:
                found = measure(port, args)
            share = (process_time() - cpu) / (monotonic() - began)
            missed |= report(run, found, share=share, fours=bool(args.tables))
            for line, is_met in evening.judge(hall.result()) if evening and hall else ():
                say(line)
                missed |= not is_met
    return int(missed)


def report(run: int, found: Timings, *, share: float, fours: bool = False) -> bool:
    """Print a run. Return whether it missed a goal. `fours`: tables for four have played beside."""
    cards, seen = found.seconds["card"], found.seconds["seen"]
    late = not cards or percentile(cards, 0.95) > GOAL
    unseen = fours and (not seen or percentile(seen, 0.95) > SEEN_GOAL)
    for kind, seconds in found.seconds.items():
        if seconds:
            say(f"run {run} {kind}: {spread_figures(seconds)} ({len(seconds)} answers)")
    goal = f"p95 of a card ≤ {GOAL:g} s{' missed' if late else ''}"
    if fours:
        goal += f", p95 until a card is seen ≤ {SEEN_GOAL:g} s{' missed' if unseen else ''}"
    say(f"run {run}: {goal}, {len(found.errors)} errors, sender {share:.0%}")
    for error in found.errors[:5]:
        say(f"  {error}")
    return late or unseen or bool(found.errors)


if __name__ == "__main__":
    sys.exit(main())
