"""The careers, comparisons and leaderboards with étuis for three or five: notes count, and no rating has them."""

from collections import defaultdict
from fractions import Fraction

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from archives.privacy.erasing import erase
from archives.privacy.whom import whom_of_player
from clubs.shown import choose_shown
from rankings.careers.keeping import find_stale, make_all_anew, refresh
from rankings.leaderboards.keeping import refresh_leaderboards
from tests.etui_games import publish_evening
from tests.factories import make_tournament, published_session
from tests.pages.browsing import browser_of
from tests.rankings.careers.world import played
from tests.worlds import kept_world
from tournaments.models import Appearance, PersonRating, RatedSession
from tournaments.words.figures import percent

pytestmark = pytest.mark.django_db
SAID = {3: "at three", 5: "at five"}


@pytest.fixture(params=[3, 5], ids=["at three", "at five"])
def evening(request):
    return publish_with_careers(request.param)


@kept_world
def publish_with_careers(size):
    """Return a published session of two tables with its careers, the number at a table, and the director."""
    session, by = publish_evening(size)
    refresh(session.pk)
    return session, session.publications.get().data, size, by


def notes_of(data):
    """Return each player's notes with the part that the player had: by player, as (part, note, seat, étui)."""
    player_of = {row["id"]: row["player"] for row in data["players"]}
    found = defaultdict(list)
    for etui in data["etuis"]:
        for play in etui["plays"]:
            for seat, entrant in play["seats"].items():
                note = (play["notes"] or {}).get(seat)
                if note is None:
                    continue
                taker, partner = play.get("taker"), play.get("partner")
                part = "o" if taker is None else "a" if seat == taker else "p" if seat == partner else "d"
                found[player_of[entrant]].append((part, Fraction(note), seat, etui["number"]))
    return found


def mean(notes):
    return sum(notes, Fraction()) / len(notes)


def main_of(url, reader=None, language="en"):
    answer = (reader or Client()).get(url, headers={"accept-language": language})
    assert answer.status_code == 200, url
    return " ".join(answer.content.decode().split("<main", 1)[1].split())


def test_rows_have_the_rank_of_the_one_ranking_and_its_percentage(evening):
    session, data, size, _by = evening
    rows = {row.player: row for row in Appearance.objects.filter(session=session)}
    ranked = {row["player"]: row for row in data["players"]}
    assert {who: (row.rank, row.rank_general, row.overall) for who, row in rows.items()} == {
        who: (row["rank_general"], row["rank_general"], row["overall"]) for who, row in ranked.items()
    }
    assert {(row.ranked, row.figures["size"], row.is_free) for row in rows.values()} == {(2 * size, size, True)}
    assert find_stale() == []
    assert make_all_anew() == (1, 0)


def test_notes_count_by_the_part_that_the_player_had(evening):
    session, data, size, _by = evening
    notes = notes_of(data)
    rows = Appearance.objects.filter(session=session)
    assert len(rows) == 2 * size
    for row in rows:
        den, mine = row.figures["den"], notes[row.player]
        assert row.deals == len(mine)
        told = {part: row.figures.get(part, [0, 0, 0])[:2] for part in "ado"}
        of_part = {"a": "a", "d": "d", "o": "op"}  # the partner of the taker neither takes nor defends
        by_part = {part: [note for own, note, *_ in mine if own in parts] for part, parts in of_part.items()}
        assert told == {part: [len(each), sum(each) * den] for part, each in by_part.items()}
        assert sorted((etui, seat, Fraction(note, den)) for etui, seat, _part, note in row.plays) == sorted(
            (etui, seat, note) for _own, note, seat, etui in mine
        )
        assert not row.figures.get("b")
        assert not row.figures.get("c")


def test_tablemates_of_two_sides_are_against_each_other(evening):
    session, data, size, _by = evening
    player_of = {row["id"]: row["player"] for row in data["players"]}
    counts = defaultdict(lambda: [0, 0, 0])
    for etui in data["etuis"]:
        for play in etui["plays"]:
            attacking = {play.get("taker"), play.get("partner")} - {None, ""}
            for seat, entrant in play["seats"].items():
                for other, mate in play["seats"].items():
                    if seat != other:
                        cells = counts[player_of[entrant], player_of[mate]]
                        cells[0] += 1
                        if play.get("taker"):
                            cells[1] += not {seat, other} & attacking
                            cells[2] += len({seat, other} & attacking) == 1
    rows = Appearance.objects.filter(session=session)
    told = {
        (row.player, who): [deals, together, against]
        for row in rows
        for who, deals, together, _s, _q, against, *_ in row.figures["m"]
    }
    assert told == dict(counts)
    assert len(told) >= 2 * size


def test_page_says_at_how_many_with_rank_and_percentage(evening):
    _session, data, size, _by = evening
    first = next(row for row in data["players"] if row["rank_general"] == 1)
    page = main_of(reverse("player", args=[first["player"]]))
    assert SAID[size] in page
    assert f"1 of {2 * size}" in page
    assert percent(Fraction(first["overall"])) in page
    assert percent(mean([note for _part, note, *_ in notes_of(data)[first["player"]]])) in page
    assert "the rating and the tables by bouts and by contract leave them out" in page
    french = main_of(reverse("player", args=[first["player"]]), language="fr")
    assert {3: "à trois", 5: "à cinq"}[size] in french
    assert "classement alterné" not in french


def test_pages_of_an_evening_at_four_say_nothing_of_it():
    duplicate = played()
    who = Appearance.objects.filter(session=duplicate).first()
    assert "size" not in who.figures
    page = main_of(reverse("player", args=[who.player]))
    assert "at three" not in page
    assert "Ranks are those of the ranking that each session’s page shows first." in page


@pytest.mark.nightly("story")
def test_head_to_head_compares_ranks_and_the_same_seat(evening):
    _session, data, size, _by = evening
    notes, ranks = notes_of(data), {row["player"]: row["rank_general"] for row in data["players"]}
    found = 0
    for one in ranks:
        for other in ranks.keys() - {one}:
            mine, theirs = ({(seat, etui): note for _p, note, seat, etui in notes[who]} for who in (one, other))
            both = [mine[key] - theirs[key] for key in mine.keys() & theirs.keys()]
            told = Client().get(f"/api/v1/players/{one}/with/{other}/").json()
            signs = [(each > 0) - (each < 0) for each in both]
            assert told["etuis"] == {"better": signs.count(1), "equal": signs.count(0), "worse": signs.count(-1)}, (
                one,
                other,
            )
            sign = (ranks[other] > ranks[one]) - (ranks[other] < ranks[one])
            assert told["ranks"] == {"better": sign == 1, "equal": sign == 0, "worse": sign == -1}
            found += len(both)
    assert found
    page = main_of(reverse("head_to_head", args=sorted(ranks)[:2]))
    assert SAID[size] in page


def test_programs_read_the_number_at_a_table(evening):
    session, data, size, _by = evening
    who = data["players"][0]["player"]
    (row,) = Client().get(f"/api/v1/players/{who}/sessions/").json()
    assert (row["session"], row["table_size"], row["rank_general"]) == (session.pk, size, 1)
    assert row["rank_alterne"] is None
    career = Client().get(f"/api/v1/players/{who}/").json()
    assert career["deals"] == len(notes_of(data)[who])
    assert career["by_contract"] == []


def test_leaderboards_count_the_evening_and_the_rating_does_not(evening):
    _session, data, _size, _by = evening
    rated = RatedSession.objects.get()
    notes = notes_of(data)
    assert (rated.kind, rated.plays) == ("free", [])
    assert {row[0]: row[1] for row in rated.players} == {who: len(mine) for who, mine in notes.items()}
    assert refresh_leaderboards(timezone.now())
    assert not PersonRating.objects.exists()
    page = main_of(reverse("leaderboards") + "?game=free&by=presence")
    assert "No leaderboard yet" not in page
    page = main_of(reverse("leaderboards") + "?game=free&by=rating")
    assert "Étuis at three or five are not in the rating" in page


def test_hidden_deals_leave_rank_and_percentage(evening):
    session, data, size, _by = evening
    type(session).objects.filter(pk=session.pk).update(shows_etuis=False, shows_feuilles=False)
    refresh(session.pk)
    rows = Appearance.objects.filter(session=session)
    assert {str(row.figures) for row in rows} == {str({"size": size})}
    first = data["players"][0]
    page = main_of(reverse("player", args=[first["player"]]))
    assert SAID[size] in page
    assert percent(Fraction(first["overall"])) in page
    assert "For 1 session the deals are not shown" in page


@pytest.mark.nightly("crawl")
def test_hidden_and_erased_persons_are_nobodys_tablemates(evening):
    session, data, _size, by = evening
    one, hidden, gone = (session.entrants.get(pk=row["id"]).player for row in data["players"][:3])
    for player, name in ((hidden, "Quarantesous"), (gone, "Cinquantesous")):
        player.last_name = name
        player.save()
    choose_shown(player=hidden, shown="hidden", way="director", by=by, now=timezone.now())
    gone.refresh_from_db()
    erase(whom_of_player(gone), by=by, now=timezone.now())
    page = main_of(reverse("player", args=[one.pk]))
    assert "Quarantesous" not in page
    assert "Cinquantesous" not in page
    for player in (hidden, gone):
        assert Client().get(reverse("player", args=[player.pk])).status_code == 404
        assert Client().get(reverse("head_to_head", args=[one.pk, player.pk])).status_code == 404


@pytest.mark.nightly("crawl")
def test_pages_take_as_many_queries_as_those_of_an_evening_at_four(evening):
    session, data, _size, by = evening
    duplicate = published_session(make_tournament(session.tournament.club), by=by)
    refresh(duplicate.pk)
    four = Appearance.objects.filter(session=duplicate).first().player
    browser, counts = browser_of(by), []
    for who in (data["players"][0]["player"], four):
        browser.get(reverse("player", args=[who]))
        with CaptureQueriesContext(connection) as queries:
            browser.get(reverse("player", args=[who]))
        counts.append(len(queries))
    assert counts[0] <= counts[1]
