"""The scores of an étui on its page: a table and a chart of how often each score occurred, and the best players."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.names import simplify_name
from pages.charts import Bars, Value, classes, draw_bars
from rankings.publication.frequencies import Frequency, ScoreField
from rankings.publication.report import ShownPlay
from rankings.ranking import RankedRow
from tournaments.words.figures import percent
from tournaments.words.messages import label, show_signed

MOST_NAMED = 8
MOST_SCORES = 16  # scores with a bar each; more scores are grouped in classes
MOST_ROWS = 30  # the most rows of a table that is shown open
# Titles of charts. The key is (True if the chart is of one seat, True if each score occurred once).
TITLES = {
    (False, False): gettext_lazy("How often each of the taker’s scores occurred"),
    (False, True): gettext_lazy("The taker’s score at each table, and its note"),
    (True, False): gettext_lazy("How often each mark of %(line)s occurred"),
    (True, True): gettext_lazy("The mark of %(line)s at each table, and its note"),
}


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A row of the table of scores.

    `mine` is true if a play of the player whose evening is shown is in the row. `people` holds the ids of the row's
    players: a script on their own phones marks the row.
    """

    frequency: Frequency
    mine: bool
    people: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BestScore:
    """The players with the best score in one role. At most a few of them are named."""

    role: str
    score: int
    players: list[RankedRow]

    @property
    def named(self) -> list[RankedRow]:
        return self.players[:MOST_NAMED]

    @property
    def others(self) -> int:
        return len(self.players) - len(self.named)


@dataclass(frozen=True, slots=True)
class ShownField:
    """The plays that are compared with each other (a field), with their table, chart and best players.

    The chart is None if nothing is compared. `desc` describes the chart in words. `mark` is the meaning of the sign at
    some bars, or "" if no bar has one.
    """

    field: ScoreField
    rows: list[ScoreRow]
    chart: Bars | None
    title: str
    desc: str
    mark: str
    best: list[BestScore]

    @property
    def is_long(self) -> bool:
        return len(self.rows) > MOST_ROWS

    @property
    def key(self) -> str:
        """The id of the HTML element."""
        return f"scores-{self.field.part}{self.field.line.lower()}"


def show_field(field: ScoreField, me: RankedRow | None, *, few: bool) -> ShownField:
    mine = me.id if me else None
    rows = [show_row(frequency, field.line, mine, few=few) for frequency in field.frequencies]
    title = TITLES[bool(field.line), is_each_once(rows)]
    return ShownField(
        field=field,
        rows=rows,
        chart=draw_scores(rows) if field.is_compared else None,
        title=str(title) % {"line": field.line and label("line", field.line)},
        desc=describe_score_field(field) if field.is_compared else "",
        mark=_("where %(name)s played") % {"name": me.name} if me and any(row.mine for row in rows) else "",
        best=list(best_of(field)) if field.is_compared else [],
    )


def show_row(frequency: Frequency, line: str, mine: int | None, *, few: bool) -> ScoreRow:
    seated = [play.players[each] for play in frequency.plays for each in ([line] if line else play.players)]
    people = tuple(sorted({player.known_as for player in seated if player.known_as})) if few else ()
    return ScoreRow(frequency, any(player.id == mine for player in seated), people)


def draw_scores(rows: Sequence[ScoreRow]) -> Bars:
    """Return the chart of the scores, from the lowest to the highest.

    The height of a bar is the number of times that a score occurred. If each score occurred once, the height is the
    score itself. If there are many scores, a bar stands for several scores, the same number at each bar.
    """
    upwards = list(reversed(rows))
    if is_each_once(rows):
        return draw_bars([draw_score(row) for row in upwards], say=lambda score: show_signed(int(score)))
    if len(rows) <= MOST_SCORES:
        return draw_bars([draw_count(show_signed(row.frequency.score), row.frequency.score, [row]) for row in upwards])
    scores = [row.frequency.score for row in upwards for _play in row.frequency.plays]
    values = []
    for each in classes(scores, MOST_SCORES):
        within = [row for row in rows if each.low <= row.frequency.score <= each.high]
        span = _("%(low)s to %(high)s") % {"low": show_signed(each.low), "high": show_signed(each.high)}
        values.append(draw_count(span, each.low, within))
    return draw_bars(values)


def is_each_once(rows: Sequence[ScoreRow]) -> bool:
    return len(rows) <= MOST_SCORES and all(row.frequency.count == 1 for row in rows)


def draw_score(row: ScoreRow) -> Value:
    score, note = row.frequency.score, row.frequency.note
    told = _("%(score)s: note %(note)s") % {"score": show_signed(score), "note": percent(note)}
    return Value(percent(note, 0), score, told, marked=row.mine, people=row.people)


def draw_count(name: str, score: int, rows: Sequence[ScoreRow]) -> Value:
    count = sum(row.frequency.count for row in rows)
    told = ngettext("%(score)s: once", "%(score)s: %(count)s times", count) % {"score": name, "count": count}
    people = tuple(each for row in rows for each in row.people)
    return Value(show_signed(score), count, told, marked=any(row.mine for row in rows), people=people)


def describe_score_field(field: ScoreField) -> str:
    """Return a sentence with the number of plays, the lowest and the highest score, and the most frequent one."""
    most = max(field.frequencies, key=lambda each: each.count)
    told = {
        "low": show_signed(field.frequencies[-1].score),
        "high": show_signed(field.frequencies[0].score),
        "count": field.count,
    }
    text = _("%(count)s plays, from %(low)s to %(high)s.") % told
    if most.count > 1:
        text += " " + _("Most often: %(score)s, %(count)s times.") % {
            "score": show_signed(most.score),
            "count": most.count,
        }
    return text + " " + _("The table gives each score.")


def best_of(field: ScoreField) -> Iterator[BestScore]:
    """Yield the best score with its players for the attack, then for the defence.

    In a free auction, the field is of one seat. Then yield the best score of each role at the seat: the player took,
    was the taker's partner, defended, or everybody passed.
    """
    high, low = field.frequencies[0].score, field.frequencies[-1].score
    if not field.line:
        found = [("attack", high, field.attackers()), ("defence", low, field.defenders())]
    else:
        sat = [(role_of(play, field.line), player) for play, player in field.sitters()]
        roles = dict.fromkeys(role for role, _player in sat)
        found = [(role, high, [player for other, player in sat if other == role]) for role in roles]
    for role, score, players in found:
        if players:
            # A team may sit at several tables with an étui, and is named once.
            each = {player.id if player.team else -place: player for place, player in enumerate(players, 1)}
            yield BestScore(role, score, sorted(each.values(), key=lambda player: simplify_name(player.name)))


def role_of(play: ShownPlay, line: str) -> str:
    if not play.taker:
        return "passed"
    return "attack" if play.taker == line else "partner" if play.partner == line else "defence"
