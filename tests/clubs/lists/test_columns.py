"""The recognition of the columns of a list, in headings as exports write them."""

import pytest

from clubs.lists import PEOPLE, ColumnKind, count_columns, preference_of, recognise
from clubs.roster import NameOrder
from tests.clubs.lists.headings import HEADINGS
from wording.table import find_delimiter

MUST_AGREE = ("last", "first", "name", "licence")


def read_heading(text, wanted=PEOPLE):
    """Return the headings that are read, by kind, the best of each, or None if the text is no heading."""
    row = text.split(find_delimiter(text) or "\n")
    best = sorted(recognise(row, wanted), key=preference_of)
    read = {str(each.kind): each.heading for each in reversed(best) if each.kind}
    return read if count_columns(row) else None


@pytest.mark.parametrize(("text", "wanted"), HEADINGS)
def test_heading_of_a_real_export_names_the_people(text, wanted):
    read = read_heading(text)
    assert read is not None
    assert {kind: read.get(kind) for kind in {*MUST_AGREE, *wanted}} == {
        kind: wanted.get(kind) for kind in {*MUST_AGREE, *wanted}
    }


@pytest.mark.parametrize(
    ("text", "read"),
    [
        # The person who plays comes before the person who pays, wherever the column stands.
        (
            "Nom payeur;Prénom payeur;Nom participant;Prénom participant",
            {"last": "Nom participant", "first": "Prénom participant"},
        ),
        ("Prénom acheteur;Nom;Prénom;Licence acheteur", {"last": "Nom", "first": "Prénom"}),
        ("Participant;Nom du payeur;Prénom du payeur", {"name": "Participant"}),
        ("Nom payeur;Prénom payeur", {"last": "Nom payeur", "first": "Prénom payeur"}),
        # Another thing than a person has a name too.
        ("Nom du cheval;Nom;Prénom", {"last": "Nom", "first": "Prénom"}),
        ("Nom de l’entreprise;Prénom;Nom", {"last": "Nom", "first": "Prénom"}),
        ("Nom du club;Joueur", {"origin": "Nom du club", "name": "Joueur"}),
        # A licence is a number of a person, and not its day, its kind or its price.
        ("Nom;Licence jusqu’au", {"last": "Nom"}),
        ("Nom;Type de licence;Prix licence;N° licence", {"last": "Nom", "licence": "N° licence"}),
        ("Nom;N° d’adhérent", {"last": "Nom", "licence": "N° d’adhérent"}),
        ("Nom;N° d’adhérent;Licence", {"last": "Nom", "licence": "Licence"}),
        ("Nom;Avez-vous une licence ?;Numéro de licence FFT", {"last": "Nom", "licence": "Numéro de licence FFT"}),
        ("Surname,Given name,Membership No", {"last": "Surname", "first": "Given name", "licence": "Membership No"}),
        ("Adhérent n°;Nom;N° joueur", {"last": "Nom", "licence": "Adhérent n°"}),
        # Of two people in one heading the first counts.
        ("Nom;Nom du responsable de l’adhérent", {"last": "Nom"}),
        ("Nom;Prénom;Nom de la personne à prévenir", {"last": "Nom", "first": "Prénom"}),
        ("Nom adhérent (ou payeur);Prénom;Nom", {"last": "Nom adhérent (ou payeur)", "first": "Prénom"}),
        # A column of ticks names nobody beside a name.
        ("Nom Prénom;Licencié;Club", {"name": "Nom Prénom", "origin": "Club"}),
        ("Nom;Membre", {"last": "Nom"}),
        ("Adhérent;Joueur;Licence", {"name": "Joueur", "licence": "Licence"}),
        ("Licencié;Club", {"name": "Licencié", "origin": "Club"}),
        # A question about a licence is no number, and a number with a question is one.
        ("Nom;As-tu une licence ?", {"last": "Nom"}),
        ("Nom;Avez-vous une licence (O/N)", {"last": "Nom"}),
        (
            "Nom;Numéro de licence (si vous en avez une)",
            {"last": "Nom", "licence": "Numéro de licence (si vous en avez une)"},
        ),
        (
            "Family name,Given names,Federation ID",
            {"last": "Family name", "first": "Given names", "licence": "Federation ID"},
        ),
        ("N° Adh.;Nom", {"last": "Nom", "licence": "N° Adh."}),
        ("N° de carte FFT;Nom", {"last": "Nom", "licence": "N° de carte FFT"}),
        ("Matricule FFT;Nom", {"last": "Nom", "licence": "Matricule FFT"}),
        # French: “Nombre” is a number. Spanish: it is a first name.
        ("Nom;Nombre", {"last": "Nom"}),
        ("Nombre y apellidos;Club", {"name": "Nombre y apellidos", "origin": "Club"}),
        # The words for both genders.
        ("Licencié(e);N° d’adhérent·e", {"name": "Licencié(e)", "licence": "N° d’adhérent·e"}),
        ("Joueur·euse;Club", {"name": "Joueur·euse", "origin": "Club"}),
        # “État civil” is no status.
        ("Nom;Prénom(s) d’état civil", {"last": "Nom", "first": "Prénom(s) d’état civil"}),
        ("Nom;Licence 2025;Licence 2026", {"last": "Nom", "licence": "Licence 2026"}),
        # Other ways to write a heading.
        ("NomParticipant;PrenomParticipant", {"last": "NomParticipant", "first": "PrenomParticipant"}),
        (
            "nom_famille;prenom_usuel;no_licence",
            {"last": "nom_famille", "first": "prenom_usuel", "licence": "no_licence"},
        ),
        ("Horodateur;Joueur;Adresse e-mail", {"name": "Joueur"}),
        (
            "Horodateur;Quel est votre nom ?;Votre prénom;Votre club",
            {"last": "Quel est votre nom ?", "first": "Votre prénom", "origin": "Votre club"},
        ),
        (
            "Nom et prénom\tSérie\tClassement dames",
            {"name": "Nom et prénom", "series": "Série", "ladies": "Classement dames"},
        ),
        ("Nom;Prénom 1;Prénom 2", {"last": "Nom", "first": "Prénom 1"}),
        ("Nom;Prénom;2024;2025", {"last": "Nom", "first": "Prénom"}),
        # Not a heading.
        ("DUPONT;Marie;123456", None),
        ("Player, Gary", None),
        ("Bonjour, voici les joueurs", None),
        ("Merci de m’envoyer la liste des joueurs, avant samedi", None),
        ("Nom : Dupont ; Prénom : Marie", None),
        ("Club de tarot, le 12 mars", None),
        ("444444", None),
        ("de la", None),
        ("Nom1", None),
    ],
)
def test_words_of_a_heading_say_what_a_column_holds(text, read):
    assert read_heading(text) == read


@pytest.mark.parametrize(
    ("heading", "order"),
    [
        ("Nom Prénom", NameOrder.FAMILY_FIRST),
        ("NomPrenom", NameOrder.FAMILY_FIRST),
        ("Prénom et nom", NameOrder.FIRST_NAME_FIRST),
        ("First name / last name", NameOrder.FIRST_NAME_FIRST),
        ("Surname, given name", NameOrder.FAMILY_FIRST),
        ("Joueur", NameOrder.SEEN),
        ("Nom complet", NameOrder.SEEN),
    ],
)
def test_heading_of_a_whole_name_says_its_order(heading, order):
    (column,) = recognise([heading])
    assert (column.kind, column.order) == (ColumnKind.NAME, order)


@pytest.mark.parametrize(
    ("text", "seats"),
    [
        ("Joueur 1;Joueur 2;Joueur 3", [1, 2, 3]),
        ("Nom;Prénom;Nom 2;Prénom 2;Club", [1, 1, 2, 2, 0]),
        ("Nom 1;Licence 1;Nom 2;Licence 2", [1, 1, 2, 2]),
        ("Nom 1;Prénom 1", [0, 0]),
        ("Nom;Prénom;Nom du contact 1", [0, 0, 0]),
        ("Joueur;Partenaire", [1, 2]),
        ("Nom;Prénom;Nom partenaire;Prénom partenaire", [1, 1, 2, 2]),
    ],
)
def test_numbers_in_headings_are_the_people_of_a_row(text, seats):
    assert [each.seat for each in recognise(text.split(";"))] == seats


def test_classement_is_a_series_unless_the_page_wants_ranks():
    heading = ["Nom", "Classement"]
    assert recognise(heading)[1].kind == ColumnKind.SERIES
    assert recognise(heading, frozenset({*PEOPLE, ColumnKind.RANK}))[1].kind == ColumnKind.RANK


@pytest.mark.parametrize(
    ("heading", "kinds"),
    [
        ("Nom;Prénom;Nombre de points", [ColumnKind.LAST, ColumnKind.FIRST, ColumnKind.POINTS]),
        ("Joueur;Nombre points;Nombre de donnes", [ColumnKind.NAME, ColumnKind.POINTS, None]),
    ],
)
def test_number_of_points_is_read_if_points_are_wanted(heading, kinds):
    wanted = frozenset({*PEOPLE, ColumnKind.POINTS})
    assert [each.kind for each in recognise(heading.split(";"), wanted)] == kinds
