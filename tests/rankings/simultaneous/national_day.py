"""A small simultaneous for tests of its field: clubs play the same étuis, and their results are plain figures.

The sessions play sets of their own here: the field only looks at the numbers of étuis. What the rows of a simultaneous
do to cards is tested elsewhere.
"""

import datetime as dt
from fractions import Fraction

from django.db.models import F
from django.utils import timezone

from clubs.models import Club, User
from deals.sets import create_set_dealt_at_table
from evenings.plays.entries import to_row
from rankings.simultaneous.field.computing import refresh_field
from tests.factories import garde, make_club, make_tournament, started_session
from tournaments.models import Play, ResultEntry, Session, Simultaneous, SimultaneousClub
from tournaments.versions import DirectorWord

DAY = dt.timedelta(days=1)
HOUR = dt.timedelta(hours=1)
TABLES, POSITIONS, ETUIS = 5, 5, 1


def make_simultaneous(club: Club, **told: object) -> Simultaneous:
    """Return a simultaneous that opened an hour ago, closes in a day and is public in three days."""
    now = timezone.now()
    deal_set = create_set_dealt_at_table(club=club, name="Simultané", count=TABLES * ETUIS, now=now, by=None)
    given = {
        "title": "Simultané d’hiver",
        "slug": "hiver",
        "opens_at": now - HOUR,
        "closes_at": now + DAY,
        "public_at": now + 3 * DAY,
        "alterne": True,
        "created_at": now,
    }
    return Simultaneous.objects.create(club=club, deal_set=deal_set, **given | told)


def join_club(simultaneous: Simultaneous, name: str, by: User, *, begun: dt.datetime | None = None) -> SimultaneousClub:
    """Return the row of a new club that agreed. With `begun`, its session began at that moment."""
    now = timezone.now()
    club = make_club(name.lower(), name)
    row = SimultaneousClub(simultaneous=simultaneous, club=club, invited_at=now, agreed_at=now)
    for field in ("invited_by", "agreed_by"):
        if hasattr(row, f"{field}_id"):
            setattr(row, field, by)
    if begun is not None:
        tournament = make_tournament(club, name="Soirée")
        session = started_session(tournament, tables=TABLES, positions=POSITIONS, etuis_per_position=ETUIS)
        Session.objects.filter(pk=session.pk).update(started_at=begun)
        row.session_id = session.pk
    row.save()
    return row


def score_of(points: int) -> int:
    """Return the base score of a Garde with two bouts, by the regulation: 41 points are needed."""
    difference = abs(points - 41)
    return (1 if points >= 41 else -1) * (25 + difference) * 2


def points_of(seed: int, play: Play) -> int:
    """Return the taker's points in a play: they differ from club to club and from table to table."""
    return 30 + (7 * play.etui.number + 11 * play.table.number + 13 * seed + seed * seed) % 29


def enter_session(session: Session, seed: int, by: User) -> None:
    """Enter a result of every play that has none, as rows."""
    now = timezone.now()
    plays = list(session.plays.select_related("etui", "table").filter(entries=None))
    ResultEntry.objects.bulk_create(
        ResultEntry(
            play=play,
            version=1,
            author=by,
            entered_at=now,
            **to_row(garde(play.taker, points=points_of(seed, play))),
        )
        for play in plays
    )
    Session.objects.filter(pk=session.pk).update(results_version=F("results_version") + len(plays))


def compute(simultaneous: Simultaneous) -> dict:
    """Compute the field as the job does, and return its data."""
    refresh_field(simultaneous.pk, now=timezone.now())
    simultaneous.refresh_from_db()
    return simultaneous.standings.data


def figures(data: dict) -> dict:
    """Return the figures of each player by (session id, entrant id)."""
    return {
        (row["session"], row["id"]): {
            **{name: row[name] and Fraction(row[name]) for name in ("attack", "defence", "overall")},
            "deals": row["deals"],
            "line": row["line"],
            "rank": row["rank_general"],
            "rank_line": row["rank_line"],
            "rank_alterne": row["rank_alterne"],
        }
        for row in data["players"]
    }


def play_in(organiser, director, clubs, slug="hiver"):
    """Return a simultaneous that these clubs have played to the end, and their sessions."""
    simultaneous = make_simultaneous(organiser, slug=slug)
    sessions = []
    for number in range(clubs):
        row = join_club(simultaneous, f"{slug}{number}".capitalize(), director, begun=timezone.now())
        session = Session.objects.get(pk=row.session_id)
        enter_session(session, number, director)
        sessions.append(session)
    compute(simultaneous)
    return simultaneous, sessions


def word(director, reason=""):
    return DirectorWord(director, timezone.now(), reason)
