"""The pictures of a podium: made once, the same for all readers, with what everybody may see now."""

import struct

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.house import change_settings
from clubs.models import Visibility
from clubs.shown import Way, choose_shown
from evenings.plays.entering import annul_play
from pages.doors import session_url
from pages.public import all_kinds
from rankings.events.publishing import TOURNAMENTS
from rankings.publication.publishing import SESSIONS, switch_parts
from tests import shared_evenings
from tests.factories import play_and_publish, publish, started_session
from tests.pages.browsing import browser_of
from tournaments.models import Publication
from tournaments.published import Shows
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db


session = shared_evenings.published_with_no_page_cached


@pytest.fixture
def drawn(monkeypatch):
    """Return the list to which each drawn picture is added: (heading, steps, language)."""
    found = []
    really = all_kinds.draw_podium

    def draw(heading, steps, *, language):
        found.append((heading, steps, language))
        return really(heading, steps, language=language)

    monkeypatch.setattr(all_kinds, "draw_podium", draw)
    return found


def picture_of(session, version=1):
    return session_url("podium", session, version)


def size_of(png):
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", png[16:24])


def first_player(session):
    row = min(Publication.objects.filter(session=session).last().data["players"], key=lambda row: row["rank_alterne"])
    return session.tournament.club.players.get(pk=row["player"])


def test_picture_says_what_the_ranking_says_and_has_the_size_that_networks_show(session, drawn):
    answer = Client().get(picture_of(session))
    assert (answer.status_code, answer["Content-Type"], size_of(answer.content)) == (200, "image/png", (1200, 630))
    [(heading, steps, language)] = drawn
    assert (heading.club, heading.tournament) == (session.tournament.club.name, session.tournament.name)
    assert heading.occasion.startswith(f"Classement de la séance {session.number} · ")
    assert (heading.state, heading.official, language) == ("Provisoire", False, "fr")
    assert steps[0].name == first_player(session).name
    assert steps[0].figure.endswith("\N{NO-BREAK SPACE}%")
    assert [step.rank for step in steps] == sorted(step.rank for step in steps)


def test_all_readers_are_given_the_one_that_was_made_first(session, director, drawn):
    readers = [Client(headers={"accept-language": code}) for code in ("fr", "en")] + [browser_of(director)]
    answers = [reader.get(picture_of(session)) for reader in readers for _time in range(2)]
    assert len(drawn) == 1
    assert len({answer.content for answer in answers}) == len({answer["ETag"] for answer in answers}) == 1
    known = Client().get(picture_of(session), headers={"if-none-match": answers[0]["ETag"]})
    assert (known.status_code, known.content, len(drawn)) == (304, b"", 1)
    assert not any(answer.cookies for answer in answers)


def test_language_is_that_of_the_club(session, director, drawn):
    Client().get(picture_of(session))
    change_settings(session.tournament.club, {"language": "en"}, now=timezone.now(), by=director)
    Client(headers={"accept-language": "fr"}).get(picture_of(session))
    (heading, steps, language) = drawn[-1]
    assert (len(drawn), language, heading.state) == (2, "en", "Provisional")
    assert heading.occasion.startswith(f"Ranking of session {session.number} · ")
    assert steps[0].figure.endswith("%")
    assert "," not in steps[0].figure


def test_who_is_hidden_is_so_at_once_in_old_versions_too(session, director, drawn):
    who = first_player(session)
    before = Client().get(picture_of(session)).content
    now = timezone.now()
    choose_shown(player=who, shown=Visibility.HIDDEN, way=Way.DIRECTOR, by=director, now=now)
    after = Client().get(picture_of(session)).content
    assert after != before
    assert [steps[0].name for _, steps, _ in drawn] == [who.name, "Joueur masqué"]


@pytest.mark.nightly("print")
def test_corrected_ranking_has_another_picture_and_the_old_says_it_is_replaced(session, director, drawn):
    url = picture_of(session)
    before = Client().get(url)
    annul_play(play_id=session.plays.first().pk, by=director, now=timezone.now(), reason="étui faussé")
    publish(session, by=director)
    assert Client().get(url)["ETag"] != before["ETag"]
    Client().get(picture_of(session, 2))
    assert [(heading.state, heading.official) for heading, _, _ in drawn] == [
        ("Provisoire", False),
        ("Version 1, remplacée depuis", False),
        ("Provisoire", False),
    ]


@pytest.mark.parametrize(("sharing", "named"), [(1, 3), (2, 3), (6, 6), (7, 0)])
def test_equals_stand_there_together_and_none_where_very_many_are_equal(session, drawn, sharing, named):
    publication = session.publications.get()
    players = sorted(publication.data["players"], key=lambda row: row["rank_alterne"])
    for place, row in enumerate(players, 1):
        row["rank_alterne"] = 1 if place <= sharing else place
    publication.data["players"] = players
    publication.save(update_fields=["data"])
    Client().get(picture_of(session))
    [(_, steps, _)] = drawn
    assert [step.rank for step in steps] == [str(1 if place <= sharing else place) for place in range(1, named + 1)]


def test_official_ranking_says_so(session, director, drawn):
    SESSIONS.make_official(session.pk, word=DirectorWord(director, timezone.now()))
    Client().get(picture_of(session, 2))
    assert [(heading.state, heading.official) for heading, _, _ in drawn] == [("Officiel", True)]


@pytest.mark.nightly("print")
def test_no_picture_of_what_is_taken_back_switched_off_practised_or_not_published(session, director, drawn):
    assert Client().get(picture_of(session)).status_code == 200
    switch_parts(session_id=session.pk, shows=Shows(ranking=False), word=DirectorWord(director, timezone.now()))
    assert Client().get(picture_of(session)).status_code == 404
    switch_parts(session_id=session.pk, shows=Shows(), word=DirectorWord(director, timezone.now()))
    assert Client().get(picture_of(session)).status_code == 200
    SESSIONS.withdraw(session.pk, word=DirectorWord(director, timezone.now(), "erreur"))
    assert browser_of(director).get(picture_of(session)).status_code == 404
    assert Client().get(picture_of(session, 9)).status_code == 404
    running = started_session(session.tournament)
    assert browser_of(director).get(picture_of(running)).status_code == 404
    assert len(drawn) == 1


@pytest.mark.nightly("print")
def test_tournament_has_its_picture_until_a_session_of_it_is_not_seen_any_more(session, director, drawn):
    tournament = session.tournament
    other = play_and_publish(tournament, director)
    now = timezone.now()
    TOURNAMENTS.publish(tournament.pk, DirectorWord(director, now))
    url = reverse("tournament_podium", args=[tournament.club.slug, tournament.slug, 1])
    assert size_of(Client().get(url).content) == (1200, 630)
    [(heading, steps, _)] = drawn
    assert heading.occasion.startswith("Classement du tournoi après 2 séances · ")
    assert steps[0].rank == "1"
    switch_parts(session_id=other.pk, shows=Shows(ranking=False), word=DirectorWord(director, now))
    assert Client().get(url).status_code == 404
    switch_parts(session_id=other.pk, shows=Shows(), word=DirectorWord(director, now))
    assert Client().get(url).status_code == 200
    TOURNAMENTS.withdraw(tournament.pk, word=DirectorWord(director, now, "erreur"))
    assert Client().get(url).status_code == 404


def test_pages_of_a_publication_offer_its_picture_and_no_other_page_does(session, director):
    def offered(url):
        return f'<meta property="og:image" content="http://testserver{picture_of(session)}">' in (
            Client().get(url).content.decode()
        )

    pages = [session_url("ranking", session), session_url("published_etuis", session, 1)]
    assert [offered(url) for url in pages] == [True, True]
    assert not offered(session_url("session", session))
    switch_parts(session_id=session.pk, shows=Shows(ranking=False), word=DirectorWord(director, timezone.now()))
    assert [offered(url) for url in pages] == [False, False]
