"""The formats as values: the two that exist, and invented ones for three and five players."""

import ast
from dataclasses import replace
from fractions import Fraction

import pytest

from scoring.errors import ScoringError
from scoring.formats import (
    FREE_AUCTION,
    INDIVIDUAL,
    OFFERED,
    Format,
    MarkPoints,
    MatchPoints,
    Share,
    Taker,
    Total,
    Unit,
    compare_takers,
    find_format,
    find_format_by_auction,
)
from scoring.notes import match_points
from scoring.plays import FIFTH, SEATS, Line, ScoringPlay, list_counted_seats, place_in_seats
from scoring.ranking import collect_notes, note_plays, standings, tally_plays
from scoring.values import Contract
from tests.law.packages import MODULES

N, E, S, W = Line


def as_marks(plays):
    """Return the mark of each seat, as friends add them up. The taker plays alone against the whole table."""
    return [
        tuple(
            None if who is None else Fraction((len(play.by_seat) - 1 if seat == play.taker else -1) * play.base_score)
            for seat, who in zip(SEATS, play.seats, strict=False)
        )
        for play in plays
    ]


def as_match_points(plays):
    """Return the match points of two teams on an étui: South attacks, and the other three defend together."""
    home, away = plays
    points = Fraction(match_points(home.base_score, away.base_score))
    return [(-points, -points, points, -points), (points, points, -points, points)]


FRIENDS = replace(
    FREE_AUCTION,
    name="friends",
    compare=as_marks,
    people=(3, 5),
    lines=(),
    total=Total.SUM,
    unit=Unit.MARKS,
    alterne=False,
)
FIVE = replace(INDIVIDUAL, name="five", people=(5, 5), lines=SEATS)
THREE = replace(INDIVIDUAL, name="three", people=(3, 3), lines=(N, E, S))
TEAMS = Format(
    "teams",
    as_match_points,
    taker=S,
    contract=Contract.GARDE,
    may_pass=False,
    lines=(),
    share=Share.SIDE,
    total=Total.SUM,
    unit=Unit.MATCH_POINTS,
    alterne=False,
)


ALONE = [INDIVIDUAL, FREE_AUCTION]  # the formats in which everybody plays alone


def one(ranked, name):
    (found,) = (player for player in ranked.players if player.player == name)
    return found


def test_both_formats_have_the_names_of_standings_files_and_the_words_of_reports():
    assert {each.name: each.auction for each in ALONE} == {"individual": "imposed", "free_auction": "free"}
    assert [find_format(name) for name in OFFERED][:2] == ALONE
    assert [find_format_by_auction(word) for word in ("imposed", "free")] == [INDIVIDUAL, FREE_AUCTION]
    assert {each.kind for each in ALONE} == {"individual"}


@pytest.mark.parametrize("look_up", [find_format, find_format_by_auction])
def test_unknown_format_is_refused(look_up):
    with pytest.raises(ScoringError) as caught:
        look_up("emmanuel")
    assert caught.value.code == "unknown_value"


def test_format_says_how_it_compares_and_whether_it_weighs():
    assert [(each.compares_seats, each.is_weighted) for each in ALONE] == [(False, True), (True, False)]


@pytest.mark.parametrize(
    ("name", "people", "may_pass", "alterne", "quarters", "has_free_deals"),
    [
        ("individual", (4, 4), False, True, 0, False),
        ("free_auction", (4, 4), True, True, 0, False),
        ("triplettes", (4, 4), False, True, 0, False),
        ("quadrettes", (4, 4), False, False, 0, False),
        ("team_match", (4, 4), False, False, 4, False),
        ("donnes_libres", (3, 5), False, False, 0, True),
        ("free_auction_3", (3, 3), True, False, 0, False),
        ("free_auction_5", (5, 5), True, False, 0, False),
    ],
)
def test_format_has_what_the_regulation_says(name, people, may_pass, alterne, quarters, has_free_deals):
    """Check who sits at a table, passes, the classement alterné, the quarters of a match, and who deals."""
    found = find_format(name)
    assert (found.people, found.may_pass, found.alterne) == (people, may_pass, alterne)
    assert (found.quarters, found.has_free_deals) == (quarters, has_free_deals)


def test_figure_is_measured_in_the_unit_of_its_format():
    units = {"individual": Fraction, "team_match": MatchPoints, "donnes_libres": MarkPoints}
    assert {name: type(find_format(name).measure(Fraction(7, 2))) for name in units} == units
    assert {find_format(name).measure(None) for name in units} == {None}


def test_format_says_which_contracts_its_taker_may_play():
    assert INDIVIDUAL.contracts == (Contract.GARDE,)
    assert FREE_AUCTION.contracts == tuple(Contract)
    assert replace(FREE_AUCTION, barred=(Contract.PRISE, Contract.GARDE)).contracts == (
        Contract.GARDE_SANS,
        Contract.GARDE_CONTRE,
    )


def test_format_says_who_takes():
    assert [INDIVIDUAL.find_taker(line) for line in ("W", "", None)] == [W, None, None]
    assert [FREE_AUCTION.find_taker(line) for line in ("W", "")] == [None, None]
    assert [TEAMS.find_taker(line) for line in ("W", "")] == [S, S]
    assert [each.is_imposed for each in (INDIVIDUAL, FREE_AUCTION, TEAMS)] == [True, False, True]
    assert [each.taker for each in (INDIVIDUAL, FREE_AUCTION)] == [Taker.ETUI, Taker.AUCTION]


def test_three_at_a_table_are_ranked_in_their_three_lines():
    plays = [ScoringPlay(1, (f"N{n}", f"E{n}", f"S{n}", None), N, score) for n, score in ((1, 60), (2, 50))]
    ranked = standings(plays, THREE)
    assert ranked.notes == ((100, 0, 0, None), (0, 100, 100, None))
    assert {player.player: (player.line, player.rank_line, player.rank_alterne) for player in ranked.players} == {
        "N1": ("N", 1, 1), "E2": ("E", 1, 1), "S2": ("S", 1, 1),
        "N2": ("N", 2, 4), "E1": ("E", 2, 4), "S1": ("S", 2, 4),
    }  # fmt: skip
    assert {player.rank_alterne for player in standings(plays, replace(THREE, alterne=False)).players} == {None}


def test_five_at_a_table_have_a_seat_more():
    seats = [tuple(f"{seat}{number}" for seat in SEATS) for number in (1, 2)]
    ranked = standings([ScoringPlay(1, seats[0], FIFTH, 60), ScoringPlay(1, seats[1], FIFTH, 50)], FIVE)
    assert ranked.notes == ((0, 0, 0, 0, 100), (100, 100, 100, 100, 0))
    fifth = one(ranked, "F1")
    assert (fifth.line, fifth.attack, fifth.attacks, fifth.defences, fifth.rank_line) == ("F", 100, 1, 0, 1)
    assert one(ranked, "W2").defence == 100


def test_friends_of_three_to_five_add_up_their_marks_and_have_no_lines():
    ranked = standings(
        [
            ScoringPlay(1, ("Ada", "Bob", "Cyd", None), N, 60),
            ScoringPlay(2, ("Bob", "Ada", "Dan", "Eve", "Cyd"), FIFTH, 25),
            ScoringPlay(3, ("Cyd", "Bob", "Ada", "Dan"), None, 0),
        ],
        FRIENDS,
    )
    assert {player.player: player.overall for player in ranked.players} == {
        "Ada": 95, "Cyd": 40, "Dan": -25, "Eve": -25, "Bob": -85,
    }  # fmt: skip
    assert [player.rank_general for player in ranked.players] == [1, 2, 3, 3, 5]
    assert {(player.line, player.rank_line, player.rank_alterne) for player in ranked.players} == {("", None, None)}
    assert one(ranked, "Eve").deals == 1


def test_places_are_in_the_order_of_seats_and_the_fifth_is_only_there_for_five():
    four = {"W": 4, "N": 1, "S": 3}
    assert place_in_seats(four) == (1, None, 3, 4)
    assert place_in_seats(four | {FIFTH: 5}) == (1, None, 3, 4, 5)


def test_team_that_holds_several_seats_counts_its_play_once():
    plays = [ScoringPlay(1, ("A", "A", "B", "A"), S, 60), ScoringPlay(1, ("B", "B", "A", "B"), S, 44)]
    ranked = standings(plays, TEAMS)
    assert {player.player: player.overall for player in ranked.players} == {"B": 8, "A": -8}
    assert [(player.attacks, player.defences, player.deals) for player in ranked.players] == [(1, 1, 2)] * 2
    assert {name: tally.plays for name, tally in tally_plays(plays, note_plays(plays, TEAMS)).items()} == {
        "A": 2,
        "B": 2,
    }
    assert collect_notes(plays, note_plays(plays, TEAMS), ["A"]) == {"A": [-4, -4]}


def test_competitor_counts_by_the_seat_that_takes_and_else_by_the_first():
    assert list(list_counted_seats(("A", "B", "A", None, "B"), "S")) == [(2, "A"), (1, "B")]
    assert list(list_counted_seats(("A", "B", "C", "D"), "S")) == [(0, "A"), (1, "B"), (2, "C"), (3, "D")]


@pytest.mark.parametrize(
    ("seats", "rules", "code"),
    [
        (("A", "B", "C", None), INDIVIDUAL, "people_at_table"),
        (("A", "B", "C", "D", "F"), INDIVIDUAL, "people_at_table"),
        (("A", "B", None, None), FRIENDS, "people_at_table"),
        (("A", "B", "C", "D", None), FRIENDS, None),
        (("A", "B", "A", None), FRIENDS, "player_twice"),
        (("A", "B", "A", "B"), TEAMS, None),
        ((None, "B", "C", "D"), FRIENDS, "taker_missing"),
    ],
)
def test_seats_are_held_as_the_format_says(seats, rules, code):
    plays = [ScoringPlay(1, seats, N, 60)] * (2 if rules is TEAMS else 1)
    if code is None:
        assert standings(plays, rules).players
        return
    with pytest.raises(ScoringError) as caught:
        standings(plays, rules)
    assert caught.value.code == code


def test_empty_seats_have_no_note_in_either_comparison():
    seats = ("A", "B", "C", None)
    (notes,) = compare_takers([ScoringPlay(1, seats, N, 60)])
    assert notes == (50, 50, 50, None)
    (notes,) = FREE_AUCTION.compare([ScoringPlay(1, seats, N, 60)])
    assert notes == (50, 50, 50, None)


@pytest.mark.nightly("statistics")
def test_nobody_compares_the_word_of_a_format():
    """Check that code looks up the format once and asks it. `auction` is only a word to pass on."""

    def is_word(node):
        match node:
            case ast.Attribute(value=ast.Attribute(attr="PaymentWay")):
                return False
            case ast.Name(id="auction") | ast.Attribute(attr="auction" | "IMPOSED" | "FREE"):
                return True
            case ast.Subscript(slice=ast.Constant(value="auction")):
                return True
        return False

    def is_of_room(node):
        """Return True for a word of `RoomAuction`: a room has no format, and asks its own choice."""
        return isinstance(node, ast.Attribute) and ast.unparse(node.value) == "RoomAuction"

    comparing = {
        f"{path.name}:{node.lineno}"
        for path in MODULES.values()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Compare) and any(map(is_word, [node.left, *node.comparators]))
        if not any(map(is_of_room, node.comparators))
    }
    assert comparing == set()
