"""The part of a member in each play of the team, on the page of the personal link."""

import pytest
from django.utils import timezone

from evenings.plays.entering import annul_play
from pages.personal.pages import find_member_parts
from rankings.publication.report import read_report
from tests.evenings.requests.team_world import TwoTeams, published_triplettes
from tests.factories import make_director, publish
from tournaments.reports.parts import MemberPart

pytestmark = pytest.mark.django_db


def read_parts(world, link):
    report = read_report(world.session.publications.latest("version").data)
    team = report.player(world.entrant.pk)
    return find_member_parts(link.member, report, team, report.feuille(world.entrant.pk))


def test_annulled_play_leaves_everybody_the_same_part():
    world = TwoTeams(published_triplettes())
    before = {link.pk: read_parts(world, link) for link in (world.asker, world.mate)}
    assert {parts[world.play.pk] for parts in before.values()} <= {
        MemberPart.ATTACK,
        MemberPart.DEFENCE,
        MemberPart.WAIT,
    }
    by = make_director(world.session.tournament.club, "annulling")
    annul_play(play_id=world.play.pk, reason="cards", by=by, now=timezone.now())
    publish(world.session, by=by)
    for link in (world.asker, world.mate):
        assert read_parts(world, link)[world.play.pk] == before[link.pk][world.play.pk]
