"""The archive of a tournament with étuis for three or five: brought into another club, it has the same figures."""

import io

import pytest
from django.utils import timezone

from archives.archive.contents import WITH_FREE_DEALS
from archives.archive.packing import unpack_archive
from evenings.standings.computing import compute
from rankings.careers import keeping
from rankings.publication.publishing import SESSIONS
from tests.archives.archive.packed import bring, export
from tests.etui_games import make_etui_tournament, play_etuis, start_etui_session
from tests.factories import make_club, make_director
from tournaments.models import Appearance
from tournaments.versions import DirectorWord

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("story")]


@pytest.mark.parametrize("size", [3, 5])
def test_archive_is_brought_back_with_the_same_bytes_and_figures(size):
    club, now = make_club(), timezone.now()
    by = make_director(club)
    session = start_etui_session(size, 3, by=by, tournament=make_etui_tournament(size, club))
    play_etuis(session, by)
    SESSIONS.publish(session.pk, DirectorWord(by, now))
    packed = export(session.tournament, cards_for=by, by=by)
    assert unpack_archive(io.BytesIO(packed)).version == WITH_FREE_DEALS
    away = make_club("ailleurs", "Club d’ailleurs")
    other = make_director(away, "autre")
    brought = bring(packed, away, by=other).sessions.get()
    assert export(brought.tournament, cards_for=other, by=other) == packed
    assert brought.deal_set.players == size
    figures = [
        [(player["overall"], player["rank_general"]) for player in compute(pk).figures["players"]]
        for pk in (session.pk, brought.pk)
    ]
    assert figures[0] == figures[1]
    assert [row.partner for row in play_rows(session)] == [row.partner for row in play_rows(brought)]
    careers = [list_careers(pk) for pk in (session.pk, brought.pk)]
    assert careers[0] == careers[1]
    assert len(careers[0]) == 3 * size


def list_careers(pk):
    keeping.refresh(pk)
    rows = Appearance.objects.filter(session=pk).values_list(
        "rank", "overall", "deals", "figures__size", "figures__den"
    )
    return sorted(rows)


def play_rows(session):
    plays = session.plays.order_by("position", "etui__number", "table__number").prefetch_related("entries")
    return [entry for play in plays for entry in play.entries.all() if entry.current]
