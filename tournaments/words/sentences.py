"""The sentences of every code that a layer below may raise: what is wrong, where, and what to do. Data only.

One `Family` a class of errors; `tournaments.words.messages` chooses the sentence and fills it in.
"""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from clubs.roster import RosterError
from movements import PlanError
from movements.plans.cyclic import MovementError
from scoring.errors import ScoringError
from tournaments.errors import Conflict, Refused
from tournaments.rules.entry import EntryError
from tournaments.words.card_sentences import CARD_FAMILIES, REVEALED
from tournaments.words.change_sentences import CHANGE_LOG, CHANGE_REFUSALS
from tournaments.words.desk_sentences import DESK_LOG, DESK_REFUSALS
from tournaments.words.evening_sentences import EVENING_LOG, EVENING_REFUSALS
from tournaments.words.family import Family
from tournaments.words.plan_sentences import PLAN_ERRORS, PLAN_REFUSALS
from tournaments.words.preparation_sentences import PREPARATION_LOG, PREPARATION_REFUSALS
from tournaments.words.table_sentences import LOG as TABLE_LOG
from tournaments.words.table_sentences import TABLE_CONFLICTS, TABLE_REFUSALS

FAMILIES: Mapping[type[object], Family] = {
    ScoringError: Family(
        {
            "required": _("%(field)s is missing: give it."),
            "unknown_field": _("%(field)s is not a field of a result: remove it, or use one of: %(choices)s."),
            "duplicate_field": _("%(field)s and %(other)s say the same thing: give only one of them."),
            "unknown_value": _("“%(value)s” is not a value of %(field)s: use one of: %(choices)s."),
            "not_a_number": _("“%(value)s” is not a number: write %(field)s in digits."),
            "not_whole": _("%(value)s is not a whole number: write %(field)s without a fraction."),
            "not_half": _("%(value)s is not a whole number of half points: write %(field)s as 49 or 49.5."),
            "players": _("Tarot is scored for 3, 4 or 5 players, not %(value)s: correct the number of players."),
            "bouts": _("There are 0 to 3 bouts in the attack’s tricks, not %(value)s: correct the bouts."),
            "points_range": _("The attack’s points run from 0 to 91, not %(value)s: correct the points."),
            "points_half": _(
                "Half points cannot arise with four players, and the points say %(value)s: count the tricks again."
            ),
            "points_too_high": ngettext_lazy(
                "%(contract)s with %(bouts)s bout: the attack has at most %(limit)s points, not %(value)s."
                " Check the points and the bouts.",
                "%(contract)s with %(bouts)s bouts: the attack has at most %(limit)s points, not %(value)s."
                " Check the points and the bouts.",
                "bouts",
            ),
            "points_too_low": ngettext_lazy(
                "%(contract)s with %(bouts)s bout: the attack has at least %(limit)s points, not %(value)s."
                " Check the points and the bouts.",
                "%(contract)s with %(bouts)s bouts: the attack has at least %(limit)s points, not %(value)s."
                " Check the points and the bouts.",
                "bouts",
            ),
            "chelem_made_points": _(
                "%(contract)s: the points of a chelem made are %(possible)s, not %(value)s."
                " Check the chelem, the points and the bouts."
            ),
            "chelem_failed_points": _(
                "%(contract)s: a chelem that failed left the defence a trick, hence the attack at most"
                " %(limit)s points, not %(value)s. Check the chelem, the points and the bouts."
            ),
            "chelem_suffered_points": _(
                "%(contract)s: the attack’s points in a chelem suffered are %(possible)s, not %(value)s."
                " Check the chelem, the points and the bouts."
            ),
            "trick_for_each": ngettext_lazy(
                "%(contract)s with %(bouts)s bout: once each side has a trick, the attack has %(least)s to %(most)s"
                " points, not %(value)s. Did one side win every trick? Then say the chelem; otherwise check the points"
                " and the bouts.",
                "%(contract)s with %(bouts)s bouts: once each side has a trick, the attack has %(least)s to %(most)s"
                " points, not %(value)s. Did one side win every trick? Then say the chelem; otherwise check the points"
                " and the bouts.",
                "bouts",
            ),
            "petit_without_bout": _(
                "The petit au bout goes to %(side)s, who have no bout: the Petit would be one."
                " Check the petit au bout and the bouts."
            ),
            "petit_au_bout_chelem": _(
                "%(chelem)s: who won no trick cannot have the petit au bout, and here it goes to %(side)s."
                " Check the petit au bout and the chelem."
            ),
            "poignees_trumps": _(
                "The poignées shown need %(needed)s trumps and there are only %(trumps)s: check who showed what."
            ),
            "poignees_one_hand": _(
                "The attack is one hand and shows one poignée at most, not %(value)s: check its poignées."
            ),
            "partner": _(
                "The taker has a partner, or plays alone, at five players and only there; this is for %(players)s:"
                " correct the partner or the number of players."
            ),
            "player_twice": _(
                "%(player)s sits twice at the same table, on %(first)s and %(second)s: correct one of the names."
            ),
            "player_on_two_lines": _(
                "%(player)s sits on %(second)s here and on %(first)s before. A player keeps one line:"
                " correct the name or the line."
            ),
            "taker_missing": _("A base score of %(base_score)s needs its taker: say which line took."),
        },
        {"contract": "contract", "chelem": "chelem", "side": "side", "first": "line", "second": "line"},
    ),
    EntryError: Family(
        {
            "taker_missing": _("Nobody is named as the taker: say which line took."),
            "taker_not_of_etui": _(
                "%(etui_taker)s takes this étui, not %(taker)s: check the number of the étui and the taker."
            ),
            "contract_not_imposed": _("Here every étui is played as a Garde: correct the contract."),
            "pass_not_allowed": _(
                "Here the étui’s taker must play: nobody may pass. Enter the result, or annul the play."
            ),
            "four_players_only": _("An étui is played by four: correct the number of players."),
            "bouts_disagree": _("%(named)s bouts are named and %(bouts)s are counted: name as many as the attack has."),
            "petit_elsewhere": _(
                "The petit au bout goes to %(side)s, and the Petit is named among the bouts of the other side."
                " Check the petit au bout and the bouts."
            ),
            "fiche_range": _(
                "No fiche shows more than %(most)s: write the base score, signed for the taker,"
                " not multiplied by three."
            ),
        },
        {"taker": "line", "etui_taker": "line", "side": "side"},
    ),
    Refused: Family(
        {
            **EVENING_REFUSALS,
            **TABLE_REFUSALS,
            **CHANGE_REFUSALS,
            **DESK_REFUSALS,
            **PREPARATION_REFUSALS,
            **PLAN_REFUSALS,
            "session_not_started": _("The session has not started: start it first."),
            "session_started": _("The session is under way and its plan is fixed: take the start back first."),
            "nothing_to_publish": _("No result counts yet: enter at least one before publishing."),
            "results_missing": ngettext_lazy(
                "%(missing)s result is missing: enter it, or say that you publish without it.",
                "%(missing)s results are missing: enter them, or say that you publish without them.",
                "missing",
            ),
            "nothing_to_correct": _("This play has no result yet: enter it instead of correcting it."),
            "reason_missing": _("A reason is missing: say why in a few words."),
            "player_unknown": _("Player %(player)s is not on the club’s list: add the player first."),
            "player_twice": _("%(name)s is entered twice: each player has one seat."),
            "seat_twice": _("Two players sit on %(line)s at table %(number)s: move %(name)s."),
            "deal_set_unknown": _("This deal set is not the club’s: choose or make another."),
            "results_depend_on_start": _("Results depend on this start: it can no longer be taken back."),
            "no_players": _("Nobody plays yet: enter the players first."),
            "play_gone": _("This play is no longer planned: go back to the session and look at its plan."),
            "seat_empty": _("%(line)s at table %(number)s is empty: seat a player there."),
            "no_deal_set_nor_plan": _("The session has no étuis: how many it takes follows from the plan."),
            "no_deal_set": _("The session has no étuis: prepare %(needed)s of them."),
            "too_many_results": _("At most %(most)s results are scored at once, not %(found)s: send several lists."),
            "too_many_players": _("At most %(most)s players are taken at once, not %(found)s: send several lists."),
            "not_a_result": _("A result is a JSON object with named fields: send one."),
            "result_mixed": _("%(field)s does not go with the rest of this result: give only %(choices)s."),
            "seed_without_cards": _(
                "A seed is of use only where cards are made of it: ask for cards, or leave it out."
            ),
            "etui_unknown": _("The set has no étui %(number)s: choose one that it has."),
            "sessions_still_to_play": ngettext_lazy(
                "%(waiting)s session has still to be played and published with these deals: reveal the seed after it.",
                "%(waiting)s sessions have still to be played and published with these deals: reveal the seed after"
                " them.",
                "waiting",
            ),
            "set_not_declared": _("A set for four is played by its sessions: it cannot be declared played."),
            "set_not_sealed": _("The set is not sealed yet: seal it first, so that its commitment is public."),
            "played_date": _("Give a day from the sealing of the set until today."),
            "set_not_played": _("No session has played this set yet: reveal its seed after it has been played."),
            "seed_revealed": REVEALED,
            "club_unknown": _("There is no such club of yours without a copy of the set: choose another."),
            "session_unknown": _("Choose a session in preparation, and an étui from which it plays."),
            "value_awaited": _("The étuis wait for the public value (%(name)s): enter it, then start."),
            "set_given_up": _("The club has given this copy up: choose or make another set."),
            "set_copied": _(
                "The set has a copy, and copies keep the same étuis: take other étuis, or fewer positions."
            ),
            "set_in_use": _("A session uses this set: take other étuis there first."),
            "etuis_known": _("Readers have been shown the cards of étui %(number)s: choose étuis that nobody knows."),
            "etuis_not_for_four": _("This set is for %(players)s players: choose or make one for four."),
            "etui_without_taker": _(
                "Étui %(number)s names no taker, and an imposed Garde needs one: choose or make another set."
            ),
            "too_few_etuis": _(
                "The session needs %(needed)s étuis for four players and its set has %(count)s: make another set."
            ),
        },
        {"line": "line"},
    ),
    Conflict: Family(
        {
            **TABLE_CONFLICTS,
            "plan_out_of_date": _("The players or the settings have changed meanwhile: choose again."),
            "result_already_entered": _(
                "A result has been entered for this play already: have it looked at, and corrected if it is wrong."
            ),
            "corrected_meanwhile": _(
                "The result has been corrected meanwhile (version %(version)s): look at it before correcting it again."
            ),
        }
    ),
    MovementError: Family(
        {
            "tables": _("A movement has 1 to %(most)s tables, not %(found)s: change the number of players."),
            "positions": _("A movement has 1 to %(most)s positions, not %(found)s: change the positions."),
            "etuis": _("A table plays 1 to %(most)s étuis a position, not %(found)s: change the étuis a position."),
            "incomplete": _(
                "Tables: %(tables)s. The cyclic movement then ends after position %(most)s: play at most %(most)s,"
                " or play with %(below)s or %(above)s tables."
            ),
            "incomplete_few": _(
                "Tables: %(tables)s. The cyclic movement then ends after position %(most)s: play at most %(most)s,"
                " or play with %(above)s tables."
            ),
            "too_many_positions": _(
                "Tables: %(tables)s. Players would meet again after position %(most)s, and %(positions)s are wanted:"
                " play %(most)s, or play with %(below)s or %(above)s tables."
            ),
            "too_few_tables": _(
                "Tables: %(tables)s. Players would meet again after position %(most)s, and %(positions)s are wanted:"
                " play %(most)s, or play with %(above)s tables."
            ),
        }
    ),
    PlanError: Family(PLAN_ERRORS, {"line": "line"}),
    RosterError: Family(
        {
            "roster_too_long": _("Line %(line)s of the list: a name has at most %(most)s characters. Shorten it."),
            "roster_no_name": _(
                "Line %(line)s of the list, “%(text)s”, has no name: write the family name and the first name."
            ),
            "roster_hidden": _(
                "Line %(line)s of the list has a character that nobody sees (%(character)s): type it again by hand."
            ),
            "roster_twice": _(
                "Line %(line)s of the list: %(name)s stands already on line %(first)s. Remove one of them."
            ),
        }
    ),
    **CARD_FAMILIES,
}

QUESTIONS = Family(
    {
        "petit_without_bout": _("The petit au bout goes to %(side)s, who have no bout: did the Petit change sides?"),
        "points_below_ecart": _(
            "The écart and the bouts give the attack %(least)s points, and %(points)s are entered: was it counted?"
        ),
        "chelem_not_said": _("With %(points)s points the defence can have won no trick: was it a chelem?"),
        "points_extreme": _("%(points)s points: is that right?"),
        "chelem": _("%(chelem)s: is that right?"),
        "poignee_triple": _("%(poignee)s: is that right?"),
        "base_score_chelem": _("%(contract)s: only with a chelem does a result give %(value)s. Was there one?"),
        "base_score_impossible": _(
            "%(contract)s: no result gives %(value)s. Is the figure right, and not multiplied by three?"
        ),
    },
    {"side": "side", "chelem": "chelem", "poignee": "poignee", "contract": "contract"},
)

LINES = Family(
    {
        "made": ngettext_lazy(
            "%(contract)s made by %(difference)s with %(bouts)s bout: (%(base)s + %(difference)s) × %(coefficient)s",
            "%(contract)s made by %(difference)s with %(bouts)s bouts: (%(base)s + %(difference)s) × %(coefficient)s",
            "bouts",
        ),
        "failed": ngettext_lazy(
            "%(contract)s failed by %(difference)s with %(bouts)s bout: −(%(base)s + %(difference)s) × %(coefficient)s",
            "%(contract)s failed by %(difference)s with %(bouts)s bouts:"
            " −(%(base)s + %(difference)s) × %(coefficient)s",
            "bouts",
        ),
        "petit_au_bout": _("Petit au bout to %(side)s: %(bonus)s × %(coefficient)s"),
        "poignee": _("%(poignee)s shown by %(side)s"),
        "chelem": "%(chelem)s",
    },
    {"contract": "contract", "side": "side", "poignee": "poignee", "chelem": "chelem"},
)

# What was done in a session, by the action of its log (`tournaments.words.log_words`).
LOG = Family({**PREPARATION_LOG, **TABLE_LOG, **DESK_LOG, **EVENING_LOG, **CHANGE_LOG}, {"points": "decimal"})
