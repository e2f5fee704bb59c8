"""The practice evening: a running session with invented players, on which the directors of a club can practise.

All its rows belong to a separate club (`Club.practice_of` names the real club). Therefore no list, search, statistic or
public page of the real club can show them, and they can all be deleted together.
"""

import datetime as dt
import random
import secrets

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import Club, Person, Player, PlayerMerge, User
from clubs.players import add_players
from clubs.roster import read_roster
from deals.models import DealLook
from deals.sets import create_deal_set
from evenings.plans.by_format import GARDE_PROFILE
from evenings.plans.starting import start_session
from evenings.plays.entering import enter_result
from evenings.practice.troubles import add_troubles, invent_results
from evenings.sessions.running import call_position
from evenings.sessions.setup import (
    create_session,
    create_tournament,
    seats_in_order,
    set_entrants,
    use_deal_set,
)
from scoring.formats import INDIVIDUAL
from tournaments.locks import lock_club, lock_plan_to_remove
from tournaments.models import (
    CorrectionRequest,
    Cut,
    EntryCheck,
    EtuiStandings,
    FieldPublication,
    Penalty,
    Play,
    PlayRecord,
    Publication,
    ResultEntry,
    SeriesPublication,
    Session,
    SimultaneousClub,
    TournamentPublication,
)

PLAYERS = """
Aubert, Élise
Baptista, João
Bérenger, Maëlle
Chevalier, Noël
Da Silva, Inês
Delacroix, Anne-Sophie
Dupont, Marie
Dupont, Martin
Étienne, Zoé
Faure, Gérard
Garnier, Hélène
Haddad, Karim
Île-Dieu, Solène
Joubert, François
Kowalczyk, Łucja
de La Rochefoucauld-Montmorency, Marie-Françoise
Lefèvre, Côme
Martin, Agnès
Nguyễn, Minh
Ördek, Süleyman
Petit, Raphaël
Quéméneur, Gwenaëlle
Renard, Benoît
Šimić, Ana
Tessier, Joël
Vasseur, Thaïs
Weiß, Jürgen
Zimmermann, Léa
"""

GUESTS = """
Rakotomalala-Andriamanantenasoa, Hajanirina
Þórðardóttir-Grześkiewicz, Aðalbjörg
"""

LATE = "Żółkiewska-Désaulniers, Éléonore"


TABLES, POSITIONS, ETUIS = 5, 5, 2  # four results of each étui: with fewer, no result is called odd
BEFORE = dt.timedelta(minutes=1)  # results are dated before the commands that tables send about them


def make_practice(*, club: Club, by: User, now: dt.datetime) -> Session:
    """Return the club's practice session. If there is none, create it.

    It has all results except those of the last position. Two results are odd (far from those of the other tables), two
    are disputed, and one table is calling the arbiter.
    """
    session, is_new = lay_out(club=club, by=by, now=now)
    if is_new:
        # The tables' commands are checked with cached data, so the session must be committed first.
        add_troubles(session, now=now)
    return session


@transaction.atomic
def lay_out(*, club: Club, by: User, now: dt.datetime) -> tuple[Session, bool]:
    """Return the club's practice session, and True if it has just been created."""
    lock_club(club.pk)
    if (known := find_practice(club)) is not None:
        if session := Session.objects.filter(tournament__club=known).order_by("pk").first():
            return session, False
        erase(known)
    apart = Club.every.create(
        name=_("%(club)s (practice)") % {"club": club.name[:100]},
        slug=f"practice-{secrets.token_hex(8)}",
        practice_of=club,
        created_at=now,
    )
    tournament = create_tournament(club=apart, name=_("Practice evening"), format=INDIVIDUAL.name, now=now)
    session = create_session(
        tournament=tournament, date=now.date(), positions=POSITIONS, etuis_per_position=ETUIS, barometer=False
    )
    players = add_players(club=apart, lines=read_roster(PLAYERS)[: 4 * TABLES])
    set_entrants(session_id=session.pk, seats=seats_in_order([player.pk for player in players]))
    deal_set = create_deal_set(
        club=apart, name=tournament.name, count=TABLES * ETUIS, now=now, by=by, profile=GARDE_PROFILE
    )
    use_deal_set(session_id=session.pk, deal_set=deal_set)
    start_session(session_id=session.pk, by=by, now=now)
    plays = list(session.plays.filter(position__lt=POSITIONS).select_related("etui").order_by("pk"))
    entries = invent_results(plays, random.Random(session.pk))
    for position in range(1, POSITIONS + 1):
        call_position(session_id=session.pk, position=position, by=by, now=now)
        for play in plays:
            if play.position == position:
                enter_result(play_id=play.pk, entry=entries[play.pk], by=by, now=now - BEFORE)
    return session, True


def find_practice(club: Club) -> Club | None:
    """Return the practice club of a club, or None. For a practice club, return the club itself."""
    return club if club.is_practice else Club.every.filter(practice_of=club).first()


@transaction.atomic
def delete_practice(*, club: Club) -> None:
    """Delete the practice club with all its data, even data that people have added. If there is none, do nothing."""
    lock_club(club.real_id)
    if (apart := Club.every.filter(practice_of=club.real_id).first()) is not None:
        erase(apart)


def erase(apart: Club) -> None:
    """Delete the practice club with all its rows. Such rows are never deleted in a real club.

    A row is deleted before the rows that it refers to.
    """
    assert apart.is_practice
    cuts = Cut.objects.filter(session__tournament__club=apart)
    cuts.exclude(out_of=None).delete()
    cuts.delete()
    for session in Session.objects.filter(tournament__club=apart).order_by("pk"):
        lock_plan_to_remove(session.pk)
        CorrectionRequest.objects.filter(play__session=session).delete()
        PlayRecord.objects.filter(play__session=session).delete()
        EntryCheck.objects.filter(entry__play__session=session).delete()
        ResultEntry.objects.filter(play__session=session).delete()
        session.etui_rulings.all().delete()
        Penalty.objects.filter(session=session, reverses__isnull=False).delete()
        session.penalties.all().delete()
        EtuiStandings.objects.filter(standings__session=session).delete()
        Publication.objects.filter(session=session).delete()
        for play in Play.objects.filter(session=session).prefetch_related("rulings"):
            play.rulings.all().delete()
        session.plays.all().delete()
        session.tables.all().delete()
        session.delete()
    TournamentPublication.objects.filter(tournament__club=apart).delete()
    SeriesPublication.objects.filter(series__club=apart).delete()
    apart.series.all().delete()
    FieldPublication.objects.filter(simultaneous__club=apart).delete()
    SimultaneousClub.objects.filter(club=apart).delete()
    apart.simultaneous.all().delete()
    apart.tournaments.all().delete()
    DealLook.objects.filter(deal_set__club=apart).delete()
    apart.deal_sets.all().delete()
    invented = {
        *apart.players.values_list("person", flat=True),
        *PlayerMerge.objects.filter(kept__club=apart).values_list("person", flat=True),
    }
    Player.objects.filter(club=apart, merged_into__isnull=False).delete()
    Player.objects.filter(club=apart).delete()
    Person.objects.filter(pk__in=invented, players=None).delete()
    apart.delete()
