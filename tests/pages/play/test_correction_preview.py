"""The preview of a correction: a director sees which players move first, a helper corrects at once."""

import pytest
from django.utils import timezone

from evenings.plays.entering import correct_result
from evenings.plays.ruling import declare_playing
from evenings.standings import computing
from tests import shared_evenings
from tests.factories import enter_all, garde, make_director, make_helper, started_session
from tests.pages.browsing import browser_of, fields
from tests.pages.play.test_entry import address, facts
from tests.pages.reading import read, words
from tournaments.models import LogEntry


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    session = started_session()
    enter_all(session, by=make_director(session.tournament.club))
    computing.refresh(session.pk, now=timezone.now())
    return session.pk


@pytest.fixture
def user(session):
    return session.tournament.club.memberships.get().user


director = shared_evenings.browser_of_user


play = shared_evenings.first_play_with_its_club


def shown(client, play, **typed):
    """Return what the form sends after its score was shown."""
    told = facts(bouts="21+petit+excuse", points="80", reason="Fiche relue", seen_version="1") | typed
    return told | {"shown": fields(client.post(address(play), told))["shown"]}


@pytest.mark.nightly("story")
def test_director_sees_who_moves_and_nothing_is_done_before_that(director, play):
    before = LogEntry.objects.count()
    told = shown(director, play)
    page = director.post(address(play), told)
    said = words(page)
    assert "Correct étui 1 at table 1? Nothing has been done yet." in said
    assert "becomes +138 · Fiche relue" in said
    assert "change rank" in said
    assert any("→" in cell for row in read(page).rows for cell in row)
    assert (play.entries.count(), LogEntry.objects.count()) == (1, before)
    sent = fields(page)
    assert director.post(address(play), sent | {"apply": "1"}).url == address(play)
    assert play.entries.get(current=True).half_points == 160


@pytest.mark.nightly("story")
def test_correction_of_what_was_corrected_while_the_preview_was_read_loses_nothing(director, user, play):
    told = shown(director, play)
    now = timezone.now()
    correct_result(play_id=play.pk, entry=garde("W", points=60), reason="déjà", seen_version=1, by=user, now=now)
    for sent in (told, told | {"apply": "1"}):
        page = director.post(address(play), sent)
        assert page.status_code == 409
        assert (fields(page)["points"], fields(page)["reason"]) == ("80", "Fiche relue")


@pytest.mark.nightly("story")
def test_director_who_has_étuis_to_play_is_shown_no_ranking(director, user, session, play):
    mine = session.plays.exclude(etui=play.etui).exclude(table=play.table).first()
    mine.entries.all().delete()
    entrant = next(iter(mine.seats.values()))
    declare_playing(session_id=session.pk, entrant_id=entrant.pk, by=user, now=timezone.now())
    page = director.post(address(play), shown(director, play))
    assert "the ranking before and after is hidden from you" in words(page)
    assert read(page).rows == []
    director.post(address(play), fields(page) | {"apply": "1"})
    assert play.entries.get(current=True).version == 2


def test_helper_corrects_at_once_and_is_shown_no_ranking(session, play):
    helper = make_helper(session.tournament.club)
    play.entries.update(author=helper)
    client = browser_of(helper)
    assert client.post(address(play), shown(client, play)).status_code == 302
    assert play.entries.get(current=True).version == 2
