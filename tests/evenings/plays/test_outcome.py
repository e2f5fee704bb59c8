"""The published results of a session for the hall: the newest version, the rank that counts, and the unit."""

from fractions import Fraction

import pytest
from django.utils import timezone

from evenings.plays.common import SessionOutcome, read_outcome
from scoring.formats import INDIVIDUAL, QUADRETTES
from tests.factories import started_session
from tournaments.models import Publication
from tournaments.reports.session import RankedPlayer

Status = Publication.PublicationStatus


def rank(pk, general=None, alterne=None, **more):
    return RankedPlayer(id=pk, line="N", number=pk, rank_general=general, rank_alterne=alterne, **more)


BOTH = {1: rank(1, 2, 3), 2: rank(2, None, 1), 3: rank(3, 1, None), 4: rank(4)}


@pytest.mark.parametrize(("reference", "ids"), [("rank_general", [3, 1]), ("rank_alterne", [2, 1])])
def test_players_with_a_rank_come_in_its_order(reference, ids):
    outcome = SessionOutcome(1, Status.OFFICIAL, BOTH, reference)
    assert [player.id for player in outcome.players] == ids
    assert [outcome.rank(player) for player in BOTH.values()] == [getattr(each, reference) for each in BOTH.values()]


@pytest.mark.parametrize(
    ("status", "public"), [(Status.PROVISIONAL, True), (Status.OFFICIAL, True), (Status.WITHDRAWN, False)]
)
def test_only_a_withdrawn_version_is_not_public(status, public):
    assert SessionOutcome(1, status, {}, "rank_general").is_public is public


def store(session, version, players, status=Status.OFFICIAL, form=None):
    """Store a version of the standings that has these players."""
    data = {"players": players} | ({"form": form.name} if form else {})
    Publication.objects.create(
        session=session, version=version, status=status, data=data, reason="x", published_at=timezone.now(),
        results_version=1, digest=str(version),
    )  # fmt: skip


def row(pk, general, alterne=None):
    ranks = {"rank_general": general} | ({"rank_alterne": alterne} if alterne else {})
    return {"id": pk, "line": "N", "number": pk, "overall": "101/2"} | ranks


@pytest.mark.django_db
def test_newest_version_counts_and_another_session_has_none():
    session = started_session()
    assert read_outcome(session.pk) is None
    store(session, 1, [row(1, 1, 2), row(2, 2, 1)])
    store(session, 2, [row(7, 1, 1)], status=Status.PROVISIONAL)
    found = read_outcome(session.pk)
    assert (found.version, found.status, [*found.by_entrant]) == (2, Status.PROVISIONAL, [7])
    assert read_outcome(session.pk + 1) is None


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("sessions", "alterne", "reference"),
    [(1, 2, "rank_alterne"), (1, None, "rank_general"), (2, 2, "rank_general"), (2, None, "rank_general")],
)
def test_lines_are_ranked_apart_only_in_a_tournament_of_one_session_with_lines(sessions, alterne, reference):
    session = started_session()
    for _other in range(1, sessions):
        started_session(session.tournament)
    store(session, 1, [row(1, 2, alterne)])
    assert read_outcome(session.pk).reference == reference


@pytest.mark.django_db
@pytest.mark.parametrize("form", [None, QUADRETTES])
def test_total_has_the_unit_of_the_format(form):
    session = started_session()
    store(session, 1, [row(1, 1)], form=form)
    total = read_outcome(session.pk).by_entrant[1].overall
    assert (type(total), total) == (type((form or INDIVIDUAL).measure(Fraction(101, 2))), Fraction(101, 2))
