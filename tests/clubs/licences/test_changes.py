"""The stored list of a federation against a club's: shown first, then applied by one press, and undone by one press."""

import datetime as dt
import random

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from archives.privacy.erasing import erase
from archives.privacy.whom import whom_of_player
from clubs.licences import (
    LicencesRefused,
    apply_licences,
    find_read_licences,
    read_licences,
    review_licences,
    store_list,
    undo_licences,
)
from clubs.models import LicenceChange, LicenceList, Player
from clubs.players import add_players
from clubs.roster import RosterLine
from tests.clubs.uploads.test_sheets import make_book
from tests.examples import draw_seeds
from tests.factories import make_club, make_director
from tests.outgoing.workbooks import workbook
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from wording.table import write_cells

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
LAST = ["Dupont", "Élu", "Le Goff", "N’Guyen"]
FIRST = ["Marie", "Zoé", "Paul", "Anne", "Léa", "Hugo"]


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


def keep(club, rows=LIST):
    """Store the list, and return what it would change."""
    by = club.memberships.first().user if club.memberships.exists() else make_director(club, f"of-{club.slug}")
    store_list(club=club, file=read_licences(write_cells(rows)), name="liste.csv", by=by, now=timezone.now())
    return review_licences(club, today=TODAY)


def press(club, director, review, answers=None):
    return apply_licences(club=club, answers=answers or {}, shown=review.digest, by=director, now=timezone.now())


def test_review_says_what_changes_and_writes_nothing(club):
    before = rows_of(club)
    review = keep(club)
    assert [(step.player.licence, step.before, step.after) for step in review.steps] == [
        (
            "100",
            {"last_name": "Dupont", "series": "", "licence_until": ""},
            {"last_name": "Durand", "series": "2", "licence_until": "2027-08-31"},
        ),
        ("200", {"licence_until": ""}, {"licence_until": "2025-08-31"}),
    ]
    assert [holder.licence for holder in review.ended] == ["200"]
    assert [player.licence for player in review.absent] == ["300"]
    assert rows_of(club) == before


def test_players_are_reviewed_in_the_order_of_their_names(club):
    add_players(
        club=club, lines=[RosterLine("Éloi", "Luc", "400"), RosterLine("Abel", "Luc"), RosterLine("abbé", "Luc")]
    )
    names = [("400", "ELOI", "Luc"), ("402", "ABEL", "Luc"), ("401", "ABBE", "Luc"), ("100", "DUPONT", "Marie")]
    review = keep(club, [LIST[0], *([*name, "2", ""] for name in names)])
    assert [step.player.last_name for step in review.questions] == ["abbé", "Abel"]
    assert [step.player.last_name for step in review.steps] == ["Dupont", "Éloi"]
    assert [player.last_name for player in review.absent] == ["Élu", "Parti"]


def test_name_that_differs_in_capitals_and_accents_alone_stays(club):
    review = keep(club, [LIST[0], ["200", "ELU", "Zoe", "3", ""]])
    assert (review.steps, review.same) == ([], 1)


def test_licences_are_compared_without_leading_zeros(club):
    review = keep(club, [LIST[0], ["0000200", "ELU", "Zoe", "2", ""]])
    assert [(step.player.licence, step.after) for step in review.steps] == [("200", {"series": "2"})]


def test_of_two_players_whose_licences_differ_in_zeros_the_exact_one_counts(club):
    add_players(club=club, lines=[RosterLine("Autre", "Ève", "2000")])
    club.players.filter(licence="2000").update(licence="0200")  # from a time when zeros told two licences apart
    review = keep(club, [LIST[0], ["200", "ELU", "Zoe", "2", ""]])
    assert [step.player.licence for step in review.steps] == ["200"]
    assert [player.licence for player in review.absent] == ["0200", "100", "300"]


def test_club_of_28_names_gets_27_licences_by_one_press(club, page):
    club.players.all().delete()
    names = [(f"Nom{chr(65 + n % 26) * (1 + n // 26)}", "Zoé") for n in range(28)]
    add_players(
        club=club, lines=[RosterLine(last, first, "" if n else "1000") for n, (last, first) in enumerate(names)]
    )
    rows = [[f"00{1000 + n}", last.upper(), first, "2", ""] for n, (last, first) in enumerate(names)]
    shown = page(file=csv_of([LIST[0], *rows, ["00999", "NOMA", "Autre", "", ""]]))
    review = shown.context["changes"].review
    assert [len(review.questions), len(review.steps)] == [27, 1]
    applied = page(action="apply", shown=shown.context["changes"].shown, **ticked(shown))
    assert "28 players are changed." in words(applied)
    assert list(club.players.values_list("licence", "series").order_by("pk"))[:2] == [("1000", "2"), ("001001", "2")]
    undone = page(action="undo", entry=applied.context["read"].pk)
    assert "28 players are as before." in words(undone)
    assert club.players.filter(licence="").count() == 27


def test_licence_given_to_two_players_is_refused_and_the_answers_stay(club, page):
    first, second = add_players(club=club, lines=[RosterLine("Deux", "Zoé", "900"), RosterLine("Deux", "Zoe", "901")])
    club.players.filter(last_name="Deux").update(licence="")
    rows = [["900", "DEUX", "Zoé", "2", ""], ["901", "DEUX", "Zoé", "2", ""]]
    shown = page(file=csv_of([LIST[0], *rows]))
    holder = LicenceList.objects.get(club=club).holders.get(licence="901")
    answers = {f"who-{each.pk}": holder.pk for each in (first, second)}
    shown = page(action="apply", **answers)
    refused = page(action="apply", shown=shown.context["changes"].shown, **answers)
    assert "901" in words(refused)
    assert {row.answer for row in refused.context["changes"].questions if row.player in (first, second)} == {
        str(holder.pk)
    }
    assert not club.players.filter(licence="901").exists()


def ticked(shown):
    """Return the answers as the page proposes them."""
    asked = [each for each in shown.context["changes"].review.questions if each.likely]
    return {f"who-{each.player.pk}": each.likely.pk for each in asked}


def test_name_of_two_holders_and_holder_of_two_players_have_no_likely_answer(club, director):
    """Check two players whose names differ in accents alone, and two holders with one name."""
    add_players(club=club, lines=[RosterLine("Seul", "Noé"), RosterLine("Seul", "Noe"), RosterLine("Deux", "Léa")])
    rows = [["11", "DEUX", "LEA"], ["12", "Deux", "Léa"], ["13", "SEUL", "NOÉ"], ["100", "SANS", "Licence"]]
    review = keep(club, [["Licence", "Nom", "Prénom"], *rows])
    asked = [
        (each.player.last_name, [holder.licence for holder in each.holders], each.likely) for each in review.questions
    ]
    assert asked == [("Deux", ["11", "12"], None), ("Seul", ["13"], None), ("Seul", ["13"], None)]
    both = {each.player.pk: each.holders[0].pk for each in review.questions}
    with pytest.raises(LicencesRefused) as refused:
        press(club, director, review, both)
    assert refused.value.code == "licences_shared"
    done = press(club, director, review, {review.questions[0].player.pk: review.questions[0].holders[1].pk})
    assert done.params["count"] == "2"
    assert club.players.get(last_name="Deux").licence == "12"


def test_licence_goes_back_unless_a_namesake_without_one_came_meanwhile(club, director):
    review = keep(club, [LIST[0], ["7", "SANS", "Licence", "", ""]])
    done = press(club, director, review, {each.player.pk: each.likely.pk for each in review.questions})
    add_players(club=club, lines=[RosterLine("Sans", "Licence", "8")])
    club.players.filter(licence="8").update(licence="")
    assert undo_licences(club=club, entry_id=done.pk, by=director, now=timezone.now()) == 0
    assert club.players.filter(licence="7").count() == 1


def test_list_is_applied_and_undone(club, director):
    before, version = rows_of(club), club.names_version
    done = press(club, director, keep(club))
    assert done.params["count"] == "2"
    assert rows_of(club)[:2] == [
        ("Durand", "Marie", "2", dt.date(2027, 8, 31)),
        ("Élu", "Zoé", "3", dt.date(2025, 8, 31)),
    ]
    assert rows_of(club)[2:] == before[2:]
    assert Player.objects.get(licence="100").folded == " marie durand"
    club.refresh_from_db()
    assert club.names_version > version
    assert find_read_licences(club) == done
    assert undo_licences(club=club, entry_id=done.pk, by=director, now=timezone.now()) == 2
    assert (rows_of(club), find_read_licences(club)) == (before, None)
    assert undo_licences(club=club, entry_id=done.pk, by=director, now=timezone.now()) == 0


def test_player_who_was_corrected_since_stays(club, director):
    done = press(club, director, keep(club))
    Player.objects.filter(licence="100").update(series="1")
    assert undo_licences(club=club, entry_id=done.pk, by=director, now=timezone.now()) == 1
    assert rows_of(club)[0] == ("Durand", "Marie", "1", dt.date(2027, 8, 31))


def test_undo_after_a_newer_list_says_that_it_cannot(club, director, page):
    done = press(club, director, keep(club))
    after = rows_of(club)
    keep(club, [LIST[0], ["300", "PARTI", "Paul", "1", ""]])
    with pytest.raises(LicencesRefused) as refused:
        undo_licences(club=club, entry_id=done.pk, by=director, now=timezone.now())
    assert refused.value.code == "licences_newer"
    assert "so this can no longer be undone" in words(page())
    assert "can no longer be undone" in words(page(action="undo", entry=done.pk))
    assert rows_of(club) == after


def test_change_between_the_review_and_the_press_writes_nothing(club, director, page):
    review, before = keep(club), rows_of(club)
    Player.objects.filter(licence="100").update(series="4")
    with pytest.raises(LicencesRefused):
        press(club, director, review)
    assert "Look at it again: nothing is saved yet." in words(page(action="apply", shown=f"{review.digest} 0"))
    keep(club, LIST[:2])
    with pytest.raises(LicencesRefused):
        press(club, director, review)
    assert rows_of(club)[1:] == before[1:]
    assert not LicenceChange.objects.exists()


def test_players_of_another_club_are_never_touched(club, director):
    other = make_club("autre")
    add_players(club=other, lines=PEOPLE)
    before, review = rows_of(other), keep(other)
    with pytest.raises(LicencesRefused):
        press(club, director, review)
    keep(club)
    press(club, director, review_licences(club, today=TODAY))
    assert rows_of(other) == before


@pytest.mark.nightly("story")
def test_erasure_takes_the_changes_along(club, director):
    press(club, director, keep(club))
    player = club.players.get(licence="100")
    assert LicenceChange.objects.filter(player=player).count() == 1
    erase(whom_of_player(player), by=director, now=timezone.now())
    player.refresh_from_db()
    assert (LicenceChange.objects.filter(player=player).count(), player.licence_until) == (0, None)


CASES = {
    "L1": ([["N° licence", "Nom", "Prénom", "Catégorie", "Série"], ["0012345", "LE GOFF", "Anaïs", "Sénior", "2"]], ""),
    "L2": ([["Licence", "Nom", "Prénom", "Licence jusqu’au"], ["0012345", "LE GOFF", "Anaïs", "31/08/2027"]], ""),
    "L3": ([["Licence", "Nom", "Prénom", "Série"], [12345, "LE GOFF", "Anaïs", "2"]], "0000000"),
}


@pytest.mark.parametrize(
    ("case", "after"),
    [("L1", {"series": "2"}), ("L2", {"licence_until": "2027-08-31"}), ("L3", {"series": "2"})],
)
def test_lists_as_federations_have_them_change_what_they_say(club, page, case, after):
    add_players(club=club, lines=[RosterLine("Le Goff", "Anaïs", "0012345")])
    rows, format = CASES[case]
    shown = page(file=SimpleUploadedFile("liste.xlsx", make_book(("Liste", rows, False), format=format)))
    review = shown.context["changes"].review
    assert [(step.player.licence, step.after) for step in review.steps] == [("0012345", after)]
    assert [player.licence for player in review.absent] == ["100", "200", "300"]


def test_page_says_which_columns_sheets_and_cells_are_not_read(club, page):
    rows = [[*LIST[0], "Ville"], ["100", "DUPONT", "Marie", "NC", "", "Brest"]]
    book = make_book(("Liste", rows, False), ("Note", [["À lire"]], True))
    told = words(page(file=SimpleUploadedFile("liste.xlsx", book)))
    assert "Columns read: Licence → licence, Nom → family name, Prénom → first name" in told
    assert "Columns not read: Ville" in told
    assert "Sheets not read: Note (1 row, hidden)" in told
    assert "“NC” is not understood: the line is read without it. 2 · 100 ; DUPONT" in told
    assert "Columns not read: Ville" in words(page())


@pytest.mark.parametrize(
    "upload", [csv_of(LIST), SimpleUploadedFile("liste.xlsx", workbook(LIST))], ids=["csv", "xlsx"]
)
def test_page_shows_the_changes_first_and_one_press_applies_them(club, page, upload):
    before = rows_of(club)
    upload.seek(0)
    shown = page(file=upload)
    told = words(shown)
    for text in (
        "Name: Durand Marie",
        "Series: – → series 2",
        "1 licence has ended",
        "1 licence of your players is not on the list",
        "The list is read: 3 licences.",
        "1 line is left out",
        "There is no licence number. 5 · ",
        "Change 2 players",
    ):
        assert text in told
    assert rows_of(club) == before
    applied = page(action="apply", shown=shown.context["changes"].shown)
    assert "2 players are changed." in words(applied)
    assert rows_of(club)[0][0] == "Durand"
    undone = page(action="undo", entry=applied.context["read"].pk)
    assert "2 players are as before." in words(undone)
    assert rows_of(club) == before


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "file is empty"),
        (b"%PDF-1.4\x00", "This file is not a list"),
        (b"PK\x03\x04 no workbook", "This file is not a list"),
        (b"Dupont\nMartin", "A line must name the columns"),
        (b"Nom;Club\nDupont;X", "A line must name the columns"),
        (b"Licence;Nom\n" + b"1;a\n" * 600_000, "The file is too large"),
        (b"Licence;Nom\n;Dupont\n", "There is no licence number"),
    ],
    ids=["empty", "pdf", "zip", "names", "heading", "large", "nobody"],
)
def test_bad_file_says_what_is_wrong_and_keeps_the_old_list(club, page, content, said):
    keep(club)
    before = rows_of(club)
    assert said in words(page(file=SimpleUploadedFile("mauvaise.csv", content)))
    kept = LicenceList.objects.get(club=club)
    assert (rows_of(club), kept.file, kept.holders.count()) == (before, "liste.csv", 3)


def test_list_of_another_club_cannot_be_undone(club, page):
    other = make_club("autre")
    add_players(club=other, lines=PEOPLE)
    done = press(other, make_director(other, "autre"), keep(other))
    assert page(action="undo", entry=done.pk).status_code == 404
    assert rows_of(other)[0][0] == "Durand"


@pytest.mark.nightly("crawl")
def test_list_of_thousands_is_compared_in_two_queries(club, django_assert_num_queries):
    keep(club, [LIST[0], *[[str(number), "Nom", "Zoé", "", ""] for number in range(1000, 5000)]])
    with django_assert_num_queries(2):
        assert [player.licence for player in review_licences(club, today=TODAY).absent] == ["100", "200", "300"]


def make_random_club(draw, seed):
    """Return a club of six players, some without a licence, some with a name that the list has too."""
    club = make_club(f"club-{seed}")
    licences = [str(number) if draw.random() < 0.6 else "" for number in range(101, 107)]
    add_players(
        club=club,
        lines=[RosterLine(draw.choice(LAST), f"{FIRST[number]}", licence) for number, licence in enumerate(licences)],
    )
    return club


def draw_list(draw):
    """Return the rows of a list with some licences and names of `make_random_club`, and other values."""
    rows = [
        [str(number), draw.choice(LAST), FIRST[place], draw.choice(["", "2", "3"]), draw.choice(["", "31/08/2027"])]
        for place, number in enumerate(range(101, 107))
        if draw.random() < 0.8
    ]
    return [LIST[0], *rows, ["900", "Inconnu", "Jean", "", ""]]


def disturb(draw, club):
    """Change the club's players or its list as a second person may do meanwhile, or change nothing."""
    player = club.players.order_by("pk")[draw.randrange(6)]
    match draw.randrange(5):
        case 0:
            player.last_name = draw.choice(LAST)
            player.save()
        case 1:
            club.players.filter(pk=player.pk).update(licence=draw.choice(["", "107"]))
        case 2:
            add_players(club=club, lines=[RosterLine(draw.choice(LAST), draw.choice(FIRST))])
        case 3:
            keep(club, draw_list(draw))


@pytest.mark.parametrize("seed", draw_seeds(60, fewest=6))
def test_players_changed_are_those_that_the_page_told_or_none(seed):
    draw = random.Random(seed)
    club = make_random_club(draw, seed)
    by = make_director(club, f"director-{seed}")
    review = keep(club, draw_list(draw))
    answers = {asked.player.pk: asked.likely.pk for asked in review.questions if asked.likely and draw.random() < 0.7}
    disturb(draw, club)
    before = dict(club.players.values_list("pk", "licence"))
    rows = {row[0]: row for row in club.players.values_list("pk", "last_name", "first_name", "series", "licence_until")}
    try:
        done = press(club, by, review, answers)
    except LicencesRefused:
        changed = set()
        assert review_licences(club, today=TODAY).digest != review.digest or len(answers) > 1
    else:
        changed = {step.player.pk for step in review.steps} | answers.keys()
        assert done.params["count"] == str(len(review.steps) + len(answers))
    after = {
        row[0]: row for row in club.players.values_list("pk", "last_name", "first_name", "series", "licence_until")
    }
    written = {pk for pk, licence in club.players.values_list("pk", "licence") if licence != before[pk]}
    assert written | {pk for pk in after if after[pk] != rows[pk]} == changed
