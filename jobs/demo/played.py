"""The published session of the demonstration: 28 players, two published versions, a cash box and championships.

Some étuis were recorded card by card.

The module also makes the sessions of the season before it, and the club's championships.
"""

import datetime as dt
import random
from dataclasses import replace
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.db import transaction

from clubs.house import change_settings
from clubs.models import Membership, User
from deals.domain.cards import Seat
from deals.domain.deal import loads
from evenings.plans.starting import start_session
from evenings.plays.entering import annul_play, correct_result, enter_result
from evenings.practice import PLAYERS, invent_result, play_deal
from evenings.records import store_record
from evenings.sessions.setup import create_session, create_tournament, seats_in_order, set_entrants
from jobs.demo.club import (
    DIRECTOR,
    SLUG,
    WEEK,
    account,
    add_listed,
    last_friday,
    make_demo_club,
    make_evenings_to_come,
    make_known_etuis,
    play_season,
)
from rankings.events.publishing import TOURNAMENTS
from rankings.publication.publishing import SESSIONS
from rankings.series.computing import refresh_series
from rankings.series.publishing import SERIES_OF_CLUBS
from rankings.series.setup import SeriesGiven, create_series
from registration.cash.payers import FeeGiven, save_fee
from registration.cash.payments import PaidBy, PaymentGiven, count_cash, give_back, take_payment
from registration.cash.prizes import hand_prize, propose_prizes, save_prize_plan
from scoring.formats import INDIVIDUAL
from scoring.ranking import Line
from tournaments.models import Fee, Payment, Play, Publication, Series, Session, Tournament
from tournaments.rules.entry import Facts
from tournaments.rules.series import SeriesSettings
from tournaments.versions import DirectorWord

PRIZES = "1: 30 %\n2: 20 %\n3: 15"
FLOAT_CENTS = 5000


def fill_cash_box(session: Session, *, by: User, now: dt.datetime) -> None:
    """Open the club's cash box, take the fee of everybody but the last two players, and hand out the first prize."""
    change_settings(session.tournament.club, {"keeps_cash": True}, now=now, by=by)
    session = Session.objects.select_related("tournament__club__house").get(pk=session.pk)
    options: dict[str, Any] = {"session_id": session.pk, "by": by, "now": now}
    full, _members = (
        save_fee(tournament=session.tournament, given=FeeGiven(name, cents, preset.value), now=now)
        for name, cents, preset in (
            ("Plein tarif", 1000, Fee.FeePreset.EVERYBODY),
            ("Membres", 600, Fee.FeePreset.MEMBERS),
        )
    )
    players = list(session.entrants.order_by("pk").values_list("player", flat=True))[:-2]
    ways = {1: Payment.PaymentWay.CHEQUE, 2: Payment.PaymentWay.CARD, 3: Payment.PaymentWay.FREE}
    paid = [
        take_payment(
            payer=PaidBy(player=player),
            given=PaymentGiven(full.pk, ways.get(place, Payment.PaymentWay.CASH), "arbitre" if place == 3 else ""),
            **options,
        )
        for place, player in enumerate(players)
    ]
    give_back(payment_id=paid[-1].pk, reason="malade, n’a pas joué", **options)
    save_prize_plan(session_id=session.pk, given={"share": 80, "added": 2000, "lines": PRIZES, "one_each": True})
    first = propose_prizes(session).rows[0]
    hand_prize(player_id=first.player, seen=first.due, **options)
    count_cash(counted=FLOAT_CENTS + 22000 - first.due, float_cents=FLOAT_CENTS, **options)


OVER, UNDER_WAY = "Challenge des vendredis", "Grand prix de la saison"
POINTS = (25, 20, 16, 13, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)


def hold_championships(tournament: Tournament, *, by: User, now: datetime) -> None:
    """Make both championships from the evenings of the tournament, which are published.

    The first one has all evenings but the newest: the best two thirds count, by points. Its ranking is official. The
    second one also has the evenings to come, by percentages.
    """
    days = list(tournament.sessions.exclude(publications=None).order_by("number").values_list("date", flat=True))
    last = max(tournament.sessions.values_list("date", flat=True))
    best = max(1, 2 * (len(days) - 1) // 3)
    points = SeriesSettings(
        brings="table", table=tuple(map(Fraction, POINTS)), presence=Fraction(1), best_of=best, format=tournament.format
    )
    over = make_series_of_club(tournament, SeriesGiven(OVER, days[0], days[-2], points), by=by, now=now)
    SERIES_OF_CLUBS.publish(over.pk, DirectorWord(by, now))
    SERIES_OF_CLUBS.make_official(over.pk, DirectorWord(by, now))
    percent = SeriesSettings(counting="mean", least=min(3, len(days)), format=tournament.format)
    make_series_of_club(tournament, SeriesGiven(UNDER_WAY, days[0], last + WEEK, percent), by=by, now=now)


def make_series_of_club(tournament: Tournament, given: SeriesGiven, *, by: User, now: datetime) -> Series:
    series = create_series(club=tournament.club, given=given, by=by, now=now)
    refresh_series(series.pk, now=now)
    return series


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
    SESSIONS.publish(session.pk, DirectorWord(director, now))
    rule_afterwards(session, by=director, now=now)
    publication = SESSIONS.publish(session.pk, DirectorWord(director, now))
    fill_cash_box(session, by=director, now=now)
    if before:
        make_evenings_to_come(tournament, by=director, now=now)
        TOURNAMENTS.publish(tournament.pk, DirectorWord(director, now))
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
    options: dict[str, Any] = {"play_id": play.pk, "by": by, "now": now, "device": f"Table {table}"}
    enter_result(entry=Facts(Line(etui.taker), result), **options)
    if table in FEWER_CARDS:
        record = replace(record, cards=record.cards[: FEWER_CARDS[table]], ecart=None)
    store_record(compose=lambda _head: record, **options)


def rule_afterwards(session: Session, *, by: User, now: dt.datetime) -> None:
    """Do what a director may do the next morning: correct a fiche that was read wrong, and annul a play."""
    plays = list(session.plays.select_related("etui"))
    wrong = plays[11]
    entry = invent_result(wrong, random.Random("the fiche, read again"))
    correct_result(play_id=wrong.pk, entry=entry, reason="Fiche relue avec la table", seen_version=1, by=by, now=now)
    annul_play(play_id=plays[-3].pk, reason="Étui mal reconstitué à cette table", by=by, now=now)
