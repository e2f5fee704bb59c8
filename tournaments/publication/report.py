"""The report of a session: every figure of its standings, with the players, étuis and results behind it, as data.

The director sees it live; a publication freezes it. It names nobody: players are given by their ids in the club's list.
The code that shows the report adds the present names. This module knows how a report is built and read, but not who may
read it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db.models import QuerySet

from clubs.shown import PublicPlayer, call_for_directors, call_in_public
from scoring.contract import ScoringRules, find_rules, score_deal
from scoring.fixed import find_deal_part, read_fixed
from scoring.notation import result_to_data
from scoring.ranking import Line
from tournaments.models import Entrant, Session
from tournaments.plays.entries import entry_of
from tournaments.plays.etui_rulings import newest_by_etui
from tournaments.plays.session_plays import ListedPlay, plays_of
from tournaments.plays.state import VIEWS, PlayState
from tournaments.published import Shows
from tournaments.rules.entry import Facts, base_score, seat_marks
from tournaments.standings.together import SumsOf, rank_together, sums_kept

FORMAT = 2
RANKS = ("rank_general", "rank_line", "rank_alterne")
FIGURES = ("attack", "defence", "overall", "penalty", *RANKS)


def build_report(
    session: Session,
    computed: dict[str, Any],
    *,
    cards_of: Iterable[int] = (),
    plays: Sequence[ListedPlay] | None = None,
) -> dict[str, Any]:
    """Return the report of a session from its computed standings.

    `cards_of`: the numbers of the étuis whose cards it has. `plays`: the plays that it has, or None for all of them.
    """
    rules = find_rules(session.tournament.rules)
    entrants = read_entrants(session.entrants.all())
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
                "taker": etui.taker,
                "dealer": etui.dealer,
                "cards": etui.cards if etui.number in shown else "",
                "altered_from": split.from_position if split else None,
                "altered_after": list(split.played_before) if split else [],
                "plays": [],
            },
        )
        reported["plays"].append(play_data(state, computed["plays"][str(state.play.pk)], rules, own))
    return {
        "format": FORMAT,
        "auction": session.tournament.auction,
        "session": session.number,
        "date": session.date.isoformat(),
        "tables": len({play["table"] for reported in etuis.values() for play in reported["plays"]}),
        "positions": session.positions,
        "etuis_per_position": session.etuis_per_position,
        "counts": computed["counts"],
        "ties": computed.get("ties", []),
        "players": [
            {key: figure for key, figure in player.items() if key != "own"} | entrants[player["id"]]
            for player in computed["players"]
        ],
        "etuis": [etuis[number] for number in sorted(etuis)],
    }


def with_sections(session: Session, data: dict[str, Any], sums_of: SumsOf = sums_kept) -> dict[str, Any]:
    """Return the report, with the ranking over all sections as `together` if they are ranked together.

    If the sections are also compared with one another, `compared_with` has the numbers of the other ones.
    """
    if session.group is None:
        return data
    if session.group.one_topage:
        others = session.group.sections.exclude(pk=session.pk).order_by("number")
        data |= {"compared_with": list(others.values_list("number", flat=True))}
    ranked = rank_together(session, sums_of)
    if not ranked:
        return data
    entrants = read_entrants(Entrant.objects.filter(session__group=session.group_id))
    together = [
        player | entrants[player["id"]] | {"elsewhere": player["session"] != session.number} for player in ranked
    ]
    return data | {"together": together}


def read_entrants(entrants: QuerySet[Entrant]) -> dict[int, dict[str, Any]]:
    """Return who the entrants are, by id: the player, and the substitutes with their first and last positions.

    None as a last position means the end. A hall has hundreds of entrants, so no models are made.
    """
    columns = "pk", "player", "number", "ranked", "stand_in", "stand_in_from", "last_position"
    return {
        pk: {
            "player": player,
            "stand_ins": [] if stand_in is None else [{"player": stand_in, "from": since, "to": until}],
            "number": number,
            "ranked": ranked,
        }
        for pk, player, number, ranked, stand_in, since, until in entrants.order_by().values_list(*columns)
    }


def cut_report(data: dict[str, Any], shows: Shows) -> dict[str, Any]:
    """Return a report without what readers do not see.

    Players have no figures without the ranking, étuis have no plays without `etuis` and no cards without `cards`, and
    there are no étuis without both.
    """
    if shows == Shows():
        return data
    players = data["players"] if shows.ranking else [player | dict.fromkeys(FIGURES) for player in data["players"]]
    etuis = [
        etui | {"cards": etui["cards"] if shows.cards else "", "plays": etui["plays"] if shows.etuis else []}
        for etui in data["etuis"]
    ]
    together = data.get("together", []) if shows.ranking else []
    return data | {"players": players, "together": together, "etuis": etuis if shows.etui_pages else []}


def people_of(data: dict[str, Any]) -> set[int]:
    """Return the ids, in the club's list, of all people in a report."""
    everybody = [*data["players"], *data.get("together", ())]
    return {player_id for player in everybody for player_id in ids_of(player)}


def ids_of(player: dict[str, Any]) -> list[int]:
    """Return the id of the player, then the ids of the substitutes."""
    return [player["player"], *(stand_in["player"] for stand_in in player["stand_ins"])]


def read_report(data: dict[str, Any]) -> "Report":
    """Return a report as everybody may read it, with the present public names of its players, by one query."""
    return Report(data, call_in_public(people_of(data)))


def read_for_directors(data: dict[str, Any]) -> "Report":
    """Return a report with the names of all its players, for those who run the evening."""
    return Report(data, call_for_directors(people_of(data)))


def play_data(
    state: ListedPlay, computed: dict[str, Any], rules: ScoringRules, own: Mapping[int, Mapping[str, str | None]]
) -> dict[str, Any]:
    """Return a play as plain data.

    `own`: the mean with which a fixed note is compared (`own_means`), by entrant and by part of a deal.
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
    if state.entry is not None and computed["base_score"] is not None:
        entry = entry_of(state.entry)
        # The standings may be older than the entry: facts are included only if they give the score of the standings.
        if isinstance(entry, Facts) and base_score(entry, rules) == computed["base_score"]:
            data["facts"] = result_to_data(entry.result) | {"made": score_deal(entry.result, rules).made}
    return data


def resolve_fixed(play: dict[str, Any], own: Mapping[int, Mapping[str, str | None]]) -> dict[str, Any]:
    """Return the notes with the fixed ones resolved, and the fixed ones as the arbiter wrote them, by line.

    For example, "better 60" is resolved to 60 or to the player's own mean.
    """
    told: dict[str, str] = {line: play["notes"][line] for line in play["fixed"]}
    notes = dict(play["notes"])
    for line, written in told.items():
        fixed = read_fixed(written)
        part = find_deal_part(line, play["taker"], play["base_score"])
        mean = fraction(own.get(play["seats"][line], {}).get(part)) if fixed.better else None
        notes[line] = str(fixed.against(mean))
    return {"notes": notes, "fixed": told}


@dataclass(frozen=True, slots=True)
class FeuilleLine:
    """One étui on a player's feuille de route."""

    etui: dict[str, Any]
    play: dict[str, Any]
    mark: int | None
    note: Fraction | None
    fixed: bool
    partners: tuple[dict[str, Any], ...]


class Report:
    """A report with its rankings, a player's feuille de route, an étui's topage.

    `names`: the names of all people in it.
    """

    def __init__(self, data: dict[str, Any], names: Mapping[int, PublicPlayer]) -> None:
        self.data = data
        self.players: list[dict[str, Any]] = [read_player(player, names) for player in data["players"]]
        self.together = [read_player(player, names) for player in data.get("together", ())]
        self.by_id = {player["id"]: player for player in self.players}

    def general(self) -> list[dict[str, Any]]:
        return self.players

    def alterne(self) -> list[dict[str, Any]]:
        """Return the players by rank in the classement alterné; those without a rank last."""
        return sorted(self.players, key=lambda player: (player["rank_alterne"] is None, player["rank_alterne"] or 0))

    def line(self, line: str) -> list[dict[str, Any]]:
        return [player for player in self.players if player["line"] == line]

    def player(self, entrant_id: int) -> dict[str, Any] | None:
        return self.by_id.get(entrant_id)

    def etui(self, number: int) -> dict[str, Any] | None:
        return next((etui for etui in self.data["etuis"] if etui["number"] == number), None)

    def topage(self, etui: dict[str, Any]) -> list[dict[str, Any]]:
        """Return an étui's plays from the taker's best score to the worst. Plays that do not count come last.

        If the étui was altered, the plays before that come before the plays after it.
        """

        def place(play: dict[str, Any]) -> tuple[int, bool, int, int, int]:
            score = play["base_score"]
            return play["part"], score is None, -(score or 0), play["position"], play["table"]

        return sorted((read_play(play, self.by_id) for play in etui["plays"]), key=place)

    def feuille(self, entrant_id: int) -> list[FeuilleLine]:
        """Return a player's plays in the order of play."""
        lines = []
        for etui in self.data["etuis"]:
            for play in etui["plays"]:
                seat = next((line for line, entrant in play["seats"].items() if entrant == entrant_id), None)
                if seat is None:
                    continue
                full = read_play(play, self.by_id)
                lines.append(
                    FeuilleLine(
                        etui=etui,
                        play=full,
                        mark=full["marks"][seat] if full["marks"] else None,
                        note=full["notes"][seat] if full["notes"] else None,
                        fixed=seat in full["fixed"],
                        partners=tuple(full["players"][line] for line in play["seats"] if line != seat),
                    )
                )
        return sorted(lines, key=lambda line: (line.play["position"], line.etui["number"]))


def read_player(player: dict[str, Any], names: Mapping[int, PublicPlayer]) -> dict[str, Any]:
    """Return the player with figures as numbers, and with the name that this report shows.

    The name also has the names of the player's substitutes.
    """
    figures = {key: fraction(player[key]) for key in ("attack", "defence", "overall", "penalty")}
    called = names[player["player"]]._asdict() | {"name": " / ".join(names[pk].name for pk in ids_of(player))}
    return player | figures | called


def read_play(play: dict[str, Any], players: dict[int, dict[str, Any]]) -> dict[str, Any]:
    notes, marks = None, None
    if play["notes"]:
        notes = {line: fraction(play["notes"][line]) for line in map(str, Line)}
    if play["base_score"] is not None:
        taker = Line(play["taker"]) if play["taker"] else None
        marks = {str(line): mark for line, mark in seat_marks(taker, play["base_score"]).items()}
    return (
        {"fixed": {}, "compared": True}
        | play
        | {
            "notes": notes,
            "marks": marks,
            "players": {line: players[entrant] for line, entrant in play["seats"].items()},
            "taker_player": players[play["seats"][play["taker"]]] if play["taker"] else None,
        }
    )


def fraction(text: str | None) -> Fraction | None:
    return None if text is None else Fraction(text)
