"""An afternoon of six quadrettes by pages alone, at 390 px and in French: from pasted names to the ranking.

A director prepares and rules, a captain hands in a line-up, and the two tables of a match enter their halves.
"""

import re
from fractions import Fraction

import pytest
from django.urls import reverse
from django.utils.translation import override
from playwright.sync_api import expect

from clubs.models import Player
from evenings.standings import computing
from pages.doors import session_url
from tests.browser.conftest import LAPTOP, LOW_PHONE, PHONE
from tests.browser.devices import Table, words
from tests.browser.teams.steps import look
from tests.browser.test_evening import follow, log_in
from tests.browser.test_languages import choose_language
from tests.evenings.tables.phones import tokens_of
from tests.evenings.teams.test_standings import list_plays
from tests.factories import enter_all, make_club, make_director, make_user
from tests.scoring.teams.plain import plain_match_points, plain_ranks
from tournaments.models import EtuiRuling, LineUp, Publication, Session, Team, TeamMember
from tournaments.words.figures import show_match_points

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]

LONG = "Rochefoucauld-Montbelliard"
TEAMS = ["Aix", "Blois", "Caen", "Dax"]
PASTED = "\n".join(
    [
        f"Excuse 21: Zoé {LONG}, Éric Petit, Anne Brun, Guy Noir",
        "Jean Morel; Inès Roux; Hugo Girard; Léa Blanc",
        *(f"{name}: Marie {name}un, Léo {name}deux, Ève {name}trois, Max {name}quatre" for name in TEAMS),
    ]
)
POSITIONS, ETUIS = 5, 2


class Afternoon:
    """The afternoon as a person with a phone sees it: each page fits, has one language, and no fault that axe finds."""

    def __init__(self, page, language):
        self.page, self.language = page, language
        page.goto(reverse("login"))
        choose_language(page, language)

    def look(self, name):
        look(self.page, name, self.language)

    def go(self, url, name):
        self.page.goto(url)
        self.look(name)

    def press(self, selector, name):
        follow(self.page, selector)
        self.look(name)


@pytest.mark.usefixtures("live_server")
@pytest.mark.parametrize("language", ["fr"])  # the evening of triplettes is in English
def test_afternoon_of_six_quadrettes_from_pasted_names_to_the_ranking(open_page, problems, language):
    club = make_club()
    make_director(club)
    with open_page(PHONE) as page:
        desk = Afternoon(page, language)
        log_in(page, "directrice")
        session = prepare_afternoon(desk, club)
        hand_in_by_captain(open_page, session, language, problems)
        choose_by_director(desk, session)
        session = start_afternoon(desk, session)
        ruled = play_one_match(open_page, desk, session)
        play_the_rest(session)
        look_at_the_afternoon(desk, session)
        rule_on_an_etui(desk, session, ruled)
        publish(desk, session)
        check_ranking(desk, session, ruled)


def prepare_afternoon(desk, club):
    """Go from the form of a new tournament to numbered teams, by the prominent buttons."""
    page = desk.page
    desk.go(reverse("tournament_new", args=[club.slug]), "01-new")
    page.fill("[name=name]", "Quadrettes d’été")
    page.check("[name=auction][value=quadrettes]", force=True)
    desk.press("main .button-primary", "02-session")
    page.fill("[name=date]", "2026-11-20")
    page.fill("[name=positions]", str(POSITIONS))
    page.fill("[name=etuis_per_position]", str(ETUIS))
    desk.press("main .button-primary", "03-checklist")
    session = Session.objects.get()
    desk.go(reverse("prepare_teams", args=[club.slug, session.tournament.slug]), "04-teams-empty")
    page.fill("[name=text]", PASTED.replace(", Guy Noir", ""))
    desk.press("button[name=action][value=paste]", "05-team-of-three")
    page.fill("[name=text]", PASTED)
    page.wait_for_selector("[name=shown]", state="attached")
    desk.press("button[name=action][value=paste]", "06-teams")
    assert (Team.objects.count(), TeamMember.objects.count()) == (6, 24)
    desk.go(session_url("entrants", session), "07-numbers")
    desk.press("button[name=action][value=number]", "08-numbered")
    return session


def hand_in_by_captain(open_page, session, language, problems):
    """Let the captain of the first team hand in a wrong line-up from the own account, and then a right one."""
    captain = Team.objects.earliest("pk").captain
    Player.objects.filter(pk=captain.pk).update(account=make_user("capitaine"))
    team = Team.objects.earliest("pk")
    members = [*team.members.order_by("place")]
    with open_page(PHONE) as page:
        phone = Afternoon(page, language)
        log_in(page, "capitaine")
        phone.go(reverse("account_line_ups"), "10-captain")
        for name, places in (("11-captain-twice", (3, 3, 2, 4)), ("12-captain-in", (3, 1, 2, 4))):
            for seat, place in zip("SNEW", places, strict=True):
                page.select_option(f"[name={seat}-{team.pk}]", str(members[place - 1].pk))
            phone.press("main form.form .button-primary", name)
            if places.count(3) > 1:
                expect(page.locator("[role=alert]")).to_have_count(1)
                assert not LineUp.objects.exists()
                assert [each for each in problems if "409" not in each] == []
                problems.clear()  # the browser reports the refusal
    assert LineUp.objects.get().attacker == members[2]


def choose_by_director(desk, session):
    """Choose the line-up of the second team on the director's page. The other four play as proposed."""
    desk.go(session_url("line_ups", session), "13-line-ups")
    team = Team.objects.order_by("pk")[1]
    members = [*team.members.order_by("place")]
    for seat, place in zip("SNEW", (2, 1, 3, 4), strict=True):
        desk.page.select_option(f"[name={seat}-{team.pk}]", str(members[place - 1].pk))
    desk.press("main form.form .button-primary", "14-line-ups-stored")
    assert LineUp.objects.count() == 2


def start_afternoon(desk, session):
    desk.go(session_url("plan_choose", session), "15-movement")
    desk.press("main button[value=choose] >> nth=0", "16-chosen")
    desk.go(session_url("etuis", session), "17-etuis")
    desk.press("main form .button-primary", "18-etuis-made")
    desk.go(session_url("session", session), "19-ready")
    follow(desk.page, "form[action$='/start/'] button")
    desk.page.wait_for_selector("#progress")
    desk.look("20-started")
    session = Session.objects.get()
    assert {*session.deal_set.etuis.values_list("taker", flat=True)} == {"S"}
    desk.go(session_url("prints", session), "21-prints")
    Session.objects.update(check_by="same", shows_after="topage")
    desk.page.goto(session_url("session", session))
    follow(desk.page, f"form[action='{session_url('call_position', session)}'] button.button-primary")
    desk.page.wait_for_selector("#progress")
    desk.look("22-called")
    session = Session.objects.get()
    assert session.position == 1
    return session


def play_one_match(open_page, desk, session):
    """Play both halves of two étuis at their two tables; the cards of the second étui are altered between the halves.

    Return that étui's number and its halves.
    """
    halves = session.plays.filter(position=1, table__number=1).select_related("etui", "table").order_by("etui__number")
    tokens = tokens_of(session)
    etuis = [half.etui.number for half in halves]
    mirror = session.plays.filter(position=1, south=halves[0].north_id).select_related("table").first().table
    for table, points in ((1, (51, 47)), (mirror.number, (36, 60))):
        with open_page(LOW_PHONE) as page:
            phone = Afternoon(page, desk.language)
            screen = Table(page, reverse("table_screen", args=[tokens[table]]))
            if desk.language == "en":  # the browser is French
                screen.tap("menu", "language", "back")
            expect(page.locator(".greeted.teams-at-table li")).to_have_count(2)
            expect(page.locator(".greeted .person")).to_have_count(4)
            phone.look(f"30-table-{table}")
            screen.tap("write")
            for number, made in zip(etuis, points, strict=True):
                screen.etui(number)
                phone.look(f"31-table-{table}-bouts")
                screen.facts(points=made)
                phone.look(f"32-table-{table}-summary")
                assert screen.fits()
                screen.tap("save")
                expect(page.locator("[data-key=agree]")).to_be_visible()
                phone.look(f"33-table-{table}-check")
                screen.tap("agree", "skip")
                phone.look(f"33-table-{table}-after")
                page.get_by_role("button", name=words("to_the_list", desk.language)).click()
                expect(screen.row(number)).to_contain_text(words("state.confirmed", desk.language))
            computing.refresh(session.pk, now=session.started_at)
            screen.look()
            phone.look(f"34-table-{table}-over")
    return etuis[1], [*session.plays.filter(position=1, etui__number=etuis[1], south__in=[halves[1].south_id])]


def play_the_rest(session):
    by = session.tournament.club.memberships.get().user
    enter_all(session, by=by, plays=session.plays.filter(entries=None).select_related("etui"))
    Session.objects.filter(pk=session.pk).update(position=POSITIONS)
    computing.refresh(session.pk, now=session.started_at)


def look_at_the_afternoon(desk, session):
    for number, name in enumerate(("session", "session_plan", "hall", "changes", "bulk", "standings", "tables"), 40):
        desk.go(session_url(name, session), f"{number}-{name}")
    desk.go(session_url("hall", session) + "?by=table", "48-hall-by-table")
    desk.go(session_url("hall", session) + "?q=montbell", "49-hall-member")
    expect(desk.page.locator(".hall-mine h2")).to_have_text("Excuse 21")


def rule_on_an_etui(desk, session, ruled):
    """Compare the halves of the étui apart, because it was altered between them. Then give a team a bonus."""
    number, (before,) = ruled
    page = desk.page
    desk.go(session_url("live_etui", session, number), "50-etui")
    page.evaluate("document.querySelectorAll('main details').forEach(each => { each.open = true })")
    page.select_option("[name=from_position]", "1")
    page.check(f"[name=before][value='{before.pk}']", force=True)
    page.fill("[name=reason] >> nth=0", "carte retournée")
    desk.look("51-etui-form")
    desk.press("button[name=kind][value=split]", "52-etui-preview")
    desk.press("[name=apply]", "53-etui-split")
    assert EtuiRuling.objects.get().kind == EtuiRuling.EtuiRulingKind.SPLIT
    desk.go(session_url("penalties", session), "54-penalties")
    page.select_option("[name=entrant]", str(session.entrants.get(number=3).pk))
    page.check("[name=kind][value=bonus]", force=True)
    page.fill("[name=points]", "0.5")
    page.fill("[name=reason]", "accord de l’arbitre")
    desk.press("main form .button-primary", "55-penalty-preview")
    desk.press("[name=apply]", "56-penalty-given")
    computing.refresh(session.pk, now=session.started_at)


def publish(desk, session):
    desk.go(session_url("publish", session), "60-publish")
    desk.press("form.form button.button-primary", "61-published")


def check_ranking(desk, session, ruled):
    """Compare the ranking that readers see with a plain computation, and look at the pages of the results."""
    number, (before,) = ruled
    ids = session.plays.values_list("pk", flat=True)
    plays = [
        (f"{play[0]} before" if pk == before.pk else play[0], *play[1:])
        for pk, play in zip(ids, list_plays(session), strict=True)
    ]
    totals, _etuis = plain_match_points(plays)
    totals = {team: Fraction(total, 1000) for team, total in totals.items()}
    bonus = session.entrants.get(number=3).team.number
    totals[bonus] += Fraction(1, 2)
    ranks, names = plain_ranks(totals), dict(Team.objects.values_list("number", "name"))
    desk.go(session_url("ranking", session), "62-ranking")
    rows = [re.sub(r"\s+", " ", text) for text in desk.page.locator("table.ranking tbody tr").all_inner_texts()]
    for team, rank in ranks.items():
        named = names[team] or {"fr": f"Équipe {team}", "en": f"Team {team}"}[desk.language]
        (row,) = [text for text in rows if re.search(rf"\b{named}\b", text)]
        assert row.split()[0].rstrip("eᵉʳ.") == str(rank), row
        with override(desk.language):
            assert show_match_points(totals[team]).split()[0] in row, row
    version, entrant = Publication.objects.get().version, session.entrants.get(number=1)
    place = session.tournament.club.slug, session.tournament.slug
    pages = {
        "63-feuille": session_url("feuille", session, version, entrant.pk),
        "64-member-feuille": session_url("feuille", session, version, entrant.pk) + "?member=1",
        "65-etui": session_url("published_etui", session, version, number),
        "66-etuis": session_url("published_etuis", session, version),
        "67-tournament": reverse("tournament", args=place),
        "68-hall": session_url("hall", session),
        "69-desk": session_url("session", session),
        "70-rules": reverse("tournament_rules", args=place),
    }
    for name, url in pages.items():
        desk.go(url, name)
    desk.page.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})
    wide = ("session_plan", "line_ups", "standings", "ranking", "log")
    pages.pop("68-hall")  # its podium appears step by step
    for name, url in (pages | {name: session_url(name, session) for name in wide}).items():
        desk.go(url, f"{name}-wide")
