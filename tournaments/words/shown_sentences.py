"""The texts about how a player is shown in public: the three choices with examples, and the choice made last."""

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from clubs.models import Player, ShownWord, Visibility
from clubs.shown import YOUNG, call_as, newest_words, privacy

MEANINGS: Mapping[str, str | Promise] = {
    Visibility.NAME: gettext_lazy(
        "Rankings and files show the name, and a page brings together the published results."
    ),
    Visibility.INITIALS: gettext_lazy(
        "Rankings and files show the initials; no page brings together the published results, and no search finds them."
    ),
    Visibility.HIDDEN: gettext_lazy(
        "These words appear everywhere; only the sessions of one tournament are still linked with one another."
    ),
}
WAYS: Mapping[str, str | Promise] = {
    ShownWord.WordWay.ACCOUNT: gettext_lazy("by the player, logged in"),
    ShownWord.WordWay.LINK: gettext_lazy("through the player’s own link"),
    ShownWord.WordWay.DIRECTOR: gettext_lazy("by a director"),
}
OWN_WORD = gettext_lazy("the player asked for it")
CLUBS_WORD = gettext_lazy("a director of the club asked for it")
ELSEWHERE = gettext_lazy("it was asked for in another club where this player plays")
UNSAID = gettext_lazy("players under 18 and juniors are shown by initials if nobody has chosen")


class Choice(NamedTuple):
    """One way to show a player: `example` is the text shown for the name, and `meaning` explains the choice.

    `is_chosen` is True for the choice that was made last on this kind of page. If none was made there, it is True for
    the way in which the player is shown now.
    """

    shown: Visibility
    example: str
    meaning: str
    is_chosen: bool


class Choices(NamedTuple):
    """The choices for a player, for a page on which the player or a director chooses.

    `now` is the way in which the player is shown at present. `because` says who asked for more privacy than was chosen
    here, or is "". `word` is the last choice made by this kind of person, or None, and `how` says how it was made.
    """

    player: Player
    choices: list[Choice]
    now: Choice
    word: ShownWord | None
    how: str
    because: str


def choices_of(player: Player, *, own: bool) -> Choices:
    """Return the choices for the page of the player (`own`), or for the page of a director of the player's club.

    This takes two queries, and one more for the person.
    """
    newest = newest_words(player.person).select_related("by", "player").order_by("-pk")
    words = [word for word in newest if word.shown]
    mine = next((word for word in words if word.own == own and is_about(word, player)), None)
    now = player.person.shown
    chosen = mine.shown if mine else now
    choices = [Choice(each, call_as(player, each), str(MEANINGS[each]), each == chosen) for each in Visibility]
    stands = next(choice for choice in choices if choice.shown == now)
    because = why_stricter(player, words) if privacy(now) > privacy(chosen) else ""
    return Choices(player, choices, stands, mine, str(WAYS[mine.way]) if mine else "", because)


def is_about(word: ShownWord, player: Player) -> bool:
    """Return whether a choice was made for this player, or for the player into whom this one was merged."""
    return player.pk in (word.player_id, word.player.merged_into_id)


def why_stricter(player: Player, words: list[ShownWord]) -> str:
    """Return the text that names the person or club that asked for more privacy than was chosen here."""
    word = next((word for word in words if word.shown == player.person.shown), None)
    if word is None:
        return str(UNSAID if player.category in YOUNG else ELSEWHERE)
    if word.own:
        return str(OWN_WORD)
    return str(CLUBS_WORD if word.player.club_id == player.club_id else ELSEWHERE)
