"""An étui altered within a position: the plays before and after it, and their notes."""

from fractions import Fraction

import pytest
from django.utils import timezone
from django.utils.translation import override

from evenings.plays import ruling as rulings
from evenings.standings import computing
from pages.doors import session_url
from rankings.publication import building
from rankings.publication.report import read_report
from tests.factories import enter_all, started_session
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.errors import ActionRefused
from tournaments.models import EtuiRuling, LogEntry
from tournaments.rules.etuis import AFTER, BEFORE, EtuiSplit, find_etui_part
from tournaments.words.log_sentences import say_log

pytestmark = pytest.mark.django_db


@pytest.fixture
def session():
    return in_one_position(started_session(), 2)


@pytest.fixture
def said(session, director):
    return {"session_id": session.pk, "etui": 1, "by": director, "reason": "Carte égarée", "now": timezone.now()}


def in_one_position(session, first):
    """Move the étui's plays of three positions, from `first` on, into that one position, at three tables."""
    session.plays.filter(etui__number=1, position__in=(first, first + 1, first + 2)).update(position=first)
    return session


def plays(session, **where):
    return list(
        session.plays.filter(etui__number=1, **where)
        .select_related("table", "etui")
        .order_by("position", "table__number")
    )


def parts(session):
    """Return the ids of the plays before and after the alteration, as the standings compare them."""
    data = computing.compute(session.pk).data["plays"]
    return [{play.pk for play in plays(session) if data[str(play.pk)]["part"] == part} for part in (BEFORE, AFTER)]


@pytest.mark.parametrize(
    ("split", "position", "table", "part"),
    [
        (None, 4, 1, BEFORE),
        (EtuiSplit(3), 2, 1, BEFORE),
        (EtuiSplit(3), 3, 1, AFTER),
        (EtuiSplit(3, (1, 5)), 3, 5, BEFORE),
        (EtuiSplit(3, (1, 5)), 3, 2, AFTER),
        (EtuiSplit(3, (1, 5)), 4, 1, AFTER),
        (EtuiSplit(3, (1, 5)), 2, 2, BEFORE),
    ],
)
def test_play_falls_before_or_after(split, position, table, part):
    assert find_etui_part(split, position, table) == part


def test_tables_of_one_position_are_parted_and_topped_by_themselves(session, director, said):
    enter_all(session, by=director)
    here = plays(session, position=2)
    first, second, third = here
    rulings.split_etui(from_position=2, before=[first.pk, third.pk], **said)
    before, after = parts(session)
    assert before == {play.pk for play in plays(session, position=1)} | {first.pk, third.pk}
    assert after == {second.pk} | {play.pk for play in plays(session, position__gt=2)}
    data = computing.compute(session.pk).data["plays"]
    for group in (before, after):
        scores = {pk: data[str(pk)]["base_score"] for pk in group}
        for pk, score in scores.items():
            others = [other for at, other in scores.items() if at != pk]
            beaten = sum(Fraction(2 * (score > other) + (score == other), 2) for other in others)
            note = 100 * beaten / len(others) if others else Fraction(50)
            assert Fraction(data[str(pk)]["notes"][data[str(pk)]["taker"]]) == note


def test_etui_of_one_position_alone_is_parted(session, director, said):
    session.plays.filter(etui__number=1).exclude(position=2).delete()
    first, *rest = plays(session)
    ruling = rulings.split_etui(from_position=2, before=[first.pk], **said)
    assert ruling.split == EtuiSplit(2, (first.table.number,))
    enter_all(session, by=director, plays=plays(session))
    assert parts(session) == [{first.pk}, {play.pk for play in rest}]


def test_first_position_is_parted_by_its_tables(director, said, session):
    in_one_position(session, 1)
    first, *_rest = plays(session)
    assert rulings.split_etui(from_position=1, before=[first.pk], **said).split == EtuiSplit(1, (first.table.number,))


def test_said_twice_it_is_one_row_and_other_tables_are_another(session, said):
    first, second, _third = plays(session, position=2)
    one = rulings.split_etui(from_position=2, before=[first.pk, second.pk], **said)
    assert rulings.split_etui(from_position=2, before=[second.pk, first.pk], **said) == one
    assert rulings.split_etui(from_position=2, before=[second.pk], **said) != one
    with override("en"):
        told = [say_log(entry) for entry in LogEntry.objects.filter(action="etui_split_within").order_by("id")]
    tables = f"{first.table.number}, {second.table.number}"
    assert told == [
        f"Étui 1: altered in position 2 after tables {tables}, compared separately before and after",
        f"Étui 1: altered in position 2 after table {second.table.number}, compared separately before and after",
    ]


@pytest.mark.parametrize(
    ("only", "position", "ticked", "code"),
    [
        ((2,), 2, 0, "split_none_before"),
        ((2,), 2, 3, "split_none_after"),
        ((2, 1), 1, 0, "split_position"),
        ((2,), 3, 1, "split_position"),
        ((1,), 1, 0, "split_one_play"),
        ((1, 2, 5), 5, 1, "split_tables"),
    ],
)
def test_part_without_a_play_is_refused(session, said, only, position, ticked, code):
    session.plays.filter(etui__number=1).exclude(position__in=only).delete()
    before = [play.pk for play in plays(session, position=2)[:ticked]]
    with pytest.raises(ActionRefused) as refused:
        rulings.split_etui(from_position=position, before=before, **said)
    assert (refused.value.code, EtuiRuling.objects.count()) == (code, 0)


def test_results_of_both_sides_are_listed_apart(session, director, said):
    enter_all(session, by=director)
    first, *_ = plays(session, position=2)
    rulings.split_etui(from_position=2, before=[first.pk], **said)
    computing.refresh(session.pk, now=timezone.now())
    session.refresh_from_db()
    report = read_report(building.build_live(session))
    listed = [play.id for play in report.topage(report.etui(1))]
    assert set(listed[:2]) == {first.pk, *(play.pk for play in plays(session, position=1))}


@pytest.mark.nightly("story")
def test_form_has_the_tables_of_each_position_and_keeps_what_was_ticked(session, director):
    enter_all(session, by=director)
    computing.refresh(session.pk, now=timezone.now())
    browser = browser_of(director)
    etui_page, rule = session_url("live_etui", session, 1), session_url("etui_rule", session, 1)
    first, second, _third = plays(session, position=2)
    page = browser.get(etui_page)
    assert f"Table {first.table.number}: {first.north.name}, " in words(page)
    assert page.content.decode().count('name="before"') == 3
    given = {"kind": "split", "reason": "Carte égarée", "before": [first.pk, second.pk]}
    refused = browser.post(rule, given | {"from_position": "5"})
    assert "A ticked table does not play it in position 5" in words(refused)
    assert refused.content.decode().count(" checked") == 2
    assert browser.post(rule, given | {"from_position": "2", "seen_ruling": "0", "apply": "1"}).url == etui_page
    tables = f"{first.table.number}, {second.table.number}"
    text = words(browser.get(etui_page))
    assert f"altered in position 2, after tables {tables} had played it" in text
    assert f"Altered in position 2, after tables {tables}" in text
