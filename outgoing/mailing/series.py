"""The letters about championships (series): each account that wants feuilles gets its place in a published ranking."""

import datetime as dt
from collections.abc import Collection

from django.utils.translation import ngettext

from outgoing.mailing.places import LetterKind, find_places_to_tell, say_rank, send_place_letters
from rankings.listing.kinds import SERIES_OF_CLUBS
from rankings.series.report import SeriesCompetitor, SeriesReport, read_report_of_series
from tournaments.models import SentSeriesLetter, SeriesPublication
from tournaments.queue import SERIES_LETTERS
from tournaments.words.figures import decimal, percent


def say_places_in_series(version: SeriesPublication, players: Collection[int]) -> dict[int, str]:
    report = read_report_of_series(version.data)
    return {each.player: say_place(each, report) for each in report.players if each.player in players}


def say_place(player: SeriesCompetitor, report: SeriesReport) -> str:
    """Return a player's place as a line of text: name, rank, total and number of events."""
    total = decimal(player.total, 2) if report.in_points else percent(player.total, 2)
    told = {"count": player.played, "all": len(report.events)}
    events = ngettext("%(count)s event of %(all)s", "%(count)s events of %(all)s", player.played) % told
    return " · ".join([player.name, say_rank(player.rank), total, events])


SERIES_KIND = LetterKind(SERIES_OF_CLUBS, SentSeriesLetter, lambda _version: True, say_places_in_series, SERIES_LETTERS)


def send_series_letters(series_id: int, *, now: dt.datetime) -> int:
    """Send the letters of a series' newest version that are not sent yet. Return how many were sent."""
    return send_place_letters(SERIES_KIND, series_id, now=now)


def find_series_to_tell(now: dt.datetime) -> list[int]:
    """Return the ids of the series with a version of the last 24 hours, if mail is sent and anybody wants letters."""
    return find_places_to_tell(SERIES_KIND, now)
