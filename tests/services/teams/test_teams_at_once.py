"""Two connections at once, on PostgreSQL: directors, tables and members who change one team or one play."""

import pytest
from django.utils import timezone

from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.plays.entering import correct_result, enter_result
from evenings.plays.entries import name_attacker
from evenings.requests.asking import ask_correction
from evenings.requests.links import ensure_member_links
from evenings.teams.changing import add_member, leave_tournament, remove_member, rename_team
from evenings.teams.making import make_team
from evenings.teams.substitutes import replace_member
from registration.people.merging import merge_players
from tests.evenings.requests.team_world import TwoTeams, published_triplettes
from tests.evenings.requests.world import WRONG
from tests.evenings.teams.evening import make_team_tournament, triplettes_session
from tests.factories import garde, make_director, make_user
from tests.services.test_standings_jobs import in_threads
from tournaments.errors import Refusal
from tournaments.models import CorrectionRequest, PersonalLink, TeamMember

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("race")]


class Prepared:
    """A tournament of two teams before its first session, one of which lacks a player, with two directors."""

    def __init__(self):
        self.tournament = make_team_tournament(teams=2)
        self.club = self.tournament.club
        self.directors = [make_director(self.club), make_director(self.club, "autre")]
        self.one, self.two = self.tournament.teams.order_by("number")
        self.last = self.one.members.get(place=3).player
        self.call(remove_member, self.one, player_id=self.last.pk)
        (self.free,) = add_players(club=self.club, lines=[RosterLine("Libre", "Léa")])

    def call(self, act, team=None, director=0, **more):
        told = {"tournament_id": self.tournament.pk, "by": self.directors[director], "now": timezone.now()}
        return act(**told | ({"team_id": team.pk} if team else {}), **more)

    def active(self):
        return TeamMember.objects.filter(tournament=self.tournament, ended_at=None)


@pytest.fixture
def prepared():
    return Prepared()


def outcome(act):
    def run():
        try:
            act()
        except Refusal as refusal:
            return refusal.code
        return "done"

    return run


def together(*acts):
    return sorted(in_threads([outcome(act) for act in acts]), key=str)


def test_two_directors_who_complete_one_team_give_it_one_player(prepared):
    (other,) = add_players(club=prepared.club, lines=[RosterLine("Autre", "Ali")])
    assert together(
        lambda: prepared.call(add_member, prepared.one, player=prepared.free.pk),
        lambda: prepared.call(add_member, prepared.one, director=1, player=other.pk),
    ) == ["done", "team_full"]
    assert prepared.active().filter(team=prepared.one).count() == 3


def test_two_directors_who_name_two_teams_alike_name_one(prepared):
    assert together(
        lambda: prepared.call(rename_team, prepared.one, name="Les As"),
        lambda: prepared.call(rename_team, prepared.two, director=1, name="les às"),
    ) == ["done", "team_name_taken"]


def test_player_who_joins_two_teams_at_once_is_in_one(prepared):
    own = [prepared.free.pk]
    answers = together(
        lambda: prepared.call(add_member, prepared.one, player=prepared.free.pk),
        lambda: prepared.call(make_team, director=1, players=own),
    )
    assert answers == ["done", "player_in_a_team"]
    assert prepared.active().filter(player=prepared.free).count() == 1


def test_player_who_joins_a_team_while_merged_with_one_of_another_is_refused_once(prepared):
    answers = together(
        lambda: prepared.call(add_member, prepared.one, player=prepared.free.pk),
        lambda: merge_players(
            club=prepared.club,
            kept_id=prepared.two.captain_id,
            gone_id=prepared.free.pk,
            by=prepared.directors[1],
            now=timezone.now(),
        ),
    )
    assert answers in (["done", "players_in_two_teams"], ["done", "player_in_a_team"], ["done", "player_unknown"])
    for member in prepared.active().select_related("player"):
        assert prepared.active().filter(player=member.player.is_now).count() == 1


class Running:
    """A running session of four triplettes with two directors, and a play of its first position."""

    def __init__(self):
        self.session = triplettes_session(teams=4)
        self.club = self.session.tournament.club
        self.directors = [make_director(self.club), make_director(self.club, "autre")]
        plays = self.session.plays.select_related("etui", "table", "session__tournament").order_by("pk")
        self.play = plays.first()
        self.team = self.play.seats[self.play.taker].team
        self.members = {member.place: member for member in self.team.members.all()}
        self.other = next(member for place, member in self.members.items() if place != self.play.badge)
        self.third = next(m for place, m in self.members.items() if m != self.other and place != self.play.badge)
        (self.free,) = add_players(club=self.club, lines=[RosterLine("Libre", "Léa")])

    def entry(self, attacker=None, points=49):
        return name_attacker(garde(self.play.taker, points=points), attacker)

    def replace(self, member, director=0):
        return replace_member(
            tournament_id=self.session.tournament_id,
            member_id=member.pk,
            player=self.free.pk,
            session_id=self.session.pk,
            position=1,
            by=self.directors[director],
            now=timezone.now(),
        )


@pytest.fixture
def running():
    return Running()


def test_attacker_corrected_at_two_desks_at_once_is_the_one_of_the_first(running):
    told = {"play_id": running.play.pk, "now": timezone.now()}
    enter_result(**told, entry=running.entry(), by=running.directors[0])
    answers = together(
        lambda: correct_result(
            **told, entry=running.entry(running.other.pk), seen_version=1, reason="x", by=running.directors[0]
        ),
        lambda: correct_result(
            **told, entry=running.entry(running.third.pk), seen_version=1, reason="y", by=running.directors[1]
        ),
    )
    assert answers == ["corrected_meanwhile", "done"]
    assert running.play.entries.count() == 2
    assert running.play.entries.get(current=True).attacker_id in (running.other.pk, running.third.pk)


def test_attack_of_a_member_and_their_substitute_exclude_each_other(running):
    """Check both orders: whoever is second is refused, so no result names a member who was not there."""
    answers = together(
        lambda: enter_result(
            play_id=running.play.pk, entry=running.entry(running.other.pk), by=running.directors[0], now=timezone.now()
        ),
        lambda: running.replace(running.other, director=1),
    )
    assert answers in (["attacker_away", "done"], ["done", "substitute_attacked"])
    named = running.play.entries.exclude(attacker=None).exists()
    assert named == (not TeamMember.objects.filter(replaces=running.other).exists())


def test_two_directors_who_replace_one_member_by_one_player_have_one_substitute(running):
    acts = (lambda: running.replace(running.other), lambda: running.replace(running.other, director=1))
    assert together(*acts) == ["done", "done"]
    assert TeamMember.objects.filter(replaces=running.other).count() == 1


def test_player_who_replaces_two_members_at_once_replaces_one(running):
    acts = (lambda: running.replace(running.other), lambda: running.replace(running.third, director=1))
    assert together(*acts) == ["done", "player_in_a_team"]


def test_substitute_of_a_team_that_leaves_at_once_is_in_it_or_refused(prepared):
    prepared.call(add_member, prepared.one, player=prepared.last.pk)
    member = prepared.one.members.first()
    answers = together(
        lambda: prepared.call(replace_member, member_id=member.pk, player=prepared.free.pk),
        lambda: prepared.call(leave_tournament, prepared.one, director=1, reason="malades"),
    )
    assert answers in (["done", "done"], ["done", "team_has_left"])
    prepared.one.refresh_from_db()
    assert prepared.one.left_at is not None
    assert prepared.active().filter(team=prepared.one).count() == 3


def test_two_who_print_at_once_print_the_same_links_of_members(running):
    printed = in_threads([lambda: ensure_member_links(running.session, now=timezone.now())] * 2)
    assert [{pk: link.token for pk, link in links.items()} for links in printed] == [
        dict(PersonalLink.objects.values_list("member", "token"))
    ] * 2
    assert PersonalLink.objects.count() == 12


def test_of_two_members_of_a_team_who_ask_at_once_the_second_finds_the_first():
    two = TwoTeams(published_triplettes())
    make_user("stranger")
    told = {"play_id": two.play.pk, "text": WRONG, "now": timezone.now()}
    answers = together(*(lambda link=link: ask_correction(link=link, **told) for link in (two.asker, two.mate)))
    assert answers == ["done", "request_there"]
    assert CorrectionRequest.objects.count() == 1
