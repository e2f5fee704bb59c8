"""The answers to exercises: what is right follows from the rules, and an answer that cannot be read says why."""

from decimal import Decimal

import pytest

from handbook.answers import AnswerError, judge_answer
from handbook.deals import read_shown_deal
from handbook.errors import HandbookError
from handbook.exercises import read_exercise

WORDS = 'page = "marks"\n[en]\nquestion = "A"\n[fr]\nquestion = "B"\n'
COUNT = read_exercise("count", 'kind = "count"\ncards = ["♥R", "♠6", "♦D"]\n' + WORDS)
SCORE = read_exercise(
    "score",
    'kind = "score"\n'
    + WORDS
    + '[result]\ncontract = "garde_sans"\nbouts = 1\npoints = "55"\npetit_au_bout = "defence"\n',
)
CHOICES = "".join(
    f'[[choices]]\nid = "{key}"\nright = {right}\nen = "A"\nfr = "B"\nwhy_en = "C"\nwhy_fr = "D"\n'
    for key, right in (("a", "false"), ("b", "true"))
)
CHOICE = read_exercise("choice", 'kind = "choice"\n' + WORDS + CHOICES)


@pytest.mark.parametrize(
    ("exercise", "answer", "is_right"),
    [
        (COUNT, "8.5", True),
        (COUNT, "8,5", True),
        (COUNT, "8½", True),
        (COUNT, "9", False),
        (SCORE, "+76", True),
        (SCORE, "76", True),
        (SCORE, "−76", False),
        (CHOICE, "b", True),
        (CHOICE, "a", False),
    ],
)
def test_answer_is_judged_by_the_rules(exercise, answer, is_right):
    assert judge_answer(exercise, None, [answer]).is_right is is_right


def test_score_explains_itself():
    """Check the example of FFT 2012 p. 9: 116 for the contract, −40 for the petit au bout of the defence."""
    verdict = judge_answer(SCORE, None, ["1"])
    assert (verdict.right, [line.amount for line in verdict.lines]) == (("76",), [116, -40])


@pytest.mark.parametrize(
    ("exercise", "given", "code"),
    [
        (COUNT, [], "empty"),
        (COUNT, [""], "empty"),
        (COUNT, ["1", "2"], "one"),
        (COUNT, ["♠R"], "number"),
        (COUNT, ["1e9"], "number"),
        (COUNT, ["٣"], "number"),
        (COUNT, ["NaN"], "number"),
        (CHOICE, ["c"], "choice"),
        (CHOICE, ["\x00"], "choice"),
    ],
)
def test_answer_that_cannot_be_read_says_why(exercise, given, code):
    with pytest.raises(AnswerError) as error:
        judge_answer(exercise, None, given)
    assert error.value.code == code


DEAL = read_shown_deal(
    "deal",
    """
    players = 4
    dealer = "N"
    taker = "S"
    contract = "garde"
    [hands]
    S = "D3.-.T2.V.21-18-15-12-11-9-8-7-5-3"
    chien = "R.5.-.4.1*"
    [en]
    title = "A"
    [fr]
    title = "B"
    [[tricks]]
    leader = "N"
    cards = ["♥R", "10"]
    [[tricks]]
    leader = "W"
    cards = ["♠V", "♠3", "20", "*"]
    [[tricks]]
    leader = "E"
    cards = ["♦R", "♦8", "♦9", "♦2"]
    """,
)


def about(kind, **more):
    told = "".join(f"{name} = {value}\n" for name, value in more.items())
    return read_exercise(kind, f'kind = "{kind}"\ndeal = "deal"\nseat = "S"\n{told}{WORDS}')


LEGAL, WINNER = about("legal", tricks=1), about("winner", tricks=2)
DISCARD, POIGNEE, BID = about("discard"), about("poignee"), about("bid", bids='["", "garde"]')


@pytest.mark.parametrize(
    ("exercise", "given", "is_right"),
    [
        (LEGAL, ["21", "18", "15", "12", "11"], True),  # South has no heart, and goes over the 10
        (LEGAL, ["21", "18", "15", "12"], False),
        (LEGAL, ["21", "18", "15", "12", "11", "9"], False),
        (WINNER, ["E"], True),
        (WINNER, ["N"], False),
        (DISCARD, ["♠D", "♠3", "♦10", "♦2", "♣V", "♥5"], True),
        (DISCARD, ["♠R", "♠3", "♦10", "♦2", "♣V", "♥5"], False),
        (DISCARD, ["3", "♠3", "♦10", "♦2", "♣V", "♥5"], False),
        (DISCARD, ["♠3", "♦10"], False),
        (POIGNEE, ["simple"], True),
        (POIGNEE, ["simple", "double"], False),
        (BID, ["pass", "garde_sans", "garde_contre"], True),
        (BID, ["pass", "garde", "garde_sans", "garde_contre"], False),
    ],
)
def test_referee_judges_all_but_a_choice(exercise, given, is_right):
    assert judge_answer(exercise, DEAL, given).is_right is is_right


def test_wrong_card_is_refused_with_the_rule_and_its_source():
    verdict = judge_answer(LEGAL, DEAL, ["9", "21"])
    assert [(refusal.code, refusal.source) for refusal in verdict.refusals] == [("overtrump", "FFT 2012, the play")]
    assert [refusal.code for refusal in judge_answer(DISCARD, DEAL, ["♠R"]).refusals] == ["ecart_kept"]


@pytest.mark.parametrize(
    ("exercise", "given", "code", "params"),
    [
        (COUNT, ["9"], "count", {"cards": 3, "pairs": Decimal("1.5"), "more": Decimal(7)}),
        (COUNT, ["8.5"], "count", {"cards": 3, "pairs": Decimal("1.5"), "more": Decimal(7)}),
        (WINNER, ["N"], "by_trump", {"card": "20"}),
        (about("winner", tricks=3), ["N"], "by_suit", {"card": "♦R"}),
        (POIGNEE, ["double"], "poignee", {"found": 10, "sizes": "10, 13, 15"}),
    ],
)
def test_answer_that_the_rules_give_is_explained(exercise, given, code, params):
    note = judge_answer(exercise, DEAL, given).note
    assert (note.code, note.params) == (code, params)
    assert str(note)


def test_bid_that_is_too_low_is_refused_in_the_words_of_the_referee():
    assert [refusal.code for refusal in judge_answer(BID, DEAL, ["pass", "garde", "prise"]).refusals] == ["bid_low"]
    assert judge_answer(BID, DEAL, ["garde_sans"]).refusals == ()


@pytest.mark.parametrize(("exercise", "answer"), [(LEGAL, "♥3"), (LEGAL, "22"), (DISCARD, "1♠"), (LEGAL, "S")])
def test_unknown_card_in_an_answer_is_named(exercise, answer):
    with pytest.raises(AnswerError) as error:
        judge_answer(exercise, DEAL, [answer])
    assert (error.value.code, error.value.params["found"]) == ("card", answer)


@pytest.mark.parametrize(
    "text",
    [
        'kind = "choice"\n' + WORDS,
        'kind = "choice"\n' + WORDS + CHOICES.replace("true", "false"),
        'kind = "count"\n' + WORDS,
        'kind = "score"\n' + WORDS,
        'kind = "count"\ncards = ["♥R"]\n' + WORDS + CHOICES,
    ],
)
def test_exercise_without_what_its_kind_needs_is_refused(text):
    with pytest.raises(HandbookError):
        read_exercise("wrong", text)
