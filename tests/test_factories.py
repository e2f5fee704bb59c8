"""What the tests' evenings are made of is what the services make."""

import pytest

from tests.factories import enter, enter_all, make_director, started_session
from tournaments.models import LogEntry, ResultEntry, Session

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
