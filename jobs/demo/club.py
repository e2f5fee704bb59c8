"""The club of the demonstration: its accounts, players and étuis, and the earlier sessions of its season.

Each player has a fixed strength, so that careers and comparisons show differences. Results are written directly as
rows, because entering them one by one would take minutes.
"""

import datetime as dt
import random
from collections.abc import Mapping, Sequence

from django.utils import timezone

from clubs.models import Club, Membership, Player, Season, User
from clubs.players import add_players
from clubs.roster import read_line
from deals.sets import create_deal_set
from evenings.plans.by_format import GARDE_PROFILE
from evenings.plans.starting import start_session
from evenings.plays.entering import raise_results_version
from evenings.plays.entries import to_row
from evenings.practice import PLAYERS, invent_result
from evenings.sessions.setup import create_session, seats_in_order, set_entrants, use_deal_set
from evenings.sessions.weekly import create_weekly_sessions
from rankings.publication.publishing import SESSIONS
from tournaments.models import Play, ResultEntry, Session, Tournament
from tournaments.rules.entry import Entry, base_score
from tournaments.versions import DirectorWord, find_newest_version, is_over

FRIDAY = 4  # the number of the weekday; Monday is 0
SLUG = "tarot-club-des-halles"
DIRECTOR = "directeur"
PASSWORD = "demo-topage"


def make_demo_club(*, now: dt.datetime) -> tuple[Club, Season]:
    """Create the club and its season, from September to August."""
    club = Club.objects.create(name="Tarot-club des Halles", slug=SLUG, created_at=now)
    date = now.date()
    start = dt.date(date.year if date.month >= 9 else date.year - 1, 9, 1)
    season = Season.objects.create(
        club=club, name=f"{start.year}-{start.year + 1}", starts_on=start, ends_on=dt.date(start.year + 1, 8, 31)
    )
    return club, season


def account(name: str, club: Club, role: Membership.Role) -> User:
    """Return the account with this name, created if needed, with a role in the club."""
    user = User.objects.filter(username=name).first() or User.objects.create_user(name, password=PASSWORD)
    Membership.objects.create(user=user, club=club, role=role)
    return user


def make_other_club(slug: str, name: str, *, by: User, now: dt.datetime) -> Club:
    """Return a new club that the demonstration's director directs too."""
    club = Club.objects.create(name=name, slug=slug, created_at=now)
    account(by.username, club, Membership.Role.DIRECTOR)
    return club


def add_listed(club: Club, names: str) -> list[Player]:
    """Add the players in `names`, one on each line, to the club's list. Return them."""
    return add_players(club=club, lines=[read_line(name) for name in names.splitlines() if name])


def last_friday(now: dt.datetime) -> dt.date:
    """Return the date of the latest Friday: today, or before."""
    today = timezone.localdate(now)
    return today - dt.timedelta(days=(today.weekday() - FRIDAY) % 7)


def keep_groups(players: Sequence[Player]) -> None:
    """Save the series and the ladies' category of these players, which are set already."""
    Player.objects.bulk_update(players, ["series", "ladies"])


def make_known_etuis(session: Session, *, count: int, seed: bytes, now: dt.datetime) -> None:
    """Make the session's étuis from a fixed seed, so that the demonstration is always the same.

    All other deal sets have a secret random seed.
    """
    deal_set = create_deal_set(
        club=session.tournament.club,
        name=f"{session.tournament.name} · {session.number}",
        count=count,
        now=now,
        by=None,
        seed=seed,
        profile=GARDE_PROFILE,
    )
    use_deal_set(session_id=session.pk, deal_set=deal_set)


EVENINGS = 12
WEEK = dt.timedelta(weeks=1)
TABLES = (5, 7, 5, 5, 7, 5, 5, 7, 5, 5, 7, 5)  # numbers of tables for which the site has a ready plan
REGULARS = 12  # the number of players, first on the list, who come nearly every time
SPREAD = 3  # standard deviation of the players' strengths
TO_COME = 4
SERIES = {"1": 4, "2": 12, "3": 22, "4": 30, "promotion": 1000}  # series → the last place by strength in it
LADIES = {"Anne-Sophie", "Agnès", "Capucine", "Hélène", "Inês", "Léa", "Maëlle", "Odile", "Pilar", "Solène", "Thaïs"}
OTHERS = """
Abadie, Corentin
Belkacem, Yasmine
Cordier, Odile
Dubreuil, Émile
Fontaine, Capucine
Guérin, Loïc
Hernández, Pilar
Jacquet, Armelle
"""


def play_season(tournament: Tournament, evenings: int, *, by: User, now: dt.datetime) -> None:
    """Play and publish `evenings` sessions, a week apart. The last one is a week before the latest Friday."""
    dice = random.Random("season")
    everybody = add_listed(tournament.club, PLAYERS + OTHERS)
    strengths = {player.pk: dice.gauss(0, SPREAD) for player in everybody}
    give_groups(everybody, strengths)
    for place in range(evenings):
        night = now - (timezone.localdate(now) - last_friday(now)) - WEEK * (evenings - place)
        tables = TABLES[place % len(TABLES)]
        play_evening_of_season(tournament, who_comes(everybody, 4 * tables, dice), strengths, by=by, now=night)


def give_groups(everybody: Sequence[Player], strengths: Mapping[int, float]) -> None:
    """Give each player a series by strength, and some players the ladies' category."""
    for place, player in enumerate(sorted(everybody, key=lambda player: -strengths[player.pk])):
        player.series = next(series for series, last in SERIES.items() if place < last)
        player.ladies = Player.Ladies.LADIES if player.first_name in LADIES else ""
    keep_groups(everybody)


def make_evenings_to_come(tournament: Tournament, *, by: User, now: dt.datetime) -> None:
    """Create the next weekly sessions, so that calendars have something to show."""
    next_week = last_friday(now) + WEEK
    until = next_week + WEEK * (TO_COME - 1)
    create_weekly_sessions(tournament_id=tournament.pk, date=next_week, until=until, by=by, now=now)


def who_comes(everybody: Sequence[Player], count: int, dice: random.Random) -> list[Player]:
    """Return `count` players of the session, in the order in which they take seats."""
    weights = {player.pk: dice.random() * (3 if place < REGULARS else 1) for place, player in enumerate(everybody)}
    coming = sorted(everybody, key=lambda player: -weights[player.pk])[:count]
    dice.shuffle(coming)
    return coming


def play_evening_of_season(
    tournament: Tournament, players: Sequence[Player], strengths: Mapping[int, float], *, by: User, now: dt.datetime
) -> None:
    """Play a session of five positions and publish it."""
    tables = len(players) // 4
    session = create_session(
        tournament=tournament, date=timezone.localtime(now).date(), positions=5, etuis_per_position=4
    )
    set_entrants(session_id=session.pk, seats=seats_in_order([player.pk for player in players]))
    seed = random.Random(f"étuis {session.number}").randbytes(32)
    make_known_etuis(session, count=4 * tables, seed=seed, now=now - dt.timedelta(hours=4))
    start_session(session_id=session.pk, by=by, now=now - dt.timedelta(hours=3))
    enter_in_bulk(session, strengths, by=by, now=now)
    SESSIONS.publish(session.pk, DirectorWord(by, now))
    make_official_in_time(session)


def make_official_in_time(session: Session) -> None:
    """Make the ranking official if its time for corrections is already over."""
    last = find_newest_version(session)
    assert last is not None
    if is_over(last, timezone.now()):
        SESSIONS.end_window(session, last, last.official_from)


def enter_in_bulk(
    session: Session, strengths: Mapping[int, float], *, by: User, now: dt.datetime, where: str = ""
) -> None:
    """Write one result for each play, dated as if the table had entered it during the session.

    The results of one number of session and one place (`where`) are always the same.
    """
    dice = random.Random(f"results {session.number}{where}")
    who = dict(session.entrants.values_list("pk", "player"))
    rows = []
    for play in session.plays.select_related("etui", "table").order_by("position", "table__number", "etui__number"):
        ahead = lead_of_taker(play, {entrant: strengths[player] for entrant, player in who.items()})
        entered_at = now - dt.timedelta(minutes=35 * (5 - play.position) + dice.randrange(30))
        options = {"play": play, "version": 1, "author": by, "device": f"Table {play.table.number}", "check_by": "none"}
        rows.append(ResultEntry(**options, entered_at=entered_at, **to_row(played_by(play, ahead, dice))))
    ResultEntry.objects.bulk_create(rows)
    raise_results_version(session.pk)


def lead_of_taker(play: Play, strengths: Mapping[int, float]) -> float:
    """Return how much the taker's strength is above the mean strength of the three defenders."""
    seats = play.seat_ids
    taker = strengths[seats.pop(play.etui.taker)]
    return taker - sum(strengths[pk] for pk in seats.values()) / len(seats)


def played_by(play: Play, ahead: float, dice: random.Random) -> Entry:
    """Return the better or the worse of two invented results.

    The stronger the taker (`ahead`), the more often the better one.
    """
    two = sorted((invent_result(play, dice) for _time in range(2)), key=base_score)
    return two[dice.gauss(ahead, SPREAD) > 0]
