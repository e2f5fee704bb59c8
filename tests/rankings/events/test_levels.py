"""The level of a round of sections, which a cut for one section gives to the whole round, and a round's heading."""

import datetime as dt
from types import SimpleNamespace

import pytest

from rankings.events.counting import CountedSession, describe_round, find_level
from rankings.events.report import name_round
from rankings.ranking import RankingStep, StepSession


def make_section(number, level):
    words = {"coefficient": "1", "stage": "", "section": "AB"[number - 1], "pk": number}
    day = SimpleNamespace(isoformat=lambda: "2026-11-27")
    return CountedSession(SimpleNamespace(number=number, level=level, date=day, **words), [])


def test_the_level_of_a_round_is_that_of_its_highest_section():
    for levels in ((0, 1), (1, 0)):
        sections = [make_section(number, level) for number, level in enumerate(levels, 1)]
        assert (find_level(sections), describe_round(sections)["level"]) == (1, 1)


def test_a_round_without_a_cut_tells_no_level():
    assert "level" not in describe_round([make_section(1, 0), make_section(2, 0)])


@pytest.mark.usefixtures("english")
@pytest.mark.parametrize(
    ("step", "name"),
    [
        ({}, "Session 2, 27/11/2026"),
        ({"level": 1, "turn": 2}, "Session 2, 27/11/2026 (round 2)"),
        ({"level": 2, "turn": 3, "stage": "final"}, "Session 2, 27/11/2026 (final)"),
    ],
)
def test_heading_of_a_round_between_cuts_names_the_round(step, name):
    day = dt.date(2026, 11, 27)
    assert name_round(RankingStep(place=2, day=day, sessions=[StepSession(number=2, day=day)], **step)) == name
