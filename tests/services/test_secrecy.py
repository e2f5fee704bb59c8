"""The messages of the queue, and the logs of site and worker: they contain no card and no seed."""

import base64
import json
import logging

import pytest

from tests.factories import SEED, enter, make_director, publish, started_session
from tests.services.waiting import wait_until
from tournaments.models import Session, SessionStandings

pytestmark = pytest.mark.nightly("race")


def secrets_of(session):
    hands = [hand for etui in session.deal_set.etuis.all() for hand in etui.cards.split()]
    return [SEED.hex(), *(hand for hand in hands if len(hand) > 12)]


def messages(redis_server):
    for raw in redis_server.client.lrange("standings", 0, -1):
        message = json.loads(raw)
        yield f"{message['headers']} {base64.b64decode(message['body']).decode()}"


def fresh(session):
    kept = SessionStandings.objects.get(pk=session.pk)
    return kept.results_version == Session.objects.get(pk=session.pk).results_version


def test_queue_and_logs_tell_no_card_and_no_seed(redis_server, start_worker, caplog):
    caplog.set_level(logging.DEBUG)
    session = started_session(cards=True)
    director = make_director(session.tournament.club)
    for play in session.plays.select_related("etui"):
        enter(play, by=director)
    publish(session, by=director)
    queued = list(messages(redis_server))
    assert len(queued) == 1  # all results share one job
    worker = start_worker()
    wait_until(lambda: fresh(session), what="fresh standings")
    told = "\n".join([*queued, caplog.text, worker.log()])
    assert "jobs.tasks.compute_standings" in told
    assert [secret for secret in secrets_of(session) if secret in told] == []
