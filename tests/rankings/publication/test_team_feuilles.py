"""The figures of a member of a team on the member's feuille."""

from fractions import Fraction
from types import SimpleNamespace

import pytest
from django.utils.translation import override

from rankings.publication.team_feuilles import MemberFeuille, MemberLine
from scoring.formats import MatchPoints
from tournaments.reports.parts import MemberPart
from tournaments.words.figures import percent

ATTACK, DEFENCE = MemberPart.ATTACK, MemberPart.DEFENCE


def feuille_of(*plays):
    """Return a feuille with a line for each part and note."""
    return MemberFeuille(None, None, [MemberLine(SimpleNamespace(note=note), part) for part, note in plays])


@pytest.mark.parametrize(
    ("notes", "attack", "defence"),
    [
        pytest.param([Fraction(60), Fraction(45), None], "52.5%", "40.0%", id="percentages"),
        pytest.param([MatchPoints(3), MatchPoints(-1), None], "+2.000 MP", "40.0%", id="match points"),
        pytest.param([None], "–", "40.0%", id="no notes"),
    ],
)
def test_a_member_has_a_mean_of_notes_and_a_sum_of_match_points(notes, attack, defence):
    mine = feuille_of((DEFENCE, Fraction(40)), *((ATTACK, note) for note in notes))
    with override("en"):
        assert (percent(mine.mean_in(ATTACK)), percent(mine.mean_in(DEFENCE))) == (attack, defence)
