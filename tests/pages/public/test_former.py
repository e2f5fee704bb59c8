"""The session before, in a session's ranking: its figures as readers see them now, or none if it is not shown."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from clubs.models import Person, Player, Visibility
from clubs.players import raise_names_version
from rankings.publication.publishing import SESSIONS, switch_parts
from rankings.publication.report import read_report
from tests import shared_evenings
from tests.factories import publish
from tests.pages.public.test_pages import address
from tests.pages.reading import read, words
from tests.rankings.events.several import published_sessions
from tournaments.models import Publication, Session
from tournaments.published import Shows
from tournaments.versions import DirectorWord
from tournaments.words.figures import percent

pytestmark = pytest.mark.django_db


director = shared_evenings.director_of_a_new_tournament


@pytest.fixture
def sessions(director):
    tournament = director.memberships.get().club.tournaments.get()
    return published_sessions(tournament, by=director)


@pytest.fixture
def reader():
    return Client(headers={"accept-language": "en"})


def column(reader, session):
    """Return each player's percentage in the session before, or nothing if there is no such column."""
    rows = read(reader.get(address("ranking", session))).rows
    if not rows[0][-1].startswith("Session"):
        return {}
    return {row[2].split(" att. ")[0]: row[-1].split("\xa0")[-1].split()[-1] for row in rows[1:]}


def figures_of(session):
    report = read_report(session.publications.latest("version").data)
    with translation.override("en"):
        return {player.name: percent(player.overall) for player in report.players}


def test_each_has_what_the_session_before_gave_him_and_the_first_has_none(reader, sessions):
    first, second = sessions
    page = words(reader.get(address("ranking", second)))
    assert "Session 1: the global percentage of 20 November 2026; ▲ better now, ▼ worse." in page
    assert column(reader, second) == figures_of(first)
    assert column(reader, first) == {}


def test_it_is_sorted_by(reader, sessions):
    rows = read(reader.get(address("ranking", sessions[1]), {"sort": "-former"})).rows[1:]
    figures = [float(row[-1].split()[-1].rstrip("%")) for row in rows]
    assert figures == sorted(figures, reverse=True)


@pytest.mark.nightly("story")
def test_it_is_gone_with_the_session_before_and_follows_its_newest_version(reader, sessions, director):
    first, second = sessions
    url, word = address("ranking", second), DirectorWord(director, timezone.now(), "relu")
    had = reader.get(url)["ETag"]
    switch_parts(session_id=first.pk, shows=Shows(ranking=False), word=word)
    hidden = reader.get(url, headers={"if-none-match": had})
    assert hidden.status_code == 200
    assert column(reader, second) == {}
    switch_parts(session_id=first.pk, shows=Shows(), word=word)
    assert column(reader, second)
    SESSIONS.withdraw(first.pk, word=word)
    assert column(reader, second) == {}
    assert reader.get(url, headers={"if-none-match": had}).status_code == 200
    publish(first, by=director)
    assert column(reader, second)
    Session.objects.filter(pk=first.pk).update(put_away_at=timezone.now())
    assert column(reader, second) == {}


def test_old_version_of_the_session_before_is_not_what_is_told(reader, sessions):
    first, second = sessions
    old = Publication.objects.get(session=first)
    Publication.objects.filter(pk=old.pk).update(version=2)
    old.pk, old.version, old.digest = None, 1, "0" * 64
    for player in old.data["players"]:
        player["overall"] = "99"
    old.save(force_insert=True)
    assert "99.0%" not in column(reader, second).values()
    assert column(reader, second)


@pytest.mark.parametrize(("shown", "name"), [(Visibility.HIDDEN, "Hidden player"), (Visibility.INITIALS, "Z. N.")])
def test_who_is_not_named_is_not_led_from_one_evening_to_the_other(reader, sessions, shown, name):
    player = sessions[0].entrants.first().player
    Person.objects.filter(pk=player.person_id).update(shown=shown)
    raise_names_version(player.club_id)
    assert column(reader, sessions[1])[name] == "–"
    assert f'data-player="{player.pk}"' not in reader.get(address("ranking", sessions[1])).content.decode()


def test_who_was_two_players_then_and_is_one_now_has_his_own(reader, sessions):
    first, second = sessions
    player = first.entrants.first().player
    other = Player.objects.create(club=player.club, person=player.person, last_name="Autrefois", merged_into=player)
    publication = Publication.objects.get(session=first)
    for row in publication.data["players"]:
        row["player"] = other.pk if row["player"] == player.pk else row["player"]
    publication.save()
    assert column(reader, second)[player.name] != "–"


def test_it_costs_two_questions_however_many_were_there(reader, sessions):
    def asked(session):
        with CaptureQueriesContext(connection) as queries:
            assert reader.get(address("ranking", session)).status_code == 200
        return len(queries)

    first, second = sessions
    assert asked(second) == asked(first) + 2
    publication = Publication.objects.get(session=first)
    publication.data["players"] = publication.data["players"] * 15
    publication.save()
    raise_names_version(first.tournament.club_id)
    assert asked(second) == asked(first) + 2 <= 12
