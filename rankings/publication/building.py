"""The making of a session's report as plain data: its standings, with the players, étuis and results behind them.

Directors see the present report, with only the plays that a page shows. A publication stores it as it is at that
moment. The data contain no names, only the players' ids in the club's list. The module `report` reads them.

The standings are those that a job has stored. They are computed anew if there are none, or if the plan was changed
since.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from evenings.plans.free.laying import find_stride
from evenings.plays.entries import entry_of
from evenings.plays.rulings_given import newest_by_etui
from evenings.plays.session_plays import ListedPlay, plays_of
from evenings.plays.state import VIEWS, PlayState
from evenings.standings import computing
from evenings.standings.etuis import SCORED
from evenings.standings.together import SumsOf, rank_together, sums_kept
from evenings.teams.totals import total_session
from rankings.publication.teams import (
    NO_MEMBERS,
    SessionMembers,
    find_attacker,
    find_defenders,
    read_defence_places,
    read_members_in,
)
from scoring.contract import ScoringRules, find_rules, score_deal
from scoring.formats import FREE_DEALS, MEETING_TEAMS, SUMMING_TEAMS, TEAM_MATCH, find_format
from scoring.notation import result_to_data
from scoring.notes import find_deal_part, read_ruled_note
from tournaments.models import Entrant, EtuiStandings, Ruling, Session
from tournaments.models.seats import sits_at_play
from tournaments.reports.codec import read_exact
from tournaments.rules.entry import Facts, GameSheet, base_score

FORMAT = 2


def build_report(
    session: Session,
    computed: dict[str, Any],
    *,
    cards_of: Iterable[int] = (),
    plays: Sequence[ListedPlay] | None = None,
) -> dict[str, Any]:
    """Return the report of a session, made from its computed standings.

    `cards_of` has the numbers of the étuis whose cards are included. `plays` are the plays to include, or None for all.
    """
    rules = find_rules(session.tournament.rules)
    format = find_format(session.tournament.format)
    parts = PARTS.get(format.name, ReportParts())
    members = read_members_in(format.name, [session.pk])
    defence = parts.read_defence(session)
    entrants = read_entrants(session.entrants.all(), members)
    splits = {pk: ruling.split for pk, ruling in newest_by_etui(session.pk).items()}
    shown = set(cards_of)
    own = {player["id"]: player["own"] for player in computed["players"] if "own" in player}
    etuis: dict[int, dict[str, Any]] = {}
    for state in plays_of(session) if plays is None else plays:
        etui = state.play.etui
        split = splits.get(etui.pk)
        reported = etuis.setdefault(
            etui.number,
            {
                "number": etui.number,
                "taker": str(format.find_taker(etui.taker) or etui.taker),
                "dealer": etui.dealer,
                "cards": etui.cards if etui.number in shown else "",
                "altered_from": split.from_position if split else None,
                "altered_after": list(split.played_before) if split else [],
                "plays": [],
            },
        )
        told = play_data(state, computed["plays"][str(state.play.pk)], rules, own)
        told |= parts.tell_play(state, members)
        if defence and state.entry is not None:  # nothing of a quarter that was not played
            told["defenders"] = find_defenders(state.play, defence, members)
        reported["plays"].append(told)
    return {
        "format": FORMAT,
        "auction": format.auction,
        **({"form": format.form} if format.form else {}),
        "session": session.number,
        "date": session.date.isoformat(),
        "tables": len({play["table"] for reported in etuis.values() for play in reported["plays"]}),
        "positions": session.positions,
        "etuis_per_position": session.etuis_per_position,
        "counts": computed["counts"],
        "ties": computed.get("ties", []),
        **parts.tell_session(session),
        **({"weights": computed["weights"]} if "weights" in computed else {}),
        "players": [
            {key: figure for key, figure in player.items() if key != "own"} | entrants[player["id"]]
            for player in computed["players"]
        ],
        "etuis": [etuis[number] for number in sorted(etuis)],
        **parts.tell_teams(session, computed["players"], entrants),
    }


def tell_attacker(state: ListedPlay, members: SessionMembers) -> dict[str, Any]:
    """Return who attacked in a play of teams, as data of a report: 0 if nobody is named."""
    return {"attacker": find_attacker(state.play, state.entry, members) or 0}


def tell_stride(session: Session) -> dict[str, Any]:
    """Return how many deal numbers each game has, as data of a report."""
    return {"stride": find_stride(session)}


def describe_team_sums(
    session: Session, ranked: Iterable[Mapping[str, Any]], entrants: Mapping[int, Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the ranking of teams as data of a report, {} if the tournament has no teams. One query.

    `ranked` has the rows of the standings, and `entrants` the data of the players by the entrant's id.
    """
    rows = {entrants[row["id"]]["player"]: row for row in ranked}
    teams = total_session(session.tournament, rows, number=session.number)
    return {"teams": teams} if teams else {}


def tell_nothing(*_told: object) -> dict[Any, Any]:
    return {}


@dataclass(frozen=True, slots=True)
class ReportParts:
    """The functions that return what the reports of some formats have beside those of all formats.

    - `read_defence`: the members who defend, as `read_defence_places` returns them.
    - `tell_play`, `tell_session`: more about a play, and about the session.
    - `tell_teams`: the ranking of teams that add up the results of their players.
    """

    read_defence: Callable[[Session], Mapping[tuple[int, int], Sequence[int]]] = tell_nothing
    tell_play: Callable[[ListedPlay, SessionMembers], dict[str, Any]] = tell_nothing
    tell_session: Callable[[Session], dict[str, Any]] = tell_nothing
    tell_teams: Callable[[Session, Iterable[Mapping[str, Any]], Mapping[int, Mapping[str, Any]]], dict[str, Any]] = (
        tell_nothing
    )


PARTS: Mapping[str, ReportParts] = {
    **dict.fromkeys(MEETING_TEAMS, ReportParts(tell_play=tell_attacker)),
    **dict.fromkeys(SUMMING_TEAMS, ReportParts(tell_teams=describe_team_sums)),
    TEAM_MATCH.name: ReportParts(read_defence_places, tell_attacker),
    FREE_DEALS.name: ReportParts(tell_session=tell_stride, tell_teams=describe_team_sums),
}


def with_sections(session: Session, data: dict[str, Any], sums_of: SumsOf = sums_kept) -> dict[str, Any]:
    """Return the report with data about the other sections of the session, if it has any.

    `together` is the ranking over all sections, if they share one. `compared_with` has the numbers of the other
    sections, if their plays are compared with those of this section.
    """
    if session.group is None:
        return data
    if session.group.one_topage:
        others = session.group.sections.exclude(pk=session.pk).order_by("number")
        data |= {"compared_with": list(others.values_list("number", flat=True))}
    ranked = rank_together(session, sums_of)
    if not ranked:
        return data
    format = find_format(session.tournament.format)
    members = read_members_in(format.name, session.group.sections.values_list("pk", flat=True))
    entrants = read_entrants(Entrant.objects.filter(session__group=session.group_id), members)
    together = [
        player | entrants[player["id"]] | {"elsewhere": player["session"] != session.number} for player in ranked
    ]
    teams = describe_team_sums(session, ranked, entrants) if format.partners else {}
    return data | {"together": together} | teams


def read_entrants(entrants: QuerySet[Entrant], members: SessionMembers = NO_MEMBERS) -> dict[int, dict[str, Any]]:
    """Return the entrants' data by id: the player, the stand-in with first and last position, the starting number.

    A team has its number and its members instead of the player. A last position of None means the end. The rows are
    read without models, because a hall has hundreds of entrants.
    """
    columns = "pk", "player", "team__number", "number", "ranked", "stand_in", "stand_in_from", "last_position"
    found = {}
    for pk, player, team, number, ranked, stand_in, since, until in entrants.order_by().values_list(*columns):
        own = {"team": team, "members": [*members.by_entrant.get(pk, ())]}
        if team is None:
            stand_ins = [] if stand_in is None else [{"player": stand_in, "from": since, "to": until}]
            own = {"player": player, "stand_ins": stand_ins}
        found[pk] = {**own, "number": number, "ranked": ranked}
    return found


def play_data(
    state: ListedPlay, computed: dict[str, Any], rules: ScoringRules, own: Mapping[int, Mapping[str, str | None]]
) -> dict[str, Any]:
    """Return a play as plain data.

    `own` has each player's own mean, with which "better" notes are compared: by entrant, then by part (attack or
    defence).
    """
    data = {
        "id": state.play.pk,
        "position": state.play.position,
        "table": state.play.table.number,
        "seats": {line: entrant.pk for line, entrant in state.play.seats.items()},
        "facts": None,
        **computed,
    }
    if "fixed" in computed:
        data |= resolve_fixed(data, own)
    if state.finest == PlayState.ADJUSTED and computed["state"] == VIEWS[PlayState.ADJUSTED].counted:
        data["state"] = str(PlayState.ADJUSTED)
    if resting := state.play.resting:
        data["resting"] = resting
    if state.ruling == Ruling.RulingKind.ON_SHEET:
        data["on_sheet"] = True
    elif state.entry is not None and state.entry.kind == GameSheet.kind and computed["state"] == SCORED:
        data["covers"] = state.entry.covers
    if state.entry is not None and computed["base_score"] is not None:
        entry = entry_of(state.entry)
        # The entry may be newer than the standings. Its facts are included only if they give the same score.
        if isinstance(entry, Facts) and base_score(entry, rules) == computed["base_score"]:
            data["facts"] = result_to_data(entry.result) | {"made": score_deal(entry.result, rules).made}
    return data


def resolve_fixed(play: dict[str, Any], own: Mapping[int, Mapping[str, str | None]]) -> dict[str, Any]:
    """Return the notes of a play as `notes`, in which fixed notes are figures, and as `fixed`. Both are by line.

    `fixed` has only the fixed notes, as the arbiter wrote them.

    For example, "better 60" becomes the higher one of 60 and the player's own mean.
    """
    told: dict[str, str] = {line: play["notes"][line] for line in play["fixed"]}
    notes = dict(play["notes"])
    for line, written in told.items():
        fixed = read_ruled_note(written)
        part = find_deal_part(line, play["taker"], play["base_score"])
        mean = read_exact(own.get(play["seats"][line], {}).get(part)).value if fixed.better else None
        notes[line] = str(fixed.against(mean))
    return {"notes": notes, "fixed": told}


def read_live_ranking(session: Session) -> dict[str, Any] | None:
    """Return the report without plays, or None if the session has no plays, for example before its start.

    The other functions of this module return None in the same case.
    Its `topped` is the number of étuis of which at least two plays can be compared. As long as it is 0, every note is
    50.
    """
    data = build_live(session, pk__in=[])
    return data and with_sections(session, data)


def feuille(session: Session, entrant_id: int) -> dict[str, Any] | None:
    """Return the report with only the plays of this entrant."""
    plays = session.plays.filter(sits_at_play(entrant_id)).order_by().values_list("pk", flat=True)
    return build_live(session, pk__in=list(plays))


def etui(session: Session, number: int) -> dict[str, Any] | None:
    """Return the report with only the plays of one étui. The other étuis are listed by number, without plays."""
    data = build_live(session, etui__number=number)
    if data is not None:
        numbers = session.plays.order_by("etui__number").values_list("etui__number", flat=True).distinct()
        known = {etui["number"]: etui for etui in data["etuis"]}
        data["etuis"] = [known.get(other, {"number": other, "plays": []}) for other in numbers]
    return data


def build_live(session: Session, **where: Any) -> dict[str, Any] | None:
    """Return the report with the plays that match `where`, which are Django filter arguments for plays."""
    if session.status == Session.Status.DRAFT:
        return None
    listed = plays_of(session, **where)
    if session.standings.data and not session.changed_etuis.filter(etui=None).exists():
        etuis = {each.play.etui_id for each in listed}
        kept = EtuiStandings.objects.filter(standings=session.pk, etui__in=etuis).values_list("plays", flat=True)
        figures = session.standings.data | {"plays": {pk: play for plays in kept for pk, play in plays.items()}}
    elif computed := computing.compute(session.pk):
        figures = computed.data if listed else computed.figures | {"plays": {}}
    else:
        return None
    there = [each for each in listed if str(each.play.pk) in figures["plays"]]
    return build_report(session, figures, plays=there) | {"topped": figures["topped"]}
