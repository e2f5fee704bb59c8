"""The letters and calendars of members of quadrettes: the feuille by mail in match points, and a team's sessions."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from evenings.requests.links import ensure_member_links
from outgoing.mailing.feuilles import send_feuilles
from outgoing.mailing.wishes import want_feuilles
from tests.evenings.teams.playing import play_all
from tests.evenings.teams.test_quadrettes import find_member, line_up, make_quadrettes, prepare, start
from tests.factories import make_director, make_user, publish
from tests.pages.browsing import browser_of

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("story")]


@pytest.mark.parametrize(("place", "did"), [(3, "vous attaquez"), (1, "vous défendez")])
def test_member_gets_the_own_part_alone_in_match_points(settings, place, did):
    settings.MAIL, settings.SITE_URL = True, "https://tarot.example.org"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    session = prepare(make_quadrettes(4), positions=3)
    line_up(session, 2, "3124")
    session = start(session)
    by, user, member = make_director(session.tournament.club), make_user("eloise"), find_member(2, place)
    EmailAddress.objects.create(user=user, email="eloise@example.org", verified=True, primary=True)
    member.player.account = user
    member.player.save()
    assert want_feuilles(user, now=timezone.now())
    play_all(session, by=by)
    publish(session, by=by)
    session.publications.update(published_at=timezone.now())
    assert send_feuilles(session.pk, now=timezone.now()) == 1
    (letter,) = mail.outbox
    text = letter.body.replace("\N{NO-BREAK SPACE}", " ")
    assert f"{member.player.name} (Les Bouts)" in text
    assert text.count("Étui ") == text.count(did) == 3 * 4
    assert " PM" in text
    assert "%" not in text


def test_calendar_of_a_member_has_the_sessions_of_the_team_alone():
    tournament = make_quadrettes(4)
    first = start(prepare(tournament, positions=3))
    prepare(tournament, positions=3)
    link = ensure_member_links(first, now=timezone.now())[find_member(2, 3).pk]
    page = browser_of().post(reverse("personal_calendar", args=[link.token]), {"do": "make"}, follow=True)
    address = re.search(r"/calendar/mine/[\w-]+\.ics", page.content.decode())
    assert address
    assert browser_of().get(address[0]).content.decode().count("BEGIN:VEVENT") == 2
