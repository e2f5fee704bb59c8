"""The trial of a published étui: each published play, taken out and put in as a trial, gets its published note."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from deals.domain.cards import Seat
from deals.domain.deal import dumps
from deals.domain.dealing import deal_etui
from deals.domain.etui import taker_and_dealer
from deals.domain.profile import accepts_etui
from rankings.events.standings_file import scoring_play
from rooms.games.evenings import make_evening_trial
from scoring.formats import FORMATS
from scoring.plays import LINES
from scoring.ranking import note_plays
from tests.bots.games import SEED
from tournaments.reports.session import ReportedEtui, ReportedPlay

FOR_FOUR = [name for name, format in FORMATS.items() if not format.has_games]
TABLES = 9


def seat_entrants(format, table, taker):
    """Return the entrants of a table by line. Where teams meet, teams 2n and 2n+1 attack each other at two tables."""
    if not format.is_for_teams:
        return {line: 4 * table + place for place, line in enumerate(LINES)}
    attacking, defending = (table, table ^ 1) if format.is_mirrored else (2 * table, 2 * table + 1)
    partner = LINES[(LINES.index(taker) + 2) % 4]
    own = {taker} if format.is_mirrored else {taker, partner}
    return {line: attacking if line in own else defending for line in LINES}


def make_published(format, number):
    """Return an étui of a published report: two plays have no score, one is not compared, one had other cards."""
    chance, (taker, dealer) = random.Random(number), taker_and_dealer(number)
    cards = dumps(deal_etui(SEED, number, accept=accepts_etui("garde-1", number)).deal)
    played = []
    for table in range(TABLES):
        took = format.fixed_taker or (format.find_taker(str(taker)) or chance.choice(LINES))
        score = chance.choice((None if table in (5, 8) else 30, 56, 56, -48, 116))
        score = 0 if score is not None and format.may_pass and table == 3 else score
        told = {"state": "scored" if score is not None else "missing", "base_score": score}
        told |= {"taker": str(took) if score else None, "part": 2 if table == 4 else 1, "compared": table != 7}
        seats = seat_entrants(format, table, took)
        played.append(ReportedPlay(id=table, position=1, table=table, seats=seats, **told))
    notes = note_plays([scoring_play(1, number, play) for play in played], format)
    noted = [
        replace(play, notes=own and dict(zip(map(str, LINES), own, strict=True)))
        for play, own in zip(played, notes, strict=True)
    ]
    return ReportedEtui(number=number, taker=str(taker), dealer=str(dealer), cards=cards, plays=noted)


@pytest.mark.parametrize("name", FOR_FOUR)
def test_published_play_as_a_trial_gets_its_published_note(name):
    format, compared = FORMATS[name], 0
    for number in range(1, 11):
        etui = make_published(format, number)
        plays = [scoring_play(1, number, play) for play in etui.plays]
        for place, play in enumerate(etui.plays):
            if play.base_score is None or not play.compared or play.part == 2:
                continue
            rest = plays if format.is_mirrored else [*plays[:place], *plays[place + 1 :]]
            for who in dict.fromkeys(play.seats.values()):
                if format.is_mirrored and play.seats[str(format.fixed_taker)] != who:
                    continue
                trial = make_evening_trial(format, etui, rest, who)
                seat = trial.start.seat
                assert format.is_mirrored or play.seats[str(seat)] == who
                assert trial.find_note(play.taker, play.base_score) == play.notes[str(seat)]
                compared += play.notes[str(seat)] is not None
    assert compared >= 40


def test_trial_begins_as_the_format_does_in_the_readers_own_seat():
    imposed, free = (make_evening_trial(FORMATS[name], make_published(FORMATS[name], 2), []) for name in FOR_FOUR[:2])
    taker, _dealer = taker_and_dealer(2)
    assert (imposed.start.seat, imposed.start.record.split().count("G")) == (taker, 1)
    assert (free.start.record, imposed.start.secret) == ("", free.start.secret)
    assert imposed.find_note(str(taker), 56) is None, "there is nothing to compare with"
    of_west = make_published(FORMATS["individual"], 2)
    assert make_evening_trial(FORMATS["individual"], of_west, [], of_west.plays[0].seats["W"]).start.seat == Seat.W
    south = make_published(FORMATS["quadrettes"], 2)
    assert make_evening_trial(FORMATS["quadrettes"], south, [], 3).start.seat == Seat.S


def test_trial_is_compared_with_the_plays_of_the_etui_as_it_was_dealt():
    etui = make_published(FORMATS["individual"], 1)
    trial = make_evening_trial(FORMATS["individual"], etui, [scoring_play(1, 1, play) for play in etui.plays])
    counted = [play for play in etui.plays if play.base_score is not None and play.compared and play.part == 1]
    assert len(trial.others) == len(counted)
    assert trial.find_note(trial.start.seat, 999) == Fraction(100)
