"""The template tags for the data that a public page gives to search engines and messengers. See `base.html`."""

import re
from html import unescape
from typing import Any
from urllib.parse import urljoin

from django import template
from django.conf import settings
from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator
from django.utils.translation import get_language

from tournaments.addresses import origin_of
from tournaments.models import Tournament

register = template.Library()

LOCALES = {"fr": "fr_FR", "en": "en_GB"}
MOST_LETTERS = 160  # search engines show no more of a description
BLANKS = re.compile(r"[ \t\r\n]+")  # no-break spaces are not among them


@register.simple_block_tag
def one_line(content: str) -> SafeString:
    """Return the content of the block on one line. It is already escaped."""
    return mark_safe(BLANKS.sub(" ", content).strip())


@register.inclusion_tag("head/sharing.html", takes_context=True)
def show_sharing(context: template.Context, title: str, description: str) -> dict[str, Any]:
    """Return the data for the page's head: title, description, address, picture, feed and language.

    Return only an empty description if the page has none, or if it belongs to a practice club.
    """
    if not description or is_practice(context):
        return {"description": ""}
    request: HttpRequest = context["request"]
    origin = origin_of(request)
    return {
        "title": title,
        "description": Truncator(unescape(description)).chars(MOST_LETTERS),
        "address": origin + canonical_path(context, request),
        "picture": urljoin(origin, picture_path(context)),
        "feed": origin + feed_path(context),
        "locale": LOCALES.get(get_language() or "", ""),
    }


@register.simple_tag
def source_address() -> str:
    """Return the address of the site's source code, or "" if it is not set."""
    return str(settings.IMPRINT.source)


@register.simple_tag
def has_rooms() -> bool:
    """Return whether the site has rooms, in which visitors play against bots."""
    return bool(settings.ROOMS)


@register.simple_tag(takes_context=True)
def short_address(context: template.Context, path: str) -> str:
    """Return an address without "https://", as people type it from paper."""
    return origin_of(context["request"]).partition("://")[2] + path


def canonical_path(context: template.Context, request: HttpRequest) -> str:
    """Return the path by which search engines should know the page, without parameters.

    If the page shows the newest version by its number, it is the path without a version.
    """
    shown = context.get("shown_ranking")
    if shown is None or shown.version.version != shown.stamp.newest or request.path != shown.place.version:
        return request.path
    return str(shown.place.page)


def picture_path(context: template.Context) -> str:
    """Return the path of the picture for the page: the podium of the shown ranking, else the site's picture."""
    shown = context.get("shown_ranking")
    return (shown and shown.picture) or static("img/share.png")


def feed_path(context: template.Context) -> str:
    """Return the path of the news feed of the page's ranking or tournament, else of its club, else of the site."""
    tournament, club, shown = find_tournament(context), context.get("club"), context.get("shown_ranking")
    if shown is not None:
        return str(shown.place.feed)
    if tournament is not None:
        return reverse("tournament_feed", args=[tournament.club.slug, tournament.slug])
    return reverse("club_feed", args=[club.slug]) if club else reverse("feed")


def find_tournament(context: template.Context) -> Tournament | None:
    """Return the tournament of the page, or that of its session."""
    return context.get("tournament") or getattr(context.get("session"), "tournament", None)


def is_practice(context: template.Context) -> bool:
    """Return whether the page belongs to a practice club."""
    club = context.get("club") or getattr(find_tournament(context), "club", None)
    return club is not None and club.is_practice
