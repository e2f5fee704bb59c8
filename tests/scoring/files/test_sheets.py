"""The scoring of CSV files: tolerant of how spreadsheets write, exact about faults and their places."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.files.sheets import SheetError, score_csv, six_decimals
from scoring.files.standings_file import standings_csv
from scoring.ranking import FREE_AUCTION

ONE_RESULT = "contract,bouts,points\ngarde,2,49\n"
HEADER = "etui,N,E,S,W,taker,base_score\n"


def problems(call, text: str) -> list[str]:
    with pytest.raises(SheetError) as caught:
        call(text)
    assert str(caught.value).splitlines() == [str(problem) for problem in caught.value.problems]
    return [str(problem) for problem in caught.value.problems]


def test_score_csv_adds_its_columns_at_the_end():
    assert score_csv(ONE_RESULT) == (
        "contract,bouts,points,made,base_score,taker,partner,defender\ngarde,2,49,true,66,198,,-66\n"
    )


def test_score_csv_replaces_the_columns_it_computes_and_keeps_the_others():
    text = "base_score,note,players,contract,bouts,points,partner,taker\n1,mine,5,prise,2,40.5,yes,2\n"
    assert score_csv(text) == (
        "note,players,contract,bouts,points,made,base_score,taker,partner,defender\n"
        "mine,5,prise,2,40.5,false,-26,-52,-26,26\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + ONE_RESULT,
        ONE_RESULT.replace("\n", "\r\n"),
        ONE_RESULT.rstrip("\n"),
        ONE_RESULT.replace("\n", "\n\n,,\n"),
    ],
)
def test_score_csv_reads_what_spreadsheets_write(text):
    assert score_csv(text) == score_csv(ONE_RESULT)


def test_score_csv_answers_a_french_spreadsheet_in_its_own_way():
    text = 'Source;Players;Contract;Bouts;Points\n"a;b";3;Prise;2;40,5\n'
    assert score_csv(text) == (
        "Source;Players;Contract;Bouts;Points;made;base_score;taker;partner;defender\n"
        '"a;b";3;Prise;2;40,5;false;-26;-52;;26\n'
    )


def test_score_csv_tells_every_wrong_row():
    text = 'note,contract,bouts,points\n"two\nlines",garde,2,49\n,garde,2,92\n\n,garde,4,49\n,petite,2,49\n'
    assert problems(score_csv, text) == [
        "line 4, points: The attack’s points run from 0 to 91, not 92: correct the points.",
        "line 6, bouts: There are 0 to 3 bouts in the attack’s tricks, not 4: correct the bouts.",
        "line 7, contract: “petite” is not a value of contract. Use one of these: prise, garde, garde_sans, "
        "garde_contre.",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["line 1: the file is empty; its first line must name the columns."]),
        ("\n , \n", ["line 1: the file is empty; its first line must name the columns."]),
        ("contract,points\n", ["line 1, bouts: the column is missing; the columns are: contract, points."]),
        ("contract,bouts,points,Points\n", ["line 1, points: the column appears twice; keep one of them."]),
        (ONE_RESULT + "garde,2\n", ["line 3: 2 cells under 3 columns; check the separators and quotes."]),
        (ONE_RESULT + "garde,2,40,5\n", ["line 3: 4 cells under 3 columns; check the separators and quotes."]),
        (ONE_RESULT + '"garde,2,49\n', ["line 3: not readable as CSV (unexpected end of data); check the quotes."]),
    ],
)
def test_score_csv_refuses_a_file_it_cannot_read(text, expected):
    assert problems(score_csv, text) == expected


FIVE_TABLES = [("N", 56), ("n", "+62"), ("N", "−56"), ("N", "-52"), (" N ", " 50 ")]


def test_standings_csv_ranks_players_in_the_order_of_the_general():
    text = HEADER + "7,Ann,Bob,Cy,Dan,N,+60\n7,Eve,Flo,Guy,Hal,N,40\n7,Ida,Jo,Kit,Lou,N,40\n8,Ann,Flo,Kit,Mia,E,\n"
    assert standings_csv(text) == (
        "player,line,attack,defence,global,rank_general,rank_alterne\n"
        "Ann,N,100.000000,,100.000000,1,1\n"
        "Flo,E,,75.000000,75.000000,2,2\n"
        "Guy,S,,75.000000,75.000000,2,2\n"
        "Hal,W,,75.000000,75.000000,2,2\n"
        "Jo,E,,75.000000,75.000000,2,2\n"
        "Kit,S,,75.000000,75.000000,2,2\n"
        "Lou,W,,75.000000,75.000000,2,2\n"
        "Eve,N,25.000000,,25.000000,8,8\n"
        "Ida,N,25.000000,,25.000000,8,8\n"
        "Bob,E,,0.000000,0.000000,10,10\n"
        "Cy,S,,0.000000,0.000000,10,10\n"
        "Dan,W,,0.000000,0.000000,10,10\n"
        "Mia,W,,,,,\n"
    )


def test_standings_csv_reads_french_lines_signs_and_any_column_order():
    rows = [f"N{n},E{n},S{n},O{n},x,{taker},{score},1" for n, (taker, score) in enumerate(FIVE_TABLES)]
    text = "n,e,s,o,remark,Taker,Base_Score,Etui\n" + "\n".join(rows)
    cells = {line.split(",")[0]: line.split(",") for line in standings_csv(text).splitlines()[1:]}
    assert [cells[f"N{n}"][4] for n in range(5)] == ["75.000000", "100.000000", "0.000000", "25.000000", "50.000000"]
    assert [cells[f"O{n}"][4] for n in range(5)] == ["25.000000", "0.000000", "100.000000", "75.000000", "50.000000"]
    assert {cells[f"O{n}"][1] for n in range(5)} == {"W"}


def test_standings_csv_takes_o_for_the_taker_in_the_west():
    assert standings_csv(HEADER + "1,a,b,c,d,o,60\n") == standings_csv(HEADER + "1,a,b,c,d,W,60\n")


def test_standings_csv_ranks_a_free_auction_by_its_own_rules():
    text = HEADER + "1,a,b,c,d,N,50\n1,e,f,g,h,,0\n"
    assert standings_csv(text, FREE_AUCTION).splitlines()[1:3] == [
        "a,N,100.000000,,100.000000,1,1",
        "f,E,,,100.000000,1,1",
    ]


def test_standings_csv_tells_every_wrong_cell():
    text = HEADER + "1,a,b,c,d,X,60\n,a,b,,d,N,lots\n1,a,b,c,d,N,10.5\n"
    assert problems(standings_csv, text) == [
        "line 2, taker: 'X' is not a line; write N, E, S or W.",
        "line 3, etui: is empty; every play has an étui and four players.",
        "line 3, S: is empty; every play has an étui and four players.",
        "line 3, base_score: 'lots' is not a base score; write it as +106 or -56, or nothing if not played.",
        "line 4, base_score: '10.5' is not a base score; write it as +106 or -56, or nothing if not played.",
    ]


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("2,b,x,c,y,N,60", "line 4, N: b sits on N here and on E before. Players keep their line:"),
        ("2,x,y,x,z,N,60", "line 4, S: x has two seats at the same table, N and S: correct one of the names."),
        ("2,x,y,z,t,,60", "line 4, taker: A base score of 60 needs a taker: choose the line that took."),
    ],
)
def test_standings_csv_tells_the_line_of_plays_that_contradict(row, problem):
    (found,) = problems(standings_csv, f"{HEADER}1,a,b,c,d,N,60\n\n{row}\n")
    assert found.startswith(problem)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (Fraction(0), "0.000000"),
        (Fraction(100), "100.000000"),
        (Fraction(200, 3), "66.666667"),
        (Fraction(100, 3), "33.333333"),
        (Fraction(1, 2_000_000), "0.000001"),
        (Fraction(3, 2_000_000), "0.000002"),
        (Fraction(999_999, 2_000_000_000_000), "0.000000"),
        (Fraction(-9, 2), "-4.500000"),
        (Fraction(-1, 3), "-0.333333"),
        (Fraction(-1, 3_000_000), "0.000000"),
        (Fraction(-100), "-100.000000"),
    ],
)
def test_six_decimals_round_half_up(value, text):
    assert six_decimals(value) == text


@given(st.fractions(min_value=-100, max_value=100))
def test_six_decimals_are_within_half_a_millionth(value):
    assert abs(Fraction(six_decimals(value)) - value) <= Fraction(1, 2_000_000)


@given(st.text(st.characters(codec="utf-8") | st.sampled_from(',;"\n\r')))
def test_any_text_is_answered_or_refused_with_a_line(text):
    for call in (score_csv, standings_csv):
        try:
            answer = call(text)
        except SheetError as error:
            answer = str(error)
        assert answer.startswith(("line ", "player,"))
