"""The writes before an evening: making tournaments and sessions, changing settings, choosing players and étuis."""

import datetime as dt
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Max
from django.utils.text import slugify

from clubs.accounts.founding import free_name
from clubs.house import settings_of
from clubs.models import Club, Player, Season, User
from clubs.session_settings import SETTINGS, YEARS, settings_with
from deals.domain.cards import LINES
from deals.models import DealSet
from deals.sets import MAX_ETUIS, create_deal_set, create_set_dealt_at_table
from evenings.plans.by_format import find_players_of_set, profile_of
from evenings.plans.choosing import lay_again
from evenings.plans.copies import take_copy
from evenings.plans.deal_sets import find_known_etuis, is_revealed
from evenings.plans.free.length import follow_end
from evenings.plans.sections import check_own_sections
from evenings.teams.common import MatchRefused
from scoring.formats import find_format
from tournaments.errors import ActionRefused
from tournaments.locks import (
    lock_club,
    lock_deal_set,
    lock_draft,
    lock_session,
    lock_tournament,
    raise_told,
    raise_tournament,
)
from tournaments.log import log_action
from tournaments.models import Entrant, Session, Tournament
from tournaments.queue import queue_tournament
from tournaments.rules.formats import USUAL, bound_setting, find_table_size, fit_session, list_bounded, require_offered

RESERVED_SLUG = "new"  # this part of an address leads to the page that makes a tournament


class SeatGiven(NamedTuple):
    """A player's seat: the line for the whole evening, and the starting number. A player not `ranked` is a filler."""

    player_id: int
    line: str
    number: int
    ranked: bool = True


class Insists(NamedTuple):
    """A director's decision to play étuis although their cards are public: the reason, the author, the time."""

    reason: str
    by: User
    now: dt.datetime


def seats_in_order(player_ids: Sequence[int]) -> list[SeatGiven]:
    """Return seats for the players, in their order: N, E, S, W of table 1, then of table 2, and so on."""
    return [SeatGiven(player_id, LINES[i % 4], i // 4 + 1) for i, player_id in enumerate(player_ids)]


@transaction.atomic
def create_tournament(
    *,
    club: Club,
    name: str,
    format: str,
    now: dt.datetime,
    season: Season | None = None,
    federation: bool = False,
    meeting: str = Tournament.MeetingKind.LEAGUE,
) -> Tournament:
    """Create and return a tournament. Its address is made from its name and is unique in the club.

    `meeting` says who meets whom in team matches. Other formats do not use it. Raise `ActionRefused` for a federation
    event in a format that the federation does not have.
    """
    check_federation(format, federation=federation)
    lock_club(club.pk)
    base = slugify(name)[:50] or "tournoi"
    taken = {RESERVED_SLUG, *club.tournaments.filter(slug__startswith=base).values_list("slug", flat=True)}
    return Tournament.objects.create(
        club=club,
        season=season,
        name=name,
        slug=free_name(base, "-", taken),
        format=format,
        federation=federation,
        meeting=meeting,
        created_at=now,
        window_hours=settings_of(club).window_hours,
    )


def check_federation(format: str, *, federation: bool) -> None:
    """Raise `ActionRefused` for a federation event with étuis for three or five players: the FFT has no such form."""
    if federation and find_table_size(format):
        raise ActionRefused("federation_without_form", "federation")


def usual_evening(tournament: Tournament) -> dict[str, Any]:
    """Return the usual settings of a new session, by name: those of the tournament's club, else the site's defaults.

    A usual value that the tournament's format cannot have is replaced by the nearest one.
    """
    defaults = {name: setting.default for name, setting in SETTINGS.items() if setting.default is not None}
    house = settings_of(tournament.club)
    usual = defaults | {name: getattr(house, name) for name in settings_with("usual")}
    return fit_session(find_format(tournament.format), usual)


@transaction.atomic
def create_session(*, tournament: Tournament, date: dt.date, **settings: Any) -> Session:
    """Create and return the next session of the tournament. Settings that are not given are as usual in the club.

    `clubs.session_settings` lists the names in `settings`.
    """
    lock_tournament(tournament.pk)
    last = tournament.sessions.aggregate(last=Max("number"))["last"] or 0
    settings = usual_evening(tournament) | usual_of_format(tournament) | settings
    session = Session(tournament=tournament, number=last + 1, date=date, **settings)
    check_settings(session)
    session.save()
    return session


def usual_of_format(tournament: Tournament) -> dict[str, Any]:
    """Return the settings that sessions of the tournament's format have unless others are asked for.

    Where the tables deal, no étui is compared. So tables see the ranking after an entry, except in federation events.
    """
    return {} if tournament.federation else dict(USUAL.get(tournament.format, {}))


@transaction.atomic
def edit_session(*, session_id: int, by: User | None = None, now: dt.datetime, **changes: Any) -> Session:
    """Change settings of a session, and return it. Raise `ActionRefused` if they cannot change any more.

    Once the session has started, only settings that `clubs.session_settings` marks `under_way` can change. New values
    of `check_by` and `shows_after` apply to later entries only. A new weight applies to all sections of the group.
    """
    draft_only = changes.keys() - settings_with("under_way")
    weight = {name: changes[name] for name in settings_with("is_weight") if name in changes}
    if weight:
        raise_tournament(session_id)
    session = lock_draft(session_id) if draft_only else lock_session(session_id, "tournament__club")
    changed = [name for name, value in changes.items() if value != getattr(session, name)]
    for name in changed:
        before, after = getattr(session, name), changes[name]
        setattr(session, name, after)
        log_action(session, "edited", now=now, by=by, setting=name, before=str(before), after=str(after))
    check_settings(session)
    session.save(update_fields=changed)
    if not set(changed).isdisjoint(settings_with("in_calendars")):
        raise_told(now, pk=session_id)
    if weight:
        if session.group_id is not None:
            Session.objects.filter(group=session.group_id).update(**weight)
        queue_tournament(session.tournament_id)
    return session


def check_settings(session: Session) -> None:
    """Raise `ActionRefused` if the session cannot have its settings.

    Its date must be one that calendars can show. In a federation event, tables must not see results before the
    publication. A team match has four quarters of 4 to 6 étuis, and counts like every other one.
    """
    if not SETTINGS["date"].least <= session.date <= SETTINGS["date"].most:
        raise ActionRefused("session_year", "date", first=YEARS[0], last=YEARS[-1])
    if session.tournament.federation and session.shows_after != Session.ShownAfter.NOTHING:
        raise ActionRefused("federation_shows_nothing", "shows_after")
    format = find_format(session.tournament.format)
    for name in list_bounded(format):
        least, most = bound_setting(format, name)
        if not least <= getattr(session, name) <= most:
            if name == "positions":
                raise MatchRefused("match_positions", name, least=least)
            if name == "etuis_per_position":
                raise MatchRefused("match_etuis_per_position", name, least=least, most=most)
            raise MatchRefused("match_weight", name)


@transaction.atomic
def set_entrants(*, session_id: int, seats: Sequence[SeatGiven]) -> list[Entrant]:
    """Replace all entrants of a session in preparation, and return the new ones.

    Raise `ActionRefused` if a player or a seat comes twice, or if a player is not on the club's list.
    """
    session = lock_draft(session_id)
    require_offered(session.tournament.format, ActionRefused("players_not_played", "players"))
    club_id = session.tournament.club_id
    players = Player.objects.real().filter(club_id=club_id).in_bulk([seat.player_id for seat in seats])
    for key, code in (("player_id", "player_twice"), ("place", "seat_twice")):
        seen: set[object] = set()
        for seat in seats:
            value = seat.player_id if key == "player_id" else (seat.line, seat.number)
            if seat.player_id not in players:
                raise ActionRefused("player_unknown", "players", player=seat.player_id)
            if value in seen:
                raise ActionRefused(
                    code, "players", name=players[seat.player_id].name, line=seat.line, number=seat.number
                )
            seen.add(value)
    with follow_end(session, now=None):
        session.entrants.all().delete()
        return Entrant.objects.bulk_create(
            Entrant(session=session, player_id=seat.player_id, line=seat.line, number=seat.number, ranked=seat.ranked)
            for seat in seats
        )


@transaction.atomic
def use_deal_set(
    *,
    session_id: int,
    deal_set: DealSet,
    first_etui: int = 1,
    needed: int = 0,
    insists: Insists | None = None,
) -> Session:
    """Choose the étuis of a session: those of the set from `first_etui` on. Return the session.

    `needed` is the number of étuis that the plan needs, or 0 if it is not known yet. If readers have seen the cards of
    one of them, raise `ActionRefused`, unless the director `insists` and gives a reason, which is logged.
    """
    session = lock_draft(session_id)
    deal_set = lock_deal_set(deal_set.pk)
    if deal_set.club_id != session.tournament.club_id or deal_set.free:
        raise ActionRefused("deal_set_unknown", "deal_set")
    if is_revealed(deal_set):
        raise ActionRefused("seed_revealed", "deal_set")
    if deal_set.given_up_at is not None:
        raise ActionRefused("set_given_up", "deal_set")
    if not deal_set.etuis.filter(number=first_etui).exists():
        raise ActionRefused("etui_unknown", "first_etui", number=first_etui)
    last = first_etui + needed if needed else MAX_ETUIS + 1
    known = find_known_etuis(deal_set).intersection(range(first_etui, last))
    if known and (insists is None or not insists.reason.strip()):
        raise ActionRefused("etuis_public", "reason", number=min(known))
    take_copy(session, deal_set)
    session.deal_set, session.first_etui, session.public_etuis_reason = deal_set, first_etui, ""
    check_own_sections(session)
    if known and insists is not None:
        session.public_etuis_reason = insists.reason.strip()[:300]
        log_action(
            session,
            "public_etuis",
            now=insists.now,
            by=insists.by,
            words=deal_set.name,
            name=deal_set.name,
            number=min(known),
            reason=session.public_etuis_reason,
        )
    session.save(update_fields=["deal_set", "first_etui", "public_etuis_reason", "held_until"])
    lay_again(session)
    return session


@transaction.atomic
def prepare_deals(
    *, session_id: int, with_cards: bool, count: int, by: User, now: dt.datetime, given: bytes = b""
) -> DealSet:
    """Make a deal set with `count` étuis, choose it for this session, and return it.

    With `with_cards`, the cards are computed from a seed that is drawn now and mixed with the bytes `given`. If a Garde
    is imposed, every étui's taker then gets a hand good enough for a Garde. Without `with_cards`, the étuis have only
    numbers, and players deal the cards at the table. If one seat takes every étui of the format, every étui names it.
    """
    session = lock_draft(session_id)
    tournament = session.tournament
    format = find_format(tournament.format)
    told: dict[str, Any] = {
        "club": tournament.club,
        "name": f"{tournament.name} · {session.number}"[:120],
        "count": count,
        "players": find_players_of_set(format),
        "by": by,
        "now": now,
    }
    if with_cards:
        deal_set = create_deal_set(**told, given=given, profile=profile_of(format))
    else:
        deal_set = create_set_dealt_at_table(**told, taker=format.find_taker(""))
    use_deal_set(session_id=session_id, deal_set=deal_set)
    return deal_set
