"""A player in the ranking over all clubs: the place, and the feuille with the note of each étui in club and field.

The scores and the club's notes come from what the club has published. The notes of the field come from the frequencies
in a version of its ranking.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from evenings.reference import find_field_reference
from rankings.publication.report import FeuilleLine, PlayedEvening, ShownPlay, cut_report, read_in_public
from rankings.ranking import RankedRow
from rankings.simultaneous.field.report import FieldEtuis, find_notes_of_part
from scoring.formats import Format
from scoring.notes import find_deal_part, read_ruled_note
from scoring.plays import LINES
from scoring.simultaneous import TakenScore
from tournaments.models import FieldPublication, Publication, Session, Simultaneous
from tournaments.published import Shows
from tournaments.rules.etuis import AFTER, EtuiSplit, find_etui_part
from tournaments.versions import WITHDRAWN


class PlaceInField(NamedTuple):
    """The place of an entrant in a version of the ranking over all clubs.

    `rank` is the rank of the reference. `rank` and `overall` are None if the version does not rank the player, or does
    not have them. `ranked` is the number of players with a rank.
    """

    simultaneous: Simultaneous
    entrant: int
    is_listed: bool
    rank: int | None
    overall: Fraction | None
    ranked: int


def find_field_version(session_id: int) -> FieldPublication | None:
    """Return the newest version of the ranking in which a session counts, or None if readers see none.

    Its figures are not loaded. It takes one query.
    """
    taking_part = {"clubs__session": session_id, "clubs__left_at": None, "put_away_at": None}
    simultaneous = Simultaneous.objects.filter(**taking_part).order_by().values("pk")
    versions = FieldPublication.objects.filter(simultaneous__in=simultaneous).order_by("-version")
    newest = versions.select_related("simultaneous__club").defer("data", "frozen", "changes").first()
    return None if newest is None or newest.status == WITHDRAWN else newest


def find_place_in_field(version: FieldPublication, entrant: int) -> PlaceInField:
    """Return the place of an entrant. The figures of a version are read once in a process."""
    places, ranked = read_stored_places(version.pk)
    rank, overall = places.get(entrant, (None, None))
    figure = None if overall is None else Fraction(overall)
    return PlaceInField(version.simultaneous, entrant, entrant in places, rank, figure, ranked)


@lru_cache(maxsize=2)  # at the public hour, thousands of players look at one version, which never changes
def read_stored_places(publication: int) -> tuple[Mapping[int, tuple[int | None, str | None]], int]:
    """Return the stored rank and figure of each entrant in a version, and the number of players with a rank."""
    stored = FieldPublication.objects.values_list("data__players", "data__alterne")
    players, has_alterne = stored.get(pk=publication)
    rank = find_field_reference(has_alterne=has_alterne).rank
    places = {row["id"]: (row[rank], row["overall"]) for row in players}
    return places, sum(row[rank] is not None for row in players)


Data = Mapping[str, Any]
NOT_COUNTED: Data = {"annulled": False, "split": None, "parts": ()}  # an étui without a score in the version


@dataclass(frozen=True, slots=True)
class FieldFeuilleLine:
    """One étui of a feuille. `note` is the note in the field, or None without one. `annulled`: annulled for all."""

    line: FeuilleLine
    note: Fraction | None
    annulled: bool


@dataclass(frozen=True, slots=True)
class FieldFeuille:
    """The feuille of a player, and the player as the club's ranking has them."""

    player: RankedRow
    lines: list[FieldFeuilleLine]


def read_club_report(session_id: int) -> PlayedEvening | None:
    """Return what readers see of a session's newest publication with feuilles, or None. It takes three queries."""
    session = Session.objects.filter(pk=session_id).first()
    newest = Publication.objects.filter(session=session_id).order_by("-version").first()
    if session is None or newest is None or newest.status == Publication.PublicationStatus.WITHDRAWN:
        return None
    shows = Shows.to_readers(session)
    if not (shows.feuilles and shows.etuis and shows.ranking):
        return None
    return read_in_public(cut_report(newest.data, shows))


def read_field_feuille(field: FieldEtuis, row: RankedRow) -> FieldFeuille | None:
    """Return the feuille of a row of the ranking, or None if the club does not show it."""
    club_report = read_club_report(row.session or 0)
    player = club_report.player(row.id) if club_report else None
    if club_report is None or player is None:
        return None
    etuis = {etui["number"]: etui for etui in field.data["etuis"]}
    own: Data = next((each.get("own", {}) for each in field.data["players"] if each["id"] == row.id), {})
    lines = []
    for line in club_report.feuille(player.id):
        etui = etuis.get(line.etui.number, NOT_COUNTED)
        note = None if etui["annulled"] else find_note(line.play, row, own, etui, field.format)
        lines.append(FieldFeuilleLine(line, note, etui["annulled"]))
    return FieldFeuille(player, lines)


def find_note(play: ShownPlay, row: RankedRow, own: Data, etui: Data, format: Format) -> Fraction | None:
    """Return the player's note in the field, or None without one.

    `own` has the player's means in the field, by part of the deal. `etui` has the frequencies of the scores.
    """
    seat = next(each for each, who in play.seats.items() if who == row.id)
    if seat in play.fixed:  # "better 60" looks at the player's own mean in the field
        mean = own.get(str(find_deal_part(seat, play.taker or None, play.base_score)))
        return read_ruled_note(play.fixed[seat]).against(None if mean is None else Fraction(mean))
    if play.base_score is None or not play.compared:
        return None
    split = EtuiSplit(etui["split"][0], tuple(etui["split"][1])) if etui["split"] else None
    place = find_etui_part(split, play.position, play.table), row.session if play.part == AFTER else None
    compared = next((each for each in etui["parts"] if (each["part"], each["own"]) == place), {"scores": ()})
    notes = find_notes_of_part(format, compared).get(TakenScore(play.taker or None, play.base_score))
    return notes[LINES.index(seat)] if notes else None
