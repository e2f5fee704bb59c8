"""The standings of a tournament as exact data: each player's results, the ranking, and the job that stores both.

A session counts either with its stored live standings or with the newest version that readers see. A player's
percentage is a result only if the session ranks the player. Other players (who completed a table, or played too few
étuis) are shown with the session but count as absent.

`TournamentStandings.basis` records from which data the stored standings were computed. If it is still current, a job
computes nothing; so one computation serves several changes. A periodic job, the sweep, finds stale standings that no
job has renewed.

If equal players of a tournament with several sessions draw lots, the rules are those of `evenings.sessions.lots`.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Count, F, Q, QuerySet

from clubs.models import Player, User
from evenings.sessions.lots import put_among
from evenings.teams.totals import total_session, total_teams
from rankings.kinds import renew_standings
from rankings.publication.teams import read_members_in
from scoring.formats import Unit, find_format
from scoring.ties import TieBreak, find_equals
from scoring.tournament import (
    OVER_SESSIONS,
    Result,
    ResultCounting,
    Round,
    RoundStage,
    TournamentRules,
    TournamentStanding,
    rank_tournament,
)
from tournaments.errors import ActionRefused
from tournaments.locks import lock_tournament
from tournaments.log import log_action
from tournaments.models import Entrant, Publication, Session, SessionStandings, TieDraw, Tournament, TournamentStandings
from tournaments.queue import queue_tournament
from tournaments.reports.tournament import decode_tournament
from tournaments.versions import WITHDRAWN, find_newest_versions

FORMAT = 1
Row = dict[str, Any]
NO_TEAM: Row = {"members": ()}


class CountedSession(NamedTuple):
    """A session as it counts for its tournament.

    `players`: the rows of the session's standings. A row has the id of its `player`. The row of a team has minus the
    team's number instead, and the `members` of the team. `version`: the number of the published version, or 0 for live
    standings.
    """

    session: Session
    players: Sequence[Row]
    version: int = 0


def sessions_of(tournament_id: int) -> QuerySet[Session]:
    """Return the tournament's sessions by number, without those that are put away (removed from all lists)."""
    return Session.objects.filter(tournament=tournament_id, put_away_at=None).order_by("number")


def count_live(tournament: Tournament) -> list[CountedSession]:
    """Return the sessions that have compared étuis, with their stored live standings.

    Where the tables deal, nothing is compared, and one result is enough.
    """
    has_free_deals = find_format(tournament.format).has_free_deals
    counts = Q(data__counts__scored__gt=0) if has_free_deals else Q(data__topped__gt=0)
    kept = SessionStandings.objects.filter(counts, session__in=sessions_of(tournament.pk))
    rows = {row.pk: row.data["players"] for row in kept.defer("sums")}
    found = Entrant.objects.filter(session__in=rows).values_list("pk", "player_id", "team__number")
    people: dict[int, Row] = {pk: {"player": player if team is None else -team} for pk, player, team in found}
    for pk, members in read_members_in(tournament.format, list(rows)).by_entrant.items():
        people[pk]["members"] = members
    return [
        CountedSession(session, [row | people[row["id"]] for row in rows[session.pk] if row["id"] in people])
        for session in sessions_of(tournament.pk)
        if session.pk in rows
    ]


def count_published(tournament: Tournament) -> list[CountedSession]:
    """Return the sessions whose ranking readers see, each with its newest version.

    Sessions without compared étuis are left out. Players who were merged into one after the publication count as one
    player.
    """
    shown = find_newest_versions(Publication, "session").exclude(status=WITHDRAWN).exclude(compared_etuis=0)
    there = shown.filter(session__in=sessions_of(tournament.pk).filter(shows_ranking=True))
    rows = {row[0]: row[1:] for row in there.values_list("session_id", "version", "data__players")}
    merged = Player.objects.filter(club=tournament.club_id).exclude(merged_into=None)
    now = dict(merged.values_list("pk", "merged_into_id"))
    return [
        CountedSession(session, [row | find_present(row, now) for row in players], version)
        for session in sessions_of(tournament.pk)
        if session.pk in rows
        for version, players in [rows[session.pk]]
    ]


def find_present(row: Row, merged: Mapping[int, int]) -> Row:
    """Return the present id of the player in a published row. Of a team, return the `members` with their present ids.

    `merged` has the present player's id of each merged player.
    """
    if "team" not in row:
        return {"player": merged.get(row["player"], row["player"])}
    members = [one | {"player": merged.get(one["player"], one["player"])} for one in row["members"]]
    return {"player": -row["team"], "members": members}


def figure(tournament: Tournament, counted: Sequence[CountedSession]) -> dict[str, Any]:
    """Return the standings of a tournament, computed from these sessions, as data for JSON.

    Players are given by their ids in the club's list, teams by their numbers. Exact figures are text, as "175/3".
    """
    rounds, format = in_rounds(counted), find_format(tournament.format)
    brought = [bring_results(sections) for sections in rounds]
    standings = rank_tournament(
        [
            weigh_round(sections, {pk: to_result(row) for pk, row in rows.items() if row["rank_general"] is not None})
            for sections, rows in zip(rounds, brought, strict=True)
        ],
        rules_of(tournament),
    )
    ranked = {standing.player for standing in standings}
    others = dict.fromkeys(pk for rows in brought for pk in rows if pk not in ranked)
    totals: dict[Any, Fraction] = {standing.player: standing.total for standing in standings}
    teams = rank_teams(tournament, rounds, brought, totals | dict.fromkeys(others, Fraction()))
    nobody = TournamentStanding(None, Fraction(), 0, (), False, None, None, None)
    return {
        "format": FORMAT,
        "auction": tournament.auction,
        **({"form": format.form} if format.form else {}),
        "counting": tournament.counting,
        "best_of": tournament.best_of,
        "least_sessions": tournament.least_sessions,
        "carry_over": tournament.carry_over,
        "ties": [name for name in tournament.ties if name in OVER_SESSIONS],
        "rounds": [describe_round(sections) for sections in rounds],
        "players": [
            *(describe_player(standing.player, standing, brought) for standing in standings),
            *(describe_player(pk, nobody, brought) for pk in others),
        ],
        **({"teams": teams} if teams else {}),
    }


def rank_teams(
    tournament: Tournament,
    rounds: Sequence[Sequence[CountedSession]],
    brought: Sequence[Mapping[int, Row]],
    totals: Mapping[int, Fraction],
) -> list[Row]:
    """Return the teams that add up the results of their players, best first; [] if the format has no such teams.

    `brought` has the rows of each round, and `totals` the total of each player, by player id. Marks are added up over
    all sessions. The percentages of a team are added up in each round, and the rounds count as those of a player do.
    """
    format = find_format(tournament.format)
    if not format.partners:
        return total_teams(tournament, totals) if format.sums_teams else []
    played = [
        {team["team"]: team for team in total_session(tournament, rows, number=sections[-1].session.number)}
        for sections, rows in zip(rounds, brought, strict=True)
    ]
    standings = rank_tournament(
        [
            weigh_round(sections, {number: Result(Fraction(team["total"])) for number, team in teams.items()})
            for sections, teams in zip(rounds, played, strict=True)
        ],
        replace(rules_of(tournament), least=1, ties=(), draw=()),
    )
    return [
        {
            "team": standing.player,
            "rank": standing.rank,
            "total": str(standing.total),
            "members": [
                {"player": pk, "total": str(totals[pk])}
                for pk in dict.fromkeys(
                    one["player"] for teams in played for one in teams.get(standing.player, NO_TEAM)["members"]
                )
            ],
        }
        for standing in standings
    ]


def weigh_round(sections: Sequence[CountedSession], results: Mapping[Any, Result]) -> Round:
    """Return a round with these results, which counts as its sections say."""
    first = sections[0].session
    return Round(results, Fraction(first.coefficient), RoundStage(first.stage), find_level(sections))


def in_rounds(counted: Iterable[CountedSession]) -> list[list[CountedSession]]:
    """Return the sessions of each round, in the order of their numbers. A round is one session, or all of one group.

    A group of sections stands where its first section stands.
    """
    rounds: dict[tuple[bool, int], list[CountedSession]] = {}
    for each in counted:
        group = each.session.group_id
        rounds.setdefault((group is None, each.session.pk if group is None else group), []).append(each)
    return list(rounds.values())


def find_level(sections: Sequence[CountedSession]) -> int:
    """Return the level of a round. A cut that was made for one of its sections counts for all of them."""
    return max(each.session.level for each in sections)


def bring_results(sections: Sequence[CountedSession]) -> dict[int, Row]:
    """Return each player's row in a round, by player id.

    If a player sat in two sections, return the row that has a rank. If both have one, return the row with more deals,
    or else the higher percentage.
    """
    rows: dict[int, Row] = {}
    for each in sections:
        for row in each.players:
            mine = row | {"session": each.session.number}
            before = rows.get(row["player"])
            rows[row["player"]] = mine if before is None else max(before, mine, key=worth)
    return rows


def worth(row: Row) -> tuple[bool, int, Fraction]:
    """Return the sort key by which the best of a player's rows in one round is chosen."""
    deals = row["deals"] if "deals" in row else row["attacks"] + row["defences"]  # older versions have no `deals`
    return row["rank_general"] is not None, deals, Fraction(row["overall"] or 0)


def to_result(row: Row) -> Result:
    attack, defence = (None if row[name] is None else Fraction(row[name]) for name in ("attack", "defence"))
    return Result(Fraction(row["overall"]), attack, defence)


def rules_of(tournament: Tournament) -> TournamentRules:
    return TournamentRules(
        ResultCounting(tournament.counting),
        tournament.best_of,
        tournament.least_sessions,
        Fraction(100 if tournament.carry_over is None else tournament.carry_over, 100),
        [TieBreak(name) for name in tournament.ties],
        read_tournament_draw(tournament) if TieBreak.DRAW in tournament.ties else (),
        missed_is_zero=find_format(tournament.format).unit is Unit.MARKS,
    )


def read_tournament_draw(tournament: Tournament) -> list[int]:
    """Return the player ids in the order of the last draw of lots for the whole tournament; [] without a draw."""
    draws = TieDraw.objects.filter(tournament=tournament, session=None).order_by("-pk")
    drawn: list[int] | None = draws.values_list("order", flat=True).first()
    return drawn or []


def describe_round(sections: Sequence[CountedSession]) -> dict[str, Any]:
    """Return a round as data for JSON."""
    session, level = sections[0].session, find_level(sections)
    return {
        "coefficient": str(Fraction(session.coefficient)),
        "stage": session.stage,
        **({"level": level} if level else {}),
        "sessions": [
            {
                "id": each.session.pk,
                "number": each.session.number,
                "date": each.session.date.isoformat(),
                "section": each.session.section,
            }
            for each in sections
        ],
    }


def describe_player(player: Any, standing: TournamentStanding, brought: Sequence[Mapping[int, Row]]) -> dict[str, Any]:
    """Return a player's standing and results as data for JSON. `brought` has the rows of each round by player id."""
    return {
        **({"player": player} if player > 0 else {"team": -player, "members": gather_members(player, brought)}),
        "rank": standing.rank,
        "before": standing.before,
        "told": standing.told,
        "total": str(standing.total) if standing.played else None,
        "played": standing.played,
        "in_final": standing.in_final,
        "results": [describe_result(rows.get(player), place in standing.counted) for place, rows in enumerate(brought)],
    }


def gather_members(team: int, brought: Sequence[Mapping[int, Row]]) -> list[Row]:
    """Return the members of a team in any round, with their places, sorted by place and then by first appearance."""
    found = {member["player"]: member["place"] for rows in brought for member in rows.get(team, {}).get("members", ())}
    return [{"player": player, "place": place} for player, place in sorted(found.items(), key=itemgetter(1))]


def describe_result(row: Row | None, counts: bool) -> dict[str, Any] | None:
    """Return a player's result in a round as data for JSON, or None if the player was absent."""
    if row is None:
        return None
    ranked = row["rank_general"] is not None
    return {
        **{name: row[name] for name in ("session", "overall", "attack", "defence")},
        "counts": counts,
        "unranked": "" if ranked else row.get("unranked") or "filler",
    }


def describe_kept(**which: Any) -> defaultdict[int, dict[str, Any]]:
    """Return, for each tournament, what identifies the stored standings of its sessions, by their ids as text.

    `which` is a condition.
    """
    found: defaultdict[int, dict[str, Any]] = defaultdict(dict)
    kept = SessionStandings.objects.filter(session__put_away_at=None, **which).order_by()
    rows = kept.values_list("session__tournament", "session", "results_version", "computed_at")
    for tournament, session, version, computed_at in rows:
        found[tournament][str(session)] = identify_kept(version, computed_at)
    return found


def identify_kept(version: int, computed_at: dt.datetime | None) -> list[Any]:
    """Return `[version of the results, time of computation]`, which identifies the stored standings of a session.

    The time is needed too: wrong figures may be replaced by right figures of the same version.
    """
    return [version, computed_at and computed_at.isoformat()]


def find_basis(tournament: Tournament) -> dict[str, Any]:
    """Return the basis of a tournament's live standings: its revision, and for each session its stored standings."""
    sessions = describe_kept(session__tournament=tournament)[tournament.pk]
    return {"revision": tournament.revision, "sessions": sessions}


SEVERAL = Count("sessions", filter=Q(sessions__put_away_at=None))


def has_several(tournament_id: int) -> bool:
    """Return whether the tournament has more than one session, and therefore a ranking of its own."""
    return Session.objects.filter(tournament=tournament_id, put_away_at=None).count() > 1


def rank_anew(tournaments: Iterable[int]) -> None:
    """Queue a new computation of the standings of these tournaments (ids)."""
    found = list(tournaments)
    Tournament.objects.filter(pk__in=found).update(revision=F("revision") + 1)
    for pk in found:
        queue_tournament(pk)


def ask_for_tournaments_of(*player_ids: int) -> None:
    """After the commit, queue new standings for the tournaments of these players, who were merged or separated again.

    It waits for the commit because the caller holds locks on sessions, and a tournament must be locked before its
    sessions.
    """

    def ask() -> None:
        alone = Q(sessions__entrants__player__in=player_ids)
        concerned = Tournament.objects.filter(alone | Q(team_members__player__in=player_ids))
        rank_anew(concerned.order_by("pk").values_list("pk", flat=True).distinct())

    transaction.on_commit(ask, robust=True)


def refresh(tournament_id: int, *, now: dt.datetime) -> bool:
    """Compute and store the standings of a tournament with several sessions, as `renew_standings` does.

    Return True if they were written.
    """
    tournament = Tournament.objects.annotate(several=SEVERAL).filter(pk=tournament_id, several__gt=1).first()
    if tournament is None:
        return False
    kept, _made = TournamentStandings.objects.get_or_create(tournament=tournament)
    basis = find_basis(tournament)
    queue = partial(queue_tournament, tournament_id)
    return renew_standings(kept, basis, lambda: figure(tournament, count_live(tournament)), queue=queue, now=now)


def is_tournament_fresh(tournament: Tournament, kept: TournamentStandings) -> bool:
    """Return whether the stored standings are current: computed from the newest results and the present settings."""
    columns = "pk", "results_version", "standings__results_version", "standings__computed_at"
    rows = list(sessions_of(tournament.pk).values_list(*columns))
    is_newest = all(newest == (version or 0) for _pk, newest, version, _at in rows)
    there = {str(pk): identify_kept(version, at) for pk, _newest, version, at in rows if version is not None}
    return is_newest and kept.basis == {"revision": tournament.revision, "sessions": there}


def tournaments_with_stale_standings() -> list[int]:
    """Return the ids of the tournaments with several sessions whose stored standings are stale or missing."""
    several = Tournament.objects.annotate(several=SEVERAL).filter(several__gt=1)
    sessions = describe_kept(session__tournament__in=several.values("pk"))
    kept: dict[int, Any] = dict(TournamentStandings.objects.exclude(computed_at=None).values_list("pk", "basis"))
    return [
        pk
        for pk, revision in several.values_list("pk", "revision")
        if kept.get(pk) != {"revision": revision, "sessions": sessions[pk]} and (sessions[pk] or kept.get(pk))
    ]


@transaction.atomic
def draw_tournament_lots(*, tournament_id: int, by: User, now: dt.datetime) -> TieDraw:
    """Draw lots for all players who share a rank in the present ranking. Return the draw.

    Raise `ActionRefused` if nobody shares a rank, if the tournament draws no lots, or if it has only one session.
    """
    tournament = lock_tournament(tournament_id)
    if not has_several(tournament_id):
        raise ActionRefused("tournament_of_one")
    if TieBreak.DRAW not in tournament.ties:
        raise ActionRefused("lots_not_drawn")
    equals = equals_in(figure(tournament, count_live(tournament)))
    if not equals:
        raise ActionRefused("no_equals")
    order = put_among(read_tournament_draw(tournament), [player for group in equals for player in group])
    names = name_competitors(tournament, order)
    told = "; ".join(", ".join(names[who] for who in sorted(group, key=order.index)) for group in equals)
    draw = TieDraw.objects.create(tournament=tournament, order=order, author=by, drawn_at=now)
    rank_anew([tournament_id])
    log_in_sessions(tournament, "tournament_lots_drawn", by=by, now=now, words=told, names=told)
    return draw


@transaction.atomic
def take_back_tournament_lots(*, tournament_id: int, reason: str, by: User, now: dt.datetime) -> None:
    """Cancel all lots of the tournament. Raise `ActionRefused` if the reason is empty, or if nobody has a lot."""
    tournament = lock_tournament(tournament_id)
    if not reason.strip():
        raise ActionRefused("reason_missing", "reason")
    if not read_tournament_draw(tournament):
        raise ActionRefused("no_lots")
    TieDraw.objects.create(tournament=tournament, order=[], author=by, drawn_at=now)
    rank_anew([tournament_id])
    reason = reason.strip()[:300]
    log_in_sessions(tournament, "tournament_lots_taken_back", by=by, now=now, words=reason, reason=reason)


def equals_in(data: dict[str, Any]) -> list[list[int]]:
    """Return the competitors who share a rank, one list for each shared rank.

    `data` are standings as `counting.figure` returns them.
    """
    players = decode_tournament(data).players
    return find_equals({player.competitor: player.rank for player in players if player.rank is not None})


def name_competitors(tournament: Tournament, competitors: Collection[int]) -> dict[int, str]:
    """Return the names of these competitors: players by their ids, teams by their numbers below 0."""
    people = Player.objects.select_related("merged_into").in_bulk([who for who in competitors if who > 0])
    teams = tournament.teams.filter(number__in=[-who for who in competitors if who < 0])
    return {pk: each.is_now.name for pk, each in people.items()} | {-team.number: team.shown_name for team in teams}


def log_in_sessions(tournament: Tournament, action: str, **told: Any) -> None:
    """Log the action in every session of the tournament."""
    for pk in tournament.sessions.order_by("pk").values_list("pk", flat=True):
        log_action(pk, action, **told)
