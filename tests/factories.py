"""The small evenings of the tests, made by the services that a club uses. Nothing here is random."""

import datetime as dt
from collections.abc import Callable, Iterable

from django.db.models import F
from django.utils import timezone

from clubs.models import Club, Membership, User
from clubs.players import add_players
from clubs.roster import RosterLine
from deals.sets import create_deal_set, create_set_dealt_at_table
from evenings.plans.starting import start_session
from evenings.plays.entering import check_entry, enter_result
from evenings.plays.entries import to_row
from evenings.sessions.setup import create_session, create_tournament, seats_in_order, set_entrants, use_deal_set
from rankings.publication.publishing import SESSIONS, Terms
from scoring.contract import Contract, DealResult
from scoring.formats import find_format_by_auction
from scoring.ranking import Line
from tests.again import once_more
from tournaments.models import ChangedEtui, LogEntry, Play, Publication, ResultEntry, Session, Tournament
from tournaments.queue import queue_standings
from tournaments.rules.entry import Entry, Facts, Fiche
from tournaments.versions import DirectorWord

PASSWORD = "a long passphrase for tests"
SEED = bytes(range(32))
DATE = dt.date(2026, 11, 20)


def make_club(slug: str = "", name: str = "Club des Étuis") -> Club:
    """Return a club at the address `club`, or at the next free one if the evening of a whole file has it."""
    slug = slug or next(free for free in ("club", "voisins", "tiers") if not Club.objects.filter(slug=free).exists())
    return Club.objects.create(name=name, slug=slug, created_at=timezone.now())


def make_user(name: str, club: Club | None = None, role: str = "") -> User:
    """Return an account with the password of all tests, and with a role in the club if one is given."""
    user = User.objects.create_user(name, password=PASSWORD)
    if club is not None and role:
        Membership.objects.create(user=user, club=club, role=role)
    return user


def make_director(club: Club, name: str = "directrice") -> User:
    return make_user(name, club, Membership.Role.DIRECTOR)


def make_helper(club: Club, name: str = "table") -> User:
    return make_user(name, club, Membership.Role.HELPER)


def make_tournament(club: Club | None = None, auction: str = "imposed", name: str = "Duplicate d’été") -> Tournament:
    played = find_format_by_auction(auction).name
    return create_tournament(club=club or make_club(), name=name, format=played, now=timezone.now())


def draft_session(
    tournament: Tournament | None = None,
    *,
    tables: int = 5,
    positions: int = 5,
    etuis_per_position: int = 1,
    cards: bool = False,
) -> Session:
    """Return a session that can be started: it has players, seats and étuis."""
    shape = {"tables": tables, "positions": positions, "etuis_per_position": etuis_per_position, "cards": cards}
    return once_more(prepare, tournament or make_tournament(), None, shape)


def prepare(
    tournament: Tournament, by: None, *, tables: int, positions: int, etuis_per_position: int, cards: bool
) -> Session:
    session = create_session(
        tournament=tournament, date=DATE, positions=positions, etuis_per_position=etuis_per_position
    )
    names = [RosterLine(f"Nom{number:03}", "Zoé") for number in range(1, 4 * tables + 1)]
    players = add_players(club=tournament.club, lines=names)
    set_entrants(session_id=session.pk, seats=seats_in_order([player.pk for player in players]))
    common = {"club": tournament.club, "name": "étuis", "count": tables * etuis_per_position, "now": timezone.now()}
    deal_set = create_deal_set(**common, by=None, seed=SEED) if cards else create_set_dealt_at_table(**common, by=None)
    return use_deal_set(session_id=session.pk, deal_set=deal_set)


def started_session(tournament: Tournament | None = None, **shape: int) -> Session:
    return once_more(start, tournament or make_tournament(), None, shape)


def start(tournament: Tournament, by: None, **shape: int) -> Session:
    session = draft_session(tournament, **shape)  # type: ignore[arg-type]
    return start_session(session_id=session.pk, now=timezone.now())


def garde(taker: str, *, bouts: int = 2, points: int = 49) -> Facts:
    return Facts(Line(taker), DealResult(players=4, contract=Contract.GARDE, bouts=bouts, half_points=2 * points))


def plausible(play: Play) -> Entry:
    """Return a result that differs from play to play and is the same in every run. Every fifth one is a fiche."""
    etui, table, position = play.etui.number, play.table.number, play.position
    points = 30 + (7 * etui + 11 * table + 5 * position) % 31
    if (etui + table + position) % 5 == 0:
        return Fiche(Line(play.taker), 2 * points if points > 40 else -2 * points)
    return garde(play.taker, points=points)


def enter(play: Play, entry: Entry | None = None, *, by: User) -> ResultEntry:
    return enter_result(play_id=play.pk, entry=entry or plausible(play), by=by, now=timezone.now())


def enter_all(
    session: Session,
    *,
    by: User,
    plays: Iterable[Play] | None = None,
    choose: Callable[[Play], Entry] = plausible,
) -> None:
    """Enter a result for each play, like `enter`, but in one write, for tests that are not about entering.

    `choose` returns the result of a play.
    """
    session = Session.objects.select_related("tournament").get(pk=session.pk)
    tables, now = session.tables.in_bulk(), timezone.now()
    entries, lines = [], []
    for play in plays if plays is not None else session.plays.select_related("etui"):
        if play.is_replay:
            enter(play, by=by)  # this refuses
        play.session, play.table = session, tables[play.table_id]
        entry = check_entry(play, choose(play))
        shows = session.shows_after != Session.ShownAfter.NOTHING and not session.tournament.federation
        given = {"play": play, "author": by, "entered_at": now, "check_by": session.check_by, "shows": shows}
        given |= to_row(entry) | {"players": len(play.playing_seats)}
        entries.append(ResultEntry(version=1, **given))
        about = {"etui": play.etui.number, "table": tables[play.table_id].number, "position": play.position}
        words = " ".join(f"{name} {number}" for name, number in about.items())
        line = {"action": "entered", "params": about | {"version": 1}, "words": words}
        lines.append(LogEntry(session=session, at=now, author=by, **line))
    ResultEntry.objects.bulk_create(entries)
    LogEntry.objects.bulk_create(lines)
    Session.objects.filter(pk=session.pk).update(results_version=F("results_version") + len(entries))
    changed = {entry.play.etui_id for entry in entries}
    ChangedEtui.objects.bulk_create(ChangedEtui(session=session, etui_id=etui) for etui in changed)
    if entries:
        queue_standings(session.pk)


def publish(session: Session, *, by: User, allow_missing: bool = False) -> Publication:
    return SESSIONS.publish(session.pk, DirectorWord(by, timezone.now()), Terms(allow_missing=allow_missing))


def published_session(tournament: Tournament | None = None, *, by: User | None = None, **shape: int) -> Session:
    """Return a session played to the end and published once, by a new director if `by` is None."""
    tournament = tournament or make_tournament()
    return once_more(play_and_publish, tournament, by or make_director(tournament.club), shape)


def play_and_publish(tournament: Tournament, by: User, **shape: int) -> Session:
    session = started_session(tournament, **shape)
    enter_all(session, by=by)
    publish(session, by=by)
    return session
