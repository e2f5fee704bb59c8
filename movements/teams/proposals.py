"""The plans of teams that a director can choose from, the best first."""

from collections.abc import Iterator, Mapping

from movements.plan.bounds import MAX_TABLES, PlanError, check_wish
from movements.plan.laws import find_faults
from movements.plan.measures import compute_figures
from movements.plan.plan import Plan
from movements.proposals import Proposal
from movements.teams.matches import EtuiSets, plan_matches, plan_quadrettes
from movements.teams.triplettes import (
    EMMANUEL_ROUND,
    EMMANUEL_TEAMS,
    all_meet,
    can_move,
    emmanuel,
    moving_positions,
    two_lines,
)

MATCH = "match"  # the rule of plans of team matches
MOST_MEETING = 16  # with at most this number of teams, a round robin is proposed first


def propose_triplettes(teams: int, positions: int, etuis_per_position: int = 4) -> tuple[Proposal, ...]:
    """Return the plans for triplettes, the best first. Raise PlanError if a count is out of range.

    From 4 to 16 teams, a round robin comes first; with more, two lines. A plan in barometer comes before a plan with
    moving étuis, because a barometer compares everybody on every étui.
    """
    plans = {plan.rule: plan for plan in _find_triplettes(teams, positions, etuis_per_position)}
    return _propose(plans, positions)


def _find_triplettes(teams: int, positions: int, etuis: int) -> Iterator[Plan[int]]:
    lined = two_lines(teams, positions, etuis)
    if teams > MOST_MEETING:
        yield lined
    yield all_meet(teams, positions, etuis)
    if can_move(teams, positions):
        yield all_meet(teams, positions, etuis, moving=True)
    yield lined
    if positions <= moving_positions((teams + 1) // 2):
        yield two_lines(teams, positions, etuis, barometer=True)
    if teams == EMMANUEL_TEAMS:
        rounds = max(1, min(positions // EMMANUEL_ROUND, 5))
        yield emmanuel(rounds * EMMANUEL_ROUND, etuis)


def propose_quadrettes(teams: int, positions: int, etuis_per_position: int = 4) -> tuple[Proposal, ...]:
    """Return the plans for quadrettes, the best first. Raise PlanError if a count is out of range.

    An odd number of teams plays an even number of positions: one less than wished if that is odd, but at least two.
    """
    check_wish(teams=teams, least=2, most=MAX_TABLES, positions=positions, etuis_per_position=etuis_per_position)
    wish = positions
    if teams % 2 and positions % 2:
        positions = max(2, positions - 1)
    plans = {
        "at_once": plan_quadrettes(teams, positions, etuis_per_position),
        "halves": plan_quadrettes(teams, positions, etuis_per_position, halves=True),
        "apart": plan_quadrettes(teams, positions, etuis_per_position, sets=EtuiSets.APART, halves=True),
    }
    if teams % 2:
        plans["there_and_back"] = plans.pop("at_once")
    if teams % 2 or etuis_per_position == 1:
        del plans["halves"]  # the tables of a match do not play at the same time, or they have only one étui
    order = ("at_once", "there_and_back", "halves", "apart")
    return _propose({code: plans[code] for code in order if code in plans}, wish)


def propose_matches(teams: int, positions: int, etuis_per_quarter: int = 4) -> tuple[Proposal, ...]:
    """Return the plans for team matches, the best first: team 1 meets team 2, team 3 meets team 4, and so on.

    Each of them has four positions, the quarters of a match. Raise PlanError if a count is out of range, or if the
    number of teams is odd.
    """
    if teams % 2:
        raise PlanError("match_pairs", found=teams)
    pairs = [(team, team + 1) for team in range(1, teams, 2)]
    plans = {
        "match_at_once": plan_matches(pairs, etuis_per_quarter),
        "match_halves": plan_matches(pairs, etuis_per_quarter, halves=True),
        "match_apart": plan_matches(pairs, etuis_per_quarter, sets=EtuiSets.APART, halves=True),
    }
    if len(pairs) == 1:
        del plans["match_apart"]  # there are no other matches
    return _propose(plans, positions)


def _propose(plans: Mapping[str, Plan[int]], wish: int) -> tuple[Proposal, ...]:
    """Return the plans without a fault as proposals, by their codes. `wish`: the number of positions that is wished."""
    return tuple(_describe(code, plan, wish) for code, plan in plans.items() if not find_faults(plan))


def _describe(code: str, plan: Plan[int], wish: int) -> Proposal:
    """Return the proposal of a plan. Its params are facts for the director, each as a code with a number.

    - odd_etuis: teams attack and defend unequally, because a position has an odd number of étuis; the largest
      difference.
    - copies: the copies of each étui that are needed.
    - rests: the teams that rest in each position.
    - repeated: the meetings that are repeated.
    - positions: the positions of the plan, if they are not as many as wished.
    """
    figures = compute_figures(plan)
    params = {
        "odd_etuis": figures.attack_gap if plan.etuis_per_position % 2 else 0,
        "copies": figures.copies if figures.copies > 1 else 0,
        "rests": max(figures.exempt),
        "repeated": 0 if plan.rule == MATCH else figures.repeated,  # two teams meet in all quarters of their match
        "positions": plan.positions if plan.positions != wish else 0,
    }
    return Proposal(code, {name: number for name, number in params.items() if number}, plan, figures)
