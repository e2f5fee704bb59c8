"""The names of a ranking in templates."""

from types import SimpleNamespace

from pages.parts.ranking_rows import place_rows
from pages.templatetags.ranking import show_members, show_rank
from rankings.ranking import RankedMember, RankedRow


def test_members_of_a_team_carry_the_number_by_which_a_phone_finds_its_reader():
    members = [
        RankedMember(name="Ada", named=True, known_as=7, player=7),
        RankedMember(name="No. 8", named=False, player=8),
    ]
    told = show_members(SimpleNamespace(team=1, members=members))
    assert told == '<span class="quiet members"><span data-player="7">Ada</span>, <span>No. 8</span></span>'


def test_sign_of_a_shared_rank_stands_before_it_so_that_a_move_may_follow():
    """Check the markup: on a phone, the style puts a sign at the start of the span and hides the word."""
    rows = place_rows([(4, RankedRow(name="Ada", named=True)), (4, RankedRow(name="Bob", named=True))])
    assert [show_rank(row) for row in rows] == [
        '<span class="shared">4 <span class="shared-word">ex æquo</span></span>'
    ] * 2
