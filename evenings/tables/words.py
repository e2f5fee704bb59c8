"""The messages of the table's screen in every language of the site, for its scripts, which have no gettext.

Tables that deal their own cards have more of them.

The page contains all messages in all languages. So it is the same for every table, and the browser can cache it for
times without a network. Sentences about results come from `tournaments.words`.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, override, pgettext_lazy

from deals.domain.cards import CARDS
from scoring.errors import ScoringError
from tournaments.rules.entry import EntryError
from tournaments.words.figures import SUIT_NAMES, SUITS, decimal_point, name_card, percent_sign
from tournaments.words.messages import LABELS, translate
from tournaments.words.sentences import LINES, QUESTIONS
from tournaments.words.team_plans import BADGES, COLOURS

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
    "late@free": _("The next game has been called. Still missing here:"),
    "owed@free": _("Still missing from earlier games:"),
    "owed_etui@free": _("Deal %(etui)s of game %(position)s"),
    "where_left@free": _("After game %(position)s"),
    "request_of@free": _("Deal %(etui)s, game %(position)s: %(name)s asks for a correction"),
    "ask.summary@free": _("Is this right?"),
    "fiche@free": _("For each defender:"),
}


TEMPLATES = settings.BASE_DIR / "templates" / "table"
# The files of the screen: those named in the page's template, and all scripts in the folder SCRIPTS.
NAMED = re.findall(r'{% get_static_prefix %}([^"]+)"', (TEMPLATES / "screen.html").read_text(encoding="utf-8"))
SCRIPTS = settings.BASE_DIR / "pages" / "static" / "table"
FILES = sorted({*NAMED, *(script.relative_to(SCRIPTS.parent).as_posix() for script in SCRIPTS.rglob("*.js"))})

Words = Mapping[str, str | Promise]

PLACES: Words = {
    "table": _("Table %(table)s"),
    "position": _("Position %(position)s"),
    "position_of": _("position %(position)s/%(positions)s"),
    "positions": _("Other positions"),
    "etui": _("Étui %(etui)s"),
    "menu": _("Menu"),
    "who_sits_where": _("Who sits where"),
    "nobody_sits": _("nobody"),
    "takes": pgettext_lazy("beside the taker's name", "takes"),
    "leads": pgettext_lazy("beside the leader's name", "leads"),
    "takes_and_leads": _("takes and leads"),
    "leader_is": _("%(name)s leads"),
    "time_over": _("Time is up"),
    "last_call": _("Last call"),
}

NETWORK: Words = {
    "connecting": _("One moment: connecting to the site"),
    "all_received": _("Everything is received"),
    "kept_here": ngettext_lazy(
        "%(count)s entry is kept here, not yet received.", "%(count)s entries are kept here, not yet received.", "count"
    ),
    "net.offline": _("No network."),
    "net.portal": _("The wifi asks for a log-in: open its page."),
    "net.trouble": _("The site is not responding properly."),
    "net.gone": _("This code is no longer valid: ask the director for the new card."),
    "receipt_waits": _("Kept here, not yet received."),
    "receipt": _("Received at %(time)s, entry no. %(number)s."),
    "receipt_of": _("Étui %(etui)s received at %(time)s, entry no. %(number)s"),
    "not_durable": _("This browser stores nothing: do not close or reload this page until every entry is received."),
    "not_kept": _("This device has no room to store it. Free some space, then save again."),
    "nothing.offline": _("No network"),
    "nothing.offline_do": _(
        "This table has not been opened on this device yet. Connect to the wifi: the screen then opens."
    ),
    "nothing.portal": _("The wifi asks for a log-in first"),
    "nothing.portal_do": _("Open any other page, accept what the wifi asks, and come back."),
    "nothing.trouble": _("The site is not responding properly"),
    "nothing.trouble_do": _("It tries again in a few seconds. If this goes on, call the director."),
    "nothing.gone": _("This code does not work"),
    "nothing.gone_do": _("It is no longer valid, or never was: ask the director for the table card."),
}

JOINING: Words = {
    "join_title": _("Good evening, table %(table)s"),
    "join_taken": _("Another device is already at table %(table)s"),
    "join_write": _("Enter the results on this device"),
    "join_follow": _("Follow on this device"),
    "join_follow_note": _("The other device still enters results. The other side can confirm here."),
    "take_over": _("Take over: enter results here"),
    "leave": _("This device (%(name)s) leaves the table"),
    "following": _("Another device enters the results of this table. This one follows."),
    "who_enters": _("Who enters the results?"),
    "who_enters_note": _("The other side then confirms: the taker, or a defender if the taker enters."),
    "arbiter_here": _("The arbiter rules here"),
    "director_mode": _("Go to the desk"),
    "other_language": pgettext_lazy("the name of the other language, in that language", "Français"),
    "call": _("Call the arbiter"),
    "uncall": _("Arbiter called: cancel"),
    "uncall_kept": _("Call not sent: cancel"),
    "call_why": _("What is it about?"),
    "call_why_note": _("The arbiter has been called. Say why if you like: it helps."),
    "call_over": _("The arbiter has not been called"),
    "call_kept": _("Your call has not left this device: raise your hand."),
    "arbiter_comes": _("The arbiter is coming to your table"),
    "back": _("Back"),
    "next": pgettext_lazy("to the next question", "Next"),
}

TEAMS: Words = {
    "ask.attacker": _("%(team)s attacks: who takes?"),
    "attacker_turn": _("whose turn it is"),
    "attacker_other": _("out of turn"),
    "attacks": _("%(team)s attacks"),
    "defends": _("%(team)s defends: its captain seats the three players."),
    "side.N": _("North-South"),
    "side.E": _("East-West"),
    "south_writes": _(
        "South attacks every étui of the session, and writes the results. If somebody else sits there, call the"
        " arbiter."
    ),
    "side_attacks": pgettext_lazy("part of a team at a table", "Attack"),
    "side_defends": pgettext_lazy("part of a team at a table", "Defence"),
    "tables": _("tables %(tables)s"),
    **{f"badge.{place}": COLOURS[badge] for place, badge in BADGES.items()},
}

ENTRY: Words = {
    "ask.etui": _("Which étui are you playing?"),
    "ask.taker": _("Who takes?"),
    "ask.contract": _("What does %(name)s play?"),
    "ask.bouts": _("Which bouts does %(name)s have?"),
    "bouts.none": pgettext_lazy("which bouts a side has", "none"),
    **{f"bouts.{bout}": word for bout, word in LABELS["bout"].items()},
    "bouts.all": _("all three"),
    "bouts_are": _("Those in the taker’s tricks, and the Excuse if the taker kept it."),
    "ask.points": _("How many points?"),
    "counted_whose": _("Whose points do you count?"),
    "points_of.taker": _("of the taker"),
    "points_of.defence": _("of the defence"),
    "points_pad": _("0 to 91"),
    "points_missing": _("Type the points first."),
    "made_by": _("taker %(points)s: made by %(difference)s"),
    "failed_by": _("taker %(points)s: failed by %(difference)s"),
    "erase": _("Erase the last digit"),
    "ask.bonus": _("Any bonus?"),
    "no_bonus": _("No bonus"),
    "petit_au_bout": _("Petit au bout"),
    "poignee": _("Poignée"),
    "chelem": _("Chelem"),
    "ask.petit": _("Who has the petit au bout?"),
    "petit.none": _("nobody"),
    "petit.attack": _("the taker"),
    "petit.defence": _("the defence"),
    "ask.poignee": _("Who showed a poignée?"),
    "ask.size": _("Which poignée did %(name)s show?"),
    "poignee_none": _("no poignée"),
    "trumps": _("%(trumps)s trumps"),
    "ask.chelem": _("Was there a chelem?"),
    "everyone_passed": _("Everyone passed"),
    "ask.really": _("Is that right?"),
    "really_yes": _("Yes, that is right"),
    "really_no": _("No, correct it"),
    "ask.summary": _("Is this the fiche?"),
    "ask.summary_blind": _("Is this what you have?"),
    "of_etui": _("Étui %(etui)s, %(name)s takes"),
    "both_points": _("attack %(attack)s, defence %(defence)s"),
    "count.bouts": ngettext_lazy("%(count)s bout", "%(count)s bouts", "count"),
    "was_made": _("made by %(difference)s"),
    "was_failed": _("failed by %(difference)s"),
    "only_fiche": _("Leave the fiche to the arbiter"),
    "ask.figure": _("What is written on the fiche?"),
    "column.plus": _("+ for the taker"),
    "column.minus": _("− against the taker"),
    "figure_is": _("The base score as written on the fiche, not multiplied by three."),
    "figure_missing": _("Type the amount first."),
    "fiche": _("Fiche:"),
    "marks": _("What each of the four scores"),
    "save": _("Save"),
    "save_correction": _("Save the correction"),
    "correct": _("Correct"),
    "ask.order": _("Étui %(etui)s now?"),
    "order.other": _("Étui %(first)s comes first. Look at the number on the étui."),
    "order.early": _("Position %(position)s has not been called yet."),
    "order.last_call": _(
        "After the last call no table starts another étui. If you do not play this one, mark it as not played."
    ),
    "order_yes": _("Yes, étui %(etui)s"),
    "order_begun": _("We started it before: enter it"),
    "order_no": _("No, back to the list"),
    "not_played": _("Not played"),
    "undo_not_played": _("It is played after all"),
}

CHECKING: Words = {
    "hand_over": _("Hand the device to %(name)s"),
    "your_word": _("%(name)s, your turn"),
    "ask.agree": _("%(name)s, do you agree with the entry for étui %(etui)s?"),
    "agree_yes": _("Yes, I agree"),
    "agree_no": _("No, something is wrong"),
    "ask.disagree": _("Something is wrong: what now?"),
    "correct_together": _("We correct it together"),
    "leave_to_arbiter": _("Leave it to the arbiter"),
    "leave_to_arbiter_note": _("We tell the arbiter; the entry stays until then."),
    "blind_explained": _("%(name)s enters the result too, without seeing the first entry."),
    "blind_begin": _("Enter the result"),
    "saved": _("It is saved"),
    "other_device": _("%(name)s now confirms on another device: there, the table’s code opens this screen."),
    "to_the_check": _("The other side’s turn"),
    "to_the_list": _("Back to the étuis"),
    "state.todo": _("to play"),
    "state.started": _("being played"),
    "state.draft": _("entry started"),
    "state.kept": _("kept here"),
    "state.entered": pgettext_lazy("state of a play", "entered"),
    "state.to_check": _("to confirm"),
    "state.confirmed": _("confirmed"),
    "state.disputed": _("disputed"),
    "state.not_played": _("not played"),
    "state.later": _("to be played later"),
    "state.adjusted": pgettext_lazy("state of a play", "decided by the arbiter"),
    "state.annulled": pgettext_lazy("state of a play", "annulled"),
    "state.look": _("check it"),
    "state.withdrawn": _("withdrawn: enter it again"),
    "arbiter.entered": _("entered by the arbiter"),
    "arbiter.corrected": _("corrected by the arbiter"),
    "arbiter.confirmed": _("confirmed by the arbiter"),
    "typed_kept": _("We have kept what you typed: %(score)s."),
    "understood": _("Understood"),
    "final": _("This result is settled: only the director can correct it now."),
    "closed": _("This position is closed: only the director can correct it now."),
}

POSITIONS: Words = {
    "etuis_of": _("The étuis of position %(position)s"),
    "coming": _("Position %(position)s, to come"),
    "complete": _("Position %(position)s is complete"),
    "rests": _("This table rests"),
    "rest_explained": _("No étui is played here in this position."),
    "late": _("The next position has been called. Still missing here:"),
    "owed": _("Still missing from earlier positions:"),
    "owed_etui": _("Étui %(etui)s of position %(position)s"),
    "where_next": _("Where each of you goes next"),
    "where_left": _("After position %(position)s"),
    "goes_rest": _("rests"),
    "last_position": _("It was the last one. Thank you, and good night."),
    "after.topage": _("This étui so far: fiche, and the taker’s note"),
    "after.ranking": _("The ranking so far"),
    "after.topage_mp": _("This étui so far: fiche, and the attacker’s match points"),
    "after.ranking_mp": _("The sums of match points so far"),
    "match_points": _("%(points)s MP"),
}

RESULTS: Words = {
    "results.provisional": _("Your results, provisional"),
    "results.official": _("Your results, official"),
    "results_rest": _("Nobody was at this table at the end. Everybody’s result is in the ranking."),
    "rank": _("rank %(rank)s"),
    "unranked": pgettext_lazy("in a ranking", "unranked"),
    "feuille": _("Feuille de route"),
    "feuille_of": _("Feuille de route of %(name)s"),
    "whole_ranking": _("The whole ranking"),
    "evening_over": _("The evening is over"),
    "evening_closed": _("Nothing more can be entered here. The ranking comes once the results are checked."),
}

RECORDS: Words = {
    "ask.lead": _("What did %(name)s lead?"),
    "record_how": _("Tap each card in the order of play."),
    "lead_never": _("Do not ask for the lead any more"),
    "lead_always": _("Ask for the lead after each result"),
    "skip": pgettext_lazy("leave a question without an answer", "Skip"),
    "lead_keep": _("Keep %(card)s"),
    "deck": _("The cards"),
    **{f"suit.{number}": SUIT_NAMES[suit] for number, suit in enumerate(SUITS)},
    "suit.4": _("trumps and Excuse"),
    "trick": _("Trick %(trick)s"),
    "trick_won": _("%(name)s wins trick %(trick)s"),
    "record_turn": _("Trick %(trick)s: %(name)s plays"),
    "record_over": _("Every card is recorded"),
    "record_undo": pgettext_lazy("take back the last card", "Undo"),
    "record_stop": _("Stop here"),
    "card_taken": pgettext_lazy("a card, already recorded", "played"),
    "card_denied": _("%(name)s has no %(card)s since trick %(trick)s. Undo, or:"),
    "card_denied_short": _("%(name)s cannot have it"),
    "card_really": _("it was played (revoke)"),
    "claim": pgettext_lazy("who has the tricks that are left", "The rest"),
    "ask.claim": _("Who has all the tricks that are left?"),
    "claim_note": _("The record ends here, as the table agreed."),
    "claimed.attack": _("The taker has the rest"),
    "claimed.defence": _("The defence has the rest"),
    "lead_noted": _("Lead:"),
    "cards_noted": ngettext_lazy("%(count)s card recorded", "%(count)s cards recorded", "count"),
    "record.lead": _("The lead is recorded"),
    "record.part": _("A part of the cards is recorded"),
    "record.whole": _("Every card is recorded"),
    "record_elsewhere": _("(by another device, or by the director)"),
    "record_none": _("The cards are not recorded"),
    "record_lead": _("Record the lead"),
    "record_cards": _("Record the cards"),
    "record_change": pgettext_lazy("the recorded cards", "Change"),
    "record_differs": _(
        "The recorded cards give %(score)s, and the result says %(entered)s. Check both: nothing changes by itself."
    ),
}

REQUESTS: Words = {
    "request_of": _("Étui %(etui)s, position %(position)s: %(name)s asks for a correction"),
    "request_agree": _("Do the others agree?"),
    "agrees": pgettext_lazy("one of the three others", "agrees"),
    "denies": pgettext_lazy("one of the three others", "disagrees"),
    "agrees_of": _("%(name)s agrees"),
    "denies_of": _("%(name)s does not agree"),
}

KINDS = ("call", "contract", "line", "letter", "side", "poignee", "chelem")


class Slots(dict[str, Any]):
    """A dict for `message % Slots(count)`: it chooses the plural form, and leaves all placeholders in the message.

    After that, `first` is the name of the first placeholder in the message. The number of that placeholder chooses the
    plural form.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self.first = ""

    def __missing__(self, name: str) -> "Slot":
        self.first = self.first or name
        return Slot(self.count, name)


class Slot(int):
    """A number that chooses between singular and plural, and is written as its own placeholder: "%(count)s"."""

    name: str

    def __new__(cls, count: int, name: str) -> "Slot":
        slot = super().__new__(cls, count)
        slot.name = name
        return slot

    def __str__(self) -> str:
        return f"%({self.name})s"


def forms(text: str | Promise) -> str | list[str]:
    """Return a message with its placeholders, for the screen's scripts.

    A message with a plural is a list: the singular, the plural, and the name of the placeholder that chooses.
    """
    one, other = Slots(1), Slots(2)
    singular, plural = text % one, text % other
    return str(singular) if singular == plural else [str(singular), str(plural), other.first]


def in_one_language() -> dict[str, str | list[str]]:
    """Return every message of the screen by its key, in the active language."""
    own = PLACES | NETWORK | JOINING | TEAMS | ENTRY | CHECKING | POSITIONS | RESULTS | RECORDS | REQUESTS | FREE_WORDS  # type: ignore[operator]
    errors = {code: translate(text) for kind in (EntryError, ScoringError) for code, text in kind.messages.items()}
    told = {"error": errors, "question": QUESTIONS.texts, "score": LINES.texts}
    sentences = {f"{name}.{code}": text for name, texts in told.items() for code, text in texts.items()}
    labels = {f"{kind}.{value}": text for kind in KINDS for value, text in LABELS[kind].items()}
    signs = {"point": decimal_point(), "percent": percent_sign()}
    cards = {f"card.{card}": name_card(card) for card in range(CARDS)}
    return {key: forms(text) for key, text in (own | sentences | labels).items()} | signs | cards


@cache
def catalogue() -> dict[str, dict[str, str | list[str]]]:
    """Return every message of the screen, by language and then by key."""
    words = {}
    for language, _name in settings.LANGUAGES:
        with override(language):
            words[language] = in_one_language()
    return words


@cache
def version() -> str:
    """Return a digest of the screen's messages, scripts and templates, 16 letters long.

    When it changes, browsers load the screen again.
    """
    digest = hashlib.sha256(json.dumps(catalogue(), sort_keys=True).encode())
    for path in (*map(find_file, FILES), *(TEMPLATES / name for name in ("screen.html", "sw.js", "_keeping.js"))):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def find_file(name: str) -> Path:
    path = finders.find(name)
    assert isinstance(path, str), name
    return Path(path)
