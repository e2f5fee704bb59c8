"""The cells of a tournament's file, each by itself. `tests/tournaments/events` has whole tournaments."""

from fractions import Fraction

import pytest

from scoring.files.sheets import SheetError, read_sheet
from scoring.files.standings_file import StandingsFile
from scoring.files.tournament_file import TournamentFile, Weight, rank_tournament_file, read_tournament_file
from scoring.formats import INDIVIDUAL
from scoring.tournament import ResultCounting, RoundStage, TournamentRules
from tests.scoring.files.writing import AT_FOUR, write_file, write_rows, write_substitute

SESSION = {"kind": "session", "session": "1", "round": "1"}
PLAY = AT_FOUR | {"kind": "play", "session": "1", "taker": "N", "base_score": "60"}


def write_tournament(*rows, **cells):
    return write_file("1", "individual", *rows, **{"counting": "sum", **cells})


def find_problems(text):
    with pytest.raises(SheetError) as refused:
        read_tournament_file(text)
    return [(each.line, each.column) for each in refused.value.problems]


def test_file_of_a_tournament_is_read_as_a_whole():
    text = write_tournament(
        {"kind": "player", "player": "a", "tie": "2"},
        {"kind": "player", "session": "7", "player": "a", "line": "N", "ranked": "no"},
        PLAY | {"session": "7"},
        {"kind": "session", "session": "1", "coefficient": "3/2", "stage": "qualifying", "round": "1"},
        {"kind": "session", "session": "7", "round": "2", "level": "1", "stage": "final", "field": "1"},
        counting="mean",
        best_of="2",
        least_sessions="3",
        carry_over="50",
    )
    file = read_tournament_file(text)
    assert file.counted == TournamentRules(ResultCounting.MEAN, 2, 3, Fraction(1, 2))
    assert file.weights == {
        "1": Weight(Fraction(3, 2), RoundStage.QUALIFYING, 0, 1, "1"),
        "7": Weight(Fraction(1), RoundStage.FINAL, 1, 2, "1"),
    }
    assert (file.names, file.whole.places, file.whole.rules) == ({"a"}, {"a": 2}, INDIVIDUAL)
    assert list(file.sessions) == ["1", "7"]
    seventh = file.sessions["7"]
    assert (file.sessions["1"].plays, len(seventh.plays), seventh.unranked) == ([], 1, {"a"})


def test_new_file_is_empty_and_has_the_rules_by_default():
    sheet = read_sheet(write_rows(), ())
    whole = StandingsFile(sheet)
    assert TournamentFile(sheet, whole) == TournamentFile(sheet, whole, TournamentRules(), {}, {}, set())


@pytest.mark.parametrize(
    ("column", "known", "unknown"),
    [
        ("coefficient", ("", "2", "3/2", "0.5", "999999999"), ("0", "-1", "1/0", "1.", "1000000000", "0.0")),
        ("round", ("1", "999999999"), ("", "0", "01", "1000000000", "x")),
        ("level", ("", "0", "999"), ("1000", "-1", "x")),
        ("stage", ("", "qualifying", "final"), ("semi",)),
    ],
)
def test_cells_of_a_session_are_known_or_refused(column, known, unknown):
    for cell in known:
        assert list(read_tournament_file(write_tournament(SESSION | {column: cell})).weights) == ["1"]
    for cell in unknown:
        assert find_problems(write_tournament(SESSION | {column: cell})) == [(3, column)]


@pytest.mark.parametrize(
    ("column", "known", "unknown"),
    [
        ("best_of", ("", "1", "999999999"), ("0", "01", "1000000000", "x")),
        ("least_sessions", ("", "1", "999999999"), ("0", "01", "1000000000", "x")),
        ("carry_over", ("", "0", "9", "99", "100"), ("101", "1000", "-1", "5.5")),
        ("counting", ("sum", "mean"), ("", "median")),
    ],
)
def test_cells_of_the_tournament_are_known_or_refused(column, known, unknown):
    for cell in known:
        assert read_tournament_file(write_tournament(**{column: cell})).sessions == {}
    for cell in unknown:
        assert find_problems(write_tournament(**{column: cell})) == [(2, column)]


def test_ranking_of_the_tournament_comes_before_those_of_the_sessions():
    text = write_tournament(
        SESSION,
        *(
            {**PLAY, "N": name, "base_score": score}
            for name, score in (("a", "60"), ("x", "50"), ("y", "40"), ("z", "30"))
        ),
    )
    whole, sessions = rank_tournament_file(text).split("\n\n")
    assert whole.splitlines()[:3] == [
        "rank,player,total,sessions,session_1",
        "1,a,100.000000,1,100.000000",
        "2,x,66.666667,1,66.666667",
    ]
    assert sessions.splitlines()[0] == "session,player,line,attack,defence,global,rank_general,rank_alterne"
    assert "1,x,N,66.666667,,66.666667,2,5" in sessions.splitlines()
    assert rank_tournament_file(text, exact=True).splitlines()[2] == "2,x,200/3,1,200/3"


def test_who_played_less_than_a_hundredth_is_ranked_unless_a_share_is_asked_for():
    text = write_tournament(SESSION, *write_substitute(kind="play", session="1"))
    file = read_tournament_file(text)
    for told, ranked in (({}, set("abcdz")), ({"least_share": 1}, set("abcd"))):
        players = file.rank_sessions(**told)["1"].players
        assert {each.player for each in players if each.rank_general} == ranked
        whole = rank_tournament_file(text, **told).split("\n\n")[0].splitlines()
        assert {line.split(",")[1] for line in whole[1:]} == ranked
