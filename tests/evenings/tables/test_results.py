"""The published ranking on a table's screen: the results of the players who sit there last, after the evening."""

from fractions import Fraction

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubs.models import Person, Player, Visibility
from clubs.players import raise_names_version
from evenings.plays.common import kept_common
from evenings.sessions.running import close_session, reopen_session
from tests import shared_evenings
from tests.evenings.tables.phones import Phone, tokens_of
from tests.factories import enter, enter_all, make_tournament, publish, started_session
from tournaments.models import CorrectionRequest, Publication, Session
from wording.figures import decimal_text

pytestmark = pytest.mark.django_db


session = shared_evenings.started_with_two_positions


@pytest.fixture
def phone(session):
    phone = Phone(tokens_of(session)[1])
    phone.send("join")
    return phone


def last_seats(session):
    play = session.plays.filter(table__number=1, position=2).select_related().first()
    return play.seats


def set_session(session, **values):
    """Change settings with a new revision, as all code that changes them does."""
    row = Session.objects.get(pk=session.pk)
    Session.objects.filter(pk=session.pk).update(revision=row.revision + 1, **values)


@pytest.mark.nightly("story")
def test_phone_turns_to_the_result_of_each_of_the_four(session, director, phone):
    enter_all(session, by=director)
    assert phone.get().json()["results"] is None
    publication = publish(session, by=director)
    shown = phone.get().json()["results"]
    figures = {player["id"]: player for player in publication.data["players"]}
    address = f"/clubs/club/tournaments/{session.tournament.slug}/{session.number}/ranking/"
    assert (shown["status"], shown["address"]) == ("provisional", address)
    assert shown["players"] == [
        {
            "line": line,
            "name": entrant.name,
            "rank": figures[entrant.pk]["rank_alterne"],
            "percent": decimal_text(Fraction(figures[entrant.pk]["overall"]), 1),
            "address": f"{address}1/players/{entrant.pk}/",
        }
        for line, entrant in last_seats(session).items()
    ]
    for player in shown["players"]:
        assert phone.client.get(player["address"]).status_code == 200


@pytest.mark.nightly("story")
def test_several_sessions_are_ranked_by_all_lines_together(director, session, phone):
    started_session(session.tournament, positions=2)
    enter_all(session, by=director)
    figures = {player["id"]: player for player in publish(session, by=director).data["players"]}
    ranks = [player["rank"] for player in phone.get().json()["results"]["players"]]
    assert ranks == [figures[entrant.pk]["rank_general"] for entrant in last_seats(session).values()]


@pytest.mark.nightly("story")
def test_nothing_is_told_at_a_table_that_still_plays(session, director, phone):
    waiting = session.plays.filter(table__number=1, position=2).first()
    enter_all(session, by=director, plays=session.plays.exclude(pk=waiting.pk))
    publish(session, by=director, allow_missing=True)
    assert phone.get().json()["results"] is None
    assert Phone(tokens_of(session)[2]).get().json()["results"] is not None
    enter(waiting, by=director)
    assert phone.get().json()["results"] is not None
    close_session(session_id=session.pk, by=director, now=timezone.now())
    reopen_session(session_id=session.pk, reason="étui oublié", by=director, now=timezone.now())
    assert phone.get().json()["results"] is not None


@pytest.mark.nightly("story")
def test_what_is_told_follows_the_switches(session, director, phone):
    enter_all(session, by=director)
    publish(session, by=director)
    set_session(session, shows_feuilles=False)
    assert {player["address"] for player in phone.get().json()["results"]["players"]} == {None}
    set_session(session, shows_ranking=False)
    assert phone.get().json()["results"] is None


@pytest.mark.nightly("story")
def test_ranking_that_is_taken_back_is_taken_off_the_phones(session, director, phone):
    enter_all(session, by=director)
    first = publish(session, by=director)
    given = {name: getattr(first, name) for name in ("session", "results_version", "published_by", "data", "digest")}
    Publication.objects.create(
        version=2, status="withdrawn", reason="étui 4 relu", published_at=timezone.now(), **given
    )
    set_session(session)
    assert phone.get().json()["results"] is None
    Publication.objects.create(version=3, status="official", published_at=timezone.now(), **given)
    set_session(session)
    assert phone.get().json()["results"]["status"] == "official"


@pytest.mark.nightly("story")
def test_who_has_the_results_already_costs_no_more_than_before(session, director, phone):
    enter_all(session, by=director)
    publish(session, by=director)
    seen = phone.get().json()["stamp"]
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert phone.get(seen=seen).status_code == 204
    assert len(asked) <= 2
    kept_common.cache_clear()
    with CaptureQueriesContext(connection) as asked:
        phone.get()
    again = len(asked)
    started = started_session(make_tournament(session.tournament.club, name="Autre"), positions=2)
    other = Phone(tokens_of(started)[1])
    other.send("join")
    kept_common.cache_clear()
    with CaptureQueriesContext(connection) as asked:
        other.get()
    assert again <= len(asked) + 1  # one query more, for the corrections that players at the table ask for


NAMES = ["Zélie Hidebehind", "Igor Initials"]


@pytest.fixture
def hidden(session):
    """Return two players of the first table; one is hidden, the other one shown by initials."""
    seats = list(last_seats(session).values())[:2]
    for entrant, name, shown in zip(seats, NAMES, (Visibility.HIDDEN, Visibility.INITIALS), strict=True):
        first, last = name.split()
        Player.objects.filter(pk=entrant.player_id).update(first_name=first, last_name=last)
        Person.objects.filter(pk=entrant.player.person_id).update(shown=shown)
    raise_names_version(session.tournament.club_id)
    return seats


def named_on(phone):
    """Return which of the two players any answer to the phone names."""
    return [name for name in NAMES if name in phone.get().content.decode()]


@pytest.mark.nightly("story")
def test_phones_name_everybody_until_the_evening_is_over(session, director, phone, hidden):
    Session.objects.update(shows_after=Session.ShownAfter.RANKING)
    assert named_on(phone) == NAMES
    enter_all(session, by=director)
    assert named_on(phone) == NAMES
    seen = phone.get().json()["stamp"]
    publish(session, by=director)
    answer = phone.get(seen=seen)
    assert answer.status_code == 200  # a new stamp: a phone that has the names gets the hidden ones in their place
    assert named_on(phone) == []
    assert {player["name"] for player in answer.json()["results"]["players"]} > {"Hidden player", "I. I."}
    assert {seat["name"] for seat in answer.json()["stops"][1]["seats"].values()} > {"Hidden player", "I. I."}


@pytest.mark.nightly("story")
def test_phones_name_everybody_until_the_evening_is_closed(session, director, phone, hidden):
    close_session(session_id=session.pk, by=director, now=timezone.now())
    assert named_on(phone) == []
    reopen_session(session_id=session.pk, reason="étui oublié", by=director, now=timezone.now())
    assert named_on(phone) == NAMES


@pytest.mark.nightly("story")
def test_table_that_plays_on_after_a_publication_keeps_the_names(session, director, phone, hidden):
    set_session(session, position=1)
    waiting = session.plays.filter(table__number=1, position=2).first()
    enter_all(session, by=director, plays=session.plays.exclude(pk=waiting.pk))
    publish(session, by=director, allow_missing=True)
    assert named_on(phone) == NAMES
    assert named_on(Phone(tokens_of(session)[2])) == []
    enter(waiting, by=director)
    assert named_on(phone) == []


@pytest.mark.nightly("story")
def test_who_asks_for_a_correction_is_named_as_in_public(session, director, phone, hidden):
    enter_all(session, by=director)
    publish(session, by=director)
    plays = session.plays.filter(table__number=1, position=2)
    for play, entrant in zip(plays, (hidden[0], last_seats(session)["S"]), strict=False):
        told = {"entrant": entrant, "play": play, "text": "49 points", "asked_at": timezone.now()}
        CorrectionRequest.objects.create(**told)
    asked = phone.get().json()["requests"]
    assert asked[0]["name"] == "Hidden player"
    assert "I. I." in {voice["name"] for each in asked for voice in each["voices"]}
    assert named_on(phone) == []
