"""The state that a table's screen predicts for a play before the site answers: it equals the site's own state."""

import json

import pytest
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from evenings.plays.adjusting import adjust_play
from evenings.plays.entering import annul_play, not_played
from evenings.plays.state import AT_THE_TABLE, WAITED_FOR, PlayState
from tests.evenings.tables.phones import Device, tokens_of
from tests.factories import garde, make_director, started_session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]

SEEN = """async (text) => {
    const { isOpen, seen } = await import("/static/table/state/model.js");
    return JSON.parse(text).map(([play, commands]) => [seen(play, commands).state, isOpen(play, commands)]);
}"""
ALWAYS = [()]
OF_OPEN = [("start",), ("not_played",), ("not_played", "undo_not_played"), ("start", "not_played", "undo_not_played")]
OF_NOT_PLAYED = [("undo_not_played",)]


def test_screen_foresees_the_state_that_the_site_will_tell(phone):
    session = started_session(positions=1, etuis_per_position=len(PlayState) + 2)
    tokens_of(session)
    device = Device(session.tables.get(number=1))
    device.send("join")
    director, states = make_director(session.tournament.club), [*PlayState, PlayState.NOT_PLAYED, PlayState.LATER]
    plays = list(session.plays.filter(table=device.table).select_related("etui"))
    for play, state, again in zip(plays, states, [False] * len(PlayState) + [True, True], strict=True):
        if again:
            device.send("start", play=play)
        put(device, play, state, director)
    asked, told = [], []
    for before in device.state()["stops"][0]["plays"]:
        for deeds in (
            ALWAYS + OF_OPEN * (before["state"] in WAITED_FOR) + OF_NOT_PLAYED * (before["state"] == "not_played")
        ):
            with transaction.atomic():
                assert all(device.send(deed, play=before["id"]).status == "received" for deed in deeds)
                state = device.play(before["id"])["state"]
                transaction.set_rollback(True)
            asked.append((before, [{"kind": deed, "play": before["id"]} for deed in deeds]))
            told.append([state, state in WAITED_FOR])
    phone.goto(reverse("rules"))
    assert phone.evaluate(SEEN, json.dumps(asked)) == told
    assert {state for state, _ in told} == set(PlayState)


def put(device, play, state, director):
    """Bring a play that has not begun into this state."""
    ruled = {"play_id": play.pk, "by": director, "now": timezone.now()}
    if state == PlayState.STARTED:
        device.send("start", play=play)
    elif state == PlayState.ANNULLED:
        annul_play(reason="x", **ruled)
    elif state == PlayState.ADJUSTED:
        adjust_play(notes={"N": "60"}, reason="x", **ruled)
    elif state in (PlayState.NOT_PLAYED, PlayState.LATER):
        not_played(later=state == PlayState.LATER, **ruled)
    elif state not in AT_THE_TABLE:
        taker, facing = play.etui.taker, "N" if play.etui.taker != "N" else "E"
        device.send("enter", play=play, entry=garde(taker), seat=taker)
        if state != PlayState.ENTERED:
            device.send("check", play=play, version=1, seat=facing, agrees=state == PlayState.CONFIRMED)
