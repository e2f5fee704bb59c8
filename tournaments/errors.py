"""What a write refuses: a code for programs and one text for people, translated where it is shown.

A text says what is wrong, where, and what to do.
"""

from typing import ClassVar

from deals.errors import DealSetRefused
from wording import Plural, Refusal, Texts
from wording import gettext_noop as _


class Refused(Refusal):
    """Nothing was written. `field` names the input that is wrong, or is empty where it is the whole."""

    messages: ClassVar[Texts] = {
        # Setting up, seating, starting.
        "session_not_started": _("The session has not started: start it first."),
        "session_started": _("The session is under way and its plan is fixed: take the start back first."),
        "player_unknown": _("Player %(player)s is not on the club’s list: add the player first."),
        "player_twice": _("%(name)s is entered twice: each player has one seat."),
        "seat_twice": _("Two players sit on %(line)s at table %(number)s: move %(name)s."),
        "no_players": _("Nobody plays yet: enter the players first."),
        "seat_empty": _("%(line)s at table %(number)s is empty: seat a player there."),
        "results_depend_on_start": _("Results depend on this start: it can no longer be taken back."),
        "session_year": _("Calendars hold the years %(first)s to %(last)s: correct the date."),
        "weeks_end_first": _("The last week comes before the first evening: correct one of the dates."),
        "too_many_weeks": _("That is more than %(most)s evenings: give an earlier date, and the rest later."),
        "federation_shows_nothing": _("In an event of the federation tables see no result before the publication."),
        "etuis_public": _(
            "Readers have been shown the cards of étui %(number)s: choose étuis that nobody knows, or give the reason"
            " why these are played all the same."
        ),
        "no_ranking_yet": _("The club has published no ranking yet: draw by chance."),
        # Registration before the evening.
        "registration_closed": _("Registration is closed: ask the director whether there is room."),
        "registered_already": _(
            "%(name)s is down for this session already: use the personal link that was given then, or ask the director."
        ),
        "registration_password": _("This is not the password that the club gives out: ask the director for it."),
        "registration_log_in": _("Log in first: the club asks for an account."),
        "registration_too_many": _("More than %(most)s people are down already: ask the director."),
        "registration_begun": _("The evening has begun: tell the director at the desk."),
        "applicant_unknown": _("Nobody of that number is down for this session: look at the list again."),
        "applicant_doubtful": _("Say who %(name)s is: somebody on the club’s list, or new."),
        "nobody_present": _("Nobody is there yet: tick those who have come."),
        "contract_is_played": _(
            "Session %(number)s is played with this contract: it can no longer be changed. Make another tournament."
        ),
        "federation_session_shows": _(
            "Tables of session %(number)s see something of their results: set that to “nothing” in its settings first."
        ),
        "ties_twice": _("A criterion is chosen twice for equals: choose each once."),
        "lots_not_drawn": _("This tournament draws no lots: choose them for equals in its settings."),
        "no_equals": _("Nobody shares a rank: there is nothing to draw lots for."),
        "no_lots": _("No lots are drawn: there are none to take back."),
        "sections_unknown": _("This tournament has no session %(number)s: choose again."),
        "sections_two": _("Sections are two sessions at least, and at most %(most)s: choose them."),
        "section_already": _("Session %(number)s is a section already: part those sections first."),
        "sections_without_set": _("Session %(number)s has no étuis yet: choose those that the other sections play."),
        "sections_other_set": _(
            "Session %(first)s plays the set %(first_set)s, and session %(number)s the set %(set)s: sections play the"
            " same étuis."
        ),
        "sections_other_etuis": _(
            "Sessions %(first)s and %(number)s do not play the same étuis. Only one of them has: %(etuis)s."
        ),
        "sections_player_twice": _(
            "%(name)s plays in session %(first)s and in session %(number)s: nobody meets the same étuis twice."
        ),
        # Étuis and their sets.
        "deal_set_unknown": _("This deal set is not the club’s: choose or make another."),
        "no_deal_set_nor_plan": _("The session has no étuis: how many it takes follows from the plan."),
        "no_deal_set": _("The session has no étuis: prepare %(needed)s of them."),
        "etui_unknown": DealSetRefused.messages["etui_unknown"],
        "sessions_still_to_play": Plural(
            "%(waiting)s session has still to be played and published with these deals: reveal the seed after it.",
            "%(waiting)s sessions have still to be played and published with these deals: reveal the seed after them.",
            "waiting",
        ),
        "set_not_declared": _("A set for four is played by its sessions: it cannot be declared played."),
        "set_not_sealed": DealSetRefused.messages["set_not_sealed"],
        "played_date": _("Give a day from the sealing of the set until today."),
        "set_not_played": _("No session has played this set yet: reveal its seed after it has been played."),
        "seed_revealed": DealSetRefused.messages["seed_revealed"],
        "club_unknown": _("There is no such club of yours without a copy of the set: choose another."),
        "session_unknown": _("Choose a session in preparation, and an étui from which it plays."),
        "value_awaited": _("The étuis wait for the public value (%(name)s): enter it, then start."),
        "set_given_up": _("The club has given this copy up: choose or make another set."),
        "set_copied": _("The set has a copy, and copies keep the same étuis: take other étuis, or fewer positions."),
        "set_in_use": _("A session uses this set: take other étuis there first."),
        "etuis_known": _("Readers have been shown the cards of étui %(number)s: choose étuis that nobody knows."),
        "etuis_not_for_four": _("This set is for %(players)s players: choose or make one for four."),
        "etui_without_taker": _(
            "Étui %(number)s names no taker, and an imposed Garde needs one: choose or make another set."
        ),
        "too_few_etuis": _(
            "The session needs %(needed)s étuis for four players and its set has %(count)s: make another set."
        ),
        # The plan.
        "plan_faulty": _("The plan does not hold (%(problem)s): choose or send another."),
        "plan_for_others": _(
            "The plan is for other numbers than the session, and is not kept. The plan has tables: %(tables)s, players:"
            " %(players)s, positions: %(positions)s, étuis a position: %(etuis)s. The session has players:"
            " %(players_here)s, positions: %(positions_here)s, étuis a position: %(etuis_here)s."
        ),
        "plan_not_barometer": _(
            "The plan is not kept: its étuis move from table to table, and the session is set to barometer."
        ),
        "plan_unknown": _("There is no such plan to choose: choose one of those shown."),
        "plan_to_choose": Plural(
            "%(count)s player cannot play: a table needs four.",
            "%(count)s players can play in several ways: choose how.",
            "count",
        ),
        "filler_missing": _("%(line)s %(number)s waits for somebody who completes the table, unranked."),
        "filler_wanted": _("%(name)s, %(line)s %(number)s, is ranked: this seat is for somebody unranked."),
        "filler_misplaced": _("%(name)s, %(line)s %(number)s, is unranked: the plan has a ranked player there."),
        "seat_beyond_plan": _("%(name)s sits at %(line)s %(number)s, which the plan does not have: seat them anew."),
        "changes_depend_on_start": _("The plan has been changed since the start: undo the changes first."),
        # The evening as it goes.
        "no_position_called": _("No position is called yet: call the first one."),
        "no_position_left": Plural(
            "There is no position after the only one.",
            "There is no position after the last one, position %(count)s.",
            "count",
        ),
        "position_not_next": _("Position %(position)s is not the next one: that is position %(next)s."),
        "position_not_last_called": _(
            "Position %(position)s is not the one called last: that is %(called)s. Look at the desk again."
        ),
        "position_begun_already": _(
            "Position %(position)s has been begun: its call can no longer be taken back. Pause the clock instead."
        ),
        "clock_minutes": _("The clock is moved by 1 to %(most)s minutes at a time."),
        "last_call_unknown": _(
            "Choose what becomes of étuis not begun: not played, played later, or left as they are."
        ),
        "session_closed": _(
            "The evening is over and closed: tables enter nothing more. Ask the director, who can open it again."
        ),
        "table_rests": _("Table %(table)s does not play in this position: choose another."),
        # Results, at the tables and at the desk.
        "nothing_to_correct": _("This play has no result yet: enter it instead of correcting it."),
        "reason_missing": _("A reason is missing: say why in a few words."),
        "play_gone": _("This play is no longer planned: go back to the session and look at its plan."),
        "command_unknown": _("This device asks for something that the site does not know: reload the screen."),
        "command_malformed": _("%(field)s is not as the site expects it: reload the screen and try again."),
        "key_used": _("This number was used for another étui: enter the result again."),
        "play_unknown": _(
            "This étui is not, or no longer, played at this table: look at the plan, or call the arbiter."
        ),
        "play_has_result": _("This étui has a result: it has been played."),
        "nothing_to_withdraw": _("This play has no result: there is none to withdraw."),
        "play_annulled": _("The arbiter has annulled this étui here."),
        "play_adjusted": _("The arbiter has decided this étui here: only the director can change that."),
        "adjustment_empty": _(
            "Nothing is adjusted: assign a score that counts for the others, or fix notes. To take the play out for all"
            " four, annul it."
        ),
        "position_closed": _("This position is over: only the director can change it now. Call the arbiter."),
        "last_call": _("No new étui is begun in this position."),
        "not_writing": _("Another device writes for this table: take over to enter results here."),
        "nothing_to_check": _("This étui has no result yet: enter it first."),
        "check_blind": _("Here the other side enters the result itself, without seeing the first entry."),
        "check_other_side": _("The other side checks the result: the taker what a defender entered, or the reverse."),
        "check_other_device": _("Here the result is checked on another device than the one it was entered on."),
        "split_position": _("Its plays do not part there: choose one of %(positions)s."),
        "split_one_play": _("It is played once only: there is nothing to compare apart."),
        "split_tables": _(
            "A table is ticked that does not play it in position %(position)s: tick those of that position alone, or"
            " choose another one."
        ),
        "split_none_before": _(
            "Nobody plays it before position %(position)s: tick the tables that had played it when it was altered."
        ),
        "split_none_after": _(
            "Nobody plays it after position %(position)s: leave out the tables that played it once it was altered."
        ),
        "entrant_unknown": _("This player does not play in the session: choose one who does."),
        "penalty_range": _("Give points above 0, and at most %(most)s: correct them."),
        "penalty_kind": _("It is a penalty, a bonus or a warning: choose one of them."),
        "penalty_decimals": _("Percentage points have two decimals at most: round them."),
        "penalty_position": _("The session has positions 1 to %(most)s: choose one of them, or the whole session."),
        "warning_points": _("A warning has no points: leave them out, or give a penalty."),
        "usual_too_many": _("The list has %(most)s already: take one out first."),
        "usual_unknown": _("It is no longer in the club’s list: look at the list again."),
        "penalty_unknown": _("There is no such penalty in this session: look at the list again."),
        "version_unknown": _("The result has no contested version %(version)s: look at it again."),
        "publisher_still_plays": _(
            "You play in this session and have étuis to play yet: publish when every result is in, or let another"
            " director publish. To see every result beforehand, lift what is hidden from you on the desk: the log"
            " tells it."
        ),
        "session_has_results": _("Session %(number)s has results: it cannot be deleted, only put away."),
        "call_unknown": _("There is no such call in this session: look at the desk again."),
        # Changes under way.
        "positions_played": _("Position %(held)s has begun: keep at least as many positions, and at most 60."),
        "player_seated": _("%(name)s plays in this session already: name somebody else."),
        "nobody_named": _("Nobody is named: choose at least one player."),
        "position_unknown": _("Choose a position from 1 to %(most)s."),
        "position_begun": _("What has begun stays as it is: choose a position from %(settled)s to %(last)s."),
        "entrant_gone": _("%(name)s has gone home or has a substitute already."),
        "entrant_there": _("%(name)s has not gone by then: choose somebody who has gone home, or a later position."),
        "swap_of_one": _("%(name)s is named twice: name the two who sat in each other’s seats."),
        "etui_twice_at_table": _("Table %(table)s would have played an étui twice: check what it played."),
        "table_unknown": _("Table %(table)s has played nothing in that position: choose another table or position."),
        "etuis_unchanged": _("Every étui is the one planned: name the one that was played instead."),
        "etuis_lacking": Plural(
            "This way takes %(count)s étui more than the set has: add it to the set, or choose another way.",
            "This way takes %(count)s étuis more than the set has: add them to the set, or choose another way.",
            "count",
        ),
        "etui_met": _(
            "Somebody at this table has played étui %(number)s before: it is not played here, and has no result."
        ),
        "no_way_on": _("This cannot be done with the plan as it is: look at it again, or choose another position."),
        "nothing_to_undo": _("No change of the plan is left to undo."),
        "results_depend_on_change": _("Results depend on this change: it can no longer be undone."),
        # Two players who are one.
        "merge_of_one": _("%(name)s is chosen twice: choose the other player."),
        "players_met": _(
            "%(name)s and %(other)s sit in one session (%(tournament)s, %(number)s): they are two people, and stay two."
        ),
        "accounts_of_both": _("%(name)s and %(other)s have an account each: end one of the accounts first."),
        "merge_stuck": _("%(name)s and %(other)s stand in one list together: take one of them out there first."),
        "merge_rested_on": _("Something new rests on %(name)s since then: the merge can no longer be undone."),
        "erasure_while_playing": _(
            "This player sits in a session that is under way (%(tournament)s, session %(number)s): once it is closed or"
            " published, the erasure is possible."
        ),
        # Corrections that players ask for.
        "link_revoked": _("This personal link was taken back: ask the director for another one."),
        "requests_not_yet": _("Your results are not shown: corrections can be asked for once they are."),
        "requests_withdrawn": _("The ranking was taken back: wait until it is published again."),
        "requests_over": _("The time for corrections is over, for the ranking is official: speak with the director."),
        "request_empty": _("Say what is wrong: choose a phrase, or write a few words."),
        "request_too_long": _("This is longer than %(most)s letters: say it in fewer words."),
        "request_too_many": _("You have asked for %(most)s corrections already: speak with the director."),
        "request_not_yours": _("This is for those who played this étui there: look at your own étuis."),
        "request_unknown": _("There is no such request in this session: look at the list again."),
        "request_over": _("This request is decided, or was taken back: look at the page again."),
        "request_hidden": _("You have still to play étui %(number)s: let another director decide."),
        "request_version": _("The result has no version %(version)s: look at it again."),
        # Publication.
        "nothing_to_publish": _("No result counts yet: enter at least one before publishing."),
        "sections_still_play": _(
            "Session %(number)s still plays the same étuis: its players would see what they are worth. Wait for it, or"
            " say that you publish without it."
        ),
        "results_missing": Plural(
            "%(missing)s result is missing: enter it, or say that you publish without it.",
            "%(missing)s results are missing: enter them, or say that you publish without them.",
            "missing",
        ),
        "tournament_of_one": _("A tournament of one session has the ranking of that session: publish it there."),
        "no_session_published": _(
            "Readers are shown the ranking of no session of the tournament: publish one first, or switch it on."
        ),
        "nothing_published": _("Nothing is published yet: publish the ranking first."),
        "ranking_withdrawn": _("The ranking has been taken back: publish it again first."),
        "ranking_not_official": _("The ranking is not official: correct what is wrong and publish again."),
        "cards_still_to_play": _(
            "The same étuis have still to be played in another session: show the cards once it is published, or once"
            " the copy is given up."
        ),
        "cards_not_shown": _(
            "The publication of %(name)s, session %(number)s, does not show the cards: switch them on there first."
        ),
    }


class Conflict(Refused):
    """Somebody else was faster: what is stored now is not what the writer had seen."""

    messages: ClassVar[Texts] = {
        "kept_contested": _("This étui has another result already: both are kept, and the director decides."),
        "plan_out_of_date": _("The players or the settings have changed meanwhile: choose again."),
        "result_already_entered": _(
            "A result has been entered for this play already: have it looked at, and corrected if it is wrong."
        ),
        "ruled_meanwhile": _("Somebody else has ruled on this meanwhile: look at it before ruling again."),
        "penalised_meanwhile": _(
            "Somebody else has said something of %(name)s meanwhile: look at it below before you say more."
        ),
        "corrected_meanwhile": _(
            "The result has been corrected meanwhile (version %(version)s): look at it before correcting it again."
        ),
        "request_there": _("%(name)s has asked about this étui already: say whether you agree."),
        "request_decided": _("Another director has decided this meanwhile: look at it again."),
    }


class NotShown(Refused):
    """Readers may not have it, or not any more."""

    messages: ClassVar[Texts] = {
        "withdrawn": _("The director has taken the ranking back: ask again once it is published again."),
        "part_not_shown": _("The director has not made this part of the publication public."),
    }
