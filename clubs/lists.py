"""The lists of people that clubs paste or upload: their columns by the heading, and the people of each row.

Two words decide between columns of one kind. A participant comes before a payer, and a name in use before one at birth.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import lru_cache, partial
from itertools import accumulate, zip_longest
from typing import NamedTuple

from rapidfuzz.distance import OSA

from clubs.names import simplify_name
from clubs.roster.lines import (
    BEFORE_LICENCE,
    BULLET,
    MAX_NAME,
    NO_LADY,
    OF_PRESENCE,
    TELEPHONE,
    Doubt,
    NameOrder,
    RosterError,
    RosterLine,
    drop_pictures,
    is_gone,
    read_fact,
    require_readable,
    strip_name,
)
from clubs.roster.readings import BIRTH_NAME, Reading, part_people, read_people, split_couple
from wording.table import find_heading, split_rows


class ColumnKind(StrEnum):
    """The kinds of columns. LAST and FIRST are the parts of a name, NAME is a whole name in one cell."""

    LAST = "last"
    FIRST = "first"
    NAME = "name"
    LICENCE = "licence"
    ORIGIN = "origin"
    CATEGORY = "category"
    SERIES = "series"
    LADIES = "ladies"
    STATUS = "status"
    UNTIL = "until"
    SEASON = "season"
    TEAM = "team"
    POINTS = "points"
    RANK = "rank"


PARTS = {ColumnKind.LAST, ColumnKind.FIRST}
NAMES = {*PARTS, ColumnKind.NAME}
IF_WANTED = {ColumnKind.TEAM, ColumnKind.POINTS, ColumnKind.RANK}  # where not wanted, their words may be another kind's
PEOPLE = frozenset(set(ColumnKind) - IF_WANTED - {ColumnKind.UNTIL, ColumnKind.SEASON})
MOST_COLUMNS, LONGEST = 200, 100

OF_MATE, OF_CAPTAIN = r"(?:co)?equipiere?s?|(?:team ?)?mates?|partenaires?|partners?", r"capitaines?|captains?"
OF_PERSON = (
    r"joueu(?:r|se)s?|spieler(?:in)?|jugador(?:a|es)?|giocator[ei]"
    r"|players?|[jp](?= \d)|participante?s?|adherente?s?|membres?|members?|licencie(?:es?|s)?"
    rf"|personnes?(?! a )|persons?|inscrite?s?|identite|beneficiaires?|pratiquante?s?|attendees?|{OF_MATE}|enfants?"
    r"|candidate?s?|concurrente?s?"
)
OF_OTHER = (
    r"besteller|kaufer|comprador|acquirente|payeu(?:r|se)s?|payers?|acheteu(?:r|se)s?|buyers?|responsables?|parents?|tuteurs?|tutrices?|mere|pere|mother|father"
    r"|conjointe?s?|contacts?|prevenir|urgence|emergency|facturation|billing|invoice|parrains?|commande"
    rf"|{OF_CAPTAIN}|representante?s?|medecin|donateurs?|entraineurs?|coach|titulaire|proprietaire|correspondante?s?|referente?s?"
)
FIRST_WORDS = (
    r"prenoms?|first ?names?|given ?names?|forenames?|vornamen?|voornaam|voornamen|nome"
    r"|nombres?(?! (?:de?|des|points?|pts|total)\b)"
)
LAST_WORDS = (
    r"noms?|patronymes?|surnames?|last ?names?|family ?names?|names?|(?:nach|familien|zu)namen?"
    r"|achternaam|(?:familie)?naam|apellidos?|cognom[ei]|apelidos?|sobrenomes?"
)
# “Nombre” is the French word for a number, and a first name only beside a family name in Spanish.
COUNT, BESIDE_COUNT = re.compile(r"nombres?\b(?!.*\b(?:points?|pts)\b)"), re.compile(r"\bapellidos?\b")
IN_USE, AT_BIRTH = r"usage|usuel|usuelle|prefere|marital|epouse", r"naissance|jeune fille|birth|maiden|civil"
NUMBER = r"n|no|nr|num|numero|number"
A_NUMBER = r"(?:n(?! ?$)|no|nr|num|numero|number)"  # “Licence (O/N)” asks for no number
FEDERATION = r"fft|federa\w+"
# Each kind with the words that show it, and the words that show that it is another thing. The first that fits counts.
RULES = {
    ColumnKind.STATUS: (
        rf"statut|status|etat|state|situation|annul\w+|rembours\w+|cancel\w+|refund\w+|absente?s?|excusee?s?|paiements?|payments?|{OF_PRESENCE}",
        r"licen[cs]es?|montant|civil|noms?|prenoms?|moyens?|modes?|types?",
    ),
    ColumnKind.UNTIL: (
        r"jusqu|fin|validite|valable|valide?|expir\w*|echeance|until|end|last day",
        r"debut|naissance|start|prenoms?|noms?",
    ),
    ColumnKind.LICENCE: (
        r"licen[cs]es?|num ?licence|nlicence|lic|lizenz\w*|mitglieds?(?:nummer|nr)?|licencias?"
        r"|licenca|tessera|lidnummer",
        r"types?|categories?|prix|tarifs?|montant|dates?|debut|saisons?|clubs?|noms?|prenoms?|photo|scan|copie|justificatif"
        rf"|statut|etat|status|assurance|^(?!.*\b{A_NUMBER}\b).*\b(?:have|avez|as|etes|es|possed\w+|oui)",
    ),
    ColumnKind.SEASON: (r"saisons?|seasons?|annees?|years?", r"naissance|birth|nais\w*|prenoms?|noms?"),
    ColumnKind.LADIES: (r"dames?|femmes?|sexe|genre|ladies|lady|sex|gender|f", r"noms?|prenoms?"),
    ColumnKind.TEAM: (r"equipes?|teams?|teamname|mannschaft|equipo|squadra", rf"{OF_CAPTAIN}|mates?|taille|prenoms?"),
    ColumnKind.RANK: (
        r"rangs?|places?|rank|platz|puesto|posizione|clt|classement|position|alterne|general",
        r"noms?|prenoms?|points?|pts|scores?|total|moyenne|mean",
    ),
    ColumnKind.FIRST: (FIRST_WORDS, ""),
    ColumnKind.ORIGIN: (
        r"clubs?|associations?|origine?s?|structure|verein|vereniging|circolo",
        rf"dates?|role|code|entree|fonction|id|{NUMBER}",
    ),
    ColumnKind.CATEGORY: (r"categor\w+|cat", r"tarif\w*|prix|licen[cs]es?"),
    ColumnKind.SERIES: (r"series?|classe|class|classement|clt", ""),
    ColumnKind.LAST: (
        LAST_WORDS,
        r"utilisateur|user|epreuve|tournois?|formulaire|campagne|fichier|file|tarif|produit|ville|rue|comite|ligue|region"
        r"|societe|company|entreprise|organis\w+|evenement|event|option|commune|pays|billet|table|groupe|section|activite"
        r"|seance|competition|banque|carte|equipe|team",
    ),
    ColumnKind.POINTS: (
        r"points?|punkte|puntos|punti|pts|scores?|total|resultats?|marques?|marks?",
        r"retires?|off|penalit\w+|penalt\w+",
    ),
}


def compile_words(words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{words})\b" if words else r"(?!)")


SHOWN_BY = {kind: (compile_words(shown), compile_words(other)) for kind, (shown, other) in RULES.items()}
PERSON, OTHER, FULL, PRESENCE = map(compile_words, (OF_PERSON, OF_OTHER, r"complete?|full", OF_PRESENCE))
OWNERS = PERSON, OTHER  # the person who plays, and somebody else
USES = compile_words(IN_USE), compile_words(AT_BIRTH)  # the name in use, and the one at birth
NUMBER_OF = re.compile(
    rf"(?:{NUMBER}) (?:d |de |du |of )?(?:adherente?s?|adh|membres?|members?|licencie(?:es?|s)?|{FEDERATION})\b"
    rf"|(?:members?|membership|{FEDERATION}) (?:{NUMBER}|id)\b"
    rf"|(?:(?:{NUMBER}) (?:de )?)?(?:matricule|carte) (?:{FEDERATION})\b|(?:adherent|licencie)e? (?:{NUMBER})$"
    rf"|(?:id|identifiant) (?:{FEDERATION})\b"
)
NUMBERED = compile_words(NUMBER)
TICKED = compile_words(r"adherente?s?|licencie(?:es?|s)?|membres?|members?|inscrite?s?|pratiquante?s?")
ORDINAL = r"(?:er|ere|re|nd|nde|e|eme)?"
ONLY_PERSON = re.compile(rf"{OF_CAPTAIN}|le|la|les|the|nom|de|du|des|co|team|[a-djp]|\d+{ORDINAL}|{OF_PERSON}")
# Words that say nothing new beside those of a name. Another word, as in “nom du cheval”, makes a column less likely.
USUAL = re.compile(
    rf"{OF_PERSON}|{OF_OTHER}|{LAST_WORDS}|{FIRST_WORDS}|{IN_USE}|{AT_BIRTH}|complete?|full|first|given|last|family|famille"
    r"|jeune|fille|le|la|les|l|un|une|de|du|des|d|et|y|und|ou|en|s|e|the|of|and|or|your|what|is|quel|est|votre|vos|ton|sur"
    rf"|majuscules?|capitales?|obligatoire|required|licence|[a-djp]|\d+{ORDINAL}"
)
# Words of the other columns of an export: beside them, “Joueur” is a heading.
EXPORTED = compile_words(
    r"e ?mails?|courriels?|tel|telephones?|phone|portable|mobile|adresse|address|dates?|montant|tarif|commande"
    r"|horodateur|timestamp|naissance|ville|code|remarques?|commentaires?|notes?|paiement|paye"
)
OFTEN_WRONG = "prenom", "licence", "categorie", "participant"
YEAR = re.compile(r"\b20\d\d\b")
CAPTAIN, MATE = compile_words(OF_CAPTAIN), compile_words(OF_MATE)
SEAT = re.compile(rf"(?:^| )(?:(\d{{1,2}}){ORDINAL}(?: |$)|([a-d])$)")
# The end of a word for both genders: “Joueur(se)”, “Licencié·e·s”.
INCLUSIVE = re.compile(r"(?<=[^\W\d_])[(·•./-](?:e|s|es|se|ses|euses?|rices?|ne|ère)(?:[·•.-]s)?\b\)?", re.IGNORECASE)


class Column(NamedTuple):
    """A column with its place, its heading, and what it holds: None if it is not read.

    `order` is the order of a whole name. `seat` is the number of the person in a row that has several, else 0.
    """

    place: int
    heading: str
    kind: ColumnKind | None = None
    order: NameOrder = NameOrder.SEEN
    seat: int = 0


@lru_cache(maxsize=4_096)
def words_in(heading: str) -> str:
    """Return the words of a heading without accents and capitals: "NomParticipant_2" gives "nom participant 2"."""
    parted = re.sub(r"(?<=[a-zà-ÿ])(?=[A-ZÀ-Þ])|(?<=[^\W\d_])(?=\d)", " ", INCLUSIVE.sub("", heading))
    said = " ".join(re.sub(r"[\W_]+", " ", simplify_name(parted)).split())
    said = re.sub(rf"\b(?:{NUMBER}) (?=\d)", "", said)  # “Joueur n° 1”
    said = re.sub(r"\bnomprenom", "nom prenom", re.sub(r"\b(prenoms?)(?=noms?\b)", r"\1 ", said))
    return " ".join(map(correct_word, said.split()))


def correct_word(word: str) -> str:
    """Return the word of a heading without a typing error: “penom” gives “prenom”, “licance” gives “licence”."""
    if len(word) < 5 or TICKED.fullmatch(word):
        return word
    return next((right for right in OFTEN_WRONG if OSA.distance(word, right) == 1), word)


@lru_cache(maxsize=4_096)
def kind_of(heading: str, wanted: frozenset[ColumnKind]) -> tuple[ColumnKind | None, NameOrder]:
    """Return what a column with this heading holds, and the order in which its cells write a whole name."""
    said = words_in(heading.rstrip(" :").rpartition(":")[2])  # “Attendee name: Given name” is a given name
    if not said or len(heading) > LONGEST:
        return None, NameOrder.SEEN
    first = SHOWN_BY[ColumnKind.FIRST][0].search(said)
    rest = f"{said[: first.start()]}{'_' * len(first[0])}{said[first.end() :]}" if first else said
    last = SHOWN_BY[ColumnKind.LAST][0].search(rest)
    if first and last and not SHOWN_BY[ColumnKind.LAST][1].search(said):
        family_first = last.start() < first.start()
        return ColumnKind.NAME, NameOrder.FAMILY_FIRST if family_first else NameOrder.FIRST_NAME_FIRST
    if ColumnKind.LICENCE in wanted and NUMBER_OF.match(said):
        return ColumnKind.LICENCE, NameOrder.SEEN
    for kind, (shown, other) in SHOWN_BY.items():
        if (kind in wanted or kind not in IF_WANTED) and shown.search(said) and not other.search(said):
            whole = kind == ColumnKind.LAST and FULL.search(said)
            return ColumnKind.NAME if whole else kind if kind in wanted else None, NameOrder.SEEN
    is_person = PERSON.search(said) and all(map(ONLY_PERSON.fullmatch, said.split()))
    return ColumnKind.NAME if is_person else None, NameOrder.SEEN


def recognise(heading: Sequence[str], wanted: frozenset[ColumnKind] = PEOPLE) -> list[Column]:
    """Return all columns of a heading. Of several columns of one kind the best is read, the others are not.

    A second column of a name or of a status is read too if it may fill what the first leaves empty.
    """
    is_spanish = any(BESIDE_COUNT.search(words_in(cell)) for cell in heading)
    columns = [
        Column(place, cell)
        if COUNT.match(words_in(cell)) and not is_spanish
        else Column(place, cell, *kind_of(cell, wanted))
        for place, cell in enumerate(heading)
    ]
    columns = seat_captain(columns)
    named = [each for each in columns if each.kind in NAMES]
    is_owned = any(each.kind != ColumnKind.FIRST and rank_of(each, *OWNERS) < 2 for each in named)
    most = 1 if is_owned else 2
    own = [
        each
        for each in columns
        if each.kind == ColumnKind.STATUS or each.seat or (each.kind and rank_of(each, *OWNERS) <= most)
    ]
    best: dict[tuple[object, ...], Column] = {}
    for each in sorted(
        seat_people(own, find_repeats(columns)), key=lambda column: (may_be_ticks(column), preference_of(column))
    ):
        spare = each.place if each.kind == ColumnKind.STATUS else rank_of(each, *USES) if each.kind in PARTS else 0
        best.setdefault((each.kind, each.seat, spare), each)
    kinds = {(each.kind, each.seat) for each in best.values()}
    told = {(each.kind, each.seat) for each in best.values() if each.kind in NAMES and is_usual(each)}
    kept = {
        each.place: each
        for each in best.values()
        if each.kind != ColumnKind.NAME
        or not (
            kinds >= {(part, each.seat) for part in PARTS}
            or (may_be_ticks(each) and (ColumnKind.LAST, each.seat) in told)
        )
    }
    return [kept.get(each.place, Column(each.place, each.heading)) for each in columns]


def seat_captain(columns: list[Column]) -> list[Column]:
    """Return the columns with the captain as the first person, if the people counted are the others.

    Beside “Capitaine”, the others are “Joueur 2” and “Joueur 3”, or “Équipier 1” and “Équipier 2”.
    """
    in_heading = CAPTAIN.search, CAPTAIN.fullmatch  # “Capitaine” is a name, and “Email du capitaine” is none
    captains = [each for each in columns if in_heading[each.kind is None](words_in(each.heading))]
    counted = [each for each in columns if each.kind and each not in captains and seat_in(each)]
    named = [each for each in counted if each.kind in NAMES]
    first = min(map(seat_in, named), default=0)
    if first != 2 and not any(MATE.search(words_in(each.heading)) for each in named):
        return columns
    unnumbered = [each for each in columns if each.kind in NAMES and each not in counted]
    others = counted if captains or unnumbered else []
    seats = dict.fromkeys(captains, 1) | {each: seat_in(each) + 2 - first for each in others}
    return [
        each._replace(kind=each.kind or ColumnKind.NAME, seat=seats[each]) if each in seats else each
        for each in columns
    ]


def seat_people(columns: Sequence[Column], repeated: Mapping[int, int]) -> list[Column]:
    """Return the columns with the seats of their people if a row has several: “Nom” and “Nom 2” have two.

    `repeated` has the seats of headings that are there again, by the place of a column.
    If a row has one person, “Nom 1” is the name. “Prénom 2” beside a single “Nom” is a second given name.
    """
    numbers = repeated or {each.place: seat for each in columns if (seat := each.seat or seat_in(each))}
    named = {numbers.get(each.place, 0) for each in columns if each.kind in (ColumnKind.LAST, ColumnKind.NAME)}
    if len(named) < 2:
        return list(columns)
    numbered = {each.kind for each in columns if each.place in numbers} | NAMES | {ColumnKind.LICENCE}
    start = 0 if 1 in named else 1
    seats = sorted({start, *numbers.values()} - {0})
    for said in {words_in(each.heading) for each in columns}:  # “Joueur 1”, “Licence”, “Joueur 2”, “Licence”
        alike = [each.place for each in columns if each.place not in numbers and words_in(each.heading) == said]
        if len(alike) == len(seats):
            numbers = {**numbers, **dict(zip(alike, seats, strict=True))}
    return [
        each._replace(seat=numbers.get(each.place, start if each.kind in numbered else 0))
        for each in columns
        if each.place in numbers or start or each.kind not in NAMES
    ]


def seat_in(column: Column) -> int:
    """Return the number of the person that a heading has: 2 in “Joueur 2”, “2e joueur”, “Joueur B”, “Équipier”."""
    said = words_in(column.heading)
    found = SEAT.search(said)
    if found is None:
        return 2 if MATE.search(said) else 0
    return int(found[1]) if found[1] else ord(found[2]) - ord("a") + 1


def find_repeats(columns: Sequence[Column]) -> dict[int, int]:
    """Return the seats, by the place of a column, if the same headings are there twice or more, side by side.

    Other columns, such as the name of a team, may come before them.
    """
    told = [each for each in columns if each.heading.strip()]
    headings = [words_in(each.heading) for each in told]
    name = next((each for each in told if each.kind in NAMES and headings.count(words_in(each.heading)) > 1), None)
    if name is None:
        return {}
    at = told.index(name)
    width = headings.index(headings[at], at + 1) - at
    for start in range(max(0, at - width + 1), at + 1):
        if headings[start:] == headings[start : start + width] * ((len(headings) - start) // width):
            return {each.place: index // width + 1 for index, each in enumerate(told[start:])}
    return {}


def label_repeats(heading: Sequence[str], above: Sequence[str]) -> Sequence[str]:
    """Return a heading that is there more than once, each with the words above it, such as “Joueur” and “Contact”."""
    groups = [cell for cell in map(words_in, above) if PERSON.search(cell) or OTHER.search(cell)]
    if len(groups) < 2 or not find_repeats(recognise(heading)):
        return heading
    labels = accumulate(
        zip_longest(above[: len(heading)], heading, fillvalue=""), lambda one, two: (two[0] or one[0], two[1])
    )
    return [" ".join(filter(None, pair)) for pair in labels]


def rank_of(column: Column, best: re.Pattern[str], worst: re.Pattern[str]) -> int:
    """Return 0 for a heading with one of the best words, 2 for one with one of the worst, and 1 for any other.

    The first of them counts: “Responsable de l’adhérent” is about the first person.
    """
    found = [each.search(words_in(column.heading)) for each in (best, worst)]
    starts = [each.start() if each else LONGEST for each in found]
    return 1 if starts[0] == starts[1] else 0 if starts[0] < starts[1] else 2


def is_usual(column: Column) -> bool:
    """Return whether the heading of a name has only usual words: “Nom du cheval” has another."""
    return all(map(USUAL.fullmatch, words_in(column.heading).split()))


def may_be_ticks(column: Column) -> bool:
    """Return whether there may be a yes or a no below a heading that names a person and no name: “Licencié”."""
    said = words_in(column.heading)
    is_bare = column.kind == ColumnKind.NAME and not column.order and not FULL.search(said)
    return is_bare and TICKED.search(said) is not None


def preference_of(column: Column) -> tuple[int, bool, int, int, int]:
    """Return the place of a column among those of its kind: the first is the best, of two years the later one."""
    said, latest = words_in(column.heading), max(map(int, YEAR.findall(column.heading)), default=0)
    is_number = NUMBERED.search(said) is not None
    if column.kind == ColumnKind.LICENCE:  # beside “Numéro licence”, “Licence” may only be a tick
        return int(not SHOWN_BY[ColumnKind.LICENCE][0].search(said)), not is_number, 0, -latest, column.place
    is_unusual = is_number if column.kind == ColumnKind.TEAM else column.kind in NAMES and not is_usual(column)
    return rank_of(column, *OWNERS), is_unusual, rank_of(column, *USES), -latest, column.place


def count_columns(row: Sequence[str], wanted: frozenset[ColumnKind] = PEOPLE) -> int:
    """Return how many of the first MOST_COLUMNS columns a row names, or 0 if it is no heading of a list of people."""
    row = row[:MOST_COLUMNS]
    cells = [cell for cell in row if cell.strip()]
    if not cells or (len(cells) == 1 and any(map(str.isdigit, cells[0]))):
        return 0
    read = [column for column in recognise(row, wanted) if column.kind]
    names = [column for column in read if column.kind in NAMES]
    kinds = {column.kind for column in read}
    if not names or (len(kinds) < 3 and not any(map(is_usual, names))):
        return 0
    is_said = any(each.kind in PARTS or each.order or FULL.search(words_in(each.heading)) for each in names)
    others = any(EXPORTED.search(said) or OTHER.search(said) for said in map(words_in, cells))
    others = others or any(kind_of(cell, frozenset(ColumnKind))[0] in IF_WANTED for cell in cells)
    return len(read) if len(kinds) > 1 or 2 * len(read) > len(cells) or is_said or others else 0


LICENCE = re.compile(r"(?=[A-Za-z/-]*[0-9])[0-9A-Za-z][0-9A-Za-z/-]{0,19}")
NO_LICENCE = re.compile(r"[-–—/.?0x]?|non|no|none|aucune?|neant|sans|nc|n/?a")
# The columns that tell data, as the labels of cells do.
TOLD = (ColumnKind.CATEGORY, ColumnKind.SERIES, ColumnKind.LADIES, ColumnKind.ORIGIN)
TICKS = str.maketrans(dict.fromkeys("✓✔☑✅", "x"))


def read_named_cells(cells: Mapping[ColumnKind, str], number: int, order: NameOrder) -> list[Reading]:
    """Return the people of a row: one, or several if a cell with a whole name names several.

    `cells` has the cells that are not empty. Raise RosterError if the row names nobody or cannot be read.
    """
    for cell in cells.values():
        require_readable(cell, number)
    last, first = (strip_part(cells.get(kind, "")) for kind in (ColumnKind.LAST, ColumnKind.FIRST))
    if last and first and any(map(str.isalpha, last + first)):
        readings = read_parts(last, first)
        if max(len(last), len(first)) > MAX_NAME:
            raise RosterError("roster_too_long", line=number, most=MAX_NAME)
    else:
        whole = whole_name(cells)
        if not any(map(str.isalpha, whole)):
            raise RosterError("roster_no_name", line=number, text=" ; ".join(cells.values())[:MAX_NAME])
        readings = read_people(whole, number, order)
    return [add_facts(reading, cells, is_last=reading is readings[-1]) for reading in readings]


def read_parts(last: str, first: str) -> list[Reading]:
    """Return the people of two cells. A couple, or a name at birth in the cell of the family name, is asked about."""
    if couple := split_couple(f"{last}; {COUPLE.sub(' & ', first)}", NameOrder.FAMILY_FIRST):
        return [Reading(line, Doubt.COUPLE) for line in couple]
    whole, in_use = RosterLine(last, first), strip_part(BIRTH_NAME.sub("", last).strip("()[], "))
    if in_use and in_use != last and (birth := BIRTH_NAME.search(last)):
        return [Reading(RosterLine(in_use, first), Doubt.NOTE, birth[0], whole)]
    return [Reading(whole)]


COUPLE = re.compile(r"\s*/\s*")
BEFORE_NAME = re.compile(r"\(?\d{1,4}[.)°]\s+(?=[^\W\d])")


def strip_part(cell: str) -> str:
    """Return a part of a name without a title, a number or a sign before it, as in “1. Dupont” or “* Dupont”."""
    return strip_name(BULLET.sub("", BEFORE_NAME.sub("", drop_pictures(cell))).strip(" *"))


def whole_name(cells: Mapping[ColumnKind, str]) -> str:
    """Return the cell that has a whole name, in an order that the columns do not say, or "" if they say it."""
    kind = kind_of_whole(cells)
    return cells[kind] if kind else ""


def kind_of_whole(cells: Mapping[ColumnKind, str]) -> ColumnKind | None:
    if ColumnKind.LAST in cells and ColumnKind.FIRST in cells:
        return None
    return next((kind for kind in (ColumnKind.NAME, ColumnKind.LAST, ColumnKind.FIRST) if kind in cells), None)


def add_facts(reading: Reading, cells: Mapping[ColumnKind, str], *, is_last: bool) -> Reading:
    """Return a reading with what the other columns say, and the doubts about them. The last person has the licence."""
    told = {kind: read_fact(kind, cells[kind].translate(TICKS)) for kind in TOLD if kind in cells}
    unknown = [cells[kind] for kind, fact in told.items() if fact is None]
    facts = {name: value for fact in told.values() for name, value in (fact or {}).items() if value}
    facts |= told.get(ColumnKind.CATEGORY) or {}
    facts |= {name: value for name, value in (told.get(ColumnKind.SERIES) or {}).items() if name == "series"}
    number = cells.get(ColumnKind.LICENCE, "") if is_last else ""
    licence = read_licence(number)
    line = replace(reading.line, licence=licence or reading.line.licence, **facts)
    if is_gone(cells.get(ColumnKind.STATUS, "")):
        return replace(reading, line=line, doubt=Doubt.GONE, note=cells[ColumnKind.STATUS])
    if number and not licence and not NO_LICENCE.fullmatch(simplify_name(number).strip()):
        return replace(reading, line=line, doubt=Doubt.NUMBER, note=number)
    return replace(reading, line=line, note=", ".join(filter(None, [reading.note, *unknown])))


def read_licence(cell: str) -> str:
    """Return the licence in a cell of its column without blanks, or "" if it is none that can be trusted.

    A telephone number is none: “06 12 34 56 78”.
    """
    text = "".join(BEFORE_LICENCE.sub("", cell).split())
    is_telephone = text != cell and TELEPHONE.fullmatch(cell)
    return text if LICENCE.fullmatch(text) and text.strip("0") and not is_telephone else ""


Cells = Mapping[ColumnKind, str]


class ListLine(NamedTuple):
    """A line of a list with its number and its text, or a person of a row, whose text is that of the row.

    `cells` has the cells of the person by kind, None for free text. `team` is the place of the person's team in a list
    of teams, from 1, else 0.
    """

    number: int
    text: str
    cells: Cells | None = None
    team: int = 0


class PastedList(NamedTuple):
    """The people below the heading, and all columns. Without a heading `columns` is empty, and all rows are lines.

    `above` has the rows that are not read: those above the heading, and those that repeat it. `order` is the one that
    the heading says.
    """

    rows: list[ListLine]
    columns: list[Column]
    above: list[ListLine]
    order: NameOrder = NameOrder.SEEN


def read_pasted(text: str, wanted: Collection[ColumnKind] = PEOPLE) -> PastedList:
    """Return the list in a text that was pasted, or that holds the rows of a file.

    A heading alone on its line, such as “Nom Prénom”, says only the order of the names in the lines. Raise RosterError
    if a table has more than MOST_COLUMNS columns.
    """
    kinds = frozenset(wanted)
    count = partial(count_columns, wanted=kinds)
    rows = split_rows(text, count)
    lines = [ListLine(number, join_cells(row)) for number, row in enumerate(rows, 1)]
    at = find_heading(rows, count)
    if at is None or not any(line.text for line in lines[at + 1 :]):
        return PastedList([line for line in lines if line.text], [], [])
    if len(rows[at]) > MOST_COLUMNS:
        raise RosterError("roster_columns", most=MOST_COLUMNS, found=len(rows[at]))
    columns = recognise(label_repeats(rows[at], rows[at - 1] if at else []), kinds)
    order = next((each.order for each in columns if each.kind == ColumnKind.NAME), NameOrder.SEEN)
    if len(rows[at]) == 1:
        return PastedList([line for line in lines if line.text and line.number != at + 1], columns, [], order)
    kept_columns = [each for each in sorted(columns, key=preference_of) if each.kind]
    read = [each.place for each in columns if each.kind]
    repeats = {line.number for line in lines[at + 1 :] if line.text == lines[at].text}
    below = [
        person
        for line, row in zip(lines[at + 1 :], rows[at + 1 :], strict=True)
        for person in name_cells(line, row, kept_columns, read)
        if line.text and line.number not in repeats
    ]
    above = [line for line in lines if line.text and (line.number <= at or line.number in repeats)]
    return PastedList(below, columns, above, order)


def join_cells(cells: Iterable[str]) -> str:
    return " ; ".join(filter(None, map(str.strip, cells)))


def name_cells(line: ListLine, row: Sequence[str], columns: Sequence[Column], read: Sequence[int]) -> list[ListLine]:
    """Return the people of a row of a table. The text has the cells that are read, at the places `read`, if any.

    A row with nothing but one cell keeps its text, and is read like a line.
    """
    text = join_cells(row[place] for place in read if place < len(row))
    return [ListLine(line.number, text or line.text, cells) for cells in split_people(row, columns)] or [line]


def split_people(row: Sequence[str], columns: Sequence[Column]) -> tuple[Cells, ...]:
    """Return the cells of each person of a row by kind. `columns` are those that are read, the best of a kind first.

    Return () if the row has nothing but one name: it may also be a line beside the table, such as a sum.
    """
    filled = [each for each in columns if each.place < len(row) and row[each.place]]
    if len(filled) == 1 and filled[0].kind in NAMES and sum(map(bool, row)) == 1:
        return ()
    people: list[Cells] = []
    for seat in sorted({each.seat for each in columns if each.kind in NAMES}):
        cells: dict[ColumnKind, str] = {}
        for each in filled:
            if each.seat in (seat, 0):
                take_cell(cells, each, row[each.place])
        if not people or any(each.seat == seat for each in filled):
            people.append(cells)
    return tuple(part for cells in people for part in part_cells(cells))


def part_cells(cells: Cells) -> list[Cells]:
    """Return the cells of each person if a cell has several whole names. The last person has the licence."""
    kind = kind_of_whole(cells)
    parts = part_people(cells[kind]) if kind else []
    if kind is None or len(parts) < 2:
        return [cells]
    bare: Cells = {each: cell for each, cell in cells.items() if each != ColumnKind.LICENCE}
    return [*({**bare, kind: part} for part in parts[:-1]), {**cells, kind: parts[-1]}]


def take_cell(cells: dict[ColumnKind, str], column: Column, cell: str) -> None:
    """Add a cell to those of a person. A yes below “Annulé” is that status, and so is a no below “Présent”."""
    kind = column.kind or ColumnKind.NAME
    if kind == ColumnKind.STATUS:
        is_yes = is_gone(column.heading) and simplify_name(cell) not in NO_LADY
        cell = column.heading if is_yes else cell
        cell = f"{column.heading} {cell}" if PRESENCE.search(words_in(column.heading)) else cell
        cells[kind] = cell if is_gone(cell) else cells.get(kind, cell)
    else:
        cells.setdefault(kind, cell)
