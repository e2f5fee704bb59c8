"""The cost of the first start of a site: `migrate` of an empty SQLite, each time in a process and a folder of its own.

    python -m bench.first_start [--times 5]

Run it on a machine that does nothing else: processes beside it take the caches, and so raise the processor time.
"""

import argparse
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.backup import Cost, measure

MOST_SECONDS, MOST_MEGABYTES = 7, 220  # of processor time, of the least run; of memory, of the worst run


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=5)
    costs = [migrate() for _time in range(parser.parse_args().times)]
    seconds = [cost.processor for cost in costs]
    megabytes = max(cost.megabytes for cost in costs)
    sys.stdout.write(
        f"processor  {min(seconds):5.2f} s   median {median(seconds):.2f}   goal ≤ {MOST_SECONDS}\n"
        f"memory     {megabytes:5.0f} MB                 goal ≤ {MOST_MEGABYTES}\n"
    )
    return int(min(seconds) > MOST_SECONDS or megabytes > MOST_MEGABYTES)


def migrate() -> Cost:
    with TemporaryDirectory() as folder:
        place = {"VAR_DIR": str(Path(folder)), "MODE": "laptop", "REDIS_URL": ""}
        return measure("manage.py", "migrate", "--verbosity", "0", **place)


if __name__ == "__main__":
    sys.exit(main())
