"""The choice how a player is shown in public, and the question whether they play in another club too.

The choice is made on a phone by the link of a guide card, and on a laptop by a director. The question is asked on a
laptop, and answered by a director or by an account.
"""

import pytest
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from clubs.accounts.players import tie
from clubs.models import Person, Player
from clubs.players import add_players
from clubs.roster import RosterLine
from pages.doors import session_url
from tests.browser.devices import axe, width_of
from tests.browser.test_evening import log_in
from tests.evenings.requests.world import Four
from tests.factories import make_club, make_director, make_tournament, make_user, published_session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]


def test_player_hides_himself_and_the_director_cannot_show_him(phone, laptop):
    tournament = make_tournament()
    session = published_session(tournament, by=make_director(tournament.club))
    link = Four(session).asker
    player = link.entrant.player
    phone.goto(reverse("personal", args=[link.token]))
    phone.get_by_role("link", name="Mon nom en public").click()
    for scheme in ("light", "dark"):
        phone.emulate_media(color_scheme=scheme)
        assert axe(phone) == []
    assert width_of(phone) <= phone.viewport_size["width"]
    phone.get_by_label("masqué").focus()
    phone.keyboard.press("Space")
    phone.get_by_role("button", name="Enregistrer ce choix").press("Enter")
    expect(phone.get_by_text("par le lien personnel du joueur")).to_be_visible()
    assert Person.objects.get(players=player).shown == "hidden"
    phone.goto(session_url("ranking", session))
    expect(phone.get_by_role("table").get_by_text("Joueur masqué").first).to_be_visible()
    expect(phone.get_by_text(player.name)).to_have_count(0)
    log_in(laptop, "directrice")
    laptop.goto(reverse("club_player", args=[tournament.club.slug, player.pk]))
    expect(laptop.get_by_label("masqué")).to_be_checked()
    laptop.get_by_label("par son nom").check()
    laptop.get_by_role("button", name="Enregistrer ce choix").click()
    expect(laptop.get_by_text("le joueur l’a demandé")).to_be_visible()
    assert Person.objects.get(players=player).shown == "hidden"
    assert axe(laptop) == []


def add(slug, last="Dupont"):
    club = make_club(slug, slug.capitalize())
    make_director(club, f"chez-{slug}")
    return add_players(club=club, lines=[RosterLine(last, "Marie", "123456")])[0]


def fits(page):
    assert width_of(page) <= page.viewport_size["width"]
    assert axe(page) == []


def ask(laptop, player):
    log_in(laptop, "chez-ici")
    laptop.goto(reverse("club_player", args=["ici", player.pk]))
    laptop.get_by_role("link", name="Dans d’autres clubs…").click()
    expect(laptop.get_by_text("Lié à aucun autre club")).to_be_visible()
    fits(laptop)
    laptop.get_by_label("Numéro de licence dans ce club").fill("123456")
    laptop.get_by_role("button", name="Demander").click()
    expect(laptop.get_by_text("pas encore de réponse")).to_be_visible()
    fits(laptop)


def test_director_of_the_other_club_answers(laptop, open_page):
    one, _other = add("ici"), add("ailleurs")
    ask(laptop, one)
    with open_page((390, 844)) as phone:
        log_in(phone, "chez-ailleurs")
        phone.goto(reverse("players", args=["ailleurs"]))
        phone.get_by_role("link", name="joue-t-il aussi dans un autre club").click()
        fits(phone)
        phone.get_by_role("button", name="C’est la même personne").click()
        expect(phone.get_by_text("Les deux sont maintenant une seule personne.")).to_be_visible()
        fits(phone)
    laptop.reload()
    expect(laptop.get_by_text("Marie Dupont (Ailleurs)")).to_be_visible()


def test_account_answers_alone_on_a_phone(laptop, phone):
    one, other = add("ici"), add("ailleurs")
    with transaction.atomic():
        tie(other, user := make_user("elle"), by=user, now=timezone.now())
    ask(laptop, one)
    log_in(phone, "elle")
    phone.goto(reverse("account"))
    expect(phone.get_by_text("1 question attend votre réponse")).to_be_visible()
    phone.get_by_role("link", name="Dans d’autres clubs").click()
    fits(phone)
    phone.get_by_role("button", name="Oui").click()
    expect(phone.get_by_text("Les deux sont maintenant une seule personne.")).to_be_visible()
    fits(phone)
    assert Player.objects.get(pk=one.pk).person == Player.objects.get(pk=other.pk).person
    phone.get_by_role("button", name="Ce n’est pas moi").click()
    expect(phone.get_by_text("Aucune question")).to_be_visible()
    assert Player.objects.get(pk=one.pk).person != Player.objects.get(pk=other.pk).person
