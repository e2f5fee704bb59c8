"""The sentences of every code that a layer below may raise: what is wrong, where, and what to do. Data only.

One `Family` a class of errors; `tournaments.messages` chooses the sentence and fills it in.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from clubs.roster import RosterError
from deals.domain.board import BoardError
from deals.domain.deal import DealError
from deals.domain.dealing import DealingError
from deals.domain.notation import NotationError
from deals.domain.profile import ProfileError
from deals.domain.reading import ExchangeError
from deals.domain.typed import TypedError
from deals.services import DealSetRefused
from scoring.errors import ScoringError
from tournaments.change_sentences import CHANGE_LOG, CHANGE_REFUSALS
from tournaments.desk_sentences import DESK_LOG, DESK_REFUSALS
from tournaments.domain.entry import EntryError
from tournaments.domain.movements import MovementError
from tournaments.domain.planning import PlanError
from tournaments.errors import Conflict, Refused
from tournaments.evening_sentences import EVENING_LOG, EVENING_REFUSALS
from tournaments.plan_sentences import PLAN_ERRORS, PLAN_REFUSALS
from tournaments.preparation_sentences import PREPARATION_LOG, PREPARATION_REFUSALS
from tournaments.table_sentences import LOG as TABLE_LOG
from tournaments.table_sentences import TABLE_CONFLICTS, TABLE_REFUSALS


@dataclass(frozen=True, slots=True)
class Family:
    """The sentences of one class of errors by code; `kinds` names the label that a parameter is shown by."""

    texts: Mapping[str, str | Promise]
    kinds: Mapping[str, str] = field(default_factory=dict)


REVEALED = _("The seed of this set is revealed, so that everybody knows its cards: make another set.")

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
    DealError: Family(
        {
            "players": _("A deal is for 3, 4 or 5 players, not %(found)s."),
            "size": _("%(hand)s: %(found)s instead of %(expected)s cards."),
            "unknown_card": _("%(hand)s: “%(found)s” is no card."),
            "duplicate_card": _("%(hand)s: %(card)s is already with %(other)s."),
        },
        {"hand": "hand", "other": "hand"},
    ),
    BoardError: Family(
        {
            "board": _("Étuis are numbered from 1 to 4294967295, not %(found)s."),
            "range": _("“%(found)s”: write the étuis as numbers and rising ranges, such as 1-36 or 1-4,9."),
        }
    ),
    DealingError: Family(
        {
            "seed_size": _("The seed has %(found)s bytes instead of 32."),
            "seed_digits": _("The seed has %(found)s hexadecimal digits: write 64."),
            "seed_digit": _("Character %(column)s of the seed is no hexadecimal digit: use 0 to 9 and a to f only."),
            "board": _("Étuis are numbered from 1 to 4294967295, not %(found)s."),
            "attempts": _("Étui %(board)s: %(found)s deals were refused. Loosen what is asked of the deals."),
        }
    ),
    ProfileError: Family(
        {
            "unknown": _("“%(found)s” is no taker profile: use one of: %(known)s."),
            "profile_players": _("A taker profile is for four players, not %(found)s: leave it out."),
        }
    ),
    DealSetRefused: Family(
        {
            "too_many_etuis": _("A set has 1 to %(most)s étuis: correct their number."),
            "number_too_high": _("Étuis are numbered from 1 to %(most)s, not %(number)s: number them again."),
            "seed_revealed": REVEALED,
            "copy_without_seed": _(
                "Only a set dealt by the site can be copied, for its cards stay secret until both clubs have played."
            ),
            "copy_before_value": _("The étuis wait for the public value (%(name)s): enter it, then copy the set."),
            "set_not_sealed": _("The set is not sealed yet: seal it first, so that its commitment is public."),
            "no_value_named": _("No public value was named in advance for this set: it needs none."),
            "value_missing": _("The public value is missing: write it as it was published (%(name)s)."),
            "value_given": _("The public value has been entered already (%(value)s): it cannot change any more."),
            "etui_unknown": _("The set has no étui %(number)s: choose one that it has."),
            "players_differ": _("Étui %(number)s is for %(expected)s players: the cards are for another number."),
            "cards_known": _("The cards of étui %(number)s are known already: they cannot change any more."),
            "profile_players": _("A taker profile is for four players, not %(found)s: leave it out."),
            "cards_not_of_seed": _(
                "The cards of étui %(number)s are not those that the seed in the file deals. Take the seed out of the"
                " file to import the cards alone."
            ),
            "no_seed": _("This set was not generated from a seed: there is none to reveal."),
        }
    ),
    ExchangeError: Family(
        {
            "no_boards": _("There is no étui in it: write one a line, its number first."),
            "number": _("Line %(line)s, column %(column)s: %(found)s is no étui number from 1 to %(most)s."),
            "repeated": _("Line %(line)s, column %(column)s: étui %(found)s stands already on line %(first)s."),
            "players": _("Line %(line)s, column %(column)s: a deal is for 3, 4 or 5 players, not %(found)s."),
            "other_players": _("Line %(line)s, column %(column)s: the set is for %(expected)s players, not %(found)s."),
            "seat": _("Line %(line)s, column %(column)s: %(found)s is no line of the table. Use one of: %(seats)s."),
            "hands": _("Line %(line)s, column %(column)s: a deal has 3, 4 or 5 hands, then the chien, not %(found)s."),
            "suits": _("Line %(line)s, column %(column)s, %(hand)s: %(found)s instead of 5 parts (♠.♥.♦.♣.trumps)."),
            "rank": _(
                "Line %(line)s, column %(column)s, %(hand)s: %(found)s is no card of a suit (R D C V 10 9 … 2 1)."
            ),
            "trump": _("Line %(line)s, column %(column)s, %(hand)s: %(found)s is no trump from 1 to 21."),
            "duplicate_card": _("Line %(line)s, column %(column)s, %(hand)s: %(card)s is already with %(other)s."),
            "size": _("Line %(line)s, column %(column)s, %(hand)s: %(found)s instead of %(expected)s cards."),
            "hand_missing": _("Line %(line)s, column %(column)s: %(hand)s is empty while other hands have cards."),
            "column": _("Line %(line)s, column %(column)s: %(found)s is no column. The columns are %(known)s."),
            "column_repeated": _("Line %(line)s, column %(column)s: the column %(found)s comes twice."),
            "column_missing": _("Line %(line)s, column %(column)s: the column %(found)s is missing."),
            "cells": _(
                "Line %(line)s, column %(column)s: the first line names %(expected)s columns, this one has %(found)s."
            ),
            "quote": _("Line %(line)s, column %(column)s: a quotation mark is not closed, or stands inside a cell."),
            "json": _("Line %(line)s, column %(column)s: this is not JSON."),
            "field": _("Line %(line)s, column %(column)s: %(found)s is no field. The fields are %(known)s."),
            "field_repeated": _("Line %(line)s, column %(column)s: the field %(found)s comes twice."),
            "field_missing": _("Line %(line)s, column %(column)s: the field %(found)s is missing."),
            "type": _("Line %(line)s, column %(column)s: a value of another kind belongs here."),
            "seed": _("Line %(line)s, column %(column)s: the seed is not 64 hexadecimal digits."),
            "commitment": _("Line %(line)s, column %(column)s: the commitment is not that of the seed."),
            "length": _("Line %(line)s, column %(column)s: the text of %(field)s is longer than %(most)s characters."),
            "profile": _(
                "Line %(line)s, column %(column)s: %(found)s is no taker profile. The profiles are: %(known)s."
            ),
        },
        {"hand": "hand", "other": "hand"},
    ),
    TypedError: Family(
        {
            "suits": _("Column %(column)s: %(found)s instead of 5 parts (♠.♥.♦.♣.trumps)."),
            "rank": _("Column %(column)s: %(found)s is no card of a suit (R D C V 10 9 … 2 1)."),
            "trump": _("Column %(column)s: %(found)s is no trump from 1 to 21."),
        }
    ),
    NotationError: Family(
        {
            "hands": _(
                "Column %(column)s: a deal has 4, 5 or 6 groups of cards, one a player, then the chien, not %(found)s."
            ),
            "suits": _("%(hand)s, column %(column)s: %(found)s instead of 5 parts (♠.♥.♦.♣.trumps)."),
            "empty": _("%(hand)s, column %(column)s: nothing is written for %(suit)s. A void is “-”."),
            "rank": _("%(hand)s, column %(column)s: “%(found)s” is not one of R D C V T 9 8 7 6 5 4 3 2 1."),
            "trump": _("%(hand)s, column %(column)s: “%(found)s” is no trump from 1 to 21."),
            "order": _("%(hand)s, column %(column)s: %(found)s comes after a lower card. Write from high to low."),
            "duplicate_card": _("%(hand)s, column %(column)s: %(card)s is already with %(other)s."),
            "size": _("%(hand)s, column %(column)s: %(found)s instead of %(expected)s cards."),
        },
        {"hand": "hand", "other": "hand"},
    ),
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

# What was done in a session, by the action of its log (`tournaments.log_words`).
LOG = Family({**PREPARATION_LOG, **TABLE_LOG, **DESK_LOG, **EVENING_LOG, **CHANGE_LOG}, {"points": "decimal"})
