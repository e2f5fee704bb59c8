"""The level of a round of sections: a cut that was made for one section counts for the whole round."""

from types import SimpleNamespace

from rankings.events.counting import CountedSession, describe_round, find_level


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
