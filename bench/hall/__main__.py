"""The measurement of a full hall on real servers: waiting times of screens and costs of requests, beside the goals.

    python -m bench.hall [--quick] [--only cpu pace …] [--laptop] [--tables 150] [--seconds 60] [--format triplettes]

This program starts PostgreSQL, Redis, a worker with its beat and the web server on this machine, in a temporary folder.
After that it starts a site as on a laptop. It needs the development tools. One more process on this machine sends the
requests of the hall. The load of that process and of the machine is printed, since both make every figure worse.

In the load called "pace", each table has a result every 9 minutes, and the whole hall has at least one every 1.2 s.
Each screen polls every 10 s, and five screens are desks. So a run of four minutes has 200 entries and 100 polls of
desks.

The load "free" is a hall of 488 players in which the tables deal. Each of the 122 tables enters its 20 deals without a
pause, until all 2 440 are in. No other group can be measured with it.

Goals in milliseconds are for a machine on which a bare view takes one millisecond. The exit code is 1 if a goal
is missed.
"""

import argparse
import logging
import os
import platform
import subprocess
import sys
from functools import partial
from pathlib import Path
from time import perf_counter

from bench.hall.goals import FREE, GROUPS, LAPTOP, ON_DEMAND
from bench.hall.servers import Server, folder_of_run
from bench.site import set_up
from scoring.formats import FREE_AUCTION_3, FREE_AUCTION_5, FREE_DEALS, INDIVIDUAL, TRIPLETTES

TABLES, LAPTOP_TABLES, FREE_TABLES = 150, 40, 122
FORMATS = INDIVIDUAL.name, TRIPLETTES.name, FREE_DEALS.name, FREE_AUCTION_3.name, FREE_AUCTION_5.name


def say(line: str = "") -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="20 s of each load, and each request fewer times")
    parser.add_argument(
        "--only",
        nargs="+",
        choices=GROUPS,
        default=[group for group in GROUPS if group not in ON_DEMAND],
        metavar="GROUP",
        help=", ".join(GROUPS),
    )
    parser.add_argument("--clubs", type=int, default=100, help="of the national simultaneous of the group field")
    parser.add_argument("--laptop", action="store_true", help="the laptop alone")
    parser.add_argument("--tables", type=int, help=f"{TABLES}, and {LAPTOP_TABLES} on a laptop")
    parser.add_argument("--seconds", type=float, help="of each load")
    parser.add_argument("--times", type=int, help="that each page is asked for")
    parser.add_argument("--format", choices=FORMATS, default=FORMATS[0], help="who plays; or no étuis at all")
    parser.add_argument("--processes", type=int, default=2, help="of the web server")
    parser.add_argument("--migrated", type=Path, help="a migrated database: a file of SQLite, or a script")
    args = parser.parse_args()
    if FREE in args.only:
        if args.only != [FREE]:
            parser.error("--only free is measured alone")
        args.format = FREE_DEALS.name
    args.seconds = args.seconds or (20.0 if args.quick else 240.0)
    args.times = args.times or (3 if args.quick else 10)
    on_laptop = any(group.startswith(LAPTOP) for group in args.only)
    on_server = any(not group.startswith(LAPTOP) for group in args.only)
    missed = False
    if args.laptop or not on_server:
        return int(run(args, laptop=True)) if on_laptop else 0
    missed = run(args, laptop=False)
    if on_laptop:  # in another process, because a process reads its settings only once
        missed |= bool(subprocess.run([sys.executable, "-m", "bench.hall", *sys.argv[1:], "--laptop"]).returncode)
    return int(missed)


def run(args: argparse.Namespace, *, laptop: bool) -> bool:
    """Start everything, and print each figure as soon as it is known. Return whether a figure missed its goal."""
    began, missed = perf_counter(), []
    with (
        folder_of_run() as folder,
        Server(folder, laptop=laptop, processes=args.processes, migrated=args.migrated) as server,
    ):
        set_up()
        logging.getLogger("django.request").setLevel(logging.CRITICAL)
        if not laptop:
            from django.core.management import call_command

            call_command("collectstatic", interactive=False, verbosity=0)
        from bench.hall.measures import Measures
        from bench.hall.scene import Scene

        most = FREE_TABLES if args.format == FREE_DEALS.name else TABLES
        tables = args.tables or (LAPTOP_TABLES if laptop else most)
        make_scene = partial(Scene, tables, args.format, empty=FREE in args.only)
        measures = Measures(server, make_scene, args.seconds, args.times)
        measures.clubs = args.clubs
        bare = measures.site.bare()
        say(machine(bare))
        say(str(measures))
        for figure in measures.take(args.only):
            say(figure.line(bare))
            if not figure.is_met(bare):
                missed.append(figure)
    load = ", ".join(f"{figure:.1f}" for figure in os.getloadavg())
    say(f"{len(missed)} missed, after {perf_counter() - began:.0f} s; load of the machine {load}\n")
    return bool(missed)


def machine(bare: float) -> str:
    import django
    from django.db import connection

    connection.ensure_connection()
    version = ".".join(map(str, connection.get_database_version()))
    load = ", ".join(f"{figure:.1f}" for figure in os.getloadavg())
    return (
        f"{os.cpu_count()} cores, load {load}; Python {platform.python_version()}, Django {django.__version__}, "
        f"{connection.vendor} {version}; a bare view takes {bare:.2f} ms"
    )


if __name__ == "__main__":
    from operations.stack import give_room

    sys.exit(give_room(main)())  # as a worker does for its jobs
