"""The question whether a publication is due: its answer, and how often the ranking is computed for it."""

import pytest
from django.utils import timezone

from evenings.plays.entering import correct_result
from evenings.standings import computing
from pages.doors import session_url
from rankings.publication.publishing import is_due, versions_of
from tests.evenings.standings.test_sections import sections, together
from tests.factories import enter_all, make_director, publish, started_session
from tests.pages.browsing import browser_of
from tournaments.models import Session
from tournaments.rules.entry import Fiche

pytestmark = pytest.mark.django_db


@pytest.fixture
def session(db):
    return Session.objects.select_related("tournament__club").get(pk=started_session().pk)


@pytest.fixture
def computed(monkeypatch):
    """Record the sessions whose ranking is computed."""
    found = []
    compute = computing.compute
    monkeypatch.setattr(computing, "compute", lambda pk: found.append(pk) or compute(pk))
    return found


def correct(session, figure, *, seen, by):
    play = session.plays.select_related("etui").first()
    given = {"reason": "relu", "by": by, "now": timezone.now()}
    correct_result(play_id=play.pk, entry=Fiche(play.etui.taker, figure), seen_version=seen, **given)
    session.refresh_from_db()


@pytest.mark.nightly("story")
def test_ranking_is_computed_once_for_all_views_of_a_desk(session, director, computed):
    """Compute it again after the next correction, and after the next publication not at all."""
    enter_all(session, by=director)
    publish(session, by=director)
    browser = browser_of(director)
    found = []
    for seen, figure in ((1, 200), (2, 202)):
        correct(session, figure, seen=seen, by=director)
        computed.clear()
        found += [browser.get(session_url("session", session)).context["publishable"]() for _view in range(3)]
        assert computed == [session.pk]
    assert found == [True] * 6
    publish(session, by=director)
    computed.clear()
    assert browser.get(session_url("session", session)).context["publishable"]() is False
    assert computed == []


@pytest.mark.nightly("story")
def test_ranking_is_computed_again_after_a_change_of_the_session(session, director, computed):
    """Look again: a name on a seat is part of what is published, though it changes no figure."""
    enter_all(session, by=director)
    last = publish(session, by=director)
    correct(session, 200, seen=1, by=director)
    is_due(session, last, missing=0)
    computed.clear()
    session.revision += 1
    assert is_due(session, last, missing=0) is True
    assert computed == [session.pk]


@pytest.mark.guard("a correction renews the rankings that count it")
def test_correction_in_another_section_asks_for_the_ranking_here():
    """Publish sections that are ranked together with the ranking of all of them."""
    one, other = sections()
    director = make_director(one.tournament.club)
    together(one, other, by=director)
    for section in (one, other):
        enter_all(section, by=director)
        publish(section, by=director, allow_missing=True)
    one.refresh_from_db()
    last = publish(one, by=director, allow_missing=True)
    correct(one, 200, seen=1, by=director)
    before = versions_of(one)
    correct(other, 200, seen=1, by=director)
    one.refresh_from_db()
    assert versions_of(one) != before
    assert is_due(one, last, missing=0) is True
