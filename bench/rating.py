"""The order of simulated players by rating and by mean percentage, beside their true order.

    python -m bench.rating [--seeds 4] [--sessions 10 50 200]

Sixty players have a true attack and a true defence. In each session 48 of them play 24 étuis. The taker's score is the
taker's attack less the defence of the three others, and chance. The notes follow from topage. The table has the rank
correlation of each figure with the true strength. Then 100 000 evenings of one player are rated. The exit code
is 1 if that takes more than 60 s of processor time, or more than 500 MB.
"""

import argparse
import random
import resource
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import fmean
from time import process_time

from bench.auctions import SimulatedAuctions
from scoring.rating.auction import AuctionEtui, rate_auction
from scoring.rating.equations import ATTACK_SHARE, DEFENCE_SHARE
from scoring.rating.players import RatedEtui, RatedPlay, rate
from scoring.rating.search import PASSES
from scoring.topage import topage

PLAYERS, PRESENT, PRESENT_APART, ETUIS, AT_A_TABLE = 60, 48, 24, 24, 4
CHANCE = 7.0  # the spread of chance in one score; the spread of strengths is 1
NOTE_CHANCE = 20.0  # the spread of chance in one note, for players whose strengths are in points of %
NOTE_SPREAD = 3.0  # the spread of those strengths
TOGETHER = 10  # for two circles of players that seldom meet: every tenth session is for all
MOST_SECONDS, MOST_MEGABYTES = 60.0, 500.0


class SimulatedField:
    """A field of sixty players of known strength. `linked`: attack and defence are equally strong, else independent."""

    def __init__(self, seed: int, *, linked: bool = True) -> None:
        self.chance = random.Random(seed)
        self.attack = [self.chance.gauss(0, 1) for _player in range(PLAYERS)]
        self.defence = list(self.attack) if linked else [self.chance.gauss(0, 1) for _player in range(PLAYERS)]

    def sit(self, sessions: int, *, apart: bool) -> Iterator[tuple[int, list[tuple[int, tuple[int, int, int]]]]]:
        """Yield the day and the tables of each étui: the taker and the defenders."""
        ranked = sorted(range(PLAYERS), key=lambda player: self.attack[player])
        for session in range(sessions):
            group = ranked
            if apart and session % TOGETHER:
                group = ranked[: PLAYERS // 2] if session % 2 else ranked[PLAYERS // 2 :]
            there = self.chance.sample(group, PRESENT_APART if apart else PRESENT)
            for etui in range(ETUIS):
                if not etui % AT_A_TABLE:
                    self.chance.shuffle(there)
                tables = [there[at : at + 4] for at in range(0, len(there), 4)]
                yield session, [(four[etui % 4], tuple(x for x in four if x != four[etui % 4])) for four in tables]  # type: ignore[misc]

    def play(self, sessions: int, *, apart: bool = False) -> Iterator[RatedEtui]:
        """Yield the étuis of the sessions, with notes by topage."""
        for _session, tables in self.sit(sessions, apart=apart):
            scores = [2 * round((self.find_difference(*table) + self.chance.gauss(0, CHANCE)) / 2) for table in tables]
            notes = topage(scores)
            yield RatedEtui(0, tuple(RatedPlay(*table, float(note)) for table, note in zip(tables, notes, strict=True)))

    def play_plainly(self, sessions: int) -> Iterator[RatedEtui]:
        """Yield étuis whose notes are exactly as the rating supposes, so that true figures are known in points of %."""
        for _session, tables in self.sit(sessions, apart=False):
            notes = [
                50 + NOTE_SPREAD * self.find_difference(*table) + self.chance.gauss(0, NOTE_CHANCE) for table in tables
            ]
            more = 50 - fmean(notes)
            plays = [
                RatedPlay(*table, min(100.0, max(0.0, note + more))) for table, note in zip(tables, notes, strict=True)
            ]
            yield RatedEtui(0, tuple(plays))

    def find_difference(self, taker: int, defenders: tuple[int, int, int]) -> float:
        return self.attack[taker] - sum(self.defence[each] for each in defenders)

    def true_figure(self, player: int) -> float:
        """Return the figure of a player minus the mean of all, in points of %, for `play_plainly`."""
        return NOTE_SPREAD * (self.find_strength(player) - fmean(map(self.find_strength, range(PLAYERS))))

    def find_strength(self, player: int) -> float:
        return ATTACK_SHARE * self.attack[player] + DEFENCE_SHARE * self.defence[player]

    def compare_orders(self, sessions: int, *, apart: bool = False) -> tuple[float, float]:
        """Return the rank correlations with the true strength: of the mean percentages, and of the rating."""
        etuis = list(self.play(sessions, apart=apart))
        means, ratings = find_means(etuis), rate(etuis)
        players = sorted(ratings)
        true = [self.find_strength(player) for player in players]
        return (
            correlate([means[player] for player in players], true),
            correlate([ratings[player].figure for player in players], true),
        )


def compare_auctions(seed: int, sessions: int, *, apart: bool = False) -> tuple[float, float]:
    """Return the rank correlations with the true strength in a free auction: of the mean notes, and of the rating."""
    field = SimulatedAuctions(seed)
    etuis = list(field.play(sessions, apart=apart))
    means, ratings = find_mean_notes(etuis), rate_auction(etuis)
    players = sorted(ratings)
    true = [field.strength[player] for player in players]
    return (
        correlate([means[player] for player in players], true),
        correlate([ratings[player].figure for player in players], true),
    )


def find_mean_notes(etuis: Sequence[AuctionEtui]) -> dict[int, float]:
    """Return the mean note of each player over all étuis."""
    notes = defaultdict(list)
    for etui in etuis:
        for play in etui.plays:
            for player, note in zip(play.players, play.notes, strict=True):
                notes[player].append(note)
    return {player: fmean(each) for player, each in notes.items()}


def find_means(etuis: Sequence[RatedEtui]) -> dict[int, float]:
    """Return the global percentage of each player over all étuis."""
    attack, defence = defaultdict(list), defaultdict(list)
    for etui in etuis:
        for play in etui.plays:
            attack[play.taker].append(play.note)
            for each in play.defenders:
                defence[each].append(100 - play.note)
    players = attack.keys() | defence.keys()
    return {
        player: ATTACK_SHARE * fmean(attack[player] or [50]) + DEFENCE_SHARE * fmean(defence[player] or [50])
        for player in players
    }


def correlate(one: Sequence[float], other: Sequence[float]) -> float:
    """Return Spearman's rank correlation."""
    apart = sum((x - y) ** 2 for x, y in zip(find_places(one), find_places(other), strict=True))
    return 1 - 6 * apart / (len(one) * (len(one) ** 2 - 1))


def find_places(values: Sequence[float]) -> list[int]:
    places = [0] * len(values)
    for place, at in enumerate(sorted(range(len(values)), key=lambda at: values[at])):
        places[at] = place
    return places


def make_large() -> list[RatedEtui]:
    """Return the étuis of 100 000 evenings of one player: 100 clubs of 60 players, who sometimes meet."""
    chance, etuis = random.Random(1), []
    for session in range(2_083):
        club = session % 100
        there = [club * PLAYERS + each for each in chance.sample(range(PLAYERS), PRESENT)]
        if not session % 37:
            there = chance.sample(range(100 * PLAYERS), PRESENT)
        for etui in range(ETUIS):
            if not etui % AT_A_TABLE:
                chance.shuffle(there)
            plays = (
                RatedPlay(there[at], (there[at + 1], there[at + 2], there[at + 3]), chance.random() * 100)
                for at in range(0, PRESENT, 4)
            )
            etuis.append(RatedEtui(session // 100 * 7, tuple(plays)))
    return etuis


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--sessions", type=int, nargs="+", default=[10, 50, 200])
    args = parser.parse_args()
    most = max(args.sessions)
    cases = [(f"{sessions} sessions", sessions, True, False) for sessions in args.sessions]
    cases += [(f"{most}, attack ≠ defence", most, False, False), (f"{most}, two circles", most, True, True)]
    for name, sessions, linked, apart in cases:
        pairs = [
            SimulatedField(seed, linked=linked).compare_orders(sessions, apart=apart) for seed in range(args.seeds)
        ]
        means, ratings = (fmean(each) for each in zip(*pairs, strict=True))
        sys.stdout.write(f"{name:24} mean % {means:.2f}   rating {ratings:.2f}\n")
    for sessions in args.sessions:
        pairs = [compare_auctions(seed, sessions) for seed in range(args.seeds)]
        means, ratings = (fmean(each) for each in zip(*pairs, strict=True))
        sys.stdout.write(f"free auction, {sessions:10} mean % {means:.2f}   rating {ratings:.2f}\n")
    etuis = make_large()
    began = process_time()
    rate(etuis)
    seconds, megabytes = process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    plays = sum(len(etui.plays) for etui in etuis)
    limits = f"≤ {MOST_SECONDS:g} s and {MOST_MEGABYTES:g} MB"
    sys.stdout.write(f"{plays} plays, {PASSES} passes: {seconds:.1f} s, {megabytes:.0f} MB   goal {limits}\n")
    return int(seconds > MOST_SECONDS or megabytes > MOST_MEGABYTES)


if __name__ == "__main__":
    sys.exit(main())
