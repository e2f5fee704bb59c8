"""The page about doubtful lines of a list: the likely reading is marked, one tap changes it, nothing typed is lost."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils.translation import override

from clubs.matching import KnownPlayer, read_list
from clubs.models import Player, Visibility
from clubs.players import ListCounts, add_players
from clubs.roster import RosterLine
from evenings.sessions.setup import create_session
from pages.doors import session_url
from pages.prepare.players import say_taken
from pages.roster_forms import RosterForm
from pages.roster_rows import RowsToAsk
from registration.people.merging import merge_players
from tests import shared_evenings
from tests.factories import DATE, make_director, make_tournament
from tests.pages.browsing import fields, press_preview
from tests.pages.reading import words

PASTED = (
    "Bonjour,\nvoici la liste :\nJean et Marie DUPONT\nLuc Garnier 4e série\nPaul Robert\nRobert Paul\nIda Petit\n"
    "Ida Petit 55555\nMerci !\nAnne Leroy\nPrésidente"
)


@pytest.fixture
def club(db):
    return make_tournament().club


@pytest.fixture
def user(club):
    return make_director(club)


director = shared_evenings.browser_of_user


def send(director, club, page, **answers):
    """Send the form of the page, with other answers to the questions of some lines."""
    data = fields(page)
    return director.get(press_preview(director, reverse("players", args=[club.slug]), data | answers).url)


def field_of(page, text):
    """Return the name of the field that asks about a line."""
    html = page.content.decode()
    return html[html.index(f"“{text}”") :].split('name="who-')[1].split('"')[0]


def listed(club):
    return sorted(player.listed for player in club.players.real())


def test_each_doubt_is_asked_with_the_likely_reading_marked(director, club):
    page = director.post(reverse("players", args=[club.slug]), {"text": PASTED})
    assert not club.players.exists()
    told = words(page)
    assert "9 lines are read as shown: if one is wrong, tap it to correct it." in told
    for sentence in (
        "Perhaps not a player: leave it out?",
        "Perhaps the person who sent the list: leave it out?",
        "The line names several people.",
        "A remark beside the name, “4e série”, is left out.",
        "One person or two?",
        "the same person as line 5: counted once",
        "another person: Paul Robert",
    ):
        assert sentence in told
    assert fields(page)["text"].splitlines() == PASTED.splitlines()
    added = send(director, club, page)
    assert "5 players are added." in words(added)
    assert listed(club) == ["DUPONT Jean", "DUPONT Marie", "Garnier Luc", "Petit Ida", "Robert Paul"]
    assert club.players.get(first_name="Ida").licence == "55555"


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("Dupont Marie", ["", ""]),
        ("Dupont Marié", ["written differently", "", ""]),
        ("Dupont", ["a part of the name", "", ""]),
    ],
)
@override("en")
def test_name_in_the_order_of_the_list_is_not_told_to_be_written_differently(text, notes):
    (row,) = read_list(text, [KnownPlayer(1, "Dupont", "Marie")])
    assert [choice.note for choice in RowsToAsk(row, "").choices] == notes


@pytest.mark.parametrize(("figure", "told"), [("", "already on line 1: counted once"), ("12", "already on line 1")])
@override("en")
def test_line_that_is_refused_is_not_told_to_be_counted(figure, told):
    row = read_list("DUPONT Marie\nDUPONT Marie", [])[1]
    assert RowsToAsk(row, "", figure=figure).does == told


@pytest.mark.parametrize(
    ("new", "completed", "told"),
    [
        (1, 0, "1 player is added."),
        (0, 3, "3 players are completed."),
        (2, 1, "2 players are added. 1 player is completed."),
    ],
)
@override("en")
def test_players_who_are_completed_are_told_too(new, completed, told):
    assert say_taken(ListCounts(0, new, completed)) == told


def test_file_that_cannot_be_read_is_the_only_error(club):
    picture = SimpleUploadedFile("podium.png", b"\x89PNG\r\n\x1a\n\0")
    assert list(RosterForm(club, {"text": ""}, {"file": picture}).errors) == ["file"]


def test_one_tap_takes_another_reading(director, club):
    page = director.post(reverse("players", args=[club.slug]), {"text": PASTED})
    answers = {f"who-{field_of(page, 'Robert Paul')}": "new", f"who-{field_of(page, 'Anne Leroy')}": "new"}
    send(director, club, page, **answers)
    assert {"Robert Paul", "Paul Robert", "Leroy Anne"} <= set(listed(club))


def test_likely_readings_are_shown_before_anybody_is_seated(director, club):
    session = create_session(tournament=club.tournaments.get(), date=DATE)
    address = session_url("entrants", session)
    asked = director.post(address, {"action": "join", "text": "Jean et Marie Dupont"})
    assert not session.entrants.exists()
    given = {name: value for name, value in fields(asked).items() if name == "text" or name.startswith("who-")}
    press_preview(director, address, given | {"action": "join"})
    assert [each.player.name for each in session.entrants.order_by("number", "pk")] == ["Jean Dupont", "Marie Dupont"]


def test_club_and_category_of_a_file_are_taken_for_new_and_known_players(director, club):
    (known,) = add_players(club=club, lines=[RosterLine("Blanc", "Zoé")])
    table = (
        "Nom;Prénom;Licence;Club;Catégorie\nBlanc;Zoé;444;TC Lyon;Junior\nNoir;Al;;Dijon;Vétéran\n"
        "Gris;Ida;;;3e série\nBrun;Tom;;;Sportif"
    )
    address = reverse("players", args=[club.slug])
    page = director.post(address, {"file": SimpleUploadedFile("liste.csv", table.encode())})
    told = words(page)
    assert "junior · TC Lyon" in told
    assert "“Sportif” is not understood: the line is read without it." in told
    send(director, club, page)
    rows = Player.objects.order_by("last_name").values_list("last_name", "licence", "category", "series", "origin")
    assert list(rows) == [
        ("Blanc", "444", "junior", "", "TC Lyon"),
        ("Brun", "", "", "", ""),
        ("Gris", "", "", "3", ""),
        ("Noir", "", "veteran", "", "Dijon"),
    ]
    known.refresh_from_db()
    assert known.person.shown == Visibility.INITIALS  # a known minor is shown by initials


@pytest.mark.nightly("story")
@pytest.mark.parametrize("pasted", [True, False])
def test_ladies_of_a_table_are_ranked_among_the_ladies_from_then_on(director, club, pasted):
    """Check new players and those of the list.

    A player who is already in the ranking of ladies stays in it, whatever the table says.
    """
    add_players(club=club, lines=[RosterLine("Blanc", "Zoé"), RosterLine("Noir", "Léa", ladies="ladies")])
    table = "Nom\tPrénom\tDame\nBlanc\tZoé\toui\nNoir\tLéa\t\nGris\tIda\tx\nBrun\tTom\tnon"
    sent = {"text": table} if pasted else {"file": SimpleUploadedFile("liste.csv", table.encode())}
    page = director.post(reverse("players", args=[club.slug]), sent)
    assert "Gris Ida · ladies" in words(page)
    send(director, club, page)
    rows = Player.objects.order_by("last_name").values_list("last_name", "first_name", "ladies")
    assert list(rows) == [
        ("Blanc", "Zoé", "ladies"),
        ("Brun", "Tom", ""),
        ("Gris", "Ida", "ladies"),
        ("Noir", "Léa", "ladies"),
    ]


def test_category_that_is_known_stays(director, club):
    (known,) = add_players(club=club, lines=[RosterLine("Blanc", "Zoé", "", "senior", "Dijon")])
    page = director.post(reverse("players", args=[club.slug]), {"text": "Blanc; Zoé; Club: Lyon; Catégorie: junior"})
    send(director, club, page)
    known.refresh_from_db()
    assert (known.category, known.origin) == ("senior", "Dijon")


def test_licence_alone_is_its_player(director, club):
    add_players(club=club, lines=[RosterLine("Blanc", "Zoé", "444444")])
    page = director.post(reverse("players", args=[club.slug]), {"text": "444444\n987654"})
    told = words(page)
    assert "Blanc Zoé · 444444" in told
    assert "nobody in the club has the licence 987654" in told


@pytest.mark.nightly("story")
def test_merged_away_name_is_shown_nowhere(director, club, user):
    kept, gone = add_players(club=club, lines=[RosterLine("Durand", "Anne"), RosterLine("Durant", "Anna")])
    merge_players(club=club, kept_id=kept.pk, gone_id=gone.pk, by=user, now=kept.club.created_at)
    address = reverse("players", args=[club.slug])
    asked = words(director.post(address, {"text": "Anna Durantt"})).partition("Choose who each line is")[2]
    assert "Durand Anne nearly the same letters" in asked
    assert "Durant Anna" not in asked
    assert "on the club’s list: Durand Anne" in words(director.post(address, {"text": "Anna Durant"}))


def test_two_people_of_one_licence_are_asked_about_and_both_are_added(director, club):
    """Read the number of added players, which is the number of rows that are written."""
    page = director.post(reverse("players", args=[club.slug]), {"text": "Martin;Anne;4123\nMartin;Paul;4123"})
    assert not club.players.exists()
    assert "Line 1 has the licence 4123 too: one person or two?" in words(page)
    answers = {f"who-{field_of(page, 'Martin;Paul;4123')}": "new"}
    assert "2 players are added." in words(send(director, club, page, **answers))
    assert sorted(club.players.values_list("first_name", "licence")) == [("Anne", "4123"), ("Paul", "")]


def test_both_people_of_one_licence_have_a_seat(director, club):
    session = create_session(tournament=club.tournaments.get(), date=DATE)
    url, typed = session_url("entrants", session), {"action": "join", "text": "Martin;Anne;4123\nMartin;Paul;4123"}
    page = director.post(url, typed)
    assert not session.entrants.exists()
    answers = {f"who-{field_of(page, 'Martin;Paul;4123')}": "new"}
    press_preview(director, url, typed | answers)
    assert session.entrants.count() == 2
