"""The order of simulated players by rating and by mean percentage, beside their true order.

    python -m bench.rating [--seeds 4] [--sessions 10 50 200]
    python -m bench.rating --stored

It needs openskill, one of the tools of development (`make test` installs them).

Sixty players have a true attack and a true defence. In each session 48 of them play 24 étuis. The taker's score is the
taker's attack less the defence of the three others, and chance. The notes follow from topage. The table has the rank
correlation of each figure with the true strength. Then 100 000 evenings of one player are rated. With `--stored`, they
are rows of a new database, and all ratings and leaderboards are made from them and stored. The exit code is 1 if that
takes more than 60 s of processor time, or more than 500 MB.
"""

import argparse
import datetime as dt
import random
import resource
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from time import process_time

from bench.auctions import SimulatedAuctions
from bench.other_ratings import find_means, rate_by_one_strength, rate_by_openskill
from bench.site import new_place, run_apart
from scoring.notes import topage
from scoring.rating.auction import AuctionEtui, rate_auction
from scoring.rating.equations import ATTACK_SHARE, DEFENCE_SHARE
from scoring.rating.players import RatedEtui, RatedPlay, rate
from scoring.rating.search import PASSES

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
        return self.correlate_with_truth(find_means(etuis)), self.correlate_with_truth(find_ratings(etuis))

    def compare_ways(self, sessions: int, *, apart: bool = False) -> dict[str, float]:
        """Return the rank correlation of each way of rating with the true strength, by its name in the table."""
        etuis = list(self.play(sessions, apart=apart))
        figures = {
            "mean %": find_means(etuis),
            "openskill": rate_by_openskill(etuis, ETUIS),
            "one strength": rate_by_one_strength(etuis),
            "rating": find_ratings(etuis),
        }
        return {way: self.correlate_with_truth(each) for way, each in figures.items()}

    def correlate_with_truth(self, figures: Mapping[int, float]) -> float:
        """Return the rank correlation of figures, by player, with the true strength."""
        players = sorted(figures)
        return correlate([figures[player] for player in players], [self.find_strength(player) for player in players])


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


def find_ratings(etuis: Sequence[RatedEtui]) -> dict[int, float]:
    """Return the rating of each player."""
    return {player: each.figure for player, each in rate(etuis).items()}


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


def measure_stored() -> int:
    """Make all ratings and leaderboards from stored rows, in a new database. Return the exit code."""
    with new_place():
        codes = [run_apart(step) for step in (store_large, make_large_boards, keep_large_boards)]
    return int(any(codes))


def make_large_boards() -> int:
    """Read the rows, and make all ratings and leaderboards. Return 1 if it takes too much."""
    from rankings.leaderboards.keeping import make_boards, read_basis

    began = process_time()
    make_boards(read_basis()[0])
    return report("100 000 stored evenings, without writing", process_time() - began)


def keep_large_boards() -> int:
    """Run the whole job for the first time, so that each row is written. Return 1 if it takes too much."""
    from django.utils import timezone

    from rankings.leaderboards.keeping import refresh_leaderboards

    began = process_time()
    refresh_leaderboards(timezone.now())
    return report("100 000 stored evenings, with writing", process_time() - began)


def store_large() -> int:
    """Store the sessions of `make_large` as rated sessions of 100 clubs, in a new database. Return 0."""
    from django.core.management import call_command

    from clubs.models import Club, Person, Player
    from tournaments.models import CareerBasis, RatedSession, Session, Tournament

    call_command("migrate", verbosity=0)
    now = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    clubs = Club.objects.bulk_create(Club(name=f"Club {at}", slug=f"c{at}", created_at=now) for at in range(100))
    tournaments = Tournament.objects.bulk_create(
        Tournament(club=club, name="Tournoi", slug="t", created_at=now) for club in clubs
    )
    persons = Person.objects.bulk_create(Person() for _each in range(100 * PLAYERS))
    Player.objects.bulk_create(
        Player(pk=at + 1, club=clubs[at // PLAYERS], person=person, last_name=f"Nom{at}")
        for at, person in enumerate(persons)
    )
    etuis = make_large()
    for number, first in enumerate(range(0, len(etuis), ETUIS)):
        date = dt.date(2024, 9, 1) + dt.timedelta(days=etuis[first].day)
        about = {"tournament": tournaments[number % 100], "number": number // 100 + 1, "date": date}
        session = Session.objects.create(**about)
        plays: list[list[int]] = []
        sums: defaultdict[int, list[int]] = defaultdict(lambda: [0] * 6)
        for etui, each in enumerate(etuis[first : first + ETUIS], start=1):
            for taker, defenders, note in each.plays:
                plays.append([etui, 1, round(note), taker + 1, *(one + 1 for one in defenders)])
                for player in (taker, *defenders):
                    side, own = (0, round(note)) if player == taker else (2, 100 - round(note))
                    sums[player + 1][side] += 1
                    sums[player + 1][side + 1] += own
        players = [[player, ETUIS, 0, 1, *told] for player, told in sums.items()]
        CareerBasis.objects.create(session=session, basis=f"{number}")
        RatedSession.objects.create(
            session=session, kind="imposed", date=date, field=session.pk, players=players, plays=plays
        )
    return 0


def report(what: str, seconds: float) -> int:
    """Print the time, and the most memory of this process. Return 1 if it is too much."""
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    limits = f"≤ {MOST_SECONDS:g} s and {MOST_MEGABYTES:g} MB"
    sys.stdout.write(f"{what}: {seconds:.1f} s, {megabytes:.0f} MB   goal {limits}\n")
    return int(seconds > MOST_SECONDS or megabytes > MOST_MEGABYTES)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--sessions", type=int, nargs="+", default=[10, 50, 200])
    parser.add_argument("--stored", action="store_true", help="measure the job with its rows instead")
    args = parser.parse_args()
    if args.stored:
        return measure_stored()
    most = max(args.sessions)
    cases = [(f"{sessions} sessions", sessions, True, False) for sessions in args.sessions]
    cases += [(f"{most}, attack ≠ defence", most, False, False), (f"{most}, two circles", most, True, True)]
    for name, sessions, linked, apart in cases:
        rows = [SimulatedField(seed, linked=linked).compare_ways(sessions, apart=apart) for seed in range(args.seeds)]
        told = "   ".join(f"{way} {fmean(row[way] for row in rows):.2f}" for way in rows[0])
        sys.stdout.write(f"{name:24} {told}\n")
        sys.stdout.flush()
    for sessions in args.sessions:
        pairs = [compare_auctions(seed, sessions) for seed in range(args.seeds)]
        means, ratings = (fmean(each) for each in zip(*pairs, strict=True))
        sys.stdout.write(f"free auction, {sessions:10} mean % {means:.2f}   rating {ratings:.2f}\n")
    etuis = make_large()
    began = process_time()
    rate(etuis)
    seconds = process_time() - began
    plays = sum(len(etui.plays) for etui in etuis)
    return report(f"{plays} plays, {PASSES} passes", seconds)


if __name__ == "__main__":
    sys.exit(main())
