"""The time that two optimisations of the site save: each request is measured with and without them.

    python -m bench.gains [--rounds 60] [--tables 40 150]

The first is the shortcut before cached pages. A reader asks for a published ranking of 60 players, which is sent whole
or answered with "not modified". The second is the desk in pieces. A desk polls after a result. It gets only the pieces
of the page that differ, or the whole page with cells from the cache, or the whole page drawn anew.

Everything runs in this process, with a laptop's database in a temporary folder. Only processor time counts. Rounds take
turns, and the median of each counts.
"""

import argparse
import sys
from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

from bench.evening import medians
from bench.site import new_place, set_up

SHORTCUT = "pages.public.shortcut.ShortcutMiddleware"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--tables", type=int, nargs="+", default=[40, 150], help="of the desk's hall")
    args = parser.parse_args()
    with new_place():
        set_up()
        from celery import current_app

        current_app.conf.task_always_eager = False  # jobs are queued, but there is no worker
        compare_readers(args.rounds)
        for tables in args.tables:
            compare_desks(tables, args.rounds)
    return 0


def write_ways(title: str, seconds: dict[str, float], told: dict[str, str]) -> None:
    """Print the milliseconds of each way, and their ratio to those of the first way."""
    base = next(iter(seconds.values()))
    for name, taken in seconds.items():
        sys.stdout.write(f"{title}, {name:36}{1000 * taken:8.2f} ms  × {taken / base:5.2f}  {told.get(name, '')}\n")


def compare_readers(rounds: int) -> None:
    """Measure readers of a published ranking, with the shortcut and without it."""
    from django.conf import settings
    from django.test import Client, override_settings
    from django.urls import reverse

    from tests.factories import make_director, make_tournament, published_session

    tournament = make_tournament()
    director = make_director(tournament.club)
    session = published_session(tournament, by=director, tables=15, positions=5, etuis_per_position=2)
    address = reverse("ranking", args=(tournament.club.slug, tournament.slug, session.number))
    headers = {"accept-encoding": "gzip"}
    short, whole = Client(headers=headers), Client(headers=headers)
    tag = short.get(address)["ETag"]
    with override_settings(MIDDLEWARE=[each for each in settings.MIDDLEWARE if each != SHORTCUT]):
        whole.get(address)  # from now on this client uses the middleware without the shortcut

    def ask(client: Client, status: int, **more: Any) -> Callable[[], None]:
        def read() -> None:
            assert client.get(address, **more).status_code == status

        return read

    known = {"headers": {"if-none-match": tag}}
    for title, status, more in (("ranking", 200, {}), ("ranking not modified", 304, known)):
        ways = {"by the shortcut": ask(short, status, **more), "the whole way": ask(whole, status, **more)}
        write_ways(title, medians(ways, rounds), {})


def compare_desks(tables: int, rounds: int) -> None:
    """Measure the answers to a desk that polls after one more result."""
    import html

    from django.test import Client
    from django.utils import timezone

    from bench.hall.cpu import PROGRESS
    from bench.hall.scene import start_evening
    from evenings.standings import computing
    from pages.desk import pieces
    from pages.doors import session_url
    from tests.factories import enter, enter_all, make_director, make_tournament

    tournament = make_tournament(name=f"Salle de {tables}")
    director = make_director(tournament.club, f"salle{tables}")
    session = start_evening(tournament, director, tables=tables, positions=10)
    left = list(session.plays.filter(position=6).select_related("etui", "table").order_by("etui__number"))
    enter_all(session, by=director, plays=session.plays.filter(position__lt=6).select_related("etui"))
    computing.refresh(session.pk, now=timezone.now())
    browser = Client(headers={"hx-request": "true"})
    browser.force_login(director)

    def ask_next() -> str:
        (address, *_) = PROGRESS.findall(browser.get(session_url("session", session), headers={"hx-request": ""}).text)
        return html.unescape(address)

    def answer(address: str, *, forget: bool) -> tuple[float, int]:
        if forget:
            for kept in (pieces.draw_cell, pieces.draw_line, pieces.digest):
                kept.cache_clear()
        start = process_time()
        told = browser.get(address)
        took = process_time() - start
        assert told.status_code == 200, told.status_code
        return took, len(told.content)

    ways: dict[str, list[tuple[float, int]]] = {
        "the pieces that differ": [],
        "everything, cells kept": [],
        "all drawn anew": [],
    }
    for _round in range(rounds // 3 + 1):
        # Each way gets a new result, because only the first request after a result reads the database.
        for name, found in ways.items():
            address = ask_next()
            enter(left.pop(), by=director)
            whole = address.partition("&held=")[0]
            assert whole != address, address
            by_pieces = name == "the pieces that differ"
            found.append(answer(address if by_pieces else whole, forget=name == "all drawn anew"))
    seconds = {name: median(took for took, _size in found[1:]) for name, found in ways.items()}
    sizes = {name: f"{found[-1][1] / 1000:.1f} kB" for name, found in ways.items()}
    write_ways(f"desk of {tables} tables", seconds, sizes)


if __name__ == "__main__":
    sys.exit(main())
