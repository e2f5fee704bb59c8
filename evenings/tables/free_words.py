"""The messages of a table's screen that only tables need which deal their own cards.

A key that ends in "@free" has the words that replace those of the same key in `words.py` at such a table.
"""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

FREE_WORDS: Mapping[str, str | Promise] = {
    "deals": pgettext_lazy("beside the dealer's name", "deals"),
    "deals_now": _("%(name)s deals"),
    "deals_and_rests": _("%(name)s deals and rests"),
    "rests_now": _("%(name)s rests"),
    "seats_to_come": _("The seats of game %(position)s come here once everybody has finished."),
    "deal_again": _("If everyone passes, or somebody has the Petit sec, deal again: nothing is entered."),
    "ask.partner": _("Who plays with %(name)s?"),
    "alone": pgettext_lazy("at five, the taker has no partner", "alone"),
    "alone_note": _("the called card was in the taker’s hand or in the chien"),
    "ask.bouts_of_both": _("Which bouts does the attack have?"),
    "bouts_are_of_both": _("Those in the tricks of the attack, and the Excuse if the attack kept it."),
    "points_of.attack": _("of the attack"),
    "half_more": _("half a point more"),
    "marks_so_far": _("Marks of this game"),
    "read_back": _("Read the sheet back"),
    "see_sheet": _("See the sheet"),
    "sheet_of": _("The sheet of game %(position)s"),
    "sheet_deal": pgettext_lazy("heading of a column, short", "Deal"),
    "sheet_total": _("Total"),
    "sheet_open": "…",
    "sheet_off": "–",
    "sheet_rests": "·",
    "sheet_correct": _("Read it aloud. If a deal is wrong, press its number and correct it."),
    "ask.sheet": _("Everybody agrees. Who says so?"),
    "sheet_other_device": _("Another player now agrees on another device: there, the table’s code opens this screen."),
    "on_sheet": _("From the paper sheet of the game"),
    "etui@free": _("Deal %(etui)s"),
    "position@free": _("Game %(position)s"),
    "position_of@free": _("game %(position)s/%(positions)s"),
    "positions@free": _("Other games"),
    "receipt_of@free": _("Deal %(etui)s received at %(time)s, entry no. %(number)s"),
    "who_enters_note@free": _("At the end of each game, somebody else reads the sheet and agrees."),
    "ask.etui@free": _("Game %(position)s: which deal are you playing?"),
    "of_etui@free": _("Deal %(etui)s, %(name)s takes"),
    "marks@free": _("What each player scores"),
    "ask.order@free": _("Deal %(etui)s now?"),
    "order.other@free": _("Deal %(first)s comes first."),
    "order.early@free": _("Game %(position)s has not been called yet."),
    "order.last_call@free": _(
        "After the last call no table deals again. If you do not play it, mark it as not played."
    ),
    "order_yes@free": _("Yes, deal %(etui)s"),
    "ask.agree@free": _("%(name)s, do you agree with the entry for deal %(etui)s?"),
    "to_the_list@free": _("Back to the deals"),
    "closed@free": _("This game is closed: only the director can correct it now."),
    "etuis_of@free": _("The deals of game %(position)s"),
    "coming@free": _("Game %(position)s, to come"),
    "complete@free": _("Game %(position)s is complete"),
    "rest_explained@free": _("Nobody plays here in this game."),
    "owed@free": _("Still missing from earlier games:"),
    "owed_etui@free": _("Deal %(etui)s of game %(position)s"),
    "where_left@free": _("After game %(position)s"),
    "request_of@free": _("Deal %(etui)s, game %(position)s: %(name)s asks for a correction"),
    "ask.summary@free": _("Is this right?"),
    "fiche@free": _("For each defender:"),
}
