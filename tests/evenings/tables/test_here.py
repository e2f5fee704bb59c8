"""The table as a request reads it: the answer equals the next poll, and the queries do not grow with the hall."""

import pytest
from django.utils import timezone

from evenings.plays.entering import annul_play
from evenings.sessions.running import call_position
from evenings.tables.commands import receive
from evenings.tables.here import Here
from tests import shared_evenings
from tests.evenings.tables.phones import Phone, command, tokens_of
from tests.factories import enter_all, garde, make_director, started_session
from tournaments.errors import ActionRefused
from tournaments.models import Table

pytestmark = pytest.mark.django_db
FALSE = 80  # points of an entry that contradicts another one


session = shared_evenings.started_with_two_positions_of_two_etuis


@pytest.fixture
def plays(session):
    return list(session.plays.filter(table__number=1, position=1).select_related("etui"))


def told(state):
    return state | {"now": ""}


def entry_of(play, **facts):
    return {"play": play, "seat": play.etui.taker, "entry": garde(play.etui.taker, **facts)}


def checked(play, **told):
    return {"play": play, "version": 1, "agrees": True, "seat": "N" if play.etui.taker == "S" else "S"} | told


HISTORIES = {
    "one after the other": lambda one, two: [
        (0, ("start", {"play": one})), (0, ("enter", entry_of(one))), (0, ("check", checked(one))),
        (0, ("start", {"play": two}), ("enter", entry_of(two)), ("check", checked(two, agrees=False))),
    ],
    "twice": lambda one, two: [(0, ("start", {"play": one}), ("start", {"play": one})), (1, ("start", {"play": one}))],
    "a second word": lambda one, two: [(0, ("enter", entry_of(one))), (1, ("enter", entry_of(one)))],
    "a contest": lambda one, two: [(0, ("enter", entry_of(one))), (1, ("enter", entry_of(one, points=FALSE)))],
    "contest and check": lambda one, two: [
        (0, ("enter", entry_of(one)), ("enter", entry_of(one, points=FALSE)), ("check", checked(one))),
    ],
    "a correction": lambda one, two: [
        (0, ("enter", entry_of(one)), ("correct", entry_of(one, points=FALSE) | {"seen_version": 1})),
        (0, ("check", checked(one, version=2))),
    ],
    "set aside": lambda one, two: [
        (0, ("not_played", {"play": one}), ("start", {"play": two})), (0, ("undo_not_played", {"play": one})),
        (0, ("not_played", {"play": one}), ("enter", entry_of(one))),
    ],
    "who writes": lambda one, two: [
        (1, ("take_over", {}), ("enter", entry_of(one))), (0, ("enter", entry_of(two))), (1, ("leave", {})),
        (1, ("leave", {}), ("join", {"name": "Tablet"}), ("call", {})), (0, ("uncall", {}), ("start", {"play": two})),
    ],
    "refused": lambda one, two: [
        (0, ("enter", entry_of(one, bouts=0, points=91)), ("start", {"play": one}), ("check", checked(one))),
    ],
}  # fmt: skip


@pytest.mark.nightly("story")
@pytest.mark.parametrize("history", HISTORIES)
def test_answer_is_what_the_next_look_shows(session, plays, history):
    token = tokens_of(session)[1]
    phones = [Phone(token), Phone(token, "phone-two")]
    for phone in phones:
        phone.send("join")
    for number, *said in HISTORIES[history](*plays):
        answer = phones[number].post(*(command(kind, **fields) for kind, fields in said)).json()
        assert len(answer["receipts"]) == len(said)
        assert told(answer["state"]) == told(phones[number].get().json())


def here_of(play):
    """Return the table as one request reads it."""
    here = Here(Table.objects.select_related("session__tournament__club").get(pk=play.table_id))
    assert (len(here.plays), len(here.devices)) == (4, here.table.devices.count())
    return here


@pytest.mark.nightly("story")
def test_what_others_wrote_since_a_request_read_its_table_is_read_under_the_lock(session, plays):
    now, (one, two) = timezone.now(), plays
    receive(here_of(one), "phone-one", command("join"), now)
    slow = here_of(one)
    receive(here_of(one), "phone-one", command("enter", **entry_of(one)), now)
    director = make_director(session.tournament.club)
    annul_play(play_id=two.pk, reason="Étui mêlé", by=director, now=now)
    receipt = receive(slow, "phone-one", command("enter", **entry_of(one, points=FALSE)), now)
    assert (receipt.status, receipt.error.code) == ("conflict", "kept_contested")
    assert [slow.plays[play.pk].state for play in plays] == ["disputed", "annulled"]
    late = here_of(one)
    call_position(session_id=session.pk, position=1, by=director, now=now)
    receive(late, "phone-one", command("check", **checked(one)), now)
    assert late.table.session.position == 1


def test_of_two_devices_that_join_at_once_one_writes(session, plays):
    now, slow = timezone.now(), here_of(plays[0])
    receive(here_of(plays[0]), "phone-one", command("join"), now)
    receive(slow, "phone-two", command("join"), now)
    assert [(one.label, one.writes) for one in slow.devices.values()] == [("Table 1 · 1", True), ("Table 1 · 2", False)]


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("tables", [1, 40, 150])
def test_joining_and_entering_cost_the_same_queries_in_any_hall(db, tables, django_assert_num_queries):
    session = started_session(tables=tables, positions=1, etuis_per_position=3)
    enter_all(
        session,
        by=make_director(session.tournament.club),
        plays=session.plays.filter(etui__number=1).select_related("etui"),
    )
    first, second = session.plays.filter(table__number=1, entries=None).select_related("etui")[:2]
    phone = Phone(tokens_of(session)[1])
    phone.get()
    with django_assert_num_queries(15):
        phone.send("join")
    with django_assert_num_queries(23):  # a start locks its play, as an entry does
        phone.post(command("start", play=first), command("enter", **entry_of(first)))
    with django_assert_num_queries(16):
        phone.send("check", **checked(first))
    with django_assert_num_queries(23):  # a start locks its play, as an entry does
        phone.post(command("start", play=second), command("enter", **entry_of(second)))


def test_play_that_is_no_longer_at_the_table_is_refused(session, plays):
    elsewhere = session.plays.exclude(table=plays[0].table).first()
    with pytest.raises(ActionRefused) as refused:
        here_of(plays[0]).lock(elsewhere)
    assert refused.value.code == "play_gone"
