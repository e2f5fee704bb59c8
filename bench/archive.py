"""The archive of a large tournament: seconds and memory of the export, the preview and the import, and their sizes.

    python -m bench.archive [--tables 150] [--sessions 4] [--most-megabytes 600]

The tournament has `--sessions` sessions of five positions with four étuis. Players at `--tables` tables play all of
them, and each session is published. The commands run in processes of their own, on SQLite in a temporary folder. The
exit code is 1 if one of them needs more than `--most-megabytes` of memory.
"""

import argparse
import datetime as dt
import subprocess
import sys
import zipfile
from pathlib import Path

from bench.backup import measure
from bench.site import new_place, set_up


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=150)
    parser.add_argument("--sessions", type=int, default=4)
    parser.add_argument("--most-megabytes", type=float, default=600)
    args = parser.parse_args()
    with new_place() as folder:
        playing = f"from bench.archive import play_all; play_all({args.tables}, {args.sessions})"
        subprocess.check_call([sys.executable, "-c", playing])
        file = str(folder / "archive.zip")
        bring = ("manage.py", "archive", "import", file, "--club", "ailleurs")
        costs = {
            "export": measure("manage.py", "archive", "export", "grand/coupe", file),
            "preview": measure(*bring, "--preview"),
            "import": measure(*bring),
        }
        with zipfile.ZipFile(file) as packed:
            unpacked = sum(entry.file_size for entry in packed.infolist())
        size = Path(file).stat().st_size
    sys.stdout.write(
        f"{args.tables} tables, {args.sessions} sessions: {size / 1e6:.1f} MB, {unpacked / 1e6:.0f} MB unpacked\n"
    )
    for way, cost in costs.items():
        sys.stdout.write(f"{way:8} {cost.seconds:6.1f} s, memory {cost.megabytes:4.0f} MB\n")
    return int(max(cost.megabytes for cost in costs.values()) > args.most_megabytes)


def play_all(tables: int, sessions: int) -> None:
    """Make the site: a club with the tournament, and another club without a tournament."""
    set_up()
    from deals.sets import create_deal_set
    from evenings.plans.starting import start_session
    from evenings.sessions.setup import create_session, seats_in_order, set_entrants, use_deal_set
    from jobs.demo.club import add_listed, enter_in_bulk
    from rankings.publication.publishing import SESSIONS
    from tests.factories import make_club, make_director
    from tournaments.models import Tournament
    from tournaments.versions import DirectorWord

    make_club("ailleurs", "Ailleurs")
    club = make_club("grand", "Grand")
    director = make_director(club, "directrice")
    players = [player.pk for player in add_listed(club, "\n".join(f"Nom{n}, Prénom" for n in range(4 * tables)))]
    night = dt.datetime(2026, 1, 1, 20, tzinfo=dt.UTC)
    tournament = Tournament.objects.create(club=club, name="Coupe", slug="coupe", created_at=night)
    for _session in range(sessions):
        night += dt.timedelta(weeks=1)
        session = create_session(tournament=tournament, date=night.date(), positions=5, etuis_per_position=4)
        set_entrants(session_id=session.pk, seats=seats_in_order(players))
        etuis = create_deal_set(count=4 * tables, club=club, name=f"{night:%Y-%m-%d}", now=night, by=None)
        use_deal_set(session_id=session.pk, deal_set=etuis)
        start_session(session_id=session.pk, by=director, now=night)
        enter_in_bulk(session, {pk: float(place) for place, pk in enumerate(players)}, by=director, now=night)
        SESSIONS.publish(session.pk, DirectorWord(director, night))
        sys.stdout.write(f"Session {session.number} is played.\n")


if __name__ == "__main__":
    sys.exit(main())
