"""The sentences that differ from one format to another. A page names a sentence by its key and asks for no format.

Sentences are whole, so that translators see what they translate. `ETUIS` are the sentences of formats with étuis. A
format with others has a table in `OTHERS`: a key that is missing there has the sentence of ETUIS. A key with a dot is
a field of forms and its label or help text; a field without one speaks as usual.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, pgettext_lazy

from scoring.formats import (
    DOUBLETTES,
    FREE_AUCTION,
    FREE_AUCTION_3,
    FREE_AUCTION_5,
    FREE_DEALS,
    QUADRETTES,
    TEAM_MATCH,
    TRIPLETTES,
    Format,
)

Words = dict[str, str | Promise]
NO_NAMES: Mapping[str, Any] = MappingProxyType({})

ETUIS: Words = {
    "all_count": "",
    "worst_dropped": "",
    "has_started": _("The session has started: who plays what and where is fixed, and no étui changes any more."),
    "hours": _("From %(begin)s to about %(end)s: %(etuis)s at each table, %(minutes)s each."),
    "is_saved": _("Étui %(etui)s, table %(table)s: %(score)s is saved."),
    "positions_told": _("%(positions)s, of %(etuis)s étuis"),
    "seat_them": _("Seat them"),
    "seat_players": ngettext_lazy("seat %(n)s player", "seat %(n)s players", "n"),
    "are_seated": _("Seated: %(players)s."),
    "seats_changed": _("The seats are changed."),
    "to_position_only": _("to position %(position)s only"),
    "somebody_is_replaced": _("Somebody is replaced"),
    "replaced_at_full_tables": _(
        "All tables have the same number of players, so nobody can come or leave alone. Somebody else can take the "
        "seat of a player from a position on."
    ),
    "replace_a_player": _("Replace a player"),
    "position": _("Position %(position)s"),
    "for_position_1": _("for position 1"),
    "last_call": _("Last call: do not start a new étui"),
    "to_position": _("→ position %(position)s"),
    "results_expected": _("Position %(position)s, results expected from tables:"),
    "then_at_table": ngettext_lazy(
        "Then, position %(position)s: table %(number)s, étui %(etuis)s",
        "Then, position %(position)s: table %(number)s, étuis %(etuis)s",
        "n",
    ),
    "position_numbered": _("Position %(number)s"),
    "etuis": _("Étuis"),
    "position_head": _("Position"),
    "plan_described": _(
        "%(name)s at %(club)s, %(date)s: plan of session %(number)s, with everybody’s tables and étuis, position by "
        "position."
    ),
    "not_played_here": _("This étui is not played here: no result is expected. A result entered now still counts."),
    "played_later": _("This étui will be played later: its result is still expected."),
    "etui": _("Étui %(number)s"),
    "etui_head": _("Étui"),
    "position_table": _("Position %(position)s, table %(table)s"),
    "next_etui": _("Next: étui %(number)s"),
    "next_elsewhere": _("Next: étui %(number)s, position %(position)s"),
    "back_to_table": _("Back to the table’s étuis"),
    "result_elsewhere": _("This result belongs to another étui or table"),
    "etui_table": _("Étui %(number)s, table %(table)s"),
    "correction_requested": _("Correction requested, étui %(number)s, table %(table)s"),
    "annulled_explained": _(
        "It is removed from the topage and the percentages; its result stays on record, and you can restore it."
    ),
    "and_etui": _(", étui %(number)s"),
    "competitor": _("Player"),
    "each_route": _("Each player’s route"),
    "all_keep_rank": _("Everybody keeps their rank; only percentages change."),
    "nothing_moves": _("No place or percentage changes."),
    "ranks_kept": ngettext_lazy(
        "%(n)s player keeps their rank with another percentage",
        "%(n)s players keep their ranks with other percentages",
        "n",
    ),
    "figure_head": _("Global"),
    "note_head": _("Note"),
    "about_penalties": _(
        "Percentage points taken off a player’s overall percentage, or added to it, and warnings. The player’s notes "
        "do not change."
    ),
    "table_in_each": _("The table in each position"),
    "and_etuis_there": _(", and the étuis played there"),
    "etuis_there": " %(etuis)s",
    "numbers_played": "%(etuis)s",
    "etuis_played": ngettext_lazy("étui %(etuis)s", "étuis %(etuis)s", "n"),
    "you_rest": _("Position %(position)s: you rest"),
    "then": _("Then, position %(position)s:"),
    "grid_label": _("The étuis of each table in each position"),
    "call_and_clock": _("Position and clock"),
    "nothing_called": _("No position is called yet"),
    "call_position": _("Call position %(position)s"),
    "awaited_in": ngettext_lazy("Position %(position)s: %(n)s awaited", "Position %(position)s: %(n)s awaited", "n"),
    "no_new_etui": _("No table starts another étui; those under way are played to the end."),
    "etuis_not_started": _("Étuis not started"),
    "etuis_set_aside": ngettext_lazy("%(n)s étui to play later", "%(n)s étuis to play later", "n"),
    "etui_position_table": _("Étui %(etui)s, position %(position)s, table %(table)s"),
    "undo_call": _("Undo the call of position %(position)s"),
    "federation_file": _(
        "Licence, name, club, line, rank of the alterné and percentage; players without licence come first. The log "
        "says who downloads it."
    ),
    "look_for": _("étui 7, table 3, a name"),
    "nothing_disputed": _("Nothing is disputed or to check, and nothing contradicts an étui’s cards."),
    "table_etuis": ngettext_lazy("table %(number)s: étui %(numbers)s", "table %(number)s: étuis %(numbers)s", "n"),
    "position_short": _("Pos. %(position)s"),
    "games_and_tables": _("Tables"),
    "tables_and_positions": _("Tables and positions"),
    "start_explained": _(
        "The start fixes who plays what and where, and no étui changes any more. "
        "You can undo it until the first result."
    ),
    "session_described": _(
        "%(name)s at %(club)s: session %(number)s, %(date)s. Who plays where in this duplicate Tarot evening, and "
        "its ranking."
    ),
    "unstart_explained": _(
        "Nothing has been entered yet: you can still discard the plan, to change players or positions. Players and "
        "étuis are kept."
    ),
    "nothing_yet": _("Nothing is compared yet"),
    "ranking_starts": _(
        "The tournament’s ranking starts with the first étui that two tables of a session have played."
    ),
    "players_and_seats": _("Players and seats"),
    "feuille_described": _(
        "%(name)s at %(club)s, session %(number)s, %(date)s: étui by étui, the results and notes of %(player)s."
    ),
    "tournament_described": _(
        "%(name)s, duplicate French Tarot at %(club)s: the dates of its sessions, their rankings and their étuis."
    ),
    "competitors_counted": ngettext_lazy("%(n)s player", "%(n)s players", "n"),
    "etuis_counted": ngettext_lazy("%(n)s étui", "%(n)s étuis", "n"),
    "by_alterne": _(
        "Classement alterné: the first of each of the four lines, then the second of each, and so on. It is the "
        "ranking that counts in a tournament of one session."
    ),
    "by_sections": _("All sections by global percentage; the letter is the section."),
    "by_general": _("Classement général: everybody by global percentage, whatever the line."),
    "how_compared": _(
        "On each étui the takers’ scores are compared, from 100 for the best to 0 for the worst. Each defender gets "
        "100 minus the taker’s note."
    ),
    "global_is": _("Global = ¼ of the attack and ¾ of the defence."),
    "ties_told": _("Equal percentages are separated by: %(criteria)s. Players who are still tied share a rank."),
    "ties_shared": _("Equal percentages share a rank."),
    "former_told": _("Session %(number)s: the global percentage of %(date)s; ▲ better now, ▼ worse."),
    "unranked_last": _("Unranked players are listed last, with their percentages; their plays count for the others."),
    "how_page": "topage",
    "how_computed": _("How percentages are computed"),
    "who_moves": ngettext_lazy("%(n)s player changes rank", "%(n)s players change rank", "n"),
    "delete_session": _(
        "Nothing has been entered: the session can be deleted for good, with its seats and its plan. The club keeps "
        "the players and the étuis."
    ),
    "delete_tournament": _(
        "Nothing has been entered: the tournament can be deleted for good, with all its sessions. The club keeps the "
        "players and the étuis."
    ),
    "put_away": _(
        "Results cannot be deleted, but you can remove all this from the lists. It stays at its address, and you can "
        "list it again at any time. The étuis count as played."
    ),
    "changes_page": "changes",
    "changes_link": _("More or fewer positions, players and étuis"),
    "about_halves": "",
    "below_figures": _("Below each percentage: the number of sessions played; tap to see each of them."),
    "position_abbreviated": _("Pos."),
    "called_etui": _("étui %(number)s"),
    "all_seated": _("Replace a player"),
    "against": _("against"),
    "garde_imposed": _("Imposed Garde."),
    "order_of_seats": _("They sit down table after table: North, East, South, West."),
    "alterne_head": _("Alterné"),
    "member_defence": _("Defence"),
    "attacked_nothing": _("Étuis attacked: –"),
    "notes_fixed": _(
        "They replace the notes of the topage. The mean is that of the player’s other notes on the same side in this "
        "session. If there are none, the figure applies."
    ),
    "left_out": _("left out: it has percentages, and marks count here. Points for ranks go with both."),
    "positions": _("Positions"),
    "position_entered": _("Every result of this position is entered."),
    "next_position": _("Next: position %(number)s"),
    "fiches": _("Fiches of position %(number)s"),
    "fiches_of_table": _("Fiches of position %(number)s, table %(table)s"),
    "ranking_described": _(
        "%(name)s at %(club)s, %(date)s: ranking of session %(number)s, everybody’s feuille de route and the étuis "
        "played."
    ),
    "compared": ngettext_lazy(
        "%(n)s étui is compared so far: at least two tables have played it.",
        "%(n)s étuis are compared so far: at least two tables have played them.",
        "n",
    ),
    "standings_start": _(
        "No étui has results from two tables yet: everybody would share the first rank. The ranking starts with the "
        "first étui that two tables have played."
    ),
}
DOUBLETTE: Words = {
    "about_teams": _(
        "Everybody plays alone, and a team of two adds up the percentages of its players. Make the teams before the "
        "players take their seats: then the seats keep the two players of a team apart."
    ),
    "all_count": _("Both percentages count."),
    "worst_dropped": _("Both percentages count."),
    "result_of_player": _("Percentage of the player"),
    "team_result": _("Percentage"),
    "teams_by_sum": _("Teams by the sum of their players’ percentages."),
    "sums_explained": _(
        "A missing player counts 0. *: players who played too few étuis, which do not count. Equal sums share a rank."
    ),
}
QUARTERS: Words = {
    "position.help_text": _("Even for one quarter, the match points count in full."),
    "positions.label": _("Quarters"),
    "positions.help_text": _("A match has four quarters, each with another attacker."),
    "etuis_per_position.label": _("Étuis in a quarter"),
    "etuis_per_position.help_text": _("From 4 to 6: a match has 16 to 24 étuis."),
    "to_position_only": _("to quarter %(position)s only"),
    "tables_and_positions": _("Tables and quarters"),
    "position": _("Quarter %(position)s"),
    "for_position_1": _("for quarter 1"),
    "to_position": _("→ quarter %(position)s"),
    "results_expected": _("Quarter %(position)s, results expected from tables:"),
    "then_at_table": ngettext_lazy(
        "Then, quarter %(position)s: table %(number)s, étui %(etuis)s",
        "Then, quarter %(position)s: table %(number)s, étuis %(etuis)s",
        "n",
    ),
    "position_numbered": _("Quarter %(number)s"),
    "position_head": _("Quarter"),
    "plan_described": _(
        "%(name)s at %(club)s, %(date)s: plan of session %(number)s, with everybody’s tables and étuis, quarter by "
        "quarter."
    ),
    "position_table": _("Quarter %(position)s, table %(table)s"),
    "next_elsewhere": _("Next: étui %(number)s, quarter %(position)s"),
    "table_in_each": _("The table in each quarter"),
    "you_rest": _("Quarter %(position)s: you rest"),
    "then": _("Then, quarter %(position)s:"),
    "grid_label": _("The étuis of each table in each quarter"),
    "call_and_clock": _("Quarter and clock"),
    "nothing_called": _("No quarter is called yet"),
    "call_position": _("Call quarter %(position)s"),
    "awaited_in": ngettext_lazy("Quarter %(position)s: %(n)s awaited", "Quarter %(position)s: %(n)s awaited", "n"),
    "etui_position_table": _("Étui %(etui)s, quarter %(position)s, table %(table)s"),
    "undo_call": _("Undo the call of quarter %(position)s"),
    "position_short": _("Quarter %(position)s"),
    "how_compared": _(
        "On each étui both teams of a match attack once. With d, the difference of the two attackers’ scores, the "
        "team of the better one gains √d match points (MP), and the other team has 0."
    ),
    "position_abbreviated": _("Quarter"),
    "positions": _("Quarters"),
    "position_entered": _("Every result of this quarter is entered."),
    "next_position": _("Next: quarter %(number)s"),
    "fiches": _("Fiches of quarter %(number)s"),
    "fiches_of_table": _("Fiches of quarter %(number)s, table %(table)s"),
    "garde_imposed": "",
}
DEALS: Words = {
    "has_started": _("The session has started: the first game is seated."),
    "hours": _("From %(begin)s to about %(end)s: %(deals)s for each player, %(minutes)s each."),
    "is_saved": _("Deal %(deal)s, table %(table)s: %(score)s is saved."),
    "ranking.help_text": _("The ranks and the marks."),
    "feuilles.help_text": _("What each player played, deal by deal, on a page of their own."),
    "position.help_text": _("Even for one game, the marks count in full."),
    "positions.label": _("Games"),
    "positions.help_text": _("How many games the evening has."),
    "etuis_per_position.label": _("Deals in a game"),
    "etuis_per_position.help_text": _("How many deals each player plays in a game."),
    "minutes_per_etui.label": _("Minutes for a deal"),
    "minutes_per_etui.help_text": _("Including the time to deal."),
    "coefficient.help_text": _("The marks of this session are multiplied by it in the tournament ranking."),
    "least_share.label": _("Smallest share of the deals, in per cent"),
    "least_share.help_text": _(
        "Players who have played less than this share of what the others have played are shown with their marks, "
        "unranked. 50 is usual; 0 ranks everybody."
    ),
    "substitutes_ranked.help_text": _(
        "Players who took somebody’s seat for marks of their own. Otherwise they are shown unranked."
    ),
    "counting.help_text": _("The marks of all sessions are added up: a missed session brings 0."),
    "game.label": _("From game"),
    "positions": _("Games"),
    "positions_told": _("%(positions)s, of %(etuis)s deals"),
    "positions_that_fit": _("%(positions)s, of as many deals as fit"),
    "to_position_only": _("to game %(position)s only"),
    "replaced_from": _("%(other)s plays for %(name)s from game %(game)s on. The marks are those of %(name)s."),
    "tables_and_positions": _("Tables and games"),
    "somebody_is_replaced": _("Somebody leaves, comes or is replaced"),
    "replaced_at_full_tables": _(
        "From the next game on, or from a deal of a game that is seated. You see the tables before anything changes."
    ),
    "replace_a_player": _("Next game"),
    "position": _("Game %(position)s"),
    "for_position_1": _("for game 1"),
    "last_call": _("Last call: do not start a new deal"),
    "to_position": _("→ game %(position)s"),
    "results_expected": _("Game %(position)s, results expected from tables:"),
    "then_at_table": _("Then, game %(position)s: table %(number)s"),
    "position_numbered": _("Game %(number)s"),
    "etuis": _("Deals"),
    "position_head": _("Game"),
    "plan_described": _(
        "%(name)s at %(club)s, %(date)s: plan of session %(number)s, with everybody’s tables, game by game."
    ),
    "not_played_here": _("This deal is not played here: no result is expected. A result entered now still counts."),
    "played_later": _("This deal will be played later: its result is still expected."),
    "etui": _("Deal %(number)s"),
    "etui_head": pgettext_lazy("heading of a column, short", "Deal"),
    "position_table": _("Game %(position)s, table %(table)s"),
    "next_etui": _("Next: deal %(number)s"),
    "next_elsewhere": _("Next: deal %(number)s, game %(position)s"),
    "back_to_table": _("Back to the table’s deals"),
    "result_elsewhere": _("This result belongs to another deal or table"),
    "etui_table": _("Deal %(number)s, table %(table)s"),
    "correction_requested": _("Correction requested, deal %(number)s, table %(table)s"),
    "annulled_explained": _(
        "It is removed from the sums of marks; its result stays on record, and you can restore it."
    ),
    "about_teams": _(
        "Everybody plays alone, and a team of 2 or 4 adds up the marks of its players. Make the teams before the "
        "start: then the players of a team never sit at one table."
    ),
    "all_count": _("All marks count."),
    "worst_dropped": _("The lowest marks of each team do not count."),
    "result_of_player": _("Marks of the player"),
    "team_result": _("Marks"),
    "teams_by_sum": _("Teams by the sum of their players’ marks."),
    "sums_explained": _(
        "A missing player counts 0. *: the lowest marks of a team, which do not count. Equal sums share a rank."
    ),
    "and_etui": _(", deal %(number)s"),
    "figure_head": _("Marks"),
    "note_head": _("Marks"),
    "about_penalties": _(
        "Marks taken off a player’s sum, or added to it, and warnings. Nobody else gains or loses any."
    ),
    "table_in_each": _("The table in each game"),
    "and_etuis_there": "",
    "etuis_there": "",
    "numbers_played": "%(deals)s",
    "etuis_played": "",
    "you_rest": _("Game %(position)s: you rest"),
    "then": _("Then, game %(position)s:"),
    "grid_label": _("The deals of each table in each game"),
    "call_and_clock": _("Game and clock"),
    "nothing_called": _("No game is called yet"),
    "call_position": _("Call game %(position)s"),
    "awaited_in": ngettext_lazy("Game %(position)s: %(n)s awaited", "Game %(position)s: %(n)s awaited", "n"),
    "no_new_etui": _("No table starts another deal; those under way are played to the end."),
    "etuis_not_started": _("Deals not started"),
    "etuis_set_aside": ngettext_lazy(
        "%(n)s deal not entered, not counted", "%(n)s deals not entered, not counted", "n"
    ),
    "etui_position_table": _("Deal %(deal)s, game %(position)s, table %(table)s"),
    "undo_call": _("Undo the call of game %(position)s"),
    "federation_file": _(
        "Licence, name, club, rank and marks; players without licence come first. The log says who downloads it."
    ),
    "look_for": _("deal 7, table 3, a name"),
    "nothing_disputed": _("Nothing is disputed."),
    "table_etuis": ngettext_lazy("table %(number)s: deal %(numbers)s", "table %(number)s: deals %(numbers)s", "n"),
    "position_short": _("Game %(position)s"),
    "games_and_tables": _("Games and tables"),
    "start_explained": _("The start fixes who plays where in the first game. You can undo it until the first result."),
    "session_described": _(
        "%(name)s at %(club)s: session %(number)s, %(date)s. Who plays where in this Tarot evening, and its ranking."
    ),
    "unstart_explained": _(
        "Nothing has been entered yet: you can still discard the plan, to change players or games. Players are kept."
    ),
    "nothing_yet": _("No result yet"),
    "ranking_starts": _("The tournament’s ranking starts with the first result of a session."),
    "feuille_described": _(
        "%(name)s at %(club)s, session %(number)s, %(date)s: deal by deal, the marks of %(player)s."
    ),
    "tournament_described": _("%(name)s, French Tarot at %(club)s: the dates of its sessions and their rankings."),
    "etuis_counted": ngettext_lazy("%(games)s game", "%(games)s games", "games"),
    "by_sections": _("All sections by the sum of marks; the letter is the section."),
    "by_general": _("Classement général: everybody by the sum of marks."),
    "how_compared": _(
        "The cards are dealt at the table. What a player wins or loses in each deal is added up, and what somebody "
        "misses counts 0."
    ),
    "global_is": "",
    "ties_told": _("Equal sums are separated by: %(criteria)s. Players who are still tied share a rank."),
    "ties_shared": _("Equal sums share a rank."),
    "former_told": _("Session %(number)s: the marks of %(date)s; ▲ better now, ▼ worse."),
    "unranked_last": _("Unranked players are listed last, with their marks."),
    "how_page": "formats",
    "how_computed": _("How marks are counted"),
    "delete_session": _(
        "Nothing has been entered: the session can be deleted for good, with its seats and its plan. The club keeps "
        "the players."
    ),
    "delete_tournament": _(
        "Nothing has been entered: the tournament can be deleted for good, with all its sessions. The club keeps the "
        "players."
    ),
    "put_away": _(
        "Results cannot be deleted, but you can remove all this from the lists. It stays at its address, and you can "
        "list it again at any time."
    ),
    "changes_page": "games",
    "changes_link": _("Games and players"),
    "below_figures": "",
    "position_abbreviated": _("Game"),
    "called_etui": "",
    "all_seated": _("All games are seated"),
    "against": "",
    "left_out": _("left out: it has marks, and percentages count here. Points for ranks go with both."),
    "garde_imposed": "",
    "ranking_described": _(
        "%(name)s at %(club)s, %(date)s: ranking of session %(number)s and everybody’s feuille de route."
    ),
    "compared": "",
    "standings_start": _("The ranking starts with the first deal that is entered."),
}
TEAMS: Words = {
    "entrant.label": _("Team"),
    "team_leaves": _(
        "Three players are needed for the defence: without a substitute, the team leaves the tournament. Its results "
        "stay."
    ),
    "attacker": "%(name)s (%(badge)s)",
    "attacker_in_turn": _("%(name)s (%(badge)s, whose turn it is)"),
    "attacked": _("%(turn)s attacked (%(badge)s)."),
    "attacked_out_of_turn": _(
        "%(name)s (%(own)s) attacked out of turn: it was the turn of %(turn)s (%(badge)s). No note changes."
    ),
    "competitor": _("Team"),
    "each_route": _("Each team’s route"),
    "ranks_kept": ngettext_lazy(
        "%(n)s team keeps its rank with another percentage", "%(n)s teams keep their ranks with other percentages", "n"
    ),
    "about_penalties": _(
        "Percentage points taken off a team’s overall percentage, or added to it, and warnings. The team’s notes do "
        "not change."
    ),
    "competitors_counted": ngettext_lazy("%(n)s team", "%(n)s teams", "n"),
    "by_alterne": _(
        "Classement alterné: the first of each of the two lines, then the second of each, and so on. It is the "
        "ranking that counts in a tournament of one session."
    ),
    "by_general": _("Classement général: all teams by global percentage."),
    "how_compared": _(
        "On each étui the takers’ scores are compared, from 100 for the best to 0 for the worst. That is the "
        "attacking team’s note. The defending team gets 100 minus it."
    ),
    "global_is": _("Global = ½ of the attack and ½ of the defence."),
    "ties_told": _("Equal percentages are separated by: %(criteria)s. Teams that are still tied share a rank."),
    "unranked_last": _("Unranked teams are listed last, with their percentages; their plays count for the others."),
    "who_moves": ngettext_lazy("%(n)s team changes rank", "%(n)s teams change rank", "n"),
}
POINTS: Words = {
    "how.help_text": _("South takes every étui: its hand is dealt to be good enough for a Garde."),
    "ranking.help_text": _("The ranks and the match points."),
    "points.label": pgettext_lazy("of a penalty", "Match points"),
    "points.help_text": _("Taken off the sum, or added to it; none for a warning."),
    "position.help_text": _("Even for one position, the match points count in full."),
    "least_share.help_text": _(
        "Teams that have played less than this share of what the others have played are shown with their match "
        "points, unranked. 50 is usual; 0 ranks everybody."
    ),
    "team_leaves": _("A team without enough players leaves the tournament. Its results stay."),
    "attacker": "%(name)s",
    "attacker_in_turn": _("%(name)s (in the line-up)"),
    "attacked": _("%(turn)s attacked."),
    "attacked_out_of_turn": _(
        "%(name)s attacked in place of %(turn)s, whom the line-up names. No match point changes."
    ),
    "all_keep_rank": _("Every team keeps its rank; only match points change."),
    "nothing_moves": _("No rank and no sum changes."),
    "ranks_kept": ngettext_lazy(
        "%(n)s team keeps its rank with another sum", "%(n)s teams keep their ranks with other sums", "n"
    ),
    "figure_head": _("Match points"),
    "about_penalties": _(
        "Match points taken off a team’s sum, or added to it, and warnings. The match points of its étuis do not "
        "change, and no other team gains or loses any."
    ),
    "by_sections": _("All sections by the sum of match points; the letter is the section."),
    "by_general": _("Classement général: all teams by the sum of their match points."),
    "how_compared": _(
        "On each étui both teams of a match attack once. With d, the difference of the two attackers’ scores, the "
        "better one gains √d match points (MP) and the other team loses as many."
    ),
    "global_is": "",
    "ties_told": _("Equal sums are separated by: %(criteria)s. Teams that are still tied share a rank."),
    "ties_shared": _("Equal sums share a rank."),
    "former_told": _("Session %(number)s: the match points of %(date)s; ▲ better now, ▼ worse."),
    "unranked_last": _("Unranked teams are listed last, with their match points; their plays count for the others."),
    "how_page": "formats",
    "how_computed": _("How match points are computed"),
    "federation_file": _(
        "Licence, name, club, rank and match points of each team’s players; players without licence come first. The "
        "log says who downloads it."
    ),
    "about_halves": _(
        "The match points of an étui stand beside the team’s own attack. –: none, because one half is missing or "
        "annulled, or the étui was altered between the two halves."
    ),
    "below_figures": "",
    "alterne_head": "",
    "member_defence": "",
    "attacked_nothing": _("Defence"),
    "notes_fixed": _(
        "They replace the match points of this attack. The other team has its points from its own attack: fix them "
        "there."
    ),
    "annulled_explained": _(
        "Neither team has match points for this étui then. The result stays, and you can restore it."
    ),
}
LINE_UPS: Words = {
    "positions.help_text": _(
        "With one position fewer than teams, every attacker meets all other teams: five for six teams. An odd number"
        " of teams needs an even number of positions."
    ),
    "coefficient.help_text": _("The match points of this session are multiplied by it in the tournament ranking."),
    "etuis_per_position.help_text": "",
}
GAMES: Words = {
    "cards.help_text": _("All hands and the chien of each étui. Once shown, they are known for good."),
    "game.label": _("From position"),
    "positions.help_text": _("In each position, all tables play the same étuis: this needs copies of them."),
    "etuis_per_position.help_text": _("%(size)s, or a multiple of %(size)s, lets each seat deal equally often."),
    "seat_them": _("They play"),
    "seat_players": ngettext_lazy("%(n)s player plays", "%(n)s players play", "n"),
    "are_seated": _("Playing: %(players)s."),
    "seats_changed": _("The list of players is changed."),
    "replaced_from": _("%(other)s plays for %(name)s from position %(game)s on. The notes are those of %(name)s."),
    "federation_file": _(
        "Licence, name, club, rank and percentage; players without licence come first. The federation has no such "
        "form of tournament. The log says who downloads it."
    ),
    "players_and_seats": _("Players"),
    "by_general": _("Classement général: everybody by global percentage."),
    "order_of_seats": "",
    "alterne_head": "",
}
SEATS: Words = {
    "etuis_per_position.help_text": "",  # the étui does not decide who takes
    "how_compared": _(
        "On each étui your score is compared with those of the same seat at the other tables, from 100 for the best "
        "to 0 for the worst."
    ),
    "global_is": _("Free auction: the global percentage is the mean of all notes."),
    "garde_imposed": "",
}
OTHERS: Mapping[str, Words] = {
    DOUBLETTES.name: DOUBLETTE,
    TRIPLETTES.name: TEAMS,
    QUADRETTES.name: TEAMS | POINTS | LINE_UPS,
    TEAM_MATCH.name: TEAMS | POINTS | QUARTERS,
    FREE_AUCTION.name: SEATS,
    FREE_AUCTION_3.name: SEATS | GAMES,
    FREE_AUCTION_5.name: SEATS | GAMES,
    FREE_DEALS.name: GAMES | DEALS,
}


def say_word(format: str, key: str, names: Mapping[str, Any] = NO_NAMES) -> str:
    """Return the sentence with this key in the words of the format with this name, with `names` filled in.

    Raise KeyError if the format has no such sentence, or if a name is missing.
    """
    own = OTHERS.get(format, ETUIS)
    text: Any = own[key] if key in own else ETUIS[key]
    return str(text % names)


def speak_as_format(format: Format, fields: Mapping[str, Any]) -> None:
    """Give these fields of a form, by name, the labels and the help texts that the format has for them."""
    for key, text in OTHERS.get(format.name, ETUIS).items():
        name, _dot, attribute = key.partition(".")
        if attribute and name in fields:
            setattr(fields[name], attribute, str(text % {"size": format.size}))
