"""The adjustment of a play by the arbiter, who assigns a base score, or fixes the notes of players, or both.

The FFT has no rule for this. docs/scoring.md describes what the site does.
"""

import datetime as dt
from collections.abc import Collection, Mapping
from types import MappingProxyType

from django.db import transaction

from clubs.models import User
from evenings.plays.entering import log_play, raise_results_version
from evenings.plays.entries import entry_of, taker_named
from evenings.plays.free import FreeDealsRefused, fit_entry, refuse_on_sheet
from evenings.plays.rulings_given import require_reason, require_seen
from scoring.errors import ScoringError
from scoring.formats import Unit, find_format
from scoring.notes import read_fixed, read_fixed_points
from scoring.plays import LINES, SEATS
from tournaments.errors import ActionRefused
from tournaments.locks import lock_play
from tournaments.models import EtuiRuling, Play, ResultEntry, Ruling
from tournaments.rules.entry import BIGGEST_SHEET, EntryError, Fiche, check_entry_rules, taker_of
from tournaments.rules.formats import require_offered

NOTHING: Mapping[str, str] = MappingProxyType({})
NO_MARKS: Mapping[str, int] = MappingProxyType({})
ORDER = tuple(map(str, LINES))


@transaction.atomic
def adjust_play(
    *,
    play_id: int,
    score: int | None = None,
    taker: str = "",
    notes: Mapping[str, str] = NOTHING,
    compared: bool = True,
    partner: str = "",
    marks: Mapping[str, int] = NO_MARKS,
    reason: str,
    article: str = "",
    seen_ruling: int | None = None,
    by: User,
    now: dt.datetime,
) -> Ruling:
    """Adjust a play: `score` replaces the base score that was entered, and `notes` replace notes of the topage.

    `score` is positive if the taker wins. `notes` has texts by line, such as "60" or "better 60" (see `read_fixed`).
    With `compared`, the score counts in the topage of the other plays. Return the ruling, or the newest ruling if it is
    the same adjustment. `restore_play` cancels an adjustment.

    Where the tables deal, `partner` is the taker's partner among five players, and `marks` by seat may take the place
    of the score. They need not sum to zero, and no notes can be fixed. If the play has the sheet of its game, the marks
    take the place of the whole sheet, and a score is refused.

    `seen_ruling` is the id of the newest ruling that the author saw, 0 if there was none. If there is a newer one now,
    raise `Conflict`. An annulment is replaced only if the author saw it. Raise `ActionRefused`, `ScoringError` or
    `EntryError` if the adjustment is not possible.
    """
    play = lock_play(play_id)
    for line in notes:
        named_line(line, "notes", find_format(play.session.tournament.format).seats)
    fixed = read_notes(play, notes)
    check_marks(play, marks, score, fixed)
    refuse_on_sheet(play)
    if not fixed and not marks and (score is None or not compared):
        raise ActionRefused("adjustment_empty")
    if play.is_replay and score is not None:
        raise ActionRefused("etui_met", number=play.etui.number)
    told = {"score": score, "notes": fixed, "compared": compared, "marks": dict(marks), "partner": partner}
    told["taker"] = "" if marks else taker_told(play, score, taker, partner)
    newest = play.rulings.order_by("-id").first()
    if (
        newest
        and newest.kind == Ruling.RulingKind.ADJUSTED
        and all(getattr(newest, name) == told[name] for name in told)
    ):
        return newest
    require_seen(newest, seen_ruling)
    if newest and newest.kind == Ruling.RulingKind.ANNULLED and seen_ruling is None:
        raise ActionRefused("play_annulled")
    refuse_annulled_etui(play)
    ruling = Ruling.objects.create(
        play=play,
        kind=Ruling.RulingKind.ADJUSTED,
        **told,
        reason=require_reason(reason),
        article=article.strip(),
        author=by,
        ruled_at=now,
    )
    raise_results_version(play.session_id, etuis=[play.etui_id])
    log_play(play, "play_adjusted", now=now, by=by)
    return ruling


def read_notes(play: Play, notes: Mapping[str, str]) -> dict[str, str]:
    """Return the fixed notes as they are stored, by line. Raise `ScoringError` or `ActionRefused` for a wrong one.

    Match points can be fixed only for the attacking team: the other team has its points from its own attack.
    """
    if find_format(play.session.tournament.format).unit is not Unit.MATCH_POINTS:
        return {line: str(read_fixed(notes[line], line)) for line in SEATS if line in notes}
    if set(notes) - {play.taker}:
        raise ActionRefused("points_of_attack", "notes")
    return {line: str(read_fixed_points(text, line)) for line, text in notes.items()}


def named_line(text: str, field: str, seats: Collection[str] = SEATS) -> str:
    """Return the seat with this name, one of `seats`. Raise `ScoringError` for another text."""
    if text not in seats:
        raise ScoringError("unknown_value", field, {"value": text[:40], "choices": ", ".join(ORDER)})
    return text


def check_marks(play: Play, marks: Mapping[str, int], score: int | None, notes: Mapping[str, str]) -> None:
    """Raise `ActionRefused` or `EntryError` if the arbiter cannot assign these marks, or the notes beside them."""
    format = play.session.tournament.format
    if notes:
        require_offered(format, FreeDealsRefused("notes_not_fixed", "notes"))
    on_sheet = play.entries.filter(current=True, kind=ResultEntry.EntryKind.SHEET).exists()
    if on_sheet and score is not None:
        raise FreeDealsRefused("score_on_sheet", "base_score")
    if not marks:
        return
    seats = play.seat_ids if on_sheet else play.playing_seats
    require_offered(format, EntryError("sheet_elsewhere", "marks"))
    if score is not None:
        raise FreeDealsRefused("marks_and_score", "marks")
    if {*marks} != {*seats}:
        raise EntryError("sheet_seats", "marks")
    if any(abs(mark) > BIGGEST_SHEET for mark in marks.values()):
        raise EntryError("sheet_range", "marks", most=BIGGEST_SHEET)


def taker_told(play: Play, score: int | None, taker: str, partner: str = "") -> str:
    """Return the taker's line to store with the ruling, or "" if no taker has to be stored.

    No taker is stored if the étui names one, or if there is no taker. In a free auction, the assigned score belongs to
    the `taker` that the arbiter names, else to the taker of the entered result. Raise `EntryError` if a score has no
    taker, or if it is higher than any fiche can show.
    """
    tournament = play.session.tournament
    line: str | None = named_line(taker, "taker") if taker else None
    format = find_format(tournament.format)
    settled = format.find_taker(play.etui.taker)
    line = line or settled
    if line is None and score is not None:
        line = next((taker_of(entry_of(row)) for row in play.entries.filter(current=True)), None)
    if line is not None:
        fiche = fit_entry(play, Fiche(line, score or 0, partner=partner or None))
        check_entry_rules(fiche, format=format, etui_taker=taker_named(play.etui))
    elif score:
        raise EntryError("taker_missing", "taker")
    return "" if line is None or line == settled else str(line)


def refuse_annulled_etui(play: Play) -> None:
    """Raise `ActionRefused` if the étui is annulled for the whole session."""
    newest = EtuiRuling.objects.filter(session=play.session_id, etui=play.etui_id).order_by("-id").first()
    if newest is not None and newest.kind == EtuiRuling.EtuiRulingKind.ANNULLED:
        raise ActionRefused("play_annulled")
