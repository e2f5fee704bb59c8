"""The table of strength of docs/bots.md: each level against the yardstick, and level against level.

    python -m bench.strength [--deals 700] [--thirty 250] [--hundred 100] [--far 700] [--processes 2]
        [--kept strength.jsonl]

The policy and level 10 play `--deals` étuis, level 30 and level 100 fewer; level 100 plays `--far` étuis against level
10. All plays are of the étuis from 1 on, so each difference compares the same cards. Every result is written to the
kept file as it comes, and a second run goes on from there. The processor minutes of the run are printed. With the
defaults the table takes less than an hour on two quiet cores.
"""

import argparse
import json
import os
import resource
import sys
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path

from bench.strength.games import WEAK, Task, play_task
from bots.matches import MeanGain, find_mean

Results = dict[Task, int]
FAR = ("100", "10")
STEPS = (("10", "policy"), ("30", "10"), ("100", "30"), FAR, ("30", "policy"), ("100", "policy"))


def list_tasks(counts: dict[str, int], far: int) -> Iterator[Task]:
    """Yield all plays, étui by étui, so that a run that was stopped has whole étuis."""
    for etui in range(1, max(*counts.values(), far) + 1):
        levels = [name for name, count in counts.items() if etui <= count]
        yield WEAK, WEAK, etui
        for name in levels:
            yield name, WEAK, etui
            yield WEAK, name, etui
            yield name, name, etui
        for one, other in STEPS:
            if (one in levels and other in levels) or ((one, other) == FAR and etui <= far):
                yield one, other, etui
                yield other, one, etui


def compare(results: Results, plays: tuple[str, str], others: tuple[str, str], sign: int = 1) -> MeanGain:
    """Return the mean difference of two kinds of plays over the étuis that have both."""
    etuis = sorted(etui for attack, defence, etui in results if (attack, defence) == plays)
    both = [etui for etui in etuis if (*others, etui) in results]
    return find_mean(sign * (results[*plays, etui] - results[*others, etui]) for etui in both)


def find_mean_of(results: Results, attack: str, defence: str) -> MeanGain:
    """Return the mean base score of one kind of plays."""
    return find_mean(score for (one, other, _), score in sorted(results.items()) if (one, other) == (attack, defence))


def show_gain(gain: MeanGain) -> str:
    """Return a difference with its error, its étuis, and whether it is seen."""
    if not gain.count:
        return "not played"
    return f"{gain} ({gain.count} étuis){'' if gain.is_seen else ', not seen'}"


def make_table(results: Results, names: list[str]) -> str:
    """Return the two tables as Markdown."""
    lines = ["| level | étuis | attacking the yardstick | defending against the yardstick |", "|---|---|---|---|"]
    for name in (WEAK, *names):
        attack, defence = find_mean_of(results, name, WEAK), find_mean_of(results, WEAK, name)
        if attack.count:
            lines.append(f"| {name} | {attack.count} | {attack} | {defence} |")
    heads = ("step", "attack gains", "defence gains", "attack, yardstick defends", "defence, yardstick attacks")
    lines += ["", f"| {' | '.join(heads)} |", "|---|---|---|---|---|"]
    for one, other in STEPS:
        gains = (
            compare(results, (one, other), (other, other)),
            compare(results, (other, one), (other, other), -1),
            compare(results, (one, WEAK), (other, WEAK)),
            compare(results, (WEAK, one), (WEAK, other), -1),
        )
        lines.append(f"| {one} over {other} | {' | '.join(map(show_gain, gains))} |")
    return "\n".join(lines)


def read_kept(path: Path) -> Results:
    """Return the results of an earlier run."""
    if not path.exists():
        return {}
    rows = map(json.loads, path.read_text().splitlines())
    return {(attack, defence, etui): score for attack, defence, etui, score in rows}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--deals", type=int, default=700)
    parser.add_argument("--thirty", type=int, default=250)
    parser.add_argument("--hundred", type=int, default=100)
    parser.add_argument("--far", type=int, default=700, help="étuis that level 100 plays against level 10")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--kept", type=Path, default=Path("strength.jsonl"))
    parser.add_argument("--only-table", action="store_true", help="play nothing, and show what the kept file has")
    args = parser.parse_args()
    counts = {"policy": args.deals, "10": args.deals, "30": args.thirty, "100": args.hundred}
    results = read_kept(args.kept)
    tasks = [] if args.only_table else [task for task in list_tasks(counts, args.far) if task not in results]
    with get_context("spawn").Pool(args.processes) as pool, args.kept.open("a") as file:
        for task, score in pool.imap(play_task, tasks, chunksize=4):
            results[task] = score
            file.write(json.dumps([*task, score]) + "\n")
            file.flush()
        pool.close()
        pool.join()  # only an ended process tells its processor time
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    sys.stdout.write(f"{make_table(results, list(counts))}\n\n")
    sys.stdout.write(f"{len(tasks)} plays, {(used.ru_utime + used.ru_stime) / 60:.0f} processor minutes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
