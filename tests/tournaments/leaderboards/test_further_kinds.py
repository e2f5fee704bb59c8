"""The kinds of play that another app adds to the leaderboards, without an import by this one."""

import datetime as dt
from decimal import Decimal

import pytest
from django.urls import reverse

from clubs.models import Player
from tests.tournaments.pages import words
from tournaments.leaderboards.kinds import BoardSession, BoardSource, board_sources, register_board_source
from tournaments.leaderboards.ratings import RatedFigures
from tournaments.models import LeaderboardRow

pytestmark = pytest.mark.django_db


@pytest.fixture
def cafes(session):
    """Register a kind of play in cafés: one evening of two players, of no club."""
    first, second = Player.objects.order_by("pk")[:2]

    def read_sessions():
        # the player, deals, tops, the denominator, then deals and notes of attack, defence and unknown takers
        players = [[first.pk, 120, 3, 1, 30, 1800, 90, 4500, 0, 0], [second.pk, 120, 1, 1, 30, 1500, 90, 4700, 0, 0]]
        return [BoardSession(1, 0, "other", dt.date(2026, 11, 2), players)]

    def rate(people):
        figures = {first: "1.50", second: "-1.50"}
        return {
            people.find_person(player.pk): RatedFigures(
                player.pk, Decimal(figure), None, None, Decimal("0.5"), 1, 120, first.person_id
            )
            for player, figure in figures.items()
        }

    source = BoardSource(
        kind="other", title="In cafés", names_taker=True, read_sessions=read_sessions, read_basis=lambda: [1], rate=rate
    )
    register_board_source(source)
    yield first, second
    board_sources.remove("other")


def test_registered_kind_has_lists_of_its_own(cafes, again, client):
    first, second = cafes
    assert again()
    rows = LeaderboardRow.objects.filter(board__kind="other", board__period="all", measure="rating", board__club=None)
    assert list(rows.order_by("position").values_list("player", flat=True)) == [first.pk, second.pk]
    assert not LeaderboardRow.objects.filter(board__kind="other").exclude(board__club=None).exists()
    page = words(client.get(reverse("leaderboards"), {"game": "other"}))
    assert "In cafés" in page
    assert f"1 {first.name}" in page
    assert "In cafés" in words(client.get(reverse("leaderboards"), {"game": "other", "by": "tops"}))
    assert "In cafés" in words(client.get(reverse("player", args=[first.pk])))
    assert client.get(reverse("leaderboards_file"), {"game": "other"}).status_code == 200


def test_lists_of_sessions_stay_what_they_were(session, again, cafes):
    before = sorted(LeaderboardRow.objects.filter(board__kind="imposed").values_list("measure", "person", "figure"))
    again()
    after = sorted(LeaderboardRow.objects.filter(board__kind="imposed").values_list("measure", "person", "figure"))
    assert before == after
    assert before


@pytest.mark.parametrize("kind", ["imposed", "other", "", "ninechars"])
def test_name_that_is_taken_or_too_long_is_refused(cafes, kind):
    source = BoardSource(kind=kind, title="x", names_taker=True, read_sessions=list, read_basis=list)
    with pytest.raises(ValueError, match="further kind"):
        register_board_source(source)
