"""The reason of a table's call for the arbiter: an optional code, sent with the call or later, read at the desk."""

import pytest
from django.utils import timezone
from django.utils.translation import override

from evenings.plays.ruling import answer_call
from evenings.tables.words import catalogue
from pages.doors import session_url
from tests.evenings.tables.phones import Device, command
from tests.factories import started_session
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import ArbiterCall, LogEntry, Session
from tournaments.words.log_sentences import say_log

pytestmark = pytest.mark.django_db


@pytest.fixture
def session():
    session = started_session()
    Session.objects.filter(pk=session.pk).update(position=1)
    return session


@pytest.fixture
def device(session):
    return Device(session.tables.get(number=2))


def reasons():
    return list(ArbiterCall.objects.order_by("pk").values_list("reason", flat=True))


def test_call_of_an_older_screen_has_no_reason(device):
    assert device.send("call").status == "received"
    assert reasons() == [""]


def test_reason_comes_with_the_call_or_after_it_and_the_last_one_counts(device):
    device.send("call", reason="rules")
    assert reasons() == ["rules"]
    about = command("call_about", reason="cards")
    for sent in (about, about, command("call_about", reason="device"), about):
        assert device.send_again(sent).status == "received"
    assert reasons() == ["device"]
    assert LogEntry.objects.filter(action="arbiter_called_about").count() == 2


@pytest.mark.parametrize("over", ["never", "answered", "withdrawn"])
def test_reason_without_an_open_call_changes_nothing(session, director, device, over):
    if over != "never":
        device.send("call")
    if over == "answered":
        call = ArbiterCall.objects.get()
        answer_call(session_id=session.pk, call_id=call.pk, by=director, now=timezone.now())
    elif over == "withdrawn":
        device.send("uncall")
    assert device.send("call_about", reason="cards").status == "received"
    assert set(reasons()) <= {""}
    assert not LogEntry.objects.filter(action="arbiter_called_about").exists()


@pytest.mark.parametrize("kind", ["call", "call_about"])
@pytest.mark.parametrize("reason", ["", "dance", 7, None, ["cards"]])
def test_reason_that_there_is_not_is_refused(device, kind, reason):
    receipt = device.send(kind, reason=reason)
    assert (receipt.status, receipt.error.code) == ("refused", "command_malformed")
    assert reasons() == []


@pytest.mark.parametrize(("language", "said"), [("en", "the étui or its cards"), ("fr", "l’étui ou ses cartes")])
def test_reason_is_read_at_the_desk_and_in_the_log(session, director, device, language, said):
    device.send("call")
    desk = browser_of(director)
    desk.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    assert said not in words(desk.get(session_url("session", session)))
    device.send("call_about", reason="cards")
    assert said in words(desk.get(session_url("session", session)))
    with override(language):
        assert said in say_log(LogEntry.objects.get(action="arbiter_called_about"))
    assert catalogue()[language]["call.cards"] == said
