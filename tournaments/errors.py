"""The refusals of writes. Each has a code for programs and a text for people, which says what is wrong and what to do.

The texts are translated where they are shown.
"""

from typing import ClassVar

from deals.errors import DealSetRefused
from wording import Plural, Refusal, Texts
from wording import gettext_noop as _


class ActionRefused(Refusal):
    """An error: the write was refused and wrote nothing. `field` names the wrong input, or is "" if there is none."""

    messages: ClassVar[Texts] = {
        "file_being_made": _("The site is making another file for you: wait until it is ready, then ask again."),
        "papers_show_cards": _(
            "These papers show cards of étuis that you still have to play: ask for them again without the cards."
        ),
        # Setup, seating and start of a session.
        "session_not_started": _("The session has not started: start it first."),
        "session_started": _("The session is under way and its plan is fixed: undo the start first."),
        "player_unknown": _("Player %(player)s is not on the club’s list: add this player first."),
        "player_twice": _("%(name)s is entered twice, and each player has one seat: remove one of them."),
        "seat_twice": _("Two players sit on %(line)s at table %(number)s: move %(name)s."),
        "no_players": _("No players are seated yet: seat the players first."),
        "seat_empty": _("%(line)s at table %(number)s is empty: seat a player there."),
        "results_depend_on_start": _("Results depend on this start: it can no longer be undone."),
        "session_year": _("Calendars cover the years %(first)s to %(last)s: correct the date."),
        "weeks_end_first": _("The last week is before the first evening: correct one of the dates."),
        "too_many_weeks": _("That is more than %(most)s evenings: choose an earlier date, and create the rest later."),
        "federation_shows_nothing": _(
            "In an official FFT event, tables see no results before publication: choose “nothing”."
        ),
        "etuis_public": _(
            "Readers have seen the cards of étui %(number)s: choose étuis that nobody knows, or give the "
            "reason for playing these anyway."
        ),
        "no_ranking_yet": _("The club has not published a ranking yet: draw at random."),
        # Registration before the evening.
        "registration_closed": _("Registration is closed: ask the director whether there is room."),
        "registered_already": _(
            "%(name)s has already signed up for this session: use the personal link from then, or ask the director."
        ),
        "registration_password": _("This is not the club’s password: ask the director for it."),
        "registration_log_in": _("Log in first: the club requires an account."),
        "registration_too_many": _("More than %(most)s people have already signed up: ask the director."),
        "registration_begun": _("The evening has started: tell the director at the desk."),
        "applicant_unknown": _("Nobody with that number has signed up for this session: look at the list again."),
        "applicant_doubtful": _("Choose who %(name)s is: somebody on the club’s list, or somebody new."),
        "registered_team_gone": _("This team has withdrawn, or you no longer belong to it: ask the captain."),
        "registered_team_full": _("The team has its %(most)s players: the captain has to take one out first."),
        "team_named_too_many": _("At most %(most)s players can be named for one team: ask the director."),
        "no_team_present": _("No team is complete and present yet: mark its %(needed)s players as present."),
        "nobody_present": _("Nobody is present yet: tick the people who have come."),
        "contract_is_played": _(
            "Session %(number)s is already played with this contract, so it can no longer change. Create another "
            "tournament."
        ),
        "format_has_players": _("Players or teams are there already: create another tournament for this format."),
        "federation_session_shows": _(
            "The tables of session %(number)s see some of their results: set this to “nothing” in its settings first."
        ),
        "federation_without_form": _("The federation has no such form: choose another format, or remove this tick."),
        "ties_twice": _("A criterion for ties is chosen twice: choose each once."),
        "lots_not_drawn": _("This tournament does not draw lots: choose lots for ties in its settings."),
        "no_equals": _("Nobody shares a rank: there is nothing to draw lots for."),
        "no_lots": _("No lots have been drawn: there is no draw to cancel."),
        "sections_unknown": _("This tournament has no session %(number)s: choose again."),
        "sections_two": _("Sections are 2 to %(most)s sessions: choose them."),
        "section_already": _("Session %(number)s is already a section: separate those sections first."),
        "sections_without_set": _(
            "Session %(number)s has no étuis yet: choose the étuis that the other sections play."
        ),
        "sections_other_set": _(
            "Session %(first)s plays the set %(first_set)s, and session %(number)s the set %(set)s. Sections play "
            "the same étuis: choose one set for both."
        ),
        "sections_other_etuis": _(
            "Sessions %(first)s and %(number)s do not play the same étuis. Only one of them has these: %(etuis)s."
        ),
        "sections_player_twice": _(
            "%(name)s plays in session %(first)s and in session %(number)s: nobody can play the same étuis twice."
        ),
        # Étuis and sets of étuis.
        "deal_set_unknown": _("This deal set does not belong to the club: choose or prepare another."),
        "no_deal_set_nor_plan": _("The session has no étuis: their number depends on tables and positions."),
        "no_deal_set": _("The session has no étuis: prepare %(needed)s."),
        "etui_unknown": DealSetRefused.messages["etui_unknown"],
        "sessions_still_to_play": Plural(
            "%(waiting)s session with these deals has still to be played and published: reveal the secret draw"
            " after it.",
            "%(waiting)s sessions with these deals have still to be played and published: reveal the secret"
            " draw after them.",
            "waiting",
        ),
        "set_not_declared": _("Sessions play this set, or sets of its kind: it cannot be declared played."),
        "set_not_sealed": DealSetRefused.messages["set_not_sealed"],
        "played_date": _("Choose a day between the sealing of the set and today."),
        "set_not_played": _("No session has played this set yet: reveal its secret draw after it has been played."),
        "seed_revealed": DealSetRefused.messages["seed_revealed"],
        "club_unknown": _("This is not one of your clubs, or it already has a copy of the set: choose another."),
        "session_unknown": _("Choose a session in preparation, and the étui that it starts with."),
        "value_awaited": _("The étuis are waiting for the public value (%(name)s): enter it, then start."),
        "set_given_up": _("The club has given up this copy: choose or prepare another set."),
        "set_copied": _("The set has a copy, and copies keep the same étuis: choose other étuis, or fewer positions."),
        "set_in_use": _("A session uses this set: choose other étuis there first."),
        "etuis_known": _("Readers have seen the cards of étui %(number)s: choose étuis that nobody knows."),
        "etuis_not_for_four": _("This set is for %(players)s players: choose or prepare one for four."),
        "etui_without_taker": _(
            "Étui %(number)s names no taker, and an imposed Garde needs one: choose or prepare another set."
        ),
        "too_few_etuis": _(
            "The session needs %(needed)s étuis for four players, but its set has %(count)s: prepare another set."
        ),
        # The plan.
        "plan_faulty": _("The plan is not correct (%(problem)s): choose or send another."),
        "plan_for_others": _(
            "The plan does not suit the session, and is not kept. The plan has tables: %(tables)s, players: "
            "%(players)s, positions: %(positions)s, étuis per position: %(etuis)s. The session has players: "
            "%(players_here)s, positions: %(positions_here)s, étuis per position: %(etuis_here)s."
        ),
        "plan_not_barometer": _(
            "The plan is not kept: its étuis move from table to table, but in this session all tables play the"
            " same étuis at once. Choose another plan."
        ),
        "players_not_played": _("Teams play in this tournament: choose the teams."),
        "plan_of_teams": _("Teams play in this session: its plan has another address, team-plan/."),
        "substitute_one_way": _("Name a player of the club, or write a new name: one of the two."),
        "teams_not_played": _("Everybody plays alone in this tournament, so it has no teams: choose the players."),
        "team_unknown": _("Team %(team)s is not in this tournament: choose one of its teams."),
        "team_has_left": _("%(name)s has left the tournament: choose the other teams."),
        "team_incomplete": _("%(name)s has %(count)s members, and needs %(needed)s to play: add the missing ones."),
        "team_plays_already": _("%(name)s plays in this session already."),
        "team_gone": _("%(name)s does not play any more in this session."),
        "team_without_players": _("A team has at least one player: name them."),
        "team_too_large": _("A team has at most %(most)s players, and this one has %(count)s: leave some out."),
        "team_full": _("%(name)s has its %(most)s players: replace one of them instead."),
        "team_name_taken": _("Team %(number)s is already called “%(name)s”: choose another name."),
        "team_number": _("Choose a number between 1 and %(most)s."),
        "team_numbers_fixed": _("A session has started, and the teams are known by their numbers: they stay."),
        "team_has_played": _("%(name)s plays in a session that has started: let a substitute replace a member."),
        "team_plays_now": _("%(name)s still plays in session %(number)s: take it out of this session first."),
        "player_in_a_team": _("%(name)s is already in a team, %(team)s: a player is in one team of a tournament."),
        "player_in_team_twice": _("%(name)s is named twice in this team: name another player."),
        "players_in_one_team": _("%(name)s and %(other)s were both in team %(team)s (%(tournament)s): two people."),
        "players_in_two_teams": _(
            "%(name)s and %(other)s are both in teams of the tournament “%(tournament)s” (teams %(team)s and "
            "%(other_team)s): they are two people, and cannot be merged."
        ),
        "captain_not_in_team": _("The captain is a member of the team: choose one of its players."),
        "member_unknown": _("This player is not in the team any more: look at the team again."),
        "member_never_there": _("%(name)s is in no position of this session: the substitute has a link instead."),
        "member_gone": _("%(name)s has already left the team: look at the team again."),
        "no_last_teams": _("The club has no earlier tournament with teams of this format: type or paste the teams."),
        "reason_for_leaving": _("Say why the team leaves."),
        "reason_for_outsider": _("Say why a player from outside the club’s list plays."),
        "substitute_when": _("Choose a session of this tournament and one of its positions, 1 to %(most)s."),
        "substitute_too_early": _("%(name)s came later than that: choose a later position."),
        "substitute_attacked": _("%(name)s is the attacker of a result from then on: choose a later position."),
        "substitute_played": _("%(name)s has played, asked, answered or was replaced: this can no longer be undone."),
        "points_of_attack": _(
            "Match points are fixed for the team that attacks here. Fix those of the other team where it attacks."
        ),
        "line_ups_not_played": _("In this format no attacker is named for a whole session: there are no line-ups."),
        "line_up_late": _("No position is left to play in this session: the line-up stays."),
        "line_up_captain": _("Only the captain hands in the line-up of a team: ask your captain, or a director."),
        "line_up_begun": _("The session has started: now only a director changes a line-up, with a reason."),
        "line_up_reason": _("The session has started: say why the line-up changes."),
        "line_up_incomplete": _("Name the attacker and the three defenders, each in a seat."),
        "line_up_stranger": _("This player is not in the team: choose one of its members."),
        "line_up_twice": _("A player has two seats: name four different players."),
        "too_few_teams": _("At least %(least)s teams must play on: end the session instead."),
        "teams_lacking": Plural(
            "%(count)s team has a number: at least %(least)s play in this format.",
            "%(count)s teams have a number: at least %(least)s play in this format.",
            "count",
        ),
        "team_plan_to_choose": _("The %(count)s teams can play in several ways: choose how."),
        "plan_unknown": _("This plan is not available: choose one of those shown."),
        "plan_to_choose": Plural(
            "%(count)s player cannot play: a table needs four.",
            "%(count)s players can play in several ways: choose how.",
            "count",
        ),
        "filler_missing": _("%(line)s %(number)s needs somebody to complete the table, unranked."),
        "filler_wanted": _("%(name)s, %(line)s %(number)s, is ranked: this seat is for somebody unranked."),
        "filler_misplaced": _("%(name)s, %(line)s %(number)s, is unranked: the plan has a ranked player there."),
        "seat_beyond_plan": _(
            "%(name)s is at %(line)s %(number)s, which the plan does not have: give them another seat."
        ),
        "changes_depend_on_start": _("The plan has been changed since the start: undo the changes first."),
        "attacker_without_team": _("Single players play in this tournament: no team member attacks."),
        "attacker_stranger": _("%(name)s is not in the team that attacks here, %(team)s: choose one of its players."),
        "attacker_away": _("%(name)s was not in the team in position %(position)s: choose one of its players then."),
        "attacker_unknown": _("The team that attacks here, %(team)s, has no such player: choose one of its players."),
        # The course of the evening.
        "no_position_called": _("No position is called yet: call the first one."),
        "no_position_left": Plural(
            "There is no position after the only one.",
            "There is no position after the last one, position %(count)s.",
            "count",
        ),
        "position_not_next": _("Position %(position)s is not the next one: position %(next)s is."),
        "position_not_last_called": _(
            "Position %(position)s is not the last one called: position %(called)s is. Look at the desk again."
        ),
        "position_begun_already": _(
            "Position %(position)s has started: its call can no longer be undone. Pause the clock instead."
        ),
        "clock_minutes": _("The clock can be moved by 1 to %(most)s minutes at a time."),
        "last_call_unknown": _(
            "Choose what happens to étuis not started: not played, played later, or left as they are."
        ),
        "session_closed": _(
            "The evening is over and closed: tables can no longer enter results. Ask the director, who can "
            "open it again."
        ),
        "table_rests": _("Table %(table)s does not play in this position: choose another."),
        # Results, at the tables and at the desk.
        "nothing_to_correct": _("This play has no result to correct yet: enter one."),
        "reason_missing": _("The reason is missing: give it in a few words."),
        "play_gone": _("This play is no longer in the plan: go back to the session and look at its plan."),
        "command_unknown": _("This device sent a request that the site does not know: reload the screen."),
        "command_malformed": _("The site cannot read %(field)s: reload the screen and try again."),
        "key_used": _("This number has already been used for another étui: enter the result again."),
        "play_unknown": _(
            "This étui is not played at this table, or no longer is: look at the plan, or call the arbiter."
        ),
        "play_has_result": _("This étui has a result, so it has been played: correct or withdraw the result."),
        "nothing_to_withdraw": _("This play has no result to withdraw: look at it again."),
        "play_annulled": _("The arbiter has annulled this étui here: only the director can change that."),
        "play_adjusted": _("The arbiter has ruled on this étui here: only the director can change that."),
        "adjustment_empty": _(
            "Nothing is adjusted: assign a score that counts for the others, or fix notes. To exclude the "
            "play for all four players, annul it."
        ),
        "position_closed": _("This position is over: only the director can change it now. Call the arbiter."),
        "last_call": _("No table starts another étui in this position."),
        "not_writing": _("Another device enters the results of this table: take over to enter them here."),
        "nothing_to_check": _("This étui has no result yet: enter it first."),
        "check_blind": _("Here the other side enters the result too, without seeing the first entry."),
        "check_other_side": _(
            "The other side must check the result: the taker checks a defender’s entry, and a defender checks "
            "the taker’s."
        ),
        "check_other_device": _("Here the result must be checked on another device than the one that entered it."),
        "split_position": _("Its plays cannot be separated there: choose one of %(positions)s."),
        "split_one_play": _("It is played only once: there is nothing to compare separately."),
        "split_tables": _(
            "A ticked table does not play it in position %(position)s: tick only tables of that position, or "
            "choose another position."
        ),
        "split_none_before": _(
            "No table plays it before position %(position)s: tick the tables that had already played it when "
            "it was altered."
        ),
        "split_none_after": _(
            "No table plays it after position %(position)s: do not tick the tables that played it once it was altered."
        ),
        # Records of the cards played.
        "record_before_result": _("This étui has no result here yet: enter it first, then record its cards."),
        "record_passed": _("Nobody took this étui: no card was played, and there is nothing to record."),
        "record_contract": _("The result does not say which contract was played: enter its facts first."),
        "record_lead_only": _("Here tables record the opening lead alone: the director can allow whole deals."),
        "record_players": _("A record of this étui is for four players, not %(found)s."),
        "record_empty": _("The record has no card: write at least the opening lead."),
        "record_unknown": _("The record has no version %(version)s: look at it again."),
        "record_too_many": _("This étui already has %(most)s versions of its record: ask the director."),
        "entrant_unknown": _("This player does not play in the session: choose another."),
        "penalty_range": _("The points must be above 0 and at most %(most)s: correct them."),
        "penalty_kind": _("Choose one: a penalty, a bonus or a warning."),
        "penalty_decimals": _("Points have at most two decimals: round them."),
        "penalty_position": _("The session has positions 1 to %(most)s: choose one of them, or the whole session."),
        "warning_points": _("A warning has no points: leave them out, or give a penalty."),
        "usual_too_many": _("The list already has %(most)s entries: remove one first."),
        "usual_unknown": _("It is no longer in the club’s list: look at the list again."),
        "penalty_unknown": _("There is no such penalty in this session: look at the list again."),
        "version_unknown": _("The result has no contested version %(version)s: look at it again."),
        "publisher_still_plays": _(
            "You play in this session and still have étuis to play: publish when every result is in, or let another"
            " director publish. To see every result first, show on the desk what is hidden from you: this is noted "
            "in the log."
        ),
        "session_has_results": _(
            "Session %(number)s has results: it cannot be deleted, but you can remove it from the lists."
        ),
        "cut_has_consolation": _("A consolation takes the players who are out: undo the cut of the consolation first."),
        "call_unknown": _("There is no such call in this session: look at the desk again."),
        # Changes of the plan during the evening.
        "positions_played": _("Position %(held)s has started: keep at least as many positions, and at most 60."),
        "player_seated": _("%(name)s already plays in this session: choose somebody else."),
        "nobody_named": _("Nobody is chosen: choose at least one player."),
        "position_unknown": _("Choose a position from 1 to %(most)s."),
        "position_begun": _("What has started cannot change: choose a position from %(settled)s to %(last)s."),
        "entrant_gone": _("%(name)s has gone home or already has a substitute: choose another player."),
        "entrant_not_come": _(
            "%(name)s plays from position %(first)s on only: choose a later position, or undo that change first."
        ),
        "entrant_there": _("%(name)s has not left by then: choose somebody who has, or a later position."),
        "team_at_tables": _("Here teams sit at several tables at once: correct the results of each table instead."),
        "swap_of_one": _("%(name)s is chosen twice: choose the two who exchanged seats."),
        "etui_twice_at_table": _("Table %(table)s would have played an étui twice: check what it played."),
        "table_unknown": _("Table %(table)s has played nothing in that position: choose another table or position."),
        "etuis_unchanged": _("Every étui is the one in the plan: choose the one that was played instead."),
        "etuis_lacking": Plural(
            "The set has %(count)s étui too few for this: add it to the set, or choose another solution.",
            "The set has %(count)s étuis too few for this: add them to the set, or choose another solution.",
            "count",
        ),
        "etui_met": _(
            "Somebody at this table has already played étui %(number)s: it is not played here, and has no result."
        ),
        "no_way_on": _("The current plan does not allow this: look at it again, or choose another position."),
        "nothing_to_undo": _("There is no change of the plan left to undo."),
        "results_depend_on_change": _("Results depend on this change: it can no longer be undone."),
        # The merge of two records of one player.
        "merge_of_one": _("%(name)s is chosen twice: choose the other player."),
        "players_met": _(
            "%(name)s and %(other)s play in the same session (%(tournament)s, %(number)s): they are two "
            "people, and cannot be merged."
        ),
        "accounts_of_both": _("%(name)s and %(other)s each have an account: close one of the accounts first."),
        "merge_stuck": _("%(name)s and %(other)s are on one list together: remove one of them first."),
        "merge_rested_on": _("Something new now depends on %(name)s: the merge can no longer be undone."),
        "erasure_while_playing": _(
            "This player plays in a session that is under way (%(tournament)s, session %(number)s): erase them once"
            " it is closed or published."
        ),
        # Requests of players for corrections.
        "link_revoked": _("This personal link has been withdrawn: ask the director for another."),
        "requests_not_yet": _("Your results are not shown yet: you can ask for corrections once they are."),
        "requests_withdrawn": _("The ranking has been withdrawn: wait until it is published again."),
        "requests_over": _("The time for corrections is over, and the ranking is official: speak to the director."),
        "request_empty": _("Say what is wrong: choose a sentence, or write a few words."),
        "request_too_long": _("This is longer than %(most)s letters: use fewer words."),
        "request_too_many": _("You have already asked for %(most)s corrections: speak to the director."),
        "request_not_yours": _("Only the players who played this étui there can do this: look at your own étuis."),
        "request_unknown": _("There is no such request in this session: look at the list again."),
        "request_over": _("This request has been decided or withdrawn: look at the page again."),
        "request_hidden": _("You have not played étui %(number)s yet: let another director decide."),
        "request_version": _("The result has no version %(version)s: look at it again."),
        # Publication.
        "nothing_to_publish": _("No result counts yet: enter at least one before publishing."),
        "sections_still_play": _(
            "Session %(number)s still plays the same étuis: its players would see the results. Wait for it, "
            "or confirm that you publish without it."
        ),
        "results_missing": Plural(
            "%(missing)s result is missing: enter it, or confirm that you publish without it.",
            "%(missing)s results are missing: enter them, or confirm that you publish without them.",
            "missing",
        ),
        "tournament_of_one": _("With one session, the tournament’s ranking is that of the session: publish it there."),
        "no_session_published": _(
            "Readers do not see the ranking of any session of the tournament: publish one first, or show it."
        ),
        "nothing_published": _("Nothing is published yet: publish the ranking first."),
        "ranking_withdrawn": _("The ranking has been withdrawn: publish it again first."),
        "ranking_not_official": _("The ranking is not official: correct what is wrong and publish again."),
        "cards_still_to_play": _(
            "Another session has not played the same étuis yet. Show the cards once it is published, or once the "
            "copy is given up."
        ),
        "cards_not_shown": _(
            "The publication of %(name)s, session %(number)s, does not show the cards: show them there first."
        ),
    }


class Conflict(ActionRefused):
    """An error: the write was refused because somebody else has changed the data since the user saw it."""

    messages: ClassVar[Texts] = {
        "kept_contested": _("This étui already has another result: both are kept, and the director decides."),
        "plan_out_of_date": _("The players or the settings have changed in the meantime: choose again."),
        "result_already_entered": _(
            "This play already has a result: ask the other side to check it, and correct it if it is wrong."
        ),
        "ruled_meanwhile": _(
            "Somebody else has ruled on this in the meantime: look at their ruling before you rule again."
        ),
        "penalised_meanwhile": _(
            "Somebody else has given or withdrawn something for %(name)s in the meantime: look at it below first."
        ),
        "corrected_meanwhile": _(
            "The result has been corrected in the meantime (version %(version)s): look at it before you "
            "correct it again."
        ),
        "line_up_meanwhile": _("Another line-up of this team came in meanwhile: look at it before you change it."),
        "record_kept": _("Another device recorded other cards: both records are kept, and the director decides."),
        "recorded_meanwhile": _(
            "The cards have been recorded in the meantime (version %(version)s): look at that record first."
        ),
        "request_there": _("%(name)s has already asked about this étui: say whether you agree."),
        "request_decided": _("Another director has decided this in the meantime: look at it again."),
    }


class NotShown(ActionRefused):
    """An error: readers may not see, or may no longer see, this page or part of a publication."""

    messages: ClassVar[Texts] = {
        "withdrawn": _("The director has withdrawn the ranking: come back once it is published again."),
        "part_not_shown": _("The director has not made this part public."),
        "etuis_secret": _("The étuis of this simultaneous are secret until its public hour: come back then."),
    }
