"""The marks of donnes libres in careers: they are listed with the rank, and no mean percentage includes them."""

from fractions import Fraction

import pytest
from django.urls import reverse

from rankings.careers.keeping import find_stale, make_all_anew, refresh
from rankings.careers.summaries import CareerSummary, SummaryRow
from tests.factories import make_tournament, published_session
from tests.free_tournaments import play_two_evenings
from tests.pages.browsing import browser_of
from tournaments.models import Appearance, RatedSession
from tournaments.words.figures import show_marks

pytestmark = pytest.mark.django_db


@pytest.fixture
def evenings():
    tournament, by, sums = play_two_evenings()
    for session in tournament.sessions.all():
        refresh(session.pk)
    return tournament, by, sums


def test_rows_have_rank_and_marks_and_no_percentage(evenings):
    tournament, _by, sums = evenings
    for session, evening in zip(tournament.sessions.order_by("number"), sums, strict=True):
        rows = Appearance.objects.filter(session=session)
        assert {row.player: Fraction(row.figures["marks"]) for row in rows} == evening
        ranks = {who: 1 + sum(other > mine for other in evening.values()) for who, mine in evening.items()}
        assert {row.player: row.rank for row in rows} == ranks
        assert {(row.overall, row.ranked, len(row.plays)) for row in rows} == {("", len(evening), 0)}
    assert not RatedSession.objects.exists()
    assert find_stale() == []
    assert make_all_anew() == (2, 0)


@pytest.mark.nightly("story")
def test_marks_enter_no_mean(evenings):
    tournament, by, _sums = evenings
    duplicate = published_session(make_tournament(tournament.club), by=by)
    refresh(duplicate.pk)
    one, in_marks = (
        SummaryRow(*row)
        for row in (
            Appearance.objects.filter(session=pk).order_by("pk").values_list(*SummaryRow._fields).first()
            for pk in (duplicate.pk, tournament.sessions.first().pk)
        )
    )
    alone, both = CareerSummary(), CareerSummary()
    alone.add_row(one)
    for row in (one, in_marks):
        both.add_row(row)
    assert both.to_data() == alone.to_data() | {"in_marks": 1}
    assert "in_marks" not in alone.to_data()


def page_of(who):
    return browser_of().get(reverse("player", args=[who])).content.decode().split("<main", 1)[1]


def test_page_lists_rank_and_marks_without_any_percentage(evenings):
    _tournament, _by, sums = evenings
    (late,) = sums[1].keys() - sums[0].keys()
    page = page_of(late)
    assert show_marks(sums[1][late]) in page
    assert "Evenings of donnes libres have marks, which no percentage on this page includes." in page
    assert "%" not in page
    assert "Attack" not in page


def test_head_to_head_lists_the_marks_of_both_and_no_percentage(evenings):
    _tournament, _by, sums = evenings
    one, other = sorted(sums[0].keys() & sums[1].keys())[:2]
    page = browser_of().get(reverse("head_to_head", args=[one, other])).content.decode().split("<main", 1)[1]
    for evening in sums:
        assert show_marks(evening[one]) in page
        assert show_marks(evening[other]) in page
    assert "%" not in page
    assert "Deals at the same table" not in page  # those of étuis are meant, and there are none
