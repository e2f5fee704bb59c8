"""The public ranking: sorted in any order, with shared ranks, a podium, and categories."""

import re

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Person, Player, Visibility
from clubs.players import raise_names_version
from rankings.events.publishing import TOURNAMENTS
from rankings.publication.report import read_report
from tests import shared_evenings
from tests.factories import make_club, make_director, make_tournament, make_user, published_session
from tests.pages.public.test_pages import address
from tests.pages.reading import read, words
from tests.rankings.events.invented import invent_standings
from tests.rankings.events.several import published_sessions
from tournaments.models import Publication, TournamentPublication
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db


@pytest.fixture
def reader():
    return Client(headers={"accept-language": "en"})


session = shared_evenings.published


@pytest.fixture
def report(session):
    return read_report(session.publications.get().data)


@pytest.fixture
def tournament():
    tournament = make_tournament()
    director = make_director(tournament.club)
    published_sessions(tournament, by=director)
    TOURNAMENTS.publish(tournament.pk, DirectorWord(director, timezone.now()))
    return tournament


def test_state_of_the_ranking_stands_once_on_the_screen_and_on_the_sheet(reader, session):
    page = reader.get(address("ranking", session)).content.decode()
    chips = re.findall(r'(class="print-only"\s*>)?\s*<span\s+class="state [^"]*"\s*>', page)
    assert [bool(of_sheet) for of_sheet in chips] == [False, True]


def change(session, alter):
    """Change the figures of a publication, as if they had come out so, and clear the cache."""
    publication = Publication.objects.get(session=session)
    for place, player in enumerate(publication.data["players"]):
        alter(place, player)
    publication.save()
    raise_names_version(session.tournament.club_id)
    caches["pages"].clear()


def names_in(response):
    return [row[2].split(" att. ")[0] for row in read(response).rows if row[0] != "Rank" and len(row) > 2]


def links_of(response):
    return [link.replace("&amp;", "&") for link in read(response).links]


@pytest.mark.parametrize("figure", ["attack", "defence", "overall", "deals"])
@pytest.mark.parametrize("sign", ["", "-"])
def test_ranking_is_sorted_by_any_figure_and_each_keeps_his_rank(reader, session, report, figure, sign):
    rows = read(reader.get(address("ranking", session), {"sort": f"{sign}{figure}"})).rows[1:]
    by_name = {player.name: player for player in report.players}
    listed = [by_name[row[2].split(" att. ")[0]] for row in rows]
    figures = [getattr(player, figure) for player in listed]
    assert figures == sorted(figures, reverse=bool(sign))
    assert [int(row[0].split()[0]) for row in rows] == [player.rank_alterne for player in listed]
    assert len(rows) == len(report.players)


def test_names_are_sorted_without_accents_and_capitals(reader, session):
    names = ["Éva", "eric", "Ève", "Zoé", "Émile", "Œdipe", "olga", "Agnès"]
    for player, name in zip(session.tournament.club.players.order_by("-pk"), names, strict=False):
        Player.objects.filter(pk=player.pk).update(first_name="", last_name=name)
    raise_names_version(session.tournament.club_id)
    found = [name for name in names_in(reader.get(address("ranking", session), {"sort": "name"})) if name in names]
    assert found == ["Agnès", "Émile", "eric", "Éva", "Ève", "Œdipe", "olga", "Zoé"]
    backwards = names_in(reader.get(address("ranking", session), {"sort": "-name"}))
    assert [name for name in backwards if name in names] == found[::-1]


def test_seats_are_sorted_by_line_and_number(reader, session):
    rows = read(reader.get(address("ranking", session), {"sort": "seat"})).rows[1:]
    assert [row[1] for row in rows] == [f"{line} {number}" for line in "NESW" for number in range(1, 6)]


def test_head_that_sorts_says_so_and_turns_the_order_round(reader, session):
    url = address("ranking", session)
    plain = reader.get(url)
    assert re.findall(r'aria-sort="(\w+)"', plain.content.decode()) == ["ascending"]
    assert "?sort=-attack#list" in links_of(plain)
    assert "?sort=name#list" in links_of(plain)
    down = reader.get(url, {"sort": "-attack"})
    assert re.findall(r'aria-sort="(\w+)"', down.content.decode()) == ["descending"]
    assert "?sort=attack#list" in links_of(down)
    assert "?#list" in links_of(down)  # a link back to the order of ranks


def test_order_is_kept_while_a_player_is_looked_for_and_left_with_another_ranking(reader, session):
    page = reader.get(address("ranking", session), {"sort": "-attack", "q": "nom003", "by": "general"})
    text = page.content.decode()
    assert '<input type="hidden" name="sort" value="-attack">' in text
    assert '<input type="hidden" name="by" value="general">' in text
    assert "?by=line&q=nom003" in {re.sub(r"^\?q=nom003&by=line$", "?by=line&q=nom003", one) for one in links_of(page)}
    assert any("sort=attack" in link and "q=nom003" in link and "by=general" in link for link in links_of(page))


@pytest.mark.nightly("story")
def test_unranked_stand_last_whatever_the_order(reader, session):
    def alter(place, player):
        if place < 3:
            player |= {"rank_general": None, "rank_line": None, "rank_alterne": None, "unranked": "share"}

    change(session, alter)
    unranked = {player.name for player in read_report(session.publications.get().data).players if player.unranked}
    for sort in ("", "-overall", "overall", "name", "-name", "-rank", "seat"):
        listed = names_in(reader.get(address("ranking", session), {"sort": sort}))
        assert {name.split(" (")[0] for name in listed[-3:]} == unranked


def test_what_is_no_order_makes_no_other_page(reader, session):
    plain = words(reader.get(address("ranking", session)))
    for odd in ("nonsense", "--name", "<b>", "moved", "s0"):
        assert words(reader.get(address("ranking", session), {"sort": odd})) == plain


def test_shared_ranks_are_said_to_be_shared(session):
    def alter(place, player):
        if place < 2:
            player |= {"rank_alterne": 1, "overall": "60"}

    change(session, alter)
    for language, word in (("en", "1 tied"), ("fr", "1 ex æquo")):
        rows = read(Client(headers={"accept-language": language}).get(address("ranking", session))).rows
        assert [row[0] for row in rows].count(word) == 2


def test_all_who_are_tied_share_the_first_rank_and_there_is_no_podium(reader, session):
    def alter(_place, player):
        player |= {"rank_general": 1, "rank_alterne": 1, "rank_line": 1, "overall": "50", "told": ""}

    change(session, alter)
    page = reader.get(address("ranking", session))
    assert {row[0] for row in read(page).rows[1:]} == {"1 tied"}
    assert 'class="firsts' not in page.content.decode()


@pytest.mark.nightly("story")
def test_podium_names_the_first_where_the_places_after_are_shared_by_many(reader, session):
    def alter(place, player):
        rank = 1 if place == 4 else 2
        player |= {"rank_general": rank, "rank_alterne": rank, "rank_line": 1, "told": ""}

    change(session, alter)
    first = read_report(session.publications.get().data).players[4]
    for url in (address("ranking", session), reverse("home"), reverse("club", args=["club"])):
        page = reader.get(url).content.decode()
        podium = re.search(r'<ol class="(?:firsts|winners).*?</ol>', page, re.DOTALL)[0]
        assert re.findall(r">\s*(Zoé Nom\d+)\s*</a>", podium) == [first.name]


def test_podium_names_the_first_three(reader, session, report):
    text = reader.get(address("ranking", session)).content.decode()
    podium = text[text.index('class="firsts') : text.index("</ol>", text.index('class="firsts'))]
    firsts = [player.name for player in report.ranking.order("alterne") if player.rank_alterne <= 3]
    assert re.findall(r"Zoé Nom\d+", podium) == firsts


@pytest.mark.nightly("story")
def test_page_says_how_many_deals_it_rests_on_and_how_percentages_are_computed(reader, session):
    page = reader.get(address("ranking", session))
    assert "20 players · 5 tables · version 1" in words(page)
    assert "5 étuis · 25 deals counted" in words(page)
    assert "the takers’ scores are compared" in words(page)
    assert reverse("rules_page", args=["topage"]) in links_of(page)
    free = published_session(make_tournament(make_club("libre"), auction="free"), by=make_user("directeur"))
    assert "compared with those of the same seat" in words(reader.get(address("ranking", free)))


# Categories


def give_categories(session, categories):
    players = session.entrants.order_by("pk").values_list("player", flat=True)
    for pk, category in zip(players, categories, strict=False):
        Player.objects.filter(pk=pk).update(category=category)
    raise_names_version(session.tournament.club_id)


def test_categories_of_three_and_more_are_ranked_among_themselves(reader, session):
    assert "?by=category" not in links_of(reader.get(address("ranking", session)))
    give_categories(session, ["veteran"] * 4 + ["senior"] * 3 + ["junior"] * 2)
    page = reader.get(address("ranking", session), {"by": "category"})
    assert re.findall(r"<h2>([\w ]+)</h2>", page.content.decode()) == ["Senior", "Veteran"]
    rows = [row for row in read(page).rows if row[0] != "Rank"]
    for mine in (rows[:3], rows[3:]):
        general = [int(row[3]) for row in mine]
        assert [int(row[0].split()[0]) for row in mine] == [sum(one < each for one in general) + 1 for each in general]
        assert general == sorted(general)


def test_category_of_who_is_hidden_tells_nobody_who_he_is(reader, session):
    give_categories(session, ["veteran"] * 4)
    players = session.entrants.order_by("pk").values_list("player", flat=True)
    hidden = Player.objects.get(pk=players[0])
    Person.objects.filter(pk=hidden.person_id).update(shown=Visibility.HIDDEN)
    raise_names_version(session.tournament.club_id)
    page = reader.get(address("ranking", session), {"by": "category"})
    assert len([row for row in read(page).rows if row[0] != "Rank"]) == 3
    assert "Hidden player" not in words(page)
    whole = reader.get(address("ranking", session))
    assert words(whole).count("Hidden player") in (1, 2)  # the podium may show the player too
    assert f'data-player="{hidden.pk}"' not in whole.content.decode()
    Player.objects.filter(pk=players[1]).update(category="")
    raise_names_version(session.tournament.club_id)
    assert "?by=category" not in links_of(reader.get(address("ranking", session)))


# The ranking of a tournament


@pytest.mark.nightly("story")
def test_tournament_is_sorted_by_each_of_its_sessions(reader, tournament):
    url = reverse("tournament_ranking", args=[tournament.club.slug, tournament.slug])
    for sort, column in (("-s0", -2), ("s1", -1), ("-total", 3)):
        rows = read(reader.get(url, {"sort": sort})).rows[1:]
        figures = [float(row[column]) for row in rows]
        assert figures == sorted(figures, reverse=sort.startswith("-"))
    names = [row[2].split(" S1")[0] for row in read(reader.get(url, {"sort": "name"})).rows[1:]]
    assert names == sorted(names)


def test_movement_is_said_in_words_too(reader, tournament):
    data = TournamentPublication.objects.get(tournament=tournament).data
    for player, before in zip(data["players"], (4, 1, 3, None), strict=False):
        player |= {"before": before, "rank": data["players"].index(player) + 1}
    TournamentPublication.objects.filter(tournament=tournament).update(data=data)
    url = reverse("tournament_ranking", args=[tournament.club.slug, tournament.slug])
    rows = read(reader.get(url)).rows
    assert rows[0][1] == "Since the session before▲▼"
    told = [row[1].replace("\xa0", " ") for row in rows[1:5]]
    assert told == [
        "▲ 33 places up",
        "▼ 11 place down",
        "=as before",
        "new",
    ]


def test_old_figures_without_movement_show_none(reader, tournament):
    data = TournamentPublication.objects.get(tournament=tournament).data
    data["rounds"] = data["rounds"][:1]
    for player in data["players"]:
        player["results"] = player["results"][:1]
    TournamentPublication.objects.filter(tournament=tournament).update(data=data)
    url = reverse("tournament_ranking", args=[tournament.club.slug, tournament.slug])
    assert read(reader.get(url)).rows[0][:2] == ["Rank", "Player"]


# Bad input


def test_many_of_one_name_are_told_apart_by_line_and_number_and_not_all_are_listed(reader):
    session = published_session(tables=6, positions=3)
    for player in session.tournament.club.players.all():
        Player.objects.filter(pk=player.pk).update(first_name="Jean", last_name="Martin", licence=str(player.pk))
    raise_names_version(session.tournament.club_id)
    page = words(reader.get(address("ranking", session), {"q": "martin"}))
    found = page[page.index("Find a player") : page.index("4 other players have that name")]
    assert found.count("Jean Martin") == 20
    assert len(set(re.findall(r"Jean Martin ([NESW] \d)", found))) == 20


def test_alone_and_unranked_a_player_is_shown_without_a_podium(reader, session):
    publication = Publication.objects.get(session=session)
    only = publication.data["players"][0] | dict.fromkeys(("rank_general", "rank_line", "rank_alterne"))
    publication.data |= {"players": [only], "etuis": []}
    publication.save()
    page = reader.get(address("ranking", session))
    assert [row[0] for row in read(page).rows[1:]] == ["–"]
    assert 'class="firsts' not in page.content.decode()


@pytest.mark.nightly("story")
def test_part_of_a_long_ranking_is_the_one_that_holds_the_reader(reader, tournament):
    data = invent_standings(tournament, players=300, sessions=2)
    TournamentPublication.objects.filter(tournament=tournament).update(data=data)
    url = reverse("tournament_ranking", args=[tournament.club.slug, tournament.slug])
    last = data["players"][-1]["player"]
    assert f'id="player-{last}"' not in reader.get(url).content.decode()
    page = reader.get(url, {"me": last}).content.decode()
    assert f'id="player-{last}"' in page
    assert "is-me" not in page
    sorted_so = reader.get(url, {"me": last, "sort": "-total"}).content.decode()
    assert f'id="player-{last}"' in sorted_so


def test_table_comes_before_everything_about_it(reader, tournament):
    ranking = address("ranking", tournament.sessions.get(number=1))
    for url in (ranking, reverse("tournament_ranking", args=[tournament.club.slug, tournament.slug])):
        page = reader.get(url).content.decode()
        table = page.index("<table")
        assert page.index('href="#about"') < table < page.index('id="about"')
        for told in ("Versions and what changed", 'id="find"', "Sort by", ".pdf", "Published on"):
            assert page.index(told) > table, told
