"""The three forms of teams as values of `Format`, and how their étuis are compared (FFT 2012, the chapters on teams).

Quadrettes and team matches are kept apart from `scoring.formats.FORMATS`, because no tournament can have them yet
(docs/decisions/0107-teams-are-pure-first.md).
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from scoring.errors import ScoringError
from scoring.formats import TRIPLETTES, Format, Share, Total, Unit
from scoring.plays import Line, ScoringPlay, SeatNotes
from scoring.ranking import NOTHING, Standings, standings
from scoring.teams.points import match_points
from scoring.teams.sides import Sides, check_team_plays, find_sides
from scoring.ties import SHARED, TieBreak, TieRules
from scoring.values import Contract


def compare_halves(plays: Sequence[ScoringPlay]) -> list[SeatNotes]:
    """Return the match points of each play of an étui, in the attacker's seat; the other seats have none.

    An étui between two teams has two halves: A attacks B, and B attacks A. A's points come from the play in which A
    attacks. So each team has the points of the étui once. Neither team has points if the other half is not among the
    plays. That half may be missing or annulled, or it was played after the étui was altered. Raise ScoringError if a
    team attacks another one twice.
    """
    return _compare_with_other_half(plays, lambda points: points)


def compare_winners(plays: Sequence[ScoringPlay]) -> list[SeatNotes]:
    """Return the match points of each play as `compare_halves` does, but 0 for the team that did not win the étui.

    If the two base scores are equal, both teams have 0 (FFT 2012, the chapter on team matches).
    """
    return _compare_with_other_half(plays, lambda points: max(points, Fraction()))


def _compare_with_other_half(plays: Sequence[ScoringPlay], keep: Callable[[Fraction], Fraction]) -> list[SeatNotes]:
    scores: defaultdict[Sides, list[int]] = defaultdict(list)
    sides = [find_sides(play) for play in plays]
    for play, (attacking, defending) in zip(plays, sides, strict=True):
        assert play.base_score is not None  # only plays with a base score are compared
        scores[Sides(attacking, defending)].append(play.base_score)
        if len(scores[Sides(attacking, defending)]) > 1:
            told = {"attacking": attacking, "defending": defending, "etui": play.etui}
            raise ScoringError("half_twice", "etui", told)
    notes: list[SeatNotes] = []
    for play, (attacking, defending) in zip(plays, sides, strict=True):
        own, (other,) = scores[Sides(attacking, defending)][0], scores.get(Sides(defending, attacking), [None])
        points = None if other is None else keep(Fraction(match_points(own, other)))
        notes.append(tuple(points if who == attacking else None for who in play.seats))
    return notes


# South takes every étui, even if the étui names another taker. The total of a team is the sum of its match points.
QUADRETTES = Format(
    "quadrettes",
    compare_halves,
    taker=Line.S,
    contract=Contract.GARDE,
    may_pass=False,
    lines=(),
    share=Share.SIDE,
    total=Total.SUM,
    unit=Unit.MATCH_POINTS,
    alterne=False,
)
# The format is like quadrettes, with two differences. South chooses the contract, which may not be a Prise. Only the
# winner of an étui has points.
TEAM_MATCH = replace(QUADRETTES, name="team_match", compare=compare_winners, contract=None, barred=(Contract.PRISE,))
TEAM_FORMATS: Mapping[str, Format] = {each.name: each for each in (TRIPLETTES, QUADRETTES, TEAM_MATCH)}


def find_team_format(name: str) -> Format:
    """Return the form of teams with this name. Raise ScoringError if the name is unknown."""
    if name not in TEAM_FORMATS:
        raise ScoringError("unknown_value", "format", {"value": name, "choices": ", ".join(TEAM_FORMATS)})
    return TEAM_FORMATS[name]


def rank_teams(
    plays: Sequence[ScoringPlay],
    rules: Format,
    *,
    lines: Mapping[Any, str] = NOTHING,
    penalties: Mapping[Hashable, Fraction] = NOTHING,
    ties: TieRules = SHARED,
) -> Standings:
    """Return the notes, totals and ranks of the teams of these plays, as `scoring.ranking.standings` has them.

    - `lines`: the line of each team, NS or EW, if the form has lines and the teams keep theirs. Then there is a
      classement alterné; otherwise only a classement général.
    - `penalties`: the figures taken off the totals, in the unit of the form. A bonus, such as the one in a match, is
      below 0.
    - `ties`: the rules that order equal teams. If match points are added up, only lots may separate teams.

    In a form with match points, the `attacks` of a team are the number of its étuis that count. Raise ScoringError for
    a play that `check_team_plays` refuses.
    """
    check_team_plays(plays, lines)
    lines = lines if rules.lines else NOTHING
    if rules.unit is not Unit.PER_CENT:
        ties = replace(ties, criteria=[each for each in ties.criteria if each is TieBreak.DRAW])
    return standings(plays, rules, lines=lines, penalties=penalties, ties=ties)
