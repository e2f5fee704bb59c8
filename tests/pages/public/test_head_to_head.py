"""The comparison of two players, and the choice of the other player."""

from fractions import Fraction

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from clubs.models import Person, Player, Visibility
from clubs.players import add_players, raise_names_version
from clubs.roster import RosterLine
from rankings.careers.head_to_head import HeadToHead, find_choices, tally_of
from rankings.careers.subjects import find_subject, look_at, subject_of
from rankings.publication.report import read_report
from tests import shared_evenings
from tests.factories import make_club, make_director, make_tournament
from tests.pages.reading import read, words
from tests.rankings.careers.world import played, players_of, repeat
from tournaments.models import Appearance

pytestmark = pytest.mark.django_db


session = shared_evenings.season_with_no_page_cached


@pytest.fixture
def reader():
    return Client(headers={"accept-language": "en"})


def address(one, other):
    return reverse("head_to_head", args=[one.pk, other.pk])


def hold(one, other, page=1):
    subjects = subject_of(one), subject_of(other)
    return HeadToHead(*subjects, look_at(*subjects), page=page)


def lines_of(session, *players):
    report = read_report(session.publications.get().data)
    ids = {each.player: each.id for each in report.players}
    return [report.feuille(ids[player.pk]) for player in players], report


@pytest.mark.nightly("story")
def test_figures_are_those_of_both_feuilles(session):
    """Compare étuis with players of the same line, who met them at other tables, and of other lines."""
    players = players_of(session)
    for other in players[1:]:
        (mine, theirs), report = lines_of(session, players[0], other)
        notes = {(line.etui.number, seat_of(line, players[0])): line.note for line in mine}
        same = [
            notes[where] - line.note for line in theirs if (where := (line.etui.number, seat_of(line, other))) in notes
        ]
        held = hold(players[0], other)
        assert held.etuis == (
            sum(each > 0 for each in same), sum(each == 0 for each in same), sum(each < 0 for each in same),
        )  # fmt: skip
        assert held.difference.mean == (sum(same, Fraction()) / len(same) if same else None)
        together = [line for line in mine if other.pk in {each.player for each in line.partners}]
        assert held.mate.deals == len(together)
        ranks = {each.player: each.rank_alterne for each in report.players}
        assert held.sessions.better == (ranks[players[0].pk] < ranks[other.pk])
    assert any(hold(players[0], other).etuis.all for other in players[1:])


def seat_of(line, player):
    return next(seat for seat, each in line.play.players.items() if each.player == player.pk)


@pytest.mark.nightly("story")
def test_the_other_way_round_is_the_opposite(session):
    one, *others = players_of(session)
    for other in others:
        there, back = hold(one, other), hold(other, one)
        assert (there.etuis.better, there.etuis.worse) == (back.etuis.worse, back.etuis.better)
        assert there.difference.mean is None or there.difference.mean == -back.difference.mean
        assert (there.sessions.better, there.sessions.worse) == (back.sessions.worse, back.sessions.better)
        assert there.mate.deals == back.mate.deals


def test_page_tells_it_and_leads_on(session, reader):
    one, other = players_of(session)[:2]
    answer = reader.get(address(one, other))
    assert "Zoé Nom001 and Zoé Nom002" in words(answer)
    assert "Deals at the same table 4" in words(answer)
    links = set(read(answer).links)
    assert {address(other, one), reverse("player", args=[other.pk]), reverse("choose_other", args=[one.pk])} <= links
    assert answer["X-Robots-Tag"] == "noindex"
    assert reader.get(address(one, other), headers={"if-none-match": answer["ETag"]}).status_code == 304


@pytest.mark.nightly("story")
def test_who_never_met_is_told_so(session, reader):
    one, other = players_of(session)[0], players_of(played(make_tournament(make_club("ailleurs"))))[0]
    answer = reader.get(address(one, other))
    assert "Never in the same session" in words(answer)


def test_somebody_against_himself_is_his_page(session, reader):
    one = players_of(session)[0]
    assert reader.get(address(one, one))["Location"] == reverse("player", args=[one.pk])


@pytest.mark.parametrize("place", [0, 1])
def test_nobody_is_held_against_who_is_not_shown_by_name(session, reader, place):
    players = players_of(session)[:2]
    Person.objects.filter(pk=players[place].person_id).update(shown=Visibility.INITIALS)
    raise_names_version(players[place].club_id)
    assert reader.get(address(*players)).status_code == 404


@pytest.mark.nightly("story")
def test_choice_forgets_accents_and_names_whoever_is_shown_by_name(session, reader):
    one, other, hidden, *_ = players_of(session)
    Player.objects.filter(pk=other.pk).update(last_name="Saint-Élie", first_name="Noël")
    Person.objects.filter(pk=hidden.person_id).update(shown=Visibility.HIDDEN)
    raise_names_version(one.club_id)
    choose = reverse("choose_other", args=[one.pk])
    everybody = reader.get(choose)
    assert "18 players from the same sessions" in words(everybody)
    assert "Nom003" not in words(everybody)
    assert "Nom001" not in words(everybody).split("18 players")[1]
    found = reader.get(choose, {"q": "saint elie NOEL"})
    assert address(one, other) in read(found).links
    assert "1 player from the same sessions" in words(found)
    assert "Nobody called “Personne”" in words(reader.get(choose, {"q": "Personne"}))
    assert "<b>" not in reader.get(choose, {"q": "<b>"}).content.decode()


def test_three_hundred_of_one_name_come_in_pages_with_their_clubs(session, reader):
    one, other = players_of(session)[:2]
    rows = list(Appearance.objects.filter(session=session, player=other.pk))
    persons = Person.objects.bulk_create(Person() for _each in range(300))
    names = [
        Player(club=one.club, person=person, last_name="Martin", first_name="Jean", licence=str(number))
        for number, person in enumerate(persons)
    ]
    Player.objects.bulk_create(names)
    values = {field.attname: getattr(rows[0], field.attname) for field in rows[0]._meta.concrete_fields}
    Appearance.objects.bulk_create(Appearance(**values | {"id": None, "player": each.pk}) for each in names)
    choose = reverse("choose_other", args=[one.pk])
    with CaptureQueriesContext(connection) as asked:
        answer = reader.get(choose, {"q": "jean martin", "page": "12"})
    assert "300 players from the same sessions" in words(answer)
    assert "Page 12 of 15" in words(answer)
    assert len([link for link in read(answer).links if f"/{one.pk}/with/" in link]) == 20
    assert len(asked) <= 10


@pytest.mark.nightly("crawl")
def test_two_thousand_sessions_of_both_cost_the_queries_of_one(session, reader):
    one, other = players_of(session)[:2]

    def count():
        caches["pages"].clear()
        with CaptureQueriesContext(connection) as asked:
            answer = reader.get(address(one, other))
        return len(asked), answer

    few, _ = count()
    repeat(session, 1999, one, other)
    many, answer = count()
    assert few == many <= 12
    assert "Rank in 2000 shared sessions" in words(answer)
    assert "Page 1 of 100" in words(answer)


def test_choices_are_those_met_most_often_first(session):
    one, _other, third = players_of(session)[:3]
    repeat(session, 3, one, third)
    subject = subject_of(one)
    _listed, choices = find_choices(subject, look_at(subject), "", 1)
    assert choices[0].player == third
    assert choices[0].sessions == 4


def test_hidden_player_is_found_by_the_directors_of_the_club_alone():
    club = make_club()
    (player,) = add_players(club=club, lines=[RosterLine("Tard", "Léo")])
    Person.objects.filter(pk=player.person_id).update(shown=Visibility.HIDDEN)
    assert find_subject(make_director(club), player.pk).ids == (player.pk,)
    assert find_subject(AnonymousUser(), player.pk) is None


def test_tally_counts_better_equal_and_worse_ranks():
    assert tally_of([1, 1, 1, 0, -1, -1]) == (3, 1, 2)
