"""The championships with étuis for three or five: percentages and ranks count, and pages say what they are."""

from fractions import Fraction

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from rankings.publication.publishing import SESSIONS
from rankings.series.choosing import choose_events
from rankings.series.computing import figure_series, refresh_series
from scoring.series import PointRules, PointScale, give_points
from tests.etui_games import play_etuis
from tests.factories import DATE
from tests.pages.browsing import browser_of
from tests.rankings.series.seasons import hold, make_series, name_players, thursdays
from tournaments.versions import DirectorWord

OTHERS = {"Ada": 60, "Bob": 55, "Cyr": 50, "Dan": 40}
SAID = {3: ("at three", "à trois"), 5: ("at five", "à cinq")}
NO_FORM = "The federation has no such form: leave these evenings out of a championship that it homologates"
pytestmark = [pytest.mark.django_db, pytest.mark.nightly("story")]


@pytest.fixture
def evenings(evening):
    """Return a published evening, its data and director, beside an evening at four of other players of the club."""
    session, by = evening
    play_etuis(session, by)
    data = SESSIONS.publish(session.pk, DirectorWord(by, timezone.now())).data
    club = session.tournament.club
    players = name_players(club, *OTHERS)
    hold(thursdays(club), DATE, dict(zip(players, OTHERS.values(), strict=True)))
    return session, data, by


def totals(series):
    data = figure_series(series, choose_events(series))
    return {row["player"]: Fraction(row["total"]) for row in data["players"]}


def overall_of(data):
    return {row["player"]: Fraction(row["overall"]) for row in data["players"]}


def test_percentages_count_beside_those_of_four(evenings):
    session, data, by = evenings
    found, mine = totals(make_series(session.tournament.club, by)), overall_of(data)
    assert {who: found[who] for who in mine} == mine
    assert sorted(found[who] for who in found.keys() - mine.keys()) == sorted(map(Fraction, OTHERS.values()))


@pytest.mark.parametrize("ranks", ["alterne", "general"])
def test_ranks_of_the_one_ranking_give_points(evenings, ranks):
    session, data, by = evenings
    found = totals(make_series(session.tournament.club, by, brings="places", ranks=ranks))
    points = give_points({row["player"]: row["rank_general"] for row in data["players"]}, PointRules(PointScale.PLACES))
    assert {who: found[who] for who in points} == points


def test_whole_tournament_brings_the_percentages(evenings):
    session, data, by = evenings
    found, mine = totals(make_series(session.tournament.club, by, chooses="tournaments")), overall_of(data)
    assert {who: found[who] for who in mine} == mine


def test_rule_may_choose_only_these_evenings_or_none_of_them(evenings):
    session, data, by = evenings
    club, format = session.tournament.club, session.tournament.format
    assert totals(make_series(club, by, format=format)) == overall_of(data)
    found = totals(make_series(club, by, title="À quatre", format="individual"))
    assert not found.keys() & overall_of(data).keys()


def test_pages_say_at_how_many_and_that_the_federation_has_no_such_form(evenings):
    session, data, by = evenings
    club, size = session.tournament.club, session.deal_set.players
    series = make_series(club, by)
    refresh_series(series.pk, now=timezone.now())
    place, english, french = [club.slug, series.slug], *SAID[size]
    player = reverse("series_player", args=[*place, data["players"][0]["player"]])
    for reader, url in (
        (Client(), reverse("series", args=place)),
        (browser_of(by), reverse("series_events", args=place)),
        (Client(), player),
    ):
        page = reader.get(url, headers={"accept-language": "en"}).content.decode().split("<main", 1)[1]
        assert english in page, url
        assert (NO_FORM in page) == (url != player)
        page = reader.get(url, headers={"accept-language": "fr"}).content.decode().split("<main", 1)[1]
        assert french in page, url
    told = Client().get(f"/api/v1/clubs/{club.slug}/series/{series.slug}/", headers={"accept-language": "en"}).json()
    assert sorted((event["table_size"] or 4) for event in told["events"]) == sorted((size, 4))
    assert NO_FORM in told["rules"]
    file = Client().get(reverse("series_file", args=place), headers={"accept-language": "en"}).content.decode()
    assert f"Étuis, {english} " in file


def test_championship_of_evenings_at_four_says_nothing_of_it(evenings):
    session, _data, by = evenings
    series = make_series(session.tournament.club, by, format="individual")
    refresh_series(series.pk, now=timezone.now())
    page = Client().get(reverse("series", args=[session.tournament.club.slug, series.slug])).content.decode()
    assert NO_FORM not in page
    told = Client().get(f"/api/v1/clubs/{session.tournament.club.slug}/series/{series.slug}/").json()
    assert [event["table_size"] for event in told["events"]] == [None]
