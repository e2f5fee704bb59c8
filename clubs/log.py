"""The log of a club for its directors: sentences that say who changed roles, players and settings."""

import datetime as dt
from collections.abc import Mapping

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as translated

from clubs.models import Club, ClubLogEntry, User
from wording import gettext_noop as _

SENTENCES: Mapping[str, str] = {
    "club_made": _("created the club"),
    "invited": _("invited %(whom)s: %(role)s"),
    "invitation_revoked": _("withdrew the invitation of %(whom)s"),
    "joined": _("accepted an invitation: %(role)s"),
    "role_changed": _("changed the role of %(whom)s: %(role)s"),
    "role_ended": _("ended the role of %(whom)s"),
    "left": _("left the club"),
    "password_link_made": _("created a link for %(whom)s to choose a new password"),
    "password_link_used": _("chose a new password through a link"),
    "password_link_revoked": _("withdrew the link for a new password of %(whom)s"),
    "token_made": _("created the token “%(token)s” for a program"),
    "token_ended": _("ended the token “%(token)s” of %(whom)s"),
    "player_link_made": _("created a link for %(whom)s to open an account"),
    "player_link_revoked": _("withdrew the link of %(whom)s"),
    "player_tied": _("linked an account to %(whom)s"),
    "player_came": _("opened the account of %(whom)s through a link"),
    "player_untied": _("unlinked the account of %(whom)s"),
    "person_asked": _("asked %(other_club)s whether %(whom)s plays there too"),
    "person_question": _("%(other_club)s asks whether %(whom)s plays there too"),
    "person_agreed": _("said that %(whom)s plays in the other club too"),
    "person_refused": _("said that %(whom)s does not play in the other club"),
    "person_taken_back": _("withdrew the question about %(whom)s to another club"),
    "person_joined": _("linked %(whom)s with a player of another club as one person"),
    "person_confirmed": _("confirmed that %(whom)s and a player of another club are one person"),
    "person_parted": _("separated %(whom)s from a player of another club"),
    "shown_name": _("chose how %(whom)s is shown in public: by name"),
    "shown_initials": _("chose how %(whom)s is shown in public: by initials"),
    "shown_hidden": _("chose how %(whom)s is shown in public: hidden"),
    "rating_off": _("switched the rating of %(whom)s off"),
    "rating_on": _("no longer wants the rating of %(whom)s to be off"),
    "player_exported": _("exported everything that the club keeps about %(whom)s"),
    "player_erased": _("erased %(whom)s"),
    "erasure_declined": _("refused to erase %(whom)s, who had asked to be erased"),
    "claim_refused": _("said that the account of %(whom)s belongs to no player here"),
    "names_alike": _("wrote %(count)s names in small letters, like the others"),
    "names_back": _("wrote %(count)s names in capitals again"),
    "licences_kept": _("read the federation’s list “%(file)s”: %(count)s licences"),
    "licences_deleted": _("deleted the federation’s list of licences"),
    "licences_read": _("changed %(count)s players by the federation’s list of licences"),
    "licences_back": _("undid the list of licences: %(count)s players are as before"),
    "archive_made": _("made an archive of the tournament “%(tournament)s”"),
    "archive_made_with_cards": _("made an archive of the tournament “%(tournament)s”, with cards that nobody has seen"),
    "archive_imported": _("imported the tournament “%(tournament)s” from an archive"),
    "settings_changed": _("changed the club settings"),
    "season_made": _("created the season %(season)s, from %(first)s to %(last)s"),
    "season_changed": _("changed the season %(before)s to %(season)s, from %(first)s to %(last)s"),
    "season_deleted": _("deleted the season %(season)s"),
    "tournament_renamed": _("renamed the tournament “%(before)s” to “%(after)s”"),
    "tournament_in_season": _("put the tournament “%(tournament)s” into the season %(season)s"),
    "tournament_in_none": _("took the tournament “%(tournament)s” out of its season"),
    "tournament_changed": _("changed the settings of the tournament “%(tournament)s”"),
    "evenings_made": _("created weekly evenings of “%(tournament)s” from %(first)s to %(last)s: %(count)s"),
    "evenings_deleted": _("deleted evenings of “%(tournament)s” that had not begun: %(count)s"),
    "series_made": _("created the championship “%(series)s”"),
    "series_changed": _("changed the rules or the days of the championship “%(series)s”"),
    "series_put_away": _("removed the championship “%(series)s” from the lists"),
    "series_back": _("put the championship “%(series)s” back into the lists"),
    "series_club_asked": _("invited %(other_club)s to the championship “%(series)s”"),
    "series_asked": _("%(other_club)s invites the club to its championship “%(series)s”"),
    "series_agreed": _("agreed that the club takes part in the championship “%(series)s”"),
    "series_club_agreed": _("%(other_club)s now takes part in the championship “%(series)s”"),
    "series_declined": _("declined to take part in the championship “%(series)s”"),
    "series_club_declined": _("%(other_club)s does not take part in the championship “%(series)s”"),
    "series_left": _("decided that the club no longer takes part in the championship “%(series)s”"),
    "series_club_left": _("%(other_club)s no longer takes part in the championship “%(series)s”"),
    "series_club_taken_out": _("took %(other_club)s out of the championship “%(series)s”: %(reason)s"),
    "series_taken_out": _("the owner took the club out of the championship “%(series)s”: %(reason)s"),
    "series_events_decided": _("decided which events count in the championship “%(series)s”: %(count)s changed"),
    "series_list_typed": _("typed the list “%(list)s” for the championship “%(series)s”"),
    "simultaneous_made": _("created the simultaneous “%(simultaneous)s”"),
    "simultaneous_changed": _("changed the simultaneous “%(simultaneous)s”"),
    "simultaneous_hours": _(
        "changed the hours of the simultaneous “%(simultaneous)s”: from %(opens)s to %(closes)s, public on %(public)s"
    ),
    "simultaneous_hours_late": _(
        "changed the hours of the simultaneous “%(simultaneous)s”: from %(opens)s to %(closes)s, public on %(public)s. "
        "Looks and prints before: %(count)s"
    ),
    "simultaneous_told_hours": _(
        "the hours of the simultaneous “%(simultaneous)s” have changed: from %(opens)s to %(closes)s, public on "
        "%(public)s"
    ),
    "simultaneous_told_hours_late": _(
        "the hours of the simultaneous “%(simultaneous)s” have changed: from %(opens)s to %(closes)s, public on "
        "%(public)s. Looks and prints before: %(count)s"
    ),
    "simultaneous_closed": _("closed the simultaneous “%(simultaneous)s”: no further result counts"),
    "simultaneous_told_closed": _(
        "the organiser has closed the simultaneous “%(simultaneous)s”: no further result counts"
    ),
    "simultaneous_reopened": _("reopened the simultaneous “%(simultaneous)s”"),
    "simultaneous_told_reopened": _("the organiser has reopened the simultaneous “%(simultaneous)s”"),
    "simultaneous_put_away": _("removed the simultaneous “%(simultaneous)s” from the list"),
    "simultaneous_back": _("put the simultaneous “%(simultaneous)s” back on the list"),
    "simultaneous_link_renewed": _("created a new link of invitation to the simultaneous “%(simultaneous)s”"),
    "simultaneous_club_invited": _("invited %(other_club)s to the simultaneous “%(simultaneous)s”"),
    "simultaneous_invited": _("%(other_club)s invites the club to the simultaneous “%(simultaneous)s”"),
    "simultaneous_agreed": _("agreed to play the simultaneous “%(simultaneous)s”"),
    "simultaneous_club_agreed": _("%(other_club)s plays the simultaneous “%(simultaneous)s”"),
    "simultaneous_left": _("does not play the simultaneous “%(simultaneous)s”"),
    "simultaneous_club_left": _("%(other_club)s does not play the simultaneous “%(simultaneous)s”"),
    "simultaneous_left_reason": _("left the simultaneous “%(simultaneous)s”: %(reason)s"),
    "simultaneous_club_left_reason": _("%(other_club)s has left the simultaneous “%(simultaneous)s”: %(reason)s"),
    "simultaneous_club_taken_out": _("took %(other_club)s out of the simultaneous “%(simultaneous)s”: %(reason)s"),
    "simultaneous_taken_out": _(
        "the organiser has taken the club out of the simultaneous “%(simultaneous)s”: %(reason)s"
    ),
    "simultaneous_etui_annulled": _("annulled étui %(etui)s of the simultaneous “%(simultaneous)s”: %(reason)s"),
    "simultaneous_told_annulled": _(
        "the organiser of the simultaneous “%(simultaneous)s” has annulled étui %(etui)s: %(reason)s"
    ),
    "simultaneous_etui_split": _(
        "ruled étui %(etui)s of the simultaneous “%(simultaneous)s” altered from position %(position)s on: %(reason)s"
    ),
    "simultaneous_told_split": _(
        "the organiser of the simultaneous “%(simultaneous)s” has ruled étui %(etui)s altered from "
        "position %(position)s on: %(reason)s"
    ),
    "simultaneous_etui_lifted": _("restored étui %(etui)s of the simultaneous “%(simultaneous)s”: %(reason)s"),
    "simultaneous_told_lifted": _(
        "the organiser of the simultaneous “%(simultaneous)s” has restored étui %(etui)s: %(reason)s"
    ),
    "series_published": _("published version %(version)s of the championship “%(series)s”"),
    "series_published_reason": _("published version %(version)s of the championship “%(series)s”: %(reason)s"),
    "series_official": _("version %(version)s of the championship “%(series)s” is official"),
    "series_reopened_reason": _("made the championship “%(series)s” provisional again (%(version)s): %(reason)s"),
    "series_withdrawn_reason": _("withdrew the ranking of the championship “%(series)s” (%(version)s): %(reason)s"),
    "webhook_made": _("created a webhook to %(address)s"),
    "webhook_changed": _("changed the webhook to %(address)s"),
    "webhook_renewed": _("gave the webhook to %(address)s a new secret"),
    "webhook_tried": _("sent a trial to the webhook %(address)s"),
    "webhook_on": _("switched the webhook to %(address)s on again"),
    "webhook_off": _("switched the webhook to %(address)s off"),
    "webhook_dead": _("switched the webhook to %(address)s off: it could not be reached for a day"),
    "webhook_removed": _("removed the webhook to %(address)s"),
    "sealed_file_made": _("made the sealed file of the simultaneous “%(simultaneous)s” for other sites"),
    "sealed_file_received": _("received the simultaneous “%(simultaneous)s” from another site"),
    "sealed_cards_opened": _("opened the cards of the simultaneous “%(simultaneous)s” with the organiser’s key"),
    "results_received": _("received the results of %(other_club)s for the simultaneous “%(simultaneous)s”"),
    "field_published": _("published version %(version)s of the simultaneous “%(simultaneous)s”"),
    "field_published_reason": _("published version %(version)s of the simultaneous “%(simultaneous)s”: %(reason)s"),
    "field_official": _("version %(version)s of the simultaneous “%(simultaneous)s” is official"),
    "field_reopened_reason": _("made the simultaneous “%(simultaneous)s” provisional again (%(version)s): %(reason)s"),
    "field_withdrawn_reason": _(
        "withdrew the ranking of the simultaneous “%(simultaneous)s” (%(version)s): %(reason)s"
    ),
    "usual_penalty_kept": _("added to the usual penalties: %(reason)s"),
    "usual_penalty_removed": _("removed from the usual penalties: %(reason)s"),
}
DAYS = frozenset({"first", "last"})
MOMENTS = frozenset({"opens", "closes", "public"})
NAMES: Mapping[str, str] = {"director": _("director"), "helper": _("helper"), "": _("somebody")}


def log_club_action(club: Club, action: str, *, now: dt.datetime, by: User | None, **params: str) -> None:
    make_entry(club, action, now=now, by=by, **params).save()


def log_in_clubs(*lines: tuple[Club, str, User | None, dict[str, str]], now: dt.datetime) -> None:
    """Log a line in each of several clubs. Each line has the club, the action, its author and its values.

    The lowest id comes first, as in every lock on several clubs. Otherwise two writers could wait for each other.
    """
    for club, action, by, params in sorted(lines, key=lambda line: line[0].pk):
        log_club_action(club, action, now=now, by=by, **params)


def make_entry(club: Club, action: str, *, now: dt.datetime, by: User | None, **params: str) -> ClubLogEntry:
    """Return a new line of the log. The caller has to save it."""
    assert action in SENTENCES, action
    return ClubLogEntry(club=club, at=now, author=by, action=action, params=params)


def say_author(entry: ClubLogEntry) -> str:
    """Return the name of the person who did it, or "" if the sentence already names who did it.

    A person of another club is not named.
    """
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
    if name in MOMENTS:
        return date_format(timezone.localtime(dt.datetime.fromisoformat(value)), "SHORT_DATETIME_FORMAT")
    return translated(NAMES[value]) if value in NAMES else value
