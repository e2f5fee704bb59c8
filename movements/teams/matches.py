"""The plans of quadrettes and team matches: the attacker goes to the other team's table, where three players defend.

When A's attacker meets B's defence, B's attacker meets A's defence on the same étuis (FFT 2012, the chapter on
quadrettes). A table has the number of the team that defends there, so only attackers move.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from math import gcd

from movements.plan.bounds import MAX_TABLES, PlanError, check_wish, turn_set
from movements.plan.plan import Plan, PlanStop, Seating, make_team_plan
from movements.teams.circle import Pair, pair_all

MATCH_QUARTERS = 4  # `scoring.formats.TEAM_MATCH` has it too
LEAST_OF_QUARTER, MOST_OF_QUARTER = 4, 6


class EtuiSets(StrEnum):
    """The ways to give étuis to the matches of a position.

    TOGETHER: all matches play the same étuis, from copies. With an odd number of teams, each match plays one of three
    sets. APART: each match has étuis of its own.
    """

    TOGETHER = "together"
    APART = "apart"


def plan_quadrettes(
    teams: int,
    positions: int,
    etuis_per_position: int = 4,
    *,
    sets: EtuiSets = EtuiSets.TOGETHER,
    halves: bool = False,
) -> Plan[int]:
    """Return the plan of quadrettes. Over teams − 1 positions every team meets every other one.

    - `halves`: the two tables of a match begin with different halves of the étuis and exchange them. So one copy is
      enough for both. Otherwise they play each étui at the same time. With an odd number of teams, the two halves of a
      match are played in two positions, one after the other.

    If there are more positions, the matches begin again, with other étuis. Raise PlanError if a count is out of range,
    or if an odd number of teams has an odd number of positions.
    """
    check_wish(teams=teams, least=2, most=MAX_TABLES, positions=positions, etuis_per_position=etuis_per_position)
    if teams % 2 and positions % 2:
        raise PlanError("mirror_positions", found=positions, teams=teams)
    if teams % 2:
        stops = [*_lay_odd(teams, positions, etuis_per_position, sets)]
    else:
        rounds = pair_all(teams)
        pairs = [rounds[step % len(rounds)] for step in range(positions)]
        stops = [*_lay_pairs(pairs, etuis_per_position, sets, halves, own_tables=False)]
    return make_team_plan(Seating.MIRROR, teams, stops, "odd" if teams % 2 else "halves" if halves else "at_once")


def plan_matches(
    pairs: Sequence[Pair],
    etuis_per_quarter: int = 4,
    *,
    sets: EtuiSets = EtuiSets.TOGETHER,
    halves: bool = False,
) -> Plan[int]:
    """Return the plan of team matches. A match has four quarters and two tables, the open and the closed room.

    A quarter is one position. Match k is at tables 2k − 1 and 2k. `pairs`: the teams of each match. For `halves` see
    `plan_quadrettes`. Raise PlanError unless a quarter has 4 to 6 étuis and each team one match.
    """
    teams = [team for pair in pairs for team in pair]
    check_wish(
        teams=len(teams), least=2, most=MAX_TABLES, positions=MATCH_QUARTERS, etuis_per_position=etuis_per_quarter
    )
    if not LEAST_OF_QUARTER <= etuis_per_quarter <= MOST_OF_QUARTER:
        raise PlanError("quarter_etuis", found=etuis_per_quarter, least=LEAST_OF_QUARTER, most=MOST_OF_QUARTER)
    if twice := [team for team in teams if teams.count(team) > 1]:
        raise PlanError("match_twice", team=twice[0])
    stops = _lay_pairs([[*pairs]] * MATCH_QUARTERS, etuis_per_quarter, sets, halves, own_tables=True)
    return make_team_plan(Seating.MIRROR, max(teams), stops, "match")


def _lay_pairs(
    rounds: Sequence[Sequence[Pair]], etuis: int, sets: EtuiSets, halves: bool, *, own_tables: bool
) -> Iterator[PlanStop[int]]:
    """Yield the two tables of each match of each position. `own_tables`: a match keeps its tables in all positions."""
    for step, pairs in enumerate(rounds):
        for match, (one, other) in enumerate(pairs):
            index, start = (step, match) if sets == EtuiSets.TOGETHER else (step * len(pairs) + match, 0)
            later = start + etuis // 2 if halves else start
            tables = (2 * match + 1, 2 * match + 2) if own_tables else (other, one)
            yield PlanStop(step + 1, tables[0], turn_set(index, etuis, start), (one, other))
            yield PlanStop(step + 1, tables[1], turn_set(index, etuis, later), (other, one))


def _lay_odd(teams: int, positions: int, etuis: int, sets: EtuiSets) -> Iterator[PlanStop[int]]:
    """Yield the tables of an odd number of teams: attackers go j tables up, and in the next position j tables down.

    So team t attacks t + j, and then t + j attacks t. Nobody rests.
    """
    for pair in range(positions // 2):
        step = pair % ((teams - 1) // 2) + 1
        colours = _colour_matches(teams, step)
        for team in range(teams):
            other = (team + step) % teams
            if sets == EtuiSets.TOGETHER:
                before = sum(colours[earlier] == colours[team] for earlier in range(team))
                laid = turn_set(3 * pair + colours[team], etuis, before)
            else:
                laid = turn_set(teams * pair + team, etuis)
            yield PlanStop(2 * pair + 1, other + 1, laid, (team + 1, other + 1))
            yield PlanStop(2 * pair + 2, team + 1, laid, (other + 1, team + 1))


def _colour_matches(teams: int, step: int) -> list[int]:
    """Return which of three étui sets each match {t, t + step} plays, so that the two matches of a team differ.

    The matches form cycles of odd length, so two sets are not enough. Two sets alternate, and the last match of a cycle
    has the third set.
    """
    cycles = gcd(teams, step)
    length = teams // cycles
    colours = [0] * teams
    for first in range(cycles):
        for place in range(length):
            colours[(first + place * step) % teams] = 2 if place == length - 1 else place % 2
    return colours
