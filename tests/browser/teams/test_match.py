"""A match of two teams at 390 px: line-ups, both rooms with their contracts, and the league and tree that follow."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from evenings.standings import computing
from pages.doors import session_url
from tests.browser.conftest import LOW_PHONE, PHONE
from tests.browser.devices import Table, words
from tests.browser.teams.steps import look
from tests.browser.test_evening import follow, log_in
from tests.evenings.tables.phones import tokens_of
from tests.evenings.teams.matches.evening import (
    find_member,
    list_badges,
    make_matches,
    plausible_attack,
    prepare_match,
    start,
)
from tests.factories import enter, make_director
from tournaments.models import ResultEntry, Session, Tournament

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]


@pytest.mark.usefixtures("live_server")
def test_match_of_two_teams_from_the_line_ups_to_the_league(open_page):
    tournament = make_matches(2)
    make_director(tournament.club)
    session = start(prepare_match(tournament))
    Session.objects.filter(pk=session.pk).update(check_by="same", shows_after="topage")
    with open_page(PHONE) as desk:
        log_in(desk, "directrice")
        hand_in_by_page(desk, session)
        follow_call(desk, session)
        own, other = session.plays.filter(position=1, etui__number=1).select_related("etui", "table").order_by("table")
        play_in_room(open_page, session, own, "garde_contre", 73, seen=1)
        play_in_room(open_page, session, other, "garde", 50, seen=2)
        contracts = ResultEntry.objects.order_by("play__table__number").values_list("contract", flat=True)
        assert [*contracts] == ["garde_contre", "garde"]
        by = tournament.club.memberships.get().user
        for play in session.plays.filter(entries=None).select_related("etui", "table"):
            enter(play, plausible_attack(play), by=by)
        Session.objects.filter(pk=session.pk).update(position=4)
        computing.refresh(session.pk, now=session.started_at)
        check_results(desk, tournament, session)


def hand_in_by_page(desk, session):
    """Hand in the line-ups of the first quarter. The first one stays secret until the second one is there."""
    desk.goto(session_url("line_ups", session))
    look(desk, "line-ups")
    for team, place in ((1, 4), (2, 5)):
        pk = find_member(team, 1).team_id
        desk.check(f"[name=in-{pk}]")
        for seat, member in zip("SNEW", (place, 1, 2, 3), strict=True):
            desk.select_option(f"[name={seat}-{pk}]", str(find_member(team, member).pk))
        follow(desk, "form.form .button-primary")
        known = list_badges(session, 1)
        assert known == ({1: {1}, 2: {1}} if team == 1 else {1: {4}, 2: {5}})
    look(desk, "line-ups-in")
    expect(desk.locator(".state-done")).to_have_count(2)


def follow_call(desk, session):
    """Call the first quarter, and look at the hall and the desk."""
    Session.objects.filter(pk=session.pk).update(position=1)
    for name in ("session", "hall", "session_plan"):
        desk.goto(session_url(name, session))
        look(desk, name)


def play_in_room(open_page, session, play, contract, points, *, seen):
    """Play an étui in one room. Afterwards the screen shows `seen` results: the other room's only with both halves."""
    computing.refresh(session.pk, now=session.started_at)
    with open_page(LOW_PHONE) as page:
        phone = Table(page, reverse("table_screen", args=[tokens_of(session)[play.table.number]]))
        phone.tap("write")
        phone.etui(play.etui.number)
        attacker = play.seats["S"].team.members.get(place=play.badge).player
        expect(phone.heading).to_have_text(words("ask.contract", name=attacker.name))
        assert "342" not in page.locator("body").inner_text()
        expect(page.locator("[data-key=prise]")).to_have_count(0)
        assert phone.fits()
        phone.tap(contract)
        phone.facts(points=points)
        expect(page.locator(".score-lines")).to_contain_text(words(f"contract.{contract}"))
        phone.tap("save", "agree")
        computing.refresh(session.pk, now=session.started_at)
        phone.look()
        phone.tap("skip")
        expect(page.locator("main")).to_contain_text(words("state.confirmed"))
        if seen > 1:  # both halves are in: this room sees the other one's result
            expect(page.locator("main")).to_contain_text("342")
    notes = session.standings.etuis.get(etui=play.etui).plays
    assert sum(each["base_score"] is not None for each in notes.values()) == seen


def check_results(desk, tournament, session):
    """Publish the session, and look at its ranking, the league and the tree."""
    desk.goto(session_url("publish", session))
    look(desk, "publish")
    follow(desk, "form.form button.button-primary")
    for url in (session_url("ranking", session), reverse("matches", args=[tournament.club.slug, tournament.slug])):
        desk.goto(url)
        look(desk, url)
        expect(desk.locator(".tree-match")).to_have_count(1)
        expect(desk.locator(".tree-side.is-won")).to_have_count(1)
    expect(desk.locator("table.league tbody tr")).to_have_count(2)
    Tournament.objects.filter(pk=tournament.pk).update(meeting="tree")
    desk.reload()
    look(desk, "tree")
    expect(desk.locator(".tree-round")).to_have_count(1)
