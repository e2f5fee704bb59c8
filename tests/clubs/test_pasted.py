"""The lists that clubs paste: the question about each line, and the answer that is proposed."""

from collections import Counter

import pytest

from clubs.answers import RowQuestion, require_settled, take_settled
from clubs.matching import NEW, OUT, SAME, WHOLE, KnownPlayer, LineState, read_list
from clubs.models import Player
from clubs.roster import Doubt, RosterError, RosterLine
from clubs.roster.lines import CATEGORIES, find_series

CLUB = [
    KnownPlayer(1, "Dupont", "Marie", "123456"),
    KnownPlayer(2, "Le Goff", "Jean-Pierre"),
    KnownPlayer(3, "Étienne", "Zoé"),
    KnownPlayer(4, "Martin", "Paul"),
    KnownPlayer(5, "Martin", "Paule"),
]


def told(text, known=CLUB):
    """Return for each row how it is read, why it is asked about, and the proposed answer."""
    return [
        (" ".join(filter(None, (row.line.last_name, row.line.first_name, row.line.licence))) if row.line else "",
         row.doubt or row.state, row.likely)
        for row in read_list(text, known)
    ]  # fmt: skip


def take(text, known=CLUB, **answers):
    """Return the players taken if all proposed answers are given, except for the rows named (`row_2="new"`)."""
    rows = read_list(text, known)
    given = {f"row_{place}": row.likely or OUT for place, row in enumerate(rows, 1)} | answers
    questions = [
        RowQuestion(row, given[f"row_{place}"] if row.state not in (LineState.SURE, LineState.NEW) else "")
        for place, row in enumerate(rows, 1)
    ]
    return [
        (each.player, each.line.last_name, each.line.first_name, each.line.licence)
        for each in take_settled([
            RowQuestion(each.row, OUT) if each.passed_over else each for each in questions
        ]).values()
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # The same person twice, once with a licence.
        (
            "Luc Garnier\nLuc Garnier 55555",
            [("Garnier Luc", LineState.NEW, ""), ("Garnier Luc 55555", Doubt.SAME, SAME)],
        ),
        (
            "GARNIER Luc; 55555\nLuc Garnier",
            [("GARNIER Luc 55555", LineState.NEW, ""), ("Garnier Luc", Doubt.SAME, SAME)],
        ),
        (
            "Zoé Étienne\nÉTIENNE Zoé 77777",
            [("Étienne Zoé", LineState.SURE, "3"), ("ÉTIENNE Zoé 77777", Doubt.SAME, SAME)],
        ),
        (
            "Luc Garnier 11111\nLuc Garnier 22222",
            [("Garnier Luc 11111", LineState.NEW, ""), ("Garnier Luc 22222", LineState.NEW, "")],
        ),
        (
            "Luc Garnier\nLuc Garnier 11111\nLuc Garnier 22222",
            [
                ("Garnier Luc", LineState.NEW, ""),
                ("Garnier Luc 11111", Doubt.SAME, SAME),
                ("Garnier Luc 22222", LineState.NEW, ""),
            ],
        ),
        # The same two words in both orders.
        ("Jean Robert\nRobert Jean", [("Robert Jean", LineState.NEW, ""), ("Jean Robert", Doubt.SAME, SAME)]),
        ("Paul Martin\nMartin Paul", [("Martin Paul", LineState.SURE, "4"), ("Paul Martin", Doubt.SAME, SAME)]),
        ("JEAN Robert\nROBERT Jean", [("JEAN Robert", LineState.NEW, ""), ("ROBERT Jean", Doubt.SAME, NEW)]),
        ("Luc Garnier\nGarnier Luc", [("Garnier Luc", LineState.NEW, ""), ("Luc Garnier", LineState.TWICE, "")]),
        ("Robert, Jean\nJean Robert", [("Robert Jean", LineState.NEW, ""), ("Robert Jean", LineState.TWICE, "")]),
        # A couple in one line.
        ("Jean et Marie DUPONT", [("DUPONT Jean", Doubt.COUPLE, NEW), ("DUPONT Marie", Doubt.COUPLE, "1")]),
        ("Luc + Anne Garnier", [("Garnier Luc", Doubt.COUPLE, NEW), ("Garnier Anne", Doubt.COUPLE, NEW)]),
        ("Luc & Anne Garnier", [("Garnier Luc", Doubt.COUPLE, NEW), ("Garnier Anne", Doubt.COUPLE, NEW)]),
        ("Luc + sa femme Anne Garnier", [("Garnier Luc", Doubt.COUPLE, NEW), ("Garnier Anne", Doubt.COUPLE, NEW)]),
        ("GARNIER Luc et Anne", [("GARNIER Luc", Doubt.COUPLE, NEW), ("GARNIER Anne", Doubt.COUPLE, NEW)]),
        ("Garnier; Luc et Anne", [("Garnier Luc", Doubt.COUPLE, NEW), ("Garnier Anne", Doubt.COUPLE, NEW)]),
        ("Luc Garnier et Anne Leroy", [("Garnier Luc", Doubt.COUPLE, NEW), ("Leroy Anne", Doubt.COUPLE, NEW)]),
        ("Luc Garnier + sa femme", [("Garnier Luc", Doubt.COUPLE, NEW), ("Garnier Mme", Doubt.COUPLE, NEW)]),
        ("Paul Martin + sa femme", [("Martin Paul", Doubt.COUPLE, "4"), ("Martin Mme", Doubt.COUPLE, "5")]),
        ("M. et Mme Garnier", [("Garnier M.", Doubt.COUPLE, NEW), ("Garnier Mme", Doubt.COUPLE, NEW)]),
        (
            "Paul Martin avec sa femme Anne",
            [("Martin Paul", Doubt.COUPLE, "4"), ("Martin Anne", Doubt.COUPLE, NEW)],
        ),
        # Remarks beside a name.
        ("Marie Dupont tél 06 12 34 56 78", [("Dupont Marie", Doubt.NOTE, "1")]),
        ("Luc Garnier tél", [("Garnier Luc", Doubt.NOTE, NEW)]),
        ("Luc Garnier - Tél. : 06.12.34.56.78", [("Garnier Luc", Doubt.NOTE, NEW)]),
        ("Luc Garnier 4e série", [("Garnier Luc", Doubt.NOTE, NEW)]),
        ("GARNIER Luc 2ème Série 55555", [("GARNIER Luc 55555", Doubt.NOTE, NEW)]),
        ("Garnier; Luc; 55555; 1re série", [("Garnier Luc 55555", Doubt.NOTE, NEW)]),
        ("Luc Garnier directeur", [("Garnier Luc", Doubt.NOTE, NEW)]),
        ("Luc Garnier - directeur", [("Garnier Luc", Doubt.NOTE, NEW)]),
        ("Luc Garnier *", [("Garnier Luc", Doubt.NOTE, NEW)]),
        ("Marie Dupont*", [("Dupont Marie", Doubt.NOTE, "1")]),
        ("Luc Garnier 20h15", [("Garnier Luc", Doubt.NOTE, NEW)]),
        ("Luc Garnier +1", [("Garnier Luc", Doubt.NOTE, NEW)]),
        # A name that looks like a remark.
        ("Marie Le Tel", [("Le Tel Marie", LineState.NEW, "")]),
        ("Jean Nouveau", [("Nouveau Jean", LineState.NEW, "")]),
        ("* Luc Garnier", [("Garnier Luc", LineState.NEW, "")]),
        ("Luc Garnier (directeur)", [("Garnier Luc", LineState.NEW, "")]),
        # A licence alone.
        ("123456", [("Dupont Marie 123456", LineState.SURE, "1")]),
        ("Licence n° 123456", [("Dupont Marie 123456", LineState.SURE, "1")]),
        ("987654", [("", LineState.NO_NAME, "")]),
        # Lines without capitals follow the order of the others, unless a first name shows another order.
        ("DURAND Luc\nTom Garnier", [("DURAND Luc", LineState.NEW, ""), ("Garnier Tom", LineState.NEW, "")]),
        ("DURAND Luc\nBernard Paul", [("DURAND Luc", LineState.NEW, ""), ("Bernard Paul", LineState.NEW, "")]),
        (
            "DURAND Luc\nPETIT Anne\nGarnier Tom",
            [("DURAND Luc", LineState.NEW, ""), ("PETIT Anne", LineState.NEW, ""), ("Garnier Tom", LineState.NEW, "")],
        ),
        (
            "Luc DURAND\nAnne PETIT\nTom Garnier",
            [("DURAND Luc", LineState.NEW, ""), ("PETIT Anne", LineState.NEW, ""), ("Garnier Tom", LineState.NEW, "")],
        ),
    ],
)  # fmt: skip
def test_line_is_asked_about_with_the_likely_answer(text, expected):
    assert told(text) == expected


@pytest.mark.parametrize(
    "line",
    [
        "Bonjour à tous,", "Bonsoir", "Chers amis,", "Salut Marie,", "Voici la liste de vendredi", "Cordialement,",
        "Bien à vous", "Merci d’avance", "Bonne soirée", "Amitiés tarotiques", "À vendredi !", "Envoyé de mon iPhone",
        "Je viens avec plaisir", "Nous serons deux", "Président du club", "La directrice", "Club de tarot de Lyon",
        "Tél : 06 12 34 56 78", "Portable 06 12 34 56 78", "Objet : inscriptions", "De : Anne Leroy <anne@exemple.fr>",
        "Nom Prénom", "NOM PRÉNOM LICENCE", "Site web : www.exemple.fr", "Kind regards", "Dear all",
    ],
)  # fmt: skip
def test_line_of_a_letter_is_proposed_to_be_left_out(line):
    (row,) = read_list(line, CLUB)
    assert (row.state, row.doubt, row.likely) == (LineState.DOUBTFUL, Doubt.STRAY, OUT)
    assert take(line) == []
    if row.may_be_new:  # one tap, if it is a player all the same
        assert len(take(line, row_1=NEW)) == 1


@pytest.mark.parametrize(
    "line",
    ["https://exemple.fr/liste", "www.exemple.fr", "anne@exemple.fr", "06 12 34 56 78", "+33 6 12 34 56 78", "--"],
)
def test_address_or_number_alone_names_nobody(line):
    assert told(line) == [("", LineState.NO_NAME, "")]


def test_letter_gives_its_names_and_asks_about_the_rest():
    letter = (
        "Bonjour,\n\nvoici les inscrits :\nLuc Garnier\nDUPONT Marie\n\nBien cordialement,\n\nAnne Leroy\n"
        "Secrétaire du club\nTél. 06 12 34 56 78\nanne@exemple.fr\nwww.exemple.fr\n"
    )
    assert Counter(what for _name, what, _likely in told(letter)) == {
        Doubt.STRAY: 4, LineState.NO_NAME: 3, LineState.NEW: 1, LineState.SURE: 1, Doubt.SIGNATURE: 1,
    }  # fmt: skip
    assert take(letter) == [(None, "Garnier", "Luc", ""), (1, "DUPONT", "Marie", "")]


def test_sender_who_is_known_is_left_out_of_the_list_unless_somebody_says_otherwise():
    letter = "Bonjour\nLuc Garnier\nMerci\nMarie Dupont"
    assert told(letter)[-1] == ("Dupont Marie", Doubt.SIGNATURE, OUT)
    assert take(letter, row_4="1")[-1] == (1, "Dupont", "Marie", "")


def test_sender_of_a_letter_that_names_nobody_else_is_the_player():
    assert told("Bonjour, je viens vendredi.\nCordialement,\nMarie Dupont")[-1] == ("Dupont Marie", LineState.SURE, "1")


def test_sender_who_stands_on_the_list_is_counted_once():
    letter = "Bonjour\nMarie Dupont\nLuc Garnier\nMerci\nLuc Garnier"
    assert told(letter)[-1][1] == LineState.TWICE


def test_known_player_is_sure_whatever_the_words_of_the_name():
    known = [KnownPlayer(1, "Merci", "Jean"), KnownPlayer(2, "Le Tel", "Marie"), KnownPlayer(3, "Directeur", "Luc")]
    assert [what for _name, what, _likely in told("Marie Le Tel\nLuc Directeur\nMerci, Jean", known)] == [
        LineState.SURE
    ] * 3


def test_same_person_gains_the_licence_of_the_other_line():
    assert take("Luc Garnier\nLuc Garnier 55555") == [(None, "Garnier", "Luc", "55555")]
    assert take("Zoé Étienne\nÉTIENNE Zoé 77777") == [(3, "Étienne", "Zoé", "77777")]
    assert take("Luc Garnier\nLuc Garnier 55555", row_2=NEW) == [
        (None, "Garnier", "Luc", ""), (None, "Garnier", "Luc", "55555"),
    ]  # fmt: skip


TWO_OF_ONE_LICENCE = "Garnier;Anne;4123\nGarnier;Luc;4123"


@pytest.mark.parametrize("text", [TWO_OF_ONE_LICENCE, "Roux;Zoé;4123\nGarnier;Luc;4123"])
def test_two_people_of_one_licence_are_asked_about(text):
    one, two = read_list(text, CLUB)
    assert (one.state, two.state, two.doubt, two.likely, two.first) == (
        LineState.NEW, LineState.DOUBTFUL, Doubt.SAME, "", one,
    )  # fmt: skip
    assert [not question.settled for question in (RowQuestion(row, "") for row in (one, two))] == [False, True]


def test_second_of_one_licence_is_another_person_without_it_or_the_same_person():
    assert take(TWO_OF_ONE_LICENCE, row_2=NEW) == [(None, "Garnier", "Anne", "4123"), (None, "Garnier", "Luc", "")]
    assert take(TWO_OF_ONE_LICENCE, row_2=SAME) == [(None, "Garnier", "Anne", "4123")]


def test_licence_of_a_known_player_in_an_earlier_line_is_asked_about():
    """Ask also if only the earlier line tells the licence of a known player."""
    assert told("Étienne;Zoé;4123\nGarnier;Luc;4123")[1] == ("Garnier Luc", Doubt.SAME, "")
    assert told("Étienne;Zoé;4123\nMartin;Paul;4123")[1] == ("Martin Paul 4123", LineState.SURE, "4")
    assert told("Étienne;Zoé;4123\nMartin;Pau;4123")[1] == ("Martin Pau", Doubt.SAME, "")
    assert told("Garnier;Luc;4123\nGarnier;Luc;4123")[1][1] == LineState.TWICE


def test_two_people_of_turned_names_are_two_where_somebody_says_so():
    assert take("Paul Martin\nMartin Paul") == [(4, "Martin", "Paul", "")]
    assert take("Paul Martin\nMartin Paul", row_2=NEW) == [(4, "Martin", "Paul", ""), (None, "Paul", "Martin", "")]


def test_remark_is_part_of_the_name_where_somebody_says_so():
    assert take("Luc Garnier directeur") == [(None, "Garnier", "Luc", "")]
    assert take("Luc Garnier directeur", row_1=WHOLE) == [(None, "Garnier directeur", "Luc", "")]


def test_known_family_is_offered_for_a_partner_without_a_name():
    _paul, partner = read_list("Paul Martin + sa femme", CLUB)
    assert [each.who.first_name for each in partner.candidates] == ["Paule"]


def test_nothing_doubtful_is_taken_without_an_answer():
    with pytest.raises(RosterError) as refused:
        require_settled([RowQuestion(row, "") for row in read_list("Jean et Marie Dupont", CLUB)])
    assert refused.value.code == "roster_unclear"


def test_columns_of_a_file_give_club_and_category():
    text = (
        "Nom;Prénom;Licence;Club;Catégorie;Série\nBlanc;Zoé;444;TC Lyon;Junior;2\nNoir;Al;;Dijon;;\n"
        "Gris;Ida;;;3e série;\nBrun;Tom;;;Sportif;"
    )
    rows = read_list(text, [])
    assert [(row.line.last_name, row.line.licence, row.line.origin, row.line.category, row.note) for row in rows] == [
        ("Blanc", "444", "TC Lyon", "junior", ""),
        ("Noir", "", "Dijon", "", ""),
        ("Gris", "", "", "", ""),
        ("Brun", "", "", "", "Sportif"),
    ]
    assert [row.line.series for row in rows] == ["2", "", "3", ""]
    assert [row.state for row in rows] == [LineState.NEW] * 4


@pytest.mark.parametrize(
    ("text", "series"),
    [
        ("1re série", "1"),
        ("2ème Série", "2"),
        ("Série 3", "3"),
        ("4", "4"),
        ("Promotion", "promotion"),
        ("Deuxième série", "2"),
        ("5", ""),
        ("", ""),
    ],
)
def test_series_of_a_file_is_one_of_those_of_players(text, series):
    assert find_series(text) == series
    assert series in ("", *Player.SeriesClass.values)


@pytest.mark.parametrize("heading", ["Dame", "F", "Sexe", "sex", "Femme"])
@pytest.mark.parametrize(
    ("cell", "ladies", "note"),
    [
        ("F", "ladies", ""),
        ("x", "ladies", ""),
        ("Oui", "ladies", ""),
        ("✓", "ladies", ""),
        ("Mme", "ladies", ""),
        ("Féminin", "ladies", ""),
        ("", "", ""),
        ("non", "", ""),
        ("H", "", ""),
        ("M", "", ""),
        ("Sportive", "", "Sportive"),
    ],
)
def test_column_of_a_file_says_who_is_a_lady(heading, cell, ladies, note):
    (row,) = read_list(f"Nom;Prénom;{heading};Licence\nBlanc;Zoé;{cell};444", [])
    assert (row.line.last_name, row.line.first_name, row.line.licence) == ("Blanc", "Zoé", "444")
    assert (row.line.ladies, row.note, row.state) == (ladies, note, LineState.NEW)
    assert ladies in ("", *Player.Ladies.values)


@pytest.mark.parametrize(
    ("cell", "category", "series"),
    [
        ("SEN", "senior", ""),
        ("Vétéran 2", "veteran", ""),
        ("V2", "veteran", ""),
        ("Jun", "junior", ""),
        ("moins de 12", "youth", ""),
        ("S2", "", "2"),
        ("2", "", "2"),
        ("Se", "", ""),
        ("12", "", ""),
    ],
)
def test_cell_says_category_or_series_in_short(cell, category, series):
    (row,) = read_list(f"DUPONT Marie; catégorie: {cell}", [])
    assert (row.line.first_name, row.line.category, row.line.series) == ("Marie", category, series)


@pytest.mark.parametrize(
    ("line", "licence", "note"),
    [
        ("TC Lyon - DUPONT Marie - 12345", "12345", "TC Lyon"),
        ("12345 - DUPONT Marie – Lyon", "12345", "Lyon"),
        ("DUPONT Marie 69003 Lyon", "", "69003 Lyon"),
        ("3 DUPONT Marie 69003 Lyon", "", "69003 Lyon"),
        ("DUPONT ; Marie ; Lyon ; 12345", "12345", "Lyon"),
        ("12345 DUPONT Marie TC LYON", "12345", "TC LYON"),
        ("12 rue Haute, 69003 Lyon, DUPONT Marie", "", "12 rue Haute, 69003 Lyon"),
        ("12 bis avenue Foch 75016 Paris ; DUPONT ; Marie", "", "12 bis avenue Foch 75016 Paris"),
        ("3. DUPONT Marie 42100 Saint-Étienne", "", "42100 Saint-Étienne"),
    ],
)
def test_place_beside_a_name_is_no_part_of_it(line, licence, note):
    (row,) = read_list(line, [])
    assert (row.line, row.note, row.doubt) == (RosterLine("DUPONT", "Marie", licence), note, None)


@pytest.mark.parametrize(
    ("line", "doubts"),
    [
        ("DUPONT Marie - avec son mari", [Doubt.COUPLE, Doubt.COUPLE]),
        ("DUPONT Marie - présente", [Doubt.NOTE]),
        ("oui DUPONT Marie", [Doubt.NOTE]),
        ("oui", [Doubt.STRAY]),
    ],
)
def test_what_stands_beside_a_name_in_small_letters_is_no_place(line, doubts):
    assert [row.doubt for row in read_list(line, [])] == doubts


@pytest.mark.parametrize("known", [CLUB, []])
def test_cell_beside_a_name_that_may_be_a_person_is_asked_about(known):
    (row,) = read_list("Dupont, Marie, Martin, Jean", known)
    assert (row.line.first_name, row.doubt, row.note) == ("Marie", Doubt.NOTE, "Martin, Jean")


def test_cell_beside_a_known_name_is_told():
    (row,) = read_list("Dupont; Marie; Lyon", CLUB)
    assert (row.state, row.suggested, row.note) == (LineState.SURE, 1, "Lyon")


@pytest.mark.parametrize(
    "line",
    [
        "DUPONT Marie - Saint-Malo",
        "DUPONT Marie - Tarot Club de Saint-Malo",
        "DUPONT Marie - Bourg-la-Reine",
        "DUPONT Marie - Les Bouts de Marie",
        "DUPONT Marie; 12345; MJC Jean Macé",
        "DUPONT; Marie; 12345; Saint-Denis",
        "DUPONT; Marie; Saint-Denis; 12345",
        "DUPONT Marie; 12345; 12 rue Jean Jaurès; 93200 Saint-Denis",
        "DUPONT Marie; 12345; Rue Jean Jaurès; Lyon",
        "1\tDUPONT Marie\t12345\tLyon",
        "DUPONT Marie\t12345\tLyon",
        "Nom et prénom;Licence\nDUPONT Marie - Saint-Malo;12345",
    ],
)
def test_town_or_street_with_a_first_name_is_no_other_person(line):
    (row,) = read_list(line, [])
    assert row.line == RosterLine("DUPONT", "Marie", "12345" if "12345" in line else "")
    assert (row.state, bool(row.note)) == (LineState.NEW, True)


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("3 PLACE Luc; 12345; Lyon", RosterLine("PLACE", "Luc", "12345")),
        ("12 VILLA Anne; anne@example.org", RosterLine("VILLA", "Anne")),
        ("TAROT Jean; 12345", RosterLine("TAROT", "Jean", "12345")),
        ("GARNIER Luc (Excuse Club)", RosterLine("GARNIER", "Luc")),
        ("FORFAIT Guy - TC Lyon", RosterLine("FORFAIT", "Guy")),
        ("Mme; Dupont; Marie; 12345", RosterLine("Dupont", "Marie", "12345")),
        ("M; Van den Berg; Jan", RosterLine("Van den Berg", "Jan")),
    ],
)
def test_family_name_that_is_another_word_too_is_a_name(line, read):
    (row,) = read_list(f"{line}\nJeanne GARNIER", [])[:-1]
    assert (row.line, row.state) == (read, LineState.NEW)


@pytest.mark.parametrize("line", ["TC Lyon - Marie Dupont - 12345", "Marie Dupont - TC Lyon - 12345"])
def test_place_beside_a_name_without_capitals_is_no_part_of_it(line):
    (row,) = read_list(line, [])
    assert (row.line, row.note) == (RosterLine("Dupont", "Marie", "12345"), "TC Lyon")


@pytest.mark.parametrize(
    ("line", "note"),
    [
        ("DUPONT Marie - annulé", "annulé"),
        ("DUPONT Marie ANNULÉ", "ANNULÉ"),
        ("Marie Dupont (désistée)", "désistée"),
        ("❌ Marie Dupont", "❌"),
        ("Absents :\nMarie Dupont", "Absents"),
        ("Excusés :\n- Marie Dupont", "Excusés"),
    ],
)
@pytest.mark.parametrize("known", [CLUB, []])
def test_somebody_who_does_not_come_is_asked_about(line, note, known):
    row = read_list(line, known)[-1]
    assert (row.line.last_name.upper(), row.doubt, row.likely, row.note) == ("DUPONT", Doubt.GONE, OUT, note)


@pytest.mark.parametrize(
    "heading",
    [
        "Suite à l’annulation de Luc, voici la nouvelle liste :",
        "Paul étant absent, voici notre équipe :",
        "Liste définitive après désistements :",
        "Aucun absent :",
        "L’Excuse nantaise :",
        "Absents :\nLuc Petit\nPrésents",
    ],
)
def test_people_below_a_sentence_about_somebody_absent_do_come(heading):
    assert read_list(f"{heading}\nMarie Dupont", [])[-1].doubt is None


def test_people_below_another_heading_are_no_longer_absent():
    rows = read_list("Absents :\nLuc Petit\nPrésents :\nZoé Roux", [])
    assert [row.doubt for row in rows if row.line] == [Doubt.GONE, None]


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("MARTIN née DUPONT Marie", "née DUPONT"),
        ("Marie Martin née Dupont", "née Dupont"),
        ("DUPONT épouse MARTIN Marie", "DUPONT épouse"),
        ("Nom;Prénom\nMARTIN (née DUPONT);Marie", "née DUPONT"),
        ('"Nom","Prénom"\n"Martin, née Dupont","Marie"', "née Dupont"),
    ],
)
def test_name_at_birth_is_a_remark(text, note):
    (row,) = read_list(text, [])
    assert (row.line.last_name.upper(), row.line.first_name, row.doubt) == ("MARTIN", "Marie", Doubt.NOTE)
    assert (row.note, "D" in row.whole.last_name + row.whole.first_name) == (note, True)


def test_place_beside_a_couple_is_told():
    rows = read_list("TC Lyon - Jean et Marie DUPONT", [])
    read = [(row.line.first_name, row.doubt, row.note) for row in rows]
    assert read == [("Jean", Doubt.COUPLE, "TC Lyon"), ("Marie", Doubt.COUPLE, "TC Lyon")]


@pytest.mark.parametrize("line", ["DUPONT Marie - Jeanne", "DUPONT Marie-Jeanne"])
def test_first_name_behind_a_dash_is_no_place(line):
    assert read_list(line, [])[0].note == ""


def test_cell_of_a_pasted_line_says_who_is_a_lady():
    rows = read_list("BLANC Zoé; Dame: oui\nNOIR Al; Sexe : H\nDame : GRIS Ida\nBRUN F", [])
    assert [(row.line.last_name, row.line.first_name, row.line.ladies) for row in rows] == [
        ("BLANC", "Zoé", "ladies"),
        ("NOIR", "Al", ""),
        ("GRIS", "Ida", ""),
        ("BRUN", "F", ""),
    ]


def test_column_of_whole_names_is_read_as_names():
    text = "N°;Nom et prénom;Club\n1;BLANC Zoé;Lyon\n2;NOIR Al;Lyon"
    assert [(row.line.last_name, row.line.first_name) for row in read_list(text, [])] == [
        ("BLANC", "Zoé"),
        ("NOIR", "Al"),
    ]


def test_categories_of_files_are_those_of_players():
    assert set(CATEGORIES) <= set(Player.Category.values)


def test_merged_away_name_finds_the_player_and_is_not_offered():
    known = [KnownPlayer(7, "Durant", "Anna", "", former=True), KnownPlayer(7, "Durand", "Anne", "88888")]
    (sure,) = read_list("Anna Durant", known)
    assert (sure.state, sure.suggested, sure.candidates[0].who.last_name) == (LineState.SURE, 7, "Durand")
    (near,) = read_list("Anna Durantt", known)
    assert [each.who.last_name for each in near.candidates] == ["Durand"]


@pytest.mark.parametrize("filler", [" ", "\t", "a", "+", "1 ", "h", "et ", "à ", "*", "(", "tel "])
def test_long_line_is_read_like_a_short_one(filler):
    """Check that no pattern compares every part of a line with every other: 50 000 letters would take hours."""
    line = f"Luc{filler * (50_000 // len(filler))}Garnier"
    assert len(read_list(line, CLUB)) >= 1


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Dupont Marie\nMartin Claire\nPetit Jean", ["Dupont Marie", "Martin Claire", "Petit Jean"]),
        ("Driss Martin", ["Martin Driss"]),
        ("Driss Martin\nKenza Simon", ["Martin Driss", "Simon Kenza"]),
        ("Jean Dupont\nDriss Martin\nAwa Laurent", ["Dupont Jean", "Martin Driss", "Laurent Awa"]),
    ],
)
def test_first_names_show_the_order_unless_they_are_family_names_too(text, names):
    assert [f"{row.line.last_name} {row.line.first_name}" for row in read_list(text, [])] == names
