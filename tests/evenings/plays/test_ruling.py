"""The director's rulings: étuis annulled and split, disputes settled, calls answered, directors who play."""

import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evenings.plays import ruling
from evenings.plays.entering import SentEntry, enter_result
from evenings.plays.entries import entry_of, state_of_result
from evenings.plays.state import PlayState
from evenings.standings import computing
from tests import shared_evenings
from tests.factories import enter, garde, started_session
from tournaments.errors import ActionRefused, Conflict
from tournaments.models import ArbiterCall, EntryCheck, EtuiRuling, LogEntry, Play, Ruling, Session

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return started_session().pk


play = shared_evenings.first_play


@pytest.fixture
def said(session, director):
    """Return the arguments that every service here takes: the session, who rules, why and when."""
    return {"session_id": session.pk, "by": director, "reason": "Étui mal refait", "now": timezone.now()}


def actions(session):
    return list(
        LogEntry.objects.filter(session=session)
        .exclude(action__startswith="plan")
        .exclude(action="started")
        .order_by("id")
        .values_list("action", flat=True)
    )


def version_of(session):
    return Session.objects.get(pk=session.pk).results_version


def from_table(play, points=49):
    """Enter a result from the table's own device."""
    entry = garde(play.etui.taker, points=points)
    return enter_result(play_id=play.pk, entry=entry, now=timezone.now(), sent=SentEntry("Table 1", uuid.uuid4(), "N"))


def rows(play):
    return list(play.entries.prefetch_related("checks").order_by("version"))


# Étuis


@pytest.mark.nightly("process")
def test_annulled_etui_counts_for_nobody_until_it_is_restored(session, director, said):
    for play in session.plays.select_related("etui"):
        enter(play, by=director)
    before = computing.compute(session.pk).data["counts"]["scored"]
    ruling.annul_etui(etui=1, **said)
    assert computing.compute(session.pk).data["counts"] == {
        "scored": before - 5, "missing": 0, "annulled": 5, "not_played": 0,
    }  # fmt: skip
    ruling.restore_etui(etui=1, **said)
    assert computing.compute(session.pk).data["counts"]["scored"] == before


def test_split_etui_is_topped_apart_before_and_after(session, director, said):
    plays = list(session.plays.filter(etui__number=1).select_related("etui").order_by("position"))
    for play, points in zip(plays, (50, 45, 60, 55, 70), strict=True):
        enter(play, garde(play.etui.taker, points=points), by=director)

    def notes():
        data = computing.compute(session.pk).data["plays"]
        return [data[str(play.pk)]["notes"][play.etui.taker] for play in plays]

    assert notes() == ["25", "0", "75", "50", "100"]
    ruling.split_etui(etui=1, from_position=3, **said)
    assert notes() == ["100", "0", "50", "0", "100"]


def test_ruling_on_an_etui_said_twice_is_one_row_and_one_line_of_the_log(session, said):
    before = version_of(session)
    first, second = ruling.annul_etui(etui=2, **said), ruling.annul_etui(etui=2, **said)
    assert (first, version_of(session), actions(session)) == (second, before + 1, ["etui_annulled"])
    assert ruling.split_etui(etui=2, from_position=2, **said) != ruling.split_etui(etui=2, from_position=3, **said)
    ruling.restore_etui(etui=2, **said)
    assert ruling.restore_etui(etui=2, **said) is None
    assert [row.kind for row in EtuiRuling.objects.all()] == ["annulled", "split", "split", "restored"]


def test_ruling_on_an_etui_keeps_its_article_and_yields_to_one_made_meanwhile(session, said):
    first = ruling.annul_etui(etui=2, article="R.14", seen_ruling=0, **said)
    assert (first.article, session.log.filter(words__contains="R.14").count()) == ("R.14", 1)
    with pytest.raises(Conflict, match="ruled_meanwhile"):
        ruling.split_etui(etui=2, from_position=2, seen_ruling=0, **said)
    # the ruling is the one that exists, so nothing conflicts
    assert ruling.annul_etui(etui=2, seen_ruling=0, **said) == first
    assert ruling.restore_etui(etui=2, seen_ruling=first.pk, **said).kind == "restored"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"etui": 99, "from_position": 2}, "etui_unknown"),
        ({"etui": 1, "from_position": 1}, "split_position"),
        ({"etui": 1, "from_position": 6}, "split_position"),
        ({"etui": 1, "from_position": 2, "reason": " "}, "reason_missing"),
    ],
)
def test_split_that_cannot_be_is_refused(session, said, given, code):
    with pytest.raises(ActionRefused) as refused:
        ruling.split_etui(**(said | given))
    assert (refused.value.code, EtuiRuling.objects.count()) == (code, 0)


def test_etui_is_parted_where_it_is_played_again(session, said):
    session.plays.filter(etui__number=1, position=3).delete()
    assert ruling.split_positions(ruling.plays_of(session, 1)) == [2, 4, 5]
    with pytest.raises(ActionRefused) as refused:
        ruling.split_etui(etui=1, from_position=3, **said)
    assert refused.value.params == {"positions": "2, 4, 5"}
    assert ruling.split_etui(etui=1, from_position=4, **said).from_position == 4


@pytest.mark.parametrize(
    ("played", "allowed"),
    [([1, 2, 4], [2, 4]), ([1, 1, 3], [1, 3]), ([1, 1, 1], [1]), ([2, 3, 3], [3]), ([5], []), ([], [])],
)
def test_split_may_begin_where_one_play_is_before_it(played, allowed):
    assert ruling.split_positions([Play(position=position) for position in played]) == allowed


# Disputes


def test_director_confirms_what_a_table_disputes(play, director):
    row = from_table(play)
    EntryCheck.objects.create(entry=row, agrees=False, seat="E", device="Table 1", checked_at=timezone.now())
    assert state_of_result(rows(play)) == PlayState.DISPUTED
    word = {"play_id": play.pk, "seen_version": 1, "by": director, "now": timezone.now()}
    first = ruling.confirm_result(**word)
    assert (ruling.confirm_result(**word), state_of_result(rows(play))) == (first, PlayState.CONFIRMED)
    assert [line.params["version"] for line in play.session.log.filter(action="director_confirmed")] == [1]


def test_result_that_is_not_there_is_not_confirmed(play, director):
    with pytest.raises(ActionRefused) as refused:
        ruling.confirm_result(play_id=play.pk, seen_version=1, by=director, now=timezone.now())
    assert (refused.value.code, EntryCheck.objects.count()) == ("nothing_to_check", 0)


def test_director_takes_the_contested_version(play, director):
    from_table(play, points=49)
    contested = from_table(play, points=55)
    assert state_of_result(rows(play)) == PlayState.DISPUTED
    now = timezone.now()
    taken = ruling.take_contested(
        play_id=play.pk, version=contested.version, seen_version=1, reason="Fiche relue", by=director, now=now
    )
    assert (taken.version, taken.current, entry_of(taken)) == (3, True, garde(play.etui.taker, points=55))
    assert state_of_result(rows(play)) == PlayState.CONFIRMED


def test_confirming_another_version_than_the_one_that_counts_is_a_conflict(play, director):
    from_table(play)
    with pytest.raises(Conflict):
        ruling.confirm_result(play_id=play.pk, seen_version=2, by=director, now=timezone.now())
    with pytest.raises(ActionRefused) as refused:
        ruling.take_contested(play_id=play.pk, version=1, seen_version=1, reason="x", by=director, now=timezone.now())
    assert (refused.value.code, EntryCheck.objects.count()) == ("version_unknown", 0)


# Calls, and directors who play


def test_call_is_answered_once(session, director, play):
    call = ArbiterCall.objects.create(session=session, table=play.table, key=uuid.uuid4(), called_at=timezone.now())
    for _ in range(2):
        answered = ruling.answer_call(session_id=session.pk, call_id=call.pk, by=director, now=timezone.now())
    assert (answered.answered_by, actions(session)) == (director, ["call_answered"])
    assert session.log.get(action="call_answered").params == {"table": play.table.number}
    with pytest.raises(ActionRefused):
        ruling.answer_call(session_id=session.pk, call_id=0, by=director, now=timezone.now())


def test_declaring_and_lifting_are_logged_once_each(session, director):
    entrant = session.entrants.first()
    word = {"session_id": session.pk, "by": director, "now": timezone.now()}
    for _ in range(2):
        playing = ruling.declare_playing(entrant_id=entrant.pk, **word)
        assert (playing.entrant, playing.lifted_at) == (entrant, None)
    with pytest.raises(ActionRefused) as refused:
        ruling.declare_playing(entrant_id=0, **word)
    assert refused.value.code == "entrant_unknown"
    for _ in range(2):
        with CaptureQueriesContext(connection) as asked:
            playing = ruling.lift_hiding(**word)
        assert any('FOR NO KEY UPDATE OF "tournaments_session"' in one["sql"] for one in asked)
        assert playing.lifted_at is not None
    assert actions(session) == ["director_plays", "hiding_lifted"]


def test_nothing_is_ruled_before_the_start(session, said):
    Session.objects.filter(pk=session.pk).update(status="draft", started_at=None)
    with pytest.raises(ActionRefused) as refused:
        ruling.annul_etui(etui=1, **said)
    assert refused.value.code == "session_not_started"
    assert not Ruling.objects.exists()
