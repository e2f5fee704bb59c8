"""The personal links of the members of teams: one each, for the sessions in which they play."""

import pytest
from django.utils import timezone

from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.requests.asking import ask_correction
from evenings.requests.links import (
    ensure_links,
    ensure_member_links,
    find_link_by_code,
    find_personal_link,
    renew_link,
    revoke_link,
)
from evenings.teams.substitutes import replace_member, undo_substitute
from tests.evenings.requests.team_world import TwoTeams, published_triplettes
from tests.evenings.teams.evening import make_team_tournament
from tests.evenings.teams.playing import start_sessions
from tests.factories import make_director
from tournaments.errors import ActionRefused
from tournaments.models import PersonalLink

pytestmark = pytest.mark.django_db


class Event:
    """Two running sessions of four triplettes, with a player who is in no team."""

    def __init__(self):
        self.tournament = make_team_tournament(teams=4)
        self.first, self.second = start_sessions(self.tournament, ["all_meet", "all_meet"])
        self.director = make_director(self.tournament.club)
        (self.free,) = add_players(club=self.tournament.club, lines=[RosterLine("Ersatz", "Zoé")])
        self.member = self.tournament.teams.get(number=2).members.get(place=2)

    def links(self, session=None):
        return ensure_member_links(session or self.first, now=timezone.now())

    def told(self, session=None, member=None):
        session, member = session or self.first, member or self.member
        entrant = session.entrants.get(team=member.team_id).pk
        told = {"session_id": session.pk, "entrant_id": entrant, "member_id": member.pk}
        return told | {"by": self.director, "now": timezone.now()}

    def replace(self, session, position):
        return replace_member(
            tournament_id=self.tournament.pk,
            member_id=self.member.pk,
            player=self.free.pk,
            session_id=session.pk,
            position=position,
            by=self.director,
            now=timezone.now(),
        )


@pytest.fixture
def event():
    return Event()


@pytest.mark.nightly("story")
def test_each_member_has_one_and_a_team_has_none(event, django_assert_num_queries):
    links = event.links()
    assert set(links) == set(event.tournament.team_members.values_list("pk", flat=True))
    assert len({link.token for link in links.values()} | {link.code for link in links.values()}) == 24
    assert ensure_links(event.first, now=timezone.now()) == {}
    with django_assert_num_queries(4):
        assert event.links() == links
    found = find_personal_link(links[event.member.pk].token)
    assert (found.person, found.name) == (event.member.player, event.member.player.name)
    assert find_link_by_code(found.code, today=event.first.date) == found


@pytest.mark.nightly("story")
def test_new_and_withdrawn_link_is_that_of_one_member_alone(event):
    before = event.links()
    new = renew_link(**event.told())
    assert find_personal_link(before[event.member.pk].token).revoked_at is not None
    assert event.links() == before | {event.member.pk: new}
    for _time in range(2):
        revoke_link(**event.told())
    assert event.member.pk not in event.links()
    assert len(event.links()) == len(before) - 1
    assert [*event.first.log.values_list("action", "params")] == [
        ("link_revoked", {"name": event.member.player.name}),
        ("link_renewed", {"name": event.member.player.name}),
    ]


@pytest.mark.nightly("story")
def test_a_team_or_a_stranger_to_it_has_no_link_to_renew(event):
    told = event.told()
    for wrong in (None, 0, event.tournament.teams.get(number=1).members.first().pk):
        with pytest.raises(ActionRefused) as refusal:
            renew_link(**told | {"member_id": wrong})
        assert refusal.value.code == "member_unknown"
    assert not PersonalLink.objects.exists()


def test_substitute_gets_links_and_who_left_keeps_those_of_played_sessions(event):
    first, second = event.links()[event.member.pk], event.links(event.second)[event.member.pk]
    substitute = event.replace(event.first, 2)
    assert {event.member.pk, substitute.pk} <= set(event.links())
    assert substitute.pk in event.links(event.second)
    assert event.member.pk not in event.links(event.second)
    assert find_personal_link(first.token).revoked_at is None
    assert find_personal_link(second.token).revoked_at is not None
    with pytest.raises(ActionRefused) as refusal:
        renew_link(**event.told(event.second))
    assert refusal.value.code == "member_never_there"


def test_undone_substitution_opens_the_links_again_and_ends_those_of_the_substitute(event):
    links = event.links(event.second)
    substitute = event.replace(event.second, 1)
    assert event.member.pk not in event.links(event.second)
    new = event.links(event.second)[substitute.pk]
    told = {"tournament_id": event.tournament.pk, "member_id": substitute.pk}
    undo_substitute(**told, by=event.director, now=timezone.now())
    assert event.links(event.second) == links
    assert find_personal_link(new.token) is None


def test_link_that_a_director_withdrew_stays_withdrawn_when_a_substitution_is_undone(event):
    event.links(event.second)
    revoke_link(**event.told(event.second))
    substitute = event.replace(event.second, 1)
    told = {"tournament_id": event.tournament.pk, "member_id": substitute.pk}
    undo_substitute(**told, by=event.director, now=timezone.now())
    assert event.member.pk not in event.links(event.second)


def test_substitute_who_asked_for_a_correction_can_no_longer_be_undone():
    session = published_triplettes()
    two = TwoTeams(session, position=3)
    ask_correction(link=two.came, play_id=two.play.pk, text="La fiche dit +66", now=timezone.now())
    told = {"by": make_director(session.tournament.club, "autre"), "now": timezone.now()}
    member = two.came.member
    with pytest.raises(ActionRefused, match="substitute_played"):
        undo_substitute(tournament_id=session.tournament_id, member_id=member.pk, **told)
    assert PersonalLink.objects.filter(member=member, revoked_at=None).exists()
