"""The changes of a running evening, by the director's own clicks on a phone.

A wrong étui is played. Somebody goes home and comes back. A position is added for which the set has too few étuis.
"""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from evenings.plans.layout import find_laid_rows
from evenings.standings import computing
from pages.doors import session_url
from tests.browser.conftest import PHONE
from tests.browser.devices import axe, width_of, words
from tests.browser.test_evening import log_in
from tests.evenings.tables.phones import tokens_of
from tests.factories import enter_all, make_director, make_tournament, started_session
from tournaments.models import Play, Ruling, Session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]


@pytest.fixture
def session(db):
    """Start a session of five tables and five étuis. Everybody meets each étui once."""
    session = started_session(make_tournament(), tables=5, positions=5, etuis_per_position=1)
    make_director(session.tournament.club)
    return session


def play(session: Session, position: int) -> None:
    """Call the position and enter all its results."""
    Session.objects.filter(pk=session.pk).update(position=position)
    plays = session.plays.filter(position=position).select_related("etui")
    enter_all(session, by=session.tournament.club.memberships.get().user, plays=plays)


class Director:
    """A director with a phone. Each page that they reach fits its width and has no fault that axe finds."""

    def __init__(self, page, session):
        self.page, self.session = page, session
        self.ways = page.locator("#ways")
        log_in(page, "directrice")

    def ask(self, kind):
        """Go from the running session to the page of a change."""
        self.page.goto(session_url("session", self.session))
        self.page.get_by_role("button", name="Plus", exact=True).click()
        self.press("Changements", "link")
        self.press(kind, "link")
        expect(self.page.get_by_role("heading", level=1)).to_have_text(kind)

    def press(self, name, role="button"):
        """Press the first button of that name, which is the best of several ways. Then check the next page."""
        with self.page.expect_navigation():
            self.page.get_by_role(role, name=name, exact=True).first.click()
        assert width_of(self.page) <= PHONE[0]
        assert axe(self.page) == []

    def apply(self):
        self.press("Appliquer")
        self.is_told("Le plan est modifié, sur toutes les pages et à toutes les tables.")

    def is_told(self, text):
        expect(self.page.locator("main .notices")).to_contain_text(text)


def left_out(session: Session, wrong: Play, etui: int) -> list[str]:
    """Return the preview after `etui` is played at the play `wrong`: who meets it again, and where."""
    had, told = set(), []
    plays = session.plays.filter(etui__number=etui).select_related("table")
    for each in sorted([*plays, wrong], key=lambda one: one.position):
        people = [entrant.name for entrant in each.seats.values()]
        if again := [name for name in people if name in had]:
            place = f"Étui {etui}, position {each.position}, table {each.table.number} ({', '.join(again)})"
            told.append(place + ("\xa0: son résultat ne compte plus" if each is wrong else ""))
        if not again or each is wrong:
            had.update(people)
    return told


def test_wrong_etui_is_shown_with_all_that_it_leaves_out_then_carried_out_and_undone(phone, session):
    for position in (1, 2):
        play(session, position)
    wrong = session.plays.select_related("table", "etui", "north").get(position=2, table__number=3)
    planned, played = wrong.etui.number, session.plays.get(position=1, north=wrong.north).etui.number
    before, ranking = find_laid_rows(session), computing.compute(session.pk).data["players"]
    director = Director(phone, session)
    director.ask("Une table a joué d’autres étuis")
    phone.get_by_label("À la position").select_option("2")
    phone.get_by_label("Table").select_option("3")
    director.press("Voir ses étuis")
    phone.get_by_label(f"Au lieu de l’étui {planned}").fill(str(played))
    director.press("Voir les conséquences")
    sentences = director.ways.locator("p.large")
    expect(sentences).to_have_text([
        f"Position 2, table 3\xa0: l’étui {played} a été joué au lieu du {planned}.",
        f"La table 3 ne joue pas l’étui {planned}.",
    ])  # fmt: skip
    first = director.ways.locator("article").first
    told = left_out(session, wrong, played)
    assert sum("ne compte plus" in line for line in told) == 1 < len(told)
    expect(first.locator(".notice li")).to_have_text(told)
    expect(first).to_contain_text(f"{len(told)} donnes sont laissées de côté")
    expect(first).to_contain_text("Personne ne change de place aux positions à venir.")
    phone.get_by_label("elle le joue plus tard").check()
    director.press("Revoir les conséquences")
    expect(sentences.last).to_have_text(f"La table 3 joue l’étui {planned} plus tard.")
    expect(first.locator(".notice li")).to_have_text(told)
    assert find_laid_rows(session) == before
    director.apply()
    at_table = session.plays.filter(position=2, table__number=3)
    assert sorted(at_table.values_list("etui__number", flat=True)) == sorted([planned, played])
    assert at_table.get(etui__number=planned).rulings.get().kind == Ruling.RulingKind.LATER
    assert session.plays.filter(is_replay=True).count() == len(told)
    director.press("Annuler")
    director.is_told("Le changement est annulé\xa0: le plan est comme avant.")
    expect(phone.locator("#history .state")).to_have_text(["annulée", "plan actuel"])
    expect(phone.locator("#history del")).to_contain_text(f"l’étui {played} a été joué")
    assert find_laid_rows(session) == before
    assert not Ruling.objects.filter(play__session=session).exists()
    assert computing.compute(session.pk).data["players"] == ranking


def next_tables(session: Session, table: int, position: int) -> list[str]:
    """Return the sentences about where each of a table's four goes after a position, as on its screen."""
    seats = session.plays.filter(position=position, table__number=table).first().seats
    tables = {}
    for each in session.plays.filter(position=position + 1).select_related("table"):
        tables |= {entrant.pk: words("table", table=each.table.number) for entrant in each.seats.values()}
    return [tables.get(entrant.pk, words("goes_rest")) for entrant in seats.values()]


def test_who_goes_home_and_comes_back_is_told_to_the_table_and_has_the_old_places(phone, session, table):
    gone = session.entrants.get(line="E", number=4)
    planned = [each.seat_ids for each in session.plays.filter(east=gone, position__gt=2).order_by("position")]
    play(session, 1)
    north = session.plays.get(position=2, east=gone).north
    number = session.plays.get(position=1, north=north).table.number
    director = Director(phone, session)
    with table(reverse("table_screen", args=[tokens_of(session)[number]])) as screen:
        screen.tap("write")
        places = screen.page.locator(".next li strong")
        old = next_tables(session, number, 1)
        expect(places).to_have_text(old)
        director.ask("Quelqu’un s’en va")
        phone.get_by_label("Nom014").check()
        phone.get_by_label("Dernière position jouée").select_option("1")
        director.press("Voir les conséquences")
        expect(director.ways.locator("p.large").first).to_have_text(f"{gone.name} part après la position 1.")
        director.apply()
        new = next_tables(session, number, 1)
        assert old[0] != new[0] == words("goes_rest")
        screen.look()
        expect(places).to_have_text(new)
    gone.refresh_from_db()
    assert gone.last_position == 1
    assert not session.plays.filter(east=gone, position__gt=1).exists()
    play(session, 2)
    director.ask("Quelqu’un qui était parti revient")
    phone.get_by_label("Nom014").check()
    phone.get_by_label("Première position rejouée").select_option("3")
    director.press("Voir les conséquences")
    expect(director.ways.locator("p.large").first).to_have_text(f"{gone.name} est de retour à partir de la position 3.")
    director.apply()
    expect(phone.locator("#history li").first).to_contain_text("est de retour à partir de la position 3")
    to_come = session.plays.filter(east=gone, position__gt=2).order_by("position")
    assert [each.seat_ids for each in to_come] == planned


def test_position_that_lacks_etuis_adds_them_to_the_set_under_way(phone, session):
    play(session, 1)
    director = Director(phone, session)
    director.ask("Plus ou moins de positions")
    phone.get_by_label("Positions en tout").fill("6")
    director.press("Voir les conséquences")
    expect(director.ways.get_by_role("button", name="Appliquer")).to_have_count(0)
    director.press("Ajouter 1 étui au jeu d’étuis")
    director.is_told("L’étui 6 est ajouté au jeu d’étuis")
    expect(phone.get_by_label("Positions en tout")).to_have_value("6")
    assert [*session.deal_set.etuis.order_by("number").values_list("number", flat=True)] == [1, 2, 3, 4, 5, 6]
    expect(director.ways).to_contain_text("est ajoutée")
    director.apply()
    expect(phone.locator("#history li").first).to_contain_text("La soirée compte 6 positions.")
    assert session.plays.filter(position=6, etui__number=6).count() == 5
    phone.goto(session_url("session", session))
    expect(phone.locator("#position-6")).to_be_visible()
