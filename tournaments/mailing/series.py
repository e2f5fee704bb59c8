"""The letters about championships (series): each account that wants feuilles gets its place in a published ranking.

A letter is sent once for each version with new figures. It has the same as the public page of the ranking.
"""

import datetime as dt
import logging
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import Exists, OuterRef
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from clubs.house import find_club_language
from clubs.models import Player, real_clubs
from tournaments.mailing.feuilles import TRIED_FOR
from tournaments.mailing.sending import FAULTS, send_kept
from tournaments.mailing.wishes import confirmed_address, wishes_in_force, write_stop_headers
from tournaments.models import FeuilleMail, SentSeriesLetter, Series, SeriesPublication
from tournaments.rankings.kinds import SERIES_OF_CLUBS
from tournaments.series.report import SeriesCompetitor, SeriesReport, read_report_of_series
from tournaments.versions.steps import WITHDRAWN
from tournaments.words.figures import decimal, percent

logger = logging.getLogger(__name__)


class SeriesLetter(NamedTuple):
    """A letter to one account, with the ids of its players in the ranking."""

    wish: FeuilleMail
    email: str
    players: frozenset[int]


def send_series_letters(series_id: int, *, now: dt.datetime) -> int:
    """Send the letters of a series' newest version that are not sent yet. Return how many were sent.

    If the mail server fails, stop: the sweep tries again for a day.
    """
    version = find_version_to_tell(series_id, now)
    if version is None:
        return 0
    letters = list(find_series_letters(version))
    if not letters:
        return 0
    sent, report = 0, read_report_of_series(version.data)
    for letter in letters:
        keep = partial(SentSeriesLetter.objects.create, publication=version, user=letter.wish.user, sent_at=now)
        try:
            sent += send_kept(keep, partial(write_series_letter, letter, version, report))
        except FAULTS:
            logger.warning("a letter about series %s is not sent: the sweep tries again", series_id, exc_info=True)
            break
    return sent


def find_version_to_tell(series_id: int, now: dt.datetime) -> SeriesPublication | None:
    """Return the newest version of a series, or None if it is not recent, or if readers do not see it."""
    club = Series.objects.filter(pk=series_id).values_list("club", flat=True).first()
    if not settings.MAIL or club is None:
        return None
    newest = SERIES_OF_CLUBS.find_shown(club, [series_id]).get(series_id)
    if newest is None or newest.status == WITHDRAWN or newest.published_at < now - TRIED_FOR:
        return None
    version: SeriesPublication = SeriesPublication.objects.select_related("series__club__house").get(pk=newest.pk)
    return version


def find_series_letters(version: SeriesPublication) -> Iterator[SeriesLetter]:
    """Yield the letters that are still to be sent for a version."""
    ranked = {row["player"] for row in version.data["players"]}
    account = Coalesce("merged_into__account", "account")
    rows = Player.objects.filter(pk__in=ranked).annotate(user_id=account).exclude(user_id=None)
    players: dict[int, set[int]] = {}
    for pk, user in rows.values_list("pk", "user_id"):
        players.setdefault(user, set()).add(pk)
    sent = SentSeriesLetter.objects.filter(
        user=OuterRef("user"), publication__series=version.series_id, publication__digest=version.digest
    )
    wishes = wishes_in_force().filter(user__in=players, asked_at__lte=version.published_at).exclude(Exists(sent))
    for wish in wishes.order_by("pk"):
        if email := confirmed_address(wish.user):
            yield SeriesLetter(wish, email, frozenset(players[wish.user_id]))


def write_series_letter(letter: SeriesLetter, version: SeriesPublication, report: SeriesReport) -> EmailMessage:
    """Return the letter, in the language of the club. It has a link that ends these letters with one click."""
    series, club = version.series, version.series.club
    end = settings.SITE_URL + reverse("feuilles_end", args=[letter.wish.token])
    with translation.override(find_club_language(club)), timezone.override(club.zone):
        mine = [player for player in report.players if player.player in letter.players]
        link = settings.SITE_URL + reverse("series", args=[club.slug, series.slug])
        told = _(
            "This is version %(version)s, published by %(club)s. If the club publishes a later version, you will "
            "receive it too."
        )
        lines = [
            *(say_place(player, report) for player in mine),
            f"\n{link}\n",
            told % {"version": version.version, "club": club.name} + "\n",
            _("To stop these e-mails, open this link:") + f" {end}\n",
        ]
        subject = " ".join((_("Your place: %(name)s, %(club)s") % {"name": series.title, "club": club.name}).split())
    return EmailMessage(subject, "\n".join(lines), to=[letter.email], headers=write_stop_headers(end))


def say_place(player: SeriesCompetitor, report: SeriesReport) -> str:
    """Return a player's place as a line of text: name, rank, total and number of events."""
    total = decimal(player.total, 2) if report.in_points else percent(player.total, 2)
    rank = _("Rank %(rank)s") % {"rank": player.rank} if player.rank is not None else _("Without a rank")
    told = {"count": player.played, "all": len(report.events)}
    return " · ".join([player.name, rank, total, _("%(count)s of %(all)s events") % told])


def find_series_to_tell(now: dt.datetime) -> list[int]:
    """Return the ids of the series with a version of the last day, if the site sends mail and anybody wants letters."""
    if not settings.MAIL or not wishes_in_force().exists():
        return []
    new = SeriesPublication.objects.filter(real_clubs("series__club"), published_at__gte=now - TRIED_FOR)
    return sorted(set(new.order_by().values_list("series", flat=True)))
