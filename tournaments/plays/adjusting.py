"""The arbiter decides a play: its base score, the notes of those who played it, or both. Not settled by the FFT: what
is done is told in docs/scoring.md."""

import datetime as dt
from collections.abc import Mapping
from types import MappingProxyType
from typing import cast

from django.db import transaction

from clubs.models import User
from scoring.contract import find_rules
from scoring.errors import ScoringError
from scoring.fixed import read_fixed
from scoring.ranking import Line
from tournaments.errors import Refused
from tournaments.locks import lock_play
from tournaments.models import EtuiRuling, Play, Ruling, Tournament
from tournaments.plays.entering import log_play, raise_results_version
from tournaments.plays.entries import entry_of, taker_named
from tournaments.plays.said import require_reason, require_seen
from tournaments.rules.entry import Auction, EntryError, Fiche, check, taker_of

NOTHING: Mapping[str, str] = MappingProxyType({})
ORDER = tuple(map(str, Line))


@transaction.atomic
def adjust_play(
    *,
    play_id: int,
    score: int | None = None,
    taker: str = "",
    notes: Mapping[str, str] = NOTHING,
    compared: bool = True,
    reason: str,
    article: str = "",
    seen_ruling: int | None = None,
    by: User,
    now: dt.datetime,
) -> Ruling:
    """The base score, signed for the taker, in place of what the entries come to; notes by line, as `read_fixed` reads
    them, in place of those of the topage. `compared`: the score counts in the topage of the others.

    `seen_ruling` is the id of the newest ruling that its author had before his eyes, 0 where there was none; another
    one by now is a `Conflict`. An annulment is replaced only by who has seen it. `restore_play` takes the adjustment
    back; the same one in force is given once. Raises `Refused`, `ScoringError` or `EntryError` on what cannot be.
    """
    play = lock_play(play_id)
    for line in notes:
        named_line(line, "notes")
    fixed = {line: str(read_fixed(notes[line], line)) for line in ORDER if line in notes}
    if not fixed and (score is None or not compared):
        raise Refused("adjustment_empty")
    if play.is_replay and score is not None:
        raise Refused("etui_met", number=play.etui.number)
    told = {"score": score, "taker": taker_told(play, score, taker), "notes": fixed, "compared": compared}
    newest = play.rulings.order_by("-id").first()
    if newest and newest.kind == Ruling.Kind.ADJUSTED and all(getattr(newest, name) == told[name] for name in told):
        return newest
    require_seen(newest, seen_ruling)
    if newest and newest.kind == Ruling.Kind.ANNULLED and seen_ruling is None:
        raise Refused("play_annulled")
    refuse_annulled_etui(play)
    ruling = Ruling.objects.create(
        play=play,
        kind=Ruling.Kind.ADJUSTED,
        **told,
        reason=require_reason(reason),
        article=article.strip(),
        author=by,
        ruled_at=now,
    )
    raise_results_version(play.session_id, etuis=[play.etui_id])
    log_play(play, "play_adjusted", now=now, by=by)
    return ruling


def named_line(text: str, field: str) -> Line:
    if text not in ORDER:
        raise ScoringError("unknown_value", field, {"value": text[:40], "choices": ", ".join(ORDER)})
    return Line(text)


def taker_told(play: Play, score: int | None, taker: str) -> str:
    """Who took by the ruling: empty where the étui names him, or where nobody did. In a free auction an assigned score
    is for whoever was entered, unless it says for whom. Refuses a figure that no fiche shows."""
    tournament, line = play.session.tournament, named_line(taker, "taker") if taker else None
    imposed = tournament.auction == Tournament.Auction.IMPOSED
    if imposed:
        line = line or taker_named(play.etui)
    elif score is not None and line is None:
        line = next((taker_of(entry_of(row)) for row in play.entries.filter(current=True)), None)
    if line is not None:
        auction = cast(Auction, tournament.auction)
        rules = find_rules(tournament.rules)
        check(Fiche(line, score or 0), auction=auction, etui_taker=taker_named(play.etui), rules=rules)
    elif score:
        raise EntryError("taker_missing", "taker")
    return "" if imposed or line is None else str(line)


def refuse_annulled_etui(play: Play) -> None:
    newest = EtuiRuling.objects.filter(session=play.session_id, etui=play.etui_id).order_by("-id").first()
    if newest is not None and newest.kind == EtuiRuling.Kind.ANNULLED:
        raise Refused("play_annulled")
