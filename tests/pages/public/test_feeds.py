"""The feed of published rankings: one entry for each ranking, which comes again with each version."""

import datetime as dt
from xml.etree import ElementTree

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.house import change_settings
from clubs.models import Visibility
from clubs.shown import Way, choose_shown
from evenings.plays.entering import annul_play
from evenings.practice import make_practice
from evenings.sessions.put_away import put_session_away
from pages.doors import session_url
from pages.public import feeds
from rankings.events.publishing import TOURNAMENTS
from rankings.publication.publishing import SESSIONS, switch_parts
from tests import shared_evenings
from tests.factories import make_club, make_director, make_tournament, play_and_publish
from tournaments.models import Publication
from tournaments.published import Shows
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db
SPACE = "{http://www.w3.org/2005/Atom}"
SITE = "http://testserver"


director = shared_evenings.director_of_club


@pytest.fixture
def session(club, director):
    caches["pages"].clear()
    return play_and_publish(make_tournament(club), director)


def read(url="", language="en"):
    """Return the entries of a feed, each with its id, title, summary, and moments of publication and update."""
    answer = Client(headers={"accept-language": language}).get(url or reverse("feed"))
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("application/atom+xml")
    root = ElementTree.fromstring(answer.content)
    names = ("id", "title", "summary", "published", "updated")
    return [{name: entry.find(f"{SPACE}{name}").text for name in names} for entry in root.iter(f"{SPACE}entry")]


def first_player(session):
    row = min(Publication.objects.filter(session=session).last().data["players"], key=lambda row: row["rank_alterne"])
    return session.tournament.club.players.get(pk=row["player"])


def word(director, reason=""):
    return DirectorWord(director, timezone.now(), reason)


def of_club(session):
    return reverse("club_feed", args=[session.tournament.club.slug])


def of_tournament(session):
    return reverse("tournament_feed", args=[session.tournament.club.slug, session.tournament.slug])


@pytest.mark.nightly("story")
def test_published_ranking_is_told_of_in_all_three_with_who_came_first(session):
    for url in (reverse("feed"), of_club(session), of_tournament(session)):
        [entry] = read(url)
        assert entry["id"] == f"{SITE}{session_url('ranking', session)}"
        assert entry["title"].startswith(f"{session.tournament.name}, session {session.number}, ")
        assert entry["summary"].startswith("Provisional ranking, version 1. 1. ")
        assert first_player(session).name in entry["summary"]
        assert entry["published"] == entry["updated"]
    assert read(language="fr")[0]["summary"].startswith("Classement provisoire, version 1. 1. ")


@pytest.mark.nightly("story")
def test_signs_that_no_xml_may_hold_end_no_feed(session, director):
    type(session.tournament).objects.filter(pk=session.tournament_id).update(name="Jeudi\x0b\ufffe 1")
    SESSIONS.withdraw(session.pk, word=word(director, "collé\x0bd’ailleurs\x01"))
    for url in (reverse("feed"), of_club(session), of_tournament(session)):
        [entry] = read(url)
        assert "Jeudi   1" in entry["title"]
        assert "collé d’ailleurs" in entry["summary"]


@pytest.mark.nightly("story")
def test_corrected_ranking_keeps_its_id_and_comes_up_again_with_the_reason(session, director):
    other = play_and_publish(session.tournament, director)
    assert [entry["id"].split("/")[-3] for entry in read()] == [str(other.number), str(session.number)]
    before = read()[1]
    SESSIONS.make_official(session.pk, word=word(director))
    assert read()[0]["summary"].startswith("Official ranking, version 2.")
    annul_play(play_id=session.plays.first().pk, by=director, now=timezone.now(), reason="étui faussé")
    SESSIONS.publish(session.pk, DirectorWord(director, timezone.now(), "l’étui 3 était <mêlé> & faux"))
    after = read()[0]
    assert after["id"] == before["id"]
    assert after["published"] == before["published"]
    assert after["updated"] > before["updated"]
    assert after["summary"].startswith("Provisional ranking, version 3: l’étui 3 était &lt;mêlé&gt; &amp; faux.")


def test_ranking_that_is_taken_back_says_so_and_names_nobody(session, director):
    SESSIONS.withdraw(session.pk, word=word(director, "étuis mêlés"))
    [entry] = read()
    assert entry["summary"] == "The ranking has been withdrawn: étuis mêlés."


@pytest.mark.nightly("race")
def test_who_is_hidden_is_so_at_once_and_whoever_has_the_feed_is_given_another(session, director):
    answer = Client().get(reverse("feed"))
    known = {"if-none-match": answer["ETag"], "if-modified-since": answer["Last-Modified"]}
    assert Client().get(reverse("feed"), headers=known).status_code == 304
    who = first_player(session)
    choose_shown(player=who, shown=Visibility.HIDDEN, way=Way.DIRECTOR, by=director, now=timezone.now())
    again = Client().get(reverse("feed"), headers=known)
    alone = Client().get(reverse("feed"), headers={"if-modified-since": answer["Last-Modified"]})
    for answer in (again, alone):
        assert answer.status_code == 200
        assert who.last_name not in answer.content.decode()


@pytest.mark.nightly("story")
@pytest.mark.parametrize("changed", ["the evening", "the tournament", "the club"])
def test_whoever_has_the_feed_is_given_what_has_another_date_or_name_since(session, changed):
    reader = Client(headers={"accept-language": "en"})
    known = {"if-none-match": reader.get(reverse("feed"))["ETag"]}
    assert reader.get(reverse("feed"), headers=known).status_code == 304
    if changed == "the evening":
        type(session).objects.filter(pk=session.pk).update(date=dt.date(2031, 5, 9))
    else:
        row = session.tournament if changed == "the tournament" else session.tournament.club
        type(row).objects.filter(pk=row.pk).update(name="9 May 2031")
    answer = reader.get(reverse("feed"), headers=known)
    assert answer.status_code == 200
    assert "9 May 2031" in answer.content.decode()


@pytest.mark.nightly("story")
def test_nothing_that_readers_may_not_see_is_told_of(session, director):
    club = session.tournament.club
    make_practice(club=club, by=director, now=timezone.now())
    assert len(read()) == 1
    switch_parts(session_id=session.pk, shows=Shows(ranking=False), word=word(director))
    assert read() == read(of_club(session)) == read(of_tournament(session)) == []
    switch_parts(session_id=session.pk, shows=Shows(), word=word(director))
    change_settings(club, {"listed": False}, now=timezone.now(), by=director)
    assert (read(), len(read(of_club(session)))) == ([], 1)
    change_settings(club, {"listed": True}, now=timezone.now(), by=director)
    put_session_away(session_id=session.pk, by=director, now=timezone.now())
    assert read() == read(of_club(session)) == []
    apart = club.practice
    assert Client().get(reverse("club_feed", args=[apart.slug])).status_code == 404


@pytest.mark.nightly("story")
def test_ranking_of_a_tournament_is_told_of_unless_it_counts_what_is_not_seen(session, director):
    TOURNAMENTS.publish(play_and_publish(session.tournament, director).tournament_id, word(director))
    place = [session.tournament.club.slug, session.tournament.slug]
    first = read(of_tournament(session))[0]
    assert first["id"] == SITE + reverse("tournament_ranking", args=place)
    assert first["title"] == f"{session.tournament.name}, tournament ranking"
    assert " 1. " in first["summary"]
    SESSIONS.withdraw(session.pk, word=word(director, "erreur"))
    assert first["id"] not in [entry["id"] for entry in read(of_tournament(session))]


@pytest.mark.nightly("story")
def test_feed_has_the_newest_thirty_by_as_many_questions_as_for_one(
    session, director, monkeypatch, django_assert_max_num_queries
):
    monkeypatch.setattr(feeds, "NEWEST", 3)
    for number in range(4):
        club = make_club(f"club-{number}")
        play_and_publish(make_tournament(club), make_director(club, f"directrice-{number}"))
    caches["pages"].clear()
    with django_assert_max_num_queries(9):
        newest = read()
    assert [entry["id"].split("/")[4] for entry in newest] == ["club-3", "club-2", "club-1"]
    etag = Client().get(reverse("feed"))["ETag"]
    with django_assert_max_num_queries(4):
        assert Client().get(reverse("feed"), headers={"if-none-match": etag}).status_code == 304


@pytest.mark.nightly("story")
def test_feed_is_built_once_for_all_readers(session, monkeypatch):
    built = []
    really = feeds.read_all_podiums
    monkeypatch.setattr(feeds, "read_all_podiums", lambda news: built.append(len(news)) or really(news))
    answers = [Client().get(reverse("feed")) for _time in range(3)]
    assert built == [1]
    assert len({answer.content for answer in answers}) == 1


@pytest.mark.nightly("story")
def test_pages_lead_to_the_feed_of_what_they_are_about(session):
    club = session.tournament.club
    for url, feed in (
        (reverse("home"), reverse("feed")),
        (reverse("club", args=[club.slug]), of_club(session)),
        (reverse("tournament", args=[club.slug, session.tournament.slug]), of_tournament(session)),
        (session_url("ranking", session), of_tournament(session)),
    ):
        page = Client().get(url).content.decode()
        assert 'type="application/atom+xml"' in page
        assert f'href="{SITE}{feed}"' in page


def test_club_without_any_ranking_has_a_feed_all_the_same(club):
    assert read(reverse("club_feed", args=[club.slug])) == []
