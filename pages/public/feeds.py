"""The Atom feeds of published rankings: of all clubs, of one club, of one tournament, or of one series.

Each ranking is an entry with a permanent id. A new version of the ranking updates its entry.
"""

import re
from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.http import http_date
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.house import listed_clubs
from clubs.models import Club, real_clubs
from pages.everybody import answer_stamped
from rankings.kinds import Whose, is_there
from rankings.listing import ListedRanking, find_latest_rankings, kind_of, read_all_podiums
from tournaments.addresses import link_to, origin_of
from tournaments.models import Series, Tournament, Version
from tournaments.page_cache import KeptPage, compress, find_page
from tournaments.versions import OFFICIAL
from tournaments.words.stamps import make_stamp

NEWEST = 30
# Characters that XML forbids. Pasted text can contain them, and a single one would break the feed of every club.
NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clean(text: str) -> str:
    return NO_XML.sub(" ", text)


def write_feed(request: HttpRequest, name: str, page: str, news: Sequence[Version]) -> HttpResponse:
    """Return the feed of these newest versions. The entry of a ranking that was withdrawn has no podium.

    `name` and `page` are those of what the feed is about: its name, and the path of its page.
    """
    subtitle = _("Rankings of duplicate Tarot tournaments, when they are published, become official or are corrected")
    feed = Atom1Feed(
        title=clean(name),
        link=link_to(request, page),
        description=None,
        language=get_language(),
        feed_url=link_to(request, request.path),
        subtitle=subtitle,
    )
    podiums = read_all_podiums(news)
    for version in news:
        listed = ListedRanking(version)
        link = link_to(request, listed.place.page)
        firsts = ", ".join(f"{step.rank}. {step.name}" for step in podiums.get(version, ()))
        feed.add_item(
            title=clean(listed.title),
            link=link,
            description=escape(clean(" ".join(filter(None, (say_state(version), firsts))))),
            author_name=clean(listed.club.name),
            pubdate=version.first,  # type: ignore[attr-defined]
            updateddate=version.published_at,
            unique_id=link,
        )
    response = HttpResponse(feed.writeString("utf-8"), content_type=feed.content_type)
    response["Last-Modified"] = http_date(feed.latest_post_date().timestamp())
    return response


def say_state(version: Version) -> str:
    """Return a sentence about the state of a version, with the director's reason if there is one."""
    told = {"version": version.version, "reason": version.reason.rstrip(" .")}
    if not is_there(version):
        return _("The ranking has been withdrawn: %(reason)s.") % told
    if version.status == OFFICIAL:
        return _("Official ranking, version %(version)s.") % told
    if version.reason:
        return _("Provisional ranking, version %(version)s: %(reason)s.") % told
    return _("Provisional ranking, version %(version)s.") % told


def answer_feed(request: HttpRequest, name: str, page: str, whose: Whose) -> HttpResponse:
    """Return the feed from the cache or newly built, or a 304 if the reader has the current one.

    The feed is current if its stamp, a digest of its data, has not changed. The stamp also changes when a player's name
    is hidden, so that the older feed with that name is no longer sent.
    """
    news = find_latest_rankings(whose, NEWEST)
    told = [(type(each).__name__, each.pk, *kind_of(each).beside(each)) for each in news]
    stamp = make_stamp(origin_of(request), name, page, told)

    def build() -> KeptPage:
        return compress(write_feed(request, name, page, news))

    return answer_stamped(request, stamp, lambda: find_page(f"feed-{stamp}", build))


@require_safe
def feed(request: HttpRequest) -> HttpResponse:
    return answer_feed(request, "Topage", reverse("home"), Whose(clubs=listed_clubs()))


@require_safe
def club_feed(request: HttpRequest, club: str) -> HttpResponse:
    found = get_object_or_404(Club, slug=club)
    with timezone.override(found.zone):
        return answer_feed(request, found.name, reverse("club", args=[club]), Whose(club=found.pk))


@require_safe
def owner_feed(request: HttpRequest, model: type[Tournament | Series], club: str, **slugs: str) -> HttpResponse:
    """Return the feed of a tournament or of a series.

    The name of the slug in its address is that of its page, and of the choice in `Whose`.
    """
    ((kind, slug),) = slugs.items()
    there = model._default_manager.select_related("club").filter(real_clubs("club"), put_away_at=None)
    found = get_object_or_404(there, club__slug=club, slug=slug)
    page = reverse(kind, args=[club, slug])
    with timezone.override(found.club.zone):
        return answer_feed(request, f"{found}, {found.club.name}", page, Whose(**{kind: found.pk}))
