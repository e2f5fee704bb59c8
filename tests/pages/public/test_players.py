"""The page of a player: what it shows, who may read it, the number of queries."""

import datetime as dt
import gzip

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club, Person, Player, Visibility
from clubs.players import raise_names_version
from rankings.careers.keeping import refresh
from rankings.publication.publishing import SESSIONS, switch_parts
from rankings.publication.report import read_report
from registration.people.merging import merge_players
from tests import shared_evenings
from tests.factories import make_club, make_director, make_tournament, make_user
from tests.pages.reading import read, words
from tests.rankings.careers.world import played, players_of, repeat
from tournaments.models import Appearance, CareerSeason
from tournaments.published import Shows
from tournaments.versions import DirectorWord
from tournaments.words.figures import percent

pytestmark = pytest.mark.django_db


session = shared_evenings.season_with_no_page_cached


@pytest.fixture
def zoe(session):
    return players_of(session)[0]


@pytest.fixture
def reader():
    return Client(headers={"accept-language": "en"})


def browser_of(user):
    client = Client(headers={"accept-language": "en"})
    client.force_login(user)
    return client


def page(player, **asked):
    return reverse("player", args=[player.pk]) + ("?" + "&".join(f"{k}={v}" for k, v in asked.items()) if asked else "")


def hide(player, shown=Visibility.HIDDEN):
    Person.objects.filter(pk=player.person_id).update(shown=shown)
    raise_names_version(player.club_id)


def test_page_has_the_figures_of_the_ranking_and_leads_to_its_pages(session, zoe, reader):
    answer = reader.get(page(zoe))
    text, links = words(answer), read(answer).links
    player = next(each for each in read_report(session.publications.get().data).players if each.player == zoe.pk)
    for figure in ("overall", "attack", "defence"):
        assert percent(getattr(player, figure)) in text
    assert f"{player.rank_alterne} of 20" in text
    where = ["club", session.tournament.slug, session.number]
    assert {
        reverse("ranking", args=where),
        reverse("feuille", args=[*where, 1, player.id]),
        reverse("choose_other", args=[zoe.pk]),
        reverse("club", args=["club"]),
    } <= set(links)
    assert any(link.startswith(reverse("published_etuis", args=[*where, 1])) for link in links)
    assert "Zoé Nom002" in text
    assert answer["X-Robots-Tag"] == "noindex"


def test_few_deals_are_told_with_their_interval_and_many_without(session, zoe, reader):
    assert "Student" in words(reader.get(page(zoe)))
    few = words(reader.get(page(zoe))).split("Percentages")[1].split("Global =")[0]
    # After five attacks any percentage may still be possible; then the page shows no interval for them.
    assert few.count("from ") in (2, 3)
    assert " from " in few.split("Defence (15 deals)")[1]
    repeat(session, 10, zoe)
    many = words(reader.get(page(zoe))).split("Percentages")[1].split("Global =")[0]
    assert "from " not in many


def test_page_reads_well_in_french(zoe):
    text = words(Client(headers={"accept-language": "fr"}).get(page(zoe)))
    assert "Face à face" in text
    assert "Attaque" in text


@pytest.mark.nightly("story")
@pytest.mark.parametrize("shown", [Visibility.INITIALS, Visibility.HIDDEN])
def test_who_is_not_shown_by_name_has_a_page_for_himself_and_his_directors_alone(session, zoe, director, reader, shown):
    own = make_user("zoe")
    Player.objects.filter(pk=zoe.pk).update(account=own)
    hide(zoe, shown)
    stranger, other = make_user("stranger"), make_director(make_club("ailleurs"), "autre")
    for client in (reader, browser_of(stranger), browser_of(other)):
        answer = client.get(page(zoe))
        assert answer.status_code == 404
        assert "Nom001" not in answer.content.decode()
    for user in (own, director):
        answer = browser_of(user).get(page(zoe))
        assert "Zoé Nom001" in words(answer)
        assert "their name is not shown in public" in words(answer)
        assert "no-store" in answer["Cache-Control"]


@pytest.mark.nightly("crawl")
def test_page_that_everybody_has_is_over_as_soon_as_somebody_is_hidden(session, zoe, reader):
    seen = reader.get(page(zoe))
    hide(zoe)
    assert reader.get(page(zoe), headers={"if-none-match": seen["ETag"]}).status_code == 404


def test_who_is_hidden_stands_with_nobody(session, zoe, reader):
    other = players_of(session)[1]
    seen = reader.get(page(zoe))
    assert "Nom002" in words(seen)
    hide(other)
    answer = reader.get(page(zoe), headers={"if-none-match": seen["ETag"]})
    assert answer.status_code == 200
    assert "Nom002" not in answer.content.decode()
    assert reverse("head_to_head", args=[zoe.pk, other.pk]) not in answer.content.decode()


def test_who_is_on_a_list_and_was_never_published_is_told_of_to_his_club_alone(session, reader, director):
    new = Player.objects.create(club=session.tournament.club, person=Person.objects.create(), last_name="Nouveau")
    assert reader.get(page(new)).status_code == 404
    assert "No published session yet" in words(browser_of(director).get(page(new)))


def test_erased_player_has_no_page(zoe, director, reader):
    Player.objects.filter(pk=zoe.pk).update(erased_at=timezone.now())
    assert {client.get(page(zoe)).status_code for client in (reader, browser_of(director))} == {404}


def test_practice_has_no_page(session, zoe, director):
    Club.every.filter(pk=zoe.club_id).update(practice_of=make_club("vrai"))
    assert browser_of(director).get(page(zoe)).status_code == 404


def test_player_who_was_merged_leads_to_whom_he_is(session, zoe, director, reader):
    kept = Player.objects.create(club=zoe.club, person=Person.objects.create(), last_name="Avant", first_name="Zoé")
    merge_players(club=zoe.club, kept_id=kept.pk, gone_id=zoe.pk, by=director, now=timezone.now())
    answer = reader.get(page(zoe, season=2026))
    assert answer["Location"] == page(kept, season=2026)
    assert percent(20) not in words(reader.get(page(kept)))
    assert "Deals 20" in words(reader.get(page(kept)))


@pytest.mark.nightly("story")
def test_player_who_was_merged_is_known_by_his_number_of_today_wherever_he_stands(session, director, reader):
    row = min(session.publications.get().data["players"], key=lambda row: row["rank_alterne"])
    gone = Player.objects.get(pk=row["player"])
    kept = Player.objects.create(club=gone.club, person=Person.objects.create(), last_name="Avant", first_name="Zoé")
    merge_players(club=gone.club, kept_id=kept.pk, gone_id=gone.pk, by=director, now=timezone.now())
    etui = session.publications.get().data["etuis"][0]["number"]
    etui_page = reverse("published_etui", args=["club", session.tournament.slug, session.number, 1, etui])
    for address in (reverse("home"), etui_page):
        text = reader.get(address).content.decode()
        assert f'data-player="{kept.pk}"' in text
        assert f'data-player="{gone.pk}"' not in text
    told = reader.get(f"/api/v1/sessions/{session.pk}/publications/1/").json()["players"]
    assert kept.pk in {each["player"] for each in told}
    assert gone.pk not in {each["player"] for each in told}


@pytest.mark.nightly("story")
def test_person_of_two_clubs_has_one_page_with_both(session, zoe, reader):
    there = make_tournament(make_club("ailleurs", "Cercle d’Ailleurs"))
    other = players_of(played(there))[0]
    Player.objects.filter(pk=other.pk).update(person=zoe.person_id)
    assert reader.get(page(other))["Location"] == page(zoe)
    text = words(reader.get(page(zoe)))
    assert "Cercle d’Ailleurs" in text
    assert "Deals 40" in text


def test_club_on_whose_list_somebody_stands_who_never_played_there_is_not_told(session, zoe, reader):
    Player.objects.create(club=make_club("ailleurs", "Cercle d’Ailleurs"), person=zoe.person, last_name="Nom001")
    answer = reader.get(page(zoe))
    assert reverse("club", args=["club"]) in read(answer).links
    assert "Ailleurs" not in answer.content.decode()


def test_taken_back_ranking_leaves_an_empty_page(session, zoe, director, reader):
    SESSIONS.withdraw(session.pk, word=DirectorWord(director, timezone.now(), "une erreur"))
    refresh(session.pk)
    assert "No published session yet" in words(reader.get(page(zoe)))


@pytest.mark.nightly("story")
def test_page_leads_to_no_part_that_is_switched_off(session, zoe, director, reader):
    seen = reader.get(page(zoe))
    shows = Shows(etuis=True, cards=False, feuilles=False)
    switch_parts(session_id=session.pk, shows=shows, word=DirectorWord(director, timezone.now()))
    refresh(session.pk)
    answer = reader.get(page(zoe), headers={"if-none-match": seen["ETag"]})
    assert answer.status_code == 200
    assert not [link for link in read(answer).links if "/players/" in link and "tournaments" in link]


@pytest.mark.nightly("story")
def test_without_étuis_and_feuilles_the_page_says_why_it_has_no_deals(session, zoe, director, reader):
    shows = Shows(etuis=False, cards=False, feuilles=False)
    switch_parts(session_id=session.pk, shows=shows, word=DirectorWord(director, timezone.now()))
    refresh(session.pk)
    text = words(reader.get(page(zoe)))
    assert "For 1 session the deals are not shown" in text
    assert "Best étuis" not in text
    assert "of 20" in text


def test_who_only_stood_in_has_a_page_without_a_rank(session, reader):
    Appearance.objects.filter(session=session).update(is_stand_in=True, rank=None, rank_general=None)
    CareerSeason.objects.all().delete()
    text = words(reader.get(page(players_of(session)[0])))
    assert "standing in for somebody" in text
    assert "have no rank" in text


@pytest.mark.nightly("story")
def test_season_is_chosen_and_a_season_of_none_says_so(session, zoe, reader):
    repeat(session, 60, zoe)
    assert "Sessions 61" in words(reader.get(page(zoe)))
    first = words(reader.get(page(zoe, season=2026)))
    assert "Sessions 12" in first
    answer = reader.get(page(zoe, season=2010))
    assert "No session in the season 2010–2011" in words(answer)
    assert answer.status_code == 200


@pytest.mark.parametrize("asked", ["season=x&page=y", "season=-1", "page=999999999999999999999", "season=99999&page=0"])
def test_odd_questions_are_no_error(zoe, reader, asked):
    assert reader.get(f"{page(zoe)}?{asked}").status_code == 200


@pytest.mark.nightly("story")
def test_list_comes_in_pages_of_twenty(session, zoe, reader):
    repeat(session, 30, zoe)
    first, second = (reader.get(page(zoe, page=number)) for number in (1, 2))
    dates = [(session.date - dt.timedelta(weeks=weeks)).year for weeks in (0, 30)]
    assert "Page 1 of 2" in words(first)
    assert str(dates[0]) in words(first)
    sessions = [len({link for link in read(answer).links if link.endswith("/ranking/")}) for answer in (first, second)]
    assert sessions == [20, 11]


@pytest.mark.nightly("story")
def test_curve_has_a_point_a_session_then_a_month_then_a_season(session, zoe, reader):
    repeat(session, 5, zoe)
    assert "Global percentage of each session" in words(reader.get(page(zoe)))
    repeat(session, 70, players_of(session)[1])
    assert "of each month" in words(reader.get(page(players_of(session)[1])))
    repeat(session, 400, players_of(session)[2])
    assert "of each season" in words(reader.get(page(players_of(session)[2])))


def queries(client, address):
    caches["pages"].clear()
    with CaptureQueriesContext(connection) as asked:
        answer = client.get(address)
    assert answer.status_code == 200
    return len(asked), answer


@pytest.mark.nightly("crawl")
def test_two_thousand_sessions_cost_the_queries_of_one(session, zoe, reader):
    one, _ = queries(reader, page(zoe))
    repeat(session, 1999, zoe)
    many, answer = queries(reader, page(zoe))
    assert many <= one <= 15
    assert "Sessions 2000" in words(answer)
    assert len(gzip.compress(answer.content)) < 60_000
    last, _ = queries(reader, page(zoe, page=100))
    assert last == many


@pytest.mark.nightly("story")
def test_reader_who_has_the_page_costs_no_reading_of_it(session, zoe, reader):
    seen = reader.get(page(zoe))
    with CaptureQueriesContext(connection) as asked:
        answer = reader.get(page(zoe), headers={"if-none-match": seen["ETag"]})
    assert answer.status_code == 304
    assert answer["X-Robots-Tag"] == "noindex"
    assert len(asked) == 6
    refresh(played(session.tournament).pk)
    assert reader.get(page(zoe), headers={"if-none-match": seen["ETag"]}).status_code == 200


def test_name_of_eighty_letters_without_a_space_and_markup_in_a_name(session, zoe, reader):
    Player.objects.filter(pk=zoe.pk).update(last_name="X" * 80, first_name="<b>Zoé</b>")
    raise_names_version(zoe.club_id)
    answer = reader.get(page(zoe))
    assert "X" * 80 in answer.content.decode()
    assert "<b>Zoé" not in answer.content.decode()
