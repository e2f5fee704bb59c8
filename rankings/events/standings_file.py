"""The CSV file of a tournament's published ranking with all its sessions.

`docs/standings-file.md` specifies the format. Each session is written from the version that the ranking counts.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from django.db.models import Q

from clubs.models import Player
from clubs.shown import PUBLIC, call, name_columns_of, public_name
from rankings.publication.report import PlayedEvening
from rankings.publication.standings_file import (
    find_file_version,
    inert,
    list_more_columns,
    play_lines,
    player_lines,
    tell_names_apart,
    write_file_lines,
    write_team_sums,
    write_weights,
)
from rankings.publication.teams import name_number, name_teams_told, show_team_sums
from rankings.ranking import RankedRow
from scoring.files.standings_file import COLUMNS, LEVEL, TOURNAMENT_COLUMNS
from scoring.notes import read_ruled_note
from scoring.plays import SEATS, ScoringPlay, place_in_seats
from scoring.ranking import note_plays
from scoring.tournament import Round, RoundStage, find_steps
from tournaments.models import Publication, TournamentPublication
from tournaments.reports.session import PublishedReport, ReportedPlay, decode_report
from tournaments.reports.tournament import PublishedTournament, TournamentPlayer, decode_tournament

Cells = dict[str, Any]
People = dict[int, tuple[int, str]]


def write_tournament_csv(publication: TournamentPublication) -> str:
    """Return the file as CSV text.

    The caller must have checked that readers may see the ranking and the étuis of all its sessions.
    """
    ranking = decode_tournament(publication.data)
    levels = [LEVEL] if has_levels(ranking) else []
    reports, people, sums = read_sessions(publication, ranking)
    has_teams = bool(sums) or any(report.ranking.team_sums for report in reports.values())
    more = list_more_columns(ranking.format, has_teams=has_teams)
    columns = (*COLUMNS, *TOURNAMENT_COLUMNS, *levels, *more)
    return write_file_lines(columns, lines(ranking, reports, names_over(reports, people), sums))


def read_sessions(
    publication: TournamentPublication, ranking: PublishedTournament
) -> tuple[dict[int, PlayedEvening], People, list[RankedRow]]:
    """Return the reports of the sessions by session number, the people in them by player id, and the ranking's teams.

    A person is a pair: the player's id in the tournament's ranking, and the name. A team counts as a person, by its
    number below 0. The teams are those that add up marks.
    """
    wanted = Q(pk=None)
    for pk, version in publication.sessions.items():
        wanted |= Q(session=int(pk), version=version)
    stored = Publication.objects.filter(wanted).values_list("session_id", "data")
    found = {pk: decode_report(data) for pk, data in stored}
    ranked = {player.player for player in ranking.players if player.player}
    people = {pk for report in found.values() for pk in report.people}
    players = Player.objects.select_related(*PUBLIC).in_bulk(people | ranked)
    names = {pk: call(name_columns_of(player), public_name(player)) for pk, player in players.items()}
    # Two players of a session may have been merged later. In the tournament's ranking they are one person.
    persons = {pk: pk if pk in ranked else player.is_now.pk for pk, player in players.items()}
    numbers = {player.team for player in ranking.players if player.team}
    summed = {row.team for row in chain(ranking.teams, *(each.teams for each in found.values()))}
    teams = name_teams_told(publication, numbers | summed)
    reports = {each.number: PlayedEvening(found[each.id], names, teams) for _round, each in ranking.sessions}
    called = {pk: (person, names.get(person, names[pk]).name) for pk, person in persons.items()}
    called |= {-team: (-team, teams.get(team) or name_number(team)) for team in numbers}
    return reports, called, show_team_sums(ranking.teams, ranking.format, names, teams)


def lines(
    ranking: PublishedTournament,
    reports: Mapping[int, PlayedEvening],
    names: Mapping[int, str],
    sums: Sequence[RankedRow],
) -> Iterator[Cells]:
    """Yield the lines of the file, as cells by column: the file, the sessions, the players, then each session's lines.

    `names` has the names by player id. `sums` are the teams that add up marks.
    """
    fields = find_fields(reports)
    settings = {key: getattr(ranking, key) for key in ("counting", "best_of", "least_sessions", "carry_over")}
    yield {"kind": "file", "version": find_file_version(ranking.format), "rules": ranking.format.name, **settings}
    for place, played in enumerate(ranking.rounds, start=1):
        weight = {"coefficient": played.coefficient, "stage": played.stage, "round": place}
        weight |= {LEVEL: played.level} if has_levels(ranking) else {}
        for each in played.sessions:
            number = each.number
            ties = "+".join(reports[number].data.ties)
            field = fields.get(number, number)
            own = write_weights(reports[number])
            yield {"kind": "session", "session": number, "ties": ties, "field": field, **weight, **own}
    places = places_among_equals(ranking)
    own_teams = write_team_sums(sums)
    for player in ranking.players:
        yield {
            "kind": "player",
            "player": names[player.competitor],
            "tie": places.get(player.competitor, ""),
            "global": player.total,
            "rank_general": player.rank,
            **({"team": player.team} if player.team else {}),
            **own_teams.get(player.competitor, {}),
        }
    for number, report in reports.items():
        called = {player.id: names[player.competitor] for player in report.players}
        yield from ({**line, "session": number} for line in player_lines(report, called))
        told = bool(report.data.compared_with) and number not in fields
        yield from play_lines(report, called, told=told)


def has_levels(ranking: PublishedTournament) -> bool:
    """Return whether a session of the ranking was filled by a cut."""
    return any(played.level for played in ranking.rounds)


def names_over(reports: Mapping[int, PlayedEvening], people: People) -> dict[int, str]:
    """Return the name of each player for the whole file, by player id.

    Players with the same name are told apart by the first seat of each, for example "Marie Dupont (2: N3)".
    """
    seats: dict[int, str] = {}
    plain: dict[int, str] = {}
    for number, report in reports.items():
        for player in report.players:
            person, name = people[player.competitor]
            seats.setdefault(person, f"{number}: {player.line}{player.number}")
            plain[person] = inert(name)
    names = tell_names_apart(plain, seats)
    return {pk: names[person] for pk, (person, _) in people.items() if person in names}


def places_among_equals(ranking: PublishedTournament) -> dict[int, int]:
    """Return the places, from 1, of players among others with the same total who came as far, by player id.

    Players are included only if a tie-break separated some of those with that total.
    """
    steps = find_steps([Round({}, stage=RoundStage(each.stage), level=each.level) for each in ranking.rounds])
    equals: dict[Any, dict[int, int]] = {}
    for player in ranking.players:
        if player.rank is not None:
            equals.setdefault((find_step(player, steps), player.total), {})[player.competitor] = player.rank
    parted = [ranks for ranks in equals.values() if len({*ranks.values()}) > 1]
    return {pk: rank - min(ranks.values()) + 1 for ranks in parted for pk, rank in ranks.items()}


def find_step(player: TournamentPlayer, steps: Sequence[int]) -> int:
    """Return the highest of the steps of the rounds in which the player has a rank."""
    reached = (
        step for step, result in zip(steps, player.results, strict=True) if result is not None and not result.unranked
    )
    return max(reached, default=0)


def find_fields(reports: Mapping[int, PlayedEvening]) -> dict[int, int]:
    """Return which sessions were compared as one field: for each such session, the number of the field's first section.

    A field is a group of sections whose plays are compared with each other. It is listed only if its plays give exactly
    the published notes. Otherwise its sections were published at different times, so that the notes do not fit
    together.
    """
    fields: dict[int, int] = {}
    for number, report in reports.items():
        sections = sorted({number, *report.data.compared_with})
        if number == sections[0] and len(sections) > 1 and all(each in reports for each in sections):
            whole = [reports[each].data for each in sections]
            if all(sorted({each.session, *each.compared_with}) == sections for each in whole):
                fields |= dict.fromkeys(sections, number) if is_one_topage(whole) else {}
    return fields


def is_one_topage(sections: Sequence[PublishedReport]) -> bool:
    """Return whether comparing the plays of all these sections gives exactly the published notes."""
    played = [
        (scoring_play(each.session, etui.number, play), play)
        for each in sections
        for etui in each.etuis
        for play in etui.plays
    ]
    notes = note_plays([play for play, _ in played], sections[0].format)
    return all(
        (play.notes or {}).get(line) == note
        for (_, play), found in zip(played, notes, strict=True)
        for line, note in zip(SEATS, found or (None,) * len(SEATS), strict=False)
        if line not in play.fixed
    )


def scoring_play(session: int, etui: int, play: ReportedPlay) -> ScoringPlay:
    """Return the play as a value for scoring.

    Plays after an étui was altered in a section are compared within that section only.
    """
    seats, notes = place_in_seats(play.seats), play.fixed
    fixed = tuple(read_ruled_note(notes[seat]) if seat in notes else None for seat in SEATS[: len(seats)])
    return ScoringPlay(
        (etui, play.part, 0 if play.part == 1 else session),
        seats,
        play.taker or None,
        play.base_score,
        fixed if any(fixed) else (),
        play.compared,
    )
