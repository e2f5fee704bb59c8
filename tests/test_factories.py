"""The evenings that the tests make: they have the rows that the services write."""

import pytest
from django.db import transaction

from clubs.models import Club, Membership, User
from tests import again
from tests.factories import (
    draft_session,
    enter,
    enter_all,
    make_club,
    make_director,
    make_tournament,
    published_session,
    started_session,
)
from tournaments.models import LogEntry, ResultEntry, Session, Tournament

pytestmark = pytest.mark.django_db


def written(session: Session) -> tuple[list[dict[str, object]], list[dict[str, object]], int]:
    entries = ResultEntry.objects.filter(play__session=session).order_by("pk").values()
    lines = LogEntry.objects.filter(session=session, action="entered").order_by("pk").values()
    session.refresh_from_db()
    own = {"id", "entered_at", "at"}
    return (
        [{name: value for name, value in row.items() if name not in own} for row in entries],
        [{name: value for name, value in row.items() if name not in own} for row in lines],
        session.results_version,
    )


@pytest.mark.nightly("race")
def test_results_written_at_once_are_those_entered_one_by_one():
    session = started_session(tables=5, positions=2, etuis_per_position=2)
    director, version = make_director(session.tournament.club), session.results_version
    plays = session.plays.select_related("etui").order_by("pk")
    for play in plays:
        enter(play, by=director)
    one_by_one = written(session)
    ResultEntry.objects.all().delete()
    LogEntry.objects.filter(action="entered").delete()
    Session.objects.update(results_version=version)
    enter_all(session, by=director, plays=plays)
    at_once = written(session)
    assert at_once == one_by_one
    assert len(at_once[0]) == 20


@pytest.mark.nightly("story")
@pytest.mark.parametrize("make", [draft_session, started_session, published_session])
def test_evening_written_again_has_the_rows_of_the_first(make, monkeypatch):
    """Compare the rows of every table, with the ids of club, tournament and author set to the new ones."""
    monkeypatch.setattr(again, "kept", {})
    evenings = []
    for _ in range(2):
        with transaction.atomic():
            club = make_club()
            session = make(make_tournament(club), tables=5, positions=2)
            assert session.tournament.club == club
            author = session.publications.values_list("published_by", flat=True).first()
            whose = {Club: club.pk, Tournament: session.tournament_id, User: author}
            written = set(again.models()) - {Club, Tournament, User, Membership}
            evenings.append(
                (session.pk, {model: again.MOMENT.sub(b"", again.read(model, 0, whose)) for model in written})
            )
            transaction.set_rollback(True)
    first, second = evenings
    assert first == second
    assert len(again.kept) > 0
