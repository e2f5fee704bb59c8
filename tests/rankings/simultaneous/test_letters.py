"""The letters about a simultaneous: each account that wants them gets its own place, once all clubs have finished."""

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubs.models import Player
from clubs.shown import Way, choose_shown
from evenings.plays.ruling import annul_etui
from jobs import tasks
from outgoing.mailing.feuilles import TRIED_FOR
from outgoing.mailing.places import FIELD_KIND, find_places_to_tell, send_place_letters
from outgoing.mailing.wishes import want_feuilles
from rankings.simultaneous.field.publishing import FIELDS
from rankings.simultaneous.setup import put_simultaneous_away
from tests.factories import make_user
from tests.outgoing.mailing import conftest
from tests.rankings.simultaneous.national_day import word
from tournaments.models import SentFieldLetter, Session
from tournaments.queue import FIELD_LETTERS

pytestmark = pytest.mark.django_db
short_rounds = conftest.short_rounds


@pytest.fixture(autouse=True)
def mail_server(settings):
    settings.MAIL, settings.SITE_URL = True, "https://tarot.example.org"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


@pytest.fixture
def simultaneous(played):
    """Return a simultaneous that all its clubs have finished."""
    simultaneous, sessions = played
    Session.objects.filter(pk__in=[each.pk for each in sessions]).update(closed_at=timezone.now())
    return simultaneous


@pytest.fixture
def reader(played):
    """Return a player of the first club whose account wants letters."""
    player = played[1][0].entrants.earliest("pk").player
    return give_account(player)


def give_account(player):
    user = make_user(f"compte{player.pk}")
    EmailAddress.objects.create(user=user, email=f"{user.username}@example.org", verified=True, primary=True)
    Player.objects.filter(pk=player.pk).update(account=user)
    assert want_feuilles(user, now=timezone.now())
    return player


def publish(simultaneous, director, reason=""):
    return FIELDS.publish(simultaneous.pk, word(director, reason))


def send(simultaneous, now=None):
    return send_place_letters(FIELD_KIND, simultaneous.pk, now=now or timezone.now())


@pytest.mark.nightly("story")
def test_subscriber_gets_the_own_place_once_for_each_version_with_new_figures(simultaneous, reader, director, played):
    assert send(simultaneous) == 0
    version = publish(simultaneous, director)
    assert [send(simultaneous), send(simultaneous)] == [1, 0]
    (letter,) = mail.outbox
    (row,) = (each for each in version.data["players"] if each["player"] == reader.pk)
    lines = letter.body.splitlines()
    assert reader.last_name in lines[0]
    assert f"Rang\N{NO-BREAK SPACE}{row['rank_alterne']} " in lines[0]
    assert "Hiver0" in lines[0]
    assert letter.body.count("Rang\N{NO-BREAK SPACE}") == 1
    assert "https://tarot.example.org/clubs/federation/simultaneous/hiver/ranking/" in letter.body
    FIELDS.make_official(simultaneous.pk, word(director))
    assert send(simultaneous) == 0  # the same figures, now official
    annul_etui(session_id=played[1][0].pk, etui=1, reason="x", by=director, now=timezone.now())
    publish(simultaneous, director, "étui 1")
    assert [send(simultaneous), send(simultaneous)] == [1, 0]
    assert SentFieldLetter.objects.count() == 2


@pytest.mark.nightly("crawl")
def test_letter_before_the_public_hour_has_no_hidden_name_and_no_deal(simultaneous, reader, director, played):
    others = [each.player for session in played[1] for each in session.entrants.all() if each.player_id != reader.pk]
    for player in others:
        choose_shown(player=player, shown="hidden", way=Way.DIRECTOR, by=director, now=timezone.now())
    assert simultaneous.public_at > timezone.now()
    publish(simultaneous, director)
    assert send(simultaneous) == 1
    (letter,) = mail.outbox
    assert reader.last_name in letter.body
    told = letter.body + letter.subject
    named = {player.last_name for player in others} - {reader.last_name}
    assert not [name for name in named if name in told]
    assert "tui " not in told.replace("étuis", "")


def test_letter_to_a_hidden_player_does_not_name_them(simultaneous, reader, director):
    choose_shown(player=reader, shown="hidden", way=Way.DIRECTOR, by=director, now=timezone.now())
    publish(simultaneous, director)
    assert send(simultaneous) == 1
    assert reader.last_name not in mail.outbox[0].body


def test_nothing_is_sent_while_a_club_still_plays(played, reader, director):
    simultaneous, sessions = played
    publish(simultaneous, director)
    assert send(simultaneous) == 0
    Session.objects.filter(pk__in=[each.pk for each in sessions]).update(closed_at=timezone.now())
    publish(simultaneous, director)
    assert send(simultaneous) == 1


def test_old_withdrawn_and_put_away_rankings_send_nothing(simultaneous, reader, director):
    publish(simultaneous, director)
    assert send(simultaneous, timezone.now() + 2 * TRIED_FOR) == 0
    FIELDS.withdraw(simultaneous.pk, word(director, "erreur"))
    assert send(simultaneous) == 0
    publish(simultaneous, director, "corrigé")
    put_simultaneous_away(simultaneous_id=simultaneous.pk, by=director, now=timezone.now())
    assert send(simultaneous) == 0
    assert mail.outbox == []


def test_one_click_ends_the_letters(simultaneous, reader, director):
    publish(simultaneous, director)
    send(simultaneous)
    (letter,) = mail.outbox
    end = letter.extra_headers["List-Unsubscribe"].strip("<>")
    assert Client().post(end.removeprefix("https://tarot.example.org")).status_code == 200
    SentFieldLetter.objects.all().delete()
    assert send(simultaneous) == 0


def test_sweep_sends_them_and_asks_only_of_recent_versions(simultaneous, reader, director, settings):
    assert find_places_to_tell(FIELD_KIND, timezone.now()) == []
    publish(simultaneous, director)
    assert find_places_to_tell(FIELD_KIND, timezone.now()) == [simultaneous.pk]
    assert find_places_to_tell(FIELD_KIND, timezone.now() + 2 * TRIED_FOR) == []
    tasks.mail_field(simultaneous.pk)
    assert len(mail.outbox) == 1
    settings.MAIL = False
    assert find_places_to_tell(FIELD_KIND, timezone.now()) == []


@pytest.mark.nightly("crawl")
def test_each_letter_more_costs_two_queries(simultaneous, reader, director, played):
    publish(simultaneous, director)
    with CaptureQueriesContext(connection) as one:
        assert send(simultaneous) == 1
    SentFieldLetter.objects.all().delete()
    for entrant in played[1][1].entrants.order_by("pk")[:4]:
        give_account(entrant.player)
    simultaneous.publications.update(published_at=timezone.now())
    with CaptureQueriesContext(connection) as five:
        assert send(simultaneous) == 5
    assert len(five) - len(one) == 4 * 2  # whether the letter was sent already, and the row that says so


def test_slow_server_gets_the_letters_in_rounds_of_some_seconds(simultaneous, played, director, short_rounds):
    for player in [entrant.player for entrant in played[1][0].entrants.order_by("pk")[:2]]:
        give_account(player)
    publish(simultaneous, director)
    assert [send(simultaneous) for _round in range(3)] == [1, 1, 0]
    assert len({letter.to[0] for letter in mail.outbox}) == 2
    assert short_rounds == [(simultaneous.pk, FIELD_LETTERS)] * 2
