"""The lines of a pasted text that are probably no players: greetings, sentences, headings, signatures."""

import re
from collections.abc import Sequence
from enum import StrEnum

from clubs.names import words_of
from clubs.roster.lines import MOST_LETTERS, strip_line

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
    r"club|association|federation|amicale|comite|tarot club)\b"
)
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
    r"site web|web|adresse)\s*:\s*\S",
    re.IGNORECASE,
)
RULE = re.compile(r"\s*(?:--|__)[-_ ]*$")  # the line above the signature of a mail


class Stray(StrEnum):
    """The kinds of lines that are probably no players."""

    STRAY = "stray"
    SIGNATURE = "signature"


def find_strays(lines: Sequence[str]) -> dict[int, Stray]:
    """Return the lines that are probably no players, by their index.

    The first name after a closing formula is that of the sender, unless the text names nobody else.
    """
    strays: dict[int, Stray] = {}
    named, closed = 0, False
    for place, raw in enumerate(lines):
        if len(raw) > MOST_LETTERS:
            continue  # too long to be read
        said = " ".join(words_of(strip_line(raw)))
        if RULE.match(raw):
            closed = True
        elif not any(map(str.isalpha, said)):
            continue
        elif GREETING.match(said):
            named, closed = 0, False
            strays[place] = Stray.STRAY
        elif CLOSING.match(said):
            closed = True
            strays[place] = Stray.STRAY
        elif is_stray(raw, said):
            strays[place] = Stray.STRAY
        elif closed and named:
            closed = False
            strays[place] = Stray.SIGNATURE
        else:
            named += 1
    return strays


def is_stray(raw: str, said: str) -> bool:
    """Return whether a line is a sentence, a heading or another part of a letter.

    `said`: the words of the line without accents.
    """
    whole = OFFICE.fullmatch(said) or HEADING.fullmatch(said)
    return bool(whole or OTHER.match(said) or SENTENCE.search(said) or HEADER.match(raw))
