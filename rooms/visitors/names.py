"""The names that guests give themselves: cleaned, of 2 to 40 letters, and no name twice at once."""

import unicodedata
from itertools import pairwise
from typing import ClassVar

from clubs.names import HIDDEN, simplify_name
from rooms.models import Visitor
from wording import Refusal, Texts
from wording import gettext_noop as _

FEWEST, MOST = 2, 40
MOST_TRIES = 200  # numbers that are tried behind a name that is taken
MOST_SIMPLE = 80  # letters of a simplified name
# Digits and signs that a name may have beside letters.
SIGNS = frozenset(" -’'.0123456789")


class VisitorRefused(Refusal):
    """A refused name, or another refused step of a visitor: nothing was written."""

    messages: ClassVar[Texts] = {
        "guest_name_short": _("Choose a name of 2 letters at least."),
        "guest_name_long": _("Choose a name of 40 letters at most."),
        "guest_name_signs": _("A name has letters, digits, spaces, hyphens, dots, apostrophes: leave out “%(sign)s”."),
        "guest_name_taken": _("Too many guests have this name now: choose another."),
        "guest_name_just_taken": _("Another player took this name at the same moment: choose another."),
        "account_plays_now": _("This account began to play on another device just now: try again."),
        "visitor_unknown": _("This player of the rooms is not known any more."),
        "guest_plays_here": _("A guest of this device plays in this room: say first whether it is you."),
        "not_a_guest": _("You are not playing as a guest on this device."),
        "forget_unsure": _("Tick the box if the site should forget you: nobody can undo it."),
        "reason_missing": _("Say why: the players read the reason."),
        "room_not_ranked": _("This room has no ranking yet: wait until it closes."),
    }


def clean_guest_name(text: str) -> str:
    """Return the name as it is stored: without hidden characters and double spaces.

    Raise `VisitorRefused` if it is too short, too long, or has signs that no name has.
    """
    name = " ".join(unicodedata.normalize("NFC", HIDDEN.sub(" ", text)).split())
    if sum(letter.isalpha() for letter in name) < FEWEST:
        raise VisitorRefused("guest_name_short", "name")
    if len(name) > MOST:
        raise VisitorRefused("guest_name_long", "name")
    for before, sign in pairwise(f" {name}"):
        is_lone_mark = is_mark(sign) and not is_mark(before)  # several marks would cover the lines beside the name
        if not (sign.isalpha() or is_lone_mark or sign in SIGNS):
            raise VisitorRefused("guest_name_signs", "name", sign=sign)
    return name


def is_mark(sign: str) -> bool:
    """Return whether the sign is an accent that stands behind its letter."""
    return "\u0300" <= sign <= "\u036f"


def list_name_columns(name: str) -> dict[str, str]:
    """Return the columns of a visitor that store this name."""
    return {"name": name, "simple_name": simplify_name(name)[:MOST_SIMPLE]}


def find_free_name(name: str, visitor: Visitor | None = None) -> str:
    """Return the name, with a number behind it if somebody else in the rooms has it: the second Paul is "Paul 2".

    Capitals and accents do not make another name. One query, whatever the number of visitors.
    """
    numbered = (f"{name[: MOST - len(str(number)) - 1].rstrip()} {number}" for number in range(2, MOST_TRIES))
    wanted = {candidate: list_name_columns(candidate)["simple_name"] for candidate in (name, *numbered)}
    others = Visitor.objects.filter(simple_name__in=set(wanted.values()))
    others = others if visitor is None else others.exclude(pk=visitor.pk)
    taken = set(others.values_list("simple_name", flat=True))
    free = next((candidate for candidate, simple in wanted.items() if simple not in taken), None)
    if free is None:
        raise VisitorRefused("guest_name_taken", "name")
    return free
