"""The cells of a standings file, each by itself. `test_evenings_in_files` has whole evenings."""

from fractions import Fraction

import pytest

from scoring.files.sheets import SheetError, read_sheet
from scoring.files.standings_file import StandingsFile, read_standings_file, standings_csv
from scoring.formats import FORMATS, INDIVIDUAL
from scoring.notes import FixedNote
from scoring.plays import ScoringPlay
from tests.scoring.files.writing import AT_FOUR, write_file, write_rows, write_substitute

PLAY = AT_FOUR | {"kind": "play"}
PLAYER = {"kind": "player", "player": "a", "line": "N", "ranked": "yes"}


def find_problems(text):
    with pytest.raises(SheetError) as refused:
        read_standings_file(text)
    assert all(each.message for each in refused.value.problems)
    return [(each.line, each.column) for each in refused.value.problems]


@pytest.mark.parametrize(
    ("version", "names"),
    [
        ("1", {"individual", "free_auction"}),
        ("2", {"triplettes", "quadrettes", "team_match"}),
        ("3", {"free_auction_3", "free_auction_5", "donnes_libres", "doublettes"}),
    ],
)
def test_each_version_has_its_formats(version, names):
    for name, rules in FORMATS.items():
        text = write_file(version, name)
        if name in names:
            assert read_standings_file(text).rules == rules
        else:
            assert find_problems(text) == [(2, "rules")]


def test_file_of_an_evening_is_read_as_a_whole():
    text = write_file(
        *("1", "individual"),
        {"kind": "session", "coefficient": "1", "weight_3": "6/5"},
        PLAYER | {"penalty": "5/2", "tie": "2"},
        {"kind": "player", "player": "d", "line": "o", "ranked": "no", "penalty": "-0.25", "tie": ""},
        PLAY | {"part": "2", "taker": "o", "base_score": "−56", "compared": "no", "fixed_w": "better 60"},
        PLAY | {"taker": "n", "base_score": ""},
    )
    file = read_standings_file(text)
    assert file.rules == INDIVIDUAL
    assert file.plays == [
        ScoringPlay(("1", "2"), tuple("abcd"), "W", -56, (None, None, None, FixedNote(Fraction(60), True)), False),
        ScoringPlay(("1", "1"), tuple("abcd"), "N", None),
    ]
    assert (file.at, file.lines, file.unranked) == ([6, 7], {"a": "N", "d": "W"}, {"d"})
    assert (file.penalties, file.places) == ({"a": Fraction(5, 2), "d": Fraction(-1, 4)}, {"a": 2})
    assert file.weights == {3: Fraction(6, 5)}


def test_new_file_is_empty_and_of_the_individual_format():
    sheet = read_sheet(write_rows(), ())
    assert StandingsFile(sheet) == StandingsFile(sheet, INDIVIDUAL, [], [], {}, set(), {}, {}, {})


@pytest.mark.parametrize(
    ("version", "rules", "letters", "count"),
    [
        ("3", "free_auction_3", "NES", "three"),
        ("1", "free_auction", "NESW", "four"),
        ("3", "free_auction_5", "NESWF", "five"),
    ],
)
def test_table_of_each_size_has_all_its_players(version, rules, letters, count):
    seats = dict(zip(letters, "abcde", strict=False))
    partner = "S" if "F" in seats else ""
    play = {"kind": "play", "etui": "1", **seats, "taker": "N", "base_score": "60", "partner": partner}
    (read,) = read_standings_file(write_file(version, rules, play)).plays
    assert read == ScoringPlay(("1", "1"), tuple(seats.values()), "N", 60, partner=partner or None)
    with pytest.raises(SheetError, match=f"line 3, S: is empty; every play has an étui and {count} players"):
        read_standings_file(write_file(version, rules, play | {"S": ""}))


def test_fifth_player_has_a_fixed_note_in_a_column_of_its_own():
    play = PLAY | {"F": "e", "taker": "f", "partner": "F", "base_score": "60", "fixed_f": "40"}
    (read,) = read_standings_file(write_file("3", "free_auction_5", play)).plays
    assert (read.taker, read.partner) == ("F", "F")
    assert read.fixed == (None, None, None, None, FixedNote(Fraction(40)))


@pytest.mark.parametrize(("line", "is_known"), [("", True), ("NS", True), ("ew", True), ("N", False)])
def test_team_sits_north_south_or_east_west_or_changes(line, is_known):
    text = write_file("2", "triplettes", PLAYER | {"line": line, "team": "1", "attacker": "a", "team_name": "A"})
    if is_known:
        assert read_standings_file(text).lines == {"a": line.upper()}
    else:
        assert find_problems(text) == [(3, "line")]


@pytest.mark.parametrize("cell", ["+106", "-56", "−56", "0", "999999", ""])
def test_base_score_is_a_whole_number_with_or_without_its_sign(cell):
    (play,) = read_standings_file(write_rows(AT_FOUR | {"taker": "N", "base_score": cell})).plays
    assert play.base_score == (int(cell.replace("−", "-")) if cell else None)


@pytest.mark.parametrize("cell", ["1000000", "+-5", "5.0", "٥", "1e3"])
def test_anything_else_is_no_base_score(cell):
    assert find_problems(write_rows(AT_FOUR | {"taker": "N", "base_score": cell})) == [(2, "base_score")]


@pytest.mark.parametrize("cell", ["0", "-2.5", "5/2", "999999999", "1/999999999", "0.000000001"])
def test_penalty_is_a_decimal_or_a_fraction(cell):
    assert read_standings_file(write_file("1", "individual", PLAYER | {"penalty": cell})).penalties == {
        "a": Fraction(cell)
    }


@pytest.mark.parametrize("cell", ["+1", "1/0", "1/02", "1.", ".5", "1000000000", "0.0000000001", "2.5/2", "٥"])
def test_anything_else_is_no_penalty(cell):
    assert find_problems(write_file("1", "individual", PLAYER | {"penalty": cell})) == [(3, "penalty")]


def test_every_column_of_the_format_is_known_and_no_other():
    columns = [
        *("coefficient", "ties", "session", "position", "table", "part", "compared", "player", "line", "ranked"),
        *("penalty", "tie", "attack", "defence", "global", "rank_general", "rank_line", "rank_alterne", "counting"),
        *("best_of", "least_sessions", "carry_over", "stage", "round", "field", "level", "team", "attacker"),
        *("team_name", "team_rank", "team_total", "team_counts", "F", "partner", "resting", "deals"),
        *("fixed_n", "fixed_e", "fixed_s", "fixed_w", "fixed_f", "marks_n", "marks_e", "marks_s", "marks_w"),
        *("marks_f", "weight_3", "weight_5"),
    ]
    row = dict.fromkeys(columns, "")
    assert read_standings_file(write_file("1", "individual", **row)).plays == []
    assert find_problems(write_file("1", "individual", **row, colour="")) == [(1, "colour")]


def test_ranking_has_six_decimals_or_fractions():
    seats = ("abcd", "efgh", "ijkl", "mnop")
    plays = [
        {"etui": "1", **dict(zip("NESW", names, strict=True)), "taker": "N", "base_score": score}
        for names, score in zip(seats, ("60", "50", "40", "30"), strict=True)
    ]
    lines = standings_csv(write_rows(*plays)).splitlines()
    assert lines[0] == "player,line,attack,defence,global,rank_general,rank_alterne"
    assert lines[1:5] == [
        *("a,N,100.000000,,100.000000,1,1", "n,E,,100.000000,100.000000,1,1"),
        *("o,S,,100.000000,100.000000,1,1", "p,W,,100.000000,100.000000,1,1"),
    ]
    assert lines[5] == "e,N,66.666667,,66.666667,5,5"
    assert standings_csv(write_rows(*plays), exact=True).splitlines()[5] == "e,N,200/3,,200/3,5,5"


def test_who_played_less_than_a_hundredth_is_ranked_unless_a_share_is_asked_for():
    text = write_rows(*write_substitute())
    file = read_standings_file(text)
    for share, ranks in (
        (None, {"a": 1, "b": 1, "c": 1, "d": 1, "z": 1}),
        (1, {"a": 1, "b": 1, "c": 1, "d": 1, "z": None}),
    ):
        told = {} if share is None else {"least_share": share}
        assert {each.player: each.rank_general for each in file.rank(**told).players} == ranks
        rows = [line.split(",") for line in standings_csv(text, **told).splitlines()[1:]]
        assert {row[0]: int(row[5] or 0) or None for row in rows} == ranks


@pytest.mark.parametrize(
    ("version", "rules", "row", "column"),
    [
        ("4", "individual", {}, "version"),
        ("1", "individual", {"kind": "season"}, "kind"),
        ("1", "individual", {"kind": "file", "version": "1", "rules": "individual"}, "kind"),
        ("1", "individual", {"kind": "session", "coefficient": "2"}, "coefficient"),
        ("1", "individual", PLAYER | {"player": ""}, "player"),
        ("1", "individual", PLAYER | {"line": "Q"}, "line"),
        ("3", "free_auction_3", PLAYER, "line"),
        ("3", "free_auction_3", PLAYER | {"line": ""}, None),
        ("1", "individual", PLAYER | {"ranked": "oui"}, "ranked"),
        ("1", "individual", PLAYER | {"tie": "x"}, "tie"),
        ("3", "donnes_libres", PLAY | {"taker": "F"}, "taker"),
        ("1", "individual", PLAY | {"taker": "Q"}, "taker"),
        ("3", "free_auction_5", PLAY | {"F": "e", "partner": "Q"}, "partner"),
        ("3", "free_auction_5", PLAY | {"F": "e", "taker": "N", "base_score": "60"}, "partner"),
        ("1", "individual", PLAY | {"partner": "Q"}, None),
        ("1", "individual", PLAY | {"compared": "perhaps"}, "compared"),
        ("1", "individual", PLAY | {"fixed_e": "101"}, "fixed_e"),
    ],
)
def test_wrong_cell_is_a_problem_of_its_line_and_column(version, rules, row, column):
    text = write_file(version, rules, *([row] if row else []))
    if column is None:
        assert read_standings_file(text).rules == FORMATS[rules]
    else:
        assert find_problems(text) == [(3 if row else 2, column)]


def test_problems_of_several_lines_are_all_told():
    assert find_problems(write_file("1", "individual", counting="sum")) == [(2, "counting")]
    assert find_problems(write_file("1", "individual", PLAYER, PLAYER)) == [(4, "player")]
    session = {"kind": "session", "coefficient": "1"}
    assert find_problems(write_file("1", "individual", session, session, session)) == [(4, "kind"), (5, "kind")]
    assert find_problems(write_rows(PLAYER, PLAY)) == [(2, "kind")]
    assert find_problems(write_rows({"kind": ""})) == [(1, "kind")]


def test_places_of_the_file_tell_equals_apart():
    players = [
        PLAYER | {"player": name, "line": line, "tie": tie}
        for name, line, tie in zip("abcd", "NESW", "4213", strict=True)
    ]
    play = PLAY | {"taker": "N", "base_score": "60"}
    for rows, ranks in ((players, "4213"), ([], "1111")):
        ranked = read_standings_file(write_file("1", "individual", *rows, play)).rank()
        assert {each.player: str(each.rank_general) for each in ranked.players} == dict(zip("abcd", ranks, strict=True))


def test_weights_of_odd_tables_count_unless_notes_are_given():
    play = {"kind": "play", "etui": "1", "N": "a", "E": "b", "S": "c", "taker": "N", "base_score": "50"}
    session = {"kind": "session", "weight_3": "6/5"}
    file = read_standings_file(write_file("3", "donnes_libres", session, play))
    assert (file.at, len(file.plays)) == ([4], 1)
    assert {each.player: each.overall for each in file.rank().players} == {"a": 120, "b": -60, "c": -60}
    given = file.rank(notes=[(Fraction(9), Fraction(-4), Fraction(-5), None)])
    assert {each.player: each.overall for each in given.players} == {"a": 9, "b": -4, "c": -5}
    for wrong in ({"S": "a"}, {"resting": "E"}):
        refused = read_standings_file(write_file("3", "donnes_libres", session, play | wrong))
        with pytest.raises(SheetError, match="line 4"):
            refused.rank()
