"""The public pages of the ranking of a tournament of several sessions.

They are cached like the pages of a session's publication, and become stale for the same reasons.
"""

import datetime as dt
from functools import cached_property, partial

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from clubs.models import Player
from outgoing.sheets.files import CSV, KINDS, SheetFile
from pages.public.all_kinds import give_file
from pages.public.published import Entrance, RankingEntry, WhyNot, names_row, say_why_not, with_ranking
from pages.public.shown import ShownRanking
from pages.ranking_pages import CATEGORY, GENERAL, TEAMS
from rankings.events.publishing import TOURNAMENTS, TournamentStamp, find_published_tournament
from rankings.events.report import TournamentRanking, read_tournament
from rankings.events.standings_file import write_tournament_csv
from tournaments.models import Tournament
from tournaments.permissions import Can, get_tournament_for


class PublishedEvent(ShownRanking):
    """A version of a tournament's ranking, with its tournament."""

    kind = TOURNAMENTS

    @property
    def occasion(self) -> str:
        count = len(self.ranking.steps)
        return ngettext("Tournament ranking after %(n)s session", "Tournament ranking after %(n)s sessions", count) % {
            "n": count
        }

    @property
    def day(self) -> dt.date:
        return self.ranking.steps[-1].day

    @property
    def file_title(self) -> str:
        return _("Tournament ranking")

    @cached_property
    def ranking(self) -> TournamentRanking:
        return read_tournament(self.version.data, self.version.sessions)


def enter_tournament(
    request: HttpRequest, _part: str, club: str, tournament: str, version: int | None = None
) -> RankingEntry | HttpResponse:
    """Return the entry to a tournament's ranking, or the page that says why readers do not see it."""
    stamp = TOURNAMENTS.look_up(club, tournament, version)
    if stamp is None or stamp.practice or stamp.withdrawn or stamp.held_back:
        found = get_tournament_for(request.user, Can.READ, club__slug=club, slug=tournament)
        if stamp is None and version is not None:
            raise Http404
        if stamp is None or stamp.withdrawn or stamp.held_back:
            return refuse_tournament(request, found, stamp)
    find_again = partial(find_published_tournament, club, tournament, version)
    return RankingEntry(stamp, partial(PublishedEvent.read, stamp), find_again)


VIEWS = {GENERAL, CATEGORY, TEAMS}
is_player = names_row(lambda number, stamp: Player.objects.filter(pk=number, club__tournaments=stamp.owner))
TOURNAMENT = Entrance(TOURNAMENTS, require_safe, enter_tournament, {"by": VIEWS, "me": is_player})


def refuse_tournament(request: HttpRequest, tournament: Tournament, stamp: TournamentStamp | None) -> HttpResponse:
    """Show why a tournament's ranking cannot be read.

    Nothing is published yet, the ranking was withdrawn, or readers may not see the ranking of one of its sessions.
    """
    place = (tournament.club.slug, tournament.slug)
    context = {"club": tournament.club, "tournament": tournament, "back_url": reverse("tournament", args=place)}
    if stamp is not None and stamp.held_back and stamp.newest not in stamp.held:
        context["current"] = reverse("tournament_ranking", args=place)
    why_not = WhyNot(", ".join([_("Tournament ranking"), tournament.name]), *tell_why_no_tournament(stamp))
    values = {"name": tournament.name, "number": stamp.version if stamp else None}
    return say_why_not(request, tournament, stamp, why_not, values, context)


def tell_why_no_tournament(stamp: TournamentStamp | None) -> tuple[str, str]:
    """Return the heading and the sentence of the page that says why a tournament's ranking cannot be read."""
    if stamp is None:
        text = _("The ranking of %(name)s over its sessions has not been published yet. It will be at this address.")
        return _("Not published yet"), text
    if stamp.withdrawn:
        text = _("The director of %(name)s withdrew the tournament ranking on %(moment)s.")
        return _("This ranking has been withdrawn"), text
    text = _(
        "Version %(number)s of the ranking of %(name)s counts a session whose own ranking is not shown or has been"
        " withdrawn. You can read it again once that ranking is back, or once a version without that session replaces"
        " it."
    )
    return _("This ranking is not shown"), text


@with_ranking(TOURNAMENT)
def tournament_results(_: HttpRequest, shown: PublishedEvent) -> HttpResponse:
    """Return a CSV file with every play of every session, which `manage.py standings` can read."""
    if not shown.stamp.offers_file:
        raise Http404
    name = f"{shown.owner.slug}-v{shown.version.version}.csv"
    return give_file(SheetFile(write_tournament_csv(shown.version).encode(), KINDS[CSV], name))
