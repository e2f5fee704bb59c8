"""The personal data of the app `rooms`. This app may not import that one, so it names its models by labels.

A visitor is an account or a guest. An erased account has no name and no player, so that rooms show its number. A guest
who does not come back is forgotten, and then deleted. Only a guest who has played a deal stays, as a number.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from django.apps import apps
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from archives.privacy.personal_data import ExpiryStep, Period, PersonalData, Rows, WithholdReason

GUEST_DAYS = dt.timedelta(days=30)
NO_GAME_DAYS, GONE_DAYS = dt.timedelta(days=2), dt.timedelta(days=90)

PERSONAL_DATA_OF_ROOMS = (
    PersonalData(
        name="visitor",
        model="rooms.Visitor",
        title=_("you as a visitor of the rooms"),
        whose=("account",),
        shows="name simple_name country is_program created_at seen_at",
        hides={"cookie_digest": WithholdReason.SECRET, "hidden_by": WithholdReason.OTHERS},
        empties={"name": "", "simple_name": "", "country": ""},
    ),
    PersonalData(
        name="room_seats",
        model="rooms.RoomSeat",
        title=_("rooms that you played"),
        whose=("visitor__account",),
        shows="room=room__kind opens_at=room__opens_at table=table__number letter joined_at left_at away_at missed"
        " notes_sum deals own_deals rank left_out_at left_out_reason",
        hides={"left_out_by": WithholdReason.OTHERS},
        empties={"left_out_reason": ""},
        codes=("notes_sum",),
    ),
    PersonalData(
        name="room_reviews",
        model="rooms.Game",
        title=_("your own costliest cards in rooms, if you have asked for them"),
        whose=("table__seats__visitor__account",),
        shows="room=table__room__opens_at etui=etui__number review",
        hides=dict.fromkeys(("record", "result", "note", "bot_seats"), WithholdReason.FIGURES),
        empties={"review": lambda _row: {}},
        codes=("record", "result", "note", "bot_seats", "review"),
    ),
    PersonalData(
        name="etuis_met",
        model="rooms.VisitorEtui",
        title=_("étuis of rooms that you have met"),
        whose=("visitor__account",),
        shows="room=etui__deal_set__room__opens_at etui=etui__number shown_at",
        goes=("visitor__account",),
    ),
)
NOBODYS_OF_ROOMS: Mapping[str, tuple[str, ...]] = {
    "rooms.Room": ("bots_version",),
    "rooms.RoomTable": (),
    "rooms.ClassicTerms": ("link",),
    "rooms.ClassicTable": ("ready", "phrases"),
}


def old_guests(now: dt.datetime) -> Rows:
    """Return the guests of rooms who have not come for 30 days."""
    visitors: Any = apps.get_model("rooms.Visitor")
    rows: Rows = visitors.objects.filter(account=None, forgotten_at=None, seen_at__lt=now - GUEST_DAYS)
    return rows


def forget_old_guests(rows: Sequence[Any]) -> None:
    """Remove name, cookie and country of these guests. Their results stay as those of a number."""
    for row in rows:
        row.name = row.simple_name = row.cookie_digest = row.country = ""
        row.forgotten_at, row.reported_at = row.seen_at + GUEST_DAYS, None
        row.hidden_at = row.hidden_by = None
    if rows:
        fields = ["name", "simple_name", "cookie_digest", "country", "forgotten_at", "reported_at"]
        fields += ["hidden_at", "hidden_by"]
        type(rows[0])._base_manager.bulk_update(rows, fields)
        games: Any = apps.get_model("rooms.Game")._base_manager
        games.filter(table__seats__visitor__in=rows).exclude(review={}).update(review={})


def guests_without_a_game(now: dt.datetime) -> Rows:
    """Return the guests who came two days ago or earlier, and have no table at which a deal was begun."""
    visitors: Any = apps.get_model("rooms.Visitor")
    began = apps.get_model("rooms.RoomSeat")._base_manager.filter(visitor=OuterRef("pk"), table__games__isnull=False)
    rows: Rows = visitors.objects.filter(~Exists(began), account=None, seen_at__lt=now - NO_GAME_DAYS)
    return rows


def guests_without_an_own_deal(now: dt.datetime) -> Rows:
    """Return the guests who have not come for 90 days and are in no ranking.

    They sat down in the middle of a deal and left, so no play of an étui has them. All others stay as numbers: their
    notes are compared with those of other tables, and they have a place in the ranking.
    """
    visitors: Any = apps.get_model("rooms.Visitor")
    seats = apps.get_model("rooms.RoomSeat")._base_manager.filter(visitor=OuterRef("pk"))
    games = apps.get_model("rooms.Game")._base_manager.filter(table=OuterRef("table"))
    began = Exists(games.filter(begun_at__gte=OuterRef("joined_at"), begun_at__lte=Coalesce(OuterRef("left_at"), now)))
    kept = seats.filter(Q(room__closed_at=None) | Q(deals__gt=0) | began)
    rows: Rows = visitors.objects.filter(~Exists(kept), account=None, seen_at__lt=now - GONE_DAYS)
    return rows


def delete_guests(rows: Sequence[Any]) -> None:
    """Delete guests who are in no ranking, with their seats, and with their tables at which nobody played."""
    tables: Any = apps.get_model("rooms.RoomTable")._base_manager
    seats: Any = apps.get_model("rooms.RoomSeat")._base_manager
    ids = [row.pk for row in rows]
    theirs = list(seats.filter(visitor__in=ids).values_list("table", flat=True))
    seats.filter(visitor__in=ids).delete()
    taken = seats.filter(table=OuterRef("pk"), visitor__isnull=False)
    tables.filter(~Exists(taken), pk__in=theirs, games=None).delete()
    if rows:
        type(rows[0])._base_manager.filter(pk__in=ids).delete()


def gone_guests(now: dt.datetime) -> Rows:
    """Return the guests who have not come for 90 days and still have stored rows of étuis that they met."""
    visitors: Any = apps.get_model("rooms.Visitor")
    met = apps.get_model("rooms.VisitorEtui")._base_manager.filter(visitor=OuterRef("pk"))
    rows: Rows = visitors.objects.filter(Exists(met), account=None, seen_at__lt=now - GONE_DAYS)
    return rows


def delete_etuis_met(rows: Sequence[Any]) -> None:
    """Delete which étuis these guests have met. A guest of whom a closed ranking has a place stays as its number."""
    met: Any = apps.get_model("rooms.VisitorEtui")
    met._base_manager.filter(visitor__in=[row.pk for row in rows]).delete()


PERIODS_OF_ROOMS = (
    Period(
        _("A guest of the rooms: the name, and the digest of the cookie by which the device is known"),
        _("until 30 days after the last visit; then the guest is a number"),
        _("So that guests find their results again. The cookie itself is only on the device, for 400 days at most."),
        (ExpiryStep(old_guests, forget_old_guests),),
    ),
    Period(
        _("A guest of the rooms who has begun no deal"),
        _("until two days after the last visit; then everything of the guest is deleted"),
        _("So that guests who never play leave nothing behind."),
        (ExpiryStep(guests_without_a_game, delete_guests),),
    ),
    Period(
        _("A guest of the rooms who has only played the end of a deal that others had begun"),
        _("until 90 days after the last visit; then everything of the guest is deleted"),
        _("So that a guest who comes back meets no étui twice. No ranking has such a guest."),
        (ExpiryStep(guests_without_an_own_deal, delete_guests),),
    ),
    Period(
        _("A guest of the rooms who has played a deal: a number, the hours of the seats, the notes and the moves"),
        _("as long as the site has the room; without name, cookie, country and list of étuis"),
        _("So that no closed ranking and no record changes: notes compare all tables that played the étui."),
    ),
    Period(
        _("Which étuis a guest of the rooms has met"),
        _("until 90 days after the last visit"),
        _("So that nobody meets an étui twice."),
        (ExpiryStep(gone_guests, delete_etuis_met),),
    ),
    Period(
        _("What an account plays in rooms, the étuis that it has met, and a name for rooms without a club"),
        _("until the account is erased; the results then stay as those of a number"),
        _("So that nobody meets an étui twice, and because the rankings belong to everybody who played."),
    ),
)
