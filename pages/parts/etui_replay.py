"""The replay on the page of an étui: the plays with a record, the play that is shown, and another one beside it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from deals.domain.cards import show_card
from pages.parts.cards import face
from pages.parts.replay import DrawnReplay, ReplaySeat, ReplayTable, draw_hands, draw_tricks, list_notes, make_replay
from rankings.publication.report import ShownPlay
from referee.records.steps import find_parting, list_steps
from referee.records.values import DealRecord
from referee.rules import order_of_play
from tournaments.words.messages import label, show_signed

Records = Mapping[int, DealRecord]


@dataclass(frozen=True, slots=True)
class OpeningLead:
    """The first card of a play: its name, and the seat and the name of the player who led it."""

    card: str
    seat: str
    player: str


@dataclass(frozen=True, slots=True)
class ReplayChoice:
    """A play that has a record, as a choice of the form."""

    id: int
    title: str


@dataclass(frozen=True, slots=True)
class EtuiReplay:
    """The replay of an étui. `shown` and `beside` are the ids of the plays that are drawn; `beside` may be None."""

    replay: DrawnReplay
    choices: list[ReplayChoice]
    shown: int
    beside: int | None


def find_lead(play: ShownPlay, records: Records) -> OpeningLead | None:
    """Return the opening lead of a play, or None if it was not recorded."""
    record = records.get(play.id)
    if record is None or not record.cards:
        return None
    card, seat = record.cards[0], str(record.first_leader)
    return OpeningLead(face(card).name, seat, play.players[seat].name)


def replay_etui(
    plays: Sequence[ShownPlay], records: Records, *, asked: int | None, beside: int | None, mine: int | None
) -> EtuiReplay | None:
    """Return the replay of an étui, or None if no play has a record.

    The play `asked` for is shown, or else the play of the entrant `mine`, or else the play with the longest record.
    """
    recorded = {play.id: play for play in plays if play.id in records and records[play.id].cards}
    if not recorded:
        return None
    own = [pk for pk, play in recorded.items() if mine is not None and mine in play.seats.values()]
    shown = (
        asked
        if asked is not None and asked in recorded
        else max(own or recorded, key=lambda pk: len(records[pk].cards))
    )
    other = beside if beside in recorded and beside != shown else None
    pair = [recorded[pk] for pk in (shown, other) if pk is not None]
    query = f"?replay={shown}" + (f"&beside={other}" if other else "") + (f"&of={mine}" if mine else "")
    replay = make_replay(
        [make_table(play, records[play.id]) for play in pair],
        query=query,
        parting=say_parting(pair, records) if other else (0, ""),
    )
    choices = [ReplayChoice(pk, name_play(play)) for pk, play in recorded.items()]
    return EtuiReplay(replay, choices, shown, other)


def make_table(play: ShownPlay, record: DealRecord) -> ReplayTable:
    """Return the table of a play, with its players as the publication shows them."""
    steps = list_steps(record)
    return ReplayTable(
        draw_tricks(steps.tricks, record.players),
        draw_hands(steps.hands),
        title=name_play(play),
        seats=[
            ReplaySeat(str(seat), play.players[seat].name, seat == record.taker)
            for seat in order_of_play(record.players)
        ],
        start=steps.start,
        notes=list_notes(steps),
    )


def name_play(play: ShownPlay) -> str:
    """Return the table and the position of a play, with its score: "Table 3, position 2: +66"."""
    place = _("Table %(table)s, position %(position)s") % {"table": play.table, "position": play.position}
    return place if play.base_score is None else f"{place} ({show_signed(play.base_score)})"


def say_parting(pair: Sequence[ShownPlay], records: Records) -> tuple[int, str]:
    """Return the number of the trick in which two tables play different cards, and a sentence about it.

    The number is 0 if both records have the same cards until the shorter one ends.
    """
    one, other = (records[play.id] for play in pair)
    place = find_parting(one, other)
    if place is None:
        return 0, _("As far as both were recorded, these tables played the same cards.")
    number = place // one.players + 1
    first, second = (
        _("%(seat)s plays %(card)s at table %(table)s")
        % {
            "seat": label("line", find_seat(record, place)),
            "card": show_card(record.cards[place]),
            "table": play.table,
        }
        for play, record in zip(pair, (one, other), strict=True)
    )
    told = {"number": number, "one": first, "other": second}
    return number, _("These tables part in trick %(number)s: %(one)s, %(other)s.") % told


def find_seat(record: DealRecord, place: int) -> str:
    """Return the seat that played the card at this place of the record, counted from 0."""
    steps = [step for trick in list_steps(record).tricks for step in trick.steps]
    return str(order_of_play(record.players)[steps[place].player])
