"""The reader of a list of players, with one player on each line. Lines that are probably no players are set apart.

`DUPONT Marie`, `Marie DUPONT`, `Dupont, Marie` and `Dupont; Marie; 123456` all give the family name Dupont and the
first name Marie. A number at the end is the licence. Without capitals or a comma, the first word is the first name,
unless the caller says that the list has another order. These parts of lines are skipped: numbers and bullets before
names, titles, addresses, telephone numbers, dates, pictures, brackets. A cell may have a label, as in `Club: Lyon`. The
columns of a file are read like such cells.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import accumulate
from typing import ClassVar, NamedTuple

from clubs.names import hidden_in, simplify_name, words_of
from wording import CodedError, Texts
from wording import gettext_noop as _

MAX_NAME = 80
MOST_LETTERS = 400  # the most letters of a line; longer lines are not read, because the patterns would take too long
MOST_WORDS = 10  # the most words of a name; a longer line is a sentence
LICENCE = re.compile(r"[0-9][0-9A-Za-z-]{2,19}$")
LONG = re.compile(r"\d{5}")
# A number that is a cell of its own without a sign: before the name, or a long one after it.
LICENCE_BY_BLANKS = re.compile(r"^(\d{4,19})\s++(?:[-–—:]\s*+)?(?=[^\W\d])|(?<=\S)\s++(\d{6,20})\s++(?=[^\W\d])")
BESIDE_LICENCE = re.compile(
    r"(?<=\d\d\d)\s++[-–—/|]\s++"
    r"|(?<=\S)\s++[-–—/|]\s++(?=(?:(?:lic[a-z.]*+|n[°o.]*+) ?){0,2}\d[0-9A-Za-z-]{2,19}(?!\S))",
    re.IGNORECASE,
)
NUMBERED = re.compile(r"^\s*(?:\(?\d{1,4}\s*(?:[.):°]|/(?=\s))+\s*|\d{1,3}\s*[-–—]?\s+(?=[^\W\d]))(?=.*[^\W\d])")
BULLET = re.compile(r"^(?:[\s>*•·▪◦‣→–—-]|o\s+(?=[A-ZÀ-Þ]))+|\s*[-–—]+\s*$")
KEYCAPS = re.compile(r"^\s*+(?:[0-9#*]\ufe0f?\u20e3)+")  # a number as a picture: 1️⃣
ADDRESS = re.compile(
    r"<?\bmailto:\S+|<?(?<![^\s<>,;@])[^\s<>,;@]+@[^\s<>,;@]+\.[^\s<>,;@]+>?|<?\b(?:https?://|www\.)[^\s<>]+>?",
    re.IGNORECASE,
)
TELEPHONE = re.compile(r"(?<!\w)(?:\+\d{2,3}[ .-]?\d|0\d)(?:[ .-]?\d{2}){4}(?!\w)")
DATE = re.compile(r"(?<!\w)(?:\d{1,2}([/.-])\d{1,2}\1(?:19|20)\d\d|(?:19|20)\d\d-\d\d-\d\d|\d{1,2}/\d{1,2}/\d\d)(?!\w)")
LICENCE_IN_BRACKETS = re.compile(
    r"[(\[]\s*+(?:n°|no\.?|lic(?:ence|\.)?)?\s*+:?\s*+([0-9][0-9A-Za-z-]{2,19})\s*[)\]]", re.IGNORECASE
)
BEFORE_LICENCE = re.compile(
    r"\b(?:lic(?:ence|ense|\.)?|n°|no\.?)\s*+(?:n°|no\.?)?\s*+:?\s*+(?=[0-9][0-9A-Za-z-]{2,19}\s*$)", re.IGNORECASE
)
IN_BRACKETS = re.compile(r"[(\[][^)\]]*[)\]]")
LADY_TITLES = {"mme", "mme.", "mlle", "mlle.", "madame", "mademoiselle", "mrs", "mrs.", "ms", "ms."}
TITLES = LADY_TITLES | {"m.", "mr", "mr.", "monsieur"}
AROUND = " \t\"“”«»'‘’!?.…_|/\\&+#~°"
PARTICLES = {"d", "da", "de", "del", "della", "den", "der", "des", "di", "dos", "du", "la", "le", "les", "van", "von"}
FIRST_PARTICLES = PARTICLES - {"d"}  # with which a family name may begin a line
# Words that begin a family name if another word of it and a first name follow. Alone they may be a name.
BEGINNINGS = {"abd", "abou", "ait", "al", "ben", "bou", "el", "mac", "mc", "saint", "sainte", "san", "st", "ste", "ter"}
SMALL_START = re.compile(r"(?:[DLdl]['’]|Ma?c|De|Di|Du|La|Le|Van)(?=[^\W\d_]{2})")  # as in “d’ARVOR”, “McDONALD”
INITIALS = re.compile(r"(?:[^\W\d_][.-]+)+[^\W\d_]?")  # as in “J.-P.”


LABELLED = re.compile(r"\s*([^\W\d_][^:;,\t]{0,30}?)\s*:\s*(.*?)\s*$")
LABELS = {
    "origin": {"club", "club d'origine", "origine", "association", "club of origin", "origin"},
    "category": {"categorie", "categories", "cat", "cat.", "category", "serie", "series"},
    "ladies": {"dame", "lady", "sexe", "sex"},
}
MOST_ORIGIN = 120  # of a club of origin
# The texts of a cell that say that a player is in the category ladies (LADY), or is not (NO_LADY).
LADY = {"x", "oui", "o", "yes", "y", "1", "vrai", "true", "dame", "dames", "d", "femme", "f", "feminin", "female", "w"}
LADY |= {"lady", "ladies", "woman", "mme", "mlle", "madame"}
NO_LADY = {"", "-", "non", "n", "no", "0", "faux", "false", "homme", "h", "m", "masculin", "male", "man", "monsieur"}
LADIES = "ladies"
# Stored value of a player's category → the words that files use for it.
CATEGORIES = {
    "youth": {"youth", "under 18", "u18", "moins de 18", "moins de 18 ans", "jeune", "jeunes"}
    | {"cadet", "cadets", "minime"},
    "junior": {"junior", "juniors", "j"},
    "senior": {"senior", "seniors", "s"},
    "veteran": {"veteran", "veterans", "v"},
}


# The texts that name a player's series, with or without the word “série”.
SERIES = re.compile(r"(?:s(?:eries?)? ?)?(?:([1-4])(?:re|ere|er|e|eme|nde|nd|de)?|(promo(?:tion)?))(?: series?)?")
ORDINALS = {"premiere": "1", "deuxieme": "2", "seconde": "2", "troisieme": "3", "quatrieme": "4"}
PROMOTION = "promotion"


class LineParts(NamedTuple):
    """The parts of a line: the data of its labelled cells, its licence or "", and the cells of its names.

    `unknown` is the text of a cell that is not understood, or "".
    """

    facts: dict[str, str]
    licence: str
    cells: list[str]
    unknown: str


def part_line(raw: str) -> LineParts:
    """Return the parts of a line.

    A name has two cells at most, behind that of a title. Those after a licence are no names, as in “DUPONT Marie;
    12345; Lyon”.
    """
    facts, cells, unknown = take_labelled(split_line(raw))
    licence, cells, after = find_licence(cells)
    cells = cells[1:] if len(cells) > 2 and cells[0].casefold() in TITLES | {"m"} else cells
    return LineParts(facts, licence, cells[:2], ", ".join(filter(None, [unknown, *cells[2:], *after])))


def take_labelled(cells: list[str]) -> tuple[dict[str, str], list[str], str]:
    """Return the data of the cells with a label, the other cells, and the text of a cell that is not understood, or "".

    The data are by the field of a line.
    """
    facts: dict[str, str] = {}
    others, unknown = [], ""
    for cell in cells:
        match = LABELLED.match(cell)
        label = next((name for name, words in LABELS.items() if match and simplify_name(match[1]) in words), "")
        value = match[2][:MOST_ORIGIN] if match and label else cell
        fact = read_fact(label, value) if label else None
        if fact is not None:
            facts |= fact
        elif not label or (label == "ladies" and " " in value.strip(" .")):  # a name, as in “Dame : Marie Dupont”
            others.append(value)
        else:
            unknown = value
    return facts, others, unknown


def read_fact(label: str, text: str) -> dict[str, str] | None:
    """Return the data that a cell with this label gives, by the field of a line, or None if it is not understood."""
    if label == "origin":
        return {label: text[:MOST_ORIGIN]}
    if label == "ladies":
        said = " ".join(simplify_name(text).strip(" .").split())
        return {label: LADIES if said in LADY else ""} if said in LADY | NO_LADY else None
    if series := find_series(text):
        return {"series": series}
    category = find_category(text)
    return {"category": category} if category else None


def find_category(text: str) -> str:
    """Return the stored value of the category that a text names, or "": “Vétéran 2” and “vet” give “veteran”."""
    said = " ".join(simplify_name(text).split())
    stem = said.rstrip(" 0123456789")
    named = [(value, word) for value, words in CATEGORIES.items() for word in words]
    fits = (value for value, word in named if word in (said, stem) or (stem[2:] and word.startswith(stem)))
    return next(fits, "")


def find_series(text: str) -> str:
    """Return the stored value of the series that a text names, or "" if it names none: “3e série” gives “3”."""
    said = " ".join(ORDINALS.get(word, word) for word in simplify_name(text).split())
    match = SERIES.fullmatch(said)
    return (match[1] or PROMOTION) if match else ""


OF_PRESENCE = r"presente?s?|presence|participez?|participerez|participera|participation|viendr\w+|attending|coming|rsvp"
GONE = re.compile(
    r"(?<!non )(?<!not )\b(?:annul(?:ee?s?|ation)|refuse(?:e|s|d)?|rembours(?:ee?s?|ement)|cancell?ed|cancell?ation"
    r"|refund(?:ed)?|deleted|supprimee?s?|not attending|abandonn\w*|desist\w*|rejet\w*|rejected|declin\w*"
    r"|retiree?s? par|removed|withdr[ae]w\w*|desinscri\w*|absente?s?|excusee?s?|forfaits?|no show"
    r"|expiree?s?|expired|echouee?s?|failed|storniert|abgesagt|abgemeldet|(?:cancel|anul)ad[ao]s?|annullat[aeio]"
    rf"|(?:{OF_PRESENCE})\b.*\b(?:n|non?|faux|false)$|presen\w+\b.*\b0$)\b"  # “Participation 0” may be a price
)
NO_SIGNS = re.compile("[❌❎✖✗✘🚫⛔👎]")  # the pictures that people put before somebody who does not come


def is_gone(status: str) -> bool:
    """Return whether a status says that a registration no longer holds: cancelled, refunded, refused."""
    return GONE.search(simplify_name(status)) is not None


# The card, as in the names of clubs: “L’Excuse nantaise”. Only in “excusé” has the last letter an accent.
CARD = re.compile(r"(?<=\w[ '’])excuse\b|\bexcuse(?=\s+\w)", re.IGNORECASE)


def tells_gone(text: str) -> bool:
    """Return whether a remark or a heading says that somebody does not come. A club such as “L’Excuse” does not."""
    return is_gone(CARD.sub(" ", text))


UNREAD = _("“%(text)s” is not understood: the line is read without it.")


class Doubt(StrEnum):
    """The reasons why somebody is asked about a line, whoever is on the club's list."""

    STRAY = "stray"  # the line is perhaps not a player, but a greeting, a heading or a line of a letter
    SIGNATURE = "signature"  # the line is perhaps the sender of the list
    COUPLE = "couple"  # the line names several people together, and this is one of them
    NOTE = "note"  # there is a remark beside the name
    GONE = "gone"  # the registration was cancelled, refused or refunded
    NUMBER = "number"  # the cell of the licence has something else
    SAME = "same"  # the line is perhaps the person of an earlier line


class NameOrder(StrEnum):
    """The order in which a list writes names. SEEN: capitals and commas show the order in each line."""

    SEEN = ""
    FAMILY_FIRST = "family"
    FIRST_NAME_FIRST = "first"


@dataclass(frozen=True, slots=True)
class RosterLine:
    """A person as a line names them. Fields other than the name are "" if the line does not have them."""

    last_name: str
    first_name: str
    licence: str = ""
    category: str = ""
    origin: str = ""
    series: str = ""
    ladies: str = ""


FACTS = ("category", "series", "ladies", "origin")  # the data of a line beside name and licence


class RosterError(CodedError):
    """The error for a pasted line that is not a player. `params` has the number of the line."""

    field = "roster"
    messages: ClassVar[Texts] = {
        "roster_too_long": _("Line %(line)s of the list: a name has at most %(most)s letters. Shorten it."),
        "roster_no_name": _(
            "Line %(line)s of the list, “%(text)s”, has no name: write the family name and the first name."
        ),
        "roster_licence_unknown": _(
            "Line %(line)s of the list: nobody in the club has the licence %(licence)s. Write the name beside it."
        ),
        "roster_hidden": _(
            "Line %(line)s of the list has an invisible character or a pile of accents (%(character)s): type it again."
        ),
        "roster_formula": _("Line %(line)s of the list is a formula, “%(text)s”: write the name that its cell shows."),
        "roster_too_many": _("A list has at most %(most)s lines, and this one has %(found)s: send it in parts."),
        "roster_columns": _(
            "A table has at most %(most)s columns, and this one has %(found)s: delete those that need not be read."
        ),
        "roster_doubt": _(
            "Line %(line)s of the list, “%(text)s”, is nearly the name of somebody on the club’s list: "
            "choose who it is."
        ),
        "roster_unclear": _(
            "Line %(line)s of the list, “%(text)s”, can be read in more than one way: choose the right one."
        ),
        "roster_licence_twice": _(
            "Line %(line)s of the list: %(name)s has the licence %(licence)s of %(other)s. Correct one of them."
        ),
        "roster_twice": _("Line %(line)s of the list: %(name)s is already on line %(first)s. Remove one of them."),
    }


def read_line(raw: str, number: int = 1, order: NameOrder = NameOrder.SEEN) -> RosterLine:
    """Return the person that one line names. Raise RosterError if it names nobody or cannot be read.

    `order`: the order of names, also in cells. If only the family name is in capitals, the capitals decide instead.
    """
    require_readable(raw, number)
    facts, licence, parts, unknown = part_line(raw)
    parts = [name for part in parts if (name := strip_name(part))]
    words = sum(len(part.split()) for part in (parts if licence else [*parts, unknown]))
    if not any(map(str.isalpha, "".join(parts[:1]))) or words > MOST_WORDS or raw.rstrip().endswith(":"):
        raise RosterError("roster_no_name", line=number, text=shorten(raw))
    last_name, first_name = split_cells(parts, order) if len(parts) > 1 else split_name(parts[0], order)
    if max(len(last_name), len(first_name)) > MAX_NAME:
        raise RosterError("roster_too_long", line=number, most=MAX_NAME)
    return RosterLine(last_name, first_name, licence, **facts)


def require_readable(raw: str, number: int) -> None:
    """Raise RosterError if a line is far too long, is a formula, or has a hidden character."""
    if len(raw) > MOST_LETTERS:
        raise RosterError("roster_too_long", line=number, most=MAX_NAME)
    if code := hidden_in(raw.replace("\t", " ")):
        raise RosterError("roster_hidden", line=number, character=code)
    if raw.lstrip(AROUND).startswith("="):
        raise RosterError("roster_formula", line=number, text=shorten(raw))


def split_line(raw: str) -> list[str]:
    """Return the cells of a line, without empty cells and without the parts that are not names.

    Dashes and bars between blanks part cells only beside a licence. A long number is a cell of its own.
    """
    text = LICENCE_BY_BLANKS.sub(r";\1\2;", BESIDE_LICENCE.sub(";", strip_line(raw)))
    return [cell for part in re.split(r"[;,\t]", text) if (cell := " ".join(part.split()))]


def told_order(raw: str) -> NameOrder:
    """Return the order of names in a line in which only the family name is in capitals, else NameOrder.SEEN."""
    cells = part_line(raw).cells
    capitals = find_capitals(strip_name(cells[0]).split()) if len(cells) == 1 else []
    if not any(capitals) or all(capitals) or capitals[0] == capitals[-1]:
        return NameOrder.SEEN
    return NameOrder.FAMILY_FIRST if capitals[0] else NameOrder.FIRST_NAME_FIRST


def begins_with_particle(raw: str) -> bool:
    """Return whether a line begins with a particle, and so with the family name, as in “Le Goff Anaïs”."""
    cells = part_line(raw).cells
    words = strip_name(cells[0]).split() if len(cells) == 1 else []
    return len(words) > 1 and words[0].lower() in FIRST_PARTICLES


def find_capitals(words: Sequence[str]) -> list[bool]:
    """Return for each word whether it is in capitals, as family names are, or a particle before such a word.

    Initials such as “J.-P.” do not count. In “d’ARVOR” and “McDONALD” the beginning is a particle.
    """
    capitals: list[bool] = []
    for word in reversed(words):
        bare = SMALL_START.sub("", word)
        is_capital = bare.isupper() and len(bare) > 1 and not INITIALS.fullmatch(word)
        capitals.append(is_capital or (word.lower() in PARTICLES and capitals[-1:] == [True]))
    return capitals[::-1]


@lru_cache(maxsize=4_096)  # a line is read in several ways
def strip_line(raw: str) -> str:
    """Return the line without the parts that are not names.

    These are addresses, telephone numbers, dates, pictures, remarks in brackets, and the line's number in the list.
    """
    text = KEYCAPS.sub("", raw.replace("\N{NO-BREAK SPACE}", " "))
    text = LICENCE_IN_BRACKETS.sub(r" \1 ", TELEPHONE.sub(" ", DATE.sub(" ", ADDRESS.sub(" ", text))))
    text = IN_BRACKETS.sub(" ", text)
    text = BULLET.sub("", drop_pictures(text))
    return BULLET.sub("", NUMBERED.sub("", text)).replace("<>", " ")


def drop_pictures(text: str) -> str:
    """Return the text without pictures such as 🃏."""
    kinds = {"So", "Sk", "Cs", "Co", "Cf"}
    return "".join(
        letter for letter in text if letter == "°" or (unicodedata.category(letter) not in kinds and letter != "\ufe0f")
    )


def take_number(part: str) -> tuple[str, str]:
    """Return a cell without the licence at its end, and the licence, or ""."""
    words = BEFORE_LICENCE.sub("", part).split()
    if not words or not LICENCE.match(words[-1]):
        return part, ""
    return " ".join(words[:-1]).rstrip(" -–—"), words[-1]


def find_licence(parts: list[str]) -> tuple[str, list[str], list[str]]:
    """Return the licence, or "", the cells of the names, and the cells after the names.

    The licence is a number in a cell of its own or behind a name. A number ends the names, and so does a later cell
    that begins with one, such as an address. Of several numbers the first long one is the licence.
    """
    found = [take_number(part) for part in parts]
    places = [place for place, (_name, number) in enumerate(found) if number]
    start = next((place for place, (name, _number) in enumerate(found) if any(map(str.isalpha, name))), 0)
    ends = [place for place, part in enumerate(parts) if place in places or (place > start and part[0].isdigit())]
    end = next((place for place in ends if place >= start), len(parts))
    short = [place for place in places if place >= start or (place == 0 and len(parts[0]) > 3)]
    at = next((place for place in places if LONG.search(found[place][1])), min(short, default=len(parts)))
    names = [*parts[start:end], *(name for name, number in found[end : end + 1] if name and number)]
    after = [found[end][1] or parts[end]] if end not in (at, len(parts)) else []
    after += [part for place, part in enumerate(parts) if (0 < place < start or place > end) and place != at]
    return found[at][1] if at < len(parts) else "", names, after


def strip_name(part: str) -> str:
    """Return a cell without a title before the name, and without signs around it."""
    words = part.strip(AROUND).split()
    if len(words) > 1 and words[0].casefold() in TITLES:
        words = words[1:]
    return " ".join(words)


def shorten(raw: str) -> str:
    return raw.strip() if len(raw.strip()) <= MAX_NAME else f"{raw.strip()[:MAX_NAME]}…"


def split_cells(parts: list[str], order: NameOrder) -> tuple[str, str]:
    """Return family name and first name of a line with several cells.

    The family name is in the first cell unless the list has the other order.
    """
    if order == NameOrder.FIRST_NAME_FIRST:
        return " ".join(parts[1:]), parts[0]
    return parts[0], " ".join(parts[1:])


def split_name(name: str, order: NameOrder) -> tuple[str, str]:
    """Return family name and first name. If only some words are in capitals, these are the family name.

    Otherwise the order decides. A family name that comes first is one word, with the particles before it. A name that
    begins with a particle begins with the family name.
    """
    words = [word for word in name.split() if word.strip("-–—")]
    capitals = find_capitals(words)
    if any(capitals) and not all(capitals):
        told = list(zip(words, capitals, strict=True))
        return " ".join(word for word, is_last in told if is_last), " ".join(
            word for word, is_last in told if not is_last
        )
    if len(words) == 1:
        return words[0], ""
    if order == NameOrder.FAMILY_FIRST or (order == NameOrder.SEEN and words[0].lower() in FIRST_PARTICLES):
        end = next(place for place in range(1, len(words) + 1) if not goes_on(words, place))
        return " ".join(words[:end]), " ".join(words[end:])
    return " ".join(words[1:]), words[0]


def goes_on(words: Sequence[str], place: int) -> bool:
    """Return whether the family name at the beginning of these words goes on after the first `place` words."""
    word, left = simplify_name(words[place - 1]), len(words) - place
    return (word in PARTICLES and left > 0) or (word in BEGINNINGS and left > 1)


DAYS = "demain|ce soir|plus|vous|toi|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|tous|toutes"
ROLES = (
    "directeur|directrice|arbitre|president|presidente|tresorier|tresoriere|secretaire|organisateur|organisatrice|"
    "responsable|capitaine|director|president|secretary|treasurer"
)
GREETING = re.compile(
    r"(?:bonjour|bonsoir|salut|coucou|hello|hi|hey|dear|good (?:morning|evening)|chers?|cheres?|bjr)\b"
)
CLOSING = re.compile(
    r"(?:(?:tres |bien |plus )?(?:cordialement|amicalement|sincerement|sportivement|respectueusement)|"
    r"amities|bises|bisous|"
    r"(?:avec )?(?:mes |nos )?(?:sinceres |meilleures |cordiales |respectueuses )?salutations|bien a (?:vous|toi)|"
    rf"a (?:tres )?(?:bientot|{DAYS})|bonne (?:journee|soiree|reception|semaine|continuation|lecture|fin|nuit)|"
    r"bon (?:week|weekend|dimanche|courage|tarot)|merci|(?:best |kind |warm )?regards|cheers|thanks|thank you|"
    r"yours (?:sincerely|faithfully|truly)|sincerely|see you)\b"
)
OTHER = re.compile(
    r"(?:voici|ci joint|ci dessous|veuillez|envoye (?:de|depuis)|sent from|get outlook|obtenez|telechargez|"
    r"(?:la )?liste (?:de|des)|list of|inscrits?|inscriptions?|participants?|presents|absents|registered|"
    r"tel|telephone|portable|mobile|mob|gsm|fax|mail|email|e mail|courriel|phone|site(?: web| internet)?|adresse|"
    r"club|association|federation|amicale|comite|tarot club|(?:sous )?tota(?:l|ux)|moyennes?|effectifs?"
    r"|nombre (?:de|des|d|total)|tarot(?=$| (?:d|de|du|des|a|au|en|le)\b)|tournoi|concours|championnat"
    r"|page \d+|feuille \d+|(?:imprime|edite|exporte|extrait|arrete|mis a jour)e?s? (?:le|du|au|par))\b"
)
GROUP = re.compile(r"oui|non|(?:les |non )?(?:invites|licencies|adherents|membres|debutants|remplacants|excuses)")
HEADING = re.compile(
    r"(?:no? )?(?:noms?|prenoms?|joueurs?|players?|names?)(?: (?:et|de|famille|noms?|prenoms?|licences?|"
    r"club|and|inscrits?|presents|du|soir|vendredi|jeudi|first|last|name))*"
)
OFFICE = re.compile(rf"(?:le |la |the |vice )?(?:{ROLES})(?: (?:du|de|des|d|of|adjointe?|general)\b.*)?")
SENTENCE = re.compile(
    r"\b(?:je|nous|vous|viens|vient|viennent|venons|serai|serons|sera|seront|suis|inscris|inscrire|participerai|pourrai|"
    r"we|will|are|coming)\b"
)
HEADER = re.compile(
    r"\s*(?:de|from|à|a|to|cc|cci|objet|subject|date|envoyé|sent|tél|tel|téléphone|portable|mobile|fax|e-?mail|mail|site|"
    r"site web|web|adresse|noms?|prénoms?|licence)\s*:\s*\S",
    re.IGNORECASE,
)
ABSENT = re.compile(  # a heading, and not a sentence such as “Après l’annulation de Luc, voici la liste :”
    r"(?!.*\b(?:pas|aucune?|sans|apres|suite|malgre|hors|voici|inscrits|presents|nouvelle|definitive|rempla\w+)\b)"
)
PRESENT = re.compile(r"(?:les |joueurs? )?(?:presente?s?|inscrite?s?|participante?s?|joueu(?:r|se)s?)")
RULE = re.compile(r"\s*(?:--|__)[-_ ]*$")  # the line above the signature of a mail


def find_strays(lines: Sequence[str]) -> dict[int, Doubt]:
    """Return the lines that are probably no players, by their index: STRAY, SIGNATURE, or GONE below “Absents :”.

    The first name after a closing formula is that of the sender, unless the text names nobody else.
    """
    strays: dict[int, Doubt] = {}
    named, closed, absent = 0, False, False
    for place, raw in enumerate(lines):
        if len(raw) > MOST_LETTERS:
            continue  # too long to be read
        said = " ".join(words_of(strip_line(raw)))
        if raw.rstrip(" *_").endswith(":"):
            absent = tells_gone(raw) and ABSENT.match(said) is not None
        if RULE.match(raw):
            closed = True
        elif not any(map(str.isalpha, said)):
            continue
        elif GREETING.match(said):
            named, closed = 0, False
            strays[place] = Doubt.STRAY
        elif CLOSING.match(said):
            closed, absent = True, False
            strays[place] = Doubt.STRAY
        elif is_stray(raw, said):
            absent = absent and not PRESENT.fullmatch(said)
            strays[place] = Doubt.STRAY
        elif closed and named:
            closed = False
            strays[place] = Doubt.SIGNATURE
        elif absent:
            strays[place] = Doubt.GONE
        else:
            named += 1
    return strays


def list_headings(lines: Sequence[str]) -> list[str]:
    """Return for each line the last heading above it that ends with a colon, as in “Absents :”, or "".

    The headings have no colon. The last item is for a line after all these lines.
    """
    texts = (line.strip(" *_") for line in lines)
    own = (text.rstrip(" :") if text.endswith(":") else "" for text in texts)
    return list(accumulate(own, lambda above, heading: heading or above, initial=""))


def is_stray(raw: str, said: str) -> bool:
    """Return whether a line is a sentence, a heading or another part of a letter.

    `said`: the words of the line without accents.
    """
    whole = OFFICE.fullmatch(said) or HEADING.fullmatch(said) or GROUP.fullmatch(said) or find_series(said)
    return bool(whole or OTHER.match(said) or SENTENCE.search(said) or HEADER.match(raw))
