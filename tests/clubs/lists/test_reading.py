"""The lists that clubs paste or upload, as ticket offices, federations and spreadsheets write them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clubs.lists import read_pasted, recognise
from clubs.matching import OUT, KnownPlayer, LineState, read_list
from clubs.roster import Doubt, NameOrder, RosterError
from wording.table import write_cells

HELLO_ASSO = [
    ["Numéro de billet", "Statut de la commande", "Nom participant", "Prénom participant", "Nom payeur",
     "Prénom payeur", "Email payeur", "Tarif", "Montant tarif", "Licence"],
    ["1001", "Validé", "Le Goff", "Anaïs", "Martin", "Paul", "p@example.org", "Adhérent", "12", "0012345"],
    ["1002", "Validé", "Bellec", "Yann", "Martin", "Paul", "p@example.org", "Adhérent", "12", "0012346"],
]  # fmt: skip


def people(text, order=NameOrder.SEEN):
    """Return the family name, first name and licence of each row of a list."""
    return [
        (row.line.last_name, row.line.first_name, row.line.licence) if row.line else None
        for row in read_list(text, [], order)
    ]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        pytest.param(
            write_cells(HELLO_ASSO), [("Le Goff", "Anaïs", "0012345"), ("Bellec", "Yann", "0012346")], id="payer"
        ),
        ("Nom d’usage;Prénom\nLe Goff;Anaïs\nCorre;Ana", [("Le Goff", "Anaïs", ""), ("Corre", "Ana", "")]),
        (
            "Nom\tPrénom(s)\nLe Goff\tAnaïs\nMartin\tAnne\nMartin\tPaul",
            [("Le Goff", "Anaïs", ""), ("Martin", "Anne", ""), ("Martin", "Paul", "")],
        ),
        ("N° de licence FFT;Nom;Prénom\n0012345;Le Goff;Anaïs", [("Le Goff", "Anaïs", "0012345")]),
        ("sep=;\r\nNom;Prénom;Licence\r\nLe Goff;Anaïs;0012345\r\n", [("Le Goff", "Anaïs", "0012345")]),
        ("sep=|\nNom|Prénom\nLe Goff|Anaïs", [("Le Goff", "Anaïs", "")]),
        (
            'Nom;Prénom;Remarque\r\nBellec;Yann;"arrive à 20 h 45\nvient avec sa fille"\r\nCorre;Ana;\r\n',
            [("Bellec", "Yann", ""), ("Corre", "Ana", "")],
        ),
        (
            "Licence;Nom;Prénom;Catégorie;Série;Licence jusqu’au\r\n'0012346;Corre;Ana;;2e série;\r\n",
            [("Corre", "Ana", "0012346")],
        ),
        (
            "Nom Prénom;Licence\nMartin Claire;0012348\nde La Tour Jean-Marc;0012347",
            [("Martin", "Claire", "0012348"), ("de La Tour", "Jean-Marc", "0012347")],
        ),
        ("Prénom Nom,Club\nMartin Claire,Lyon", [("Claire", "Martin", "")]),
        (
            "Nom de naissance;Nom d’usage;Prénom\nPetit;Grand;Marie\nPetit;;Luc",
            [("Grand", "Marie", ""), ("Petit", "Luc", "")],
        ),
        (
            "Équipe;Joueur 1;Joueur 2;Licence 2\nLes As;DUPONT Marie;Luc PETIT;12345\nLes Rois;BRUN Léo;;",
            [("DUPONT", "Marie", ""), ("PETIT", "Luc", "12345"), ("BRUN", "Léo", "")],
        ),
        *(
            (
                f"{one};Licence {a};{two};Licence {b}\nDUPONT Marie;12;Luc PETIT;13",
                [("DUPONT", "Marie", "12"), ("PETIT", "Luc", "13")],
            )
            for one, a, two, b in (
                ("Licencié(e) 1", 1, "Licencié(e) 2", 2),
                ("1er joueur", 1, "2e joueur", 2),
                ("Joueur A", "A", "Joueur B", "B"),
            )
        ),
        (
            "Nom;Prénom;Licence;Nom 2;Prénom 2;Licence\nDupont;Marie;12;Petit;Luc;13",
            [("Dupont", "Marie", "12"), ("Petit", "Luc", "13")],
        ),
        (
            "Nom J1;Prénom J1;Nom J2;Prénom J2\nDupont;Marie;Petit;Luc",
            [("Dupont", "Marie", ""), ("Petit", "Luc", "")],
        ),
        ("Nom;Prénom;Question : N° de licence\nDupont;Marie;n° 123", [("Dupont", "Marie", "123")]),
        ("ID FFT;Nom;Prénom\n12;Dupont;Marie", [("Dupont", "Marie", "12")]),
        # Two tables side by side, and the heading of a second person in a row of its own.
        (
            "Nom;Prénom;;Nom;Prénom\nDupont;Marie;;Petit;Luc\nBrun;Léo;;;",
            [("Dupont", "Marie", ""), ("Petit", "Luc", ""), ("Brun", "Léo", "")],
        ),
        (
            "Équipe;Joueur;Licence;Joueur;Licence\nLes As;DUPONT Marie;12;Luc PETIT;13",
            [("DUPONT", "Marie", "12"), ("PETIT", "Luc", "13")],
        ),
        ("Nom;Prénom;Courriel;Nom;Prénom\nDupont;Marie;;Petit;Luc", [("Dupont", "Marie", "")]),
        ("Joueur;;Contact;\nNom;Prénom;Nom;Prénom\nDupont;Marie;Petit;Luc", [("Dupont", "Marie", "")]),
        # Few rows below several titles, and a rule as programs draw it.
        (
            "Club\nTournoi\nListe\n28 novembre\nNom\tPrénom\nPetit\tMarie\nBrun\tLéo",
            [("Petit", "Marie", ""), ("Brun", "Léo", "")],
        ),
        ("| Nom | Prénom |\n|---|---|\n| Petit | Marie |", [None, ("Petit", "Marie", "")]),
        # The copy of a mail, each with an address, and the last one without a name.
        (
            'Marie DUPONT <marie@example.org>; "PETIT, Luc" <luc@example.org>, zoe@example.org; Léo BRUN',
            [("DUPONT", "Marie", ""), ("PETIT", "Luc", ""), None, ("BRUN", "Léo", "")],
        ),
        ("DUPONT Marie <m@example.org>, <md@example.org>", [("DUPONT", "Marie", "")]),
        # The licence comes before the name, or after a dash.
        (
            "12345 DUPONT Marie\n12346 - LE GOFF Anaïs\nPETIT Luc - 12347\nROUX Zoé – licence 12348",
            [
                ("DUPONT", "Marie", "12345"),
                ("LE GOFF", "Anaïs", "12346"),
                ("PETIT", "Luc", "12347"),
                ("ROUX", "Zoé", "12348"),
            ],
        ),
        ("4/ GRAND Léo", [("GRAND", "Léo", "")]),
        (
            "Nom;Prénom\n1. Le Goff;Anaïs\n* Petit;Luc\nRoux *;- Zoé",
            [("Le Goff", "Anaïs", ""), ("Petit", "Luc", ""), ("Roux", "Zoé", "")],
        ),
        (
            "NOM de naissance;NOM d’épouse;Prénom\nMartin;Dupont;Marie\nPetit;;Luc",
            [("Dupont", "Marie", ""), ("Petit", "Luc", "")],
        ),
        # Family names of several words, with particles that are not in capitals, or before all others.
        (
            "de LA TOUR Jean-Marc\nLe GOFF Anaïs\nd’ARVOR Éloïse\nMcDONALD Ian\nJean DE LA RUE",
            [
                ("de LA TOUR", "Jean-Marc", ""),
                ("Le GOFF", "Anaïs", ""),
                ("d’ARVOR", "Éloïse", ""),
                ("McDONALD", "Ian", ""),
                ("DE LA RUE", "Jean", ""),
            ],
        ),
        (
            "Nom et prénom;Licence\nEl Haddad Karim;12\nBen Salah Ali;13\nMac Donald Ian;14\nBen Marie;15",
            [
                ("El Haddad", "Karim", "12"),
                ("Ben Salah", "Ali", "13"),
                ("Mac Donald", "Ian", "14"),
                ("Ben", "Marie", "15"),
            ],
        ),
        ("Nom;Licence\nLE GOFF;12\nDE LA TOUR JEAN;13", [("LE GOFF", "", "12"), ("DE LA TOUR", "JEAN", "13")]),
        # Initials in capitals are a first name.
        (
            "J.P. Martin\nJ-P DURAND\nPETIT J.-P.",
            [("Martin", "J.P.", ""), ("DURAND", "J-P", ""), ("PETIT", "J.-P", "")],
        ),
        # Signs before a name: numbers as pictures, arrows, and the letter that a mail makes of a bullet.
        (
            "1️⃣ Marie Dupont\n🔟 Luc Petit\n→ Jean Grand\no Zoé Roux",
            [("Dupont", "Marie", ""), ("Petit", "Luc", ""), ("Grand", "Jean", ""), ("Roux", "Zoé", "")],
        ),
        ("Nom;Prénom\nPetit 🃏;Luc", [("Petit", "Luc", "")]),
        # Several people on a line or in a cell, each with a full name.
        (
            "Marie Dupont - Luc Petit - Jean Grand",
            [("Dupont", "Marie", ""), ("Petit", "Luc", ""), ("Grand", "Jean", "")],
        ),
        ("DUPONT Marie / PETIT Luc", [("DUPONT", "Marie", ""), ("PETIT", "Luc", "")]),
        ("Présents : Marie Dupont, Luc Petit", [("Dupont", "Marie", ""), ("Petit", "Luc", "")]),
        (
            "Participants;Licence\nZoé Roux;11\nMarie Dupont, Luc Petit;12",
            [("Roux", "Zoé", "11"), ("Dupont", "Marie", ""), ("Petit", "Luc", "12")],
        ),
        ("Nom;Prénom\nDupont;Jean et Marie", [("Dupont", "Jean", ""), ("Dupont", "Marie", "")]),
        ("Nom;Prénom;Licence\nDupont;Jean / Marie;12", [("Dupont", "Jean", ""), ("Dupont", "Marie", "12")]),
        # Headings in other languages, and with an error of typing.
        ("Nachname;Vorname;Lizenznummer;Verein\nMüller;Jürgen;12;Berlin", [("Müller", "Jürgen", "12")]),
        ("Apellidos;Nombre;Nº de licencia\nGarcía López;María;12", [("García López", "María", "12")]),
        ("Cognome;Nome;N. tessera\nRossi;Mario;12", [("Rossi", "Mario", "12")]),
        ("Nom;Nombre\nDUPONT Marie;2", [("DUPONT", "Marie", "")]),
        ("Nom;Pénom;Licance\nDupont;Marie;12", [("Dupont", "Marie", "12")]),
        # A heading alone on its line says the order of the lines.
        ("Nom Prénom\nMartin Claire\nDurand Zoé 123456", [("Martin", "Claire", ""), ("Durand", "Zoé", "123456")]),
        # Without a heading nothing is a table.
        (
            "DUPONT Marie\nMarie Petit\nDurand ; Léo ; 123456\n1. Jean Grand",
            [("DUPONT", "Marie", ""), ("Petit", "Marie", ""), ("Durand", "Léo", "123456"), ("Grand", "Jean", "")],
        ),
    ],
)
def test_list_names_its_people(text, read):
    assert people(text) == read


def test_list_of_a_wide_sheet_names_its_people():
    wide = [[f"Champ {number}" for number in range(90)], ["x"] * 90]
    rows = [[*front, *row] for front, row in zip(wide, [["Nom", "Prénom"], ["Le Goff", "Anaïs"]], strict=True)]
    assert people(write_cells(rows)) == [("Le Goff", "Anaïs", "")]


@pytest.mark.parametrize("sign", [";", "\t", ",", "|"])
def test_table_with_too_many_columns_is_refused_with_the_bound(sign):
    rows = [[*front, *[""] * 199] for front in (["Nom", "Prénom"], ["Dupont", "Marie"])]
    text = "\n".join(sign.join(row) for row in rows)
    with pytest.raises(RosterError) as refused:
        read_pasted(text)
    assert (refused.value.code, refused.value.params) == ("roster_columns", {"most": 200, "found": 201})
    assert people(text.replace(sign * 199, sign * 198)) == [("Dupont", "Marie", "")]


def test_order_that_is_chosen_comes_before_that_of_the_heading():
    assert people("Nom Prénom;Club\nMartin Claire;", NameOrder.FIRST_NAME_FIRST) == [("Claire", "Martin", "")]


@pytest.mark.parametrize(
    ("cell", "licence", "doubt"),
    [
        ("12 345", "12345", None),
        ("12\N{NARROW NO-BREAK SPACE}345", "12345", None),
        ("12/345-B", "12/345-B", None),
        ("1,23457E+11", "", Doubt.NUMBER),
        ("1.2E+11", "", Doubt.NUMBER),
        ("en cours", "", Doubt.NUMBER),
        ("Dupont", "", Doubt.NUMBER),
        ("06 12 34 56 78", "", Doubt.NUMBER),
        ("0612345678", "0612345678", None),
        ("non", "", None),
        ("-", "", None),
        ("", "", None),
    ],
)
def test_cell_of_the_column_licence_is_a_licence_or_a_question(cell, licence, doubt):
    (row,) = read_list(f"Nom;Prénom;Licence\nCorre;Ana;{cell}", [])
    assert (row.line.last_name, row.line.first_name, row.line.licence, row.doubt) == ("Corre", "Ana", licence, doubt)
    assert row.note == (cell if doubt else "")


@pytest.mark.parametrize(
    ("heading", "cell", "asked"),
    [
        ("Statut de la commande", "Annulé", True),
        ("Statut", "Remboursée", True),
        ("État", "Refusé par la banque", True),
        ("Status", "refunded", True),
        ("Attendee Status", "Not Attending", True),
        ("Attendee Status", "Attending", False),
        ("Annulé", "oui", True),
        ("Annulé", "non", False),
        ("Statut", "Validé", False),
        ("Statut", "non annulé", False),
        ("Statut", "Désinscrit", True),
        ("Statut", "Absente", True),
        ("Serez-vous présent ?", "Non", True),
        ("Serez-vous présent ?", "Oui", False),
        ("Attending", "no", True),
        ("Présent (O/N)", "N", True),
        ("Présent (O/N)", "O", False),
        ("Absent", "x", True),
        ("Absent", "", False),
        ("Paiement", "Remboursé", True),
        ("Moyen de paiement", "Remboursement par carte", False),
        ("Statut", "Expirée", True),
        ("Présence", "0", True),
        ("Participation", "0", False),  # a price
    ],
)
def test_cancelled_registration_is_a_question(heading, cell, asked):
    (row,) = read_list(f"{heading};Nom;Prénom\n{cell};Dupont;Marie", [KnownPlayer(1, "Dupont", "Marie")])
    assert (row.doubt == Doubt.GONE, row.likely == OUT) == (asked, asked)


@pytest.mark.parametrize(
    "cell",
    [
        "Nom : Dupont",
        "1re série",
        "Page 1/2",
        "Tournoi du 3 mai",
        "Total",
        "Sous-total",
        "Nombre d’inscrits",
        "Merci à tous",
        "Invités",
        "Les adhérents",
    ],
)
def test_sum_below_a_table_is_a_question(cell):
    rows = read_list(f"Nom;Prénom;Montant\nPetit;Marie;12\nTotal;Jean;12\n{cell};;24", [])
    assert [(row.doubt, row.likely) for row in rows] == [(None, ""), (None, ""), (Doubt.STRAY, OUT)]


@pytest.mark.parametrize("row", [";Total;2 joueurs;24", ";Moyenne;;12"])
def test_row_beside_the_names_is_a_question(row):
    rows = read_list(f"Licence;Nom;Prénom;Montant\n12;Petit;Marie;12\n13;Brun;Léo;12\n{row}", [])
    assert [(row.doubt, row.likely) for row in rows] == [(None, ""), (None, ""), (Doubt.STRAY, OUT)]


def test_row_without_a_name_is_ignored_and_told():
    rows = read_list("Licence;Nom;Prénom;Montant\n12;Petit;Marie;12\nListe arrêtée au 3 mai", [])
    assert [row.state for row in rows] == [LineState.NEW, LineState.NO_NAME]


def test_heading_that_is_repeated_is_told_and_no_row():
    pasted = read_pasted("Nom;Prénom\nPetit;Marie\nNom;Prénom\nBrun;Léo")
    assert [row.number for row in pasted.rows] == [2, 4]
    assert [(row.number, row.text) for row in pasted.above] == [(3, "Nom ; Prénom")]


@pytest.mark.parametrize(
    ("line", "note"),
    [
        ("DUPONT Marie - 12345 - Lyon", "Lyon"),
        ("Marie Dupont – n° 12345 – Lyon", "Lyon"),
        ("DUPONT Marie | Licence 12345 | TC Lyon", "TC Lyon"),
        ("Dupont; Marie; 12345; 69003; Lyon", "69003, Lyon"),
        ("12345;Dupont;Marie;12-03-1985", ""),
        ("Dupont;Marie;01/02/1985;12345", ""),
        ("Dupont;Marie;1985;0012345", "1985"),
        ("DUPONT Marie (12345) - Lyon", "Lyon"),
        ("DUPONT Marie 0012345 Lyon", "Lyon"),
        ("Dupont - Marie - 12345", ""),
        ("3 - DUPONT Marie - 12345", ""),
    ],
)
def test_what_stands_after_the_licence_of_a_line_is_no_name(line, note):
    (row,) = read_list(line, [])
    assert {row.line.last_name.upper(), row.line.first_name.upper()} == {"DUPONT", "MARIE"}
    assert (row.line.licence.lstrip("0"), row.note, row.doubt) == ("12345", note, None)


def test_frequent_first_names_show_the_order_of_the_whole_list():
    names = [("Le Goff", "Anaïs", ""), ("Martin", "Claire", ""), ("Petit", "Jean-Marc", "")]
    assert people("\n".join(f"{last} {first}" for last, first, _licence in names)) == names
    assert people("\n".join(f"{first} {last}" for last, first, _licence in names)) == names


def test_licences_part_the_people_of_a_line():
    two = [("DUPONT", "Marie", "12345"), ("PETIT", "Jean", "12346")]
    assert people("DUPONT Marie 12345, PETIT Jean 12346") == two
    assert people("DUPONT Marie 12345, PETIT Jean 12346, BRUN Léo") == [*two, ("BRUN", "Léo", "")]


def test_known_player_without_a_first_name_is_no_sum():
    (row,) = read_list("Nom;Prénom;Licence\nTotal;;12", [KnownPlayer(1, "Total", "")])
    assert (row.suggested, row.doubt) == (1, None)


def test_list_says_which_columns_and_rows_it_does_not_read():
    pasted = read_pasted("Tournoi du jeudi;;\nNom;Prénom;Courriel\nDupont;Marie;m@example.org\nTotal : 1;;")
    assert [(each.heading, each.kind) for each in pasted.columns] == [
        ("Nom", "last"),
        ("Prénom", "first"),
        ("Courriel", None),
    ]
    assert [(row.number, row.text) for row in pasted.above] == [(1, "Tournoi du jeudi")]
    assert [(row.number, row.cells is not None) for row in pasted.rows] == [(3, True), (4, False)]


def test_rows_keep_the_numbers_of_the_spreadsheet():
    text = 'sep=;\nNom;Prénom;Note\nUn;A;"deux\nlignes"\n;;\nDeux;B;'
    assert [row.number for row in read_list(text, [])] == [3, 5]


NAMES = st.text("AaÉé' -", min_size=1, max_size=12).filter(lambda name: any(map(str.isalpha, name)))
CELLS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), max_size=12)


def check_cells_stay(rows):
    """Check that no cell of a licence, a status or an unread column is in a name."""
    heading = ["Licence", "Nom", "Statut", "Prénom", "Courriel", "Remarque"]
    table = [
        [f"Z0Q{licence}", last, f"Z1Q{status}", first, f"Z2Q{mail}", f"Z3Q{note}"]
        for licence, last, status, first, mail, note in rows
    ]
    for row in read_list(write_cells([heading, *table]), []):
        if row.line:
            assert "Q" not in row.line.last_name + row.line.first_name


ROWS = st.lists(st.tuples(CELLS, NAMES, CELLS, NAMES, CELLS, CELLS), min_size=1, max_size=4)


@settings(max_examples=25)
@given(ROWS)
def test_named_cell_is_never_in_a_name(rows):
    check_cells_stay(rows)


@pytest.mark.nightly("statistics")
@settings(max_examples=3000, deadline=None)
@given(ROWS)
def test_named_cell_is_never_in_a_name_in_three_thousand_tables(rows):
    check_cells_stay(rows)


def test_columns_without_a_heading_are_not_read():
    assert [each.kind for each in recognise(["Nom", "", "Prénom"])] == ["last", None, "first"]
