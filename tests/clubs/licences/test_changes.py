"""A federation's list against a club's: what is shown first, then applied by one press, and undone by one press."""

import datetime as dt

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from clubs.licences.changes import apply_licences, find_read_licences, review_licences, undo_licences
from clubs.licences.reading import read_licences
from clubs.models import LicenceChange, Player
from clubs.players import add_players
from clubs.roster import RosterLine
from tests.factories import make_club, make_director
from tests.tournaments.browsing import browser_of
from tests.tournaments.pages import words
from tests.tournaments.workbooks import workbook
from tournaments.privacy.erasing import erase
from tournaments.privacy.whom import whom_of_player

pytestmark = pytest.mark.django_db
TODAY = dt.date(2026, 11, 23)
PEOPLE = [
    RosterLine("Dupont", "Marie", "100"),
    RosterLine("Élu", "Zoé", "200", "", "", "3"),
    RosterLine("Parti", "Paul", "300"),
    RosterLine("Sans", "Licence"),
]
LIST = [
    ["Licence", "Nom", "Prénom", "Série", "Fin"],
    ["100", "DURAND", "Marie", "2", "31/08/2027"],
    ["200", "ELU", "ZOE", "3", "31/08/2025"],
    ["900", "INCONNU", "Jean", "", ""],
    ["", "SANS", "Licence", "", ""],
]


@pytest.fixture
def club():
    club = make_club()
    add_players(club=club, lines=PEOPLE)
    return club


@pytest.fixture
def page(club, director):
    browser = browser_of(director)
    browser.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    where = reverse("licences", args=[club.slug])
    return lambda **given: browser.post(where, given, follow=True) if given else browser.get(where)


def rows_of(club):
    return list(club.players.order_by("pk").values_list("last_name", "first_name", "series", "licence_until"))


def csv_of(rows):
    return SimpleUploadedFile("liste.csv", "\r\n".join(";".join(row) for row in rows).encode("cp1252"))


def apply_list(club, director, rows=LIST):
    review = review_licences(club, read_licences(rows), today=TODAY)
    return apply_licences(club=club, steps=review.told, by=director, now=timezone.now())


def test_review_says_what_changes_and_writes_nothing(club):
    before = rows_of(club)
    review = review_licences(club, read_licences(LIST), today=TODAY)
    assert [(step.player.licence, step.before, step.after) for step in review.steps] == [
        (
            "100",
            {"last_name": "Dupont", "series": "", "licence_until": ""},
            {"last_name": "Durand", "series": "2", "licence_until": "2027-08-31"},
        ),
        ("200", {"licence_until": ""}, {"licence_until": "2025-08-31"}),
    ]
    assert [line.licence for line in review.ended] == ["200"]
    assert [player.licence for player in review.absent] == ["300"]
    assert [line.licence for line in review.unknown] == ["900"]
    assert rows_of(club) == before


def test_name_that_differs_in_capitals_and_accents_alone_stays(club):
    review = review_licences(club, read_licences([LIST[0], ["200", "ELU", "Zoe", "3", ""]]), today=TODAY)
    assert (review.steps, review.same) == ([], 1)


def test_list_is_applied_and_undone(club, director):
    before, version = rows_of(club), club.names_version
    done = apply_list(club, director)
    assert done.players == 2
    assert rows_of(club)[:2] == [
        ("Durand", "Marie", "2", dt.date(2027, 8, 31)),
        ("Élu", "Zoé", "3", dt.date(2025, 8, 31)),
    ]
    assert rows_of(club)[2:] == before[2:]
    assert Player.objects.get(licence="100").folded == " marie durand"
    club.refresh_from_db()
    assert club.names_version > version
    assert find_read_licences(club) == done
    assert undo_licences(club=club, entry_id=done.entry, by=director, now=timezone.now()) == 2
    assert (rows_of(club), find_read_licences(club)) == (before, None)
    assert undo_licences(club=club, entry_id=done.entry, by=director, now=timezone.now()) == 0


def test_player_who_was_corrected_since_stays(club, director):
    done = apply_list(club, director)
    Player.objects.filter(licence="100").update(series="1")
    assert undo_licences(club=club, entry_id=done.entry, by=director, now=timezone.now()) == 1
    assert rows_of(club)[0] == ("Durand", "Marie", "1", dt.date(2027, 8, 31))


def test_player_who_changes_between_the_review_and_the_press_stays(club, director):
    review = review_licences(club, read_licences(LIST), today=TODAY)
    Player.objects.filter(licence="100").update(series="4")
    assert apply_licences(club=club, steps=review.told, by=director, now=timezone.now()).players == 1
    assert rows_of(club)[0] == ("Dupont", "Marie", "4", None)


def test_players_of_another_club_are_never_touched(club, director):
    other = make_club("autre")
    add_players(club=other, lines=PEOPLE)
    before = rows_of(other)
    review = review_licences(other, read_licences(LIST), today=TODAY)
    assert apply_licences(club=club, steps=review.told, by=director, now=timezone.now()).players == 0
    assert rows_of(other) == before


@pytest.mark.nightly("story")
def test_erasure_takes_the_changes_along(club, director):
    apply_list(club, director)
    player = club.players.get(licence="100")
    assert LicenceChange.objects.filter(player=player).count() == 1
    erase(whom_of_player(player), by=director, now=timezone.now())
    player.refresh_from_db()
    assert (LicenceChange.objects.filter(player=player).count(), player.licence_until) == (0, None)


@pytest.mark.nightly("story")
@pytest.mark.parametrize(
    "upload", [csv_of(LIST), SimpleUploadedFile("liste.xlsx", workbook(LIST))], ids=["csv", "xlsx"]
)
def test_page_shows_the_changes_first_and_one_press_applies_them(club, page, upload):
    before = rows_of(club)
    upload.seek(0)
    shown = page(file=upload)
    told = words(shown)
    for text in (
        "Name: Durand Marie.",
        "Series: – → series 2.",
        "1 licence has ended",
        "1 licence of your players is not on the list",
        "1 line matches nobody in your club",
        "1 line is left out",
        "Line 5: There is no licence number.",
        "Change 2 players",
    ):
        assert text in told
    assert rows_of(club) == before
    applied = page(action="apply", changes=shown.context["signed"])
    assert "2 players are changed." in words(applied)
    assert rows_of(club)[0][0] == "Durand"
    undone = page(action="undo", entry=applied.context["read"].entry)
    assert "2 players are as before." in words(undone)
    assert rows_of(club) == before


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "file is empty"),
        (b"%PDF-1.4\x00", "This file is not a table"),
        (b"PK\x03\x04 no workbook", "This file is not a table"),
        (b"Dupont\nMartin", "This file has no line below its heading"),
        (b"Nom;Club\nDupont;X", "The first line must name the columns"),
        (b"Licence;Nom\n" + b"1;a\n" * 600_000, "The file is too large"),
    ],
    ids=["empty", "pdf", "zip", "names", "heading", "large"],
)
def test_bad_file_says_what_is_wrong_and_changes_nothing(club, page, content, said):
    before = rows_of(club)
    assert said in words(page(file=SimpleUploadedFile("liste.csv", content)))
    assert rows_of(club) == before


def test_changes_of_another_director_or_made_up_are_refused(club, page):
    before = rows_of(club)
    signed = page(file=csv_of(LIST)).context["signed"]
    for changes in ("", "x", signed[:-1], signed.replace(":", "")):
        assert "These changes can no longer be applied" in words(page(action="apply", changes=changes))
    other = browser_of(make_director(club, "autre"))
    other.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    answer = other.post(reverse("licences", args=[club.slug]), {"action": "apply", "changes": signed}, follow=True)
    assert "These changes can no longer be applied" in words(answer)
    assert rows_of(club) == before


def test_list_of_another_club_cannot_be_undone(club, page):
    other = make_club("autre")
    add_players(club=other, lines=PEOPLE)
    done = apply_list(other, make_director(other, "autre"))
    assert page(action="undo", entry=done.entry).status_code == 404
    assert rows_of(other)[0][0] == "Durand"


def test_list_of_thousands_is_compared_in_two_queries(club, django_assert_num_queries):
    lines = [LIST[0], *[[str(number), "Nom", "Zoé", "", ""] for number in range(1000, 9000)]]
    file = read_licences(lines)
    with django_assert_num_queries(1):
        assert len(review_licences(club, file, today=TODAY).unknown) == 8000
