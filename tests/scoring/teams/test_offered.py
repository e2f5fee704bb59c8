"""The formats that forms, files and commands offer: every form of teams too, and donnes libres."""

from dataclasses import fields

import pytest

from jobs.management.commands.standings import Command
from scoring.errors import ScoringError
from scoring.formats import (
    BY_AUCTION,
    FORMATS,
    OFFERED,
    QUADRETTES,
    TEAM_MATCH,
    TRIPLETTES,
    choose_format,
    find_format,
    find_format_by_auction,
    find_offered_format,
)
from tournaments.models import Tournament
from tournaments.words.format_cards import list_format_choices

TEAM_FORMATS = (TRIPLETTES, QUADRETTES, TEAM_MATCH)
WORDS = ("doublettes", "triplettes", "quadrettes", "team_match", "donnes_libres", "free_auction_3", "free_auction_5")


def test_all_formats_are_offered():
    assert [*OFFERED] == ["individual", "free_auction", *WORDS]
    assert [*BY_AUCTION] == ["imposed", "free"]
    assert {each.name for each in TEAM_FORMATS} <= {*FORMATS}


@pytest.mark.parametrize("form", TEAM_FORMATS)
def test_site_knows_a_form_of_teams_by_name(form):
    assert find_format(form.name) is form


@pytest.mark.parametrize(
    ("look_up", "name"),
    [(find_format_by_auction, name) for name in (each.name for each in TEAM_FORMATS)],
)
def test_name_of_a_form_of_teams_is_no_format_of_the_site(look_up, name):
    with pytest.raises(ScoringError) as caught:
        look_up(name)
    assert caught.value.code == "unknown_value"


def test_forms_let_people_choose_what_is_offered():
    """Check what the forms of a tournament and of a club offer."""
    words = {"imposed", "free", *WORDS}
    assert {word for word, _card in list_format_choices()} == words
    assert {find_offered_format(word).name for word, _card in list_format_choices()} == {*OFFERED}
    assert {str(choice) for choice in Tournament.Auction} == {"imposed", "free"}
    assert {str(choice) for choice in Tournament.FormatName} == {*FORMATS}


@pytest.mark.parametrize("word", ["individual", ""])
def test_word_that_no_form_offers_is_refused(word):
    with pytest.raises(ScoringError) as caught:
        find_offered_format(word)
    assert caught.value.code == "unknown_value"


@pytest.mark.parametrize(
    ("kind", "auction", "present", "chosen"),
    [
        (None, None, "free_auction", "free_auction"),
        (None, "free", "individual", "free_auction"),
        (None, "imposed", "triplettes", "triplettes"),
        (None, "free", "triplettes", "free_auction"),
        (None, None, "quadrettes", "quadrettes"),
        ("triplettes", None, "free_auction", "triplettes"),
        ("quadrettes", None, "individual", "quadrettes"),
        ("quadrettes", "imposed", "triplettes", "quadrettes"),
        (None, "imposed", "quadrettes", "quadrettes"),
        ("team_match", None, "individual", "team_match"),
        ("team_match", None, "triplettes", "team_match"),
        (None, "free", "team_match", "free_auction"),
        ("triplettes", "imposed", "individual", "triplettes"),
        ("individual", None, "triplettes", "individual"),
        ("individual", None, "free_auction", "free_auction"),
        ("individual", "free", "triplettes", "free_auction"),
        ("donnes_libres", None, "individual", "donnes_libres"),
        ("donnes_libres", "free", "individual", "donnes_libres"),
        (None, None, "donnes_libres", "donnes_libres"),
        (None, "free", "donnes_libres", "donnes_libres"),
        (None, "imposed", "donnes_libres", "individual"),
    ],
)
def test_format_follows_from_kind_and_auction_and_keeps_the_rest(kind, auction, present, chosen):
    assert choose_format(kind, auction, present).name == chosen


@pytest.mark.parametrize(
    ("kind", "auction"),
    [
        ("triplettes", "free"),
        ("quadrettes", "free"),
        ("team_match", "free"),
        ("donnes_libres", "imposed"),
        ("x", None),
    ],
)
def test_kind_and_auction_that_do_not_go_together_are_refused(kind, auction):
    with pytest.raises(ScoringError) as caught:
        choose_format(kind, auction, "individual")
    assert caught.value.code == "unknown_value"


def test_command_that_ranks_files_offers_the_same_formats():
    parser = Command().create_parser("manage.py", "standings")
    (rules,) = (action for action in parser._actions if action.dest == "rules")
    assert [*rules.choices] == [*OFFERED]


def test_field_that_teams_needed_changes_no_format_of_the_site():
    added = {field.name: field.default for field in fields(find_format("individual"))}
    assert (added["barred"], added["quarters"]) == ((), 0)
    assert {each.name for each in FORMATS.values() if each.barred or each.quarters} == {"team_match"}
