"""The sentences of a session's log, by the action of an entry. An action without a sentence raises `KeyError`."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.db.models import CharField, Field
from django.utils.formats import localize
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from tournaments.models import LogEntry, Session, Tournament
from tournaments.words.messages import say_ties, sentence
from tournaments.words.sentences import Family

ACTIONS: Mapping[str, str | Promise] = {
    # Preparation.
    "etuis_added": ngettext_lazy(
        "%(count)s étui added to the set: number %(first)s",
        "%(count)s étuis added to the set: numbers %(first)s to %(last)s",
        "count",
    ),
    "edited": _("Changed in the session: %(setting)s, from “%(before)s” to “%(after)s”"),
    "rules_changed": _("Changed in the tournament: %(setting)s, from “%(before)s” to “%(after)s”"),
    "put_together": _("Section %(section)s, compared with session %(others)s"),
    "ranked_together": _("Section %(section)s beside session %(others)s, each compared by itself"),
    "parted": _("No longer section %(section)s: compared by itself"),
    "public_etuis": _(
        "Étuis of %(name)s are played although the cards are public, from étui %(number)s on; reason: %(reason)s"
    ),
    "started": _("Session started"),
    "start_taken_back": _("Start of the session undone"),
    "draw": ngettext_lazy(
        "Seats drawn for %(count)s player, number of the draw: %(seed)s",
        "Seats drawn for %(count)s players, number of the draw: %(seed)s",
        "count",
    ),
    "draw_by_running": ngettext_lazy(
        "Lines drawn by the ranking so far for %(count)s player, number of the draw: %(seed)s",
        "Lines drawn by the ranking so far for %(count)s players, number of the draw: %(seed)s",
        "count",
    ),
    "draw_by_strength": ngettext_lazy(
        "Seats drawn by the last ranking for %(count)s player, number of the draw: %(seed)s",
        "Seats drawn by the last ranking for %(count)s players, number of the draw: %(seed)s",
        "count",
    ),
    "registration_set": _("Registration: settings changed"),
    "registered": _("%(name)s signs up for the session"),
    "registration_withdrawn": _("%(name)s withdraws from the session"),
    "registration_declined": _("%(name)s was removed from the session’s list"),
    "registration_moved_up": _("%(name)s now has a place, after waiting for one"),
    "registration_named": _("%(name)s is named for a team"),
    "registration_agreed": _("%(name)s agrees to play in a team"),
    "registration_back": _("%(name)s is on the session’s list again"),
    "cut_made": ngettext_lazy(
        "Cut made for %(places)s places: %(count)s player goes on",
        "Cut made for %(places)s places: %(count)s players go on",
        "count",
    ),
    "cut_filled": ngettext_lazy("%(count)s player moves up", "%(count)s players move up", "count"),
    "cut_undone": _("Cut undone"),
    "cut_shown": _("Everybody now sees who is qualified"),
    "registration_captain": _("%(name)s is now the captain of a team that signed up"),
    "mail_cancelled": ngettext_lazy(
        "E-mail to %(count)s person: the session is cancelled",
        "E-mail to %(count)s people: the session is cancelled",
        "count",
    ),
    "mail_moved": ngettext_lazy(
        "E-mail to %(count)s person: the session takes place at another time",
        "E-mail to %(count)s people: the session takes place at another time",
        "count",
    ),
    "mail_free": ngettext_lazy(
        "E-mail to %(count)s person on the waiting list: a place is free",
        "E-mail to %(count)s people on the waiting list: a place is free",
        "count",
    ),
    "mail_news": ngettext_lazy(
        "E-mail to %(count)s person who signed up", "E-mail to %(count)s people who signed up", "count"
    ),
    "mail_reminder": ngettext_lazy(
        "Reminder by e-mail to %(count)s person", "Reminder by e-mail to %(count)s people", "count"
    ),
    "teams_seated_from_list": ngettext_lazy("%(count)s present team seated", "%(count)s present teams seated", "count"),
    "seated_from_list": ngettext_lazy("%(count)s present player seated", "%(count)s present players seated", "count"),
    # The course of the evening.
    "position_called": _("Position %(position)s called"),
    "call_taken_back": _("Call of position %(position)s undone"),
    "clock_moved": _("Clock moved by %(minutes)s min"),
    "clock_stopped": _("Clock paused"),
    "clock_resumed": _("Clock resumed"),
    "last_call": _("Last call of position %(position)s at every table"),
    "last_call_table": _("Last call of position %(position)s at table %(table)s"),
    "last_call_taken_back": _("Last call of position %(position)s undone at every table"),
    "last_call_table_taken_back": _("Last call of position %(position)s undone at table %(table)s"),
    "session_closed": _("Evening closed: tables can no longer enter results"),
    "session_reopened": _("Evening reopened; reason: %(reason)s"),
    "hall_link_renewed": _("New link for the names in the hall, the old one no longer works"),
    # The tables' own devices.
    "token_revoked": _("Table %(table)s: code blocked"),
    "token_renewed": _("Table %(table)s: new code, the old one is blocked"),
    "device_writes": _("Table %(table)s: this device enters results"),
    "device_follows": _("Table %(table)s: this device follows"),
    "device_left": _("Table %(table)s: this device has left"),
    "opened_by_number": _("Table %(table)s: opened with its number, from %(address)s"),
    "arbiter_code_made": _("Table %(table)s: arbiter’s code shown"),
    "arbiter_code_spent": _("Table %(table)s: the arbiter’s code was mistyped too often, and no longer works"),
    "arbiter_came": _("Table %(table)s: the arbiter rules on the table’s device"),
    "arbiter_left": _("Table %(table)s: the arbiter is done on the table’s device"),
    "arbiter_called": _("Table %(table)s calls the arbiter"),
    "arbiter_called_about": _("Table %(table)s says why it calls the arbiter: %(about)s"),
    "arbiter_not_needed": _("Table %(table)s no longer needs the arbiter"),
    "link_revoked": _("%(name)s: personal link withdrawn"),
    "link_renewed": _("%(name)s: new personal link, the old one no longer works"),
    "entered": _("Table %(table)s, position %(position)s, étui %(etui)s: result entered"),
    "recorded": _("Table %(table)s, position %(position)s, étui %(etui)s: cards recorded"),
    "recorded_anew": _(
        "Table %(table)s, position %(position)s, étui %(etui)s: cards recorded again (version %(version)s)"
    ),
    "record_contested": _(
        "Table %(table)s, position %(position)s, étui %(etui)s: another record of the cards (version %(version)s)"
    ),
    "record_withdrawn": _("Table %(table)s, position %(position)s, étui %(etui)s: the record no longer counts"),
    "corrected": _("Table %(table)s, position %(position)s, étui %(etui)s: result corrected (version %(version)s)"),
    "contested": _(
        "Table %(table)s, position %(position)s, étui %(etui)s: another result came and is kept (version %(version)s)"
    ),
    "withdrawn": _("Table %(table)s, position %(position)s, étui %(etui)s: result withdrawn (version %(version)s)"),
    "confirmed": _("Table %(table)s, position %(position)s, étui %(etui)s: result confirmed"),
    "disputed": _("Table %(table)s, position %(position)s, étui %(etui)s: result disputed"),
    "annulled": _("Table %(table)s, position %(position)s, étui %(etui)s: annulled"),
    "play_adjusted": _("Table %(table)s, position %(position)s, étui %(etui)s: decided by the arbiter"),
    "restored": _("Table %(table)s, position %(position)s, étui %(etui)s: counts again and is expected"),
    "not_played": _("Table %(table)s, position %(position)s, étui %(etui)s: not played"),
    "later": _("Table %(table)s, position %(position)s, étui %(etui)s: to be played later"),
    # The desk.
    "etui_annulled": _("Étui %(etui)s: annulled for everybody"),
    "etui_split": _("Étui %(etui)s: altered from position %(position)s on, compared separately before and after"),
    "etui_split_within": ngettext_lazy(
        "Étui %(etui)s: altered in position %(position)s after table %(tables)s, compared separately before and after",
        "Étui %(etui)s: altered in position %(position)s after tables %(tables)s, compared separately before and after",
        "n",
    ),
    "etui_restored": _("Étui %(etui)s: counts as a whole again"),
    "penalty": _("%(name)s: penalty, −%(points)s on the percentage"),
    "penalty_position": _("%(name)s: penalty for position %(position)s, −%(points)s on its percentage"),
    "penalty_taken_back": _("%(name)s: penalty withdrawn (−%(points)s on the percentage)"),
    "bonus": _("%(name)s: bonus, +%(points)s on the percentage"),
    "bonus_position": _("%(name)s: bonus for position %(position)s, +%(points)s on its percentage"),
    "bonus_taken_back": _("%(name)s: bonus withdrawn (+%(points)s on the percentage)"),
    "penalty_mp": _("%(name)s: penalty, −%(points)s match points"),
    "penalty_position_mp": _("%(name)s: penalty for position %(position)s, a share of −%(points)s match points"),
    "penalty_taken_back_mp": _("%(name)s: penalty withdrawn (−%(points)s match points)"),
    "bonus_mp": _("%(name)s: bonus, +%(points)s match points"),
    "bonus_position_mp": _("%(name)s: bonus for position %(position)s, a share of +%(points)s match points"),
    "penalty_marks": _("%(name)s: penalty, −%(points)s marks"),
    "penalty_position_marks": _("%(name)s: penalty for game %(position)s, −%(points)s marks"),
    "penalty_taken_back_marks": _("%(name)s: penalty withdrawn (−%(points)s marks)"),
    "bonus_marks": _("%(name)s: bonus, +%(points)s marks"),
    "bonus_position_marks": _("%(name)s: bonus for game %(position)s, +%(points)s marks"),
    "bonus_taken_back_marks": _("%(name)s: bonus withdrawn (+%(points)s marks)"),
    "bonus_taken_back_mp": _("%(name)s: bonus withdrawn (+%(points)s match points)"),
    "warning": _("%(name)s: warning"),
    "warning_position": _("%(name)s: warning in position %(position)s"),
    "warning_taken_back": _("%(name)s: warning withdrawn"),
    "badge_drawn_blue": _("The badge that attacks first is drawn: blue"),
    "badge_drawn_white": _("The badge that attacks first is drawn: white"),
    "badge_drawn_red": _("The badge that attacks first is drawn: red"),
    "teams_drawn": ngettext_lazy(
        "Numbers drawn for %(count)s team, number of the draw: %(seed)s",
        "Numbers drawn for %(count)s teams, number of the draw: %(seed)s",
        "count",
    ),
    "lots_drawn": _("Lots drawn, first to last: %(names)s"),
    "lots_taken_back": _("Draw of lots cancelled; reason: %(reason)s"),
    "team_made": _("Team %(team)s: made"),
    "teams_made": ngettext_lazy("%(count)s team made", "%(count)s teams made", "count"),
    "team_renamed": _("Team %(team)s: its name changed"),
    "team_captain": _("Team %(team)s: %(name)s is the captain"),
    "team_renumbered": _("Team %(team)s: had the number %(before)s before"),
    "team_dissolved": _("Team %(team)s: dissolved"),
    "team_left": _("Team %(team)s: left the tournament"),
    "team_back": _("Team %(team)s: plays in the tournament again"),
    "line_up_handed_in": _("Team %(team)s: its captain handed in the line-up"),
    "line_up_chosen": _("Team %(team)s: its line-up came in"),
    "quarter_chosen": _("Team %(team)s: its line-up for quarter %(quarter)s came in"),
    "quarter_changed": _("Team %(team)s: its line-up for quarter %(quarter)s changed; reason: %(reason)s"),
    "quarter_without_line_up": _("Team %(team)s: no line-up for quarter %(quarter)s came in; it plays as proposed"),
    "match_decided": _("Team %(winner)s goes on instead of team %(loser)s; reason: %(reason)s"),
    "league_decided": _("Team %(winner)s stands before team %(loser)s in the league; reason: %(reason)s"),
    "line_up_changed": _("Team %(team)s: its line-up changed from position %(position)s on; reason: %(reason)s"),
    "member_added": _("Team %(team)s: %(name)s came to it"),
    "member_removed": _("Team %(team)s: %(name)s taken out of it"),
    "member_replaced": _("Team %(team)s: %(name)s replaces %(other)s"),
    "member_back": _("Team %(team)s: %(name)s is back in place of %(other)s"),
    "director_confirmed": _(
        "Table %(table)s, position %(position)s, étui %(etui)s: version %(version)s confirmed by the director"
    ),
    "call_answered": _("Table %(table)s: the arbiter takes the call"),
    "request_made": _("Table %(table)s, position %(position)s, étui %(etui)s: %(name)s asks for a correction"),
    "request_withdrawn": _(
        "Table %(table)s, position %(position)s, étui %(etui)s: %(name)s no longer asks for a correction"
    ),
    "request_agreed": _("Table %(table)s, position %(position)s, étui %(etui)s: %(name)s agrees with the request"),
    "request_denied": _(
        "Table %(table)s, position %(position)s, étui %(etui)s: %(name)s does not agree with the request"
    ),
    "request_accepted": _("Table %(table)s, position %(position)s, étui %(etui)s: request of %(name)s granted"),
    "request_refused": _("Table %(table)s, position %(position)s, étui %(etui)s: request of %(name)s refused"),
    "published": _("Version %(version)s published (results missing: %(missing)s)"),
    "published_anew": _("Version %(version)s published (results missing: %(missing)s), reason: %(reason)s"),
    "tournament_published": _("Tournament ranking published: version %(version)s"),
    "tournament_official": _("Tournament ranking official: version %(version)s"),
    "tournament_withdrawn": _("Tournament ranking withdrawn (version %(version)s), reason: %(reason)s"),
    "tournament_reopened": _("Tournament ranking provisional again (version %(version)s), reason: %(reason)s"),
    "tournament_lots_drawn": _("Lots drawn for the tournament ranking, first to last: %(names)s"),
    "tournament_lots_taken_back": _("Draw of lots for the tournament ranking cancelled; reason: %(reason)s"),
    "ranking_official": _("Ranking official: version %(version)s"),
    "ranking_withdrawn": _("Ranking withdrawn (version %(version)s), reason: %(reason)s"),
    "ranking_reopened": _("Ranking provisional again (version %(version)s), reason: %(reason)s"),
    "homologation_taken": _("Homologation sheet downloaded (version %(version)s)"),
    "part_shown": _("Readers now see: %(part)s"),
    "part_hidden": _("Readers no longer see: %(part)s"),
    "director_plays": _("The director plays as %(name)s: results of étuis still to play are hidden"),
    "session_put_away": _("Session removed from the lists"),
    "session_listed_again": _("Session listed again"),
    "tournament_put_away": _("Tournament removed from the lists"),
    "tournament_listed_again": _("Tournament listed again"),
    "hiding_lifted": _("The director who plays as %(name)s now sees every result"),
    # Changes under way.
    "plan_choice": _("Plan chosen"),
    "plan_game": _("Next game seated"),
    "plan_left": _("Player leaves after the game"),
    "plan_came": _("Player comes to the next game"),
    "plan_replaced": _("Player replaced from a game on"),
    "people_undone": _("Coming or leaving undone"),
    "game_closed": _("Game %(position)s closed: deals that no table had begun are not played"),
    "game_reopened": _("Closing of game %(position)s undone"),
    "game_undone": _("Tables of game %(position)s undone"),
    "plan_arrive": _("Late arrival: plan changed"),
    "plan_leave": _("Player leaving: plan changed"),
    "plan_return": _("Player back: plan changed"),
    "plan_substitute": _("Substitute: plan changed"),
    "plan_swap": _("Exchanged seats: plan corrected"),
    "plan_wrong_etuis": _("Étuis played instead of others: plan corrected"),
    "plan_resize": _("Number of positions changed"),
    "undo_arrive": _("Late arrival undone"),
    "undo_leave": _("Player leaving undone"),
    "undo_return": _("Return undone"),
    "undo_substitute": _("Substitute undone"),
    "undo_swap": _("Exchange of seats undone"),
    "undo_wrong_etuis": _("Exchange of étuis undone"),
    "undo_resize": _("Change of the number of positions undone"),
    "redirected": _(
        "Table %(table)s, position %(position)s, étui %(etui)s: the result goes to the étui that was played "
        "and to its players"
    ),
    "attacker_out": _(
        "Table %(table)s, position %(position)s, étui %(etui)s: another team attacks after the correction, so the "
        "attacker who was named is taken out"
    ),
    "counts_no_longer": _(
        "Table %(table)s, position %(position)s, étui %(etui)s: the result no longer counts, somebody had "
        "already played it"
    ),
}
LOG = Family(ACTIONS, {"points": "decimal", "part": "part", "about": "call"})


SETTINGS = {field.name: field for model in (Session, Tournament) for field in model._meta.fields}

# older rows of the log have this setting
SETTINGS["auction"] = CharField(SETTINGS["format"].verbose_name, choices=Tournament.Auction.choices)

YES_NO = "yes,no,maybe"  # a message of Django's own catalogue
NAMES = {"ties": _("how ties are separated"), "season": _("season")}


# The place of a play in the sentences, and its words where the tables deal.
PLACE = _("Table %(table)s, position %(position)s, étui %(etui)s")
PLACE_OF_DEAL = _("Table %(table)s, game %(position)s, deal %(etui)s")

# The sentences about a position, where the tables deal.
GAMES = {
    "position_called": _("Game %(position)s called"),
    "call_taken_back": _("Call of game %(position)s undone"),
    "last_call": _("Last call of game %(position)s at every table"),
    "last_call_table": _("Last call of game %(position)s at table %(table)s"),
    "last_call_taken_back": _("Last call of game %(position)s undone at every table"),
    "last_call_table_taken_back": _("Last call of game %(position)s undone at table %(table)s"),
}


def say_log(entry: LogEntry, *, stride: int = 0) -> str:
    """Return the sentence that says what was done, in the active language. Author, time and device are not in it.

    `stride`: where the tables deal, by how many numbers the first deal of a game follows that of the game before. Then
    a play is told as a deal of a game. Otherwise it is 0.
    """
    params = dict(entry.params)
    if "setting" in params:
        field = SETTINGS[params["setting"]]
        name = NAMES.get(field.name, field.verbose_name)
        params |= {"setting": name, **{when: say_value(field, params[when]) for when in ("before", "after")}}
    if stride and entry.action in GAMES:
        return sentence(replace(LOG, texts=GAMES), entry.action, params)
    if stride and "etui" in params and "position" in params:
        text = str(LOG.texts[entry.action]).replace(str(PLACE), str(PLACE_OF_DEAL))
        params["etui"] -= (params["position"] - 1) * stride
        return sentence(replace(LOG, texts={entry.action: text}), entry.action, params)
    return sentence(LOG, entry.action, params)


def say_value(field: "Field[Any, Any]", kept: str) -> str:
    """Return the value of a setting as its form shows it. `kept` is the text that the log has for the value."""
    if field.name == "ties":
        return say_ties(kept.split(",") if kept else ())
    if not kept and field.null:
        return str(_("nothing"))
    if field.is_relation:
        return kept
    value = field.to_python(kept)
    if isinstance(value, bool):
        yes, no, _maybe = gettext(YES_NO).split(",")
        return yes if value else no
    return str(dict(field.flatchoices).get(value, localize(value)))
