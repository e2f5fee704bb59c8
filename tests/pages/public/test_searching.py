"""The page of search: any text, hits in pages, and a limit for readers who ask too often."""

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.house import change_settings
from clubs.models import Person, Player
from rankings.careers.keeping import refresh
from tests.factories import make_club, make_director, make_tournament, published_session

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    club = make_club(name="Étuis d’Or")
    change_settings(club, {"shows_members": True}, now=timezone.now(), by=make_director(club))
    return club


def add(club, count, last="Martin"):
    persons = Person.objects.bulk_create(Person() for _each in range(count))
    Player.objects.bulk_create(
        Player(club=club, last_name=last, first_name="Jean", licence=f"{last}{number}", person=person)
        for number, person in enumerate(persons)
    )


def ask(client, **asked):
    return client.get(reverse("search"), asked, headers={"Accept-Language": "en"})


def test_players_clubs_and_tournaments_are_told_apart(client, club):
    add(club, 1, "D’Or")
    make_tournament(club, name="Trophée d’or")
    text = ask(client, q="or").content.decode()
    assert [text.count(word) for word in ("Jean D’Or", "Trophée d’or")] == [1, 1]
    assert reverse("club", args=[club.slug]) in text


@pytest.mark.parametrize("typed", ["", "   ", "%", "x" * 5_000, "🂡🂢🂣", "\u202eabc", "\0\0", "<script>", "' OR 1=1"])
def test_any_text_has_a_calm_answer(client, club, typed):
    answer = ask(client, q=typed)
    assert answer.status_code == 200
    assert answer["X-Robots-Tag"] == "noindex"
    text = answer.content.decode()
    assert "<script>" not in text.replace("<script>\n", "") or "&lt;script&gt;" in text
    assert "\u202e" not in text


@pytest.mark.nightly("story")
def test_page_costs_the_same_for_one_hit_and_for_three_hundred(client, club, django_assert_num_queries):
    add(club, 1)
    ask(client, q="jean")
    for more in (299, 0):
        with django_assert_num_queries(5):
            assert ask(client, q="jean").status_code == 200
        with django_assert_num_queries(3):
            assert ask(client, q="jean", kind="players", page="2").status_code == 200
        add(club, more, "Durand")
    pages = [ask(client, q="jean", kind="players", page=str(page)).content.decode() for page in (1, 15, 16, "x")]
    assert [page.count("list-main") for page in pages] == [20, 20, 20, 20]
    assert "page=2" in pages[0]
    assert "page=16" not in pages[1]


@pytest.mark.nightly("story")
def test_whoever_asks_far_too_often_has_to_wait(client, club):
    answers = [ask(client, q="jean").status_code for _time in range(61)]
    assert answers == [200] * 60 + [429]
    assert ask(client, q="").status_code == 200


def test_player_leads_to_the_page_of_his_own_where_he_has_one(client, club):
    add(club, 1)
    session = published_session(make_tournament(club), by=make_director(club, "autre"), tables=1, positions=1)
    refresh(session.pk)
    player = session.entrants.get(player__last_name="Nom001").player
    assert reverse("player", args=[player.pk]) in ask(client, q="nom001").content.decode()
    assert client.get(reverse("player", args=[player.pk])).status_code == 200
    listed = club.players.get(last_name="Martin")
    text = ask(client, q="jean martin").content.decode()
    assert "Jean Martin" in text
    assert reverse("player", args=[listed.pk]) not in text
