"""The corrections that players ask for, on the device of the table at which the play was played."""

import pytest
from django.utils import timezone

from evenings.requests.asking import withdraw_request
from tests.evenings.requests.world import WRONG, Four
from tests.evenings.tables.phones import Device, Phone, tokens_of
from tests.factories import enter_all, make_director, publish, started_session
from tournaments.models import Session

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    session = started_session()
    tokens_of(session)
    director = make_director(session.tournament.club)
    enter_all(session, by=director)
    publish(session, by=director)
    return session


@pytest.fixture
def four(db, evening):
    return Four(Session.objects.select_related("tournament__club").get(pk=evening.pk))


@pytest.fixture
def device(four):
    return Device(four.play.table)


def seat_of(four, link):
    return next(line for line, entrant in four.play.seats.items() if entrant.pk == link.entrant_id)


def test_table_sees_what_is_asked_of_what_was_played_there(four, device):
    assert device.state()["requests"] == []
    request = four.ask()
    four.agree(request, link=four.others[0], agrees=False)
    (told,) = device.state()["requests"]
    assert (told["id"], told["etui"], told["position"], told["text"], told["name"]) == (
        request.pk, four.play.etui.number, four.play.position, WRONG, four.asker.entrant.name,
    )  # fmt: skip
    assert [(voice["agrees"], voice["own"]) for voice in told["voices"]] == [
        (False, True),
        (None, False),
        (None, False),
    ]
    other = four.session.tables.exclude(pk=four.play.table_id).first()
    assert Device(other).state()["requests"] == []


def test_who_sat_there_agrees_on_the_tables_device(four, device):
    request = four.ask()
    seat = seat_of(four, four.others[0])
    for _time in range(2):
        assert device.send("agree", request=request.pk, seat=seat, agrees=True).status == "received"
    (word,) = request.answers.all()
    assert (word.entrant_id, word.agrees, word.device.startswith("Table 1")) == (four.others[0].entrant_id, True, True)
    (told,) = device.state()["requests"]
    assert (told["voices"][0]["agrees"], told["voices"][0]["own"]) == (True, False)


def test_it_is_answered_after_the_evening_is_closed(four, device):
    request = four.ask()
    Session.objects.filter(pk=four.session.pk).update(closed_at=timezone.now())
    sent = device.send("agree", request=request.pk, seat=seat_of(four, four.others[1]), agrees=False)
    assert (sent.status, request.answers.get().agrees) == ("received", False)


def test_what_is_not_the_tables_or_is_no_answer_is_refused(four, device):
    request = four.ask()
    seat = seat_of(four, four.others[0])
    elsewhere = Device(four.session.tables.exclude(pk=four.play.table_id).first())
    good = {"request": request.pk, "seat": seat, "agrees": True}
    wrong = [
        (elsewhere, good, "request_unknown"),
        (device, good | {"seat": seat_of(four, four.asker)}, "request_not_yours"),
        (device, good | {"seat": "X"}, "command_malformed"),
        (device, good | {"agrees": "yes"}, "command_malformed"),
        (device, good | {"request": "1"}, "command_malformed"),
        (device, good | {"request": 10**17}, "request_unknown"),
    ]
    assert [by.send("agree", **fields).error.code for by, fields, _code in wrong] == [code for *_rest, code in wrong]
    withdraw_request(link=four.asker, request_id=request.pk, now=timezone.now())
    assert device.send("agree", **good).error.code == "request_over"
    assert device.state()["requests"] == []


@pytest.mark.parametrize("status", ["withdrawn", "provisional"])
def test_nothing_is_told_while_the_ranking_is_taken_back(four, device, status):
    four.ask()
    four.session.publications.update(status=status, reason="x")
    four.session.refresh_from_db()
    Session.objects.filter(pk=four.session.pk).update(revision=four.session.revision + 1)
    assert len(device.state()["requests"]) == (status == "provisional")


def test_screen_is_told_by_its_next_question_that_costs_no_more_where_nothing_is_new(four, django_assert_num_queries):
    phone = Phone(tokens_of(four.session)[four.play.table.number])
    phone.send("join")
    before = phone.get().json()["stamp"]
    with django_assert_num_queries(1):
        assert phone.get(seen=before).status_code == 204
    four.ask()
    told = phone.get(seen=before)
    assert (told.status_code, len(told.json()["requests"])) == (200, 1)
