"""A club with an evening in each state, and a user for each role: the data for asking every page."""

import datetime as dt
from uuid import uuid4

from django.test import Client
from django.utils import timezone

from archives.elsewhere.sealed_file import draw_key
from clubs.accounts.players import claim, tie
from clubs.house import change_settings
from clubs.models import Season, User, Webhook, day_of_roles
from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.standings import computing
from outgoing.webhooks.posting import make_webhook_key
from rankings.careers import keeping
from rankings.events.publishing import TOURNAMENTS
from rankings.series.computing import refresh_series
from rankings.series.publishing import SERIES_OF_CLUBS
from rankings.series.setup import SeriesGiven, create_series
from rankings.simultaneous.field.publishing import FIELDS
from rankings.simultaneous.hours import FieldHours
from rankings.simultaneous.membership import invite_club
from rankings.simultaneous.setup import SimultaneousGiven, create_simultaneous
from registration.people.merging import merge_players
from registration.people.registration import set_registration
from tests.evenings.requests.world import Four
from tests.factories import (
    DATE,
    draft_session,
    enter_all,
    make_club,
    make_director,
    make_helper,
    make_tournament,
    make_user,
    publish,
    started_session,
)
from tests.rankings.simultaneous.national_day import make_simultaneous
from tournaments.models import SealedEtuis, Simultaneous
from tournaments.rules.series import SeriesSettings
from tournaments.versions import DirectorWord


def make_series_of(club, *, by):
    """Return a computed series of all evenings of the club."""
    given = SeriesGiven("Challenge", DATE - dt.timedelta(days=365), DATE + dt.timedelta(days=365), SeriesSettings())
    series = create_series(club=club, given=given, by=by, now=timezone.now())
    refresh_series(series.pk, now=timezone.now())
    return series


def make_webhook_of(club, *, by):
    """Return a webhook of the club that nothing calls, with one call."""
    now = timezone.now()
    told = {"url": "https://club.example/topage", "key": make_webhook_key(), "made_by": by}
    webhook = Webhook.objects.create(club=club, made_at=now, since=now, **told)
    webhook.calls.create(event="trial", kind="trial", owner=0, version=1, made_at=now, tries=1, tried_at=now, code=200)
    return webhook


def make_simultaneous_of(club, *, by):
    """Return a simultaneous that the club organises, also for other sites, and plays. It opened an hour ago."""
    now = timezone.now()
    hours = FieldHours(*(now + dt.timedelta(hours=hour) for hour in (-1, 4, 5)))
    given = {"given": SimultaneousGiven("Nuit du tarot"), "hours": hours, "etuis": 5}
    home = club.real if club.is_practice else club
    made = create_simultaneous(club=home, by=by, now=now, **given)
    invite_club(simultaneous_id=made.pk, slug=home.slug, by=by, now=now)
    Simultaneous.objects.filter(pk=made.pk).update(club=club)  # no service makes one in a practice club
    SealedEtuis.objects.create(simultaneous=made, key=uuid4(), secret=draw_key(), made_at=now)
    return made


def make_field_of(club, session, *, by):
    """Return the names of a public simultaneous of this session alone, with a published ranking."""
    now = timezone.now()
    hours = {"opens_at": now - dt.timedelta(hours=2), "closes_at": now, "public_at": now}
    made = make_simultaneous(club, slug="champ", **hours)
    told = {"invited_at": now, "invited_by": by, "agreed_at": now, "agreed_by": by}
    made.clubs.create(club=club, session=session, **told)
    FIELDS.publish(made.pk, DirectorWord(by, now))
    return {"field": made.slug, "field_etui": 1, "field_entrant": session.entrants.order_by("pk")[0].pk}


def make_world(club, roles, team=None):
    """Make evenings of a club, and a client for each of the roles by its name.

    `team` is the club where they have their roles, if it is another club.
    """
    tournament, team = make_tournament(club), team or club
    director = make_director(team)
    member = make_helper(team, "helper").memberships.get().pk
    make_user("stranger")
    make_director(make_club("autre"), "foreign_director")
    User.objects.filter(pk=director.pk).update(username="director")
    for make, name in ((make_helper, "former_helper"), (make_director, "former_director")):
        make(team, name).memberships.update(ends_on=day_of_roles() - dt.timedelta(days=1))
    draft, running, published = (
        make(tournament, cards=True) for make in (draft_session, started_session, started_session)
    )
    set_registration(accepts_at_once=True, session_id=draft.pk, by=director, now=timezone.now())
    enter_all(running, by=director)
    enter_all(published, by=director)
    publish(published, by=director)
    keeping.refresh(published.pk)
    computing.refresh(running.pk, now=timezone.now())
    people = add_players(club=club, lines=[RosterLine(name, "Zoé") for name in ("Seul", "Seule", "Double")])
    merged = merge_players(club=club, kept_id=people[0].pk, gone_id=people[2].pk, by=director, now=timezone.now())
    change_settings(club, {"player_accounts": "open"}, now=timezone.now(), by=director)
    tie(running.entrants.first().player, make_user("player"), by=director, now=timezone.now())
    claim(club, User.objects.get(username="stranger"), now=timezone.now())
    asked = Four(published).ask()
    sessions = {"draft": draft, "running": running, "published": published}
    first_play = {name: play.pk if (play := session.plays.first()) else None for name, session in sessions.items()}
    first_entrant = {name: session.entrants.first().pk for name, session in sessions.items()}
    clients = {role: Client() for role in roles}
    for role in clients.keys() - {"anonymous"}:
        clients[role].force_login(User.objects.get(username=role))
    named = {
        "member": member,
        "invitation": 1,
        "token": 1,
        "player": people[0].pk,
        "other": people[1].pk,
        "merge": merged.pk,
    }
    season = Season.objects.create(club=club, name="Saison", starts_on=DATE, ends_on=DATE)
    named |= {"season": season.pk, "token": 1}
    named |= {"usual": 1, "group": 1, "version": 1, "step": "official", "claim": club.claims.get().pk}
    series = make_series_of(club, by=director)
    if series.standings.data["events"]:
        SERIES_OF_CLUBS.publish(series.pk, DirectorWord(director, timezone.now()))
    named["series"], named["series_row"] = series.slug, 1
    named["webhook"], named["act"] = make_webhook_of(club, by=director).pk, "off"
    named["simultaneous"], named["simultaneous_row"] = make_simultaneous_of(club, by=director).slug, 1
    named |= make_field_of(club, published, by=director)
    named["one"], named["two"] = published.entrants.order_by("pk").values_list("player", flat=True)[:2]
    TOURNAMENTS.publish(tournament.pk, DirectorWord(director, timezone.now()))
    things = {"club": club, "tournament": tournament, "named": named, "play": first_play, "entrant": first_entrant}
    return sessions | things | {"clients": clients, "request": asked.pk}
