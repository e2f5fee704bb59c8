"""The preview of a change to a running session, for pages and the API: who moves, who rests, who comes.

`evenings.changes.outcomes` finds the possible outcomes; this module describes one of them. It reads no results and
writes nothing. The consequences for the ranking are sentences too: which fillers stop, which newcomers will be ranked.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import NamedTuple

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Player
from evenings.changes.fillers import find_stopping
from evenings.changes.outcomes import PlaceMove, find_coming, find_moves, find_places
from evenings.changes.teams import say_team_version
from evenings.changes.ways import ChangeOutcome, UnplayedEtui, find_exchanges
from evenings.plans.by_format import wants_even_attacks
from evenings.plans.current import SessionPlan, current_version
from evenings.plans.layout import find_laid_rows
from evenings.plans.plays_after import find_unplayed, people_after
from evenings.standings.field import FieldMember, find_substitutes
from movements import LinePlan, Member, Plan, PlanStop
from movements.plan.notation import is_team_plan
from scoring.formats import find_format
from scoring.ties import UnrankedReason, find_unranked
from tournaments.errors import ActionRefused
from tournaments.models import Entrant, PlanVersion, Session
from tournaments.models.seats import list_seated
from tournaments.rules.operations import (
    KINDS,
    Arrive,
    Leave,
    Operation,
    Resize,
    Return,
    Substitute,
    Swap,
    WrongEtuis,
    read_operation_data,
)
from tournaments.words.figures import etuis_text, percent_sign
from tournaments.words.messages import say, say_figures, say_proposal, say_worth


def list_consequences(evening: SessionPlan, operation: Operation, way: ChangeOutcome) -> list[str]:
    """Return the sentences about the ranking for this outcome of the operation. The list may be empty."""
    stopping = find_stopping(operation, way.gone)
    names = [entrant.name for entrant in evening.entrants if entrant.pk in stopping]
    told = [say_stopping(name, way.after) for name in names]
    coming = find_coming(evening, operation, way)
    if coming and not isinstance(operation, Return):
        gone, after = way.gone, way.after
        if isinstance(operation, Substitute):
            gone, after = (operation.entrant,), operation.position - 1
        told += say_ranks(evening, way, people_after(evening, coming, gone=gone, after=after))
    return told


def say_stopping(name: str, after: int) -> str:
    """Return the sentence that this filler stops after a position."""
    if not after:
        return _("%(name)s completes the table no longer, and does not play.") % {"name": name}
    text = _("%(name)s completes the table no longer, and stops after position %(position)s.")
    return text % {"name": name, "position": after}


def say_ranks(evening: SessionPlan, way: ChangeOutcome, people: list[Entrant]) -> list[str]:
    """Return a sentence for each newcomer: whether the plan gives the player enough étuis to be ranked.

    `people` has all entrants; newcomers have ids below 0. The list is empty if no table of the plan can play.
    """
    tournament = evening.session.tournament
    later = SessionPlan(evening.session, way.plan)
    later.entrants = people
    if not (deals := count_deals(later)):
        return []
    # `find_substitutes` knows by the ids who was there first. So newcomers, whose ids are below 0, get the last ones.
    order = {one.pk: place for place, one in enumerate(sorted(people, key=lambda one: (one.pk < 0, abs(one.pk))))}
    members = [FieldMember(order[one.pk], one.line, one.ranked, 0, one.stays) for one in people]
    substitutes = set() if tournament.substitutes_ranked else find_substitutes(members)
    reasons = find_unranked(
        {order[pk]: count for pk, count in deals.items()},
        least_share=tournament.least_share,
        fillers={member.pk for member in members if not member.ranked},
        substitutes=substitutes,
    )
    return [
        say_rank(one.name, reasons.get(order[one.pk]), deals[one.pk], max(deals.values()), tournament.least_share)
        for one in people
        if one.pk < 0
    ]


def count_deals(evening: SessionPlan) -> Counter[int]:
    """Return how many étuis each entrant plays in the whole evening, by the entrant's id, if the plan is followed."""
    deals = Counter[int]()
    for play in evening.plan.stops:
        if play.complete:
            for pk in evening.seats(play).values():
                deals[pk] += len(play.etuis)
    return deals


def say_rank(name: str, reason: UnrankedReason | None, count: int, most: int, share: int) -> str:
    """Return the sentence whether a newcomer with `count` étuis is ranked; `most` is the most étuis of a player."""
    told = {"name": name, "count": count, "most": most, "share": f"{share}{percent_sign()}"}
    match reason:
        case None:
            text = ngettext(
                "%(name)s is ranked, with %(count)s étui of %(most)s.",
                "%(name)s is ranked, with %(count)s étuis of %(most)s.",
                count,
            )
        case UnrankedReason.FILLER:
            text = _("%(name)s completes the table and is unranked.")
        case UnrankedReason.SUBSTITUTE:
            text = _("%(name)s is unranked: this tournament does not rank substitutes.")
        case UnrankedReason.SHARE | UnrankedReason.LOOKED:
            text = ngettext(
                "%(name)s is unranked: %(count)s étui of %(most)s is less than the %(share)s that the tournament asks"
                " for.",
                "%(name)s is unranked: %(count)s étuis of %(most)s are less than the %(share)s that the tournament asks"
                " for.",
                count,
            )
    return text % told


class Spot(NamedTuple):
    """A player's place in a position: the table, and the numbers of its étuis in the deal set. A rest has no table."""

    table: int | None
    etuis: tuple[int, ...]

    @property
    def etuis_text(self) -> str:
        return etuis_text(self.etuis)


REST = Spot(None, ())
NO_OPERATION = "choice"  # the kind of a version that was chosen before the start


@dataclass(frozen=True, slots=True)
class PlaceShift:
    """A player's place before and after a change. None means that the player is absent."""

    name: str
    line: str
    number: int
    before: Spot | None
    after: Spot | None


@dataclass(frozen=True, slots=True)
class Change:
    """The changes in one position to come.

    `shifts` has the players who move. `resting` has the names of those who rest after the change. `unchanged` is the
    number of players who keep their table and étuis. `added` or `dropped` is True if the change adds or removes the
    whole position.
    """

    position: int
    shifts: list[PlaceShift]
    resting: list[str]
    unchanged: int
    added: bool = False
    dropped: bool = False


class WayStop(NamedTuple):
    """The place of a player in a position."""

    position: int
    spot: Spot


@dataclass(frozen=True, slots=True)
class NewWay:
    """A newcomer with the places (`stops`) in each position, from the newcomer's first position on."""

    name: str
    line: str
    number: int
    stops: list[WayStop]


@dataclass(frozen=True)
class ChangePreview:
    """The description of one outcome. `way` is the outcome, and `choice` its index in the list of outcomes."""

    evening: SessionPlan
    operation: Operation
    way: ChangeOutcome
    choice: int

    @property
    def text(self) -> str:
        """The outcome in a sentence."""
        return say_proposal(self.way)

    @property
    def worth(self) -> list[str]:
        """The quality of the plan, in sentences.

        If the positions to come are planned anew, they also tell what the plan needs, such as étuis.
        """
        imposed = wants_even_attacks(find_format(self.evening.session.tournament.format))
        if self.way.code in ("replanned", "fresh", "roving", "fresh_roving"):
            return say_worth(self.way.plan, self.way.figures, imposed=imposed)
        return say_figures(self.way.figures, imposed=imposed, partly=bool(self.way.plan.stays))

    @property
    def lacking(self) -> str:
        """The reason why this outcome cannot be carried out (missing étuis), or ""."""
        return say(ActionRefused("etuis_lacking", "plan", count=self.way.etuis_short)) if self.way.etuis_short else ""

    @property
    def consequences(self) -> list[str]:
        """The consequences of the outcome for the ranking, in sentences."""
        return list_consequences(self.evening, self.operation, self.way)

    @property
    def unplayed(self) -> tuple[UnplayedEtui, ...]:
        """The plays that this outcome leaves out."""
        return self.way.unplayed

    @property
    def needed(self) -> int:
        """The number of étuis that the plan needs, counted from the session's first étui in the set."""
        return self.way.plan.count_etuis()

    @property
    def dealt_by_the_site(self) -> bool:
        """True if the site can compute more étuis from the set's seed."""
        deal_set = self.evening.session.deal_set
        return deal_set is not None and bool(deal_set.seed)

    @cached_property
    def newcomers(self) -> list[NewWay]:
        """The new players, each with the places in the positions to come."""
        first = self.operation.position if isinstance(self.operation, Substitute) else self.way.after + 1
        sitting = {
            position: find_places(self.way.plan, position) for position in range(first, self.way.plan.positions + 1)
        }
        return [
            NewWay(
                newcomer.player.name,
                newcomer.line,
                newcomer.member.number,
                [WayStop(position, self.spot(seats.get(newcomer.member))) for position, seats in sitting.items()],
            )
            for newcomer in self.way.newcomers
        ]

    @cached_property
    def positions(self) -> list[Change]:
        """The positions to come in which anything changes."""
        before, after = self.evening.plan, self.way.plan
        found = find_moves(self.evening, self.way)
        resting = after.list_resting()
        there = (before.list_present(), after.list_present())
        changes = []
        for position, moved in found.items():
            dropped, added = position > after.positions, position > before.positions
            changes.append(
                Change(
                    position,
                    [] if dropped else [self.shift(move, position, there) for move in moved],
                    [] if dropped else [self.name(member, position) for member in resting[position - 1]],
                    0 if dropped else len({*find_places(after, position)} - {move.member for move in moved}),
                    added=added,
                    dropped=dropped,
                )
            )
        return changes

    def shift(self, move: PlaceMove, position: int, there: Sequence[Sequence[Sequence[Member]]]) -> PlaceShift:
        """Return a move as a shift. `there` has the members present in each position, before and after the change.

        A player who is present but has no play rests. The place of an absent player is None.
        """
        was, will = (position <= len(present) and move.member in present[position - 1] for present in there)
        return PlaceShift(
            move.name,
            move.line,
            move.member.number,
            self.spot(move.before) if was or move.before else None,
            self.spot(move.after) if will or move.after else None,
        )

    def spot(self, play: PlanStop[Member] | None) -> Spot:
        """Return the place of a planned play, with the étuis' numbers in the deal set.

        If `play` is None, return the place of a rest.
        """
        shift = self.evening.session.first_etui - 1
        return Spot(play.table, tuple(etui + shift for etui in play.etuis)) if play else REST

    def name(self, member: Member, position: int) -> str:
        """Return the name of the player with this starting number in that position."""
        new = {newcomer.member: newcomer.player.name for newcomer in self.way.newcomers}
        return new.get(member) or self.evening.holder(member, position).name


class OperationNames:
    """The names of the entrants, players and teams in an operation, by id. Deleted ones are left out."""

    def __init__(self, session: Session, unlisted: Mapping[int, Player] | None = None) -> None:
        self.session, self.unlisted = session, unlisted or {}

    @cached_property
    def by_entrant(self) -> dict[int, str]:
        return {entrant.pk: entrant.own_name for entrant in self.session.entrants.select_related("player", "team")}

    @cached_property
    def by_player(self) -> dict[int, str]:
        listed = {player.pk: player.name for player in self.session.tournament.club.players.all()}
        return listed | {pk: player.name for pk, player in self.unlisted.items()}

    @cached_property
    def by_team(self) -> dict[int, str]:
        return {team.pk: team.shown_name for team in self.session.tournament.teams.all()}

    def entrants(self, ids: Iterable[int]) -> str:
        """Return the names of these entrants in one text: "A, B and C"."""
        return join_names(self.by_entrant[pk] for pk in ids if pk in self.by_entrant)

    def players(self, ids: Iterable[int]) -> str:
        """Return the names of these players in one text: "A, B and C"."""
        return join_names(self.by_player[pk] for pk in ids if pk in self.by_player)


def say_plan_version(version: PlanVersion, names: OperationNames) -> str:
    """Return a sentence about the origin of a plan version: it was chosen, or an operation made it."""
    mended = version.operation.get("kind") in (Swap.kind, WrongEtuis.kind)
    if is_team_plan(version.data) and not mended:
        return say_team_version(version, names.by_team)
    if (operation := operation_of(version)) is None:
        return say_proposal(version)
    told = [say_operation(operation, names)]
    if isinstance(operation, Arrive | Leave | Return):
        stopping = find_stopping(operation, version.operation.get("gone", []))
        told += [say_stopping(names.by_entrant[pk], operation.after) for pk in stopping if pk in names.by_entrant]
    return " ".join(told)


def operation_of(version: PlanVersion) -> Operation | None:
    """Return the director's operation. None for the plan chosen before the start, and for versions of games."""
    done = version.operation
    if done.get("kind", NO_OPERATION) not in KINDS:
        return None
    arguments = {"kind", *(field.name for field in fields(KINDS[done["kind"]]))}
    return read_operation_data({name: value for name, value in done.items() if name in arguments})


def find_touched(session: Session) -> list[Entrant]:
    """Return the present entrants whose positions to come are altered by the newest change.

    Their table, their étuis or the people they meet have changed. If the change gave the evening another length, all
    present entrants are returned.
    """
    version = current_version(session)
    if version is None or version.operation.get("kind") == NO_OPERATION:
        return []
    rows = [*version.before.values(), *version.after.values()]
    if version.operation["kind"] == Substitute.kind and not version.operation["own"]:
        replaced, first = version.operation["entrant"], version.operation["position"]
        rows += [
            row for row in find_laid_rows(session).values() if row["position"] >= first and replaced in list_seated(row)
        ]
    to_come = [row for row in rows if row["position"] >= max(1, session.position)]
    ids = {pk for row in to_come for pk in list_seated(row)}
    there = session.entrants.select_related("player", "stand_in", "team").filter(last_position=None)
    return list(there if version.operation["kind"] == Resize.kind else there.filter(pk__in=ids))


def say_exchange(plan: LinePlan | Plan[int], session: Session, operation: Operation) -> list[str]:
    """Return the other effects of a correction of étuis, in sentences.

    The first sentences tell the étuis that other tables have played in return. The last one tells which planned étuis
    this table has not played. The list is empty for any other operation. `plan` is the plan before the correction.
    """
    if not isinstance(operation, WrongEtuis):
        return []
    exchanges = find_exchanges(plan, session.first_etui, operation)
    found: dict[int, list[tuple[int, int]]] = {}
    for (table, planned), played in exchanges.items():
        if table != operation.table:
            found.setdefault(table, []).append((planned, played))
    others = [WrongEtuis(operation.position, table, tuple(sorted(pairs))) for table, pairs in sorted(found.items())]
    told = [say_operation(other, OperationNames(session)) for other in others]
    if left := find_unplayed(operation, exchanges):
        text = ngettext(
            "Table %(table)s does not play étui %(etuis)s.", "Table %(table)s does not play étuis %(etuis)s.", len(left)
        )
        if operation.later:
            text = ngettext(
                "Table %(table)s plays étui %(etuis)s later.", "Table %(table)s plays étuis %(etuis)s later.", len(left)
            )
        told.append(text % {"table": operation.table, "etuis": ", ".join(map(str, left))})
    return told


def join_names(names: Iterable[str]) -> str:
    """Return the names in one text: "A, B and C"."""
    return get_text_list(list(names), _("and"))


def say_operation(operation: Operation, names: OperationNames) -> str:
    """Return the operation in a sentence, for example "Ann leaves after position 2"."""
    match operation:
        case Arrive(players=players, after=after):
            text = ngettext(
                "%(names)s plays from position %(position)s on.",
                "%(names)s play from position %(position)s on.",
                len(players),
            )
            return text % {"names": names.players(players), "position": after + 1}
        case Leave(entrants=entrants, after=0):
            text = ngettext("%(names)s does not play.", "%(names)s do not play.", len(entrants))
            return text % {"names": names.entrants(entrants)}
        case Leave(entrants=entrants, after=after):
            text = ngettext(
                "%(names)s leaves after position %(position)s.",
                "%(names)s leave after position %(position)s.",
                len(entrants),
            )
            return text % {"names": names.entrants(entrants), "position": after}
        case Return(entrants=entrants, after=after):
            text = ngettext(
                "%(names)s is back from position %(position)s on.",
                "%(names)s are back from position %(position)s on.",
                len(entrants),
            )
            return text % {"names": names.entrants(entrants), "position": after + 1}
        case Substitute(entrant=entrant, player=player, position=position, own=own, ranked=ranked):
            text = _(
                "%(player)s plays in place of %(entrant)s from position %(position)s on, for percentages of their own."
            )
            if not ranked:
                text = _(
                    "%(player)s plays in place of %(entrant)s from position %(position)s on, to complete the table:"
                    " unranked, with percentages of their own."
                )
            if not own:
                text = _(
                    "%(player)s plays in place of %(entrant)s from position %(position)s on; the percentages stay those"
                    " of %(entrant)s."
                )
            told = {"player": names.players([player]), "entrant": names.entrants([entrant]), "position": position}
            return text % told
        case Swap(position=position, one=one, other=other):
            text = _("%(one)s and %(other)s had exchanged seats in position %(position)s.")
            return text % {"one": names.entrants([one]), "other": names.entrants([other]), "position": position}
        case WrongEtuis(position=position, table=table, pairs=pairs):
            text = ngettext(
                "Position %(position)s, table %(table)s: étui %(played)s was played instead of %(planned)s.",
                "Position %(position)s, table %(table)s: étuis %(played)s were played instead of %(planned)s.",
                len(pairs),
            )
            planned, played = (", ".join(str(pair[side]) for pair in pairs) for side in (0, 1))
            return text % {"position": position, "table": table, "planned": planned, "played": played}
        case Resize(positions=positions):
            text = ngettext("The evening has %(count)s position.", "The evening has %(count)s positions.", positions)
            return text % {"count": positions}
