"""The director's desk: disputes settled, calls answered, rulings on étuis, and results hidden from players."""

import re
import uuid

import pytest
from django.urls import reverse
from django.utils import timezone

from evenings.plays.entering import SentEntry, enter_result
from evenings.plays.ruling import declare_playing
from evenings.standings import computing
from pages.desk import standings
from pages.doors import session_url
from tests import shared_evenings
from tests.factories import enter, enter_all, garde, make_director, make_tournament, started_session
from tests.pages.browsing import fields
from tests.pages.reading import words
from tournaments.models import (
    ArbiterCall,
    EntryCheck,
    EtuiRuling,
    PlayingDirector,
    ResultEntry,
    Ruling,
)
from tournaments.rules.entry import Fiche

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return started_session().pk


@pytest.fixture
def director_user(session):
    return make_director(session.tournament.club)


director = shared_evenings.browser_of_director_user


play = shared_evenings.first_play_with_its_club


def address(play, name="play"):
    return session_url(name, play.session, play.pk)


def from_table(play, points=49):
    entry = garde(play.etui.taker, points=points)
    return enter_result(
        play_id=play.pk, entry=entry, now=timezone.now(), sent=SentEntry("Table 1 · a8", uuid.uuid4(), "N")
    )


# Disputes


@pytest.mark.nightly("story")
def test_unconfirmed_result_is_confirmed_by_one_press(director, play):
    from_table(play)
    page = words(director.get(address(play)))
    assert "Not confirmed The other side has not confirmed this result yet." in page
    assert "Version 1, Table 1 · a8" in page
    director.post(address(play, "confirm"), {"seen_version": 1})
    assert EntryCheck.objects.get().agrees
    page = words(director.get(address(play)))
    assert ("Not confirmed" in page, "Confirmed: directrice" in page) == (False, True)


@pytest.mark.nightly("story")
def test_contested_version_is_shown_with_its_device_and_can_be_made_to_count(director, play):
    from_table(play, 49)
    from_table(play, 55)
    answer = director.get(address(play))
    assert f'href="{reverse("rules_page", args=["marks"])}"' in answer.content.decode()
    page = words(answer)
    assert "Another device sent another result." in page
    assert "Let version 2 count" in page
    taken = {"seen_version": 1, "version": 2}
    assert "The reason is missing" in words(director.post(address(play, "take"), taken, follow=True))
    taken |= {"reason": "Fiche relue"}
    assert "Let version 2 of étui 1 at table 1 count? Nothing has been done yet." in words(
        director.post(address(play, "take"), taken)
    )
    assert ResultEntry.objects.get(play=play, current=True).version == 1
    director.post(address(play, "take"), taken | {"apply": "1"})
    current = ResultEntry.objects.get(play=play, current=True)
    assert (current.version, current.half_points, current.reason) == (3, 110, "Fiche relue")


def test_confirming_what_was_corrected_meanwhile_says_so(director, play):
    from_table(play)
    page = director.post(address(play, "confirm"), {"seen_version": 7}, follow=True)
    assert "The result has been corrected in the meantime (version 1)" in words(page)
    assert not EntryCheck.objects.exists()


def test_play_is_set_aside_and_waited_for_again(director, play):
    for kind in ("not_played", "later", "wait"):
        director.post(address(play, "aside"), {"kind": kind})
    assert [ruling.kind for ruling in Ruling.objects.all()] == ["not_played", "later", "restored"]


@pytest.mark.nightly("story")
def test_doubtful_result_is_corrected_or_confirmed_beside_other_tables_scores(director, director_user, session):
    plays = list(session.plays.filter(etui__number=1).select_related("etui", "table"))
    for play, points in zip(plays, (50, 51, 49, 50, 85), strict=True):
        enter(play, garde(play.etui.taker, points=points), by=director_user)
    page = director.get(address(plays[4]))
    assert "Étui 1 at the other tables +70 position 2, table" in words(page)
    assert "+138" not in words(page).split("at the other tables")[1].split("Correct this result")[0]
    html = page.content.decode()
    focused = re.findall(r"<[^>]*\sautofocus[^>]*>", html)
    assert [each.split() for each in focused] == [
        ["<a", 'class="button', 'button-primary"', 'href="?correct"', "autofocus", ">"]
    ]
    assert html.index('href="?correct"') < html.index("Confirm this result")
    settled = director.get(address(plays[0]))
    assert "at the other tables +" not in words(settled)


def test_fiche_that_no_result_gives_waits_for_the_director(director, director_user, play):
    enter(play, Fiche(play.etui.taker, 51), by=director_user)
    page = words(director.get(address(play)))
    assert "Disputed: no result gives +51 No result gives this amount." in page
    director.post(address(play, "confirm"), {"seen_version": 1})
    assert "No result gives this amount." not in words(director.get(address(play)))


def test_correction_puts_the_focus_on_the_answer_that_is_chosen(director, director_user, play):
    enter(play, garde(play.etui.taker), by=director_user)
    html = director.get(address(play), {"correct": ""}).content.decode()
    focused = re.findall(r"<input[^>]* autofocus[^>]*>", html)
    assert len(focused) == 1
    assert ('value="2"' in focused[0], "checked" in focused[0]) == (True, True)


def test_etuis_page_links_to_its_plays(director, director_user, session):
    enter_all(session, by=director_user)
    computing.compute(session.pk)
    html = director.get(session_url("live_etui", session, 1)).content.decode()
    for play in session.plays.filter(etui__number=1):
        assert f'href="{session_url("play", session, play.pk)}"' in html


# Calls


def test_call_stands_on_top_of_the_desk_until_it_is_answered(director, session, play):
    call = ArbiterCall.objects.create(
        session=session, table=play.table, play=play, key=uuid.uuid4(), called_at=timezone.now()
    )
    page = director.get(session_url("session", session))
    assert "The arbiter is called Table 1 , étui 1" in words(page)
    assert f'data-rings="call-{call.pk}"' in page.content.decode()
    director.post(session_url("answered", session, call.pk))
    assert "The arbiter is called" not in words(director.get(session_url("session", session)))
    answer = director.post(session_url("answered", session, call.pk), headers={"hx-request": "true"})
    assert b'id="progress"' in answer.content


@pytest.mark.nightly("story")
def test_grid_can_show_only_what_is_odd(director, director_user, session):
    plays = list(session.plays.filter(etui__number=1).select_related("etui"))
    for play, points in zip(plays, (50, 51, 49, 50, 85), strict=True):
        enter(play, garde(play.etui.taker, points=points), by=director_user)
    for show, faint in (("", 0), ("odd", 24), ("look", 24), ("nonsense", 0)):
        page = director.get(session_url("session", session), {"show": show}).content.decode()
        assert page.count(" is-faint") == faint
    doubts = words(director.get(session_url("session", session))).split("To look at")[-1]
    assert "Table 2 · étui 1 to check 85 points; the others from 49 to 51" in doubts


# Étuis


@pytest.mark.nightly("process")
def test_etui_is_annulled_split_and_restored_on_its_live_page(director, director_user, session):
    enter_all(session, by=director_user)
    computing.refresh(session.pk, now=timezone.now())
    etui_page, rule = session_url("live_etui", session, 1), session_url("etui_rule", session, 1)
    assert "This field is required." in words(director.post(rule, {"kind": "annul", "reason": ""}))
    annul = {"kind": "annul", "reason": "Carte en trop", "article": "R.12", "seen_ruling": "0"}
    shown = words(director.post(rule, annul))
    assert "Annul étui 1 for everybody? Nothing has been done yet." in shown
    assert "Carte en trop · R.12" in shown
    assert not EtuiRuling.objects.exists()
    director.post(rule, annul | {"apply": "1"})
    assert "This étui is annulled: it counts for nobody." in words(director.get(etui_page))
    assert "Carte en trop · R.12" in words(director.get(etui_page))
    late = director.post(rule, annul | {"kind": "restore", "apply": "1"})
    assert "Somebody else has ruled on this in the meantime" in words(late)
    seen = {"seen_ruling": EtuiRuling.objects.get().pk}
    director.post(rule, {"kind": "restore", "reason": "Erreur", "apply": "1"} | seen)
    seen = {"seen_ruling": EtuiRuling.objects.last().pk}
    refused = director.post(rule, {"kind": "split", "reason": "Refait"} | seen)
    assert "choose one of 2, 3, 4, 5" in words(refused)
    split = {"kind": "split", "reason": "Refait", "from_position": "3"} | seen
    assert fields(director.post(rule, split)).items() >= {name: str(value) for name, value in split.items()}.items()
    director.post(rule, split | {"apply": "1"})
    assert "was altered before position 3: the plays before and after are compared separately" in words(
        director.get(etui_page)
    )
    assert [ruling.kind for ruling in EtuiRuling.objects.all()] == ["annulled", "restored", "split"]


# A director who plays


def test_page_of_an_etui_knows_its_newest_ruling(rf, director_user, session, monkeypatch):
    etui = session.plays.select_related("etui").first().etui
    told = {"etui": etui, "reason": "x", "author": director_user, "ruled_at": timezone.now()}
    newest = [session.etui_rulings.create(kind=kind, **told) for kind in ("annulled", "restored")][-1]
    monkeypatch.setattr(standings, "render", lambda _request, _template, context: context)
    request = rf.get("/")
    request.user = director_user
    assert standings.live_etui_page(request, session, etui.number, None)["seen"] == newest.pk


@pytest.fixture
def hidden(director_user, session):
    """Return a play with a result of −1234, which no id is.

    The director plays the étui in position 2, and so may not see it.
    """
    own = session.plays.filter(position=2).select_related("etui").first()
    play = session.plays.select_related("etui", "session__tournament__club").get(position=1, etui=own.etui)
    other = make_director(session.tournament.club, "autre")
    enter(play, Fiche(own.etui.taker, -1234), by=other)
    computing.refresh(session.pk, now=timezone.now())
    declare_playing(session_id=session.pk, entrant_id=own.north_id, by=director_user, now=timezone.now())
    return play


def pages_of(play):
    session = play.session
    return [
        session_url("session", session),
        session_url("progress", session),
        session_url("play", session, play.pk),
        session_url("play", session, play.pk) + "?correct",
        session_url("standings", session),
        session_url("live_feuille", session, play.north_id),
        session_url("live_etui", session, play.etui.number),
        session_url("bulk", session) + f"?etui={play.etui.number}",
        f"/api/v1/sessions/{session.pk}/plays/",
        f"/api/v1/plays/{play.pk}/",
        f"/api/v1/sessions/{session.pk}/standings/",
        f"/api/v1/sessions/{session.pk}/entrants/{play.north_id}/",
    ]


def figures(client, url):
    """Return the figures on the page that tell the hidden result, or a percentage that comes from it."""
    page = client.get(url)
    assert page.status_code in (200, 403)
    text = words(page)
    return re.findall(r'[-−+]1234|50\.0%|"overall"', text)


@pytest.mark.nightly("story")
def test_director_who_plays_sees_no_result_of_what_is_still_to_play(director, hidden):
    assert {url: figures(director, url) for url in pages_of(hidden)} == {url: [] for url in pages_of(hidden)}


def test_director_who_plays_cannot_guess_either(director, hidden):
    """Check that a right guess gets the same answer as a wrong one."""
    guess = {f"score-{hidden.pk}": "-1234"}
    page = director.post(session_url("bulk", hidden.session) + "?position=1", guess)
    sure = page.context["grid"].rows[hidden.table.number - 1].summary.shown
    page = director.post(session_url("bulk", hidden.session) + "?position=1", guess | {f"sure-{hidden.pk}": sure})
    assert "This play already has a result" in words(page)
    body = {"base_score": -1234}
    answer = director.post(f"/api/v1/plays/{hidden.pk}/result/", body, content_type="application/json")
    assert answer.status_code == 409


def test_lifting_shows_everything_and_is_logged(director, session, hidden):
    assert "Show me everything" in words(director.get(session_url("session", session)))
    director.post(session_url("playing", session), {"lift": "1"})
    assert "−1234" in words(director.get(address(hidden)))
    assert "now sees every result" in words(director.get(session_url("log", session)))


@pytest.mark.nightly("story")
def test_director_declares_as_whom_he_plays(director, director_user, session):
    entrant = session.entrants.first()
    page = director.post(session_url("playing", session), {"entrant": entrant.pk}, follow=True)
    assert f"You play as {entrant.player.name}" in words(page)
    assert PlayingDirector.objects.get().user == director_user
    foreign = started_session(make_tournament(session.tournament.club, name="Autre")).entrants.first()
    assert "does not play in the session" in words(
        director.post(session_url("playing", session), {"entrant": foreign.pk}, follow=True)
    )
