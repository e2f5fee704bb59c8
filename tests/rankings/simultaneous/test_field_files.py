"""A published field in other shapes: its addresses for programs, the PDF to pin up, the podium, sorted tables."""

import re
from fractions import Fraction

import pytest
from django.core.cache import caches
from django.urls import reverse
from django.utils import timezone

from clubs.models import Player, ShownWord, Visibility
from clubs.shown import choose_shown
from deals.domain.deal import dumps
from deals.domain.dealing import deal_etui
from evenings.plays.ruling import annul_etui
from outgoing.mailing.places import say_places_in_field, say_rank
from pages.public import all_kinds
from pages.ranking_pages import RankingQuery, lay_out_ranking
from rankings.listing import read_all_podiums
from rankings.simultaneous.field.feuilles import find_place_in_field
from rankings.simultaneous.field.publishing import FIELDS
from rankings.simultaneous.field.report import read_field_ranking
from tests.factories import publish
from tests.outgoing.paper.test_pdf import flat
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tests.rankings.simultaneous.national_day import DAY, HOUR, compute, word
from tournaments.errors import ActionRefused
from tournaments.models import FieldStandings, ResultEntry, Session, Simultaneous

pytestmark = pytest.mark.django_db


@pytest.fixture
def client():
    """Return a browser without an account, in English, with no page kept."""
    for each in caches:
        caches[each].clear()
    return browser_of()


def of_page(name, simultaneous, *rest):
    return reverse(name, args=[simultaneous.club.slug, simultaneous.slug, *rest])


def of_program(simultaneous, rest=""):
    return f"/api/v1/clubs/{simultaneous.club.slug}/simultaneous/{simultaneous.slug}/ranking/{rest}"


def open_now(simultaneous):
    """Let the public hour be over, with all results entered before it."""
    over = timezone.now() - HOUR
    ResultEntry.objects.update(entered_at=over - HOUR)
    Simultaneous.objects.filter(pk=simultaneous.pk).update(opens_at=over - DAY, closes_at=over, public_at=over)


def close_sessions(sessions):
    Session.objects.filter(pk__in=[each.pk for each in sessions]).update(closed_at=timezone.now())


def test_programs_read_every_version(client, director, played):
    simultaneous, sessions = played
    versions = of_program(simultaneous, "versions/")
    assert client.get(versions).json() == []
    FIELDS.publish(simultaneous.pk, word(director))
    annul_etui(session_id=sessions[0].pk, etui=1, reason="x", by=director, now=timezone.now())
    compute(simultaneous)
    FIELDS.publish(simultaneous.pk, word(director))
    told = client.get(versions).json()
    assert [(each["version"], each["status"]) for each in told] == [(2, "provisional"), (1, "provisional")]
    old, new = (client.get(f"{versions}{number}/").json() for number in (1, 2))
    assert (old["version"], new["version"]) == (1, 2)
    assert old["players"] != new["players"]
    assert new == client.get(of_program(simultaneous)).json()
    assert client.get(f"{versions}3/").status_code == 404
    FIELDS.withdraw(simultaneous.pk, word(director, "erreur"))
    assert client.get(f"{versions}1/").json()["error"]["code"] == "withdrawn"


@pytest.mark.nightly("story")
def test_programs_read_etuis_and_feuilles_from_the_public_hour_on(client, director, played):
    simultaneous, sessions = played
    publish(sessions[0], by=director)
    FIELDS.publish(simultaneous.pk, word(director))
    entrant = sessions[0].entrants.order_by("pk")[0].pk
    silent = sessions[1].entrants.order_by("pk")[0].pk
    etui, feuille = of_program(simultaneous, "etuis/1/"), of_program(simultaneous, f"players/{entrant}/")
    assert [client.get(each).json()["error"]["code"] for each in (etui, feuille)] == ["etuis_secret"] * 2
    open_now(simultaneous)
    FIELDS.settle_all()
    told = client.get(etui).json()
    assert (told["number"], told["annulled"]) == (1, False)
    (compared,) = told["compared"]
    assert sum(each["count"] for each in compared["frequencies"]) == 10
    scores = [each["score"] for each in compared["frequencies"]]
    assert scores == sorted(scores, reverse=True)
    mine = client.get(feuille).json()
    assert mine["player"] in client.get(of_program(simultaneous)).json()["players"]
    assert len(mine["plays"]) == 5
    assert all(play["field_note"] is not None for play in mine["plays"])
    assert mine["in_club"]["overall"] is not None
    hidden = client.get(of_program(simultaneous, f"players/{silent}/")).json()  # this club has published nothing
    assert (hidden["in_club"], hidden["plays"]) == (None, [])
    for gone in ("etuis/99/", "players/999999/"):
        assert client.get(of_program(simultaneous, gone)).status_code == 404


def test_etui_of_the_field_shows_the_cards_from_the_public_hour_on(client, director, played):
    simultaneous, _sessions = played
    cards = dumps(deal_etui(bytes(32), 1).deal)
    simultaneous.deal_set.etuis.filter(number=1).update(cards=cards, origin="typed")
    FIELDS.publish(simultaneous.pk, word(director))
    page, program = of_page("field_etui", simultaneous, 1), of_program(simultaneous, "etuis/1/")
    assert client.get(page).status_code == 404
    open_now(simultaneous)
    assert "card-face" in client.get(page).content.decode()
    assert client.get(program).json()["cards"] == cards


@pytest.mark.nightly("story")
def test_ranking_to_pin_up_has_clubs_or_one_club(client, director, played, monkeypatch):
    simultaneous, sessions = played
    FIELDS.publish(simultaneous.pk, word(director))
    page = client.get(of_page("field", simultaneous)).content.decode()
    pdf = of_page("field_pdf", simultaneous, 1)
    assert pdf in page
    answer = client.get(pdf, {"by": "general"})
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    text = flat(answer.content)
    assert "Ranking over all clubs" in text
    assert "· Général" in text
    assert text.count("Nom0") == 40
    assert "Hiver0" in text
    club = sessions[1].tournament.club
    one = flat(client.get(pdf, {"by": "general", "club": club.slug}).content)
    assert one.count("Nom0") == 20
    assert f"· {club.name}" in one
    north = flat(client.get(pdf, {"by": "N"}).content)
    assert north.count("Nom0") == 10
    monkeypatch.setattr(all_kinds, "MOST_PINNED", 15)
    caches["pages"].clear()
    short = flat(client.get(pdf, {"by": "general"}).content)
    assert short.count("Nom0") == 15
    assert "The first 15 of 40 players" in short


@pytest.mark.nightly("crawl")
def test_hidden_player_is_on_no_pdf(client, director, played):
    simultaneous, _sessions = played
    version = FIELDS.publish(simultaneous.pk, word(director))
    first = Player.objects.get(pk=version.data["players"][0]["player"])
    now, way = timezone.now(), ShownWord.WordWay.DIRECTOR
    before = flat(client.get(of_page("field_pdf", simultaneous, 1)).content).count("Hidden player")
    choose_shown(player=first, shown=Visibility.HIDDEN, way=way, by=director, now=now)
    assert (before, flat(client.get(of_page("field_pdf", simultaneous, 1)).content).count("Hidden player")) == (0, 1)


def test_podium_of_the_field_is_a_picture_for_shared_links(client, director, played):
    simultaneous, _sessions = played
    podium = of_page("field_podium", simultaneous, 1)
    assert client.get(podium).status_code == 404
    FIELDS.publish(simultaneous.pk, word(director))
    picture = client.get(podium)
    assert (picture.status_code, picture["Content-Type"]) == (200, "image/png")
    assert picture.content.startswith(b"\x89PNG")
    assert podium in client.get(of_page("field", simultaneous)).content.decode()


def test_every_podium_of_a_field_is_that_of_its_reference(director, played, monkeypatch):
    monkeypatch.setattr(all_kinds, "draw_podium", lambda _heading, steps, **_more: repr([each.name for each in steps]))
    simultaneous, _sessions = played
    for alterne in (True, False):
        Simultaneous.objects.filter(pk=simultaneous.pk).update(alterne=alterne)
        FieldStandings.objects.update(basis="")
        compute(simultaneous)
        version = FIELDS.publish(simultaneous.pk, word(director))
        ranking = read_field_ranking(version.data)
        page = lay_out_ranking(ranking, RankingQuery())
        shown = [(row.rank, row.player.player) for row in page["podium"]]
        names = [row.player.name for row in page["podium"]]
        assert page["by"] == ranking.reference == ("alterne" if alterne else "general")
        steps = read_all_podiums([version])[version]
        assert [(step.rank, step.name) for step in steps] == [(r, n) for (r, _), n in zip(shown, names, strict=True)]
        drawn = browser_of().get(of_page("field_podium", simultaneous, version.version)).content.decode()
        assert drawn == repr(names)
        told = say_places_in_field(version, {player for _rank, player in shown})
        assert all(say_rank(rank) in told[player] for rank, player in shown)
        places = {row["player"]: find_place_in_field(version, row["id"]).rank for row in version.data["players"]}
        assert [places[player] for _rank, player in shown] == [rank for rank, _player in shown]
        live = browser_of(director).get(of_page("field_publish", simultaneous)).context["leaders"]
        assert [player.player for _rank, player in live[: len(shown)]] == [player for _rank, player in shown]


def listed(client, simultaneous, **asked):
    """Return the ids of the players in the order of the page."""
    page = client.get(of_page("field", simultaneous), {"by": "general", **asked}).content.decode()
    table = page[page.index("<tbody") : page.index("</tbody>")]
    return [int(pk) for pk in re.findall(r'data-player="(\d+)"', table)]


def test_table_of_the_field_is_sorted_by_any_column(client, director, played):
    simultaneous, _sessions = played
    version = FIELDS.publish(simultaneous.pk, word(director))
    rows = {row["player"]: row for row in version.data["players"]}
    names = {player.pk: player.name for player in Player.objects.filter(pk__in=rows)}
    ranked = listed(client, simultaneous)
    assert ranked == list(rows)
    assert listed(client, simultaneous, sort="-rank")[0] in (ranked[-1], ranked[-2])
    for column in ("attack", "defence"):
        figures = [Fraction(rows[pk][column]) for pk in listed(client, simultaneous, sort=f"-{column}")]
        assert figures == sorted(figures, reverse=True)
        assert figures != [Fraction(rows[pk][column]) for pk in ranked]
    by_name = [names[pk] for pk in listed(client, simultaneous, sort="name")]
    assert [name.split()[-1] for name in by_name] != [names[pk].split()[-1] for pk in ranked]
    assert by_name == sorted(by_name)
    assert listed(client, simultaneous, sort="nonsense") == ranked
    page = client.get(of_page("field", simultaneous), {"by": "general", "sort": "-attack"}).content.decode()
    assert 'aria-sort="descending"' in page


def test_outdated_version_is_not_made_official_by_hand(director, played):
    simultaneous, sessions = played
    FIELDS.publish(simultaneous.pk, word(director))
    annul_etui(session_id=sessions[0].pk, etui=1, reason="x", by=director, now=timezone.now())
    close_sessions(sessions)
    with pytest.raises(ActionRefused) as refused:
        FIELDS.make_official(simultaneous.pk, word(director))
    assert refused.value.code == "field_outdated"
    answer = browser_of(director).post(of_page("field_step", simultaneous, "official"), follow=True)
    assert "publish the ranking again first" in words(answer)
    FIELDS.publish(simultaneous.pk, word(director))
    assert FIELDS.make_official(simultaneous.pk, word(director)).status == "official"


@pytest.mark.nightly("story")
def test_programs_find_the_ranking_in_the_list_of_rankings(client, director, played):
    simultaneous, _sessions = played
    asked = {"club": simultaneous.club.slug}
    assert client.get("/api/v1/rankings/", asked).json() == []
    FIELDS.publish(simultaneous.pk, word(director))
    (told,) = client.get("/api/v1/rankings/", asked).json()
    assert (told["kind"], told["tournament"], told["session"]) == ("field", None, None)
    assert (told["page"], told["api"]) == (of_page("field", simultaneous), of_program(simultaneous))
    assert simultaneous.title in told["title"]
    assert client.get("/api/v1/rankings/", asked | {"kind": "series"}).json() == []
    FIELDS.withdraw(simultaneous.pk, word(director, "erreur"))
    assert client.get("/api/v1/rankings/", asked).json() == []


def test_search_engines_find_the_published_ranking(client, director, played):
    simultaneous, _sessions = played
    page, sitemap = of_page("field", simultaneous), reverse("sitemap")
    assert page not in client.get(sitemap).content.decode()
    FIELDS.publish(simultaneous.pk, word(director))
    assert page in client.get(sitemap).content.decode()
    assert "X-Robots-Tag" not in client.get(page)
    Simultaneous.objects.filter(pk=simultaneous.pk).update(put_away_at=timezone.now())
    assert page not in client.get(sitemap).content.decode()
