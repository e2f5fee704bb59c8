"""The report of a session: its standings, with the players, étuis and results behind them, as plain data.

Directors see it live; a publication freezes it. The data contain no names, only the players' ids in the club's list.
Code that shows a report adds the present names. This module builds and reads reports; it does not decide who may see
them.
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
    """Return the report of a session, made from its computed standings.

    `cards_of` has the numbers of the étuis whose cards are included. `plays` are the plays to include, or None for all.
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
    entrants = read_entrants(Entrant.objects.filter(session__group=session.group_id))
    together = [
        player | entrants[player["id"]] | {"elsewhere": player["session"] != session.number} for player in ranked
    ]
    return data | {"together": together}


def read_entrants(entrants: QuerySet[Entrant]) -> dict[int, dict[str, Any]]:
    """Return the entrants' data by id: the player, the stand-in with first and last position, the starting number.

    A last position of None means the end. The rows are read without models, because a hall has hundreds of entrants.
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
    """Return the report without the parts that readers do not see.

    Without `ranking`, players have no figures. Without `etuis`, étuis have no plays; without `cards`, they have no
    cards. Without both of these, there are no étuis.
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
    """Return the report with the names that everybody may see. One query."""
    return Report(data, call_in_public(people_of(data)))


def read_for_directors(data: dict[str, Any]) -> "Report":
    """Return the report with the names of all its players, for the directors of the session."""
    return Report(data, call_for_directors(people_of(data)))


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
    if state.entry is not None and computed["base_score"] is not None:
        entry = entry_of(state.entry)
        # The entry may be newer than the standings. Its facts are included only if they give the same score.
        if isinstance(entry, Facts) and base_score(entry, rules) == computed["base_score"]:
            data["facts"] = result_to_data(entry.result) | {"made": score_deal(entry.result, rules).made}
    return data


def resolve_fixed(play: dict[str, Any], own: Mapping[int, Mapping[str, str | None]]) -> dict[str, Any]:
    """Return `notes`, in which fixed notes are figures, and `fixed`, which has them as the arbiter wrote them, by line.

    For example, "better 60" becomes the higher one of 60 and the player's own mean.
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
    """One play on a player's feuille de route, with the player's mark and note (None if the play does not count)."""

    etui: dict[str, Any]
    play: dict[str, Any]
    mark: int | None
    note: Fraction | None
    fixed: bool
    partners: tuple[dict[str, Any], ...]


class Report:
    """A report with the players' names, from which pages read rankings, feuilles de route and the plays of an étui.

    `names` has the names of all people in the report, by player id.
    """

    def __init__(self, data: dict[str, Any], names: Mapping[int, PublicPlayer]) -> None:
        self.data = data
        self.players: list[dict[str, Any]] = [read_player(player, names) for player in data["players"]]
        self.together = [read_player(player, names) for player in data.get("together", ())]
        self.by_id = {player["id"]: player for player in self.players}

    def general(self) -> list[dict[str, Any]]:
        """Return the players in the order of the classement général."""
        return self.players

    def alterne(self) -> list[dict[str, Any]]:
        """Return the players by rank in the classement alterné; those without a rank last."""
        return sorted(self.players, key=lambda player: (player["rank_alterne"] is None, player["rank_alterne"] or 0))

    def line(self, line: str) -> list[dict[str, Any]]:
        """Return the players of one line, in the order of the classement général."""
        return [player for player in self.players if player["line"] == line]

    def player(self, entrant_id: int) -> dict[str, Any] | None:
        """Return the player who is this entrant, or None."""
        return self.by_id.get(entrant_id)

    def etui(self, number: int) -> dict[str, Any] | None:
        """Return the étui with this number, or None."""
        return next((etui for etui in self.data["etuis"] if etui["number"] == number), None)

    def topage(self, etui: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the plays of an étui, from the taker's best score to the worst. Plays that do not count come last.

        If the étui was altered during the session, all plays before the alteration come first.
        """

        def place(play: dict[str, Any]) -> tuple[int, bool, int, int, int]:
            score = play["base_score"]
            return play["part"], score is None, -(score or 0), play["position"], play["table"]

        return sorted((read_play(play, self.by_id) for play in etui["plays"]), key=place)

    def feuille(self, entrant_id: int) -> list[FeuilleLine]:
        """Return the plays of an entrant, in the order of play."""
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
    """Return the player's row with exact numbers in place of text, and with the names to show.

    The name includes the names of the player's substitutes.
    """
    figures = {key: fraction(player[key]) for key in ("attack", "defence", "overall", "penalty")}
    called = names[player["player"]]._asdict() | {"name": " / ".join(names[pk].name for pk in ids_of(player))}
    return player | figures | called


def read_play(play: dict[str, Any], players: dict[int, dict[str, Any]]) -> dict[str, Any]:
    """Return the play with notes as exact numbers, the marks of all lines, and its players in place of their ids."""
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
    """Return the exact number that the text means, for example "175/3", or None for None."""
    return None if text is None else Fraction(text)
