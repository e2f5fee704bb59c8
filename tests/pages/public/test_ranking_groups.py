"""The rankings of the federation's series and of the ladies, beside those by age: who is in which of them."""

import re

import pytest
from django.test import Client

from clubs.editing import edit_player
from clubs.models import Person, Player, Visibility
from clubs.players import raise_names_version
from pages.doors import session_url
from rankings.events import publishing
from registration.people.merging import merge_players, preview_merge, undo_merge
from tests.factories import make_club, make_director, make_tournament, published_session
from tests.pages.browsing import browser_of, fields
from tests.pages.public.test_tournament import address as of_tournament
from tests.pages.public.test_tournament import say
from tests.pages.reading import read, words
from tests.rankings.events.several import published_sessions

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def session(rows_of_the_file):
    return published_session()


@pytest.fixture
def reader():
    return Client(headers={"Accept-Language": "en"})


def give(session, **groups):
    """Give the values of each group to as many players, one after the other."""
    players = session.entrants.order_by("pk").values_list("player", flat=True)
    for field, values in groups.items():
        for pk, value in zip(players, values, strict=False):
            Player.objects.filter(pk=pk).update(**{field: value})
    raise_names_version(session.tournament.club_id)


def titles(page):
    return re.findall(r"<h2>([\w ]+)</h2>", page.content.decode())


def ranking(session):
    return session_url("ranking", session)


@pytest.mark.nightly("story")
def test_series_and_ladies_are_ranked_among_themselves_beside_the_ages(session, reader):
    before = reader.get(ranking(session)).content
    series = ["promotion"] * 3 + ["2"] * 4 + ["1"] * 3 + ["3"] * 2
    give(session, series=series, ladies=["ladies"] * 5, category=["veteran"] * 3)
    page = reader.get(ranking(session), {"by": "category"})
    assert titles(page) == ["Veteran", "Series 1", "Series 2", "Promotion", "Ladies"]
    rows = [row for row in read(page).rows if row[0] != "Rank"]
    assert len(rows) == 3 + 3 + 4 + 3 + 5  # some players are in several
    ladies = rows[-5:]
    general = [int(row[3]) for row in ladies]
    assert general == sorted(general)
    assert [int(row[0].split()[0]) for row in ladies] == [sum(one < each for one in general) + 1 for each in general]
    french = Client(headers={"Accept-Language": "fr"}).get(ranking(session), {"by": "category"})
    assert titles(french) == ["Vétéran", "1re série", "2e série", "Promotion", "Dames"]
    give(session, series=[""] * 12, ladies=[""] * 5, category=[""] * 3)
    assert reader.get(ranking(session)).content == before


def test_who_is_hidden_is_in_none_of_them(session, reader):
    give(session, series=["4"] * 4, ladies=["ladies"] * 4)
    first = Player.objects.get(pk=session.entrants.order_by("pk").first().player_id)
    Person.objects.filter(pk=first.person_id).update(shown=Visibility.HIDDEN)
    raise_names_version(session.tournament.club_id)
    page = reader.get(ranking(session), {"by": "category"})
    assert titles(page) == ["Series 4", "Ladies"]
    assert "Hidden player" not in words(page)


def test_two_of_a_series_have_no_ranking_and_no_link(session, reader):
    give(session, series=["1", "1"], ladies=["ladies"] * 2)
    assert "?by=category" not in reader.get(ranking(session)).content.decode()


@pytest.mark.nightly("story")
def test_ranking_of_a_tournament_has_them_too(reader):
    tournament = make_tournament(make_club("autre"))
    director = make_director(tournament.club, "autre")
    one, _other = published_sessions(tournament, by=director)
    say(publishing.TOURNAMENTS.publish, tournament, director)
    give(one, series=["3"] * 3, ladies=["ladies"] * 3)
    assert titles(reader.get(of_tournament(tournament), {"by": "category"})) == ["Series 3", "Ladies"]


def test_director_gives_them_on_the_player_s_page_and_a_merge_brings_them(session):
    club = session.tournament.club
    director = make_director(club, "fiche")
    browser, player = browser_of(director), session.entrants.order_by("pk").first().player
    url = f"/clubs/{club.slug}/players/{player.pk}/"
    given = fields(browser.get(url)) | {"series": "2", "ladies": "ladies", "action": "save"}
    assert browser.post(url, given).status_code == 302
    player.refresh_from_db()
    assert (player.series, player.ladies) == ("2", "ladies")
    assert "Series 7" not in words(browser.post(url, given | {"series": "7"}))
    player.refresh_from_db()
    assert player.series == "2"
    twin = Player.objects.create(club=club, person=Person.objects.create(), last_name="Jumelle", category="senior")
    assert preview_merge(twin, player).gained == {"series": "2", "ladies": "ladies"}
    page = browser.get(f"/clubs/{club.slug}/players/{twin.pk}/merge/{player.pk}/")
    assert "series 2" in words(page)
    said = {"by": director, "now": player.club.created_at}
    made = merge_players(club=club, kept_id=twin.pk, gone_id=player.pk, **said)
    twin.refresh_from_db()
    assert (twin.category, twin.series, twin.ladies) == ("senior", "2", "ladies")
    undo_merge(club=club, merge_id=made.pk, **said)
    twin.refresh_from_db()
    assert (twin.category, twin.series, twin.ladies) == ("senior", "", "")


def test_what_is_not_given_stays(session):
    club, player = session.tournament.club, session.entrants.order_by("pk").first().player
    director = make_director(club, "partie")
    edit_player(club=club, player_id=player.pk, values={"series": "1", "ladies": "ladies"}, by=director)
    kept = edit_player(club=club, player_id=player.pk, values={"country": "Belgique"}, by=director)
    assert (kept.series, kept.ladies, kept.country) == ("1", "ladies", "Belgique")
