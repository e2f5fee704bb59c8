"""The lists of names that are pasted into pages: the questions before anybody is seated, and their answers."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.sessions.setup import create_session
from pages.doors import session_url
from tests import shared_evenings
from tests.factories import DATE
from tests.outgoing.workbooks import FAR_CELL, workbook
from tests.pages.browsing import fields, press_preview
from tests.pages.reading import read, words
from tests.pages.wizard import evening

director = shared_evenings.browser_of_tournament_director


@pytest.fixture
def session(tournament):
    return create_session(tournament=tournament, date=DATE)


@pytest.fixture
def marie(tournament):
    (player,) = add_players(club=tournament.club, lines=[RosterLine("Dupont", "Marie")])
    return player


def join(client, session, **data):
    return press_preview(client, session_url("entrants", session), {"action": "join", **data})


def seated(session):
    return [entrant.player.name for entrant in session.entrants.order_by("number", "pk")]


def answers(response):
    """Return what the form of the list would send."""
    return {name: value for name, value in fields(response).items() if name == "text" or name.startswith("who-")}


def question(response):
    """Return the name of the first field that asks who somebody is."""
    return re.search(r'name="(who-[^"]+)"', response.content.decode())[1]


@pytest.mark.nightly("story")
def test_doubt_is_asked_before_anybody_is_seated(director, session, marie):
    asked = join(director, session, text="Luc Garnier\nMarie Dupond")
    assert seated(session) == []
    assert "1 line needs your answer" in words(asked)
    assert [row[1] for row in read(asked).rows if len(row) == 3][1:] == ["Dupond Marie", "Garnier Luc"]
    assert fields(asked)["text"] == "Luc Garnier\nMarie Dupond"
    join(director, session, **answers(asked) | {question(asked): marie.pk})
    assert seated(session) == ["Luc Garnier", "Marie Dupont"]
    assert session.tournament.club.players.count() == 2


def test_doubt_may_be_somebody_new_or_nobody(director, session, marie):
    asked = join(director, session, text="Marie Dupond\nMarie Dupon")
    first, second = dict.fromkeys(re.findall(r'name="(who-[^"]+)"', asked.content.decode()))
    join(director, session, **answers(asked) | {first: "new", second: "out"})
    assert seated(session) == ["Marie Dupond"]


@pytest.mark.nightly("story")
def test_answer_that_was_not_offered_is_none(director, session, marie):
    asked = join(director, session, text="Marie Dupond")
    for answer in ("999999", "new ", "x"):
        again = join(director, session, **answers(asked) | {question(asked): answer})
        assert "1 line needs your answer" in words(again)
    assert seated(session) == []


@pytest.mark.nightly("story")
def test_what_is_most_probable_is_chosen_and_seen_before_it_is_taken(director, session, marie):
    asked = join(director, session, text="Dupont Marie")
    assert seated(session) == []
    assert fields(asked)[question(asked)] == str(marie.pk)
    join(director, session, **answers(asked))
    assert seated(session) == ["Marie Dupont"]


def test_answer_stays_with_its_line_when_the_list_changes_above_it(director, session, marie):
    asked = join(director, session, text="Marie Dupond")
    answered = {question(asked): marie.pk, "text": "Zoé Blanc\nMarie Dupond"}
    join(director, session, **answered)
    assert seated(session) == ["Zoé Blanc", "Marie Dupont"]


@pytest.mark.nightly("story")
def test_lines_without_a_name_are_told_and_passed_over(director, session):
    asked = join(director, session, text="Inscrits de vendredi :\nZoé Blanc\n\n12")
    assert seated(session) == []
    assert "contains no name: ignored" in words(asked)
    join(director, session, **answers(asked))
    assert seated(session) == ["Zoé Blanc"]


@pytest.mark.nightly("story")
def test_line_whose_player_is_gone_meanwhile_is_asked_about_again(director, session, marie):
    asked = join(director, session, text="Marie Dupond\nZoé Blanc")
    data = answers(asked) | {question(asked): marie.pk}
    marie.delete()
    again = join(director, session, **data)
    assert seated(session) == []
    assert "somebody new: Dupond Marie" in words(again)
    join(director, session, **answers(again) | {question(again): "new"})
    assert seated(session) == ["Marie Dupond", "Zoé Blanc"]


def test_name_in_the_field_for_one_is_asked_about_too(director, session, marie):
    asked = join(director, session, quick="Marie Dupond")
    assert fields(asked)["text"] == "Marie Dupond"
    assert "Dupont Marie nearly the same letters" in words(asked)


def test_same_as_last_time_ticks_who_played_then(director, tournament, session):
    last = evening(tournament, 8)
    page = director.get(session_url("entrants", session))
    assert "The same players as last time" in words(page)
    link = re.search(r'href="(\?last=\d+)#join"', page.content.decode())[1]
    ticked = re.findall(
        r'<input type="checkbox" name="players" value="(\d+)"[^>]* checked',
        director.get(session_url("entrants", session) + link).content.decode(),
    )
    assert sorted(map(int, ticked)) == sorted(last.entrants.values_list("player_id", flat=True))


@pytest.mark.nightly("story")
def test_same_as_last_time_is_not_offered_once_somebody_is_seated(director, tournament, session):
    evening(tournament, 8)
    join(director, session, text="Zoé Blanc")
    assert "The same players as last time" not in words(director.get(session_url("entrants", session)))


@pytest.mark.nightly("story")
@pytest.mark.parametrize(
    "data",
    [
        "Nom;Prénom\nBlanc;Zoé\nD’Été;Noé".encode("cp1252"),
        "Nom;Prénom\nBlanc;Zoé\nD’Été;Noé".encode("utf-16"),
        "\ufeffNom,Prénom\nBlanc,Zoé\nD’Été,Noé".encode(),
        workbook([["Nom", "Prénom"], ["Blanc", "Zoé"], ["D’Été", "Noé"]]),
    ],
    ids=["windows", "utf-16", "utf-8", "xlsx"],
)
def test_file_is_read_however_it_was_saved(director, session, data):
    join(director, session, file=SimpleUploadedFile("liste", data))
    assert seated(session) == ["Zoé Blanc", "Noé D’Été"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"PK\x03\x04\0\0", "This file is not a list of names"),
        (b"\x00\x01\x02", "This file is not a list of names"),
        (workbook([["Nom"]], beyond=FAR_CELL), "The file needs more than 300 MB of memory to be read"),
    ],
    ids=["no workbook", "no text", "more cells than there is memory"],
)
def test_file_that_is_no_list_is_refused_and_what_was_typed_kept(director, session, data, said):
    answer = join(director, session, text="Zoé Blanc", file=SimpleUploadedFile("liste.xlsx", data))
    assert said in words(answer)
    assert fields(answer)["text"] == "Zoé Blanc"
    assert seated(session) == []


def test_list_of_ten_thousand_lines_is_refused_with_what_it_may_have(director, tournament):
    url = reverse("players", args=[tournament.club.slug])
    answer = director.post(url, {"text": "\n".join(f"Nom{number}" for number in range(10_000))})
    assert "A list has at most 3000 lines, and this one has 10000" in words(answer)
    assert fields(answer)["text"].endswith("Nom9999")


@pytest.mark.nightly("story")
@pytest.mark.parametrize(
    "text", ["=HYPERLINK(1)", "Zoé \u202eBlanc", "A" * 81 + " B"], ids=["formula", "hidden", "too long"]
)
def test_line_that_cannot_be_read_waits_until_it_is_left_out(director, session, text):
    asked = join(director, session, text=f"{text}\nLéa Petit")
    assert "Line 1 of the list" in words(asked)
    assert seated(session) == []
    join(director, session, **answers(asked) | {question(asked): "out"})
    assert seated(session) == ["Léa Petit"]
