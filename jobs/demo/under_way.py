"""The running session of the demonstration: 30 players and a latecomer at 7 tables, with a clock that runs.

The session is a barometer: all tables play the same étuis in each position. The third position is being played. The
tables send results by the commands of their devices. The desk shows all cases that a director may have to handle. These
are unchecked, disputed, contested and odd results, a play for later, a slow table, and a call for the arbiter.
"""

import datetime as dt
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from clubs.models import Club, User
from evenings.changes.carry_out import change_session, number_of_plan
from evenings.plans.choosing import choose_plan, shape_of
from evenings.plans.current import evening_of
from evenings.plans.starting import start_session
from evenings.practice import GUESTS, LATE, PLAYERS, facts, invent_result
from evenings.sessions.running import call_position, last_call
from evenings.sessions.seating import draw_seats, seat_players
from evenings.sessions.setup import create_session, create_tournament
from evenings.tables.command import CONFLICT, RECEIVED
from evenings.tables.commands import receive
from evenings.tables.devices import renew_token
from evenings.tables.here import Here
from jobs.demo.club import DIRECTOR, SLUG, add_listed, make_known_etuis
from scoring.formats import INDIVIDUAL
from tournaments.models import Play, Ruling, Session, Table, TableDevice
from tournaments.permissions import open_codes
from tournaments.rules.entry import Entry, Facts, ask_about_entry, entry_to_data
from tournaments.rules.operations import Arrive

NAME = "Coupe du club"
SEED = bytes(range(32, 64))
DRAWN = 1408
# The time since each position was called. The last one runs for 36 minutes.
CALLED = (dt.timedelta(minutes=97), dt.timedelta(minutes=55), dt.timedelta(minutes=13))
A_PLAY, A_TABLE = dt.timedelta(minutes=9), dt.timedelta(seconds=20)

Place = tuple[int, int, int]  # position, table, and the étui's place in the position, from 1
BEHIND, LATER = (2, 4, 4), (2, 6, 4)
UNCHECKED = {(1, 6, 1), (2, 7, 2), (3, 7, 1)}
ODD, CONTESTED, DISPUTED = (1, 2, 2), (2, 3, 3), (3, 5, 1)
CALLING = (3, 2, 2)
FREE = 1  # the table that has no device at present, so that the next device may enter results
MANY = 2 * 77  # half points; 77 points are possible with any number of bouts
OTHER = "tablet"


@transaction.atomic
def begin_evening(*, now: dt.datetime) -> Session:
    """Make the running session, as it stands at `now`. Return it. If it exists already, return it unchanged.

    `play_evening` must have made the club before.
    """
    begun = Session.objects.filter(tournament__club__slug=SLUG, tournament__name=NAME).first()
    if begun is not None:
        return begun
    director = User.objects.get(username=DIRECTOR)
    session = prepare_session(now - CALLED[0] - dt.timedelta(minutes=8), by=director)
    play_on(session, by=director, now=now)
    return session


def code_of_table(session: Session, number: int, *, now: dt.datetime) -> str:
    """Return a valid code that opens the table's screen. If there is none, make a new one."""
    table = session.tables.get(number=number)
    token = open_codes(now).filter(table=table).first()
    return (token or renew_token(table=table, by=User.objects.get(username=DIRECTOR), now=now)).token


def prepare_session(now: dt.datetime, *, by: User) -> Session:
    """Create and start the session: thirty players on random seats, the first proposed plan, étuis with cards."""
    club = Club.objects.get(slug=SLUG)
    tournament = create_tournament(club=club, name=NAME, format=INDIVIDUAL.name, season=club.seasons.first(), now=now)
    local = timezone.localtime(now)
    session = create_session(
        tournament=tournament,
        date=local.date(),
        starts_at=local.time().replace(minute=local.minute // 5 * 5, second=0, microsecond=0),
        barometer=True,
        shows_after=Session.ShownAfter.TOPAGE,
    )
    players = [player.pk for player in add_listed(club, PLAYERS + GUESTS)]
    seat_players(session_id=session.pk, player_ids=players)
    choose_plan(session_id=session.pk, choice=0, shape=shape_of(session), by=by, now=now)
    draw_seats(session_id=session.pk, seed=DRAWN, by=by, now=now)
    evening = evening_of(session)
    assert evening is not None
    make_known_etuis(session, count=evening.plan.count_etuis(), seed=SEED, now=now)
    return start_session(session_id=session.pk, by=by, now=now)


def play_on(session: Session, *, by: User, now: dt.datetime) -> None:
    """Call each position and send all commands that the tables have sent until `now`.

    After the first position, one more player arrives.
    """
    dice = random.Random(SEED)
    tables = {table.number: table for table in session.tables.all()}
    for position, ago in enumerate(CALLED, start=1):
        called = now - ago
        call_position(session_id=session.pk, position=position, by=by, now=called)
        said = (
            [DeviceCommand(called, table, "join", {"name": "Téléphone"}) for table in tables] if position == 1 else []
        )
        said += say_of_position(session, position, called, dice)
        for word in sorted(said, key=lambda word: word.at):
            if word.at <= now:
                send(tables[word.table], word, dice)
        over = called + 4 * A_PLAY + dt.timedelta(minutes=3)
        if position == 1:
            latecomer = Arrive(players=(add_listed(session.tournament.club, LATE)[0].pk,), after=position)
            change_session(
                session_id=session.pk, operation=latecomer, choice=0, seen=number_of_plan(session), by=by, now=over
            )
        if position == LATER[0]:
            last_call(
                session_id=session.pk,
                position=position,
                table=LATER[1],
                unstarted=Ruling.RulingKind.LATER,
                by=by,
                now=over,
            )
    send(tables[FREE], DeviceCommand(now, FREE, "leave"), dice)


@dataclass(frozen=True, slots=True)
class DeviceCommand:
    """A command that a table's device sends at a moment."""

    at: dt.datetime
    table: int
    kind: str
    fields: Mapping[str, object] = field(default_factory=dict)
    device: str = "phone"


def say_of_position(
    session: Session, position: int, called: dt.datetime, dice: random.Random
) -> Iterator[DeviceCommand]:
    """Yield the commands that the tables send in one position."""
    plays = session.plays.filter(position=position).select_related("etui", "table")
    for number, of_table in groupby(plays, key=lambda play: play.table.number):
        for turn, play in enumerate(of_table, start=1):
            place = (position, number, turn)
            if place != LATER and (position, number) != (BEHIND[0] + 1, BEHIND[1]):
                yield from say_of_play(play, place, called + A_PLAY * (turn - 1) + A_TABLE * number, dice)


def say_of_play(play: Play, place: Place, began: dt.datetime, dice: random.Random) -> Iterator[DeviceCommand]:
    """Yield the commands that a table sends for one play. `place` decides whether something special happens."""
    table, ended = place[1], began + A_PLAY - dt.timedelta(seconds=30)
    yield DeviceCommand(began, table, "start", {"play": play.pk})
    if place == CALLING:
        yield DeviceCommand(began + dt.timedelta(minutes=1), table, "call", {"play": play.pk})
    if place == BEHIND:
        return
    if place == CONTESTED:
        # Another device took over while this one could not reach the site; both entered a result.
        yield DeviceCommand(began, table, "join", {"name": "Tablette"}, device=OTHER)
        yield DeviceCommand(began, table, "take_over", device=OTHER)
        yield DeviceCommand(ended, table, "enter", entry_command(play, invent_result(play, dice)), device=OTHER)
    entry = facts(play, dice) if place == ODD else invent_result(play, dice)
    if place == ODD and isinstance(entry, Facts):
        entry = replace(entry, result=replace(entry.result, half_points=MANY))
    yield DeviceCommand(ended, table, "enter", entry_command(play, entry))
    if place == CONTESTED:
        yield DeviceCommand(ended + dt.timedelta(seconds=5), table, "take_over")
    elif place not in UNCHECKED:
        seat = "S" if play.etui.taker == "N" else play.etui.taker
        word = {"play": play.pk, "version": 1, "seat": seat, "agrees": place != DISPUTED}
        yield DeviceCommand(ended + dt.timedelta(seconds=10), table, "check", word)


def entry_command(play: Play, entry: Entry) -> dict[str, object]:
    """Return the fields of a command in which North enters the result and answers every question with "sure"."""
    sure = [question.code for question in ask_about_entry(entry, format=INDIVIDUAL)]
    return {"play": play.pk, "seat": "N", "entry": entry_to_data(entry), "sure": sure}


def send(table: Table, said: DeviceCommand, dice: random.Random) -> None:
    """Let the device send the command. Raise `RuntimeError` if the site does not store it."""
    key = UUID(int=dice.getrandbits(128), version=4)
    command = {"key": str(key), "kind": said.kind, "at": said.at.isoformat(), **said.fields}
    device = f"{said.device}-of-table-{table.number}"
    glance = Here(Table.objects.select_related("session__tournament__club").get(pk=table.pk))
    receipt = receive(glance, device, command, said.at)
    TableDevice.objects.filter(table=table, device=device).update(seen_at=said.at)
    if receipt.status not in (RECEIVED, CONFLICT):
        raise RuntimeError(f"{said}: {receipt}")
