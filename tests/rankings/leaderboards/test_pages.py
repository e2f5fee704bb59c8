"""The pages of leaderboards: what they list, how many queries they need, and what strangers never see."""

import csv
import io
import json
from decimal import Decimal
from itertools import product

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from clubs.accounts.players import tie
from clubs.models import Person, Player
from clubs.shown import choose_shown
from evenings.requests.links import ensure_links
from rankings.leaderboards.keeping import wish_rating
from rankings.leaderboards.reading import write_points
from tests.factories import make_tournament, make_user
from tests.pages.reading import words
from tests.rankings.careers.world import played, players_of
from tournaments.models import BoardMeasure, GameKind, Leaderboard, LeaderboardBasis, LeaderboardRow, PersonRating
from tournaments.page_cache import KEPT

pytestmark = pytest.mark.django_db
URL = "/leaderboards/"


@pytest.mark.parametrize(("figure", "written"), [(Decimal("12.5"), "+12.5"), (Decimal(-3), "−3")])
@pytest.mark.usefixtures("english")
def test_points_are_written_with_their_sign(figure, written):
    assert write_points(figure).rstrip("0").rstrip(".") == written


@pytest.fixture
def page(client):
    """Return a function that opens a page as a stranger, without a kept copy, and returns its text."""

    def read(url=URL, **asked):
        caches["pages"].clear()
        answer = client.get(url, asked)
        assert answer.status_code == 200
        return answer.content.decode()

    return read


def fill(board, count):
    """Give a list so many rows of new people."""
    club = Player.objects.order_by("pk").first().club
    persons = Person.objects.bulk_create(Person() for _each in range(count))
    players = Player.objects.bulk_create(
        Player(club=club, person=person, last_name=f"Rang{at:05}") for at, person in enumerate(persons, start=1)
    )
    board.rows.all().delete()
    LeaderboardRow.objects.bulk_create(
        LeaderboardRow(
            board=board,
            measure="deals",
            person=player.person_id,
            player=player.pk,
            place=at,
            position=at,
            figure=count - at,
            sessions=1,
            deals=count - at,
        )
        for at, player in enumerate(players, start=1)
    )
    return players


def count_queries(client, url):
    caches["pages"].clear()
    with CaptureQueriesContext(
        connection,
    ) as told:
        answer = client.get(url)
    assert answer.status_code == 200
    return len(told), answer.content.decode()


def name_in(text, player):
    return f"{player.first_name} {player.last_name}" in text


def test_list_has_position_name_figure_sessions_deals_and_club(session, page):
    text = page()
    first = LeaderboardRow.objects.get(measure="rating", board__club=None, board__period="all", place=1)
    player = Player.objects.get(pk=first.player)
    assert name_in(text, player)
    assert f'href="/players/{player.pk}/"' in text
    assert f"+{str(first.figure)[:4]}" in text
    assert "(provisional)" in text  # twenty deals
    assert session.tournament.club.name in text


@pytest.mark.nightly("story")
@pytest.mark.parametrize("kind", GameKind)
def test_every_list_opens_for_the_site_and_the_club(session, page, kind):
    periods = ["all", str(session.date.year), f"{session.date:%Y-%m}", "2001-01", "s999999", "\0"]
    for measure, period in product(BoardMeasure, periods):
        asked = {"game": kind.value, "by": measure.value, "period": period, "page": "7"}
        assert "<caption" in page(**asked) or "Nobody is on this list yet" in page(**asked)
        assert "Leaderboards" in page(f"/clubs/{session.tournament.club.slug}/leaderboards/", **asked)


def test_page_without_any_session_says_when_lists_appear(client, db):
    assert "No leaderboard yet" in client.get(URL).content.decode()


def test_least_number_of_deals_and_what_a_mean_does_not_compare_are_said(session, page):
    text = page(by="mean")
    assert "Players need at least 100 deals" in text
    assert "does not compare players of different clubs" in text
    assert "Players need at least 20 deals" in page(by="mean", period=f"{session.date:%Y-%m}")


@pytest.mark.parametrize(
    ("language", "told"), [("en", "89 to 94 of 100 cases"), ("fr", "89 à 94 cas sur 100")], ids=["en", "fr"]
)
def test_ratings_say_how_often_the_interval_holds_above_200_players(session, language, told):
    client = Client(headers={"accept-language": language})
    assert told in words(client.get(URL))
    assert told not in words(client.get(URL, {"by": "mean"}))


@pytest.mark.nightly("story")
def test_site_says_that_its_list_of_ratings_is_the_largest_group(session, again, page):
    played(make_tournament())
    again()
    text = " ".join(page(by="rating").split())
    assert "the list shows the largest such group. 20 players are not in it." in text


@pytest.mark.nightly("story")
@pytest.mark.parametrize("way", ["hidden", "initials", "erased", "merged", "left"])
@pytest.mark.parametrize("ran", [True, False])
def test_person_who_is_not_shown_by_name_is_on_no_page_file_or_answer(session, again, page, client, way, ran):
    gone = players_of(session)[3]
    gone.last_name = "Introuvable"
    gone.save()
    if way in ("hidden", "initials"):
        choose_shown(player=gone, shown=way, way="link", by=None, now=timezone.now())
    elif way == "erased":
        Player.objects.filter(pk=gone.pk).update(erased_at=timezone.now())
    elif way == "merged":
        into = Player.objects.create(club=gone.club, last_name="Reste", person=gone.person)
        Player.objects.filter(pk=gone.pk).update(merged_into=into)
    else:
        Player.objects.filter(pk=gone.pk).update(put_away_at=timezone.now())
    if ran:
        again()
    club = session.tournament.club.slug
    urls = [URL, f"/clubs/{club}/leaderboards/"]
    seen = [page(url, by=measure) for url in urls for measure in BoardMeasure.values]
    seen += [page(f"{url}file/", by="deals", kind=kind) for url in urls for kind in ("csv", "json")]
    seen += [page("/api/v1/leaderboards/", by="deals"), page(f"/api/v1/clubs/{club}/leaderboards/", by="deals")]
    if way == "left":  # a player put away on the club's list has played nevertheless
        assert any("Introuvable" in text for text in seen)
    else:
        assert not any("Introuvable" in text for text in seen)
    if ran and way in ("hidden", "initials", "erased"):
        assert json.loads(page("/api/v1/leaderboards/", by="deals"))["total"] == 19


def test_rating_that_is_switched_off_is_on_no_list_even_before_the_job_runs(session, page):
    gone = players_of(session)[3]
    rows = LeaderboardRow.objects.filter(measure="rating", person=gone.person_id)
    kept = list(PersonRating.objects.filter(person=gone.person_id)), list(rows)
    wish_rating(player=gone, off=True, way="link", by=None, now=timezone.now())
    PersonRating.objects.bulk_create(kept[0])  # by a job that began before the wish
    LeaderboardRow.objects.bulk_create(kept[1])
    assert not name_in(page(by="rating"), gone)
    assert name_in(page(by="deals"), gone)
    text = page(f"/players/{gone.pk}/")
    assert "Rating in attack" not in text
    assert "Places on the leaderboards" in text


def test_kept_page_follows_a_hidden_name_at_once(session, client):
    gone = players_of(session)[3]
    assert KEPT > 0
    assert name_in(client.get(URL).content.decode(), gone)
    choose_shown(player=gone, shown="hidden", way="link", by=None, now=timezone.now())
    assert not name_in(client.get(URL).content.decode(), gone)


@pytest.mark.nightly("crawl")
def test_page_1_and_page_1000_need_the_same_queries(session, client):
    board = Leaderboard.objects.get(club=None, kind="imposed", period="all")
    players = fill(board, 50_000)
    first, text = count_queries(client, f"{URL}?by=deals")
    assert players[0].last_name in text
    last, text = count_queries(client, f"{URL}?by=deals&page=1000")
    assert players[-1].last_name in text
    assert players[0].last_name not in text
    assert first == last <= 8


def test_own_line_takes_one_query_more_and_leads_to_its_page(session, client):
    player = players_of(session)[3]
    user = make_user("joueuse")
    client.force_login(user)
    without, text = count_queries(client, f"{URL}?by=deals")
    assert "Your position" not in text
    director = session.tournament.club.memberships.get().user
    tie(player, user, by=director, now=timezone.now())
    with_line, text = count_queries(client, f"{URL}?by=deals")
    assert "Your position: 1 of 20" in " ".join(text.split())
    assert 'id="me" class="is-me"' in text
    assert with_line == without
    stranger, _text = count_queries(Client(), f"{URL}?by=deals")
    account_queries = 2  # the log-in session and the account
    assert with_line <= stranger + account_queries + 1


@pytest.mark.nightly("crawl")
def test_own_line_is_not_shown_to_whoever_is_hidden_but_their_page_has_the_place(session, again, client):
    player = players_of(session)[3]
    user = make_user("cachée")
    tie(player, user, by=session.tournament.club.memberships.get().user, now=timezone.now())
    choose_shown(player=player, shown="hidden", way="account", by=user, now=timezone.now())
    again()
    client.force_login(user)
    assert "Your position" not in client.get(f"{URL}?by=deals").content.decode()
    text = client.get(f"/players/{player.pk}/").content.decode()
    assert "These are the places that the" in " ".join(text.split())
    assert Client().get(f"/players/{player.pk}/").status_code == 404


def test_file_has_the_columns_of_the_page_for_a_french_spreadsheet(session, client):
    answer = client.get(f"{URL}file/?by=rating")
    assert answer["Content-Disposition"].endswith('filename="imposed-rating-all.csv"')
    rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig")), delimiter=";"))
    assert len(rows) == 21
    assert len(rows[0]) == 8
    assert client.get(f"{URL}file/?kind=exe").status_code == 404


def test_api_pages_through_a_list_with_the_header_link(session, client):
    fill(Leaderboard.objects.get(club=None, kind="imposed", period="all"), 60)
    answer = client.get("/api/v1/leaderboards/?by=deals")
    told = answer.json()
    assert (told["total"], len(told["rows"]), told["by"]) == (60, 50, "deals")
    assert 'page=2>; rel="next"' in answer["Link"]
    second = client.get("/api/v1/leaderboards/?by=deals&page=2")
    assert [row["position"] for row in second.json()["rows"]] == list(range(51, 61))
    assert "Link" not in second
    assert client.get("/api/v1/leaderboards/?by=nonsense").status_code == 400


@pytest.mark.nightly("story")
@pytest.mark.parametrize("who", ["account", "link", "director"])
def test_rating_is_switched_off_and_on_again_on_the_page(session, client, who):
    player, director = players_of(session)[3], session.tournament.club.memberships.get().user
    if who == "account":
        user = make_user("joueuse")
        tie(player, user, by=director, now=timezone.now())
        client.force_login(user)
        url = reverse("account_shown")
    elif who == "director":
        client.force_login(director)
        url = f"/clubs/{session.tournament.club.slug}/players/{player.pk}/"
    else:
        links = ensure_links(session, now=timezone.now())
        url = reverse("personal_shown", args=[next(link for link in links.values() if link.person == player).token])
    assert "Switch the rating off" in client.get(url).content.decode()
    assert client.post(url, {"action": "rating_off"}).status_code == 302
    assert not PersonRating.objects.filter(person=player.person_id).exists()
    assert Player.objects.keep_unrated().get() == player
    assert "Allow the rating again" in client.get(url).content.decode()
    assert client.post(url, {"action": "rating_on"}).status_code == 302
    assert not Player.objects.keep_unrated().exists()


def test_wish_of_a_person_is_not_undone_by_a_director(session):
    player, by = players_of(session)[3], session.tournament.club.memberships.get().user
    wish_rating(player=player, off=True, way="link", by=None, now=timezone.now())
    wish_rating(player=player, off=False, way="director", by=by, now=timezone.now())
    assert Player.objects.keep_unrated().get() == player
    assert LeaderboardBasis.objects.count() == 1
