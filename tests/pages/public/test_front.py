"""The first page and a club's page: what a stranger and the staff find there first, and the number of queries."""

import datetime as dt
import gzip
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from clubs.house import change_settings, list_clubs_by_name
from clubs.models import Club, Person, Player, Season, Visibility
from clubs.players import raise_names_version
from evenings.sessions.setup import edit_session
from pages.public.front import say_form
from registration.people.registration import set_registration
from tests.factories import (
    draft_session,
    make_club,
    make_director,
    make_tournament,
    published_session,
    started_session,
)
from tests.pages.reading import read
from tests.registration.agenda.evenings import make_evening
from tournaments.models import Session, Tournament

pytestmark = pytest.mark.django_db
ENGLISH = {"Accept-Language": "en"}
SOON = timezone.localdate() + dt.timedelta(days=3)


def ask(client, name, *args, **asked):
    return client.get(reverse(name, args=args), asked, headers=ENGLISH)


def text_of(client, name, *args, **asked):
    answer = ask(client, name, *args, **asked)
    assert answer.status_code == 200
    return answer.content.decode()


def size_of(answer):
    return len(answer.content if "gzip" in answer.get("Content-Encoding", "") else gzip.compress(answer.content))


@pytest.mark.usefixtures("english")
@pytest.mark.parametrize(
    ("format", "said"),
    [
        ("individual", "Individual, imposed Garde: the étui names the taker"),
        ("doublettes", "Doublettes: teams of two add up their percentages, imposed Garde"),
        ("triplettes", "Triplettes: teams of three, imposed Garde"),
        ("donnes_libres", "Individual, donnes libres: the tables deal, marks are added up"),
    ],
)
def test_form_of_play_is_said_with_how_people_enter(format, said):
    assert say_form(Tournament(format=format)) == said


@pytest.mark.nightly("story")
def test_stranger_is_told_what_it_is_what_comes_and_who_won(client):
    tournament = make_tournament(name="Trophée d’été")
    director = make_director(tournament.club)
    published_session(tournament, by=director, tables=1, positions=1)
    draft = draft_session(tournament, tables=1, positions=1)
    Session.objects.filter(pk=draft.pk).update(date=SOON)
    set_registration(accepts_at_once=True, session_id=draft.pk, by=director, now=timezone.now())
    text = text_of(client, "home")
    assert text.count("<svg viewBox") == 3
    for told in ("Trophée d’été", "Sign up", "Zoé Nom001", "one laptop"):
        assert told in text
    assert f'action="{reverse("search")}"' in text


@pytest.mark.nightly("story")
def test_empty_site_says_so_and_no_link_leads_nowhere(client):
    text = text_of(client, "home")
    for told in ("No evening is announced", "No ranking has been published yet", "No club yet"):
        assert told in text
    links = {part.split('"')[0] for part in text.split('href="')[1:]}
    pages = [link for link in links if link.startswith("/") and "/static/" not in link]
    assert {client.get(page).status_code for page in pages} == {200}


@pytest.mark.nightly("race")
def test_who_is_hidden_or_stands_by_initials_does_so_on_the_podium_at_once(client):
    session = published_session(tables=1, positions=1)
    assert "Zoé Nom001" in text_of(client, "home")
    player = session.entrants.get(player__last_name="Nom001").player
    Person.objects.filter(pk=player.person_id).update(shown=Visibility.HIDDEN)
    raise_names_version(player.club_id)
    for page in (text_of(client, "home"), text_of(client, "club", "club")):
        assert "Nom001" not in page
        assert "Hidden player" in page


@pytest.mark.nightly("story")
def test_director_finds_tonight_first_and_his_clubs(client):
    session = started_session(tables=1, positions=1)
    Session.objects.filter(pk=session.pk).update(date=timezone.localdate(timezone.now() - dt.timedelta(hours=6)))
    client.force_login(make_director(session.tournament.club))
    text = text_of(client, "home")
    desk = reverse("session", args=["club", session.tournament.slug, 1])
    assert text.index(desk) < text.index("pictures")
    assert "Tonight: " in text
    client.logout()
    assert "Tonight: " not in text_of(client, "home")


@pytest.mark.nightly("story")
def test_unlisted_club_is_nowhere_on_the_first_page(client):
    session = published_session(make_tournament(make_club(name="Cachés")), tables=1, positions=1)
    make_evening(str(SOON), tournament=session.tournament)
    club = session.tournament.club
    change_settings(club, {"listed": False}, now=timezone.now(), by=make_director(club, "autre"))
    assert "Cachés" not in text_of(client, "home")
    assert "Cachés" in text_of(client, "club", club.slug)


@pytest.mark.nightly("story")
@pytest.mark.parametrize("name", ["home", "club"])
def test_who_has_it_is_told_so_until_something_is_otherwise(client, name):
    session = published_session(tables=1, positions=1)
    club = session.tournament.club
    address = reverse(name, args=[] if name == "home" else [club.slug])
    answer = client.get(address, headers=ENGLISH)
    assert "no-cache" in answer["Cache-Control"]
    again = client.get(address, headers=ENGLISH | {"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    make_evening(str(SOON), tournament=session.tournament)
    assert client.get(address, headers=ENGLISH | {"If-None-Match": answer["ETag"]}).status_code == 200


@pytest.mark.nightly("story")
def test_three_hundred_clubs_and_ten_years_cost_what_one_evening_does(client, django_assert_num_queries):
    session = published_session(tables=1, positions=1)
    club = session.tournament.club
    make_evening(str(SOON), tournament=session.tournament)
    change_settings(club, {"contact": "tarot@example.org"}, now=timezone.now(), by=make_director(club, "autre"))
    for _size in range(2):
        raise_names_version(club.pk)  # so that no page is cached
        for name, args, asked in (("home", [], 5), ("club", ["club"], 11)):
            with django_assert_num_queries(asked):
                answer = ask(client, name, *args)
            assert size_of(answer) < 60_000
        fill(club)
    line = r"([^>]+)</a>\s*<div class=\"quiet small\">\s*\d+ session"
    shown = re.findall(line, text_of(client, "club", "club"))
    assert shown == [f"Soirée {number}" for number in range(49, 29, -1)]
    assert "Duplicate d’été" in re.findall(line, text_of(client, "club", "club", page=3))


def fill(club):
    """Add ten years of evenings and three hundred clubs, if they are not there yet."""
    now = timezone.now()
    if club.tournaments.count() > 1:
        return
    tournaments = Tournament.objects.bulk_create(
        Tournament(club=club, name=f"Soirée {number}", slug=f"s-{number}", created_at=now) for number in range(50)
    )
    Session.objects.bulk_create(
        Session(tournament=each, number=number, date=dt.date(2016, 1, 1) + dt.timedelta(days=7 * number))
        for each in tournaments
        for number in range(1, 11)
    )
    Club.objects.bulk_create(Club(name=f"Tarot-club numéro {number}", slug=f"c-{number}") for number in range(300))


def test_club_shows_a_season_alone_where_one_is_chosen(client):
    club = make_club()
    seasons = [
        Season.objects.create(
            club=club, name=f"{year}-{year + 1}", starts_on=f"{year}-09-01", ends_on=f"{year + 1}-06-30"
        )
        for year in (2024, 2025)
    ]
    for season in seasons:
        tournament = make_tournament(club, name=f"Coupe {season.name}")
        Tournament.objects.filter(pk=tournament.pk).update(season=season)
    text = text_of(client, "club", club.slug, season=seasons[0].pk)
    assert "Coupe 2024" in text
    assert "Coupe 2025" not in text
    assert ask(client, "club", club.slug, season="0").status_code == 404
    assert ask(client, "club", club.slug, season="x", page="🂡").status_code == 404


@pytest.mark.nightly("story")
def test_members_are_shown_by_setting_alone_and_only_those_who_are_shown_by_name(client):
    club = make_club()
    director = make_director(club)
    for last in ("Étoile", "Zèbre", "Ânon"):
        Player.objects.create(club=club, last_name=last, first_name="Jo", person=Person.objects.create())
    Person.objects.filter(players__last_name="Zèbre").update(shown=Visibility.INITIALS)
    assert ask(client, "members", club.slug).status_code == 404
    assert reverse("members", args=[club.slug]) not in text_of(client, "club", club.slug)
    change_settings(club, {"shows_members": True}, now=timezone.now(), by=director)
    assert "2 members" in text_of(client, "club", club.slug)
    text = text_of(client, "members", club.slug)
    assert text.index("Ânon Jo") < text.index("Étoile Jo")
    assert "Zèbre" not in text
    for number in range(100):
        Player.objects.create(club=club, last_name=f"Nom{number}", person=Person.objects.create())
    pages = [text_of(client, "members", club.slug, page=page) for page in (1, 2)]
    assert [page.count("Nom") for page in pages] == [58, 42]


def test_members_who_have_played_lead_to_their_pages_by_as_many_queries_for_hundred(client, django_assert_num_queries):
    session = published_session(tables=1, positions=1)
    club, director = session.tournament.club, session.publications.get().published_by
    played = session.entrants.first().player
    newcomer = Player.objects.create(club=club, last_name="Âge", first_name="Jo", person=Person.objects.create())
    change_settings(club, {"shows_members": True}, now=timezone.now(), by=director)
    text = text_of(client, "members", club.slug)
    assert f'<a href="{reverse("player", args=[played.pk])}">{played.last_name} {played.first_name}</a>' in text
    assert "Âge Jo" in text
    assert reverse("player", args=[newcomer.pk]) not in text
    ask(client, "home")
    with django_assert_num_queries(3):
        ask(client, "members", club.slug, page=1)
    for number in range(95):
        Player.objects.create(club=club, last_name=f"Nom{number}", person=Person.objects.create())
    with django_assert_num_queries(3):
        assert "Nom0" in text_of(client, "members", club.slug)


@pytest.mark.nightly("story")
def test_tournament_of_ten_years_has_its_sessions_in_pages_at_the_cost_of_one(client, django_assert_num_queries):
    session = published_session(tables=1, positions=1)
    tournament = session.tournament
    address = ["club", tournament.slug]
    ask(client, "home")
    for last in (520, 0):
        with django_assert_num_queries(9):  # three of them are for the podiums
            answer = ask(client, "tournament", *address)
        assert size_of(answer) < 60_000
        Session.objects.bulk_create(
            Session(tournament=tournament, number=number, date=dt.date(2016, 1, 1) + dt.timedelta(days=7 * number))
            for number in range(2, last)
        )
    pages = [text_of(client, "tournament", *address, page=page) for page in (1, 11, 12)]
    assert [page.count("list-main") for page in pages] == [50 + 1, 19, 19]  # the first page has a podium too
    assert "Session 1<" not in pages[0]
    etag = ask(client, "tournament", *address)["ETag"]
    headers = ENGLISH | {"If-None-Match": etag}
    assert client.get(reverse("tournament", args=address), headers=headers).status_code == 304
    edit_session(session_id=Session.objects.get(number=519).pk, now=timezone.now(), date=SOON)
    assert client.get(reverse("tournament", args=address), headers=headers).status_code == 200


@pytest.fixture
def ten_seasons():
    """Create a club with ten seasons of one tournament each, the last of which has begun, and more without a season."""
    club, today = make_club(), timezone.localdate()
    for place in range(10):
        start = today - dt.timedelta(days=100 + 365 * place)
        end = start + dt.timedelta(days=364)
        season = Season.objects.create(club=club, name=f"S{start.year}", starts_on=start, ends_on=end)
        tournament = make_tournament(club, name=f"Coupe {start.year}")
        moment = dt.datetime.combine(start, dt.time(20), dt.UTC)
        Tournament.objects.filter(pk=tournament.pk).update(season=season, created_at=moment)
        Session.objects.create(tournament=tournament, number=1, date=start)
    return club


def listed_on(client, club, **asked):
    text = text_of(client, "club", club.slug, **asked)
    name, below = (
        r'<div class="list-main">\s*<a href="[^"]*">([^<]*)</a>',
        r'\s*<div class="quiet small">[^<]*\d sessions?\b',
    )
    return re.findall(name + below, text)


@pytest.mark.nightly("story")
def test_club_of_ten_seasons_lists_the_present_one_and_leads_to_every_other(client, ten_seasons):
    years = [season.starts_on.year for season in ten_seasons.seasons.all()]
    assert listed_on(client, ten_seasons) == [f"Coupe {years[0]}"]
    assert listed_on(client, ten_seasons, season="all") == [f"Coupe {year}" for year in years]
    links = [link for link in read(ask(client, "club", ten_seasons.slug)).links if link.startswith("?season=")]
    numbers = list(ten_seasons.seasons.values_list("pk", flat=True))
    assert sorted(set(links)) == sorted([*(f"?season={number}" for number in numbers[1:4]), "?season=all"])
    every = read(ask(client, "club", ten_seasons.slug, season="all")).links
    assert {f"?season={number}" for number in numbers[1:]} <= set(every)
    oldest = ask(client, "club", ten_seasons.slug, season=numbers[-1])
    assert f"Coupe {years[-1]}" in oldest.content.decode()
    assert f"?season={numbers[-1]}" in read(oldest).links
    assert f"?season={numbers[5]}" in read(ask(client, "club", ten_seasons.slug, season=numbers[4])).links


@pytest.mark.nightly("story")
def test_club_lists_beside_its_season_what_is_played_in_it_or_comes(client, ten_seasons):
    year = timezone.localdate() - dt.timedelta(days=100)
    old, made = (make_tournament(ten_seasons, name=name) for name in ("Mardis", "Neuf"))
    long_ago = timezone.now() - dt.timedelta(days=2000)
    Tournament.objects.filter(pk=old.pk).update(created_at=long_ago)
    assert listed_on(client, ten_seasons) == ["Neuf", f"Coupe {year.year}"]
    Session.objects.create(tournament=old, number=1, date=SOON)
    assert listed_on(client, ten_seasons) == ["Neuf", f"Coupe {year.year}", "Mardis"]
    starts = timezone.localdate() + dt.timedelta(days=60)
    coming = Season.objects.create(club=ten_seasons, name="Future", starts_on=starts, ends_on=starts)
    assert listed_on(client, ten_seasons) == ["Neuf", f"Coupe {year.year}", "Mardis"]
    Tournament.objects.filter(pk=made.pk).update(season=coming)
    assert listed_on(client, ten_seasons) == ["Neuf", f"Coupe {year.year}", "Mardis"]
    assert listed_on(client, ten_seasons, season=coming.pk) == ["Neuf"]


@pytest.mark.nightly("story")
def test_club_page_asks_no_more_after_ten_seasons(client, ten_seasons, django_assert_num_queries):
    young = make_club("jeune")
    season = ten_seasons.seasons.first()
    own = Season.objects.create(club=young, name="S", starts_on=season.starts_on, ends_on=season.ends_on)
    tournament = make_tournament(young, name="Coupe")
    Tournament.objects.filter(pk=tournament.pk).update(season=own)
    Session.objects.create(tournament=tournament, number=1, date=season.starts_on)
    ask(client, "home")
    with CaptureQueriesContext(connection) as asked:
        ask(client, "club", young.slug)
    with django_assert_num_queries(len(asked)):
        ask(client, "club", ten_seasons.slug)


def test_clubs_are_listed_as_a_reader_of_french_expects():
    for place, name in enumerate(("Club des Étuis", "Les Lilas", "Club à cinq", "Club des Quatre", "club des Bouts")):
        make_club(f"club-{place}", name)
    names = [name for _slug, name, _zone in list_clubs_by_name()]
    assert names == ["Club à cinq", "club des Bouts", "Club des Étuis", "Club des Quatre", "Les Lilas"]
