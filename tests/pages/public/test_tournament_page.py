"""The page of a tournament: the coefficient of each session, the final, and the podiums of the last sessions."""

import datetime as dt
import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from evenings.sessions.weekly import create_weekly_sessions
from rankings.publication import newest
from rankings.publication.newest import latest_publications
from rankings.publication.publishing import SESSIONS
from tests.evenings.standings.test_sections import sections, together
from tests.factories import enter_all, make_director, make_tournament, publish
from tests.pages.reading import words
from tests.rankings.events.several import published_sessions
from tournaments.models import Publication, Session
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db


def page_of(tournament, language="en"):
    url = reverse("tournament", args=[tournament.club.slug, tournament.slug])
    return Client(headers={"Accept-Language": language}).get(url)


@pytest.mark.nightly("story")
def test_coefficients_and_the_final_are_told(settings):
    tournament = make_tournament()
    published_sessions(tournament, by=make_director(tournament.club))
    assert not re.search("coefficient|final|qualifying", words(page_of(tournament)))
    Session.objects.filter(number=1).update(stage="qualifying", coefficient="1.5")
    Session.objects.filter(number=2).update(stage="final", coefficient=2)
    text = words(page_of(tournament))
    assert text.index("coefficient 2") < text.index("coefficient 1.5")  # the newest session is first
    assert "final" in text
    assert "qualifying" in text
    assert "coefficient 1,5" in words(page_of(tournament, "fr"))


@pytest.mark.nightly("story")
def test_podiums_are_those_of_the_newest_sessions_whatever_was_published_last():
    tournament = make_tournament()
    director = make_director(tournament.club)
    published_sessions(tournament, by=director, count=3)
    old = Session.objects.get(tournament=tournament, number=1)
    Publication.objects.filter(session=old).update(published_at="2031-01-01T00:00Z")
    found = [each.session.number for each in latest_publications(2, tournament=tournament)]
    assert found == [3, 2]
    assert page_of(tournament).text.count('class="podium"') == 2
    assert [each.session.number for each in latest_publications(1, club=tournament.club)] == [1]


@pytest.mark.nightly("story")
@pytest.mark.parametrize("looked_at", [1, 2, 4])
def test_latest_of_a_club_are_the_same_however_few_it_looks_among(monkeypatch, looked_at):
    """Take the newest ranking back, so that the newest publications are those of a session without a ranking."""
    tournament = make_tournament()
    director = make_director(tournament.club)
    first, second, third = published_sessions(tournament, by=director, count=3)
    word = DirectorWord(by=director, now=timezone.now(), reason="A mistake")
    SESSIONS.withdraw(third.pk, word=word)
    monkeypatch.setattr(newest, "LOOKED_AT", looked_at)
    for limit, expected in ((1, [second]), (2, [second, first]), (3, [second, first])):
        found = [each.session for each in latest_publications(limit, club=tournament.club)]
        assert (limit, found) == (limit, expected)


@pytest.mark.nightly("crawl")
def test_two_sections_of_one_ranking_have_one_podium_on_every_page():
    first, other = sections()
    tournament = first.tournament
    director = make_director(tournament.club)
    group = together(first, other, by=director)
    for session in (first, other):
        enter_all(session, by=director)
    for session in (first, other):
        publish(session, by=director)
    urls = [reverse("tournament", args=[tournament.club.slug, tournament.slug])]
    urls += [reverse("club", args=[tournament.club.slug]), reverse("home")]
    reader = Client(headers={"Accept-Language": "en"})
    for url in urls:
        page = reader.get(url)
        assert (url, page.text.count('class="podium"')) == (url, 1)
        assert "all sections" in words(page)
    group.one_ranking = False
    group.save()
    for url in urls:
        page = reader.get(url)
        assert (url, page.text.count('class="podium"')) == (url, 2)
        assert "all sections" not in words(page)


@pytest.mark.nightly("story")
def test_evenings_of_every_week_leave_room_for_what_was_played():
    tournament = make_tournament()
    director = make_director(tournament.club)
    published_sessions(tournament, by=director)
    today = timezone.localdate()
    said = {"by": director, "now": timezone.now()}
    days = {"date": today, "until": today + dt.timedelta(weeks=55)}
    create_weekly_sessions(tournament_id=tournament.pk, **days, **said)
    page = page_of(tournament)
    assert "55 more evenings to come" in words(page)
    main = page.text[page.text.index("</details>") :]
    assert [f"Session {number}<" in main for number in (1, 2, 3, 4, 58)] == [True, True, True, False, False]
    club = Client(headers={"Accept-Language": "en"}).get(reverse("club", args=[tournament.club.slug]))
    assert f"58 sessions · next one on {date_format(today, 'DATE_FORMAT')}" in words(club)
