"""The correction of a result on one page: a director sees who changes rank while typing, a helper does not."""

import pytest
from django.utils import timezone

from evenings.plays.entering import correct_result
from evenings.plays.entries import entry_of
from evenings.plays.ruling import declare_playing
from evenings.standings import computing
from pages.doors import session_url
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
POINTS = "53"  # of the result that `enter_all` enters there


def shown(client, play, **typed):
    """Return what the form sends after its score was shown."""
    told = facts(bouts="21+petit+excuse", points="80", reason="Fiche relue", seen_version="1") | typed
    return told | {"shown": fields(client.post(address(play), told))["shown"]}


def test_director_sees_who_moves_while_typing_and_saves_with_one_press(director, play):
    before = LogEntry.objects.count()
    told = facts(bouts="21+petit+excuse", points="80", reason="", seen_version="1")
    page = director.post(session_url("play_preview", play.session, play.pk), told)
    said = words(page)
    assert ("Fiche: +138" in said, "change rank" in said, "Save the correction" in said) == (True, True, True)
    assert any("→" in cell for row in read(page).rows for cell in row)
    assert (play.entries.count(), LogEntry.objects.count()) == (1, before)
    sent = told | {"shown": fields(page)["shown"]}
    refused = director.post(address(play), sent)
    assert ("This field is required." in words(refused), fields(refused)["points"]) == (True, "80")
    assert director.post(address(play), sent | {"reason": "Fiche relue"}).url == address(play)
    assert play.entries.get(current=True).half_points == 160


def test_director_without_scripts_sees_the_effect_before_saving(director, play):
    told = facts(bouts="21+petit+excuse", points="80", reason="Fiche relue", seen_version="1")
    assert "Show the effect" in words(director.get(address(play), {"correct": ""}))
    page = director.post(address(play), told)
    assert ("change rank" in words(page), "Save the correction" in words(page)) == (True, True)
    assert (play.entries.count(), director.post(address(play), fields(page)).url) == (1, address(play))


@pytest.mark.nightly("story")
def test_correction_of_what_was_corrected_while_it_was_typed_loses_nothing(director, user, play):
    told = shown(director, play)
    now = timezone.now()
    correct_result(play_id=play.pk, entry=garde("W", points=60), reason="déjà", seen_version=1, by=user, now=now)
    preview = words(director.post(session_url("play_preview", play.session, play.pk), told))
    assert ("corrected" in preview, "change rank" in preview) == (True, False), preview
    page = director.post(address(play), told)
    assert page.status_code == 409
    assert (fields(page)["points"], fields(page)["reason"]) == ("80", "Fiche relue")


def read_state(session):
    """Return the ranking after the job has computed it, as it is stored."""
    computing.refresh(session.pk, now=timezone.now())
    return type(session.standings).objects.get(session=session).data


def corrections_in_log(play):
    logged = LogEntry.objects.filter(session=play.session_id, action="corrected").order_by("pk")
    return [entry.params["version"] for entry in logged]


@pytest.mark.nightly("story")
def test_correction_saved_by_one_press_is_undone_from_the_plays_page(director, session, play):
    before, first = read_state(session), play.entries.get(current=True)
    assert director.post(address(play), shown(director, play)).url == address(play)
    assert read_state(session) != before
    (undo,) = [link for link in read(director.get(address(play))).links if "version=" in link]
    filled = fields(director.get(address(play) + undo))
    assert (filled["points"], filled["reason"], filled["seen_version"]) == (POINTS, "", "2")
    page = director.post(session_url("play_preview", session, play.pk), filled)
    assert ("change rank" in words(page), play.entries.count()) == (True, 2)
    told = filled | {"reason": "Correction annulée", "shown": fields(page)["shown"]}
    assert director.post(address(play) + undo, told).url == address(play)
    assert read_state(session) == before
    last = play.entries.get(current=True)
    assert (last.version, last.reason, entry_of(last)) == (3, "Correction annulée", entry_of(first))
    assert corrections_in_log(play) == [2, 3]


@pytest.mark.nightly("story")
def test_undo_of_a_correction_that_somebody_changed_meanwhile_loses_nothing(director, user, session, play):
    before = read_state(session)
    director.post(address(play), shown(director, play))
    filled = fields(director.get(address(play), {"correct": "", "version": "1"})) | {"reason": "Correction annulée"}
    now = timezone.now()
    correct_result(play_id=play.pk, entry=garde("W", points=60), reason="relue", seen_version=2, by=user, now=now)
    page = director.post(session_url("play_preview", session, play.pk), filled)
    assert ("corrected" in words(page), "change rank" in words(page)) == (True, False)
    refused = director.post(address(play), filled | {"shown": fields(page)["shown"]})
    kept = fields(refused)
    assert refused.status_code == 409
    assert (kept["points"], kept["reason"], kept["seen_version"]) == (POINTS, "Correction annulée", "3")
    assert play.entries.get(current=True).half_points == 120
    assert director.post(address(play), kept).url == address(play)
    assert (read_state(session) == before, corrections_in_log(play)) == (True, [2, 3, 4])


def test_director_who_has_étuis_to_play_is_shown_no_ranking(director, user, session, play):
    mine = session.plays.exclude(etui=play.etui).exclude(table=play.table).first()
    mine.entries.all().delete()
    entrant = next(iter(mine.seats.values()))
    declare_playing(session_id=session.pk, entrant_id=entrant.pk, by=user, now=timezone.now())
    told = shown(director, play)
    page = director.post(session_url("play_preview", play.session, play.pk), told)
    assert "the ranking before and after is hidden from you" in words(page)
    assert read(page).rows == []
    director.post(address(play), told)
    assert play.entries.get(current=True).version == 2


def test_helper_corrects_at_once_and_is_shown_no_ranking(session, play):
    helper = make_helper(session.tournament.club)
    play.entries.update(author=helper)
    client, told = browser_of(helper), facts(bouts="21+petit+excuse", points="80", seen_version="1")
    page = client.post(session_url("play_preview", session, play.pk), told)
    assert ("Fiche: +138" in words(page), "rank" in words(page)) == (True, False)
    assert client.post(address(play), shown(client, play)).status_code == 302
    assert play.entries.get(current=True).version == 2
