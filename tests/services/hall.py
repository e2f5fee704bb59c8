"""A hall of tables that enter an evening at once over a bad network, by HTTP, and checks of its state afterwards.

Answers get lost and are asked for again, whole requests arrive twice or late, devices take over while another one has
entries to send. `main` plays this in the database of its environment, and prints the result.
"""

import json
import queue
import random
import sys
import threading
from collections import Counter
from typing import Any

from django.db import connections
from django.test import Client

from evenings.plays.entries import entry_of
from rankings.publication import building
from rankings.publication.report import read_report
from rankings.publication.standings_file import results_csv
from tests.evenings.standings import independent_standings
from tests.evenings.standings.keeping import from_nothing, kept
from tests.evenings.tables.phones import Phone, command, tokens_of
from tests.factories import garde, make_director, plausible, started_session
from tournaments.models import ResultEntry, Session

POSITIONS, ETUIS = 2, 1
LOST, TWICE = 0.25, 0.3
OTHERWISE = 5  # every fifth table: a second device takes over, and the first one had typed another result offline
QUIET_SECONDS = 0.2


class Hall:
    """The tables of a session with their devices, driven by some threads until nothing is left to send."""

    def __init__(self, session: Session, seed: int) -> None:
        self.session, self.seed = session, seed
        self.tokens = tokens_of(session)
        self.tables: queue.SimpleQueue[int] = queue.SimpleQueue()
        self.on_the_way: queue.SimpleQueue[tuple[str, str, list[dict[str, Any]]]] = queue.SimpleQueue()
        self.receipts: dict[str, set[tuple[str, int | None]]] = {}
        self.kinds: Counter[str] = Counter()
        self.errors: list[str] = []
        self.lock = threading.Lock()
        self.clients = threading.local()

    def play(self, threads: int) -> None:
        for number in self.tokens:
            self.tables.put(number)

        def work() -> None:
            self.clients.of_thread = Client()  # costly to make, so one a thread, as the handlers of a server
            try:
                self.serve()
            except Exception as error:
                self.errors.append(repr(error))
            finally:
                connections.close_all()

        workers = [threading.Thread(target=work) for _ in range(threads)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

    def serve(self) -> None:
        """Play the tables one after the other until none is left, then deliver the requests still on their way."""
        while True:
            try:
                number = self.tables.get_nowait()
            except queue.Empty:
                break
            self.serve_table(number)
        while self.deliver(QUIET_SECONDS):
            pass

    def serve_table(self, number: int) -> None:
        chance = random.Random(f"{self.seed}-{number}")
        token = self.tokens[number]
        plays = list(self.session.plays.filter(table__number=number).select_related("etui", "table"))
        self.send(chance, token, "phone-one", [command("join")])
        for index, play in enumerate(plays):
            taker = play.etui.taker
            check = {"version": 1, "seat": "S" if taker == "N" else taker, "agrees": True}
            entry = command("enter", play=play, seat="N", entry=plausible(play))
            if number % OTHERWISE == 0 and index == len(plays) - 1:
                self.send(chance, token, "phone-two", [command("take_over"), entry])
                typed_offline = command("enter", play=play, seat="N", entry=garde(taker, points=29))
                self.send(chance, token, "phone-one", [typed_offline])
                continue
            commands = [command("start", play=play), entry, command("check", play=play, **check)]
            at_once = 3 if number % 4 else 2  # some tables get the network back only at the end
            for first in range(0, 3, at_once):
                self.send(chance, token, "phone-one", commands[first : first + at_once])

    def send(self, chance: random.Random, token: str, device: str, commands: list[dict[str, Any]]) -> None:
        """Send the commands until the answer has come, as the screen's outbox does.

        Meanwhile the network delivers late requests of any table: before the sender repeats them, at the same time in
        another thread, or long after.
        """
        while True:
            if chance.random() < TWICE:
                self.on_the_way.put((token, device, commands))
            self.post(token, device, commands)
            if chance.random() < TWICE and not self.on_the_way.empty():
                self.deliver(timeout=0)
            if chance.random() > LOST:
                return

    def deliver(self, timeout: float) -> bool:
        try:
            self.post(*self.on_the_way.get(timeout=timeout))
        except queue.Empty:
            return False
        return True

    def post(self, token: str, device: str, commands: list[dict[str, Any]]) -> None:
        response = Phone(token, device, client=self.clients.of_thread).post(*commands)
        with self.lock:
            if response.status_code != 200:
                self.errors.append(f"{response.status_code}: {response.content[:200]!r}")
                return
            for receipt in response.json()["receipts"]:
                self.kinds[receipt["status"]] += 1
                self.receipts.setdefault(receipt["key"], set()).add((receipt["status"], receipt["number"]))
            self.kinds["requests"] += 1

    def found(self) -> dict[str, Any]:
        """Return figures to compare with the expected ones. Each good value is 0 or the number of plays."""
        rows = list(ResultEntry.objects.filter(play__session=self.session).select_related("play__etui"))
        current = [row for row in rows if row.current]
        numbers = {number for told in self.receipts.values() for _, number in told if number is not None}
        return {
            "errors": self.errors,
            "plays": self.session.plays.count(),
            "current": len(current),
            "as_typed": sum(entry_of(row) == plausible(row.play) for row in current),
            "contested": sum(row.contested for row in rows),
            "superseded": sum(not row.current and not row.contested for row in rows),
            "keys_with_two_answers": sum(len(told) > 1 for told in self.receipts.values()),
            "numbers_nobody_was_told": len({row.pk for row in rows} - numbers),
            "refused": self.kinds["refused"],
            "confirmed": sum(row.checks.filter(agrees=True).count() == 1 for row in current),
            "requests": self.kinds["requests"],
        }


def standings_astray(session: Session) -> list[str]:
    """Return the differences between stored standings and two others: a full computation and an independent program."""
    parts = zip(("version", "figures", "sums", "étuis"), kept(session), from_nothing(session), strict=True)
    astray = [f"computed afresh: {name}" for name, here, afresh in parts if here != afresh]
    report = read_report(building.build_live(session) or {})
    independent = independent_standings.standings(results_csv(report))
    for player in report.players:
        figures = [
            getattr(player, name) for name in ("line", "attack", "defence", "overall", "rank_general", "rank_alterne")
        ]
        if tuple(figures) != independent[player.name]:
            astray.append(player.name)
    return astray


def main(tables: int) -> None:
    session = started_session(tables=tables, positions=POSITIONS, etuis_per_position=ETUIS)
    make_director(session.tournament.club)  # otherwise the site asks for its first club
    hall = Hall(session, seed=1)
    hall.play(threads=4)
    sys.stdout.write(json.dumps(hall.found() | {"standings_astray": standings_astray(session)}))
