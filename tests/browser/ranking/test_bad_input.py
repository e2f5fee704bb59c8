"""The ranking page with very many players, long names or odd names: no sideways scrolling, small pages, no lost row."""

import gzip

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Player
from clubs.players import add_players, raise_names_version
from clubs.roster import RosterLine
from rankings.events.publishing import TOURNAMENTS
from tests import shared_evenings
from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.devices import axe, width_of
from tests.factories import make_director, make_tournament
from tests.pages.public.test_pages import address
from tests.rankings.events.several import published_sessions
from tournaments.models import Publication, PublishedPlayer
from tournaments.versions import DirectorWord

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]

LONG = "Pneumonoultramicroscopicsilicovolcanoconiosis" + "x" * 35


session = shared_evenings.published


def grow(session, players):
    """Change the publication as if `players` people had played, all with the same name."""
    listed = add_players(
        club=session.tournament.club,
        lines=[RosterLine("Martin", "Jean", licence=str(number)) for number in range(players)],
    )
    publication = Publication.objects.get(session=session)
    known = publication.data["players"]
    publication.data["players"] = [
        known[place % len(known)]
        | {"player": player.pk, "number": place // 4 + 1, "line": "NESW"[place % 4], "id": 10_000 + place}
        | dict.fromkeys(("rank_general", "rank_alterne"), place + 1)
        | {"rank_line": place // 4 + 1, "overall": f"{6000 - place}/97"}
        for place, player in enumerate(listed)
    ]
    publication.save()
    PublishedPlayer.objects.bulk_create(PublishedPlayer(publication=publication, player=player) for player in listed)
    raise_names_version(session.tournament.club_id)


@pytest.mark.parametrize("asked", ["", "?part=all", "?by=line&part=all", "?sort=-attack", "?q=martin"])
def test_ranking_of_three_hundred_of_one_name_is_light(session, asked):
    grow(session, 300)
    page = Client(headers={"accept-encoding": "gzip"}).get(address("ranking", session) + asked)
    assert page["Content-Encoding"] == "gzip"
    assert len(page.content) < 60_000
    rows = gzip.decompress(page.content).decode().count('scope="row"')
    assert rows == (300 if "all" in asked else 200)


def test_ranking_of_eighty_tables_fits_a_phone_and_a_laptop(phone, session):
    grow(session, 320)
    for by in ("alterne", "general", "line"):
        phone.goto(f"{address('ranking', session)}?by={by}")
        for width, height in (PHONE, LAPTOP):
            phone.set_viewport_size({"width": width, "height": height})
            assert width_of(phone) <= width


def test_reader_on_another_part_is_led_to_his_line(phone, session):
    grow(session, 300)
    last = Publication.objects.get(session=session).data["players"][-1]["player"]
    phone.goto(address("ranking", session))
    phone.evaluate("player => localStorage.setItem('topage.me', player)", str(last))
    phone.reload()
    phone.get_by_role("link", name="Trouver mon rang").click()
    phone.locator(f"#player-{last}.me").wait_for()
    assert phone.locator("[data-me-here] .me-go").inner_text() == "Jean Martin"


def test_longest_name_without_a_space_is_whole_on_a_phone(phone):
    tournament = make_tournament()
    director = make_director(tournament.club)
    _first, session = published_sessions(tournament, by=director)
    for number, player in enumerate(tournament.club.players.order_by("pk")):
        Player.objects.filter(pk=player.pk).update(first_name="", last_name=f"{LONG[:-2]}{number:02}")
    raise_names_version(tournament.club_id)
    TOURNAMENTS.publish(tournament.pk, DirectorWord(director, timezone.now()))
    several = reverse("tournament_ranking", args=[tournament.club.slug, tournament.slug])
    for url in (address("ranking", session), f"{address('ranking', session)}?by=line&q=pneumono", several):
        phone.goto(url)
        first = phone.locator("tbody tr").first
        phone.evaluate("id => localStorage.setItem('topage.me', id)", first.get_attribute("data-player"))
        phone.reload()
        for width, height in (PHONE, LAPTOP):
            phone.set_viewport_size({"width": width, "height": height})
            assert width_of(phone) <= width
        name = first.locator("[data-who]")
        assert len(name.inner_text()) == 80
        assert name.evaluate("name => name.scrollWidth <= name.closest('th').clientWidth")
        phone.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        for scheme in ("light", "dark"):
            phone.emulate_media(color_scheme=scheme)
            assert axe(phone) == []
