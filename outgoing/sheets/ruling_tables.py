"""The table of a session's rulings, for its directors: on plays, on étuis, and the penalties of players."""

from collections.abc import Collection, Iterator
from fractions import Fraction
from operator import itemgetter

from django.utils.translation import gettext as _

from outgoing.sheets.files import CellKind, SheetCell, SheetColumn, SheetTable
from scoring.formats import Unit, find_format
from tournaments.models import Entrant, EtuiRuling, Penalty, Play, Ruling, Session
from tournaments.words.messages import say_reason
from tournaments.words.rulings import say_adjusted

RULINGS = "rulings"


def make_rulings(session: Session, hidden: Collection[int] = ()) -> SheetTable:
    """Return the rulings in the order of time. Those on the étuis in `hidden` (ids) are left out."""
    columns = [
        SheetColumn("at", _("When"), CellKind.MOMENT),
        SheetColumn("about", _("About")),
        SheetColumn("etui", _("Étui"), CellKind.WHOLE),
        SheetColumn("position", _("Position"), CellKind.WHOLE),
        SheetColumn("table", _("Table"), CellKind.WHOLE),
        SheetColumn("ruling", _("Ruling")),
        SheetColumn("points", label_points(find_format(session.tournament.format).unit), CellKind.FIGURE),
        SheetColumn("article", _("Article")),
        SheetColumn("reason", _("Reason")),
        SheetColumn("author", _("Author")),
        SheetColumn("withdrawn_at", _("Withdrawn"), CellKind.MOMENT),
    ]
    rulings = [*read_play_rulings(session, hidden), *read_etui_rulings(session, hidden), *read_penalties(session)]
    rows = sorted(rulings, key=itemgetter(0))
    return SheetTable(RULINGS, _("Rulings"), columns, rows)


def label_points(unit: Unit) -> str:
    """Return the head of the column of penalties' points, in the unit in which the players are ranked."""
    return {Unit.PER_CENT: _("Percentage points"), Unit.MATCH_POINTS: _("Match points"), Unit.MARKS: _("Marks")}[unit]


def read_play_rulings(session: Session, hidden: Collection[int]) -> Iterator[list[SheetCell]]:
    entrants = session.entrants.select_related("player", "stand_in", "team").in_bulk()
    rulings = Ruling.objects.filter(play__session=session).exclude(play__etui__in=hidden)
    for ruling in rulings.select_related("author", "play__etui", "play__table"):
        play: Play = ruling.play
        names = {line: name_at(entrants[pk], play.position) for line, pk in play.seat_ids.items()}
        is_adjusted = ruling.kind == Ruling.RulingKind.ADJUSTED
        adjusted = say_adjusted(ruling, names, find_format(session.tournament.format)) if is_adjusted else []
        yield [
            ruling.ruled_at,
            _("play"),
            play.etui.number,
            play.position,
            play.table.number,
            ", ".join([ruling.get_kind_display(), *adjusted]),
            None,
            ruling.article,
            say_reason(ruling.reason) if ruling.reason else "",
            ruling.sender_name,
            None,
        ]


def name_at(entrant: Entrant, position: int) -> str:
    """Return the name of the person who plays for the entrant in that position, or of the team."""
    return entrant.name if entrant.team_id is not None else entrant.person_at(position).name


def read_etui_rulings(session: Session, hidden: Collection[int]) -> Iterator[list[SheetCell]]:
    rulings = EtuiRuling.objects.filter(session=session).exclude(etui__in=hidden).select_related("author", "etui")
    for ruling in rulings:
        place: list[SheetCell] = [
            _("étui"),
            ruling.etui.number,
            ruling.from_position,
            None,
            ruling.get_kind_display(),
            None,
        ]
        yield [ruling.ruled_at, *place, ruling.article, ruling.reason, ruling.author.shown_name, None]


def read_penalties(session: Session) -> Iterator[list[SheetCell]]:
    related = "author", "entrant__player", "entrant__stand_in", "entrant__team", "reversal"
    for penalty in session.penalties.filter(reverses=None).select_related(*related):
        back = getattr(penalty, "reversal", None)
        sign = 1 if penalty.kind == Penalty.PenaltyKind.BONUS else -1
        yield [
            penalty.given_at,
            penalty.entrant.name,
            None,
            penalty.position,
            None,
            penalty.get_kind_display(),
            sign * Fraction(penalty.points) if penalty.points else None,
            penalty.article,
            penalty.reason,
            penalty.author.shown_name,
            back.given_at if back else None,
        ]
