"""The corrections that players ask for, by the API: the list for directors, and the director's decision."""

import pytest
from django.utils import timezone

from evenings.plays.ruling import declare_playing
from tests.evenings.requests.world import WRONG, Four, only
from tests.factories import make_tournament, published_session


@pytest.fixture
def four(club, director):
    session = published_session(make_tournament(club), by=director.user)
    play = session.plays.filter(entries__kind="facts").select_related("etui", "table").order_by("pk").first()
    return Four(session, play)


@pytest.fixture
def path(four):
    return f"sessions/{four.session.pk}/requests/"


@pytest.mark.nightly("story")
def test_list_tells_what_is_asked_and_what_the_others_say(director, four, path):
    assert director.get(path) == []
    request = four.ask()
    four.agree(request, link=four.others[1], agrees=False)
    (told,) = director.get(path)
    assert (told["id"], told["play"], told["etui"], told["text"], told["state"], told["version"]) == (
        request.pk, four.play.pk, four.play.etui.number, WRONG, "open", None,
    )  # fmt: skip
    assert [voice["agrees"] for voice in told["voices"]] == [None, False, None]


def test_granted_with_the_version_that_came_of_it(director, four, path):
    request = four.ask()
    result = {"bouts": 2, "points": 61, "reason": "asked for", "seen_version": 1}
    version = director.put(f"plays/{four.play.pk}/result/", result)["version"]
    for _time in range(2):
        told = director.post(f"{path}{request.pk}/decision/", {"accepted": True, "version": version})
    assert (told["state"], told["version"], told["decided_by"]) == ("accepted", 2, director.user.username)


def test_refused_with_a_reason_alone(director, four, path):
    request = four.ask()
    decision = f"{path}{request.pk}/decision/"
    assert director.refused("POST", decision, {"accepted": False}, status=422) == "reason_missing"
    told = director.post(decision, {"accepted": False, "answer": "La fiche dit +56"})
    assert (told["state"], told["answer"]) == ("refused", "La fiche dit +56")
    assert director.refused("POST", decision, {"accepted": True}, status=409) == "request_decided"
    assert only().accepted is False


@pytest.mark.nightly("story")
def test_what_is_not_there_or_not_a_version_is_refused(director, four, path):
    request = four.ask()
    assert director.refused("POST", f"{path}{10**17}/decision/", {"accepted": True}, status=404) == "not_found"
    wrong = {"accepted": True, "version": 7}
    assert director.refused("POST", f"{path}{request.pk}/decision/", wrong, status=422) == "request_version"
    long = {"accepted": False, "answer": "x" * 301}
    assert director.refused("POST", f"{path}{request.pk}/decision/", long, status=400) == "invalid"


def test_director_who_has_the_etui_before_him_is_told_no_words(director, four, path):
    request = four.ask()
    still = four.session.plays.filter(etui=four.play.etui).exclude(pk=four.play.pk).first()
    still.entries.all().update(current=False)
    declare_playing(session_id=four.session.pk, entrant_id=still.north_id, by=director.user, now=timezone.now())
    (told,) = director.get(path)
    assert (told["text"], told["voices"]) == (None, [])
    decision = f"{path}{request.pk}/decision/"
    assert director.refused("POST", decision, {"accepted": True}, status=422) == "request_hidden"
