"""The published session of the demonstration: 28 players, 7 tables, 7 positions of 4 étuis, two published versions.

Some étuis were recorded card by card.

The module also makes the sessions of the season before it, and the club's championships.
"""

import datetime as dt
import random
from dataclasses import replace
from typing import Any

from django.db import transaction

from clubs.models import Membership, User
from deals.domain.cards import Seat
from deals.domain.notation import loads
from evenings.plans.starting import start_session
from evenings.plays.entering import annul_play, correct_result, enter_result
from evenings.practice.names import PLAYERS
from evenings.practice.playing import play_deal
from evenings.practice.results import invent_result
from evenings.records.storing import store_record
from evenings.sessions.setup import create_session, create_tournament, seats_in_order, set_entrants
from jobs.demo.cash import fill_cash_box
from jobs.demo.championships import hold_championships
from jobs.demo.club import DIRECTOR, SLUG, account, add_listed, last_friday, make_demo_club, make_known_etuis
from jobs.demo.season import WEEK, make_evenings_to_come, play_season
from rankings.events.publishing import publish_tournament
from rankings.publication.publishing import publish_session
from scoring.formats import INDIVIDUAL
from scoring.ranking import Line
from tournaments.models import Play, Publication, Session
from tournaments.rules.entry import Facts
from tournaments.versions.steps import DirectorWord

NAME = "Duplicate du vendredi"
SEED = bytes(range(32))
POSITIONS, ETUIS = 7, 4
RECORDED = (1, 2, 5, 6)  # the étuis that were recorded card by card
# The tables that recorded only a part of these étuis: the opening lead, or the first tricks without the écart.
FEWER_CARDS = {6: 1, 7: 22}


@transaction.atomic
def play_evening(*, now: dt.datetime, before: int = 0) -> Publication:
    """Make the demonstration's published session, and `before` earlier sessions. Return its newest publication.

    If it exists already, only return that publication. All is one transaction: if it is interrupted, nothing is stored.
    """
    played = Publication.objects.filter(session__tournament__club__slug=SLUG, session__tournament__name=NAME)
    newest = played.order_by("-session__number", "-version").first()
    if newest is not None:
        return newest
    club, season = make_demo_club(now=now)
    director = account(DIRECTOR, club, Membership.Role.DIRECTOR)
    begun = now - WEEK * (before + 1)
    tournament = create_tournament(club=club, name=NAME, format=INDIVIDUAL.name, season=season, now=begun)
    play_season(tournament, before, by=director, now=now)
    session = create_session(
        tournament=tournament, date=last_friday(now), positions=POSITIONS, etuis_per_position=ETUIS
    )
    players = add_listed(club, PLAYERS)
    set_entrants(session_id=session.pk, seats=seats_in_order([player.pk for player in players]))
    tables = len(players) // 4
    helpers = [account(f"table{number}", club, Membership.Role.HELPER) for number in range(1, tables + 1)]
    make_known_etuis(session, count=tables * ETUIS, seed=SEED, now=now)
    start_session(session_id=session.pk, by=director, now=now)
    enter_all(session, by=helpers, now=now)
    publish_session(session_id=session.pk, by=director, now=now)
    rule_afterwards(session, by=director, now=now)
    publication = publish_session(session_id=session.pk, by=director, now=now)
    fill_cash_box(session, by=director, now=now)
    if before:
        make_evenings_to_come(tournament, by=director, now=now)
        publish_tournament(tournament_id=tournament.pk, word=DirectorWord(director, now))
        hold_championships(tournament, by=director, now=now)
    return publication


def enter_all(session: Session, *, by: list[User], now: dt.datetime) -> None:
    """Enter the results of all tables. `by` has one account for each table."""
    dice = random.Random(SEED)
    for play in session.plays.select_related("etui", "table"):
        table = play.table.number
        entry, author = invent_result(play, dice), by[table - 1]
        if play.etui.number in RECORDED:
            enter_recorded(play, by=author, now=now)
        else:
            enter_result(play_id=play.pk, entry=entry, by=author, now=now, device=f"Table {table}")


def enter_recorded(play: Play, *, by: User, now: dt.datetime) -> None:
    """Play an étui out at a table, enter the result, and record the cards."""
    table, etui, dice = play.table.number, play.etui, random.Random(f"{play.etui.number} at {play.table.number}")
    record, result = play_deal(loads(etui.cards), Seat(etui.dealer), Seat(etui.taker), dice)
    told: dict[str, Any] = {"play_id": play.pk, "by": by, "now": now, "device": f"Table {table}"}
    enter_result(entry=Facts(Line(etui.taker), result), **told)
    if table in FEWER_CARDS:
        record = replace(record, cards=record.cards[: FEWER_CARDS[table]], ecart=None)
    store_record(compose=lambda _head: record, **told)


def rule_afterwards(session: Session, *, by: User, now: dt.datetime) -> None:
    """Do what a director may do the next morning: correct a fiche that was read wrong, and annul a play."""
    plays = list(session.plays.select_related("etui"))
    wrong = plays[11]
    entry = invent_result(wrong, random.Random("the fiche, read again"))
    correct_result(play_id=wrong.pk, entry=entry, reason="Fiche relue avec la table", seen_version=1, by=by, now=now)
    annul_play(play_id=plays[-3].pk, reason="Étui mal reconstitué à cette table", by=by, now=now)
