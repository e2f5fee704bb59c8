"""No tournament, club, file or page offers a form of teams yet. The site knows triplettes and quadrettes."""

from dataclasses import fields

import pytest

from scoring.errors import ScoringError
from scoring.formats import BY_AUCTION, FORMATS, OFFERED, find_format, find_format_by_auction
from scoring.teams import QUADRETTES, TEAM_FORMATS, TRIPLETTES
from tournaments.management.commands.standings import Command
from tournaments.models import Tournament
from tournaments.web.parts.format_choices import list_format_choices


def test_list_of_formats_has_no_form_of_teams():
    assert [*OFFERED] == ["individual", "free_auction"]
    assert [*BY_AUCTION] == ["imposed", "free"]
    assert {*FORMATS} & {*TEAM_FORMATS} == {"triplettes", "quadrettes"}


@pytest.mark.parametrize("form", [TRIPLETTES, QUADRETTES])
def test_site_knows_a_form_of_teams_by_name(form):
    assert find_format(form.name) is form


@pytest.mark.parametrize(
    ("look_up", "name"),
    [
        (find_format, "team_match"),
        *((find_format_by_auction, name) for name in TEAM_FORMATS),
    ],
)
def test_name_of_a_form_of_teams_is_no_format_of_the_site(look_up, name):
    with pytest.raises(ScoringError) as caught:
        look_up(name)
    assert caught.value.code == "unknown_value"


def test_no_form_lets_people_choose_teams():
    """Check what the forms of a tournament and of a club offer. The rows know triplettes and quadrettes already."""
    assert [word for word, _label in list_format_choices()] == ["imposed", "free"]
    assert {str(choice) for choice in Tournament.Auction} == {"imposed", "free"}
    assert {str(choice) for choice in Tournament.FormatName} == {*FORMATS}


def test_command_that_ranks_files_offers_no_form_of_teams():
    parser = Command().create_parser("manage.py", "standings")
    (rules,) = (action for action in parser._actions if action.dest == "rules")
    assert [*rules.choices] == ["individual", "free_auction"]


def test_field_that_teams_needed_changes_no_format_of_the_site():
    added = {field.name: field.default for field in fields(find_format("individual"))}
    assert added["barred"] == ()
    assert {each.barred for each in FORMATS.values()} == {()}
