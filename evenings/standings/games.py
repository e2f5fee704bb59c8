"""The criteria that separate players with equal sums of marks: the best game, and the contracts made."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from fractions import Fraction

from evenings.plays.entries import READ, entry_in
from evenings.plays.state import VIEWS, PlayState, with_states
from evenings.standings.etuis import EtuiFigures
from scoring.contract import ScoringRules, score_deal
from tournaments.models import Play, ResultEntry
from tournaments.models.seats import read_with_seats
from tournaments.rules.entry import Facts

SCORED = [str(state) for state, view in VIEWS.items() if view.counted == VIEWS[PlayState.ENTERED].counted]


def find_best_games(session_id: int, etuis: Mapping[int, EtuiFigures], players: Collection[int]) -> dict[int, Fraction]:
    """Return the marks of the best game of each of these entrants, by entrant id. `etuis` are all of the session."""
    games = dict(Play.objects.filter(session=session_id).order_by().values_list("etui_id", "position").distinct())
    sums: defaultdict[int, defaultdict[int, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    for etui, figures in etuis.items():
        for play, notes in zip(figures.scored, figures.notes, strict=True):
            for who, note in zip(play.seats, notes or (), strict=False):
                if isinstance(who, int) and who in players and note is not None:
                    sums[who][games[etui]] += note
    return {who: max(own.values()) for who, own in sums.items()}


def count_contracts(session_id: int, players: Collection[int], rules: ScoringRules) -> dict[int, int]:
    """Return the number of contracts that each of these entrants has made, by entrant id.

    Return {} if only the marks of some deal are known, so that nobody can be compared.
    """
    plays = Play.objects.filter(session=session_id)
    scored = set(with_states(plays).filter(state__in=SCORED).order_by().values_list("pk", flat=True))
    entries = {
        row[0]: entry_in(row[1:])
        for row in ResultEntry.objects.filter(play__in=scored, current=True).order_by().values_list("play_id", *READ)
    }
    if entries.keys() != scored or not all(isinstance(entry, Facts) for entry in entries.values()):
        return {}
    made = Counter[int]()
    for (pk,), seats in read_with_seats(plays.filter(pk__in=scored), "pk"):
        entry = entries[pk]
        if isinstance(entry, Facts) and score_deal(entry.result, rules).made:
            made[seats[entry.taker]] += 1
    return {who: made[who] for who in players}
