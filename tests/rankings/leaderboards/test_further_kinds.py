"""The kinds of play that another app adds to the leaderboards, without an import by this one."""

import datetime as dt
import zipfile
from decimal import Decimal

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from archives.privacy.export import write_export
from archives.privacy.whom import whom_of_account
from clubs.accounts.players import tie
from clubs.models import Player
from jobs import tasks
from rankings.leaderboards.boards import BoardSession, BoardSource, board_sources, register_board_source
from rankings.leaderboards.ratings import RatedFigures
from tests.factories import make_user
from tests.pages.reading import words
from tournaments.models import LeaderboardRow, PersonRating

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
    del board_sources["other"]


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


@pytest.mark.nightly("story")
def test_lists_of_sessions_stay_what_they_were(session, again, cafes):
    before = sorted(LeaderboardRow.objects.filter(board__kind="imposed").values_list("measure", "person", "figure"))
    again()
    after = sorted(LeaderboardRow.objects.filter(board__kind="imposed").values_list("measure", "person", "figure"))
    assert before == after
    assert before


@pytest.mark.nightly("story")
def test_stored_rows_of_a_kind_that_no_app_registers_any_more_break_nothing(session, again, cafes, client):
    first, _second = cafes
    user, director = make_user("joueuse"), session.tournament.club.memberships.get().user
    tie(first, user, by=director, now=timezone.now())
    again()
    source = board_sources.pop("other")
    try:
        assert LeaderboardRow.objects.filter(board__kind="other").exists()
        assert PersonRating.objects.filter(kind="other").exists()
        assert "In cafés" not in words(client.get(reverse("leaderboards"), {"game": "other"}))
        assert "In cafés" not in words(client.get(reverse("player", args=[first.pk])))
        slug = first.club.slug
        for name, place in (
            ("leaderboards_file", []),
            ("club_leaderboards", [slug]),
            ("club_leaderboards_file", [slug]),
        ):
            assert client.get(reverse(name, args=place), {"game": "other", "by": "rating"}).status_code == 200
        for name, place in (("api_leaderboards", []), ("api_club_leaderboards", [slug])):
            assert "other" not in client.get(reverse(name, args=place)).json()["games"]
            assert client.get(reverse(name, args=place), {"game": "other"}).status_code in (200, 400)
        with write_export(whom_of_account(user), told="", now=timezone.now()) as made, zipfile.ZipFile(made) as file:
            assert file.namelist()
        tasks.sweep_publications()
        assert again()
        assert not LeaderboardRow.objects.filter(board__kind="other").exists()
        assert not PersonRating.objects.filter(kind="other").exists()
        call_command("leaderboards")
    finally:
        register_board_source(source)


@pytest.mark.nightly("story")
@pytest.mark.parametrize("kind", ["imposed", "other", "", "ninechars"])
def test_name_that_is_taken_or_too_long_is_refused(cafes, kind):
    source = BoardSource(kind=kind, title="x", names_taker=True, read_sessions=list, read_basis=list)
    with pytest.raises(ValueError, match="further kind"):
        register_board_source(source)
