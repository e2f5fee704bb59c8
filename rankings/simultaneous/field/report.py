"""The published ranking of a field with the names to show, and the part of it that readers may see now.

Only the players of the shown part are named, because a national field has thousands. Names follow today's wishes, as in
the published rankings of sessions.

The ranking may be open before the étuis are. From the public hour on, the notes and scores of étuis are open too.
"""

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

from django.db.models import Func, OuterRef, Q, Subquery

from clubs.models import Club
from clubs.names import simplify_name
from clubs.shown import PublicPlayer, call_for_directors, call_in_public
from evenings.reference import Reference, find_field_reference
from rankings.columns import RankingShape
from rankings.publication.order import choose_podium
from rankings.rows import RankedRow
from rankings.simultaneous.field.publishing import FIELD_RANKINGS
from scoring.formats import Format, find_format_by_auction
from scoring.plays import SEATS, SeatNotes
from scoring.simultaneous import TakenScore, find_notes_by_score
from tournaments.models import FieldPublication, Publication, Session, Simultaneous, SimultaneousClub
from tournaments.prepared import PreparedValues
from tournaments.published import Shows
from tournaments.versions.stamps import VersionStamp, find_stamp
from tournaments.words.stamps import make_stamp

Data = Mapping[str, Any]
GENERAL, ALTERNE = "general", "alterne"


@dataclass(frozen=True, slots=True)
class ClubChoice:
    """A club whose players may be shown alone."""

    slug: str
    name: str


class FieldReport:
    """A stored ranking of a field, of which pages read a part.

    `data` is the ranking without names. `clubs` has the names of its clubs by session id.
    """

    def __init__(self, data: Data) -> None:
        self.data = data
        self.format: Format = find_format_by_auction(data["auction"])
        names = dict(Club.every.filter(pk__in=[each["club"] for each in data["clubs"]]).values_list("pk", "name"))
        self.club_names = names
        self.club_of = {each["session"]: names[each["club"]] for each in data["clubs"] if each["session"]}

    @property
    def weighted(self) -> bool:
        return self.format.is_weighted

    @property
    def has_alterne(self) -> bool:
        return bool(self.data["alterne"])

    @property
    def reference(self) -> Reference:
        """The ranking that is shown first, and whose first places are the podium."""
        return find_field_reference(has_alterne=self.has_alterne)

    @property
    def shape(self) -> RankingShape:
        """The properties from which the columns of the ranking follow."""
        alterne, unit = self.has_alterne, self.format.unit
        return RankingShape(unit=unit, alterne=alterne, lines=alterne, weighted=self.weighted, clubs=True)

    def list_clubs(self) -> dict[int, ClubChoice]:
        """Return the clubs with players in the ranking by session id, sorted by name. This takes one query."""
        slugs = dict(Club.every.filter(pk__in=self.club_names).values_list("pk", "slug"))
        listed = [(each["session"], each["club"]) for each in self.data["clubs"] if each["players"]]
        listed.sort(key=lambda each: self.club_names[each[1]])
        return {session: ClubChoice(slugs[club], self.club_names[club]) for session, club in listed}

    def order_rows(self, by: str, session: int | None = None) -> list[Data]:
        """Return the stored rows in the order of a ranking: GENERAL, ALTERNE or one of the lines.

        With `session`, return the players of this session only.
        """
        rows = [row for row in self.data["players"] if session in (None, row["session"])]
        if by == ALTERNE:
            rows.sort(key=lambda row: (row["rank_alterne"] is None, row["rank_alterne"] or 0))
        elif by != GENERAL:
            rows = [row for row in rows if row["line"] == by]
        return rows

    def find_podium(self) -> list[Data]:
        """Return the stored rows of the ranks 1 to 3 of the reference, at most six."""
        return choose_podium(self.order_rows(self.reference), lambda row: row[self.reference.rank])

    def has_unranked(self, rows: Iterable[Data]) -> bool:
        """Return whether one of these stored rows has no rank for a reason."""
        return any(row["unranked"] for row in rows)

    def find_row(self, entrant: int) -> Data | None:
        """Return the stored row of an entrant, or None."""
        return next((row for row in self.data["players"] if row["id"] == entrant), None)

    def find_etui(self, number: int) -> Data | None:
        """Return the stored frequencies of an étui, or None."""
        return next((etui for etui in self.data["etuis"] if etui["number"] == number), None)

    def show(self, rows: Iterable[Data], *, in_public: bool = True) -> list[RankedRow]:
        """Return the players of these rows with their names, by one query."""
        listed = list(rows)
        call = call_in_public if in_public else call_for_directors
        called = call({row["player"] for row in listed})
        return [show_field_player(row, called[row["player"]], self.club_of[row["session"]]) for row in listed]

    def find_entrants_by_name(self, wanted: str, *, in_public: bool = True) -> set[int]:
        """Return the entrants whose shown name has every word of `wanted`, by one query."""
        words = simplify_name(wanted).split()
        if not words:
            return set()
        call = call_in_public if in_public else call_for_directors
        called = call({row["player"] for row in self.data["players"]})
        names = {pk: simplify_name(player.name) for pk, player in called.items()}
        return {row["id"] for row in self.data["players"] if all(word in names[row["player"]] for word in words)}


def show_field_player(row: Data, called: PublicPlayer, club: str) -> RankedRow:
    exact: dict[str, Any] = {
        name: None if row[name] is None else Fraction(row[name]) for name in ("attack", "defence", "overall")
    }
    same = ("id", "player", "session", "line", "number", "deals", "unranked")
    ranks = ("rank_general", "rank_line", "rank_alterne")
    return RankedRow(
        **{name: row[name] for name in (*same, *ranks)},
        **exact,
        penalty=Fraction(row["penalty"]),
        club=club,
        **called._asdict(),
    )


@dataclass(frozen=True, slots=True)
class FieldScore:
    """A score of an étui: how often it was made in all clubs, and the notes that it has.

    `note` is the note of the taker, or of the seat in a free auction. `defence` is the note of the defenders.
    """

    score: int
    count: int
    note: Fraction | None
    defence: Fraction | None


@dataclass(frozen=True, slots=True)
class FieldScores:
    """The scores that are compared with each other, the best first. `line` is the seat in a free auction, or "".

    `part` is 2 after the organiser has altered the étui. `club` is the club that altered it before these plays, or "".
    """

    line: str
    part: int
    club: str
    scores: Sequence[FieldScore]

    @property
    def count(self) -> int:
        return sum(each.count for each in self.scores)


def list_field_scores(report: FieldReport, etui: Data) -> list[FieldScores]:
    """Return the scores of an étui over all clubs. In a free auction each seat has scores of its own."""
    found: list[FieldScores] = []
    for part in etui["parts"]:
        club = report.club_of.get(part["own"], "")
        notes = find_notes_of_part(report.format, part)
        if not report.format.compares_seats:
            found.append(FieldScores("", part["part"], club, list(count_base_scores(part, notes))))
            continue
        found += [
            FieldScores(str(line), part["part"], club, count_marks(part, notes, place))
            for place, line in enumerate(report.format.lines)
        ]
    return found


def find_notes_of_part(rules: Format, part: Data) -> dict[TakenScore, SeatNotes]:
    return find_notes_by_score(read_frequencies(part), rules)


def read_frequencies(part: Data) -> dict[TakenScore, int]:
    return {TakenScore(taker, score): count for taker, score, count in part["scores"]}


def count_base_scores(part: Data, notes: Mapping[TakenScore, SeatNotes]) -> Iterable[FieldScore]:
    """Yield the base scores of the takers, the best first. A score that several seats took is one line."""
    counted: dict[int, int] = {}
    told: dict[int, tuple[Fraction | None, Fraction | None]] = {}
    for taker, score, count in part["scores"]:
        counted[score] = counted.get(score, 0) + count
        seat_notes = notes[TakenScore(taker, score)]
        place = SEATS.index(taker)
        told[score] = seat_notes[place], seat_notes[(place + 1) % 4]
    for score in sorted(counted, reverse=True):
        yield FieldScore(score, counted[score], *told[score])


def count_marks(part: Data, notes: Mapping[TakenScore, SeatNotes], place: int) -> list[FieldScore]:
    """Return the marks of one seat in a free auction, the best first."""
    counted: dict[int, int] = {}
    told: dict[int, Fraction | None] = {}
    for taker, score, count in part["scores"]:
        mark = 3 * score if taker is not None and SEATS[place] == taker else -score
        counted[mark] = counted.get(mark, 0) + count
        told[mark] = notes[TakenScore(taker, score)][place]
    return [FieldScore(mark, counted[mark], told[mark], None) for mark in sorted(counted, reverse=True)]


@dataclass(frozen=True, slots=True)
class FieldNotes:
    """The notes of a field by étui, for the feuille of a player of one session.

    `by_part` has the notes of each score by étui number and part.
    """

    annulled: frozenset[int]
    by_part: Mapping[tuple[int, int, int | None], Mapping[TakenScore, SeatNotes]] = field(default_factory=dict)

    def find(self, etui: int, part: int, own: int | None, score: TakenScore) -> SeatNotes | None:
        """Return the notes of the four seats, or None if this score is not in the version."""
        return self.by_part.get((etui, part, own), {}).get(score)


def read_field_notes(report: FieldReport, etuis: Collection[int]) -> FieldNotes:
    """Return the notes of these étuis (numbers)."""
    found = [etui for etui in report.data["etuis"] if etui["number"] in etuis]
    return FieldNotes(
        frozenset(etui["number"] for etui in found if etui["annulled"]),
        {
            (etui["number"], part["part"], part["own"]): find_notes_of_part(report.format, part)
            for etui in found
            for part in etui["parts"]
        },
    )


@dataclass(frozen=True, slots=True)
class FieldStamp(VersionStamp):
    """The stamp of a version of a field's ranking: everything on which its public pages depend.

    `names` is the sum of the versions of the names in all clubs and in the organiser's. `opened` is True from the
    public hour on. `about` is a digest of the rest: public hour, title and address. For a feuille, it also covers which
    parts of the session its club shows.
    """

    opened: bool
    about: str

    @property
    def parts(self) -> tuple[object, ...]:
        return (*VersionStamp.parts.fget(self), self.about)  # type: ignore[attr-defined]

    @property
    def shows(self) -> tuple[bool, ...]:
        return (self.opened,)


def find_state_of_club(entrant: int) -> list[Any]:
    """Return everything on which the feuille of an entrant depends in the entrant's club. It takes one query."""
    newest = Publication.objects.filter(session=OuterRef("pk")).order_by("-version").values("pk")[:1]
    shows = [f"shows_{part}" for part in Shows._fields]
    found = Session.objects.filter(entrants=entrant).values_list(*shows, "held_until", Subquery(newest))
    return list(found)


def sum_names(simultaneous: int) -> Subquery:
    """Return the subquery that adds the versions of the names in the organiser's club and in all clubs that play."""
    playing = SimultaneousClub.objects.filter(simultaneous=simultaneous).order_by().values("club")
    own = Simultaneous.objects.filter(pk=simultaneous).values("club")
    clubs = Club.every.filter(Q(pk__in=playing) | Q(pk__in=own)).order_by()
    return Subquery(clubs.annotate(names=Func("names_version", function="SUM")).values("names"))


# The versions of a ranking, the newest first, each with everything else on which its pages depend.
VERSIONS = PreparedValues(
    lambda simultaneous: (
        FieldPublication.objects.filter(simultaneous=simultaneous)
        .order_by("-version")
        .values_list(
            *("pk", "version", "status", "digest", "official_from", sum_names(simultaneous)),
            *(
                f"simultaneous__{name}"
                for name in ("public_at", "title", "slug", "club__slug", "deal_set__revealed_at")
            ),
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


def look_up_field(
    simultaneous: Simultaneous, version: int | None = None, *, entrant: int | None = None
) -> FieldStamp | None:
    """Return the stamp as `find_field_stamp` does, after making the ranking official if its time has come."""
    return FIELD_RANKINGS.look_up(partial(find_field_stamp, simultaneous.pk, version, entrant))
