"""The arbiter's rulings on a play's page: given and taken back, with a reason that helpers do not read."""

import pytest
from django.utils import timezone

from evenings.plays.adjusting import adjust_play
from evenings.plays.entering import annul_play, not_played
from evenings.plays.ruling import annul_etui
from pages.doors import session_url
from tests import shared_evenings
from tests.factories import enter, make_director, make_helper, make_tournament, started_session
from tests.pages.browsing import browser_of, fields
from tests.pages.reading import words
from tournaments.models import Ruling


@pytest.fixture
def play(db):
    return started_session(make_tournament()).plays.first()


@pytest.fixture
def director_user(play):
    return make_director(play.session.tournament.club)


director = shared_evenings.browser_of_director_user


def address(play, name="play"):
    return session_url(name, play.session, play.pk)


@pytest.mark.nightly("process")
def test_annulled_play_says_so_and_can_be_restored(director, director_user, play):
    enter(play, by=director_user)
    annul = {"reason": "Étui mal fait", "article": "R.12", "seen_ruling": "0"}
    assert "Annul étui 1 at table 1? Nothing has been done yet." in words(director.post(address(play, "annul"), annul))
    assert not Ruling.objects.exists()
    for _ in range(2):
        assert director.post(address(play, "annul"), annul | {"apply": "1"}).url == address(play)
    page = words(director.get(address(play)))
    assert "This play is annulled: its result does not count." in page
    assert "Étui mal fait · R.12" in page
    director.post(address(play, "restore"), {"reason": "Erreur", "apply": "1"})
    assert "This play is annulled" not in words(director.get(address(play)))
    assert [ruling.kind for ruling in Ruling.objects.all()] == ["annulled", "restored"]


@pytest.mark.nightly("story")
@pytest.mark.parametrize(
    ("before", "told"),
    [
        (("adjust",), "the play needs a result"),
        (("enter", "adjust"), "The play counts again."),
        (("annul", "adjust"), "the play is still annulled"),
        (("enter", "annul", "adjust"), "the play is still annulled"),
        (("enter", "adjust", "annul étui"), "the play is still annulled"),
        (("not_played", "adjust"), "the play is marked as not played again"),
        (("later", "adjust"), "may be played later"),
        (("later", "enter", "adjust"), "The play counts again."),
    ],
)
def test_decision_taken_back_says_what_holds_of_the_play_then(director, director_user, play, before, told):
    said = {"by": director_user, "now": timezone.now()}
    for step in before:
        if step == "enter":
            enter(play, by=director_user)
        elif step == "annul":
            annul_play(play_id=play.pk, reason="x", **said)
        elif step == "annul étui":
            annul_etui(session_id=play.session_id, etui=play.etui.number, reason="x", **said)
        elif step == "adjust":
            seen = max(play.rulings.values_list("pk", flat=True), default=0)
            adjust_play(play_id=play.pk, notes={"N": "60"}, reason="x", seen_ruling=seen, **said)
        else:
            not_played(play_id=play.pk, later=step == "later", **said)
    page = director.post(address(play, "restore"), {"reason": "Erreur", "apply": "1"}, follow=True)
    assert told in words(page)


@pytest.mark.nightly("story")
def test_result_is_withdrawn_by_an_article_and_what_is_typed_wrong_is_kept(director, director_user, play):
    enter(play, by=director_user)
    told = {"reason": "Autre donne", "article": "R.4", "seen_ruling": "0", "seen_version": "1"}
    page = words(director.post(address(play, "withdraw"), told | {"reason": ""}))
    assert "This field is required." in page
    page = director.post(address(play, "withdraw"), told | {"article": "R" * 61})
    assert "60 characters" in words(page)
    assert 'value="Autre donne"' in page.content.decode()
    assert "R.4" in words(director.post(address(play, "withdraw"), told))  # the preview of the ranking
    assert not Ruling.objects.exists()
    shown = fields(director.get(address(play)))
    assert {"reason", "article", "seen_version"} <= shown.keys()
    director.post(address(play, "withdraw"), told | {"apply": "1"})
    assert [(each.kind, each.article) for each in Ruling.objects.all()] == [("withdrawn", "R.4")]


@pytest.mark.parametrize("entered", [True, False])
def test_annulling_without_a_reason_is_refused_at_the_field(director, director_user, play, entered):
    if entered:
        enter(play, by=director_user)
    assert "This field is required." in words(director.post(address(play, "annul"), {"reason": ""}))
    assert not Ruling.objects.exists()


def test_helper_is_not_told_why_a_play_is_annulled(director, play):
    helper = browser_of(make_helper(play.session.tournament.club))
    director.post(address(play, "annul"), {"reason": "Le preneur avait 1234", "apply": "1"})
    page = words(helper.get(address(play)))
    assert "This play is annulled" in page
    assert "1234" not in page


def test_rulings_without_their_token_are_refused(director_user, play):
    forged = browser_of(director_user, enforce_csrf_checks=True)
    assert {forged.post(address(play, name), {"reason": "x"}).status_code for name in ("annul", "restore")} == {403}
