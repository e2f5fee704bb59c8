"""The correction of a result: with a reason, by any number of people at once; helpers see only their own entries."""

import pytest
from django.utils import timezone

from evenings.plays.entering import correct_result
from evenings.plays.entries import entry_of
from scoring.ranking import Line
from tests import shared_evenings
from tests.factories import enter, garde, make_director, make_helper, make_tournament, started_session
from tests.pages.browsing import browser_of, fields
from tests.pages.play.test_entry import address, entries, facts, send
from tests.pages.reading import words
from tournaments.rules.entry import Fiche


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return started_session(make_tournament()).pk


play = shared_evenings.first_play


@pytest.fixture
def director_user(session):
    return make_director(session.tournament.club)


@pytest.fixture
def helper_user(session):
    return make_helper(session.tournament.club)


director = shared_evenings.browser_of_director_user


@pytest.fixture
def helper(helper_user):
    return browser_of(helper_user)


def correction(data, version, reason="Fiche relue"):
    return data | {"reason": reason, "seen_version": str(version)}


@pytest.mark.nightly("story")
def test_director_corrects_with_a_reason_and_sees_the_history(director, director_user, helper_user, play):
    enter(play, garde("W"), by=helper_user)
    form = director.get(address(play), {"correct": ""})
    assert fields(form)["points"] == "49"
    assert fields(form)["seen_version"] == "1"
    assert send(director, play, correction(facts(points="51"), 1)).status_code == 302
    row = play.entries.get(current=True)
    assert (row.version, row.author, row.reason, entry_of(row)) == (
        2, director_user, "Fiche relue", garde("W", points=51),
    )  # fmt: skip
    page = words(director.get(address(play)))
    assert "Version 2, directrice" in page
    assert "Fiche relue" in page
    assert "Version 1, table" in page


@pytest.mark.nightly("story")
def test_correction_without_a_reason_is_refused_at_the_field(director, helper_user, play):
    enter(play, garde("W"), by=helper_user)
    told = correction(facts(points="51"), 1, reason="")
    first = director.post(address(play), told)
    assert "This field is required." not in words(first)  # nothing is to be saved yet
    response = director.post(address(play), told | {"shown": fields(first)["shown"]})
    assert "This field is required." in words(response)
    assert fields(response)["points"] == "51"
    assert entries(play) == [garde("W")]


@pytest.mark.nightly("story")
def test_correction_of_what_was_corrected_meanwhile_shows_both_and_loses_neither(director, director_user, play):
    enter(play, garde("W"), by=director_user)
    correct_result(
        play_id=play.pk, entry=garde("W", points=60), reason="déjà", seen_version=1, by=director_user,
        now=timezone.now(),
    )  # fmt: skip
    response = send(director, play, correction(facts(points="51"), 1))
    assert response.status_code == 409
    text = words(response)
    assert "The result has been corrected in the meantime (version 2)" in text
    assert "Fiche: +88" in text
    assert "Fiche: +70" in text
    kept = fields(response)
    assert (kept["points"], kept["reason"], kept["seen_version"]) == ("51", "Fiche relue", "2")
    assert director.post(address(play), kept).status_code == 302
    assert entries(play)[-1] == garde("W", points=51)


def test_correction_offers_the_kind_that_was_entered(director, director_user, play):
    enter(play, Fiche(Line.W, -72), by=director_user)
    shown = fields(director.get(address(play), {"correct": ""}))
    assert (shown["kind"], shown["sign"], shown["figure"]) == ("fiche", "-", "72")


@pytest.mark.nightly("story")
def test_entering_what_is_entered_otherwise_becomes_a_correction(director, director_user, play):
    enter(play, garde("W"), by=director_user)
    response = send(director, play, facts(points="51"))
    assert response.status_code == 409
    assert "This play already has a result" in words(response)
    assert fields(response)["seen_version"] == "1"
    assert entries(play) == [garde("W")]


@pytest.mark.nightly("story")
def test_helper_sees_and_corrects_what_he_entered_himself(helper, helper_user, play):
    enter(play, garde("W"), by=helper_user)
    assert "Fiche: +66" in words(helper.get(address(play)))
    send(helper, play, correction(facts(points="51"), 1))
    assert entries(play)[-1] == garde("W", points=51)


@pytest.mark.parametrize("asked", [{}, {"correct": ""}, {"kind": "fiche"}])
def test_helper_is_told_to_ask_the_director_about_what_others_entered(helper, director_user, play, asked):
    enter(play, Fiche(Line.W, 1234), by=director_user)
    response = helper.get(address(play), asked)
    assert "Somebody else entered it, and only the director" in words(response)
    assert "1234" not in response.content.decode().replace(address(play), "")


@pytest.mark.parametrize("points", ["49", "51"])
def test_helper_cannot_guess_what_others_entered(helper, director_user, play, points):
    """Check that a right guess gets the same answer as a wrong one, with only its own figures."""
    enter(play, garde("W"), by=director_user)
    for data in (facts(points=points), correction(facts(points=points), 1)):
        response = helper.post(address(play), data)
        assert response.status_code == 409
        assert "What you typed, not saved" in words(response)
        assert ("+66" in words(response)) == (points == "49")
    assert entries(play) == [garde("W")]


def test_helper_no_longer_sees_his_entry_once_the_director_corrected_it(helper, helper_user, director_user, play):
    enter(play, garde("W"), by=helper_user)
    correct_result(
        play_id=play.pk, entry=Fiche(Line.W, 1234), reason="relue", seen_version=1, by=director_user,
        now=timezone.now(),
    )  # fmt: skip
    response = helper.get(address(play))
    assert "Somebody else entered it, and only the director" in words(response)
    assert "1234" not in response.content.decode().replace(address(play), "")
