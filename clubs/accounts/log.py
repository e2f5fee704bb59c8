"""A club's own log: who did what to its team and settings, in the words that its directors read."""

import datetime as dt
from collections.abc import Mapping

from django.utils.formats import date_format
from django.utils.translation import gettext as translated

from clubs.models import Club, ClubLogEntry, User
from wording import gettext_noop as _

SENTENCES: Mapping[str, str] = {
    "club_made": _("made the club"),
    "invited": _("invited %(whom)s: %(role)s"),
    "invitation_revoked": _("took the invitation of %(whom)s back"),
    "joined": _("came by an invitation: %(role)s"),
    "role_changed": _("changed the role of %(whom)s: %(role)s"),
    "role_ended": _("ended the role of %(whom)s"),
    "left": _("left the club"),
    "password_link_made": _("made a link by which %(whom)s chooses another password"),
    "password_link_used": _("chose another password by a link"),
    "password_link_revoked": _("took back the link by which %(whom)s chooses another password"),
    "player_link_made": _("made a link by which %(whom)s takes an account"),
    "player_link_revoked": _("took the link of %(whom)s back"),
    "player_tied": _("tied an account to %(whom)s"),
    "player_came": _("took the account of %(whom)s by a link"),
    "player_untied": _("untied the account of %(whom)s"),
    "person_asked": _("asked %(other_club)s whether %(whom)s plays there too"),
    "person_question": _("%(other_club)s asks whether %(whom)s plays there too"),
    "person_agreed": _("said that %(whom)s plays in the other club too"),
    "person_refused": _("said that %(whom)s is nobody of the other club"),
    "person_taken_back": _("took back the question whether %(whom)s plays in another club too"),
    "person_joined": _("made %(whom)s one person with a player of another club"),
    "person_confirmed": _("confirmed that %(whom)s is one person with a player of another club"),
    "person_parted": _("ended that %(whom)s is one person with a player of another club"),
    "shown_name": _("chose for %(whom)s in public: by name"),
    "shown_initials": _("chose for %(whom)s in public: by initials"),
    "shown_hidden": _("chose for %(whom)s in public: hidden"),
    "player_exported": _("had a file made of all that the club keeps of %(whom)s"),
    "player_erased": _("erased %(whom)s"),
    "erasure_declined": _("did not erase %(whom)s, who had asked for it"),
    "claim_refused": _("said that the account of %(whom)s is no player’s here"),
    "names_alike": _("wrote %(count)s names in small letters, as the others"),
    "names_back": _("wrote %(count)s names in capitals again"),
    "settings_changed": _("changed the settings of the club"),
    "season_made": _("made the season %(season)s: from %(first)s to %(last)s"),
    "season_changed": _("changed the season %(before)s: now %(season)s, from %(first)s to %(last)s"),
    "season_deleted": _("deleted the season %(season)s"),
    "tournament_renamed": _("renamed the tournament “%(before)s”: now “%(after)s”"),
    "tournament_in_season": _("put the tournament “%(tournament)s” into the season %(season)s"),
    "tournament_in_none": _("took the tournament “%(tournament)s” out of its season"),
    "tournament_changed": _("changed the settings of the tournament “%(tournament)s”"),
    "evenings_made": _("made evenings of “%(tournament)s”, every week from %(first)s to %(last)s: %(count)s"),
    "evenings_deleted": _("deleted evenings of “%(tournament)s” that had not begun: %(count)s"),
    "usual_penalty_kept": _("put down among the usual penalties: %(reason)s"),
    "usual_penalty_removed": _("struck off the usual penalties: %(reason)s"),
}
DAYS = frozenset({"first", "last"})
NAMES: Mapping[str, str] = {"director": _("director"), "helper": _("helper"), "": _("somebody")}


def log(club: Club, action: str, *, now: dt.datetime, by: User | None, **params: str) -> None:
    make_entry(club, action, now=now, by=by, **params).save()


def make_entry(club: Club, action: str, *, now: dt.datetime, by: User | None, **params: str) -> ClubLogEntry:
    """A line of the log that is not written yet."""
    assert action in SENTENCES, action
    return ClubLogEntry(club=club, at=now, author=by, action=action, params=params)


def say_author(entry: ClubLogEntry) -> str:
    """Return who did it; "" where the sentence says so itself. Of somebody of another club no name is kept."""
    if entry.author is not None:
        return entry.author.shown_name
    if entry.action == "person_question":
        return ""
    elsewhere = entry.action.startswith(("person_", "shown_"))
    return translated(_("the player, or another club") if elsewhere else _("the site"))


def say_entry(entry: ClubLogEntry) -> str:
    return translated(SENTENCES[entry.action]) % {name: say_value(name, value) for name, value in entry.params.items()}


def say_value(name: str, value: str) -> str:
    if name in DAYS:
        return date_format(dt.date.fromisoformat(value), "SHORT_DATE_FORMAT")
    return translated(NAMES[value]) if value in NAMES else value
