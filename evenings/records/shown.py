"""The records that readers may see beside a published étui, chosen from the records that count now.

Frozen versions contain no records. So a page reads the records each time it is built, and `Session.records_version` is
part of the stamp of its cached copy. This module checks no permission: the caller must make sure that readers may see
the cards.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from deals.domain.cards import Seat
from deals.domain.notation import loads
from referee.errors import PlayRefused
from referee.records.judging import JudgedRecord, judge_record
from referee.records.values import DealRecord, RecordError
from referee.rules import PlayRules
from scoring.contract import find_rules
from scoring.formats import find_format
from scoring.notation import result_from_data
from scoring.ranking import Line
from scoring.values import ScoringRules
from tournaments.models import PlayRecord, Tournament
from tournaments.reports.session import ReportedEtui, ReportedPlay
from tournaments.rules.entry import Entry, Facts, Fiche
from tournaments.rules.record_clash import DealtCards, clashes_of_stored
from tournaments.rules.recorded import read_stored_record
from tournaments.rules.split import BEFORE


@dataclass(frozen=True, slots=True)
class ShownRecord:
    """The record of a play with the étui's cards. `record` has the hands, `judged` the findings of the referee.

    `play` is the id of the play, as in the report.
    """

    play: int
    version: int
    record: DealRecord
    judged: JudgedRecord


def find_shown_records(etui: ReportedEtui, tournament: Tournament) -> dict[int, ShownRecord]:
    """Return the records that may be shown beside one étui of a report, by the play's id. It takes one query."""
    return find_shown_records_of([etui], tournament)[etui.number]


def find_shown_records_of(etuis: Iterable[ReportedEtui], tournament: Tournament) -> dict[int, dict[int, ShownRecord]]:
    """Return the records that may be shown beside étuis of a report, by number and then by the play's id.

    An étui without cards has none. A record is shown only if its taker and contract are those of the published result.
    A complete record must also give the published score. This takes one query.
    """
    etuis = list(etuis)
    plays = {play.id: (etui, play) for etui in etuis if etui.cards for play in etui.plays}
    found: dict[int, dict[int, ShownRecord]] = {etui.number: {} for etui in etuis}
    rows = PlayRecord.objects.filter(play__in=plays, current=True) if plays else ()
    for row in rows:
        etui, play = plays[row.play_id]
        if shown := show_record(row, etui, play, tournament):
            found[etui.number][row.play_id] = shown
    return found


def show_record(row: PlayRecord, etui: ReportedEtui, play: ReportedPlay, tournament: Tournament) -> ShownRecord | None:
    """Return the record with the cards of the published étui, or None if it does not agree with the published play."""
    rules, contract = find_rules(tournament.rules), find_format(tournament.format).contract
    published = read_published_entry(play)
    if published is None or play.part != BEFORE:  # the cards of an altered étui are not known
        return None
    deal = loads(etui.cards)
    if clashes_of_stored(row.text, DealtCards(Seat(etui.dealer), deal), published, contract, rules):
        return None
    record = replace(read_stored_record(row.text), deal=deal)
    judged = judge_published(record, rules)
    return None if judged is None else ShownRecord(row.play_id, row.version, record, judged)


def read_published_entry(play: ReportedPlay) -> Entry | None:
    """Return the published result of a play. Return None if it has no score or nobody took."""
    score, taker = play.base_score, play.taker
    if play.state != "scored" or score is None or not taker:
        return None
    if play.facts:
        told = {name: value for name, value in play.facts.items() if name != "made"}
        return Facts(Line(taker), result_from_data(told))
    return Fiche(Line(taker), score)


def judge_published(record: DealRecord, rules: ScoringRules) -> JudgedRecord | None:
    try:
        return judge_record(record, PlayRules(scoring=rules))
    except (PlayRefused, RecordError):
        return None
