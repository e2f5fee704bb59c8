"""The computation of a session's standings: it reads the plays, calls `scoring`, and stores exact figures.

`compute` computes everything from the rows of plays, and defines the correct result. `refresh` computes only the étuis
that have changed, corrects the sums of their players, and ranks the players again. Both use the same functions, so the
stored standings always equal the result of `compute`. The figures of an étui depend on its plays alone. If a play that
is newer than the results version is read, this does no harm: its étui is computed again later.
"""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Exists, F, OuterRef

from evenings.plays.entries import READ, entry_in
from evenings.plays.free import count_unseated_results
from evenings.plays.penalties import weigh_penalty
from evenings.plays.rulings_given import newest_by_etui
from evenings.plays.state import VIEWS, PlayState, with_states
from evenings.standings.etuis import (
    ANNULLED,
    MISSING,
    NOT_PLAYED,
    OWNER,
    SCORED,
    EtuiFigures,
    Rules,
    Sums,
    add_up,
    exact,
    figure_etuis,
    play_rows,
    read_sums,
)
from evenings.standings.field import FieldMember, read_field, read_session_draw
from scoring.contract import ScoringRules, find_rules, score_deal
from scoring.formats import find_format
from scoring.notes import Tally
from scoring.ranking import PlayerStanding, collect_notes, rank_players
from scoring.ties import TieBreak, TieRules
from tournaments.models import ChangedEtui, EtuiStandings, Penalty, Play, ResultEntry, Session, SessionStandings
from tournaments.models.seats import read_with_seats
from tournaments.prepared import PreparedValues
from tournaments.queue import PAUSE, queue_standings, queue_tournament
from tournaments.rules.clock import find_age
from tournaments.rules.entry import Facts
from tournaments.rules.etuis import EtuiSplit

SCORED_GAMES = [str(state) for state, view in VIEWS.items() if view.counted == VIEWS[PlayState.ENTERED].counted]


def find_best_games(session_id: int, etuis: Mapping[int, EtuiFigures], players: Collection[int]) -> dict[int, Fraction]:
    """Return the marks of the best game of each of these entrants, by entrant id. `etuis` are all of the session."""
    games = dict(Play.objects.filter(session=session_id).order_by().values_list("etui_id", "position").distinct())
    sums: defaultdict[int, defaultdict[int, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    for etui, figures in etuis.items():
        for play, notes in zip(figures.scored, figures.notes, strict=True):
            for who, note in zip(play.seats, notes or (), strict=False):
                if isinstance(who, int) and who in players and note is not None:
                    sums[who][games[etui]] += note
    return {who: max(own.values()) for who, own in sums.items()}


def count_contracts(session_id: int, players: Collection[int], rules: ScoringRules) -> dict[int, int]:
    """Return the number of contracts that each of these entrants has made, by entrant id.

    Return {} if only the marks of some deal are known, so that nobody can be compared.
    """
    plays = Play.objects.filter(session=session_id)
    scored = set(with_states(plays).filter(state__in=SCORED_GAMES).order_by().values_list("pk", flat=True))
    entries = {
        row[0]: entry_in(row[1:])
        for row in ResultEntry.objects.filter(play__in=scored, current=True).order_by().values_list("play_id", *READ)
    }
    if entries.keys() != scored or not all(isinstance(entry, Facts) for entry in entries.values()):
        return {}
    made = Counter[int]()
    for (pk,), seats in read_with_seats(plays.filter(pk__in=scored), "pk"):
        entry = entries[pk]
        if isinstance(entry, Facts) and score_deal(entry.result, rules).made:
            made[seats[entry.taker]] += 1
    return {who: made[who] for who in players}


ODD_TABLES = (3, 5)
PENALTY_ROW = ("entrant_id", "kind", "points", "position", "session__positions", "session__tournament__format")
PENALTIES = PreparedValues(
    lambda session: Penalty.objects.filter(session=session, reverses=None, reversal=None).values_list(*PENALTY_ROW)
)


class ComputedStandings(NamedTuple):
    """The computed standings of a session, and the version of the results from which they were computed.

    `figures` has the players, the counts, the name of the format, and the number of étuis that are compared. `sums` are
    the sums of all étuis. `etuis` has the figures of those étuis that were computed now, by id.
    """

    results_version: int
    figures: dict[str, Any]
    sums: Sums
    etuis: dict[int, EtuiFigures]

    @property
    def data(self) -> dict[str, Any]:
        """The figures as data for JSON, with the figures of the plays under "plays", by the play's id."""
        return self.figures | {"plays": {pk: play for etui in self.etuis.values() for pk, play in etui.plays.items()}}


def compute(session_id: int) -> ComputedStandings | None:
    """Return the standings of a session, computed from all its plays, or None if it has no play."""
    rows = play_rows([session_id])
    if not rows:
        return None
    _own, compared, version, scoring, format = rows[0][OWNER:]
    sections = [session_id]
    if compared:  # if plays of other sections are compared, one query reads the plays of all sections
        sections = sections_compared(session_id)
        rows = play_rows(sections)
        version = next(row[OWNER + 2] for row in rows if row[OWNER] == session_id)
    rules = weigh_rules(rules_of(scoring, format), session_id)
    etuis = figure_etuis(rows, splits_of(sections), rules, session_id)
    sums = add_up(etuis.values(), Sums())
    return ComputedStandings(version, describe_standings(session_id, sums, rules, etuis), sums, etuis)


def compute_changed(session: Session, changed: Collection[int]) -> ComputedStandings:
    """Return the standings, computed from the stored sums and the plays of the étuis in `changed` (ids)."""
    rules = weigh_rules(rules_of(session.tournament.rules, session.tournament.format), session.pk)
    sections = sections_of(session)
    etuis: dict[int, EtuiFigures] = {}
    if changed:
        etuis = figure_etuis(play_rows(sections, changed), splits_of(sections, changed), rules, session.pk)
    sums = read_sums(session.standings.sums)
    for before in session.standings.etuis.filter(etui__in=changed).values_list("sums", flat=True):
        sums.move(read_sums(before), -1)
    add_up(etuis.values(), sums)
    return ComputedStandings(session.results_version, describe_standings(session.pk, sums, rules), sums, etuis)


def figure_notes(sessions: Collection[int], rules: Rules, players: Collection[int]) -> dict[int, list[Fraction]]:
    """Return all notes of these entrants in these sessions, by entrant id, computed from the plays."""
    etuis = [etui for pk in sessions for etui in figure_session(pk, rules).values()]
    return notes_in(etuis, players)


def figure_session(session_id: int, rules: Rules) -> dict[int, EtuiFigures]:
    """Return the figures of all étuis of the session, by étui id, computed from the plays."""
    sections = sections_compared(session_id)
    own = weigh_rules(rules, session_id)
    return figure_etuis(play_rows(sections), splits_of(sections), own, session_id)


def notes_in(etuis: Iterable[EtuiFigures], players: Collection[int]) -> dict[int, list[Fraction]]:
    """Return all notes of these entrants in these étuis, by entrant id."""
    whole = list(etuis)
    plays, notes = ([each for one in whole for each in getattr(one, of)] for of in ("scored", "notes"))
    return collect_notes(plays, notes, players)


def sections_of(session: Session) -> list[int]:
    """Return the ids of this session and of the other sessions whose plays are compared with its plays."""
    return sections_compared(session.pk) if session.group and session.group.one_topage else [session.pk]


def sections_compared(session_id: int) -> list[int]:
    """Return the given id and the ids of the other sessions whose plays are compared with those of that session."""
    found = Session.objects.filter(group__one_topage=True, group__sections=session_id).order_by("pk")
    return list(found.values_list("pk", flat=True)) or [session_id]


def splits_of(sections: Sequence[int], etuis: Collection[int] | None = None) -> dict[tuple[int, int], EtuiSplit | None]:
    """Return the splits of étuis whose cards were altered, by (session id, étui id).

    A split says which plays of the étui came before the alteration, and which after it.
    """
    return {
        (pk, etui): ruling.split
        for pk in sections
        for etui, ruling in newest_by_etui(pk, etuis).items()
        if ruling.split
    }


def rules_of(scoring: str, format: str) -> Rules:
    return Rules(find_rules(scoring), find_format(format))


def weigh_rules(rules: Rules, session_id: int) -> Rules:
    """Return the rules with the session's weights of odd tables, if the tables deal. Other rules stay as they are."""
    if not rules.format.has_free_deals:
        return rules
    stored = Session.objects.filter(pk=session_id).values_list("three_weight", "five_weight").get()
    weights = {players: Fraction(weight) for players, weight in zip(ODD_TABLES, stored, strict=True) if weight != 1}
    return rules._replace(weights=weights)


def describe_standings(
    session_id: int, sums: Sums, rules: Rules, etuis: Mapping[int, EtuiFigures] | None = None
) -> dict[str, Any]:
    """Return the data of the standings, with the percentages and ranks of all players who sit in a play.

    They are computed from `sums`. Players of equal rank are in the order of their starting numbers. `etuis` has the
    figures of all étuis of the session, if the caller has them. Otherwise they are computed if tie-breaks need them.
    """
    field = read_field(session_id)
    tallies = {member.pk: sums.tallies[member.pk] for member in field.members if member.pk in sums.tallies}

    def notes_of(players: Collection[int]) -> dict[int, list[Fraction]]:
        return notes_in(etuis.values(), players) if etuis is not None else figure_notes([session_id], rules, players)

    def games_of(players: Collection[int]) -> dict[int, Fraction]:
        whole = etuis if etuis is not None else figure_session(session_id, rules)
        return find_best_games(session_id, whole, players)

    players = rank_players(
        tallies,
        find_ranking_lines(field.members, rules),
        rules.format,
        unranked=field.find_unranked(tallies),
        penalties=penalties_of(session_id),
        ties=TieRules(
            field.ties,
            read_session_draw(session_id, field.members) if TieBreak.DRAW in field.ties else (),
            notes_of,
            games_of=games_of,
            contracts_of=lambda players: count_contracts(session_id, players, rules.scoring),
        ),
    )
    return {
        "ranking": rules.format.name,
        "counts": count_states(session_id, sums, rules),
        "topped": sums.topped,
        "ties": list(map(str, field.ties)),
        **describe_weights(rules),
        "players": [describe_player(player) | own_means(tallies, player) for player in players],
    }


def find_ranking_lines(members: Iterable[FieldMember], rules: Rules) -> dict[int, str]:
    """Return the line in whose ranking each entrant is, by entrant id: "" where people change seats."""
    return {member.pk: member.line if rules.format.lines else "" for member in members}


def describe_weights(rules: Rules) -> dict[str, dict[str, str]]:
    """Return the weights of odd tables as data for JSON, such as {"weights": {"3": "61/50"}}; {} if all are 1."""
    weights = {str(players): str(weight) for players, weight in rules.weights.items()}
    return {"weights": weights} if weights else {}


def own_means(tallies: Mapping[Any, Tally], player: PlayerStanding) -> dict[str, Any]:
    """Return the means of a player's notes that were not fixed: {"own": {side: mean}}, such as {"attack": "175/3"}.

    Only sides on which the player has a note fixed as "better" are returned. A note fixed as "better 60" is the better
    of 60 and this mean. Return {} if the player has no such note.
    """
    tally = tallies[player.player]
    parts = {part for part, fixed in tally.fixed if fixed.better}
    return {"own": {str(part): exact(tally.unfixed_mean(part)) for part in sorted(parts)}} if parts else {}


def count_states(session_id: int, sums: Sums, rules: Rules) -> dict[str, int]:
    """Return the number of plays in each state. Games of free deals that are not seated yet count as missing."""
    counts = {state: sums.counts[state] for state in (SCORED, MISSING, ANNULLED, NOT_PLAYED)}
    if rules.format.has_free_deals:
        counts[MISSING] += count_unseated_results(session_id)
    return counts


def describe_player(player: PlayerStanding) -> dict[str, Any]:
    """Return the ranks and percentages of a player as data for JSON, with exact fractions as text."""
    return {
        "id": player.player,
        "line": str(player.line),
        "attack": exact(player.attack),
        "defence": exact(player.defence),
        "overall": exact(player.overall),
        "penalty": exact(player.penalty),
        "attacks": player.attacks,
        "defences": player.defences,
        "deals": player.deals,
        "unranked": str(player.unranked or ""),
        "told": str(player.told or ""),
        "rank_general": player.rank_general,
        "rank_line": player.rank_line,
        "rank_alterne": player.rank_alterne,
    }


def penalties_of(session_id: int) -> dict[int, Fraction]:
    """Return the points that penalties take off, by entrant id. Negative if the bonuses are greater.

    Penalties that were cancelled do not count.
    """
    return add_up_penalties(PENALTIES(session_id))


def penalties_of_sessions(sessions: Collection[int]) -> dict[int, Fraction]:
    """Return the points of `penalties_of` for the entrants of all these sessions (ids), with one query."""
    found = Penalty.objects.filter(session__in=sessions, reverses=None, reversal=None)
    return add_up_penalties(found.order_by("pk").values_list(*PENALTY_ROW))


def add_up_penalties(rows: Iterable[tuple[Any, ...]]) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    for entrant, *word in rows:
        found[entrant] = found.get(entrant, Fraction()) + weigh_penalty(*word)
    return found


# The stored standings

OTHERS = Exists(Session.objects.filter(tournament=OuterRef("tournament"), put_away_at=None).exclude(pk=OuterRef("pk")))


def is_session_fresh(session: Session) -> bool:
    """Return whether the stored standings were computed from the session's newest results."""
    return session.standings.results_version == session.results_version


def sessions_with_stale_standings() -> list[int]:
    """Return the ids of the sessions whose results have changed since their standings were last computed."""
    stale = SessionStandings.objects.filter(results_version__lt=F("session__results_version"))
    return list(stale.order_by("session_id").values_list("session_id", flat=True))


def pause_before(session_id: int, *, now: dt.datetime) -> float:
    """Return the seconds until the standings of the session may be computed again.

    The pause lets jobs of other sessions run. It is 0 if the clock has been set back since the last computation.
    """
    last = SessionStandings.objects.filter(pk=session_id).values_list("computed_at", flat=True).first()
    return 0.0 if last is None else max(0.0, PAUSE - find_age(last, now).total_seconds())


def refresh(session_id: int, *, now: dt.datetime) -> bool:
    """Compute and store the standings if results have changed. Return True if standings were stored.

    If another job has stored standings in the meantime, store nothing, and queue the computation again.
    """
    sessions = Session.objects.select_related("standings", "tournament", "group").defer("standings__data")
    stale = sessions.filter(pk=session_id, standings__results_version__lt=F("results_version"))
    session = stale.annotate(several=OTHERS).first()
    if session is None:
        return False
    # Read the changes before the plays: so the plays contain every change found here, and perhaps newer ones.
    changes = dict(ChangedEtui.objects.filter(session_id=session_id).values_list("pk", "etui_id"))
    etuis = {etui for etui in changes.values() if etui is not None}
    if session.standings.sums and None not in changes.values():
        computed: ComputedStandings | None = compute_changed(session, etuis)
    else:
        computed = compute(session_id)
        etuis = set(session.standings.etuis.values_list("etui_id", flat=True))
    if computed is None:
        return False
    gone = etuis - computed.etuis.keys()
    written = keep(session.standings, computed, gone=gone, changes=changes, several=session.several, now=now)
    if not written:  # another worker was first, and may have known fewer results
        queue_standings(session_id)
    return written


@transaction.atomic
def keep(
    kept: SessionStandings,
    computed: ComputedStandings,
    *,
    gone: Collection[int],
    changes: Collection[int],
    several: bool,
    now: dt.datetime,
) -> bool:
    """Replace the stored standings `kept` by the computed ones. Return False if `kept` is no longer what is stored.

    `gone` are the ids of étuis without a play. `changes` are the ids of the `ChangedEtui` rows that the computation
    contains: they are deleted. `several` is True if the tournament has other sessions: its standings are then queued.
    """
    same = SessionStandings.objects.filter(
        pk=kept.pk, results_version=kept.results_version, computed_at=kept.computed_at
    )
    version = computed.results_version
    if not same.update(results_version=version, computed_at=now, data=computed.figures, sums=computed.sums.to_data()):
        return False
    keep_etuis(kept.pk, version, computed.etuis)
    kept.etuis.filter(etui__in=gone).delete()
    ChangedEtui.objects.filter(pk__in=changes).delete()
    if several:
        queue_tournament(kept.session.tournament_id)
    return True


def keep_etuis(session_id: int, version: int, etuis: Mapping[int, EtuiFigures]) -> None:
    """Store the figures of these étuis, in new rows or in place of the old figures."""
    EtuiStandings.objects.bulk_create(
        [
            EtuiStandings(
                standings_id=session_id,
                etui_id=etui,
                results_version=version,
                plays=figures.plays,
                sums=figures.sums.to_data(),
            )
            for etui, figures in etuis.items()
        ],
        update_conflicts=True,
        unique_fields=["standings", "etui"],
        update_fields=["results_version", "plays", "sums"],
    )
