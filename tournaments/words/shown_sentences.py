"""How a person is shown in public, in words: the three choices with an example, what each means, who chose last."""

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from clubs.models import Player, Shown, ShownWord
from clubs.shown import YOUNG, call_as, newest_words, privacy

MEANINGS: Mapping[str, str | Promise] = {
    Shown.NAME: gettext_lazy("Rankings and files have the name, and a page gathers what was published."),
    Shown.INITIALS: gettext_lazy(
        "Rankings and files have the initials; no page gathers what was published, no search finds it."
    ),
    Shown.HIDDEN: gettext_lazy("These words stand everywhere; only the sessions of one tournament still go together."),
}
WAYS: Mapping[str, str | Promise] = {
    ShownWord.Way.ACCOUNT: gettext_lazy("by the player, logged in"),
    ShownWord.Way.LINK: gettext_lazy("by the player’s own link"),
    ShownWord.Way.DIRECTOR: gettext_lazy("by a director"),
}
OWN_WORD = gettext_lazy("the player asked for it")
CLUBS_WORD = gettext_lazy("a director of the club asked for it")
ELSEWHERE = gettext_lazy("it was asked for in another club where this player plays")
UNSAID = gettext_lazy("under 18 and juniors stand by initials where nobody has chosen")


class Choice(NamedTuple):
    """One way of being shown: what then stands for the player, and whether it is what the chooser last chose."""

    shown: Shown
    example: str
    meaning: str
    is_chosen: bool


class Choices(NamedTuple):
    """`now` is what stands in public, and `because` says who asked for more privacy than was chosen here; `word` is
    what the chooser last said, None where nothing, and `how` is in which way."""

    player: Player
    choices: list[Choice]
    now: Choice
    word: ShownWord | None
    how: str
    because: str


def choices_of(player: Player, *, own: bool) -> Choices:
    """For the player or, not `own`, for a director of the player's club. Two queries beside the person's."""
    newest = newest_words(player.person).select_related("by", "player").order_by("-pk")
    words = [word for word in newest if word.shown]
    mine = next((word for word in words if word.own == own and is_about(word, player)), None)
    now = player.person.shown
    chosen = mine.shown if mine else now
    choices = [Choice(each, call_as(player, each), str(MEANINGS[each]), each == chosen) for each in Shown]
    stands = next(choice for choice in choices if choice.shown == now)
    because = why_stricter(player, words) if privacy(now) > privacy(chosen) else ""
    return Choices(player, choices, stands, mine, str(WAYS[mine.way]) if mine else "", because)


def is_about(word: ShownWord, player: Player) -> bool:
    return player.pk in (word.player_id, word.player.merged_into_id)


def why_stricter(player: Player, words: list[ShownWord]) -> str:
    """Who asked for what stands in public, where it is more private than what was chosen."""
    word = next((word for word in words if word.shown == player.person.shown), None)
    if word is None:
        return str(UNSAID if player.category in YOUNG else ELSEWHERE)
    if word.own:
        return str(OWN_WORD)
    return str(CLUBS_WORD if word.player.club_id == player.club_id else ELSEWHERE)
