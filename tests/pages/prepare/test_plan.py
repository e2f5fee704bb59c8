"""The pages of an evening's plan: ways to play, a plan from a file, fillers on their seats."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from clubs.players import add_players
from clubs.roster import RosterLine
from deals.sets import add_etuis
from evenings.plans.choosing import choice_of, shape_of
from evenings.plans.current import current_version
from evenings.plans.starting import start_session
from evenings.sessions.setup import create_session, edit_session, seats_in_order, set_entrants
from movements import plan_tables, to_csv, write_plays
from pages.doors import session_url
from tests import shared_evenings
from tests.factories import DATE, draft_session, make_director, make_tournament, started_session
from tests.pages.browsing import browser_of, fields
from tests.pages.reading import read, words
from tests.pages.wizard import choose, evening, told
from tournaments.models import Session


@pytest.fixture
def user(tournament):
    return make_director(tournament.club)


director = shared_evenings.browser_of_user


# Ways to play


def test_plan_page_without_players_says_where_to_begin(director, tournament):
    page = director.get(session_url("plan_choose", create_session(tournament=tournament, date=DATE)))
    assert "Nobody has a seat yet Tables and positions depend on the number of players." in words(page)
    assert read(page).refused == []


@pytest.mark.parametrize("players", [3, 28, 30, 31])
def test_plan_page_offers_what_can_be_played(director, tournament, players):
    page = director.get(session_url("plan_choose", evening(tournament, players)))
    assert read(page).refused == []
    shown = words(page)
    assert {
        3: "Nobody can play yet",
        28: "This one is played unless you choose another.",
        30: "30 players: 7 tables with 2 floating players, who sit in for other players in each position. 2"
        " players rest",
        31: "31 players: 8 tables with 1 more who plays unranked; nobody rests.",
    }[players].split(". ")[0] in shown
    assert ("to about 23:30" in shown) == (players > 3)


def test_plan_page_tells_figures_announcement_and_etuis(director, tournament):
    text = words(director.get(session_url("plan_choose", evening(tournament, 28))))
    for part in (
        "28 players: 7 tables, nobody rests.",
        "Nobody meets anybody twice",
        "28 étuis to prepare",
        "To announce: North stays, East moves up one table, South two, West three; the étuis move down one.",
    ):
        assert part in text


@pytest.mark.nightly("story")
def test_attacks_are_told_of_the_étuis_that_the_session_plays(director, tournament):
    """Check étuis from 3 on: four in a row do not name each line once, so they are laid as evenly as possible."""
    session = draft_session(tournament, tables=7, etuis_per_position=4)
    add_etuis(deal_set_id=session.deal_set_id, last=30)
    told = []
    for first in (1, 3):
        Session.objects.filter(pk=session.pk).update(first_etui=first)
        told.append(words(director.get(session_url("plan_choose", session))))
    start_session(session_id=session.pk, now=timezone.now())
    told.append(words(director.get(session_url("session_plan", session))))
    assert ["Everybody attacks 5 times" in text for text in told] == [True, False, False]
    assert ["Everybody attacks from 4 to 6 times" in text for text in told] == [False, True, True]


def test_plan_page_draws_the_movement(director, tournament):
    page = director.get(session_url("plan_choose", evening(tournament, 20))).content.decode()
    page = page[page.index("<main") :]
    first = page[page.index("<svg") : page.index("</svg>")]
    assert first.count("<circle") == 4 * 5
    assert first.count('class="movement-etuis"') == 25
    assert first.count('class="movement-way way-') == 4 * 4


def test_plan_is_chosen_and_the_choice_taken_back(director, tournament):
    session = evening(tournament, 30)
    url = session_url("plan_choose", session)
    assert choose(director, session, action="choose", choice="0", shape=shape_of(session)).url == f"{url}#top"
    assert choice_of(session, 30).code == "rovers"
    assert "Chosen 30 players: 7 tables with 2 floating players" in words(director.get(url))
    assert choose(director, session, action="forget").url == f"{url}#top"
    assert current_version(session) is None


def test_plan_chosen_from_an_old_page_is_not_taken(director, tournament):
    session = evening(tournament, 30)
    seen = shape_of(session)
    edit_session(session_id=session.pk, now=timezone.now(), positions=4)
    text = told(director, session, action="choose", choice="0", shape=seen)
    assert "The players or the settings have changed in the meantime: choose again." in text
    assert current_version(session) is None


@pytest.mark.parametrize("choice", ["99", "x", "", "-1"])
def test_plan_that_is_not_offered_is_refused(director, tournament, choice):
    session = evening(tournament, 30)
    text = told(director, session, action="choose", choice=choice, shape=shape_of(session))
    assert "This plan is not available" in text


@pytest.mark.parametrize("change", [{"positions": 7}, {"etuis_per_position": 3}, {"barometer": True}])
def test_choice_falls_with_what_it_was_made_for(director, tournament, change):
    session = evening(tournament, 30)
    choose(director, session, action="choose", choice="0", shape=shape_of(session))
    session = edit_session(session_id=session.pk, now=timezone.now(), **change)
    assert choice_of(session, 30) is None
    assert "30 players: the plan was chosen for another number" in words(director.get(session_url("session", session)))


@pytest.mark.nightly("story")
def test_choice_for_others_gives_way_to_the_plan_that_needs_none(director, tournament):
    session = draft_session(tournament, tables=5)
    choose(director, session, action="choose", choice="1", shape=shape_of(session))
    set_entrants(
        session_id=session.pk, seats=seats_in_order(list(session.entrants.values_list("player_id", flat=True))[:16])
    )
    edit_session(session_id=session.pk, now=timezone.now(), positions=1)
    director.post(session_url("start", session))
    session.refresh_from_db()
    assert (session.status, session.plays.count()) == ("running", 4)


def test_plan_of_a_session_under_way_stays(director, tournament):
    session = started_session(tournament)
    response = director.post(session_url("plan_choose", session), {"action": "forget"}, follow=True)
    assert "The session is under way and its plan is fixed" in words(response)
    assert current_version(session) is not None


def test_plan_page_costs_the_same_queries_however_many(director, tournament, django_assert_num_queries):
    for players in (20, 44):
        session = evening(tournament, players)
        with django_assert_num_queries(8):
            director.get(session_url("plan_choose", session))


# A plan from a file


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_plan_written_out_is_read_back(director, tournament, kind):
    session = evening(tournament, 24)
    choose(director, session, action="choose", choice="0", shape=shape_of(session))
    kept = current_version(session).data
    file = director.get(session_url("plan_file", session, kind))
    assert f"-1-plan.{kind}" in file["Content-Disposition"]
    choose(director, session, action="forget")
    sent = SimpleUploadedFile("plan", file.content)
    assert choose(director, session, action="import", file=sent).url == session_url("plan_choose", session) + "#top"
    again = current_version(session)
    assert again.code == "imported"
    assert again.data["stops"] == kept["stops"]
    assert "Plan from a file; tables: 6, positions: 5." in words(director.get(session_url("plan_choose", session)))


@pytest.mark.parametrize(("tables", "positions", "etuis"), [(5, 5, 4), (7, 7, 4), (7, 5, 3)])
def test_plan_for_others_is_refused_and_nothing_of_the_session_changes(director, tournament, tables, positions, etuis):
    session = evening(tournament, 28)
    text = to_csv(plan_tables(tables, positions, etuis)).strip()
    response = choose(director, session, action="import", text=text)
    said = words(response)
    assert (
        f"The plan has tables: {tables}, players: {4 * tables}, positions: {positions}, étuis per position: {etuis}."
    ) in said
    assert "The session has players: 28, positions: 5, étuis per position: 4." in said
    assert fields(response)["text"] == text
    assert current_version(session) is None
    session.refresh_from_db()
    assert (session.positions, session.etuis_per_position, session.barometer) == (5, 4, False)


def test_plan_whose_sets_move_is_refused_in_barometer(director, tournament):
    session = evening(tournament, 28, barometer=True)
    response = choose(director, session, action="import", text=to_csv(plan_tables(7, 5)))
    assert "in this session all tables play the same étuis at once" in words(response)
    assert current_version(session) is None


def test_file_that_names_no_filler_has_those_who_complete_a_table_here(director, filled):
    choose(director, filled, action="fill", line="W", number="7", name="Camille Bon")
    csv = director.get(session_url("plan_file", filled, "csv")).content.decode()
    choose(director, filled, action="import", text=csv)
    version = choice_of(filled, 27)
    assert (version.code, version.data["fillers"]) == ("imported", ["W7"])


def test_mistake_of_a_file_is_told_once_and_not_once_a_seat_and_etui(director, tournament):
    """Write the étuis of one table at another one too: twenty faults are told as one mistake."""
    rows = to_csv(plan_tables(5, 5)).splitlines()
    rows[6] = rows[6].rpartition(",")[0] + ",1-4"
    text = words(choose(director, evening(tournament, 20), action="import", text="\n".join(rows)))
    assert "Line 11: Position 2: étuis 1–4 are at tables 1 and 5." in text
    assert text.count("Line ") == 1


def test_etuis_that_a_table_plays_twice_are_told_once(director, tournament):
    """Give the first two positions of a barometer the same étuis: eighty faults are told as five mistakes."""
    rows = to_csv(plan_tables(5, 5, barometer=True)).splitlines()
    rows[6:11] = [row.rpartition(",")[0] + ",1-4" for row in rows[6:11]]
    text = words(choose(director, evening(tournament, 20), action="import", text="\n".join(rows)))
    assert "Line 7: Étuis 1–4 in positions 1 and 2, played twice by North 1, East 5, South 4, West 3." in text
    assert text.count("Line ") == 5


@pytest.mark.parametrize(
    ("line", "wrong", "sentence"),
    [
        (3, "1,2,2,2,2,3,5-8", "Line 4: Position 1: West 3 sits at tables 2 and 3."),
        (7, "2,1,1,5,4,3,1-4", "Line 11: Position 2: étuis 1–4 are at tables 1 and 5."),
        (3, "1,2,2,2,2,2", "Line 3: the first line names 7 columns, but this one has 6"),
        (3, "1,2,2,2,two,2,5-8", "Line 3: S cannot be “two”."),
    ],
)
def test_faults_of_a_file_stand_under_its_lines_and_the_text_is_kept(director, tournament, line, wrong, sentence):
    rows = to_csv(plan_tables(5, 5)).splitlines()
    rows[line - 1] = wrong
    text = "\n".join(rows)
    session = evening(tournament, 20)
    response = choose(director, session, action="import", text=text)
    assert sentence in words(response)
    assert fields(response)["text"] == text
    assert current_version(session) is None


def test_several_faults_of_a_file_are_listed(director, tournament):
    data = write_plays(plan_tables(5, 5))
    data["plays"][0]["etuis"], data["plays"][1]["etuis"] = [1, 2, 3, 5], [5, 6, 7, 8]
    response = choose(director, evening(tournament, 20), action="import", text=json.dumps(data))
    text = words(response)
    assert "Position 1: étui 5 is at tables 1 and 2." in text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "Line 1, column 2: this is not valid JSON."),
        (" ", "Paste a plan here"),
        ("[" * 100_000, "“plan” is missing"),
        ('{"plays": [' + "9" * 5_000 + "]}", "“plan” is missing"),
        ("position,table,N,E,S,W,etuis\n1,1,1,1,1,1," + "1;" * 90_000, "“plan” is missing"),
    ],
    ids=["cut", "empty", "nested", "endless", "wide"],
)
def test_text_that_is_no_plan_says_so(director, tournament, text, sentence):
    assert sentence in words(choose(director, evening(tournament, 20), action="import", text=text))


def test_file_of_a_plan_that_is_no_text_says_so(director, tournament):
    sent = SimpleUploadedFile("plan.xlsx", b"PK\xff\xfe")
    response = choose(director, evening(tournament, 20), action="import", file=sent)
    assert "The file is not text in UTF-8" in words(response)


# Fillers


@pytest.fixture
def filled(director, tournament):
    """Return a session of 27 players, with a filler on the last seat of the seventh table."""
    session = evening(tournament, 27)
    choose(director, session, action="choose", choice="0", shape=shape_of(session))
    return session


@pytest.mark.nightly("story")
def test_seat_that_waits_is_named_and_filled_by_a_new_name(director, filled):
    url = session_url("plan_choose", filled)
    assert "West 7 needs somebody to complete the table." in words(director.get(url))
    assert "Name who completes the table" in words(director.get(session_url("session", filled)))
    choose(director, filled, action="fill", line="W", number="7", name="Camille Bon")
    filler = filled.entrants.get(ranked=False)
    assert (filler.line, filler.number, filler.player.name) == ("W", 7, "Camille Bon")
    assert "Camille Bon plays unranked" in words(director.get(url))
    assert choice_of(filled, 27) is not None


def test_new_name_for_a_seat_that_is_taken_is_not_put_on_the_list_of_the_club(director, tournament, filled):
    listed = tournament.club.players.count()
    choose(director, filled, action="fill", line="N", number="1", name="Camille Bon")
    assert (filled.entrants.filter(ranked=False).count(), tournament.club.players.count()) == (0, listed)


def test_seat_is_filled_from_the_list_of_the_club(director, tournament, filled):
    (player,) = add_players(club=tournament.club, lines=[RosterLine("Bon", "Camille")])
    for _ in range(2):
        choose(director, filled, action="fill", line="W", number="7", player=player.pk)
    assert filled.entrants.get(ranked=False).player == player


@pytest.mark.parametrize(
    ("name", "sentence"), [("", "Choose somebody, or write a name."), ("99", "Write the family name")]
)
def test_filler_without_a_name_is_refused_at_the_field(director, filled, name, sentence):
    response = choose(director, filled, action="fill", line="W", number="7", name=name)
    assert sentence in words(response)
    assert not filled.entrants.filter(ranked=False).exists()


def test_filler_taken_out_leaves_the_seat_waiting(director, filled):
    choose(director, filled, action="fill", line="W", number="7", name="Camille Bon")
    choose(director, filled, action="release", player=filled.entrants.get(ranked=False).player_id)
    assert "West 7 needs somebody" in words(director.get(session_url("plan_choose", filled)))


def test_session_with_a_filler_starts_and_leaves_him_unranked(director, tournament):
    session = draft_session(tournament, tables=5)
    session.entrants.filter(line="W", number=5).delete()
    choose(director, session, action="choose", choice="0", shape=shape_of(session))
    choose(director, session, action="fill", line="W", number="5", name="Camille Bon")
    director.post(session_url("start", session))
    session.refresh_from_db()
    assert (session.status, session.plays.count()) == ("running", 25)
    assert session.plans.get().data["fillers"] == ["W5"]


# The words of forms


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "This is not, or no longer, in the list: choose again."),
        ("fr", "Ce choix n’est pas, ou plus, dans la liste : choisissez de nouveau."),
    ],
)
def test_choice_that_is_gone_is_told_without_our_numbers(director, filled, language, sentence):
    data = {"action": "fill", "line": "W", "number": "7", "player": "999999"}
    response = director.post(session_url("plan_choose", filled), data, headers={"accept-language": language})
    text = words(response).replace("\u00a0", " ")
    assert sentence in text
    assert "999999" not in read(response).refused


@pytest.mark.parametrize(("auction", "told"), [("imposed", True), ("free", False)])
def test_session_form_speaks_of_even_attacks_where_the_etuis_name_the_taker_only(db, auction, told):
    tournament = make_tournament(auction=auction)
    page = browser_of(make_director(tournament.club)).get(reverse("session_new", args=("club", tournament.slug)))
    assert ("lets each line attack equally often" in words(page)) == told
