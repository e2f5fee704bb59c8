"""The scores of an étui laid out: a table of how often each came, with a chart of it and who did best."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.names import plain
from deals.domain.cards import LINES
from tournaments.publication.frequencies import Field, Frequency, Play, Player
from tournaments.web.charts import Bars, Number, Value, classes, draw_bars
from tournaments.words.figures import percent
from tournaments.words.messages import label, sign

MOST_NAMED = 8
MOST_SCORES = 16  # bars of a score each; more come in classes
MOST_ROWS = 30  # of a table that stands open
# Of a chart, by whether it is of one seat, and whether each score came once.
TITLES = {
    (False, False): gettext_lazy("How often each score of the taker came"),
    (False, True): gettext_lazy("The taker’s score at each table, and its note"),
    (True, False): gettext_lazy("How often each mark of %(line)s came"),
    (True, True): gettext_lazy("The mark of %(line)s at each table, and its note"),
}


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table of scores. `mine`: whether the reader's own play is among them; `people`: whose phones may
    find theirs there."""

    frequency: Frequency
    mine: bool
    people: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Best:
    """Who did best at something, with the score: at most a few of them by name."""

    role: str
    score: int
    players: list[Player]

    @property
    def named(self) -> list[Player]:
        return self.players[:MOST_NAMED]

    @property
    def others(self) -> int:
        return len(self.players) - len(self.named)


@dataclass(frozen=True, slots=True)
class ShownField:
    """A field with its table, its chart (None where nothing is compared), who did best in it. `desc`: the chart in
    words; `mark`: what its sign means, if it has one."""

    field: Field
    rows: list[Row]
    chart: Bars | None
    title: str
    desc: str
    mark: str
    best: list[Best]

    @property
    def is_long(self) -> bool:
        return len(self.rows) > MOST_ROWS

    @property
    def key(self) -> str:
        """Its own on the page."""
        return f"scores-{self.field.part}{self.field.line.lower()}"


def show_field(field: Field, me: Player | None, *, few: bool) -> ShownField:
    mine = me["id"] if me else None
    rows = [show_row(frequency, field.line, mine, few=few) for frequency in field.frequencies]
    title = TITLES[bool(field.line), is_each_once(rows)]
    return ShownField(
        field=field,
        rows=rows,
        chart=draw_scores(rows) if field.is_compared else None,
        title=str(title) % {"line": field.line and label("line", field.line)},
        desc=describe(field) if field.is_compared else "",
        mark=_("where %(name)s played") % {"name": me["name"]} if me and any(row.mine for row in rows) else "",
        best=list(best_of(field)) if field.is_compared else [],
    )


def show_row(frequency: Frequency, line: str, mine: int | None, *, few: bool) -> Row:
    lines = [line] if line else LINES
    seated = [play["players"][each] for play in frequency.plays for each in lines]
    people = tuple(sorted({player["known_as"] for player in seated if player["known_as"]})) if few else ()
    return Row(frequency, any(player["id"] == mine for player in seated), people)


def draw_scores(rows: Sequence[Row]) -> Bars:
    """A bar for each score from the lowest to the highest: how often it came, or the score itself where each came once;
    for even classes of them where there are many."""
    upwards = list(reversed(rows))
    if is_each_once(rows):
        return draw_bars([draw_score(row) for row in upwards], say=say_score)
    if len(rows) <= MOST_SCORES:
        return draw_bars([draw_count(sign(row.frequency.score), row.frequency.score, [row]) for row in upwards])
    scores = [row.frequency.score for row in upwards for _play in row.frequency.plays]
    values = []
    for each in classes(scores, MOST_SCORES):
        within = [row for row in rows if each.low <= row.frequency.score <= each.high]
        span = _("%(low)s to %(high)s") % {"low": sign(each.low), "high": sign(each.high)}
        values.append(draw_count(span, each.low, within))
    return draw_bars(values)


def say_score(score: Number) -> str:
    return sign(int(score))


def is_each_once(rows: Sequence[Row]) -> bool:
    return len(rows) <= MOST_SCORES and all(row.frequency.count == 1 for row in rows)


def draw_score(row: Row) -> Value:
    score, note = row.frequency.score, row.frequency.note
    told = _("%(score)s: note %(note)s") % {"score": sign(score), "note": percent(note)}
    return Value(percent(note, 0), score, told, marked=row.mine, people=row.people)


def draw_count(name: str, score: int, rows: Sequence[Row]) -> Value:
    count = sum(row.frequency.count for row in rows)
    told = ngettext("%(score)s: once", "%(score)s: %(count)s times", count) % {"score": name, "count": count}
    people = tuple(each for row in rows for each in row.people)
    return Value(sign(score), count, told, marked=any(row.mine for row in rows), people=people)


def describe(field: Field) -> str:
    """What the chart shows, in words."""
    most = max(field.frequencies, key=lambda each: each.count)
    told = {"low": sign(field.frequencies[-1].score), "high": sign(field.frequencies[0].score), "count": field.count}
    text = _("%(count)s plays, from %(low)s to %(high)s.") % told
    if most.count > 1:
        text += " " + _("Most often: %(score)s, %(count)s times.") % {"score": sign(most.score), "count": most.count}
    return text + " " + _("The table gives each score.")


def best_of(field: Field) -> Iterator[Best]:
    """Who did best as taker and in defence; in a free auction at the seat, those who took and those who did not."""
    high, low = field.frequencies[0].score, field.frequencies[-1].score
    if not field.line:
        found = [("attack", high, field.attackers()), ("defence", low, field.defenders())]
    else:
        sat = [(role_of(play, field.line), player) for play, player in field.sitters()]
        roles = dict.fromkeys(role for role, _player in sat)
        found = [(role, high, [player for other, player in sat if other == role]) for role in roles]
    for role, score, players in found:
        if players:
            yield Best(role, score, sorted(players, key=lambda player: plain(player["name"])))


def role_of(play: Play, line: str) -> str:
    return "attack" if play["taker"] == line else "defence" if play["taker"] else "passed"
