"""The data that a table's screen may show, in the reader's language, also where tables deal their own cards.

This module only reads, in a fixed number of queries. The data are the table's plays with their results, and where the
players come from and go to. There are no cards. Results of other tables are there only as far as the session's setting
`shows_after` allows. When the players of a position move on, their entries are hidden, because the next players may
still have the same étuis to play. Once the evening is over, players have their public names, because anybody may then
find a phone or a card of the table.

Where a table deals, the étui is only a number. For plays of étuis the functions return what other formats have.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from django.urls import reverse

from deals.domain.cards import Seat
from deals.domain.etui import leader
from evenings.glance import Glance, glance_at_table
from evenings.plays.common import EAST_SIDE, NORTH_SIDE, common_of
from evenings.plays.entries import entry_of
from evenings.plays.free import count_unseated, find_last_seated
from evenings.plays.state import PlayState
from evenings.plays.table_plays import TablePlay, is_closed, is_complete, last_over, present_position
from evenings.requests.reading import requests_at
from evenings.tables.after import After, write_share
from evenings.tables.attacks import attack_data, attacker_data, teams_data
from evenings.tables.devices import SEEN_EVERY
from evenings.tables.here import Here
from evenings.tables.recording import list_keys, record_data
from scoring.contract import find_rules, score_deal
from scoring.formats import find_format
from scoring.free import find_dealer, find_opener, find_turn
from scoring.teams import find_facing
from tournaments.models import ArbiterCall, Entrant, Play, ResultEntry, Session, Table, Tournament
from tournaments.prepared import PreparedRows
from tournaments.published import Shows
from tournaments.rules.clock import find_age
from tournaments.rules.entry import Entry, Facts, GameSheet, base_score, entry_to_data, partner_of, seat_marks, taker_of
from tournaments.words.messages import say_line
from tournaments.words.stamps import make_stamp


def is_dealt_here(play: Play) -> bool:
    """Return whether the table deals the cards of this play. Reading it takes no query: the étui is known."""
    return not play.etui.dealer


def find_deal_number(play: Play, stop: Sequence[TablePlay]) -> int:
    """Return the number of a deal in its game, from 1 on. `stop` has all plays of the game at this table."""
    return play.etui.number - min(one.play.etui.number for one in stop) + 1


def find_seats_of_stop(stop: Sequence[TablePlay]) -> Mapping[str, Entrant]:
    """Return who sits at the table in a position, by seat. `stop` has its plays, and at least one.

    Where the tables deal, seats are in the order of turn. If somebody left or came within the game, they are those of
    its last deal: a seat may have had another player before.
    """
    if not is_dealt_here(stop[0].play):
        return stop[0].play.seats
    seated = max((one.play for one in stop), key=lambda play: play.etui.number).seats
    return {seat: seated[seat] for seat in find_turn(seated)}


def dealing_data(play: Play, stop: Sequence[TablePlay], *, by_name: bool) -> dict[str, Any]:
    """Return the fields `deal`, `dealer`, `resting` and `seats` of a play, or {} if it is a play of an étui.

    `resting` is left out if nobody rests, and `seats` if the same players sit there in the whole game.
    """
    if not is_dealt_here(play):
        return {}
    number, seats = find_deal_number(play, stop), play.seats
    told: dict[str, Any] = {"deal": number, "dealer": find_dealer(seats, number)}
    if play.resting:
        told["resting"] = play.resting
    if seats != find_seats_of_stop(stop):
        told["seats"] = {seat: {"name": seats[seat].get_name(by_name=by_name)} for seat in find_turn(seats)}
    return told


def find_first_player(play: Play, stop: Sequence[TablePlay]) -> str:
    """Return the seat that speaks and leads first in a deal of a game. The dealer may rest."""
    return find_opener(play.playing_seats, find_dealer(play.seat_ids, find_deal_number(play, stop)))


SERVER = "topage"
NEWEST_CALL = PreparedRows(lambda table: ArbiterCall.objects.filter(table=table).order_by("-id")[:1])
ON_THE_WAY = dt.timedelta(minutes=5)


def glance_of(token: str, device: str, *, now: dt.datetime) -> Glance:
    """Return the glance (the version numbers) of a table. Most requests of a screen need no other query."""
    return glance_at_table(token, device, now, coming=now - ON_THE_WAY, seen=now - SEEN_EVERY)


def stamp_of(glance: Glance, device: str) -> str:
    """Return a stamp that changes whenever the table's state for this device may have changed, except its `now`."""
    return make_stamp("table", device, *glance[: Glance._fields.index("device")])


def build_table_state(here: Here, device: str, *, stamp: str, now: dt.datetime) -> dict[str, Any]:
    """Return the state of a table for one device, as data for JSON.

    `stamp` comes from `stamp_of`, called before the rows were read. If something changes in between, the next stamp
    differs, and the screen asks for the state again.
    """
    table, devices, plays = here.table, here.devices, list(here.plays.values())
    session = table.session
    at = present_position(session, plays)
    over = last_over(session, at)
    mine = devices.get(device)
    own = mine.label if mine else ""
    by_name = not is_over(session, plays)
    shown = After(session, [play for play in plays if play.play.position >= at], here=at, by_name=by_name)
    call = next(iter(NEWEST_CALL(table.pk)), None)
    by_position: dict[int, list[TablePlay]] = {position: [] for position in range(1, session.positions + 1)}
    for play in plays:
        by_position.setdefault(play.play.position, []).append(play)
    return {
        "server": SERVER,
        "session": session_data(session, published=over == session.positions),
        "table": table.number,
        "position": session.position,
        "here": at,
        "clock": clock_data(session),
        "last_call": table.last_call == at,
        "device": {
            "writes": bool(mine and mine.writes),
            "others": len(devices) - bool(mine),
            "known": mine is not None,
            "label": own,
        },
        "call": call_data(call, now),
        "called": str(call.key)[:8] if call else None,
        "stops": [
            {
                "position": position,
                "closed": is_closed(over, position, stop) and (bool(stop) or is_laid_out(session, position)),
                "rest": not stop and is_laid_out(session, position),
                **({} if stop or is_laid_out(session, position) else {"unseated": True}),
                "seats": seats_data(find_seats_of_stop(stop), by_name=by_name) if stop else {},
                "facing": find_facing(list(find_seats_of_stop(stop))) if stop else {},
                "plays": plays_data(stop, shown, own, open_to_table=position >= at, by_name=by_name),
                **(teams_data(stop[0].play, common_of(session), by_name=by_name) if stop else {}),
            }
            for position, stop in sorted(by_position.items())
        ],
        **moves_data(session, by_position, at, by_name=by_name),
        "results": results_data(
            session, [stop for position, stop in sorted(by_position.items()) if position <= at], by_name=by_name
        ),
        "requests": requests_data(table, now, by_name=by_name),
        "stamp": stamp,
        "now": now.isoformat(),
    }


def is_over(session: Session, plays: Sequence[TablePlay]) -> bool:
    """Return whether the evening is over at this table: it is closed, or it is published and no play goes on here.

    If the director calls positions and the last one is still to come, play goes on until no result is missing here.
    `HallView.finished` decides the same for the hall screen.
    """
    if session.closed_at is not None or common_of(session).outcome is None:
        return session.closed_at is not None
    if count_unseated(session):
        return False
    return not 0 < session.position < session.positions or is_complete(plays)


def session_data(session: Session, *, published: bool) -> dict[str, Any]:
    tournament = session.tournament
    return {
        "club": tournament.club.name,
        "tournament": tournament.name,
        "date": session.date.isoformat(),
        "auction": tournament.auction,
        **contracts_data(tournament),
        **({"free_deals": True} if find_format(tournament.format).has_free_deals else {}),
        "shows": Session.ShownAfter.NOTHING.value if tournament.federation else session.shows_after,
        "positions": session.positions,
        "whole_records": session.whole_records,
        "published": published,
        "closed": session.closed_at is not None,
        "address": reverse("session", args=(tournament.club.slug, tournament.slug, session.number)),
    }


def is_laid_out(session: Session, position: int) -> bool:
    """Return whether the players of this position are seated. Where tables deal, that may happen game by game."""
    return position <= find_last_seated(session, (common_of(session).laid,))


def contracts_data(tournament: Tournament) -> dict[str, list[str]]:
    """Return the field `contracts`, from which a taker who is known beforehand chooses. Return {} in other formats."""
    format = find_format(tournament.format)
    return {"contracts": [*map(str, format.contracts)]} if format.asks_contract else {}


def clock_data(session: Session) -> dict[str, Any]:
    ends_at = session.clock_ends_at
    return {"ends_at": ends_at and ends_at.isoformat(), "left": session.clock_left}


def call_data(call: ArbiterCall | None, now: dt.datetime) -> dict[str, Any] | None:
    """Return the data of the table's newest call while it is open, and for ON_THE_WAY after a director answered it.

    Otherwise return None.
    """
    if call is None:
        return None
    if call.answered_at and not (call.answered_by_id and find_age(call.answered_at, now) < ON_THE_WAY):
        return None
    return {"coming": call.answered_at is not None}


def seats_data(seated: Mapping[str, Entrant], *, by_name: bool) -> dict[str, Any]:
    return {line: {"name": who.get_name(by_name=by_name)} for line, who in seated.items()}


def plays_data(
    stop: Sequence[TablePlay], after: After, own: str, *, open_to_table: bool, by_name: bool
) -> list[dict[str, Any]]:
    """Return the data of the étuis of a stop. `after` has other tables' results, if the table may see them now."""
    complete = is_complete(stop)
    # Before this position is called, the table may not see other tables' results.
    reached = after.session.position or after.session.positions
    return [
        play_data(shown, after.session, own, stop=stop, open_to_table=open_to_table)
        | {
            "final": shown.is_final(complete=complete),
            "after": after.data(shown)
            if open_to_table and shown.stands(complete=complete) and shown.play.position <= reached
            else None,
            **attack_data(shown.play, common_of(after.session), by_name=by_name),
            **dealing_data(shown.play, stop, by_name=by_name),
        }
        for shown in stop
    ]


def play_data(
    shown: TablePlay, session: Session, own: str, *, stop: Sequence[TablePlay], open_to_table: bool
) -> dict[str, Any]:
    """Return the data of one étui with its result. Before a blind check, only the device that entered it gets it.

    After an older backup is restored, a device uses `keys` to find the commands that the site has lost.
    """
    play, current = shown.play, shown.current
    check_by = (current or session).check_by
    mine = current is not None and current.device == own
    blind = check_by == Session.Check.BLIND and shown.state == PlayState.ENTERED and not mine
    visible = current if open_to_table and not blind else None
    return {
        "id": play.pk,
        "etui": play.etui.number,
        "taker": play.taker or None,
        "leader": find_first_player(play, stop) if is_dealt_here(play) else find_leader(play),
        "state": shown.state,
        "started": play.started_at is not None,
        "version": current and current.version,
        "entry": visible and entry_to_data(entry_of(visible)) | attacker_data(play, visible, common_of(session)),
        "seat": visible and visible.seat,
        "score": visible and score_data(visible, play, session),
        "check": check_by,
        "arbiter": shown.arbiter,
        "withdrawn": shown.withdrawn,
        "record": record_data(shown.record, visible, session, own) if shown.record and open_to_table else None,
        "keys": list_keys(shown),
    }


def find_leader(play: Play) -> str:
    """Return the seat that leads: the one to the right of the étui's dealer."""
    return leader(Seat(play.etui.dealer), len(play.seat_ids)).value


def score_data(row: ResultEntry, play: Play, session: Session) -> dict[str, Any]:
    """Return the data of a score: the signed base score, the lines that explain it, and the points of each seat.

    The sheet of a game has the base score 0 and no lines: its marks are as they are.
    """
    rules, entry = find_rules(session.tournament.rules), entry_of(row)
    score = base_score(entry, rules)
    lines = score_deal(entry.result, rules).lines if isinstance(entry, Facts) else ()
    return {
        "base_score": score,
        "lines": [{"text": say_line(line), "value": line.amount} for line in lines],
        "marks": {str(seat): mark for seat, mark in marks_of(entry, score, play).items()},
    }


def marks_of(entry: Entry, score: int, play: Play) -> Mapping[str, int]:
    """Return the marks of each seat by an entry with this base score."""
    if isinstance(entry, GameSheet):
        return entry.by_seat
    return seat_marks(taker_of(entry), score, play.playing_seats, partner_of(entry))


def moves_data(
    session: Session, stops: Mapping[int, Sequence[TablePlay]], here: int, *, by_name: bool
) -> dict[str, Any]:
    """Return the places to which players go after this position, and to which the players before them went.

    `next` has the places to which these players go. `left` has those to which the players before them went. A place is
    a table's number, or "rest". After the last position there is none. Both come from the present plan.
    """
    leaving: dict[int, list[Entrant]] = {}
    for position in (here - 1, here):
        plays = stops.get(position, ())
        going = plays and position < session.positions and is_laid_out(session, position + 1)
        people = list(dict.fromkeys(find_seats_of_stop(plays).values())) if going else []
        leaving[position] = [one for one in people if one.last_position is None or one.last_position > position]
    gone, coming = (
        [describe_move(session, stops[position][0].play, one, by_name=by_name) for one in people]
        for position, people in leaving.items()
    )
    return {"next": coming, "left": {"position": here - 1, "next": gone} if gone else None}


def results_data(session: Session, stops: Sequence[Sequence[TablePlay]], *, by_name: bool) -> dict[str, Any] | None:
    """Return the published results of the last four players at the table, or None.

    Return them only if the ranking is published and shown, and if no result is missing here or the evening is closed.
    `stops` has the plays of the table by position, up to the present position.
    """
    common = common_of(session)
    outcome, last = common.outcome, next((stop for stop in reversed(stops) if stop), ())
    over = session.closed_at is not None or (len(stops) == session.positions and all(map(is_complete, stops)))
    if outcome is None or not outcome.is_public or not session.shows_ranking or not over:
        return None
    tournament = session.tournament
    where = (tournament.club.slug, tournament.slug, session.number)
    players = []
    told, format = set[int](), find_format(tournament.format)
    for line, entrant in last[0].play.seats.items() if last else ():
        player = outcome.by_entrant.get(entrant.pk)
        if player is None or entrant.pk in told:
            continue
        told.add(entrant.pk)
        address = reverse("feuille", args=(*where, outcome.version, entrant.pk))
        players.append(
            {
                "line": line,
                "name": entrant.get_name(by_name=by_name),
                "rank": outcome.rank(player),
                "percent": write_share(player.overall, format),
                "address": address if Shows.to_readers(session).feuilles else None,
            }
        )
    return {"status": outcome.status, "players": players, "address": reverse("ranking", args=where)}


def requests_data(table: Table, now: dt.datetime, *, by_name: bool) -> list[dict[str, Any]]:
    """Return the open requests for corrections of plays of this table, with the other players' answers.

    Return [] before a publication.
    """
    common = common_of(table.session)
    if common.outcome is None or not common.outcome.is_public:
        return []

    def name_of(entrant: int) -> str:
        return common.people[entrant].get_name(by_name=by_name)

    return [
        {
            "id": asked.request.pk,
            "etui": asked.play.etui.number,
            "position": asked.play.position,
            "name": name_of(asked.request.entrant_id),
            "text": asked.request.text,
            "voices": [
                {
                    "line": voice.line,
                    "name": name_of(voice.entrant.pk),
                    "agrees": voice.agrees,
                    "own": voice.word is not None and not voice.word.device,
                }
                for voice in asked.voices
            ],
        }
        for asked in requests_at(table, now=now)
    ]


def describe_move(session: Session, play: Play, entrant: Entrant, *, by_name: bool) -> dict[str, Any]:
    """Return the data of a player of this play, and of the place that the player goes to in the next position.

    A rover, who has no table of their own, may go to a line that is not their own. A team may go to several tables. If
    one of its players attacks all session, the player and the three others each have a place of their own.
    """
    seats = common_of(session).seats.get((play.position + 1, entrant.pk), ())
    part = NORTH_SIDE if entrant == play.seats.get(play.taker) else EAST_SIDE
    own = find_format(session.tournament.format).is_mirrored
    if own:
        seats = [place for place in seats if place[1] == part]
    table, line = seats[0] if seats else ("rest", part if own else entrant.line or NORTH_SIDE)
    more: dict[str, Any] = {"tables": sorted(number for number, _line in seats)} if len(seats) > 1 else {}
    return {"name": entrant.get_name(by_name=by_name), "line": line, "table": table, **more} | (
        {"part": True} if own else {}
    )
