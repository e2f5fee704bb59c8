"""The only bridge from rows to scores: a session's plays → `scoring` → standings as exact data, kept étui by étui.

`compute` makes them from nothing, and is the truth. `refresh` computes the étuis that have changed since, moves the
sums of their players and ranks anew, by the same functions: what is kept equals what `compute` gives. An étui's figures
are a function of its plays alone, and the sums those of the étuis kept: so a play that is newer than the version said
does no harm, and is looked at again.
"""

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Exists, F, OuterRef

from scoring.contract import find_rules
from scoring.ranking import FREE_AUCTION, INDIVIDUAL, PlayerStanding, RankingRules, collect_notes, rank_players
from scoring.tally import Tally
from scoring.ties import TieBreak, TieRules
from tournaments.models import (
    ChangedEtui,
    EtuiStandings,
    Penalty,
    Session,
    SessionStandings,
    Tournament,
)
from tournaments.plays.etui_rulings import newest_by_etui
from tournaments.plays.penalties import weigh
from tournaments.prepared import PreparedValues
from tournaments.queue import PAUSE, queue_standings, queue_tournament
from tournaments.rules.ages import find_age
from tournaments.rules.split import Split
from tournaments.standings.etuis import (
    ANNULLED,
    MISSING,
    NOT_PLAYED,
    OWNER,
    SCORED,
    EtuiFigures,
    Rules,
    add_up,
    exact,
    figure_etuis,
    play_rows,
)
from tournaments.standings.field import read_draw, read_field
from tournaments.standings.sums import Sums, read_sums

RANKING: dict[str, RankingRules] = {Tournament.Auction.IMPOSED: INDIVIDUAL, Tournament.Auction.FREE: FREE_AUCTION}


PENALTIES = PreparedValues(
    lambda session: Penalty.objects.filter(session=session, reverses=None, reversal=None).values_list(
        "entrant_id", "kind", "points", "position", "session__positions"
    )
)


class Computed(NamedTuple):
    """Standings, and the version of the results they hold: both are of one moment.

    `figures`: players, counts, the ranking's name, how many étuis are compared. `etuis`: those that were computed.
    """

    results_version: int
    figures: dict[str, Any]
    sums: Sums
    etuis: dict[int, EtuiFigures]

    @property
    def data(self) -> dict[str, Any]:
        """The figures with those of the plays, by their ids as JSON has them."""
        return self.figures | {"plays": {pk: play for etui in self.etuis.values() for pk, play in etui.plays.items()}}


def compute(session_id: int) -> Computed | None:
    """The standings of a session from its rows alone; None where it has no play."""
    rows = play_rows([session_id])
    if not rows:
        return None
    _own, compared, version, scoring, auction = rows[0][OWNER:]
    sections = [session_id]
    if compared:  # with the plays of other sections, read at one moment
        sections = sections_compared(session_id)
        rows = play_rows(sections)
        version = next(row[OWNER + 2] for row in rows if row[OWNER] == session_id)
    rules = rules_of(scoring, auction)
    etuis = figure_etuis(rows, splits_of(sections), rules, session_id)
    sums = add_up(etuis.values(), Sums())
    return Computed(version, describe(session_id, sums, rules, etuis), sums, etuis)


def compute_changed(session: Session, changed: Collection[int]) -> Computed:
    """The standings from those kept, of which these étuis have changed."""
    rules = rules_of(session.tournament.rules, session.tournament.auction)
    sections = sections_of(session)
    etuis: dict[int, EtuiFigures] = {}
    if changed:
        etuis = figure_etuis(play_rows(sections, changed), splits_of(sections, changed), rules, session.pk)
    sums = read_sums(session.standings.sums)
    for before in session.standings.etuis.filter(etui__in=changed).values_list("sums", flat=True):
        sums.move(read_sums(before), -1)
    add_up(etuis.values(), sums)
    return Computed(session.results_version, describe(session.pk, sums, rules), sums, etuis)


def figure_notes(sessions: Collection[int], rules: Rules, players: Collection[int]) -> dict[int, list[Fraction]]:
    """All notes of these players of the sessions, from rows alone."""
    etuis = [etui for pk in sessions for etui in figure_session(pk, rules).values()]
    return notes_in(etuis, players)


def figure_session(session_id: int, rules: Rules) -> dict[int, EtuiFigures]:
    """The figures of all its étuis, from rows alone."""
    sections = sections_compared(session_id)
    return figure_etuis(play_rows(sections), splits_of(sections), rules, session_id)


def notes_in(etuis: Iterable[EtuiFigures], players: Collection[int]) -> dict[int, list[Fraction]]:
    whole = list(etuis)
    plays, notes = ([each for one in whole for each in getattr(one, of)] for of in ("scored", "notes"))
    return collect_notes(plays, notes, players)


def sections_of(session: Session) -> list[int]:
    """The sessions whose plays are compared with its own, itself among them."""
    return sections_compared(session.pk) if session.group and session.group.one_topage else [session.pk]


def sections_compared(session_id: int) -> list[int]:
    """The same, of a session that is not at hand."""
    found = Session.objects.filter(group__one_topage=True, group__sections=session_id).order_by("pk")
    return list(found.values_list("pk", flat=True)) or [session_id]


def splits_of(sections: Sequence[int], etuis: Collection[int] | None = None) -> dict[tuple[int, int], Split | None]:
    """Where étuis were altered, by session and étui."""
    return {
        (pk, etui): ruling.split
        for pk in sections
        for etui, ruling in newest_by_etui(pk, etuis).items()
        if ruling.split
    }


def rules_of(scoring: str, auction: str) -> Rules:
    return Rules(find_rules(scoring), RANKING[auction])


def describe(
    session_id: int, sums: Sums, rules: Rules, etuis: Mapping[int, EtuiFigures] | None = None
) -> dict[str, Any]:
    """Percentages and ranks of everybody who sits in a play, as they follow from the sums; equals by number. `etuis`:
    those of the session, where they are at hand."""
    field = read_field(session_id)
    tallies = {member.pk: sums.tallies[member.pk] for member in field.members if member.pk in sums.tallies}

    def notes_of(players: Collection[int]) -> dict[int, list[Fraction]]:
        return notes_in(etuis.values(), players) if etuis is not None else figure_notes([session_id], rules, players)

    players = rank_players(
        tallies,
        {member.pk: member.line for member in field.members},
        rules.ranking,
        unranked=field.find_unranked(tallies),
        penalties=penalties_of(session_id),
        ties=TieRules(
            field.ties, read_draw(session_id, field.members) if TieBreak.DRAW in field.ties else (), notes_of
        ),
    )
    return {
        "ranking": rules.ranking.name,
        "counts": {state: sums.counts[state] for state in (SCORED, MISSING, ANNULLED, NOT_PLAYED)},
        "topped": sums.topped,
        "ties": list(map(str, field.ties)),
        "players": [describe_player(player) | own_means(tallies, player) for player in players],
    }


def own_means(tallies: Mapping[Any, Tally], player: PlayerStanding) -> dict[str, Any]:
    """By part of a deal, what a player's own notes come to: of those with which a fixed note is compared."""
    tally = tallies[player.player]
    parts = {part for part, fixed in tally.fixed if fixed.better}
    return {"own": {str(part): exact(tally.unfixed_mean(part)) for part in sorted(parts)}} if parts else {}


def describe_player(player: PlayerStanding) -> dict[str, Any]:
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
    """Percentage points that are taken off, by entrant: below 0 where bonuses weigh more. What was taken back counts no
    more."""
    found: dict[int, Fraction] = {}
    for entrant, *word in PENALTIES(session_id):
        found[entrant] = found.get(entrant, Fraction()) + weigh(*word)
    return found


# What is kept

OTHERS = Exists(Session.objects.filter(tournament=OuterRef("tournament"), put_away_at=None).exclude(pk=OuterRef("pk")))


def is_fresh(session: Session) -> bool:
    """Whether the kept standings are those of the newest results."""
    return session.standings.results_version == session.results_version


def sessions_with_stale_standings() -> list[int]:
    """Sessions whose results have changed since their standings were last computed."""
    stale = SessionStandings.objects.filter(results_version__lt=F("session__results_version"))
    return list(stale.order_by("session_id").values_list("session_id", flat=True))


def pause_before(session_id: int, *, now: dt.datetime) -> float:
    """Return the seconds until standings of the session may be computed again, so that one hall leaves others their
    turn; 0 where the clock has been set back since they were computed."""
    last = SessionStandings.objects.filter(pk=session_id).values_list("computed_at", flat=True).first()
    return 0.0 if last is None else max(0.0, PAUSE - find_age(last, now).total_seconds())


def refresh(session_id: int, *, now: dt.datetime) -> bool:
    """Computes and keeps the standings unless they are fresh already; True where they were written.

    Several changes are served by one computation, and an older one never replaces a newer.
    """
    sessions = Session.objects.select_related("standings", "tournament", "group").defer("standings__data")
    stale = sessions.filter(pk=session_id, standings__results_version__lt=F("results_version"))
    session = stale.annotate(several=OTHERS).first()
    if session is None:
        return False
    # In this order: the plays read hold every change that is found here, and perhaps one more.
    changes = dict(ChangedEtui.objects.filter(session_id=session_id).values_list("pk", "etui_id"))
    etuis = {etui for etui in changes.values() if etui is not None}
    if session.standings.sums and None not in changes.values():
        computed: Computed | None = compute_changed(session, etuis)
    else:
        computed = compute(session_id)
        etuis = set(session.standings.etuis.values_list("etui_id", flat=True))
    if computed is None:
        return False
    gone = etuis - computed.etuis.keys()
    written = keep(session.standings, computed, gone=gone, changes=changes, several=session.several, now=now)
    if not written:  # whoever came first may have known less
        queue_standings(session_id)
    return written


@transaction.atomic
def keep(
    kept: SessionStandings,
    computed: Computed,
    *,
    gone: Collection[int],
    changes: Collection[int],
    several: bool,
    now: dt.datetime,
) -> bool:
    """Writes what was computed from `kept` in its place, unless others have come there since; then False. Whoever
    writes, be it a job, a publication or a comparison, asks for the standings of the tournament.

    `gone`: étuis without a play. `changes`: the rows of changed étuis that the computation has answered. `several`:
    whether the tournament has other sessions.
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
