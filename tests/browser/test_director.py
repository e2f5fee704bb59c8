"""The rarer tasks of a director, clicked on the pages: mistakes, public étuis, seals, files, the end of an evening."""

import datetime as dt
import re

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from deals.models import DealSet
from deals.sets import create_deal_set, seal_deal_set
from evenings.plays.entering import not_played
from movements import plan_tables, to_csv
from pages.desk.hall import SOON
from pages.doors import session_url
from tests.browser.conftest import PHONE
from tests.browser.test_deal_sets import SETS, fits
from tests.browser.test_evening import follow, log_in
from tests.factories import PASSWORD, draft_session, enter_all, make_tournament, publish, published_session
from tests.factories import started_session as start_evening
from tests.pages.accounts.test_login import tonight
from tests.pages.wizard import evening
from tournaments.models import Session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]


@pytest.fixture
def tournament(club):
    return make_tournament(club)


def press(page, name):
    """Press the only button or link of that name, and wait until the page that it leads to is ready."""
    with page.expect_navigation():
        page.locator(":is(main, .place) :is(a, button):visible", has_text=re.compile(rf"^\s*{re.escape(name)}")).click()


def told(page):
    return page.locator("main .notices")


def test_log_in_leads_to_tonight_and_a_mistake_is_deleted_or_put_away(laptop, open_page, tournament, director):
    played = published_session(tournament, by=director)
    mistake = tonight(draft_session(tournament))
    laptop.goto("/")
    laptop.get_by_role("button", name="Menu").click()
    laptop.locator("#site-menu").get_by_role("link", name="Connexion").click()
    laptop.fill("[name=username]", director.username)
    laptop.fill("[name=password]", PASSWORD)
    follow(laptop, "main form button")
    laptop.wait_for_url(f"**{session_url('session', mistake)}")
    assert not laptop.get_by_role("button", name="Supprimer la séance").is_visible()
    laptop.get_by_text("Cette séance est une erreur").click()
    press(laptop, "Supprimer la séance")
    expect(told(laptop)).to_have_text("La séance 2 est supprimée.")
    assert Session.objects.get() == played
    laptop.goto(session_url("session_edit", played))
    laptop.get_by_text("Cette séance est une erreur").click()
    assert laptop.get_by_role("button", name="Supprimer la séance").count() == 0
    press(laptop, "Retirer la séance des listes")
    expect(laptop.locator("#put-away")).to_contain_text("elle reste à cette adresse")
    own, slug = session_url("session", played), tournament.club.slug
    lists = ("/", reverse("club", args=[slug]), reverse("tournament", args=[slug, tournament.slug]))
    with open_page(PHONE) as reader:

        def names_it(address):
            reader.goto(address)
            return reader.locator(f"main a[href^='{own}']").count() > 0

        assert [names_it(address) for address in lists] == [False] * 3
        reader.goto(session_url("ranking", played))
        expect(reader.locator(".ranking tbody tr")).to_have_count(20)
        laptop.goto(lists[-1])
        laptop.get_by_text("1 séance retirée des listes").click()
        press(laptop, "Séance 1")
        press(laptop, "Remettre dans les listes")
        assert [names_it(address) for address in lists] == [True] * 3


def test_etuis_whose_cards_are_public_want_a_reason_and_too_few_say_so_at_once(phone, tournament, director):
    public = published_session(tournament, by=director, cards=True).deal_set
    DealSet.objects.filter(pk=public.pk).update(name="Jeudi")
    few = create_deal_set(club=tournament.club, name="Reste", count=4, now=timezone.now(), by=None)
    session = draft_session(tournament)
    log_in(phone, "directrice")
    phone.goto(session_url("session", session))
    press(phone, "Voir les étuis")
    sets, reason = phone.locator("[name=deal_set]"), phone.locator("[name=reason]")
    offered = sets.locator(f"option[value='{public.pk}']")
    expect(offered).to_have_text("Cartes publiques : Jeudi : 5 étuis, distribués d’après un tirage importé")
    assert reason.count() == 0
    sets.select_option(value=str(public.pk))
    for _without_reason in range(2):
        press(phone, "Prendre ceux-ci")
        expect(told(phone)).to_contain_text("Les lecteurs ont vu les cartes de l’étui 1")
        expect(reason).to_be_focused()
        expect(reason).to_be_in_viewport()
        assert fits(phone)
    reason.fill("Initiation : on rejoue jeudi")
    press(phone, "Prendre ceux-ci")
    expect(told(phone)).to_have_text("Les étuis sont prêts.")
    expect(phone.locator(".etuis caption")).to_contain_text("Jeudi")
    sets.select_option(value=str(few.pk))
    press(phone, "Prendre ceux-ci")
    expect(told(phone)).to_contain_text("La séance demande 5 étuis à quatre joueurs et son jeu d’étuis en a 4")
    assert fits(phone)


def test_seed_is_revealed_after_one_question_for_three_or_five_once_declared_played(phone, tournament, director):
    played = published_session(tournament, by=director, cards=True).deal_set
    log_in(phone, "directrice")

    def reveal():
        phone.get_by_text("Révéler le tirage…").click()
        expect(phone.get_by_text("On ne peut pas revenir en arrière")).to_be_visible()
        assert fits(phone)
        press(phone, "Révéler le tirage définitivement")
        expect(told(phone)).to_contain_text("Le tirage est révélé")

    phone.goto(f"{SETS}{played.pk}/")
    assert not phone.get_by_role("button", name="Révéler le tirage définitivement").is_visible()
    reveal()
    for players in (3, 5):
        about = {"club": tournament.club, "name": f"À {players}", "count": 5, "players": players, "by": None}
        seal_deal_set(deal_set=create_deal_set(**about, now=timezone.now()), now=timezone.now())
        phone.goto(SETS)
        press(phone, about["name"])
        assert phone.get_by_text("Révéler le tirage…").count() == 0
        phone.fill("[name=played_on]", "2020-01-01")
        press(phone, "Déclarer le jeu d’étuis joué")
        expect(told(phone)).to_contain_text("Choisissez un jour entre le scellement du jeu d’étuis et aujourd’hui.")
        assert fits(phone)
        phone.fill("[name=played_on]", timezone.localdate().isoformat())
        press(phone, "Déclarer le jeu d’étuis joué")
        expect(phone.locator("main")).to_contain_text("Déclaré joué le")
        reveal()


def test_bulk_page_asks_before_a_result_takes_the_place_of_not_played(laptop, tournament, director):
    session = start_evening(tournament)
    play = session.plays.get(position=1, table__number=2)
    not_played(play_id=play.pk, by=director, now=timezone.now())
    log_in(laptop, "directrice")
    laptop.goto(session_url("session", session))
    press(laptop, "Saisir les fiches")
    row, score = laptop.locator(f"#row-{play.pk}"), laptop.locator(f"[name=score-{play.pk}]")
    expect(row).to_contain_text("non joué")
    score.fill("60")
    press(laptop, "Enregistrer les résultats")
    expect(laptop.locator(f"#said-{play.pk}")).to_contain_text("Cet étui est noté non joué ici")
    expect(score).to_have_value("60")
    assert not play.entries.exists()
    laptop.get_by_label("C’est bien cela : +60").check()
    press(laptop, "Enregistrer les résultats")
    expect(row).to_contain_text("+60")
    assert play.entries.get().fiche_score == 60


def test_plan_file_for_other_tables_says_so_and_the_session_keeps_its_shape(phone, tournament, director):
    session = evening(tournament, 20)
    log_in(phone, "directrice")
    phone.goto(session_url("session", session))
    press(phone, "Voir les tables et positions")
    csv = to_csv(plan_tables(7, 7)).encode()
    phone.get_by_text("Charger un plan depuis un fichier").click()
    phone.set_input_files("#import [name=file]", {"name": "plan.csv", "mimeType": "text/csv", "buffer": csv})
    press(phone, "Vérifier et garder")
    said = phone.locator("#import .field-errors").first
    expect(said).to_contain_text("Dans le plan, tables : 7, joueurs : 28, positions : 7, étuis par position : 4")
    expect(said).to_contain_text("Dans la séance, joueurs : 20, positions : 5, étuis par position : 4")
    expect(said).to_be_in_viewport()
    assert fits(phone)
    assert not session.plans.exists()
    press(phone, "Continuer")
    expect(phone.locator(".checklist")).to_contain_text("5 tables")
    assert Session.objects.values_list("positions", "etuis_per_position").get() == (5, 4)


def test_hall_by_tables_shows_who_comes_next_and_once_published_nothing_is_called(laptop, tournament, director):
    session = start_evening(tournament)
    log_in(laptop, "directrice")
    laptop.goto(session_url("session", session))
    follow(laptop, "#call-next")
    Session.objects.update(clock_ends_at=timezone.now() + dt.timedelta(seconds=SOON - 1))
    follow(laptop, "#to-hall")
    press(laptop, "Par table")
    expect(laptop.locator(".hall-then h3")).to_have_text([f"→ position 2 étui {each}" for each in (2, 3, 4, 5, 1)])
    enter_all(session, by=director)
    follow(laptop, ".hall-controls a >> text=Séance")
    head = laptop.locator("#running-head")
    expect(head).to_contain_text("Lancer la position 2")
    expect(head).to_contain_text("Fin de la soirée vers")
    expect(laptop.locator("#close")).to_be_visible()
    publish(session, by=director)
    laptop.reload()
    expect(laptop.locator(".running-position")).to_have_text("La soirée est terminée")
    expect(head).not_to_contain_text("Fin de la soirée vers")
    assert laptop.locator("#call-next, #clock-more, #close").count() == 0
