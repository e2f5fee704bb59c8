"""The pages and files of a published tournament of donnes libres have marks with signs, and no percentage."""

import csv
import io
import re
from fractions import Fraction

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from archives.privacy.erasing import erase
from archives.privacy.whom import whom_of_player
from clubs.models import Club, Player, Visibility
from clubs.shown import Way, choose_shown
from evenings.sessions.setup import create_tournament
from pages.parts.form_parts import TOURNAMENT_SETTINGS
from rankings.events.counting import refresh
from tests.evenings.free.crawling import crawl
from tests.evenings.free.test_crawl import find_absurd
from tests.factories import make_club, make_director
from tests.free_tournaments import play_two_evenings, publish_again
from tests.pages.browsing import browser_of
from tournaments.words.figures import show_marks

pytestmark = pytest.mark.django_db


@pytest.fixture
def evenings():
    made = play_two_evenings()
    Club.objects.update(name="Club de tarot")
    return made


def address(name, tournament, *more):
    return reverse(name, args=[tournament.club.slug, tournament.slug, *more])


@pytest.mark.nightly("story")
@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_page_has_a_percentage_or_an_etui(evenings, language):
    tournament, by, _sums = evenings
    starts = [address("tournament", tournament), address("tournament_ranking", tournament)]
    starts += [reverse("club", args=[tournament.club.slug]), address("tournament_versions", tournament)]
    directing = [address("tournament_standings", tournament), address("tournament_publish", tournament)]
    assert find_absurd(crawl(Client(), starts, language)) == {}
    pages = crawl(browser_of(by), starts + directing, language)
    # the menu of the club has the étuis of its other tournaments
    assert find_absurd({key: text for key, text in pages.items() if key[0] != "club"}) == {}


@pytest.fixture
def tournament(evenings):
    return evenings[0]


def ask(name, tournament, *more, **asked):
    answer = browser_of().get(address(name, tournament, *more), asked)
    assert answer.status_code == 200, name
    return answer


def main_of(answer):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode().split("<main", 1)[1]))


def test_ranking_page_has_signed_marks(tournament):
    data = tournament.publications.get().data
    text = main_of(ask("tournament_ranking", tournament))
    assert "Classement général: the sum of the marks of the sessions. A missed session counts 0." in text
    assert data["players"][0]["rank"] == 1
    for row in data["players"]:
        for written in (row["total"], *(result["overall"] for result in row["results"] if result)):
            assert show_marks(Fraction(written)) in text


def test_table_as_a_file_has_marks(tournament):
    answer = ask("tournament_file", tournament, 1, kind="csv")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")), delimiter=";"))
    data = tournament.publications.get().data
    assert [row["Rank"] for row in rows] == [str(row["rank"]) for row in data["players"]]
    assert "%" not in answer.content.decode()


def test_programs_get_marks_beside_percentages_that_are_null(evenings):
    tournament, by, (first, second) = evenings
    for path in ("publications/latest", "standings"):
        answer = browser_of(by).get(f"/api/v1/tournaments/{tournament.pk}/{path}/").json()
        assert answer["unit"] == "marks"
        assert [each["level"] for each in answer["rounds"]] == [0, 0]
        for player in answer["players"]:
            results = [result for result in player["results"] if result]
            assert Fraction(player["marks"]["exact"]) == sum(Fraction(each["marks"]["exact"]) for each in results)
            assert {player["total"], *(each[name] for each in results for name in ("overall", "attack"))} == {None}
        totals = sorted(Fraction(player["marks"]["exact"]) for player in answer["players"])
        assert totals == sorted(first[pk] + second[pk] for pk in first.keys() | second.keys())


def test_columns_name_the_rounds_between_cuts(evenings):
    tournament, by, _sums = evenings
    assert "round 2" not in ask("tournament_ranking", tournament).content.decode()
    tournament.sessions.filter(number=2).update(level=1)
    refresh(tournament.pk, now=timezone.now())
    publish_again(tournament, by)
    page = ask("tournament_ranking", tournament).content.decode()
    heads = re.findall(r"<th.*?</th>", page[page.index("<thead>") : page.index("</thead>")], re.DOTALL)
    named = [" ".join(re.sub(r"<[^>]*>", " ", head).split()) for head in heads]
    assert named[-2:] == ["S1 round 1", "S2 round 2"]
    rows = ask("tournament_file", tournament, 2, kind="csv").content.decode("utf-8-sig").splitlines()
    assert rows[0].endswith('(round 2)"') or rows[0].endswith("(round 2)")
    assert "S2 (round 2)" in page


@pytest.mark.parametrize(("name", "kind"), [("tournament_pdf", "application/pdf"), ("tournament_podium", "image/png")])
def test_papers_and_pictures_are_made(tournament, name, kind):
    assert ask(name, tournament, 1)["Content-Type"] == kind


def test_embedded_ranking_and_feed_have_marks(tournament):
    first = Fraction(tournament.publications.get().data["players"][0]["total"])
    assert show_marks(first) in ask("tournament_embedded", tournament).content.decode()
    for name in ("tournament_embedded", "tournament_feed"):
        text = ask(name, tournament).content.decode()
        assert re.findall(r"%|[ée]tui", re.sub(r"[a-z:-]+=\"[^\"]*\"", "", text)) == [], name


@pytest.mark.nightly("crawl")
def test_hidden_and_erased_people_have_no_name(evenings):
    tournament, by, sums = evenings
    hidden, erased, *_others = sums[0]
    names = [Player.objects.get(pk=pk).name for pk in (hidden, erased)]
    page = ask("tournament_ranking", tournament).content.decode()
    assert [name in page for name in names] == [True, True]
    now = timezone.now()
    choose_shown(player=Player.objects.get(pk=hidden), shown=Visibility.HIDDEN, way=Way.LINK, by=None, now=now)
    erase(whom_of_player(Player.objects.get(pk=erased)), by=by, now=now)
    for name, more in (("tournament_ranking", ()), ("tournament_embedded", ()), ("tournament_file", (1,))):
        page = ask(name, tournament, *more, **({"kind": "csv"} if more else {})).content.decode()
        assert [each for each in names if each in page] == [], name
        assert show_marks(Fraction(tournament.publications.get().data["players"][0]["total"])) in page or more


def test_settings_of_a_tournament_of_donnes_libres_speak_of_marks_and_deals(client):
    club = make_club()
    tournament = create_tournament(club=club, name="Donnes libres", format="donnes_libres", now=timezone.now())
    client.force_login(make_director(club))
    for name in TOURNAMENT_SETTINGS:
        url = reverse(name, args=[club.slug, tournament.slug])
        page = client.get(url, headers={"accept-language": "en"}).content.decode()
        assert ("Smallest share of the deals" in page) == (name == "tournament_rules_ranked")
        assert ("shown with their marks" in page) == (name == "tournament_rules_ranked")
        assert "ercentage" not in page.split("<main", 1)[1].split("</main>", 1)[0]
