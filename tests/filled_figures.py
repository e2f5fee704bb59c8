"""The figures of a whole database as digests: they must not change when a release alters tables.

The program prints them as JSON, for a database with today's tables that the environment names.

    python -m tests.filled_figures
"""

import hashlib
import json
import sys


def tell_figures() -> dict[str, str]:
    """Return a digest of each session's figures and report, and of the bytes of each published file.

    Databases of later releases also have those of series, simultaneous tournaments, ratings and leaderboards.
    """
    from evenings.standings.computing import compute
    from rankings.events.counting import count_live, figure
    from rankings.events.standings_file import write_tournament_csv
    from rankings.publication.building import build_report
    from rankings.publication.report import read_report
    from rankings.publication.standings_file import results_csv
    from scoring.files.standings_file import standings_csv
    from tournaments.models import Publication, Session, Tournament, TournamentPublication
    from tournaments.versions import digest_figures

    told: dict[str, str] = {}
    for session in Session.objects.select_related("tournament", "group").order_by("pk"):
        if (computed := compute(session.pk)) is not None:
            told[f"session {session.pk}: figures"] = digest(computed.data)
            told[f"session {session.pk}: sums"] = digest(computed.sums.to_data())
            told[f"session {session.pk}: report"] = digest_figures(build_report(session, computed.data))
    for tournament in Tournament.objects.order_by("pk"):
        told[f"tournament {tournament.pk}: figures"] = digest(figure(tournament, count_live(tournament)))
    for each in Publication.objects.order_by("pk"):
        file = results_csv(read_report(each.data))
        told[f"publication {each.pk}: digest"] = each.digest
        told[f"publication {each.pk}: data"] = digest(each.data)
        told[f"publication {each.pk}: file"] = digest(file)
        told[f"publication {each.pk}: file ranked"] = digest(standings_csv(file, exact=True))
    for each in TournamentPublication.objects.order_by("pk"):
        told[f"tournament publication {each.pk}: digest"] = each.digest
        told[f"tournament publication {each.pk}: file"] = digest(write_tournament_csv(each))
    return told | tell_figures_over_clubs() | tell_leaderboards() | tell_rooms()


def tell_figures_over_clubs() -> dict[str, str]:
    """Return a digest of the figures and versions of each series and of each simultaneous."""
    from rankings.series.choosing import choose_events
    from rankings.series.computing import figure_series
    from rankings.simultaneous.field.computing import figure_field, read_sources
    from tournaments.models import FieldPublication, Series, SeriesPublication, Simultaneous
    from tournaments.versions import digest_figures

    told: dict[str, str] = {}
    for series in Series.objects.order_by("pk"):
        told[f"series {series.pk}: figures"] = digest(figure_series(series, choose_events(series)))
    for simultaneous in Simultaneous.objects.order_by("pk"):
        sources = read_sources(simultaneous, simultaneous.public_at)
        told[f"simultaneous {simultaneous.pk}: figures"] = digest(figure_field(simultaneous, sources))
    for name, versions in (("series", SeriesPublication), ("field", FieldPublication)):
        for each in versions.objects.order_by("pk"):
            told[f"{name} publication {each.pk}: digest"] = each.digest
            told[f"{name} publication {each.pk}: data"] = digest_figures(each.data)
    return told


def tell_leaderboards() -> dict[str, str]:
    """Return a digest of the ratings of each kind of play, and of each leaderboard, made anew."""
    from rankings.leaderboards.keeping import make_boards, read_basis

    made = make_boards(read_basis()[0])
    ratings: dict[str, list[str]] = {}
    for row in made.ratings:
        ratings.setdefault(f"ratings {row['kind']}", []).append(repr(row))
    boards = {f"leaderboard {' '.join(map(str, key))}": board.digest for key, board in sorted(made.boards.items())}
    return {name: digest(rows) for name, rows in ratings.items()} | boards


def tell_rooms() -> dict[str, str]:
    """Return digests of each closed room: the notes of its games, counted anew from their records, and its ranking."""
    from rooms.closing.ranks import find_notes, list_compared
    from rooms.models import Game, Room, RoomKind

    told: dict[str, str] = {}
    for room in Room.objects.filter(closed_at__isnull=False).order_by("pk"):
        games = list(Game.objects.filter(table__room=room).select_related("etui").order_by("pk"))
        notes = find_notes(list_compared(games) if room.kind == RoomKind.CLASSIC else games)
        ranks = room.seats.order_by("pk").values_list("pk", "rank", "deals", "own_deals", "notes_sum")
        told[f"room {room.pk}: notes"] = digest([[pk, *map(str, each.values())] for pk, each in sorted(notes.items())])
        told[f"room {room.pk}: ranks"] = digest(list(map(list, ranks)))
    return told


def digest(value: object) -> str:
    """Return the digest of a text, or of data as JSON with sorted keys."""
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def main() -> None:
    sys.stdout.write(json.dumps(tell_figures(), indent=1) + "\n")


if __name__ == "__main__":
    import django

    django.setup()
    main()
