"""The results of other tables that a table may see after an entry."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from evenings.plays.common import common_of
from evenings.plays.table_plays import TablePlay
from scoring.formats import Format, Unit, find_format
from tournaments.models import EtuiStandings, Play, Session, SessionStandings
from wording.figures import decimal_text


class After:
    """The other tables' results that a table may see after an entry, from the last computed standings.

    The session's setting `shows_after` chooses the topage of the étui, the ranking so far, or nothing. In a federation
    event it is always nothing. The ranking so far is not shown in the last positions (`hidden_positions`). In team
    matches, a result is left out until the result of the other room is entered too.
    """

    def __init__(self, session: Session, plays: Iterable[TablePlay], *, here: int, by_name: bool) -> None:
        entered = {play.play.etui_id for play in plays if play.current}
        self.session, self.format = session, find_format(session.tournament.format)
        self.setting = choose_setting(session, session.position or here) if entered else Session.ShownAfter.NOTHING
        self.kept: dict[int, dict[str, Any]] = {}
        self.planned: set[str] = set()
        self.ranking: list[dict[str, Any]] = []
        if self.setting == Session.ShownAfter.NOTHING:
            return
        rows = EtuiStandings.objects.filter(standings=session.pk, etui__in=entered)
        self.kept = dict(rows.values_list("etui_id", "plays"))
        if self.setting == Session.ShownAfter.TOPAGE:
            planned = Play.objects.filter(session=session, etui__in=entered).order_by().values_list("pk", flat=True)
            self.planned = set(map(str, planned))
        elif self.kept:
            entrants = common_of(session).people
            (data,) = SessionStandings.objects.filter(pk=session.pk).values_list("data", flat=True)
            there = [player for player in data["players"] if player["id"] in entrants]
            names = {pk: entrant.get_name(by_name=by_name) for pk, entrant in entrants.items()}
            self.ranking = [describe_rank(player, names[player["id"]], self.format) for player in there]

    def data(self, shown: TablePlay) -> dict[str, Any] | None:
        """Return the data to show after this play. Return None if the standings do not contain the play yet."""
        plays, mine = self.kept.get(shown.play.etui_id, {}), str(shown.play.pk)
        if mine not in plays or plays[mine]["base_score"] is None:
            return None
        if self.setting == Session.ShownAfter.RANKING:
            if len({player["percent"] for player in self.ranking} - {None}) < 2:
                return None  # nothing is compared yet: everybody would be first at 50 %
            return {"kind": "ranking", "players": self.ranking}
        counted = [
            describe_compared(play, self.format, mine=pk == mine)
            for pk, play in plays.items()
            if pk in self.planned and play["base_score"] is not None and (pk == mine or self.may_show(play))
        ]
        return {"kind": "topage", "plays": sorted(counted, key=lambda play: -play["base_score"])}

    def may_show(self, play: dict[str, Any]) -> bool:
        """Return whether a table may see another table's result: in a match only if both halves have results."""
        return not self.format.has_matches or bool(list_topped(play))


def choose_setting(session: Session, position: int) -> str:
    """Return what tables may see after an entry in this position: a value of `Session.ShownAfter`."""
    if session.tournament.federation:
        return Session.ShownAfter.NOTHING
    if session.shows_after == Session.ShownAfter.RANKING and position > session.positions - session.hidden_positions:
        return Session.ShownAfter.NOTHING
    return session.shows_after


def describe_compared(play: dict[str, Any], format: Format, *, mine: bool) -> dict[str, Any]:
    notes = {line: write_share(play["notes"][line], format) for line in list_topped(play)} or None
    return {"base_score": play["base_score"], "taker": play["taker"], "notes": notes, "mine": mine}


def list_topped(play: dict[str, Any]) -> list[str]:
    """Return the lines whose notes follow from a comparison, not from a ruling."""
    given = play["notes"] or {}
    return [line for line in given if given[line] is not None and line not in play.get("fixed", ())]


def describe_rank(player: dict[str, Any], name: str, format: Format) -> dict[str, Any]:
    return {
        "rank": player["rank_general"],
        "name": name,
        "percent": write_share(player["overall"], format),
    }


def write_share(exact: Fraction | str | None, format: Format) -> str | None:
    """Return a percentage with one decimal and a point, such as "58.3". A fraction may be text. None stays None.

    Match points have their sign, three decimals and their unit: "+4.000 MP". Marks have their sign and their unit:
    "+120 marks". The figure is rounded here, because browsers have no exact fractions. The screen writes the point and
    the unit as its language does.
    """
    if exact is None:
        return None
    figure = Fraction(exact)
    if format.unit is Unit.MARKS:
        return f"{'+' if figure > 0 else ''}{decimal_text(figure, 0 if figure.denominator == 1 else 2)} marks"
    if format.unit is not Unit.MATCH_POINTS:
        return decimal_text(figure, 1)
    return f"{'+' if figure > 0 else ''}{decimal_text(figure, 3)} MP"
