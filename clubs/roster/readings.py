"""The reading of a line of a list: the people that it names, what is doubtful, and remarks that are not names.

A line may name several people: `Jean et Marie DUPONT`, `Paul Martin + sa femme`, `Dupont; Jean et Marie`. Remarks are
separated from the name. Before a remark is left out, somebody is asked.
"""

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from clubs.names import simplify_name, words_of
from clubs.roster.lines import (
    ADDRESS,
    AROUND,
    BULLET,
    IN_BRACKETS,
    LADY_TITLES,
    MAX_NAME,
    MOST_LETTERS,
    NO_SIGNS,
    TELEPHONE,
    TITLES,
    Doubt,
    NameOrder,
    RosterError,
    RosterLine,
    begins_with_particle,
    part_line,
    read_line,
    require_readable,
    split_name,
    strip_line,
    strip_name,
    take_labelled,
    take_number,
    tells_gone,
    told_order,
)

NAMES = """
    abel achille adele adeline adrien adrienne agathe agnes aime aimee alain alban albane albert alberte alex
    alexandra alexandre alexia alexis alfred alice alicia aline alix alma aloys alphonse amandine amaury ambre
    amedee amelie anais anatole andre andrea andree andrew ange angela angele angelina angelique anita ann
    anna annabelle anne annette annick annie anouk anselme anthony antoine antoinette antonin antonio apolline
    ariane aristide arlette armand armande armelle arnaud arsene arthur astrid aubin aude audrey auguste
    augustin aurelie aurelien aurore axel axelle aymeric baptiste barbara barnabe barthelemy basile bastien
    beatrice benedicte benjamin benoit berenice bernadette bernard berthe bertrand blaise blanche boris brahim
    brice brigitte bruno camille carine carla carmen carole caroline catherine cathy cecile cedric celestin
    celia celine cesar chantal charles charlotte chloe christelle christian christiane christine christophe
    claire clara clarisse claude claudette claudie claudine clement clementine clotilde clovis colette colin
    coline come constance constant constantin coralie corentin corinne cyprien cyril cyrille damien dan daniel
    daniele danielle danny david davy deborah delphine denis denise denys desire desiree diane didier dimitri
    dominique donatien dorothee edgar edith edmond edouard edwige eleonore eliane elie eliott elisa elisabeth
    elise ella elodie eloi eloise elsa emeline emeric emile emilie emilien emma emmanuel emmanuelle enzo eric
    erica ernest erwan esteban estelle esther etienne eugene eugenie eva evan evelyne fabien fabienne fabrice
    fanny fatima faustine felicie felicien felix ferdinand fernand fernande fiona firmin flavie flavien fleur
    florence florent florian france francesca francine francis franck francois francoise frank frederic
    frederique gabin gabriel gabrielle gael gaelle gaetan gaspard gaston gauthier gautier genevieve geoffroy
    george georges georgette gerald geraldine gerard germain germaine gerome ghislain ghislaine gilbert
    gilberte gille gilles gisele gladys godefroy gontran gregoire gregory guillaume gustave guy gwenael
    gwenaelle gwendoline hassan hector helene henri henriette henry herve hippolyte honore honorine hortense
    hubert hugo hugues huguette ibrahim ida ines ingrid irene iris isaac isabelle isidore ismael ivan jacky
    jacob jacqueline jacques jade james janine jasmine jean jeanne jeannette jeannine jeremie jeremy jerome
    jessica jimmy joachim joan jocelyne joel joelle joffrey johan johanna john jonas jonathan jordan joris
    jose josee joseline joseph josephine josette josiane josselin josue joy judith jules julia julian julie
    julien julienne juliette justin justine karim karine karl katia kevin khaled killian laetitia lambert lara
    laure laurence laurent laurette laurie laurine lea leandre leo leon leonard leonce leonie leopold lilian
    liliane lily lina linda line lionel lisa lise lisette loic lola loris lou louane louis louise loup luc
    luca lucas lucette lucie lucien lucienne lucile ludivine ludovic lydia lydie lyse madeleine mael maelle
    magali magalie maite malik malo manon manuel manuela marc marceau marcel marcelle margaux margot
    marguerite maria mariam marianne marie marielle marilyne marin marina marine mario marion marius marjorie
    marlene martha marthe martial martin martine martinien mary maryline maryse maryvonne mathias mathieu
    mathilde mathis mathurin matteo matthias matthieu maud maurice maurine max maxence maxime maximilien mehdi
    melanie melissa melodie mia michael michel michele micheline michelle mickael mireille mohamed mohammed
    moise monique morgan morgane muriel mylene myriam nabil nadege nadia nadine nans narcisse natacha nathalie
    nathan nestor nicolas nicole nina noah noam noe noel noelle noemie nora norah norbert octave odette odile
    odilon olga olivia olivier omar ondine oscar oswald pablo paola pascal pascale pascaline patrice patricia
    patrick paul paula paule paulette paulin pauline perrine peter philibert philippe philomene pierre
    pierrette pierrick placide prosper quentin rachel rachid raoul raphael raphaelle raymond raymonde regine
    regis reine remi remy renaud rene renee richard robert roberte robin roch rodolphe rodrigue roger roland
    rolande romain romane romeo romuald ronan rosa rosalie rose roseline roxane ruben sabine sabrina sacha
    salome salvador samia samir samuel sandra sandrine sara sarah sebastien segolene selma serge severin
    severine sidney sidonie simeon simon simone sofia solange solene sonia sophie stanislas stella stephane
    stephanie steve suzanne suzette suzon sven sybille sylvain sylvaine sylvestre sylvette sylviane sylvie
    tanguy tania tatiana teddy thadee thea theo theodore theophile therese thibaud thibault thibaut thierry
    thiphaine thomas timothe timothee titouan tom tony toussaint tristan ugo ulysse urbain ursule valentin
    valentine valere valerie valery vanessa vera veronique victoire victor victoria victorien vincent violaine
    violette virgile virginie viviane vivien wanda warren wilfrid wilfried william willy xavier yaelle yan
    yanis yann yannick yannis yasmine yoan yoann yohan yolande youri youssef yvan yves yvette yvon yvonne
    zacharie zelie zephyrin zoe zohra
"""
FIRST_NAMES = frozenset(NAMES.split())
# First names that are frequent family names too, so that they do not show the order beside an unknown word.
FAMILIES = """
    albert andre arnaud arthur benoit bernard bertrand blaise charles clement colin daniel david denis didier edouard
    etienne francois gabriel gautier gauthier georges gerard germain gilbert gregoire guillaume guy henri henry herve
    hubert jacob jacques julien lambert laurent leon louis lucas marc marion martial martin mathieu maurice michel
    morgan nicolas noel olivier pascal patrice philippe raymond remy renaud rene richard robert robin roger roland
    romain samson sebastien simon thibault thierry thomas valentin victor vincent
"""
FAMILY_NAMES = frozenset(FAMILIES.split())
SAINTS = {"saint", "sainte", "st", "ste"}
CLUBS = {"club", "tc", "mjc", "tarot", "amicale", "association", "les"}


SEVERAL = re.compile(r"[;,]")
BETWEEN_PEOPLE = re.compile(r"[;,]|\s[/|–—-]\s|(?<=[^\W\d_])/(?=[^\W\d_])")
LISTED = re.compile(
    r"\s*((?:(?:les|joueurs) )?(?:pr[ée]sents?|inscrits?|participants?|joueurs|absents?|excusés?|forfaits?))"
    r"\s*:\s*(.*[^\W\d].*)",
    re.IGNORECASE,
)
MOST_PEOPLE, MOST_WORDS = 4, 5
AND = re.compile(
    r"(?<!\s)\s+(?:(?:et|and)\s+|avec\s+(?=(?:sa|son|ma|mon)\s))|(?:(?<!\s)\s+)?[&+]\s*(?=[^\W\d_])", re.IGNORECASE
)
WIFE = "femme|epouse|compagne|conjointe|wife"
HUSBAND = "mari|epoux|compagnon|conjoint|husband"
OTHERS = "ami|amie|fille|fils|frere|soeur|mere|pere|copain|copine|friend"
PARTNER = re.compile(rf"(?:(?:sa|son|ma|mon|un|une|his|her|my)\s+)?(?:({WIFE})|({HUSBAND})|(?:{OTHERS}))\b\s*")
NAMELESS = {"Mme", "M."}  # these stand for the first name of a person who is named only as somebody's partner


class Piece(NamedTuple):
    """The words of a line about one of its people.

    `title`: the title before the name, or the title of a partner: “sa femme” gives Mme. `by_title`: the title was
    written.
    """

    title: str
    words: list[str]
    by_title: bool = False

    @property
    def is_full(self) -> bool:
        return len(self.words) > 1 or (self.by_title and bool(self.words))


def split_couple(text: str, order: NameOrder) -> list[RosterLine]:
    """Return the people of a line that names several, or [] if it names only one.

    If the line has a licence, the last person gets it.
    """
    facts, licence, cells, _unknown = part_line(text)
    cells = [cell.strip() for cell in cells if strip_name(cell) or AND.search(f"{cell} x")]
    cells = [cell for cell in cells if any(map(str.isalpha, cell))]
    if not cells or len(cells) > 2:
        return []
    family = ""
    if len(cells) == 2:
        family, names = (cells[1], cells[0]) if order == NameOrder.FIRST_NAME_FIRST else (cells[0], cells[1])
    else:
        names = cells[0]
    pieces = [read_piece(part) for part in AND.split(names) if part.strip()]
    pieces = [piece for piece in pieces if piece.words or piece.title]
    if not 1 < len(pieces) <= MOST_PEOPLE or any(len(piece.words) > MOST_WORDS for piece in pieces):
        return []
    facts.pop("ladies", None)
    people = [RosterLine(*read_person(place, pieces, family, order), **facts) for place in range(len(pieces))]
    return [*people[:-1], replace(people[-1], licence=licence)]


def read_piece(part: str) -> Piece:
    words = part.strip(f"{AROUND},;:-–—").split()
    if words and words[0].casefold() in TITLES | {"m"}:
        return Piece("Mme" if words[0].casefold() in LADY_TITLES else "M.", words[1:], by_title=True)
    said = simplify_name(" ".join(words))
    if (match := PARTNER.match(said)) and match.end():
        taken = len(said[: match.end()].split())
        return Piece("Mme" if match[1] else "M." if match[2] else "", words[taken:])
    return Piece("", words)


def read_person(place: int, pieces: list[Piece], family: str, order: NameOrder) -> tuple[str, str]:
    """Return the family name and the first name of one of the people.

    A person without a family name gets that of another one in the line.
    """
    piece = pieces[place]
    if len(piece.words) > 1:
        return split_piece(piece.words, order)
    if not family:
        others = [other for other in [*pieces[place:], *reversed(pieces[:place])] if other.is_full]
        family = family_of(others[0], order) if others else ""
    if piece.by_title and piece.words:
        return piece.words[0], piece.title
    if not family and not piece.words:  # no family name is written: use the name of the other person
        return next((other.words[0] for other in pieces if other.words), piece.title), piece.title
    if not family:
        return piece.words[0], ""
    return family, piece.words[0] if piece.words else piece.title


def family_of(piece: Piece, order: NameOrder) -> str:
    return split_piece(piece.words, order)[0] if len(piece.words) > 1 else piece.words[0]


def split_piece(words: list[str], order: NameOrder) -> tuple[str, str]:
    """Return family name and first name. If nothing else shows their order, a frequent first name shows it."""
    name = " ".join(words)
    if order == NameOrder.SEEN and told_order(name) == NameOrder.SEEN:
        order = order_of_first_names(name)
    return split_name(name, order)


def order_of_first_names(name: str) -> NameOrder:
    """Return the order of a name if just one of its first and last words is a frequent first name, else SEEN."""
    words = words_of(name) or [""]
    first, last = words[0] in FIRST_NAMES, words[-1] in FIRST_NAMES
    return NameOrder.SEEN if first == last else NameOrder.FAMILY_FIRST if last else NameOrder.FIRST_NAME_FIRST


CALL = r"t[ée]l(?:[ée]phone)?|port(?:able)?|mob(?:ile)?|gsm|fax|phone|e-?mail|mail|courriel"
SERIES = (
    r"(?:[1-4]\s*+(?:[èe]re|re|er|nde?|[èe]me|de|[eèé])?|premi[èe]re|deuxi[èe]me|seconde|troisi[èe]me|quatri[èe]me)\s*+s[ée]ries?"
    r"|s[ée]rie\s*+[1-4]|promotion"
)
ROLES = (
    r"(?:vice[- ])?pr[ée]sidente?|directeur|directrice|arbitre|tr[ée]sori(?:er|[èe]re)|secr[ée]taire|"
    r"organisat(?:eur|rice)|responsable|capitaine"
)
HOUR = r"(?:arriv(?:e|era)|vient|apr[èe]s|d[èe]s|vers|jusqu.[àa]|[àa])?\s*+(?:[àa]|vers)?\s*+\d{1,2}\s*+h(?:\s*\d{2})?"
# These words are remarks only in small letters: with a capital they may be names.
SMALL = (
    r"invitée?|débutante?|absente?|présente?|excusée?|payée?|ok|oui|confirmée?|à confirmer|à payer|en attente|"
    r"liste d.attente|remplaçante?|(?:non )?licenciée?|si possible|peut-être|(?:en )?retard|"
    r"nouveau|nouvelle|junior|senior|"
    r"sénior|vétéran|cadet|cadette|dame|adhérente?|guest|late|paid|new"
)
# A town behind its postal code, at the end of a line.
TOWN = re.compile(r"((?:\d{1,4}[.)]?\s+)?[^\d;,\t]*[^\W\d])[^\S\t]+(\d{5}[^\S\t]+[A-ZÀ-Þ][^\d;,\t]*)")
STREETS = (
    r"(?:rue|av\.?|avenue|bd|boulevard|place|pl\.|chemin|ch\.|impasse|all[ée]es?|route|rte|quai|cours|square|r[ée]sidence"
    r"|lotissement|hameau|passage|sentier|voie|villa|cit[ée])\s"
)
IN_STREET = re.compile(STREETS, re.IGNORECASE)
# An address before the name, in cells of its own. “12 Place Luc; Lyon” is a person called Place.
STREET = re.compile(
    rf"(\s*\d{{1,4}}(?:\s?(?:bis|ter|quater|[a-d]))?,?\s+{STREETS}[^;,\t]*[;,\t]"
    r"(?:\s*\d{5}\b[^;,\t]*[;,\t])?)(.*[^\W\d].*)",
    re.IGNORECASE,
)
# A club behind a name, as in the lines of a printed list.
CLUB_BEHIND = re.compile(
    r"((?:\d+\s+)?(?:[A-ZÀ-Þ'’-]{2,}\s+)+(?:[A-ZÀ-Þ][\w'’]*[a-zß-ÿ](?:-[A-ZÀ-Þ]\w*)*\s+)+)((?:[A-ZÀ-Þ'’.-]{3,}|[A-Z]{2}\s+[A-ZÀ-Þ'’-]{2,})(?:\s+[A-ZÀ-Þ'’-]{2,})*)"
)
DASH = re.compile(r"\s+[–—-]\s+")
GAP = r"[^\S\t]*+"  # a tab parts cells
# “Forfait” is a family name too, unless it is the last word.
LEAVING = r"annul[ée]e?s?|d[ée]sist[ée]e?s?|rembours[ée]e?s?|forfait(?![^\S\t]+\w)"
IN_CAPITALS = r"[A-ZÀ-Þ][A-ZÀ-Þ'’-]+"
# The name at birth beside the name in use: “DUPONT née MARTIN Marie”, “MARTIN épouse DUPONT Marie”.
BIRTH_NAME = re.compile(
    rf"(?<!\w)n(?:ée?|ee) (?:{IN_CAPITALS}(?: {IN_CAPITALS})*(?!\w)|[A-ZÀ-Þ][^\s;,\t]*(?={GAP}(?:$|[;,\t])))"
    rf"|{IN_CAPITALS}(?: {IN_CAPITALS})*+ (?:épouse|ép\.?|ep\.?)(?= {IN_CAPITALS})"
)
MARKS = re.compile(
    rf"(?<!\w)\*+|(?<=\w)\*+|(?<!\w)[+x×]\s*+\d(?!\w)|(?<!\w)(?i:{SERIES})(?!\w)|(?<!\w)(?i:{HOUR})(?!\w)"
)
WORDS = re.compile(rf"(?<!\w)(?:(?i:{ROLES}|{LEAVING})|{SMALL})(?!\w)\.?")
CALLED = re.compile(
    rf"(?<!\w)(?<!\ble )(?<!\bla )(?:{CALL})(?!\w){GAP}\.?{GAP}:?(?={GAP}(?:$|[;,\t\0)\]-]))", re.IGNORECASE
)
SPACES = re.compile(r"[^\S\t]+")


def take_notes(raw: str) -> tuple[str, str]:
    """Return a line without its remarks, and the remarks.

    Words that may also be names are remarks only if two other words remain as a name.
    """
    text = SPACES.sub(" ", BULLET.sub("", raw))  # many spaces would make the patterns slow
    text = IN_BRACKETS.sub(lambda found: found[0] if any(map(str.isdigit, found[0])) else " ", text)
    text = TELEPHONE.sub("\0", ADDRESS.sub("\0", text))
    cells = re.split(r"([;,\t])", text)  # the separators are kept. A labelled cell has no remarks
    plain_cells = [place for place, cell in enumerate(cells) if take_labelled([cell])[1]]
    notes: list[str] = []
    words: list[str] = []
    for pattern in (CALLED, MARKS, BIRTH_NAME):
        for place in plain_cells:
            cells[place] = take_out(pattern, cells[place], notes)
    without = [take_out(WORDS, cell, words) if place in plain_cells else cell for place, cell in enumerate(cells)]
    if words and count_words("".join(without)) > 1:
        cells, notes = without, [*notes, *words]
    text = "".join(cells).replace("\0", " ")
    return (text, ", ".join(notes)) if notes and count_words(text) else (raw, "")


def take_out(pattern: re.Pattern[str], text: str, found: list[str]) -> str:
    """Return the text without the matches of the pattern, which are added to `found`."""

    def keep(match: re.Match[str]) -> str:
        found.append(match[0].strip(" .:-"))
        return " "

    return pattern.sub(keep, text)


def count_words(text: str) -> int:
    """Return how many words of a line's names have letters."""
    cells = part_line(text.replace("\0", " ")).cells
    return sum(any(map(str.isalpha, word)) for cell in cells for word in cell.split())


def part_people(text: str) -> list[str]:
    """Return the text of each person, if a line of free text has several of them, otherwise the line.

    Each is before an address, as in the copy of a mail, or commas separate them: three or more, or each with a licence.
    Signs such as commas, “ / ” and “ - ” separate them too if each is a full name. A word such as “Absents :” before
    them stands before each of them, and a word such as “Présents :” is left out.
    """
    if len(text) <= MOST_LETTERS and (listed := LISTED.fullmatch(text)):
        people = part_people(listed[2])
        before = f"{listed[1]} : " if tells_gone(listed[1]) else ""
        return [f"{before}{each}" for each in people] if len(people) > 1 else [text]
    ends = [found.end() for found in ADDRESS.finditer(text) if "@" in found[0]]
    parts = [text[start:end].strip(" ;,\t") for start, end in pairwise([0, *ends, len(text)])]
    if sum(bool(words_of(ADDRESS.sub(" ", part))) for part in parts) > 1 < len(ends):
        return list(filter(None, parts))
    parts = [part.strip() for part in SEVERAL.split(text) if part.strip()]
    names = [take_number(part) for part in parts]
    is_long = len(parts) > 2 or (len(parts) > 1 and all(number for _name, number in names))
    are_names = all(len(words_of(name)) > 1 and not any(map(str.isdigit, name)) for name, _number in names)
    if is_long and are_names:
        return parts
    parts = [part.strip() for part in BETWEEN_PEOPLE.split(text) if part.strip()]
    return (
        parts if 1 < len(parts) <= MOST_WORDS and all(is_full_name(take_number(part)[0]) for part in parts) else [text]
    )


def is_full_name(text: str) -> bool:
    """Return whether a text is surely a whole name: only one of its ends is a first name or, instead, in capitals."""
    bare = strip_line(text)
    words = words_of(bare)
    if len(bare.split()) < 2 or any(map(str.isdigit, text)) or not has_first_name(bare):
        return False
    return bool(told_order(text)) or (bool(order_of_first_names(text)) and FAMILY_NAMES.isdisjoint(words))


def has_first_name(text: str) -> bool:
    """Return whether a text has a frequent first name. That of a town or a club, as in “Saint-Malo”, is none."""
    words = words_of(text)
    return CLUBS.isdisjoint(words) and any(
        word in FIRST_NAMES and before not in SAINTS for before, word in pairwise(["", *words])
    )


def may_name_person(cell: str) -> bool:
    """Return whether a cell beside a name may be another person, and no street, club or town."""
    is_name = " " in cell or FIRST_NAMES.issuperset(words_of(cell))
    return is_name and has_first_name(cell) and not any(map(str.isdigit, cell)) and not IN_STREET.match(cell)


def find_gone(raw: str) -> str:
    """Return the picture or the remark that says that somebody does not come, as in “❌ Luc (absent)”, or ""."""
    if len(raw) > MOST_LETTERS or not (tells_gone(raw) or NO_SIGNS.search(raw)):
        return ""
    found = [*NO_SIGNS.findall(raw), *IN_BRACKETS.findall(raw), take_notes(raw)[1]]
    return next((each.strip("()[]") for each in found if NO_SIGNS.match(each) or tells_gone(each)), "")


@dataclass(frozen=True, slots=True)
class Reading:
    """A person that a line names. `note` has the remarks.

    `line` is the person without the remarks; `whole` is the person if the remarks are a part of the name.
    """

    line: RosterLine
    doubt: Doubt | None = None
    note: str = ""
    whole: RosterLine | None = None


def read_people(raw: str, number: int = 1, order: NameOrder = NameOrder.SEEN) -> list[Reading]:
    """Return the people that a line names, mostly one. Raise RosterError if it names nobody or cannot be read."""
    require_readable(raw, number)
    gone = find_gone(raw)
    raw, places = take_places(raw)
    text, note = take_notes(raw)
    if people := split_couple(text, order):
        if max(len(name) for line in people for name in (line.last_name, line.first_name)) > MAX_NAME:
            raise RosterError("roster_too_long", line=number, most=MAX_NAME)
        note = ", ".join(filter(None, [note, places]))
        return [Reading(line, Doubt.COUPLE, note) for line in people]
    unknown = ", ".join(filter(None, [places, part_line(raw).unknown]))
    if gone:
        return [Reading(read_line(text, number, order), Doubt.GONE, gone)]
    if note:
        line, whole = read_line(text, number, order), try_line(raw, order)
        if line != whole or unknown:
            note = ", ".join(filter(None, [note, places, part_line(text).unknown]))
            return [Reading(line, Doubt.NOTE, note, whole if line != whole else None)]
    is_remark = any(map(may_name_person, part_line(raw).unknown.split(", ")))
    return [Reading(read_line(raw, number, order), Doubt.NOTE if is_remark else None, unknown)]


def take_places(raw: str) -> tuple[str, str]:
    """Return a line without its address, or without what dashes part from a name, such as a club, and this text.

    So is a club in capitals behind a name in which the family name is in capitals, as in “DUPONT Marie LYON”.
    """
    if (street := STREET.fullmatch(raw)) and has_first_name(ADDRESS.sub(" ", street[2])):
        return street[2], street[1].strip(" ;,\t")
    if town := TOWN.fullmatch(raw):
        return town[1], town[2]
    if club := CLUB_BEHIND.fullmatch(raw):
        return club[1], club[2]
    parts = DASH.split(raw)
    if len(parts) < 2:
        return raw, ""
    named = [part for part in parts if told_order(part) and not FIRST_NAMES.isdisjoint(words_of(part))]
    named = named or [part for part in parts if is_full_name(part)]
    others = [part for part in parts if part not in named and part[:1].isupper() and not any(map(str.isdigit, part))]
    if len(named) != 1 or any(map(FIRST_NAMES.issuperset, map(words_of, others))):
        return raw, ""
    return " - ".join(part for part in parts if part not in others), ", ".join(others)


def try_line(raw: str, order: NameOrder) -> RosterLine | None:
    """Return the person that a line names, with its remarks as parts of the name, or None if that is no name."""
    try:
        return read_line(raw, order=order)
    except RosterError:
        return None


def find_lone_licence(raw: str) -> str:
    """Return the licence of a line that has nothing else, otherwise ""."""
    parts = part_line(raw)
    return parts.licence if not any(any(map(str.isalnum, strip_name(cell))) for cell in parts.cells) else ""


def order_by_first_name(line: RosterLine, written: str) -> NameOrder:
    """Return the order that a frequent first name shows in a line without capitals and commas, else SEEN.

    `line` is how the line is read, and `written` its text. A first name that is a family name too shows nothing.
    """
    name = f"{line.first_name} {line.last_name}".strip()
    order = order_of_first_names(name) if FAMILY_NAMES.isdisjoint(words_of(name)) else NameOrder.SEEN
    if line != try_line(written, NameOrder.FAMILY_FIRST):
        return order
    return NameOrder.FAMILY_FIRST if order and begins_with_particle(written) else NameOrder.SEEN


def seems_turned(line: RosterLine) -> bool:
    """Return whether the family name is a frequent first name, and the first name is not."""
    return simplify_name(line.last_name) in FIRST_NAMES and simplify_name(line.first_name) not in FIRST_NAMES


def are_turned(one: RosterLine, other: RosterLine) -> bool:
    """Return whether the two lines have the same two frequent first names in opposite order."""
    last, first = " ".join(words_of(one.last_name)), " ".join(words_of(one.first_name))
    turned = " ".join(words_of(other.first_name)), " ".join(words_of(other.last_name))
    return last != first and (last, first) == turned and FIRST_NAMES.issuperset(turned)
