"""The personal data of the app `rooms`, which lies above: models are named by their labels.

A visitor is an account or a guest. `rooms.privacy` forgets guests, and makes an erased account's visitor a number.
"""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from tournaments.privacy.personal_data import PersonalData, WithholdReason

PERSONAL_DATA_OF_ROOMS = (
    PersonalData(
        name="visitor",
        model="rooms.Visitor",
        title=_("you as a visitor of the rooms"),
        whose=("account",),
        shows="name country is_program created_at seen_at",
        hides={"cookie_digest": WithholdReason.SECRET, "hidden_by": WithholdReason.OTHERS},
        empties={"name": "", "country": ""},
    ),
    PersonalData(
        name="room_seats",
        model="rooms.RoomSeat",
        title=_("rooms that you played"),
        whose=("visitor__account",),
        shows="room=room__kind opens_at=room__opens_at table=table__number letter joined_at left_at notes_sum deals"
        " own_deals rank left_out_at left_out_reason",
        hides={"left_out_by": WithholdReason.OTHERS},
        empties={"left_out_reason": ""},
        codes=("notes_sum",),
    ),
    PersonalData(
        name="etuis_met",
        model="rooms.VisitorEtui",
        title=_("étuis of rooms that you have met"),
        whose=("visitor__account",),
        shows="room=etui__deal_set__room__opens_at etui=etui__number shown_at",
    ),
)
NOBODYS_OF_ROOMS: Mapping[str, tuple[str, ...]] = {
    "rooms.Game": ("record", "result", "note"),
    "rooms.Room": ("bots_version",),
    "rooms.RoomTable": (),
}
