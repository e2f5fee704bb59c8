"""The people of an archive on a club's list: found by licence, then by name, never in another club."""

import datetime as dt

import pytest
from django.utils import timezone

from archives.archive import packing
from archives.archive.restoring import ArchiveDoubts
from archives.errors import ArchiveError
from archives.privacy.erasing import erase
from archives.privacy.whom import Whom
from clubs.models import Membership, Person, Player, ShownWord
from clubs.shown import Way, choose_shown
from rankings.leaderboards.keeping import wish_rating
from tests.archives.archive.packed import bring, change, export, preview
from tests.factories import make_club, make_director, published_session

pytestmark = pytest.mark.django_db


@pytest.fixture
def source():
    """Publish a session whose first two players have licences."""
    session = published_session()
    players = list(session.tournament.club.players.order_by("pk"))
    for number, player in enumerate(players[:2], start=1):
        player.licence = f"L{number}"
        player.save()
    return session.tournament, players


@pytest.fixture
def club():
    return make_club("ailleurs", "Ailleurs")


def listed(club, player, **otherwise):
    """Put somebody of the same name and licence on another club's list."""
    told = {"last_name": player.last_name, "first_name": player.first_name, "licence": player.licence} | otherwise
    return Player.objects.create(club=club, person=Person.objects.create(), **told)


def how(packed, club, player, answers=None):
    told = preview(packed, club, answers)["players"]
    return next(each for each in told if each["name"] == player.name)


@pytest.mark.nightly("story")
def test_players_are_found_by_licence_then_by_name(source, club):
    tournament, players = source
    by_licence, by_name = listed(club, players[0]), listed(club, players[2])
    packed = export(tournament)
    assert [how(packed, club, players[at])["how"] for at in (0, 1, 2, 3)] == ["licence", "new", "name", "new"]
    seats = bring(packed, club).sessions.get().entrants
    assert seats.filter(player__in=[by_licence, by_name]).count() == 2
    assert club.players.count() == len(players)


@pytest.mark.nightly("story")
def test_nobody_is_joined_to_a_person_of_another_club(source, club):
    tournament, players = source
    persons = set(Person.objects.values_list("pk", flat=True))
    bring(export(tournament), club)
    assert not persons & set(club.players.values_list("person", flat=True))
    assert Person.objects.count() == len(persons) + len(players)


@pytest.mark.nightly("story")
def test_namesakes_are_a_doubt_that_a_director_answers(source, club):
    tournament, players = source
    one = listed(club, players[2], licence="A1")
    listed(club, players[2], licence="A2")
    packed = export(tournament)
    asked = how(packed, club, players[2])
    assert (asked["how"], [each["player"] for each in asked["candidates"]]) == ("doubt", [one.pk, one.pk + 1])
    with pytest.raises(ArchiveDoubts, match=players[2].name):
        bring(packed, club)
    assert not club.tournaments.exists()
    seats = bring(packed, club, {asked["row"]: one.pk}).sessions.get().entrants
    assert seats.filter(player=one).exists()


def test_licence_with_another_name_is_a_doubt(source, club):
    tournament, players = source
    other = listed(club, players[0], last_name="Autrement")
    packed = export(tournament)
    asked = how(packed, club, players[0])
    assert (asked["how"], asked["candidates"][0]["player"]) == ("doubt", other.pk)
    assert how(packed, club, players[0], {asked["row"]: other.pk})["player"] == other.pk


@pytest.mark.nightly("story")
def test_two_licences_are_two_people(source, club):
    tournament, players = source
    listed(club, players[0], licence="AUTRE")
    packed = export(tournament)
    assert how(packed, club, players[0])["how"] == "new"
    bring(packed, club)
    assert club.players.filter(last_name=players[0].last_name, first_name=players[0].first_name).count() == 2


def test_answer_that_names_nobody_of_the_list_is_refused(source, club):
    tournament, players = source
    packed = export(tournament)
    for answer in (players[0].pk, 10**9):
        with pytest.raises(ArchiveError, match="names nobody"):
            preview(packed, club, {1: answer})


def test_two_rows_of_an_archive_are_never_one_player(source, club):
    tournament, players = source
    here = listed(club, players[2])
    packed = export(tournament)
    with pytest.raises(ArchiveError, match="one player of the list"):
        preview(packed, club, {1: here.pk})


@pytest.mark.nightly("story")
@pytest.mark.parametrize(
    ("there", "here", "shown"),
    [
        ("hidden", "name", "hidden"),
        ("name", "hidden", "hidden"),
        ("initials", "hidden", "hidden"),
        ("name", "", "name"),
    ],
)
def test_stricter_word_on_how_somebody_is_shown_wins(source, club, there, here, shown):
    tournament, players = source
    now = timezone.now()
    choose_shown(player=players[2], shown=there, way=Way.DIRECTOR, by=None, now=now)
    mine = listed(club, players[2])
    if here:
        choose_shown(player=mine, shown=here, way=Way.LINK, by=None, now=now)
    bring(export(tournament), club)
    mine.person.refresh_from_db()
    assert mine.person.shown == shown
    players[2].person.refresh_from_db()
    assert players[2].person.shown == there


@pytest.mark.nightly("story")
def test_new_player_is_shown_as_on_the_other_site(source, club):
    tournament, players = source
    players[3].category = "youth"
    players[3].save()
    for at, shown in ((2, "hidden"), (3, "name")):
        choose_shown(player=players[at], shown=shown, way=Way.DIRECTOR, by=None, now=timezone.now())
    packed = export(tournament)
    again = export(bring(packed, club))
    assert again == packed
    shown = dict(club.players.values_list("last_name", "person__shown"))
    assert (shown[players[2].last_name], shown[players[3].last_name]) == ("hidden", "name")
    assert ShownWord.objects.filter(player__club=club).count() == 2


@pytest.mark.nightly("story")
@pytest.mark.parametrize("way", [Way.DIRECTOR, Way.LINK])
@pytest.mark.parametrize("listed_here", [True, False])
def test_wish_to_have_no_rating_comes_along(source, club, way, listed_here):
    tournament, players = source
    if listed_here:
        listed(club, players[2])
    wish_rating(player=players[2], off=True, way=way, by=None, now=timezone.now())
    bring(export(tournament), club)
    unrated = Player.objects.keep_unrated().filter(club=club)
    assert list(unrated.values_list("last_name", flat=True)) == [players[2].last_name]
    assert set(unrated.values_list("unrated_by_self", "unrated_by_club")) == {(False, True)}


@pytest.mark.nightly("story")
def test_wish_on_this_site_stays_when_the_archive_has_none(source, club):
    tournament, players = source
    mine = listed(club, players[2])
    wish_rating(player=mine, off=True, way=Way.LINK, by=None, now=timezone.now())
    bring(export(tournament), club)
    assert Player.objects.keep_unrated().filter(club=club).get() == mine


def forget_wishes(rows):
    for row in rows:
        del row["unrated"]


@pytest.mark.nightly("story")
def test_archive_without_wishes_brings_none(source, club, monkeypatch):
    """Check an archive of version 5, which did not say who wishes to have no rating."""
    tournament, players = source
    wish_rating(player=players[2], off=True, way=Way.LINK, by=None, now=timezone.now())
    monkeypatch.setattr(packing, "VERSION", 5)
    bring(change(export(tournament), "players.json", forget_wishes), club)
    assert not Player.objects.keep_unrated().filter(club=club).exists()


@pytest.mark.nightly("story")
def test_erased_player_stays_a_number(source, club):
    tournament, players = source
    gone = players[3]
    before = gone.name
    erase(Whom((gone.pk,), gone.person_id, None, gone.club), by=None, now=timezone.now())
    gone.refresh_from_db()
    packed = export(tournament)
    here = bring(packed, club).sessions.get().entrants.get(player__erased_at__isnull=False).player
    assert here.pk != gone.pk
    assert here.name == gone.name
    assert str(gone.pk) in here.name
    assert before.encode() not in packed
    assert export(here.entries.get().session.tournament) == packed


@pytest.mark.nightly("story")
def test_author_is_the_one_account_of_the_club_with_that_name(source, club):
    tournament, _players = source
    director = make_director(club, "ici")
    director.first_name, director.last_name = "Odile", "Marchand"
    director.save()
    there = tournament.sessions.get().publications.get().published_by
    there.first_name, there.last_name = "Odile", "Marchand"
    there.save()
    packed = export(tournament)
    assert preview(packed, club)["authors"] == [{"name": "Odile Marchand", "has_account": True}]
    assert bring(packed, club).sessions.get().publications.get().published_by == director
    other = make_club("tiers", "Tiers")
    Membership.objects.create(user=director, club=other, role="director", ends_on=dt.date(2020, 1, 1))
    assert preview(packed, other)["authors"] == [{"name": "Odile Marchand", "has_account": False}]
