"""The differences between two frozen reports of a session: as codes with parameters, and as sentences with names.

Functions here are pure: they read no database. Players are given by their ids in the club's list, as in the reports,
and teams by their numbers, below 0. Two equal reports have no changes.

Changes in parts that readers do not see are left out.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from operator import attrgetter
from typing import Any, NamedTuple

from django.db.models import Model

from clubs.shown import call_in_public
from rankings.publication.teams import name_number, name_teams_told
from scoring.plays import SEATS
from tournaments.models import Version
from tournaments.published import Shows
from tournaments.reports.codec import write_exact
from tournaments.reports.session import PublishedReport, RankedPlayer, ReportedEtui, ReportedPlay, decode_report
from tournaments.words.change_sentences import CHANGES, OF_CARDS, OF_DEALS, OF_ETUIS, OF_RANKING
from tournaments.words.figures import decimal, percent, show_marks
from tournaments.words.messages import sentence, show_signed

MISSING = "missing"
EVENING = ("session", "date", "tables", "positions", "etuis_per_position", "auction")
# the codes that speak of percentages, and those that speak of marks instead
IN_MARKS = {"percentages": "marks", "penalty": "penalty_marks"}
SPAN = attrgetter("player", "place", "first", "last")  # of a stand-in, or of a member of a team
Data = dict[str, Any]
Change = dict[str, Any]


class RankedFigures(NamedTuple):
    """The percentages of a player in a ranking, and the ranks. The first rank is that of the classement général."""

    percentages: tuple[Fraction | None, ...]
    ranks: tuple[int | None, ...]


def compare_reports(stored_before: Data, stored_after: Data) -> list[Change]:
    """Return the changes between two stored reports: in the plan, the étuis, the players, and the ranking."""
    before, after = decode_report(stored_before), decode_report(stored_after)
    changes = [
        *([{"code": "evening"}] if any(getattr(before, key) != getattr(after, key) for key in EVENING) else []),
        *compare_etuis(before, after),
        *compare_players(before, after),
    ]
    if after.format.has_free_deals:
        changes = [tell_without_etuis(change, after.stride) for change in changes]
    return changes


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
            yield {"code": "ranked_not" if new.unranked or not new.ranked else "ranked", "player": pk}
        if [*map(SPAN, old.stand_ins)] != [*map(SPAN, new.stand_ins)]:
            yield {"code": "stand_in", "player": pk}
        if [*map(SPAN, old.members)] != [*map(SPAN, new.members)]:
            yield {"code": "members", "player": pk}
        if (old.line, old.number) != (new.line, new.number):
            yield {"code": "seat", "player": pk}
    yield from compare_ranks(*({pk: read_figures(player) for pk, player in found.items()} for found in (olds, news)))


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


class RankMove(NamedTuple):
    """A player's rank in the classement général before and after a change. None means unranked."""

    player: str
    before: int | None
    after: int | None


class ChangeInWords(NamedTuple):
    """A change as a sentence, with the players whose rank it changes, sorted by their new ranks."""

    code: str
    text: str
    moves: list[RankMove]


def names_in(changes: Sequence[dict[str, Any]], version: Version | None = None) -> dict[int, str]:
    """Return the public names of all people and teams in the changes, by id.

    This takes one query, or none without people. The id of a team is its number, as a negative number. If `version` is
    given, the changes belong to it, and teams get their own names. Without it, a team is named by its number.
    """
    told = people_in(changes)
    teams = {-who for who in told if who < 0}
    people = {who for who in told if who > 0}
    names = {pk: called.name for pk, called in call_in_public(people).items()} if people else {}
    named = name_teams_told(version, teams) if version is not None else {}
    return names | {-number: named.get(number) or name_number(number) for number in teams}


def list_changes(
    changes: Sequence[dict[str, Any]],
    shows: Shows,
    names: Mapping[int, str] | None = None,
    *,
    version: Version | None = None,
) -> list[ChangeInWords]:
    """Return the changes in the parts that readers see, as sentences.

    `names` has the players' names by id; if it is None, they are read from the database. With `version`, teams get
    their own names. It is the version to which the changes belong, or the one before it.
    """
    shown = [change for change in changes if is_shown(change["code"], shows)]
    known = names_in(shown, version) if names is None else names
    return [ChangeInWords(change["code"], say_change(change, known), moves_of(change, known)) for change in shown]


class ToldVersion(NamedTuple):
    """A version in the list of all versions of a ranking.

    `changes` are those that readers may see. `is_open` is True if readers may see the version itself. `untold` says why
    changes are missing: "held" if the version is held back, "held_before" if the version before it is, or "hidden".
    A version that counts a ranking which readers may not see is held back.
    """

    version: Version
    changes: list[ChangeInWords]
    is_open: bool
    untold: str


def list_versions(owner: Model, shows: Shows, held: Collection[int] = ()) -> list[ToldVersion]:
    """Return the versions of an owner's ranking without their figures, the newest first, each with its changes.

    It takes two queries. `held` has the numbers of the versions that are held back. Their changes are not told, and
    neither are those of the version after them: with these, readers could compute figures of the version before. No
    changes are told of a version that withdrew the ranking, nor of all versions before that one.
    """
    versions = list(owner.publications.defer("data", "frozen").order_by("-version"))  # type: ignore[attr-defined]
    gone = max((each.version for each in versions if each.status == Version.PublicationStatus.WITHDRAWN), default=0)
    readable = {each.version: each.changes for each in versions if each.version > gone}
    for number in held:
        readable |= {number: [], number + 1: []}
    every_change = [change for changes in readable.values() for change in changes]
    names = names_in(every_change, versions[0] if versions else None)
    rows = []
    for version in versions:
        number, shown = version.version, list_changes(readable.get(version.version, []), shows, names)
        untold = "held_before" if number - 1 in held else "hidden"
        untold = "held" if number in held else untold if version.changes and not shown else ""
        rows.append(ToldVersion(version, shown, number > gone and number not in held and shows.ranking, untold))
    return rows


def is_shown(code: str, shows: Shows) -> bool:
    """Return whether readers see the part of the publication in which a change with this code happened."""
    for family, part in (
        (OF_ETUIS, shows.etuis),
        (OF_DEALS, shows.etuis),
        (OF_CARDS, shows.cards),
        (OF_RANKING, shows.ranking),
    ):
        if code in family:
            return part
    return True


def say_change(change: Mapping[str, Any], names: Mapping[int, str]) -> str:
    """Return the change as a sentence. `names` has the players' names by id."""
    told = {key: value for key, value in change.items() if key not in ("code", "moves")}
    if "player" in told:
        told["player"] = names[told["player"]]
    if "note" in told:
        told["note"] = percent(Fraction(told["note"]))
    for key in {"before", "after"} & told.keys():
        match change["code"]:
            case "penalty":
                told[key] = sign_points(told[key])
            case "penalty_marks":
                told[key] = show_marks(-Fraction(told[key]))
            case _:
                told[key] = show_signed(told[key])
    return sentence(CHANGES, change["code"], told)


def sign_points(penalty: str) -> str:
    """Return the effect of a penalty on the percentage, as text.

    The penalty "2" gives "−2,00"; the bonus "-2" gives "+2,00".
    """
    points = -Fraction(penalty)
    return f"{'−' if points < 0 else '+' if points else ''}{decimal(abs(points), 2)}"


def moves_of(change: Mapping[str, Any], names: Mapping[int, str]) -> list[RankMove]:
    """Return the changed ranks, sorted by the new rank. Players without a new rank come last."""
    moves = [RankMove(names[pk], before, after) for pk, before, after in change.get("moves", ())]
    return sorted(moves, key=lambda move: (move.after is None, move.after or 0, move.player))
