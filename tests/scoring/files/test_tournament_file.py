"""The cells of a tournament's file, each by itself. `tests/rankings/events` has whole tournaments."""

from fractions import Fraction

import pytest

from scoring.files.sheets import SheetError, read_sheet
from scoring.files.standings_file import StandingsFile
from scoring.files.tournament_file import (
    TournamentFile,
    Weight,
    is_tournament,
    rank_tournament_file,
    read_tournament_file,
)
from scoring.formats import INDIVIDUAL
from scoring.ties import TieBreak
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


@pytest.mark.parametrize(
    ("rows", "place"),
    [
        ([{"kind": "season"}], (3, "kind")),
        ([{"kind": "file", "version": "1", "rules": "individual", "counting": "sum"}], (3, "kind")),
        ([SESSION | {"session": ""}], (3, "session")),
        ([SESSION, SESSION], (4, "session")),
        ([SESSION | {"field": "7"}], (3, "field")),
        ([SESSION, SESSION | {"session": "2", "coefficient": "2"}], (4, "round")),
        ([SESSION, SESSION | {"session": "2", "stage": "final"}], (4, "round")),
        ([SESSION, SESSION | {"session": "2", "level": "1"}], (4, "level")),
        ([SESSION, SESSION | {"session": "2"}], None),
        ([{"kind": "player", "player": "", "tie": "1"}], (3, "player")),
        ([{"kind": "player", "player": "a"}, {"kind": "player", "player": "a"}], (4, "player")),
        ([PLAY], (3, "session")),
    ],
)
def test_wrong_cell_is_a_problem_of_its_line_and_column(rows, place):
    text = write_tournament(*rows)
    if place is None:
        assert list(read_tournament_file(text).weights) == ["1", "2"]
    else:
        assert find_problems(text) == [place]


def test_tournament_is_told_from_a_session_by_its_counting():
    assert is_tournament(write_tournament(SESSION))
    assert not is_tournament(write_file("1", "individual", SESSION))
    assert not is_tournament(write_rows(AT_FOUR))
    assert find_problems(write_file("4", "individual", counting="sum")) == [(2, "version")]


def test_rules_are_those_of_the_file_and_its_places_come_first():
    file = read_tournament_file(write_tournament())
    assert file.counted == file.rules() == TournamentRules()
    assert file.rules([TieBreak.ATTACK]) == TournamentRules(ties=(TieBreak.ATTACK,))
    drawn = read_tournament_file(write_tournament({"kind": "player", "player": "a", "tie": "2"}))
    ties = (TieBreak.DRAW, TieBreak.ATTACK)
    assert drawn.rules([TieBreak.ATTACK]) == TournamentRules(ties=ties, places={"a": 2})


def test_plays_of_one_field_are_compared_unless_the_etui_was_altered():
    plays = [
        PLAY | {"session": session, "N": name, "base_score": score, "part": part, "etui": part}
        for session, name, score in (("1", "a", "60"), ("2", "x", "50"))
        for part in "12"
    ]
    second = {"session": "2", "round": "2"}
    for field, notes in (("1", (100, 0)), ("2", (50, 50))):
        file = read_tournament_file(write_tournament(SESSION, SESSION | second | {"field": field}, *plays))
        ranked = file.rank_sessions()
        assert [ranked[number].notes[0][0] for number in "12"] == list(notes)
        assert [ranked[number].notes[1][0] for number in "12"] == [50, 50]


@pytest.mark.parametrize(("ranked", "percentage"), [("yes", 100), ("no", 0)])
def test_who_sat_in_two_sections_has_the_better_result_with_a_rank(ranked, percentage):
    plays = [
        PLAY | {"session": session, "N": name, "base_score": score}
        for session, name, score in (("1", "a", "50"), ("1", "x", "60"), ("2", "a", "60"), ("2", "y", "50"))
    ]
    player = {"kind": "player", "session": "2", "player": "a", "line": "N", "ranked": ranked}
    file = read_tournament_file(write_tournament(SESSION, SESSION | {"session": "2"}, player, *plays))
    (played,) = file.rounds(file.rank_sessions())
    assert (played.results["a"].overall, played.results["x"].overall) == (percentage, 100)


def test_donnes_libres_have_the_weights_of_their_session_and_zero_for_a_missed_one():
    play = PLAY | {"W": "", "base_score": "50"}
    rows = [SESSION | {"weight_3": "6/5"}, SESSION | {"session": "2", "round": "2"}, play, play | {"session": "2"}]
    file = read_tournament_file(write_file("3", "donnes_libres", *rows, counting="sum"))
    assert file.rules().missed_is_zero
    ranked = file.rank_sessions()
    assert [{each.player: each.overall for each in ranked[number].players}["a"] for number in "12"] == [120, 100]
