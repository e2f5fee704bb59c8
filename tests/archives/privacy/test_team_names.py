"""The name of a team with the family name of a hidden member: readers get the number in every page, file and feed."""

import io
import re
import zipfile

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from clubs.models import Visibility
from clubs.shown import choose_shown
from outgoing.mailing.feuilles import send_feuilles
from outgoing.mailing.wishes import want_feuilles
from pages.doors import session_url
from rankings.events import counting as events
from rankings.events.publishing import TOURNAMENTS
from tests.evenings.teams.playing import play_event
from tests.factories import make_user, publish
from tests.outgoing.paper.test_pdf import flat
from tests.pages.browsing import browser_of
from tournaments.models import Team
from tournaments.versions import DirectorWord

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("story")]
SECRET = "Zwischenfall"
TABLES = [
    f"?table={table}&format={kind}"
    for table in ("ranking", "etuis", "plays", "feuilles")
    for kind in ("csv", "xlsx", "json")
]


@pytest.fixture
def event(settings):
    """Return the published sessions of an event, the director, and the hidden member of "Chez Zwischenfall"."""
    settings.ALLOWED_HOSTS = ["*"]
    tournament, sessions, by = play_event()
    team = Team.objects.get(tournament=tournament, number=2)
    member = team.members.get(place=1).player
    member.last_name = SECRET
    member.save()
    Team.objects.filter(pk=team.pk).update(name=f"Chez {SECRET}")
    for session in sessions:
        publish(session, by=by, allow_missing=True)
    events.refresh(tournament.pk, now=timezone.now())
    TOURNAMENTS.publish(tournament.pk, DirectorWord(by, timezone.now(), ""))
    member.refresh_from_db()
    return sessions, by, member


def list_addresses(session):
    """Return the addresses of everything that readers may load of the session and of its tournament."""
    tournament = session.tournament
    place = [tournament.club.slug, tournament.slug]
    entrant = session.entrants.get(team__number=2)
    for name in ("ranking", "ranking_embedded", "versions", "session", "session_plan", "hall"):
        yield session_url(name, session)
    for name in ("ranking_version", "ranking_pdf", "feuilles_pdf", "published_etuis", "results_csv"):
        yield session_url(name, session, 1)
    yield session_url("feuilles_pdf", session, 1) + "?by=member"
    yield from (session_url("published_file", session, 1) + query for query in TABLES)
    yield session_url("feuille", session, 1, entrant.pk)
    yield session_url("feuille", session, 1, entrant.pk) + "?member=2"
    yield from (session_url("published_etui", session, 1, number) for number in (1, 2, 5))
    yield from (f"/api/v1/sessions/{session.pk}/{path}" for path in ("publications/latest/", "team-plan/"))
    yield f"/api/v1/tournaments/{tournament.pk}/publications/latest/"
    for name in ("tournament", "tournament_ranking", "tournament_versions", "tournament_embedded", "tournament_feed"):
        yield reverse(name, args=place)
    yield from (reverse(name, args=[*place, 1]) for name in ("tournament_pdf", "tournament_csv"))
    yield from (reverse(name, args=[tournament.club.slug]) for name in ("club", "club_feed", "club_calendar_file"))
    yield from (reverse(name) for name in ("home", "feed", "calendar_file"))


def read_all(session):
    """Return the readable text of each of these addresses for a stranger, if it opens."""
    told = {}
    for number, url in enumerate(list_addresses(session)):
        answer = browser_of().get(url, REMOTE_ADDR=f"10.0.0.{number}")
        assert answer.status_code == 200, url
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        told[url] = read_text(body)
    return told


def read_text(body):
    if body.startswith(b"%PDF"):
        return flat(body)
    if body.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(body)) as packed:
            body = b"".join(packed.read(name) for name in packed.namelist())
    return body.decode(errors="replace")


def test_hidden_family_name_is_in_nothing_that_readers_load(event):
    sessions, _by, member = event
    before = read_all(sessions[1])
    named = {url for url, text in before.items() if SECRET in text}
    assert len(named) > 20
    choose_shown(player=member, shown=Visibility.HIDDEN, way="account", by=None, now=timezone.now())
    after = read_all(sessions[1])
    assert [url for url, text in after.items() if SECRET in text] == []
    numbered = {url for url in named if re.search("Team 2|Équipe 2|team", after[url])}
    assert named - numbered == set()


def test_mail_to_a_team_mate_has_the_number(event, settings):
    sessions, _by, member = event
    settings.MAIL, settings.SITE_URL = True, "https://tarot.example.org"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    choose_shown(player=member, shown=Visibility.HIDDEN, way="account", by=None, now=timezone.now())
    mate = Team.objects.get(number=2, tournament=sessions[0].tournament).members.get(place=2).player
    user = make_user("equipier")
    user.emailaddress_set.create(email="equipier@example.org", verified=True, primary=True)
    mate.account = user
    mate.save()
    assert want_feuilles(user, now=timezone.now())
    sessions[0].publications.update(published_at=timezone.now())
    assert send_feuilles(sessions[0].pk, now=timezone.now()) == 1
    (letter,) = mail.outbox
    text = letter.body + letter.subject
    assert SECRET not in text
    assert "quipe 2" in text or "Team 2" in text
