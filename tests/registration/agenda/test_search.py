"""The search for a player by name: which players it finds, their order, how namesakes are told apart, its queries."""

import pytest
from django.utils import timezone

from clubs.house import change_settings
from clubs.models import Person, Player, Season, Visibility
from evenings.sessions.put_away import put_session_away
from rankings.careers.keeping import refresh
from registration.agenda.search import KINDS, SearchText, read_asked, search
from registration.people.merging import merge_players
from tests.factories import make_club, make_director, make_tournament, published_session
from tournaments.models import Appearance, PublishedPlayer

pytestmark = pytest.mark.django_db


@pytest.fixture
def session():
    session = published_session(tables=1, positions=1)
    refresh(session.pk)
    return session


def add(session, *names, **given):
    """Create players of the club, and add them to the published figures of the session."""
    one, club = session.appearances.first(), session.tournament.club
    players = [
        Player.objects.create(
            club=given.get("club", club),
            first_name=first,
            last_name=last,
            licence=given.get("licence", ""),
            person=given.get("person") or Person.objects.create(),
        )
        for first, last in names
    ]
    kept = {
        field.name: getattr(one, field.attname) for field in one._meta.fields if field.name not in ("id", "session")
    }
    Appearance.objects.bulk_create(Appearance(session=session, **kept | {"player": each.pk}) for each in players)
    publication = session.publications.first()
    PublishedPlayer.objects.bulk_create(PublishedPlayer(publication=publication, player=each) for each in players)
    return players


def names(typed, kind="players"):
    return [hit.name for hit in search(read_asked(typed), kind)]


@pytest.mark.parametrize(
    "typed", ["elise saint jean", "ÉLISE SAINT-JEAN", "saint-jean élise", "  eli   sai ", "Saint’Jean", "jean"]
)
def test_name_is_found_however_it_is_typed(session, typed):
    add(session, ("Élise", "Saint-Jean"), ("Elsa", "Martin"))
    assert names(typed) == ["Élise Saint-Jean"]


def test_very_name_comes_first_then_what_begins_with_it_then_the_rest(session):
    add(session, ("Ann", "Marie"), ("Marie", "Annick"), ("Marie", "Ann"), ("Jo", "Marie Anne"), ("Marie Anne", "Zo"))
    assert names("marie ann") == ["Ann Marie", "Marie Ann", "Marie Anne Zo", "Marie Annick", "Jo Marie Anne"]


def test_letters_inside_a_word_and_signs_of_sql_find_nobody(session):
    add(session, ("Élise", "Saint-Jean"), ("O_O", "100%"))
    assert names("lise") == names("%") == names("___") == names("e%t") == names("' OR 1=1 --") == []
    assert names("100") == ["O_O 100%"]


@pytest.mark.parametrize("typed", ["", "   ", "%%%", "🂡🂢", "\u202e\u202d", "é", "\0", "_", "-’-"])
def test_too_little_is_no_question(typed):
    assert not read_asked(typed).is_enough


def test_far_too_much_is_cut_and_what_nobody_sees_is_not_said_again():
    asked = read_asked("\u202eab\0c " + "x" * 5_000)
    assert asked.text.startswith("ab c ")
    assert len(asked.text) <= 80
    assert len(read_asked("a b c d e f g h i j k l").words) == 8


def test_only_who_is_shown_by_name_and_is_public_is_found(session):
    shown, initials, hidden, erased, away = add(
        session, ("Ada", "Cherche"), ("Bea", "Cherche"), ("Cyd", "Cherche"), ("Dan", "Cherche"), ("Eve", "Cherche")
    )
    Person.objects.filter(pk=initials.person_id).update(shown=Visibility.INITIALS)
    Person.objects.filter(pk=hidden.person_id).update(shown=Visibility.HIDDEN)
    Player.objects.filter(pk=erased.pk).update(erased_at=timezone.now())
    Player.objects.filter(pk=away.pk).update(put_away_at=timezone.now())
    club = session.tournament.club
    listed = Player.objects.create(club=club, last_name="Cherche", first_name="Flo", person=Person.objects.create())
    assert names("cherche") == [shown.name, away.name]
    director = make_director(club, "autre")
    change_settings(club, {"shows_members": True}, now=timezone.now(), by=director)
    assert names("cherche") == [shown.name, away.name, listed.name]
    change_settings(club, {"listed": False}, now=timezone.now(), by=director)
    assert names("cherche") == []


@pytest.mark.nightly("story")
def test_nobody_is_public_by_what_is_put_away_or_taken_back(session):
    director = make_director(session.tournament.club, "autre")
    assert len(names("zoe")) == 4
    put_session_away(session_id=session.pk, by=director, now=timezone.now())
    refresh(session.pk)
    assert names("zoe") == []
    put_session_away(session_id=session.pk, by=director, now=timezone.now(), back=True)
    refresh(session.pk)
    assert len(names("zoe")) == 4


def test_person_of_two_clubs_is_one_hit_and_namesakes_are_told_apart_by_their_clubs(session):
    other = make_club(name="Voisins")
    (one,) = add(session, ("Jo", "Durand"))
    add(session, ("Jo", "Durand"), club=other, person=one.person)
    add(session, ("Jo", "Durand"), club=make_club(name="Tiers"))
    hits = search(read_asked("jo durand"), "players")
    assert [(hit.key == one.pk, hit.about) for hit in hits] == [
        (True, f"{session.tournament.club.name}, Voisins"),
        (False, "Tiers"),
    ]


def test_nobody_is_told_on_whose_list_somebody_stands_who_never_played_there(session):
    other = make_club(name="Voisins")
    (one,) = add(session, ("Jo", "Durand"))
    Player.objects.create(club=other, last_name="Durand", first_name="Jo", person=one.person)
    assert [hit.about for hit in search(read_asked("jo durand"), "players")] == [session.tournament.club.name]
    change_settings(other, {"shows_members": True}, now=timezone.now(), by=make_director(other, "autre"))
    (hit,) = search(read_asked("jo durand"), "players")
    assert hit.about == f"{session.tournament.club.name}, Voisins"


def test_who_has_been_merged_is_found_as_whom_he_is_now(session):
    (gone,) = add(session, ("Jojo", "Durand"))
    club = session.tournament.club
    kept = Player.objects.create(club=club, last_name="Durand", first_name="Joseph", person=Person.objects.create())
    merge_players(club=club, kept_id=kept.pk, gone_id=gone.pk, by=make_director(club, "autre"), now=timezone.now())
    assert names("durand") == ["Joseph Durand"]


@pytest.mark.nightly("story")
def test_three_hundred_of_one_name_are_read_in_pages_at_the_cost_of_one(session, django_assert_num_queries):
    for number in range(300):
        add(session, ("Jean", "Martin"), licence=str(10_000 + number))
    pages = [search(read_asked("jean martin"), "players", page) for page in range(1, 18)]
    assert [len(page) for page in pages] == [20] * 15 + [20, 20]
    assert (pages[0].paginator.count, pages[0].paginator.num_pages, pages[-1].number) == (300, 15, 15)
    assert len({hit.key for page in pages[:15] for hit in page}) == 300
    for typed in ("jean martin", "nom001"):
        with django_assert_num_queries(3):
            search(read_asked(typed), "players")


def test_clubs_and_tournaments_are_found_too():
    club = make_club(name="Étuis d’Or")
    season = Season.objects.create(club=club, name="2026-2027", starts_on="2026-09-01", ends_on="2027-06-30")
    tournament = make_tournament(club, name="Trophée d’été")
    type(tournament).objects.filter(pk=tournament.pk).update(season=season)
    assert names("etuis or", "clubs") == ["Étuis d’Or"]
    (hit,) = search(read_asked("trophee ete"), "tournaments")
    assert (hit.name, hit.about, hit.club) == ("Trophée d’été", "Étuis d’Or · 2026-2027", club.slug)
    assert [search(SearchText("x", ["xyz"]), kind).paginator.count for kind in KINDS] == [0, 0, 0]
