"""The changes between two frozen reports of a session, as codes with parameters.

The module `changes` turns the codes into sentences. Functions here are pure: they read no database. Players are
given by their ids in the club's list, as in the reports, and teams by their numbers, below 0. Two equal reports have no
changes.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from scoring.plays import SEATS
from tournaments.reports.codec import write_exact
from tournaments.reports.session import PublishedReport, RankedPlayer, ReportedEtui, ReportedPlay, decode_report

MISSING = "missing"
EVENING = ("session", "date", "tables", "positions", "etuis_per_position", "auction")
# the codes that speak of percentages, and those that speak of marks instead
IN_MARKS = {"percentages": "marks", "penalty": "penalty_marks"}
Data = dict[str, Any]
Change = dict[str, Any]


class RankedFigures(NamedTuple):
    """The percentages of a player in a ranking, and the ranks. The first rank is that of the classement général."""

    percentages: tuple[Fraction | None, ...]
    ranks: tuple[int | None, ...]


def compare_reports(stored_before: Data, stored_after: Data) -> list[Change]:
    """Return the changes between two stored reports: in the plan, the étuis, the players, and the ranking."""
    if stored_before == stored_after:
        return []
    before, after = decode_report(stored_before), decode_report(stored_after)
    changes = [
        *([{"code": "evening"}] if any(getattr(before, key) != getattr(after, key) for key in EVENING) else []),
        *compare_etuis(before, after),
        *compare_players(before, after),
    ]
    if after.format.has_free_deals:
        changes = [tell_without_etuis(change, after.stride) for change in changes]
    # If the reports differ only in something else, report that too. No change would mean that they are equal.
    return changes or [{"code": "details"}]


def tell_without_etuis(change: Change, stride: int) -> Change:
    """Return a change of an evening at which the tables deal: of a deal in its game, or of marks.

    `stride` is how many deal numbers each game has.
    """
    told = change | {"code": IN_MARKS.get(change["code"], change["code"])}
    if "etui" in told:
        number = told.pop("etui") - 1
        told |= {"code": f"deal_{change['code']}", "game": number // stride + 1, "deal": number % stride + 1}
    return told


def compare_etuis(before: PublishedReport, after: PublishedReport) -> Iterator[Change]:
    """Yield the changes in the étuis: first results that were missing, then changes of each étui, then the cards."""
    olds, news = ({etui.number: etui for etui in report.etuis} for report in (before, after))
    told: list[Change] = []
    came: list[Change] = []
    both = olds.keys() & news
    cards = Counter(bool(news[number].cards) for number in both if olds[number].cards != news[number].cards)
    for number in sorted(olds.keys() | news):
        if number not in olds or number not in news:
            told.append({"code": "etui_came" if number in news else "etui_gone", "etui": number})
            continue
        for change in compare_etui(olds[number], news[number]):
            (came if change["code"] == "came" else told).append(change)
    # A result that was missing is not a correction. If several came in, tell only how many.
    yield from came if len(came) <= 1 else [{"code": "came_many", "count": len(came)}]
    yield from told
    for there, code in ((True, "cards_came"), (False, "cards_gone")):
        if cards[there]:
            yield {"code": code, "count": cards[there]}


def compare_etui(old: ReportedEtui, new: ReportedEtui) -> Iterator[Change]:
    """Yield the changes in an étui and its plays."""
    number = old.number
    if (old.altered_from, old.altered_after) != (new.altered_from, new.altered_after):
        yield {"code": "etui_split" if new.altered_from else "etui_whole", "etui": number}
    if (old.taker, old.dealer) != (new.taker, new.dealer):
        yield {"code": "etui_seats", "etui": number}
    olds, news = ({play.id: play for play in etui.plays} for etui in (old, new))
    both = [(olds[pk], news[pk]) for pk in olds if pk in news]
    if len(both) > 1 and len(both) == len(olds) == len(news):
        states = {(before.state, after.state) for before, after in both}
        for code, told in (("etui_annulled", 1), ("etui_counts", 0)):
            if {pair[told] for pair in states} == {"annulled"} and "annulled" not in {
                pair[1 - told] for pair in states
            }:
                yield {"code": code, "etui": number}
                return
    for play in (*olds.values(), *(news[pk] for pk in news if pk not in olds)):
        place = {"etui": number, "table": play.table}
        if play.id not in news:
            yield {"code": "play_gone", **place}
        elif play.id not in olds:
            yield {"code": "play_came", **place}
        else:
            yield from compare_play(play, news[play.id], place)


def compare_play(old: ReportedPlay, new: ReportedPlay, place: dict[str, int]) -> Iterator[Change]:
    """Yield the changes in a play: its score or state, its players, its position and table, its fixed notes."""
    before, after = old.base_score, new.base_score
    if new.on_sheet or (old.on_sheet and new.state == MISSING):
        pass  # the change of the game's sheet tells it
    elif before is None and after is None and old.marks != new.marks:  # a sheet, or marks that the arbiter assigned
        yield {"code": "marks_came" if old.state == MISSING else "marks_corrected", **place}
    elif before is None and after is not None:
        if old.state == MISSING:
            yield {"code": "came", **place, "after": after}
        else:
            yield {"code": "counts", **place, "state": old.state, "after": after}
    elif before is not None and after is None:
        yield {"code": "counts_not", **place, "before": before, "state": new.state}
    elif before != after:
        yield {"code": "score", **place, "before": before, "after": after}
    elif old.state != new.state:
        yield {"code": "state", **place, "state": new.state}
    elif after is not None and (old.taker, old.facts) != (new.taker, new.facts):
        yield {"code": "facts", **place, "after": after}
    elif old.marks != new.marks:  # another partner
        yield {"code": "marks_corrected", **place}
    if old.seats != new.seats:
        yield {"code": "seats", **place}
    if old.attacker != new.attacker:
        yield {"code": "attacker", **place}
    if (old.position, old.table) != (new.position, new.table):
        yield {"code": "place", **place}
    yield from compare_fixed(old, new, place)


def compare_fixed(old: ReportedPlay, new: ReportedPlay, place: dict[str, int]) -> Iterator[Change]:
    """Yield the changes of the notes that the arbiter fixed, by line.

    Yield also a change if the score is now compared with other tables' scores, or no longer.
    """
    for line in (line for line in SEATS if line in {*old.fixed, *new.fixed}):
        had, has = (play.notes.get(line) if line in play.fixed and play.notes else None for play in (old, new))
        if had != has:
            told = {"line": str(line), **({} if has is None else {"note": str(has)})}
            yield {"code": code_of_fixed(old, new, line) if has is not None else "fixed_not", **place, **told}
    if old.compared != new.compared:
        yield {"code": "compared" if new.compared else "not_compared", **place}


def code_of_fixed(old: ReportedPlay, new: ReportedPlay, line: str) -> str:
    """Return the code for a fixed note that changed: "fixed" if the arbiter changed it, else "fixed_moves".

    A fixed note can change without the arbiter. If it was fixed as the better one of a figure and the player's own
    mean, it changes with that mean. Old reports do not say how a note was fixed; for them the code is "fixed".
    """
    return "fixed_moves" if new.fixed[line] and old.fixed.get(line) == new.fixed[line] else "fixed"


def compare_players(before: PublishedReport, after: PublishedReport) -> Iterator[Change]:
    """Yield the changes of the players, then those of the ranking."""
    olds, news = ({player.competitor: player for player in report.players} for report in (before, after))
    for pk in olds:
        if pk not in news:
            yield {"code": "player_gone", "player": pk}
    for pk, new in news.items():
        if pk not in olds:
            yield {"code": "player_came", "player": pk}
            continue
        old = olds[pk]
        if old.penalty != new.penalty:
            told = {"before": write_exact(old.penalty), "after": write_exact(new.penalty)}
            yield {"code": "penalty", "player": pk, **told}
        if (old.ranked, old.unranked) != (new.ranked, new.unranked):
            yield {"code": "ranked_not" if is_unranked(new) else "ranked", "player": pk}
        if list_stand_ins(old) != list_stand_ins(new):
            yield {"code": "stand_in", "player": pk}
        if list_members(old) != list_members(new):
            yield {"code": "members", "player": pk}
        if (old.line, old.number) != (new.line, new.number):
            yield {"code": "seat", "player": pk}
    yield from compare_ranks(*({pk: read_figures(player) for pk, player in found.items()} for found in (olds, news)))


def list_stand_ins(player: RankedPlayer) -> list[tuple[int, int | None, int | None]]:
    """Return the stand-ins of a player, each with the first and the last position."""
    return [(each.player, each.first, each.last) for each in player.stand_ins]


def list_members(player: RankedPlayer) -> list[tuple[int, int, int, int | None]]:
    """Return the members of a team, each with the place, the first and the last position."""
    return [(each.player, each.place, each.first, each.last) for each in player.members]


def is_unranked(player: RankedPlayer) -> bool:
    """Return whether the report gives the player no rank."""
    return not player.ranked or bool(player.unranked)


def read_figures(player: RankedPlayer) -> RankedFigures:
    ranks = player.rank_general, player.rank_line, player.rank_alterne
    return RankedFigures((player.overall, player.attack, player.defence), ranks)


def compare_ranks(olds: Mapping[int, RankedFigures], news: Mapping[int, RankedFigures]) -> Iterator[Change]:
    """Yield how many players have new percentages and how many have new ranks. Only players in both rankings count.

    The arguments have the players' figures by player id. Rankings of tournaments can be compared too.
    """
    both = [(pk, olds[pk], news[pk]) for pk in news if pk in olds]
    figures = sum(old.percentages != new.percentages for _pk, old, new in both)
    moved = [pk for pk, old, new in both if old.ranks != new.ranks]
    if figures:
        yield {"code": "percentages", "count": figures}
    if moved:
        general = [[pk, olds[pk].ranks[0], news[pk].ranks[0]] for pk in moved if olds[pk].ranks[0] != news[pk].ranks[0]]
        yield {"code": "ranks", "count": len(moved), "moves": general}


def people_in(changes: Sequence[Change]) -> set[int]:
    """Return the ids, in the club's list, of all people in the changes. A team has its number, below 0."""
    named = {change["player"] for change in changes if "player" in change}
    return named | {pk for change in changes for pk, _before, _after in change.get("moves", ())}
