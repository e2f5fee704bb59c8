"""The reading of one line of a team: its name, its players, and where a comma parts one player or two."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.roster import RosterError, RosterLine, read_people
from clubs.teams import TEAM_SIZES, TeamError, TeamSize, can_be_one, read_team
from scoring.formats import DOUBLETTES, FREE_DEALS, QUADRETTES, TEAM_MATCH, TRIPLETTES

_TWO, THREE, FOUR, SIX, _MARKS = TEAM_SIZES.values()
ADA, BOB, CYD = RosterLine("Dupont", "Ada"), RosterLine("Martin", "Bob"), RosterLine("Petit", "Cyd")
MARIE, JEAN, PAUL = RosterLine("Dupont", "Marie"), RosterLine("Martin", "Jean"), RosterLine("Petit", "Paul")


def people_of(ways):
    """Return the people of each way to read a line."""
    return tuple(tuple(each.line for player in way.players for each in read_people(player.text)) for way in ways)


def is_doubtful(ways):
    return any(way.doubtful for way in ways)


def refused(raw, size=THREE):
    with pytest.raises(RosterError) as caught:
        read_team(raw, size, 7)
    return caught.value


def test_each_form_of_teams_has_its_size():
    assert [*TEAM_SIZES] == [each.name for each in (DOUBLETTES, TRIPLETTES, QUADRETTES, TEAM_MATCH, FREE_DEALS)]
    assert [*TEAM_SIZES.values()] == [(2, 2), (3, 3), (4, 4), (4, 6), (2, 4)]


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("Les As: Ada Dupont, Bob Martin, Cyd Petit", "Les As"),
        ("Les As : Ada Dupont, Bob Martin, Cyd Petit", "Les As"),
        ("Les  As\N{NO-BREAK SPACE}: Ada Dupont; Bob Martin; Cyd Petit", "Les As"),
        ("3. Les As: Ada Dupont\tBob Martin\tCyd Petit", "Les As"),
        ("- Les As: Ada Dupont, Bob Martin, Cyd Petit", "Les As"),
        ("Les 3 mousquetaires: Ada Dupont, Bob Martin, Cyd Petit", "Les 3 mousquetaires"),
        ("3 mousquetaires: Ada Dupont, Bob Martin, Cyd Petit", "3 mousquetaires"),
        ("Ada Dupont, Bob Martin, Cyd Petit", ""),
        (": Ada Dupont, Bob Martin, Cyd Petit", ""),
        ("2) Ada Dupont, Bob Martin, Cyd Petit", ""),
        ("Ada Dupont, Bob Martin, Cyd Petit,", ""),
        ("Ada Dupont; Bob Martin; Cyd Petit;", ""),
    ],
)
def test_line_has_a_name_before_a_colon_or_none(raw, name):
    team = read_team(raw, THREE)
    assert ([way.name for way in team], people_of(team), is_doubtful(team)) == ([name], ((ADA, BOB, CYD),), False)


@pytest.mark.parametrize(
    "raw",
    [
        "Dupont, Ada; Martin, Bob; Petit, Cyd",
        "Les As: Dupont, Ada; Martin, Bob; Petit, Cyd",
        "Dupont, Ada\tMartin, Bob\tPetit, Cyd",
        "Ada Dupont; Martin, Bob; Cyd Petit",
    ],
)
def test_semicolons_and_tabs_part_players_before_commas_do(raw):
    team = read_team(raw, THREE)
    assert (people_of(team), is_doubtful(team)) == (((ADA, BOB, CYD),), False)


def test_comma_that_may_part_family_name_and_first_name_is_asked_about():
    team = read_team("Dupont, Marie, Lefèvre, Jean, Petit, Paul, Durand, Zoé", SIX)
    assert people_of(team)[0] == (MARIE, RosterLine("Lefèvre", "Jean"), PAUL, RosterLine("Durand", "Zoé"))
    assert {len(reading) for reading in people_of(team)} == {4, 5, 6}


def test_six_words_of_a_triplette_are_three_players():
    team = read_team("Dupont, Marie, Martin, Jean, Petit, Paul", THREE)
    assert (people_of(team), is_doubtful(team)) == (((MARIE, JEAN, PAUL),), False)
    (turned,) = read_team("Marie, Dupont, Jean, Martin, Paul, Petit", THREE)
    assert [player.text for player in turned.players] == ["Marie, Dupont", "Jean, Martin", "Paul, Petit"]


def test_family_name_that_is_also_a_first_name_stays_the_family_name():
    raw = "Martin, Bob; Thomas, Kylian; Bernard, Zoltan"
    assert [each.last_name for each in people_of(read_team(raw, THREE))[0]] == ["Martin", "Thomas", "Bernard"]


def test_two_readings_with_three_players_are_both_offered_the_likelier_first():
    team = read_team("Dupont, Marie, Martin Jean, Petit", FOUR)
    assert (len(people_of(team)), is_doubtful(team)) == (1, True)  # four family names, one of which is a first name
    both = read_team("Dupont, Marie, Martin, Paul Petit", THREE)
    assert people_of(both) == (
        (MARIE, RosterLine("Martin", ""), PAUL),
        (RosterLine("Dupont", ""), RosterLine("Marie", "Martin"), PAUL),
    )


def test_three_family_names_are_three_players_and_nothing_is_asked():
    team = read_team("Dupont, Lefèvre, Kowalski", THREE)
    assert (people_of(team), is_doubtful(team)) == (
        ((RosterLine("Dupont", ""), RosterLine("Lefèvre", ""), RosterLine("Kowalski", "")),),
        False,
    )


def test_first_name_alone_beside_a_family_name_makes_a_fitting_line_doubtful():
    team = read_team("Dupont, Marie, Lefèvre", THREE)
    assert (len(people_of(team)), is_doubtful(team)) == (1, True)


def test_family_name_of_several_words_before_a_first_name_is_one_player():
    for first in ("Marie", "Jean-Marc", "Jean Marc"):
        team = read_team(f"DE LA TOUR, {first}, Lefèvre, Jean, Petit, Paul", THREE)
        assert people_of(team) == ((RosterLine("DE LA TOUR", first), RosterLine("Lefèvre", "Jean"), PAUL),)


def test_numbers_belong_to_the_player_before_them():
    raw = "Les As: Ada Dupont 12345, Bob Martin, 23456, Cyd Petit (34567)"
    (people,) = people_of(read_team(raw, THREE))
    assert [each.licence for each in people] == ["12345", "23456", "34567"]


def test_couple_counts_as_two_players():
    team = read_team("Jean et Marie Dupont, Paul Petit", THREE)
    assert people_of(team) == ((RosterLine("Dupont", "Jean"), MARIE, PAUL),)


@pytest.mark.parametrize(
    ("raw", "size", "code", "found"),
    [
        ("Ada Dupont, Bob Martin", THREE, "team_size", 2),
        ("Les As: Ada Dupont, Bob Martin, Cyd Petit, Dan Durand", THREE, "team_size", 4),
        ("Ada Dupont, Bob Martin, Cyd Petit", FOUR, "team_size", 3),
        ("Ada Dupont; Bob Martin; Cyd Petit", SIX, "team_size_range", 3),
        ("A Dupont, B Martin, C Petit, D Durand, E Leroy, F Moreau, G Simon", SIX, "team_size_range", 7),
        ("Les As:", THREE, "team_size", 0),
        ("Ada Dupont", THREE, "team_size", 1),
        ("Dupont, Marie", FOUR, "team_size", 2),
        ("Roux, Blanc, Kowalski, Durand, Leroy, Moreau, Garnier", THREE, "team_size", 7),
        (", ".join(["Ada Dupont"] * 40), THREE, "team_size", 40),
    ],
)
def test_team_of_another_size_is_refused_with_its_number_of_players(raw, size, code, found):
    error = refused(raw, size)
    assert (error.code, error.params["found"], error.params["line"], error.field) == (code, found, 7, "teams")
    assert (error.params["least"], error.params["most"]) == size


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ("Les\u202eAs: Ada Dupont, Bob Martin, Cyd Petit", "roster_hidden"),
        ("Ada\u202e Dupont, Bob Martin, Cyd Petit", "roster_hidden"),
        ("=1+1: Ada Dupont, Bob Martin, Cyd Petit", "roster_formula"),
        ("Les As: Ada Dupont; =cmd(); Cyd Petit", "roster_formula"),
        ("x" * 81 + ": Ada Dupont, Bob Martin, Cyd Petit", "team_name_long"),
        ("Ada Dupont, Bob Martin, " + "x" * 81, "roster_too_long"),
        ("x" * 1201, "team_too_long"),
        ("x" * 1200, "roster_too_long"),
        ("Club: Lyon; Ada Dupont; Bob Martin", "roster_no_name"),
    ],
)
def test_line_that_cannot_be_read_says_why_and_where(raw, code):
    error = refused(raw)
    assert (error.code, error.params["line"]) == (code, 7)


def test_name_of_eighty_letters_is_a_name():
    assert read_team("x" * 80 + ": Ada Dupont, Bob Martin, Cyd Petit", THREE)[0].name == "x" * 80


def test_reading_without_unlikely_players_comes_first():
    team = read_team("Kowalski, Lefèvre, Moreau, Leroy, Garnier", SIX)
    assert [each.last_name for each in people_of(team)[0]] == ["Kowalski", "Lefèvre", "Moreau", "Leroy", "Garnier"]
    assert {len(reading) for reading in people_of(team)} == {4, 5}


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("Dupont", "Marie", True),
        ("Dupont", "Kowalski", True),
        ("de La Tour", "Marie", True),
        ("Marie Dupont", "Paul", False),
        ("de La Tour", "Kowalski", False),
        ("Dupont", "Paul Petit", False),
        ("12345", "Marie", False),
        ("Dupont", "♥", False),
    ],
)
def test_two_parts_may_be_one_player_or_not(left, right, expected):
    assert can_be_one(left, right) == expected


def test_line_number_is_1_unless_told():
    with pytest.raises(TeamError) as caught:
        read_team("Ada Dupont", THREE)
    assert caught.value.params["line"] == 1


def test_errors_are_told_in_plain_words():
    assert str(refused("Ada Dupont, Bob Martin")) == (
        "Line 7 of the list: a team has 3 players, and this one has 2. Separate the players by commas, and write a "
        "colon after the team’s name."
    )
    assert isinstance(refused("Ada Dupont, Bob Martin"), TeamError)


NAMES = st.lists(
    st.tuples(st.sampled_from(["Ada", "Bob", "Cyd", "Zoé"]), st.sampled_from(["Dupont", "Petit", "de La Tour", "Ève"])),
    min_size=3,
    max_size=6,
)


@given(NAMES, st.sampled_from([", ", "; ", "\t", ";"]), st.sampled_from(["", "Les As: "]))
def test_players_with_two_names_are_read_as_written_whatever_parts_them(names, separator, name):
    raw = name + separator.join(f"{first} {last}" for first, last in names)
    team = read_team(raw, TeamSize(len(names), len(names)))
    assert team[0].name == name[:-2]
    assert people_of(team) == (tuple(RosterLine(last, first) for first, last in names),)


@given(st.text(alphabet="Aab é,;:\t-1()'.=&+", max_size=60))
def test_any_text_is_a_team_or_a_coded_error(raw):
    with suppress(RosterError):
        team = read_team(raw, SIX)
        assert {len(people) for people in people_of(team)} <= {4, 5, 6}
        assert people_of(team)
