"""The published ranking of a field with the names to show, and the part of it that readers may see now.

Only the players of the shown part are named, because a national field has thousands. Names follow today's wishes, as in
the published rankings of sessions.

The ranking may be open before the étuis are. From the public hour on, the notes and scores of étuis are open too.
"""

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import OuterRef, Subquery

from clubs.models import Club
from clubs.shown import call_in_public
from evenings.reference import find_field_reference
from rankings.columns import RankingShape
from rankings.kinds import sum_names_versions
from rankings.publication.frequencies import Frequency, ScoreField
from rankings.ranking import ClubChoice, RankedRow, Ranking, show_stored
from scoring.formats import Format, find_format_by_auction
from scoring.plays import SEATS, SeatNotes
from scoring.simultaneous import TakenScore, find_notes_by_score
from tournaments.models import FieldPublication, Publication, Session, SimultaneousClub
from tournaments.prepared import PreparedValues
from tournaments.published import Shows
from tournaments.reports.session import decode_players
from tournaments.versions import VersionStamp, find_stamp
from tournaments.words.stamps import make_stamp

Data = Mapping[str, Any]
GENERAL, ALTERNE = "general", "alterne"


@dataclass(frozen=True, slots=True)
class FieldEtuis:
    """The étuis of a field in a stored ranking, and how often each of their scores was made.

    `data` is the stored ranking. `club_of` has the names of its clubs by session id.
    """

    data: Data
    format: Format
    club_of: Mapping[int, str]

    def find_etui(self, number: int) -> Data | None:
        """Return the stored frequencies of an étui, or None."""
        return next((etui for etui in self.data["etuis"] if etui["number"] == number), None)


FieldRanking = Ranking[FieldEtuis]


def read_field_ranking(data: Data) -> FieldRanking:
    """Return the ranking from stored data. Its rows have no names until they are shown. It takes one query."""
    format = find_format_by_auction(data["auction"])
    clubs = {
        pk: ClubChoice(slug, name)
        for pk, slug, name in Club.every.filter(pk__in=[each["club"] for each in data["clubs"]]).values_list(
            "pk", "slug", "name"
        )
    }
    played = [(each["session"], clubs[each["club"]]) for each in data["clubs"] if each["session"]]
    club_of = {session: club.name for session, club in played}
    alterne = bool(data["alterne"])
    stored = decode_players(data["players"])
    counted = {each["session"] for each in data["clubs"] if each["players"]}
    return Ranking(
        shape=RankingShape(unit=format.unit, alterne=alterne, lines=alterne, weighted=format.is_weighted, clubs=True),
        rules=FieldEtuis(data, format, club_of),
        format=format,
        rows=[show_stored(RankedRow, row, name="", named=False, club=club_of[row.session or 0]) for row in stored],
        reference=find_field_reference(has_alterne=alterne),
        clubs=dict(sorted((each for each in played if each[0] in counted), key=lambda each: each[1].name)),
        show=name_rows,
    )


def name_rows(rows: Iterable[RankedRow]) -> list[RankedRow]:
    """Return these rows with the names that everybody may see. It takes one query, and none without rows."""
    listed = list(rows)
    called = call_in_public({row.player for row in listed}) if listed else {}
    return [replace(row, **called[row.player]._asdict()) for row in listed]


def list_field_scores(field: FieldEtuis, etui: Data) -> list[ScoreField]:
    """Return the scores of an étui over all clubs. In a free auction each seat has scores of its own."""
    seats = field.format.lines if field.format.compares_seats else [""]
    found: list[ScoreField] = []
    for part in etui["parts"]:
        club, notes = field.club_of.get(part["own"], ""), find_notes_of_part(field.format, part)
        found += [ScoreField(str(seat), part["part"], count_scores(part, notes, str(seat)), club) for seat in seats]
    return found


def find_notes_of_part(rules: Format, part: Data) -> dict[TakenScore, SeatNotes]:
    counted = {TakenScore(taker, score): count for taker, score, count in part["scores"]}
    return find_notes_by_score(counted, rules)


def count_scores(part: Data, notes: Mapping[TakenScore, SeatNotes], seat: str) -> list[Frequency]:
    """Return the marks of one seat in a free auction, the best first.

    Without a seat, return the base scores of the takers. A score that several seats took is one line.
    """
    counted: dict[int, Frequency] = {}
    for taker, score, count in part["scores"]:
        seat_notes, place = notes[TakenScore(taker, score)], SEATS.index(seat or taker)
        value = score if not seat else 3 * score if seat == taker else -score
        before = counted[value].count if value in counted else 0
        defence = None if seat else seat_notes[(place + 1) % 4]
        counted[value] = Frequency(value, before + count, seat_notes[place], defence)
    return [counted[value] for value in sorted(counted, reverse=True)]


@dataclass(frozen=True, slots=True)
class FieldStamp(VersionStamp):
    """The stamp of a version of a field's ranking: everything on which its public pages depend.

    `names` is the sum of the versions of the names in all clubs that play. `opened` is True from the public hour on.
    `about` is a digest of the rest: public hour, title, address, and the names of the organiser's club. For a feuille,
    it also covers which parts of the session its club shows.
    """

    opened: bool

    @property
    def shows(self) -> tuple[bool, ...]:
        return (self.opened,)


def find_state_of_club(entrant: int) -> list[Any]:
    """Return everything on which the feuille of an entrant depends in the entrant's club. It takes one query."""
    newest = Publication.objects.filter(session=OuterRef("pk")).order_by("-version").values("pk")[:1]
    shows = [f"shows_{part}" for part in Shows._fields]
    found = Session.objects.filter(entrants=entrant).values_list(*shows, "held_until", Subquery(newest))
    return list(found)


# The versions of a ranking, the newest first, each with everything else on which its pages depend.
VERSIONS = PreparedValues(
    lambda simultaneous: (
        FieldPublication.objects.filter(simultaneous=simultaneous)
        .order_by("-version")
        .values_list(
            *("pk", "version", "status", "digest", "official_from"),
            sum_names_versions(SimultaneousClub, "simultaneous"),
            *(f"simultaneous__{name}" for name in ("public_at", "title", "slug", "deal_set__revealed_at")),
            *(f"simultaneous__club__{name}" for name in ("slug", "names_version")),
        )
    )
)


def find_field_stamp(pk: int, version: int | None, entrant: int | None, now: dt.datetime) -> FieldStamp | None:
    """Return the stamp of a version of a simultaneous (its id), or of the newest one. Return None if there is none.

    It takes one query. With `entrant`, the stamp is that of the entrant's feuille, and takes two.
    """
    rows = VERSIONS(pk)
    found = find_stamp([(*row[:4], row[4] is not None and row[4] <= now, row[5], pk, None) for row in rows], version)
    if found is None:
        return None
    public_at, *about = rows[0][6:]
    club = [] if entrant is None else find_state_of_club(entrant)
    return FieldStamp(**found.fields, opened=public_at <= now, about=make_stamp(public_at, *about, club))
