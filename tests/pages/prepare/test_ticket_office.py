"""The file of a ticket office on the page of a club's players: each sentence on what is read, and what is not."""

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from clubs.models import Player
from tests.clubs.uploads.test_sheets import make_book
from tests.factories import make_club, make_director
from tests.pages.browsing import browser_of
from tests.pages.reading import words

pytestmark = pytest.mark.django_db
TICKETS = [
    ["Tournoi du jeudi"],
    ["Export du 28 novembre", "billetterie"],
    ["N° de billet", "Statut de la commande", "Nom participant", "Prénom participant", "Nom payeur", "Prénom payeur",
     "Email payeur", "Tarif", "N° de licence", "Club", "Catégorie"],
    ["1001", "Validé", "Le Goff", "Anaïs", "Martin", "Paul", "p@example.org", 12, "0012345", "Rennes", "Junior"],
    ["1002", "Remboursé", "Bellec", "Yann", "Martin", "Paul", "p@example.org", 12, "0012346", "Brest", ""],
    ["1003", "Annulé", "Corre", "Ana", "Martin", "Paul", "p@example.org", 12, "", "", ""],
    ["1004", "Validé", "Perrot", "Luc", "Martin", "Paul", "p@example.org", 12, "1,23457E+11", "", ""],
]  # fmt: skip
NOTE = [["Merci"], ["de"], ["venir"]]
LAST_YEAR = [["Nom", "Prénom"], ["Ancien", "Membre"]]


@pytest.fixture(scope="module")
def answers(rows_of_the_file):
    """Return the answer of the page in each language, after the file is sent."""
    club = make_club()
    director = browser_of(make_director(club))
    book = make_book(("Note", NOTE, False), ("Billets", TICKETS, False), ("2025", LAST_YEAR, True))
    answers = {}
    for spoken in ("en", "fr"):
        director.cookies.load({settings.LANGUAGE_COOKIE_NAME: spoken})
        answers[spoken] = director.post(
            reverse("players", args=[club.slug]), {"file": SimpleUploadedFile("billets.xlsx", book)}
        )
    return answers


@pytest.fixture(params=["en", "fr"])
def spoken(request):
    return request.param


@pytest.fixture
def shown(answers, spoken):
    """Return the words of the page, with ordinary blanks."""
    return words(answers[spoken]).replace("\N{NO-BREAK SPACE}", " ")


def test_columns_read_are_told_with_what_they_are(shown, spoken):
    assert {
        "en": "Columns read: Statut de la commande → status, Nom participant → family name, "
        "Prénom participant → first name, N° de licence → licence, Club → club, Catégorie → category",
        "fr": "Colonnes lues : Statut de la commande → état, Nom participant → nom de famille, "
        "Prénom participant → prénom, N° de licence → licence, Club → club, Catégorie → catégorie",
    }[spoken] in shown


def test_columns_not_read_are_told(shown, spoken):
    told = "N° de billet, Nom payeur, Prénom payeur, Email payeur, Tarif"
    assert f"{ {'en': 'Columns not read:', 'fr': 'Colonnes non lues :'}[spoken] } {told}" in shown


def test_rows_above_the_heading_are_told(shown, spoken):
    assert {
        "en": "Rows not read: 1 “Tournoi du jeudi”, 2 “Export du 28 novembre",
        "fr": "Lignes non lues : 1 « Tournoi du jeudi », 2 « Export du 28 novembre",
    }[spoken] in shown


def test_other_sheets_are_told_with_their_rows_and_hidden_ones_too(shown, spoken):
    assert {
        "en": "Sheets not read: Note (3 rows), 2025 (2 rows, hidden)",
        "fr": "Feuilles du classeur non lues : Note (3 lignes), 2025 (2 lignes, masquée)",
    }[spoken] in shown
    assert "Ancien" not in shown


@pytest.mark.parametrize("status", ["Remboursé", "Annulé"])
def test_registration_that_is_gone_is_a_question(shown, spoken, status):
    assert {
        "en": f"The registration says “{status}”: leave it out?",
        "fr": f"L’inscription indique « {status} » : la laisser de côté ?",
    }[spoken] in shown


def test_likely_answer_leaves_out_the_registration_that_is_gone(answers, spoken):
    form = answers[spoken].context["form"]
    chosen = {each.row.line.last_name: each.checked for each in form.questions if each.row.line}
    assert (chosen["Bellec"], chosen["Corre"], chosen["Le Goff"]) == ("out", "out", "")


def test_licence_that_a_spreadsheet_has_rounded_is_a_question(shown, spoken):
    assert {
        "en": "“1,23457E+11” is not a licence number: the player is taken without it.",
        "fr": "« 1,23457E+11 » n’est pas un numéro de licence : le joueur est pris sans licence.",
    }[spoken] in shown


def test_nobody_is_the_payer_and_nothing_is_saved(answers, spoken):
    form = answers[spoken].context["form"]
    people = [(each.row.line.last_name, each.row.line.first_name) for each in form.questions]
    assert sorted(people) == [("Bellec", "Yann"), ("Corre", "Ana"), ("Le Goff", "Anaïs"), ("Perrot", "Luc")]
    assert not Player.objects.exists()
