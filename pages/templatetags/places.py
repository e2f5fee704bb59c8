"""The template tag of the bar of a place: it finds the place of a page, and what its reader may open there."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from clubs.models import Club
from pages.desk.desk import what_readers_have
from pages.first_steps import STEP_OF, is_on_way
from pages.format_places import list_session_more, list_session_parts, list_tournament_parts
from pages.places import CLUB, PlaceBar, PlaceFacts, find_bar
from rankings.events.publishing import TOURNAMENTS
from rankings.publication.publishing import SESSIONS
from registration.cash.payers import keeps_cash_box
from scoring.formats import find_format
from tournaments.models import Session, Tournament
from tournaments.permissions import Can, power_of
from tournaments.published import PublicPlace, SeenVersion, Shows, Stamp
from tournaments.versions import WITHDRAWN

register = template.Library()

# What belongs to a place, and is in the context of its pages, perhaps without the place itself.
THINGS = ("session", "tournament", "club", "play", "deal_set", "series", "simultaneous")


@register.inclusion_tag("components/place.html", takes_context=True)
def place_bar(context: template.Context) -> dict[str, Any]:
    """Show the bar of the club, the tournament or the session in the page's address. Show nothing on other pages."""
    match = getattr(context.get("request"), "resolver_match", None)
    keys = match.kwargs if match else {}
    place = find_place(context, keys)
    if match is None or place is None:
        return {}
    tournament = place if isinstance(place, Tournament) else getattr(place, "tournament", None)
    club: Club = tournament.club if tournament else place
    user = context.get("user")
    power = power_of(user, club) if user is not None else Can.READ
    session = place if isinstance(place, Session) else None
    shown = read_shown(context, session) if session else {}
    return {
        "club": club,
        "tournament": tournament,
        "session": session,
        "standing": shown.get("standing"),
        # Pages that are cached for everybody depend on what is published, and only the session's own on its status.
        "tells_state": power >= Can.ENTER or bool(shown.get("standing")) or match.url_name == "session",
        "bar": make_bar(context, place, power, match.url_name or "", shown),
        "works": power >= Can.ENTER,
    }


@register.simple_tag(takes_context=True)
def path_step(context: template.Context) -> SafeString:
    """Say on a page of the way to a club's first evening which of the five steps it belongs to."""
    request = context.get("request")
    match = getattr(request, "resolver_match", None)
    name = match.url_name if match else ""
    if name == "session":  # readers share this page, so for them it may not depend on their browser's session
        step = 4 if "preparation" in context else 5 if "desk" in context else None
    else:
        step = STEP_OF.get(name)
    if match is None or step is None or (name != "first_run" and not leads_to_first_evening(context, match.kwargs)):
        return SafeString()
    return format_html('<p class="quiet">{}</p>', _("Step %(step)s of 5") % {"step": step})


def leads_to_first_evening(context: template.Context, keys: Mapping[str, object]) -> bool:
    """Return whether the reader is on the way to the first evening of the club to which the page's place belongs."""
    place = find_place(context, keys)
    tournament = place if isinstance(place, Tournament) else getattr(place, "tournament", None)
    club = tournament.club if tournament else place
    return isinstance(club, Club) and is_on_way(context["request"], club)


def find_place(context: template.Context, keys: Mapping[str, object]) -> Any:
    """Return the place in an address, or None if there is none, or if the page has not read it."""
    kind = "session" if "number" in keys else "tournament" if "tournament" in keys else "club"
    if "club" not in keys or ("number" in keys and "tournament" not in keys):
        return None
    for name in THINGS:
        thing = context.get(name)
        if kind == "session" and isinstance(thing := getattr(thing, "session", thing), Session):
            return thing
        if kind != "session" and isinstance(thing := getattr(thing, "tournament", thing), Tournament):
            return thing if kind == "tournament" else thing.club
        if kind == "club" and isinstance(thing := getattr(thing, "club", thing), Club):
            return thing
    return None


def make_bar(context: template.Context, place: Any, power: Can, url_name: str, shown: Mapping[str, Any]) -> PlaceBar:
    """Return the bar of the place. `shown` is what readers see of a session."""
    if isinstance(place, Club):
        return find_bar(CLUB, (), PlaceFacts(power, practice=place.is_practice), url_name, {"club": place.slug})
    if isinstance(place, Tournament):
        keys = {"club": place.club.slug, "tournament": place.slug}
        facts = PlaceFacts(power, ranked=is_ranked(context, place))
        return find_bar(list_tournament_parts(find_format(place.format)), (), facts, url_name, keys)
    form = find_format(place.tournament.format)
    keys = {"club": place.tournament.club.slug, "tournament": place.tournament.slug, "number": place.number}
    facts = find_facts(place, power, shown)
    return find_bar(list_session_parts(form), list_session_more(form), facts, url_name, keys)


def read_shown(context: template.Context, session: Session) -> Mapping[str, Any]:
    """Return what readers see of the session. This takes a query if neither it nor its play was read for a page."""
    if session.status == Session.Status.DRAFT:
        return {}
    shown: Mapping[Any, Any] = context.flatten()
    if "etuis_version" in shown:
        return shown
    if isinstance(stamp := shown.get("stamp"), Stamp):
        return what_readers_have(stamp)
    row: Any = next((each for each in (session, shown.get("play")) if hasattr(each, "standing")), None)
    if row is None:
        return what_readers_have(SESSIONS.look_up(PublicPlace.of(session)))
    seen = SeenVersion(row.published, row.standing, Shows.to_readers(session)) if row.standing else None
    return what_readers_have(seen)


def find_facts(session: Session, power: Can, shown: Mapping[str, Any]) -> PlaceFacts:
    """Return what decides which pages a session has."""
    cash = power >= Can.ENTER and keeps_cash_box(session.tournament.club)
    phones, draft = session.devices == Session.Devices.TABLES, session.status == Session.Status.DRAFT
    ranked, etuis = bool(shown.get("ranking")), shown.get("etuis_version")
    return PlaceFacts(power, draft=draft, ranked=ranked, etuis=etuis, cash=cash, phones=phones)


def is_ranked(context: template.Context, tournament: Tournament) -> bool:
    """Return whether the bar of a tournament leads to its ranking: if there is one, and on pages about it."""
    if "stamp" in context:
        return True
    if "newest_ranking" in context:
        last = context["newest_ranking"]
        return last is not None and last.status != last.PublicationStatus.WITHDRAWN
    if hasattr(tournament, "standing"):
        return tournament.standing not in (None, WITHDRAWN)
    stamp = TOURNAMENTS.look_up(tournament.club.slug, tournament.slug, None)
    return stamp is not None and not stamp.withdrawn
