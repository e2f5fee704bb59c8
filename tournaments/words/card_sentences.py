"""The sentences about cards, étuis and their sets: what is wrong in what was typed, sent or asked for. Data only."""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from deals.domain.board import BoardError
from deals.domain.deal import DealError
from deals.domain.dealing import DealingError
from deals.domain.notation import NotationError
from deals.domain.profile import ProfileError
from deals.domain.reading import ExchangeError
from deals.domain.typed import TypedError
from deals.services import DealSetRefused
from tournaments.words.family import Family

REVEALED = _("The seed of this set is revealed, so that everybody knows its cards: make another set.")

CARD_FAMILIES: Mapping[type[object], Family] = {
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
