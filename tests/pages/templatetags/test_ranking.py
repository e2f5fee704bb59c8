"""The names of a ranking in templates."""

from types import SimpleNamespace

from pages.templatetags.ranking import show_members
from rankings.ranking import RankedMember


def test_members_of_a_team_carry_the_number_by_which_a_phone_finds_its_reader():
    members = [
        RankedMember(name="Ada", named=True, known_as=7, player=7),
        RankedMember(name="No. 8", named=False, player=8),
    ]
    told = show_members(SimpleNamespace(team=1, members=members))
    assert told == '<span class="quiet members"><span data-player="7">Ada</span>, <span>No. 8</span></span>'
