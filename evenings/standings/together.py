"""The ranking of the players of all sections together, by the percentages that they have in their own sections."""

from collections.abc import Callable, Collection, Iterable
from fractions import Fraction
from typing import Any

from evenings.standings.computing import (
    compute,
    count_contracts,
    describe_player,
    figure_notes,
    figure_session,
    find_best_games,
    find_ranking_lines,
    penalties_of,
    rules_of,
)
from evenings.standings.etuis import Rules, Sums, read_sums
from evenings.standings.field import Field, find_unranked_of, read_field
from scoring.notes import Tally
from scoring.ranking import rank_players
from scoring.ties import TieBreak, TieRules
from tournaments.models import Session

SumsOf = Callable[[Session], Sums | None]


def sums_kept(section: Session) -> Sums | None:
    """Return the stored sums of the section. If none are stored, compute them. Return None if it has no play."""
    return read_sums(section.standings.sums) if section.standings.sums else sums_now(section)


def sums_now(section: Session) -> Sums | None:
    """Return the sums of the section, computed from all its plays, or None if it has no play."""
    computed = compute(section.pk)
    return computed.sums if computed else None


def count_contracts_together(sessions: Iterable[int], players: Collection[int], rules: Rules) -> dict[int, int]:
    """Return the contracts made by these entrants of several sections (ids), by entrant id.

    Return {} if only the marks of some deal are known, in any of the sections.
    """
    found: dict[int, int] = {}
    for pk in sessions:
        told = count_contracts(pk, players, rules.scoring)
        if not told:
            return {}
        found = {who: found.get(who, 0) + made for who, made in told.items()}
    return found


def rank_together(session: Session, sums_of: SumsOf = sums_kept) -> list[dict[str, Any]]:
    """Return the players of all sections in the order of one ranking, or [] if they are not ranked together.

    A player is a dict as in standings, with also the name of the player's `section` and the number of its `session`.
    Lots are drawn in each section separately, so they do not count here: such players share a rank.
    """
    if session.group is None or not session.group.one_ranking:
        return []
    sections = session.group.sections.filter(status=Session.Status.RUNNING).select_related("standings", "tournament")
    rules = rules_of(session.tournament.rules, session.tournament.format)
    fields: list[Field] = []
    tallies: dict[int, Tally] = {}
    penalties: dict[int, Fraction] = {}
    at: dict[int, Session] = {}
    for section in sections.order_by("number"):
        if (sums := sums_of(section)) is None:
            continue
        field = read_field(section.pk)
        fields.append(field)
        tallies |= {member.pk: sums.tallies[member.pk] for member in field.members if member.pk in sums.tallies}
        at |= {member.pk: section for member in field.members}
        penalties |= penalties_of(section.pk)
    criteria = [tie for tie in fields[0].ties if tie != TieBreak.DRAW] if fields else []
    players = rank_players(
        tallies,
        find_ranking_lines((member for field in fields for member in field.members), rules),
        rules.format,
        unranked=find_unranked_of(fields, tallies),
        penalties=penalties,
        ties=TieRules(
            criteria,
            notes_of=lambda wanted: figure_notes({at[pk].pk for pk in wanted}, rules, wanted),
            games_of=lambda wanted: {
                who: best
                for pk in {at[who].pk for who in wanted}
                for who, best in find_best_games(pk, figure_session(pk, rules), wanted).items()
            },
            contracts_of=lambda wanted: count_contracts_together({at[pk].pk for pk in wanted}, wanted, rules),
        ),
    )
    told = [describe_player(player) for player in players]
    return [each | {"section": at[each["id"]].section, "session": at[each["id"]].number} for each in told]
