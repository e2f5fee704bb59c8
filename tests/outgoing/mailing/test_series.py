"""The letters about championships: each account that wants them gets its own place, once for each version."""

import datetime as dt
import smtplib

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubs.models import Player
from jobs import tasks
from outgoing.mailing.feuilles import TRIED_FOR
from outgoing.mailing.places import SERIES_KIND, find_places_to_tell, key_of_told, send_place_letters
from outgoing.mailing.wishes import want_feuilles
from rankings.series.membership import agree_to_series, ask_club
from rankings.series.publishing import SERIES_OF_CLUBS
from tests.factories import make_club, make_director, make_user
from tests.rankings.series.seasons import FIRST, hold, make_series, name_players, publish_rows, thursdays
from tournaments.models import SentSeriesLetter, Session
from tournaments.queue import SERIES_LETTERS
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def mail_server(settings):
    settings.MAIL, settings.SITE_URL = True, "https://tarot.example.org"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


class Season:
    """A club with a series of one evening, and an account for Ada, who wants letters."""

    def __init__(self):
        self.club = make_club()
        self.director = make_director(self.club)
        self.people = name_players(self.club, "Ada", "Bob", "Cyr")
        self.session = hold(thursdays(self.club), FIRST, dict(zip(self.people, (60, 50, 40), strict=True)))
        self.series = make_series(self.club, self.director)
        self.ada = self.give_account(self.people[0])

    def give_account(self, player, *, wants=True):
        user = make_user(player.last_name.lower())
        address = f"{player.last_name.lower()}@example.org"
        EmailAddress.objects.create(user=user, email=address, verified=True, primary=True)
        Player.objects.filter(pk=player.pk).update(account=user)
        assert not wants or want_feuilles(user, now=timezone.now())
        return user

    def publish(self, reason=""):
        SERIES_OF_CLUBS.publish(self.series.pk, DirectorWord(self.director, timezone.now(), reason))

    def send(self, now=None):
        return send_place_letters(SERIES_KIND, self.series.pk, now=now or timezone.now())


@pytest.fixture
def season():
    return Season()


@pytest.mark.nightly("story")
def test_subscriber_gets_the_own_place_once_for_each_version_with_new_figures(season):
    season.give_account(season.people[1], wants=False)
    assert season.send() == 0
    season.publish()
    assert [season.send(), season.send()] == [1, 0]
    (letter,) = mail.outbox
    assert letter.to == ["ada@example.org"]
    assert "Challenge d’été" in letter.subject
    assert "Ada" in letter.body
    assert "Bob" not in letter.body
    assert "60" in letter.body
    assert f"https://tarot.example.org/clubs/{season.club.slug}/series/{season.series.slug}/" in letter.body
    SERIES_OF_CLUBS.make_official(season.series.pk, DirectorWord(season.director, timezone.now()))
    assert season.send() == 0  # the same figures, now official
    publish_rows(season.session, dict(zip(season.people, (61, 50, 40), strict=True)))
    season.publish("correction")
    assert [season.send(), season.send()] == [1, 0]
    assert SentSeriesLetter.objects.count() == 2


@pytest.mark.nightly("story")
def test_ranking_that_goes_back_to_earlier_figures_is_sent(season):
    sent = []
    for figure in (60, 61, 60):
        publish_rows(season.session, dict(zip(season.people, (figure, 50, 40), strict=True)))
        season.publish("correction")
        sent += [season.send(), season.send()]
    assert sent == [1, 0] * 3
    assert "60" in mail.outbox[2].body


@pytest.mark.nightly("story")
def test_number_of_events_is_in_the_singular_and_in_the_plural(season):
    season.publish()
    season.send()
    assert "1 épreuve sur 1" in mail.outbox[0].body
    hold(thursdays(season.club), FIRST + dt.timedelta(days=7), dict(zip(season.people, (60, 50, 40), strict=True)))
    season.publish("suite")
    season.send()
    assert "2 épreuves sur 2" in mail.outbox[1].body


@pytest.mark.parametrize(
    "error", [smtplib.SMTPDataError(554, b"no"), smtplib.SMTPDataError(451, b"later")], ids=["for_ever", "for_now"]
)
def test_letter_that_is_refused_keeps_nobody_elses_back(season, monkeypatch, error):
    season.give_account(season.people[1])
    season.publish()
    really = EmailMessage.send

    def refuse_ada(letter, **told):
        if letter.to == ["ada@example.org"]:
            raise error
        return really(letter, **told)

    monkeypatch.setattr(EmailMessage, "send", refuse_ada)
    assert season.send() == 1
    assert mail.outbox[0].to == ["bob@example.org"]


def test_one_click_ends_the_letters(season):
    season.publish()
    season.send()
    (letter,) = mail.outbox
    end = letter.extra_headers["List-Unsubscribe"].strip("<>")
    assert letter.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert Client().post(end.removeprefix("https://tarot.example.org")).status_code == 200
    publish_rows(season.session, dict(zip(season.people, (61, 50, 40), strict=True)))
    season.publish()
    assert season.send() == 0


def test_withdrawn_old_hidden_and_held_rankings_send_nothing(season):
    season.publish()
    assert season.send(timezone.now() + TRIED_FOR + dt.timedelta(minutes=1)) == 0
    Session.objects.update(shows_ranking=False)
    assert season.send() == 0
    Session.objects.update(shows_ranking=True)
    type(season.series).objects.update(put_away_at=timezone.now())
    assert season.send() == 0
    type(season.series).objects.update(put_away_at=None)
    SERIES_OF_CLUBS.withdraw(season.series.pk, DirectorWord(season.director, timezone.now(), "erreur"))
    assert season.send() == 0
    assert mail.outbox == []


def test_wish_of_later_and_a_site_without_mail_send_nothing(season, settings):
    season.publish()
    settings.MAIL = False
    assert season.send() == 0
    assert find_places_to_tell(SERIES_KIND, timezone.now()) == []
    settings.MAIL = True
    season.ada.feuille_mail.asked_at = timezone.now()
    season.ada.feuille_mail.save()
    assert season.send() == 0


def test_player_of_another_club_who_is_merged_gets_the_letter(season):
    bob, cyr = season.people[1:]
    user = season.give_account(cyr)
    Player.objects.filter(pk=bob.pk).update(merged_into=cyr)
    season.publish()
    assert season.send() == 2
    assert user.sent_series_letters.count() == 1


def test_letter_that_fails_is_sent_by_the_next_sweep_and_a_refused_one_is_not(season, monkeypatch):
    season.publish()
    errors = [smtplib.SMTPServerDisconnected("away"), smtplib.SMTPRecipientsRefused({})]
    send = EmailMessage.send

    def fail(letter, **_told):
        if errors:
            raise errors.pop(0)
        return send(letter)

    monkeypatch.setattr(EmailMessage, "send", fail)
    assert season.send() == 0
    assert not SentSeriesLetter.objects.exists()
    assert season.send() == 0
    assert SentSeriesLetter.objects.count() == 1
    assert season.send() == 0


def test_sweep_sends_them_and_asks_only_of_recent_versions(season):
    assert find_places_to_tell(SERIES_KIND, timezone.now()) == []
    season.publish()
    assert find_places_to_tell(SERIES_KIND, timezone.now()) == [season.series.pk]
    assert find_places_to_tell(SERIES_KIND, timezone.now() + 2 * TRIED_FOR) == []
    tasks.mail_series(season.series.pk)
    assert len(mail.outbox) == 1


def test_sweep_queues_a_version_no_more_once_all_its_letters_are_sent(season, monkeypatch):
    season.publish()
    errors = [smtplib.SMTPServerDisconnected("away")]
    send = EmailMessage.send

    def fail(letter, **_told):
        if errors:
            raise errors.pop(0)
        return send(letter)

    monkeypatch.setattr(EmailMessage, "send", fail)
    assert season.send() == 0
    assert find_places_to_tell(SERIES_KIND, timezone.now()) == [season.series.pk], "a letter is still to be sent"
    assert season.send() == 1
    assert find_places_to_tell(SERIES_KIND, timezone.now()) == []
    publish_rows(season.session, dict(zip(season.people, (61, 50, 40), strict=True)))
    season.publish("correction")
    assert find_places_to_tell(SERIES_KIND, timezone.now()) == [season.series.pk], "a newer version"
    assert season.send() == 1
    assert find_places_to_tell(SERIES_KIND, timezone.now()) == []


def test_sweep_looks_again_after_an_hour_and_asks_no_more_of_a_hidden_ranking(season):
    season.publish()
    Session.objects.update(shows_ranking=False)
    assert season.send() == 0
    assert find_places_to_tell(SERIES_KIND, timezone.now()) == []
    cache.delete(key_of_told(SERIES_KIND, season.series.pk))  # after LOOKED_AGAIN
    assert find_places_to_tell(SERIES_KIND, timezone.now()) == [season.series.pk]


def test_account_of_the_same_person_in_another_club_gets_the_letter(season):
    """Check Bob, whom the ranking shows as the owner's player without an account: the other club's player has one."""
    bob, other = season.people[1], make_club("voisins", "Voisins")
    neighbour = make_director(other, "voisine")
    (twin,) = name_players(other, "Bob")
    user = season.give_account(twin)
    row = ask_club(series_id=season.series.pk, slug=other.slug, by=season.director, now=timezone.now())
    agree_to_series(club=other, row_id=row.pk, by=neighbour, now=timezone.now())
    hold(thursdays(other, "Lundis"), FIRST + dt.timedelta(days=3), {twin: 55})
    Player.objects.filter(pk=twin.pk).update(person=bob.person_id)
    season.publish()
    assert season.send() == 2
    (letter,) = (each for each in mail.outbox if each.to == ["bob@example.org"])
    assert "105" in letter.body  # 50 here and 55 there
    assert letter.body.count("Bob") == 1
    assert user.sent_series_letters.count() == 1


@pytest.mark.nightly("crawl")
def test_letters_cost_the_same_queries_for_many_players(season):
    counts = []
    for number in (1, 30):
        people = [season.people[0], *name_players(season.club, *(f"Nom{each:03}" for each in range(number)))]
        publish_rows(season.session, dict.fromkeys(people, 50 + number), ranks=[1] * len(people))
        season.publish()
        with CaptureQueriesContext(connection) as asked:
            assert season.send() == 1
        counts.append(len(asked))
    assert counts[0] == counts[1] <= 25


def test_account_whose_player_is_not_in_the_ranking_gets_no_letter(db):
    season = Season()
    (dan,) = name_players(season.club, "Dan")
    season.give_account(dan)
    reader = make_user("lectrice")
    EmailAddress.objects.create(user=reader, email="lectrice@example.org", verified=True, primary=True)
    assert want_feuilles(reader, now=timezone.now())
    season.publish()
    assert season.send() == 1
    assert [letter.to for letter in mail.outbox] == [["ada@example.org"]]


def test_slow_server_gets_the_letters_in_rounds_of_some_seconds(season, short_rounds):
    season.give_account(season.people[1])
    season.publish()
    assert season.send() == 1
    assert find_places_to_tell(SERIES_KIND, timezone.now()) == [season.series.pk], "a letter is left"
    assert [season.send(), season.send()] == [1, 0]
    assert short_rounds == [(season.series.pk, SERIES_LETTERS)] * 2
