"""The simultaneous of the demonstration: four clubs have played the same étuis, and its ranking is published.

The demonstration's director also directs the three other clubs, so that one log-in shows both sides.
"""

import datetime as dt
import random
from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from clubs.models import Club, User
from clubs.players import add_players
from clubs.roster import RosterLine
from deals.sets import create_deal_set
from evenings.plans.by_format import GARDE_PROFILE
from evenings.plans.starting import start_session
from evenings.sessions.setup import create_session, create_tournament, seats_in_order, set_entrants, use_deal_set
from jobs.demo.club import DIRECTOR, SLUG, WEEK, enter_in_bulk, last_friday, make_other_club
from rankings.publication.publishing import SESSIONS
from rankings.simultaneous.field.publishing import FIELDS
from rankings.simultaneous.hours import FieldHours, open_simultaneous
from rankings.simultaneous.membership import agree_to_simultaneous, invite_club
from rankings.simultaneous.setup import SimultaneousGiven, create_simultaneous
from scoring.formats import INDIVIDUAL
from tournaments.models import Session, Simultaneous, SimultaneousClub
from tournaments.versions import DirectorWord

TITLE = "Simultané des quatre clubs"
SEED = bytes(range(64, 96))
TABLES, POSITIONS, ETUIS = 5, 5, 2
HOUR = dt.timedelta(hours=1)
OTHERS = {"bastille": "Club de la Bastille", "canal": "Tarot du Canal", "lilas": "Les Lilas"}
FIRST_NAMES = ("Anouk", "Basile", "Clémence", "Driss", "Élodie", "Fabrice", "Gaëlle", "Hugo", "Irène", "Joël")
LAST_NAMES = {
    "tarot-club-des-halles": ("Arnaud", "Barbier"),
    "bastille": ("Carpentier", "Delaunay"),
    "canal": ("Étienne", "Fournier"),
    "lilas": ("Garnier", "Hervé"),
}


@transaction.atomic
def hold_simultaneous(*, now: dt.datetime) -> Simultaneous:
    """Make a simultaneous of a week before the latest Friday. The demonstration's club organises it, and plays it.

    Three other clubs play it too. If it exists already, only return it.
    """
    club, by = Club.objects.get(slug=SLUG), User.objects.get(username=DIRECTOR)
    made = Simultaneous.objects.select_related("club").filter(club=club, title=TITLE).first()
    if made is not None:
        return made
    night = now - (timezone.localdate(now) - last_friday(now)) - WEEK
    before = night - 24 * HOUR
    clubs = [club, *(make_other_club(slug, name, by=by, now=before) for slug, name in OTHERS.items())]
    count = TABLES * ETUIS
    deal_set = create_deal_set(club=club, name=TITLE, count=count, now=before, by=by, seed=SEED, profile=GARDE_PROFILE)
    simultaneous = create_simultaneous(
        club=club,
        given=SimultaneousGiven(TITLE, alterne=True),
        hours=FieldHours(night - 3 * HOUR, night + 3 * HOUR, night + 24 * HOUR),
        etuis=deal_set,
        by=by,
        now=before,
    )
    sessions = [start_in_club(simultaneous, each, by=by, now=night) for each in clubs]
    open_simultaneous(simultaneous.pk, now=night + 24 * HOUR)
    for session in sessions:
        where = session.tournament.club.slug
        enter_in_bulk(session, draw_strengths(session), by=by, now=night + HOUR, where=where)
        SESSIONS.publish(session.pk, DirectorWord(by, now))
    FIELDS.publish(simultaneous.pk, DirectorWord(by, now))
    return simultaneous


def start_in_club(simultaneous: Simultaneous, club: Club, *, by: User, now: dt.datetime) -> Session:
    """Let a club take part, seat its players, and start its session. Return the session."""
    row = invite_club(simultaneous_id=simultaneous.pk, slug=club.slug, by=by, now=now)
    if row.agreed_at is None:
        row = agree_to_simultaneous(club=club, row_id=row.pk, by=by, now=now)
    tournament = create_tournament(club=club, name=TITLE, format=INDIVIDUAL.name, now=now)
    day = timezone.localtime(now).date()
    session = create_session(tournament=tournament, date=day, positions=POSITIONS, etuis_per_position=ETUIS)
    players = add_players(club=club, lines=list_names(club.slug))
    set_entrants(session_id=session.pk, seats=seats_in_order([player.pk for player in players]))
    use_copy(session, row)
    return start_session(session_id=session.pk, by=by, now=now)


def use_copy(session: Session, row: SimultaneousClub) -> None:
    assert row.deal_set is not None
    use_deal_set(session_id=session.pk, deal_set=row.deal_set)


def list_names(slug: str) -> Sequence[RosterLine]:
    """Return the names of the players of a club, in the order in which they take seats."""
    names = [RosterLine(last, first) for last in LAST_NAMES[slug] for first in FIRST_NAMES]
    random.Random(slug).shuffle(names)
    return names


def draw_strengths(session: Session) -> dict[int, float]:
    """Return a strength for each player of a session, so that the ranking has a first and a last."""
    dice = random.Random(session.tournament.club.slug)
    return {player: dice.gauss(0, 3) for player in session.entrants.order_by("pk").values_list("player", flat=True)}
