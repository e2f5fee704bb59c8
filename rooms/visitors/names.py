"""The names of visitors: those that guests give themselves, how others see them, and offensive names.

Each step of an administrator is a line of the log of the administration. The log has the visitor's number only.

Somebody without a name, because it was hidden, forgotten or erased, is shown by a number.
"""

import datetime as dt
import unicodedata
from collections.abc import Iterable
from itertools import pairwise
from typing import ClassVar, NamedTuple

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext

from clubs.models import Player, User
from clubs.names import HIDDEN, simplify_name
from clubs.shown import PUBLIC, how_shown, name_columns_of, public_name
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


class ShownName(NamedTuple):
    """The text to show for a visitor. `is_named`: whether it is a name, and not initials or a number.

    `is_unchecked`: it is the name that an account without a club has chosen. It may be the name of a club's player.
    """

    name: str
    is_named: bool
    is_guest: bool
    is_program: bool
    country: str = ""
    is_unchecked: bool = False


def write_visitor_number(pk: int) -> str:
    return gettext("Player no. %(number)s") % {"number": pk}


def show_visitor_names(visitors: Iterable[Visitor]) -> dict[int, ShownName]:
    """Return how these visitors are shown, by their ids. One query, whatever their number."""
    by_id = {visitor.pk: visitor for visitor in visitors}
    accounts = {visitor.account_id for visitor in by_id.values() if visitor.account_id is not None}
    players: dict[int | None, Player] = {}
    if accounts:
        rows = Player.objects.real().filter(account__in=accounts).select_related(*PUBLIC)
        players = {player.account_id: player for player in rows.order_by("-pk")}
    return {pk: show_visitor(visitor, players.get(visitor.account_id)) for pk, visitor in by_id.items()}


def show_visitor(visitor: Visitor, player: Player | None) -> ShownName:
    """Return how a visitor is shown. `player` is the player of a club that the visitor's account is, or None."""
    is_guest = visitor.account_id is None and visitor.forgotten_at is None
    if player is not None and visitor.account_id is not None:
        shown = how_shown(name_columns_of(player))
        country = "" if shown == "hidden" else player.country
        return ShownName(public_name(player), shown == "name", False, visitor.is_program, country)
    if visitor.hidden_at is not None or not visitor.name:
        return ShownName(write_visitor_number(visitor.pk), False, is_guest, visitor.is_program)
    is_unchecked = visitor.account_id is not None
    country = visitor.country if is_unchecked else ""
    return ShownName(visitor.name, True, is_guest, visitor.is_program, country, is_unchecked)


def report_name(*, visitor_id: int, now: dt.datetime) -> bool:
    """Store that somebody finds a visitor's name offensive. Return False if there is nothing to report."""
    named = Visitor.objects.filter(pk=visitor_id, forgotten_at=None, hidden_at=None).exclude(name="")
    return bool(named.filter(reported_at=None).update(reported_at=now)) or named.exists()


def list_reported() -> QuerySet[Visitor]:
    """Return the visitors whose name was reported and is not hidden, the oldest report first."""
    return Visitor.objects.filter(reported_at__isnull=False, hidden_at=None).order_by("reported_at", "pk")


def list_hidden() -> QuerySet[Visitor]:
    """Return the visitors whose name is hidden, the newest first."""
    return Visitor.objects.filter(hidden_at__isnull=False).order_by("-hidden_at", "-pk")


@transaction.atomic
def hide_name(*, visitor_id: int, by: User, now: dt.datetime) -> None:
    """Show a number instead of a visitor's name, everywhere."""
    change(visitor_id, "name hidden", by, hidden_at=now, hidden_by=by, reported_at=None)


@transaction.atomic
def show_name_again(*, visitor_id: int, by: User) -> None:
    """Show the name of a visitor again, which was hidden."""
    change(visitor_id, "name shown again", by, hidden_at=None, hidden_by=None, reported_at=None)


@transaction.atomic
def keep_name(*, visitor_id: int, by: User) -> None:
    """End the report of a name, which stays."""
    change(visitor_id, "report of the name ended", by, reported_at=None)


def change(visitor_id: int, what: str, by: User, **values: object) -> None:
    if not Visitor.objects.filter(pk=visitor_id, forgotten_at=None).update(**values):
        raise VisitorRefused("visitor_unknown")
    log_of_administration(Visitor, visitor_id, what, by)


def log_of_administration(model: type, pk: int, what: str, by: User) -> None:
    """Add a line to the log of the administration. It names rows by their numbers."""
    LogEntry.objects.create(
        user=by,
        content_type=ContentType.objects.get_for_model(model),
        object_id=str(pk),
        object_repr=f"no. {pk}",
        action_flag=CHANGE,
        change_message=what,
    )
