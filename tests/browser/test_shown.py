"""The choice of one's name in public, on a phone by the link of a guide card and on a laptop by a director."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from clubs.models import Person
from tests.browser.devices import axe
from tests.browser.test_evening import log_in
from tests.factories import make_director, make_tournament, published_session
from tests.tournaments.requests.world import Four
from tournaments.web.doors import session_url

pytestmark = pytest.mark.django_db(transaction=True)


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
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.get_by_label("masqué").focus()
    phone.keyboard.press("Space")
    phone.get_by_role("button", name="Enregistrer ce choix").press("Enter")
    expect(phone.get_by_text("par le lien personnel du joueur")).to_be_visible()
    assert Person.objects.get(players=player).shown == "hidden"
    phone.goto(session_url("ranking", session))
    expect(phone.get_by_text("Joueur masqué").first).to_be_visible()
    expect(phone.get_by_text(player.name)).to_have_count(0)
    log_in(laptop, "directrice")
    laptop.goto(reverse("club_player", args=[tournament.club.slug, player.pk]))
    expect(laptop.get_by_label("par son nom")).to_be_disabled()
    expect(laptop.get_by_label("masqué")).to_be_checked()
    assert axe(laptop) == []
