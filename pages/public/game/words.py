"""The messages of the friendly game in every language of the site, for its scripts, and its version.

Sentences about results and the questions of a deal are those of the table's screen.
"""

import hashlib
import json
import re
from functools import cache

from django.conf import settings
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, override, pgettext_lazy

from evenings.tables import words as table_words
from evenings.tables.words import Words, find_file, forms

TEMPLATES = settings.BASE_DIR / "templates"
STATIC = settings.BASE_DIR / "pages" / "static"
PAGE, WORKER, KEEPING = TEMPLATES / "game/page.html", TEMPLATES / "game/sw.js", TEMPLATES / "table/_keeping.js"
# The files of the game: those named in its template, its own scripts, and those scripts of the table that it imports.
NAMED = re.findall(r'{% get_static_prefix %}([^"]+)"', PAGE.read_text(encoding="utf-8"))
OWN = [script.relative_to(STATIC).as_posix() for script in (STATIC / "game").rglob("*.js")]
SHARED = [
    "table/device/shell.js",
    "table/device/store.js",
    "table/state/score.js",
    "table/views/dom.js",
    "table/views/pad.js",
    "table/words.js",
]
FILES = sorted({*NAMED, *OWN, *SHARED})

# The messages of the table's screen that the game uses too: families of keys, and single keys.
FAMILIES = ("contract", "poignee", "chelem", "points_of", "question", "score")
KEYS = (
    "ask.bonus", "ask.chelem", "ask.contract", "ask.petit", "ask.poignee", "ask.points", "ask.really", "ask.size",
    "ask.taker", "both_points", "chelem", "correct", "count.bouts", "counted_whose", "erase", "everyone_passed",
    "failed_by", "made_by", "next", "other_language", "petit_au_bout", "poignee", "poignee_none", "point",
    "points_missing", "points_pad", "really_no", "really_yes", "save", "save_correction", "side.attack", "side.defence",
    "side.none",
)  # fmt: skip
ERRORS = (
    "chelem_failed_points", "chelem_made_points", "chelem_suffered_points", "partner", "petit_au_bout_chelem",
    "petit_without_bout", "players", "points_half", "points_range", "points_too_high", "points_too_low",
    "poignees_one_hand", "poignees_trumps", "trick_for_each",
)  # fmt: skip

KEEPING_GAMES: Words = {
    "title": _("Friendly game"),
    "all": _("All games"),
    "new": _("New game"),
    "what": _("Type the names, then tap the result of each deal: the phone counts the points and says who deals next."),
    "none_kept": _("There is no game on this device yet."),
    "stays_here": _("Your games stay on this device: nothing is sent to the site, and you need no account."),
    "may_be_cleared": _(
        "Browsers may erase what they keep, for example after weeks without a visit. To be sure, share the game: its"
        " link holds everything."
    ),
    "works_offline": _("After this first visit the page works without internet, too."),
    "not_kept": _("This browser stores nothing at the moment: do not close this page before you have shared the game."),
    "undo": pgettext_lazy("take back the last change of a friendly game", "Undo"),
    "count_deals": ngettext_lazy("%(count)s deal", "%(count)s deals", "count"),
    "over": pgettext_lazy("state of a friendly game", "over"),
    "tab.game": pgettext_lazy("page of a friendly game", "Game"),
    "tab.sheet": pgettext_lazy("page of a friendly game", "Sheet"),
    "tab.players": pgettext_lazy("page of a friendly game", "Players"),
    "tab.share": pgettext_lazy("page of a friendly game", "Share"),
}

BEGINNING: Words = {
    "ask.names": _("Who plays?"),
    "names_help": _("Three to five players, in the order in which they deal."),
    "player": _("Player %(number)s"),
    "nobody": pgettext_lazy("an empty place at the table", "nobody"),
    "ask.end": _("When does the game end?"),
    "end.open": _("when we like"),
    "end.deals": _("after so many deals:"),
    "end.score": _("when somebody reaches:"),
    "end_of.deals": _("Number of deals"),
    "end_of.score": _("Score to reach"),
    "ask.five": _("You are five"),
    "five.all": _("all five play (the taker calls a king)"),
    "five.mort": _("four play, the dealer rests"),
    "begin": _("Begin"),
    "wrong.names": _("Type at least three names."),
    "wrong.name": _("Type a name first."),
    "wrong.twice": _("Two players are called %(name)s: add a letter to one of the names."),
    "wrong.deals": _("Type a number of deals from 1 to %(most)s."),
    "wrong.score": _("Type a score from 1 to %(most)s."),
}

DEALS: Words = {
    "who_takes": _("Deal %(number)s: who takes?"),
    "who_takes_of": _("Deal %(number)s of %(deals)s: who takes?"),
    "deals_and_leads": _("%(dealer)s deals, %(leader)s speaks first."),
    "rests": _("%(name)s rests."),
    "other_dealer": _("Somebody else deals"),
    "ask.dealer": _("Who deals?"),
    "all_passed": _("Everyone passed: the next player deals after %(name)s."),
    "go_on_entering": _("Go on: %(name)s takes"),
    "ask.partner": _("Who plays with %(name)s?"),
    "alone": pgettext_lazy("at five, the taker has no partner", "alone"),
    "alone_note": _("the called card was in the taker’s hand or in the chien"),
    "ask.bouts": _("How many bouts does the taker have?"),
    "ask.bouts_of_both": _("How many bouts does the attack have?"),
    "bouts_are": _("Those in the tricks of the attack, and the Excuse if the attack kept it."),
    "target": _("%(target)s points to make"),
    "points_of_attack": _("of the attack"),
    "half": _("half a point more"),
    "trumps": _("%(trumps)s trumps"),
    "correcting": _("You are correcting deal %(number)s."),
    "entered": _("Deal %(number)s is written down."),
    "corrected": _("Deal %(number)s is corrected."),
    "removed": _("Deal %(number)s is removed."),
    "remove": _("Remove this deal"),
    "deal": _("Deal %(number)s"),
    "took": _("%(name)s takes"),
    "took_alone": _("%(name)s takes, alone"),
    "took_with": _("%(name)s takes, with %(partner)s"),
    "for_each_defender": _("For each defender"),
    "marks": _("What each player scores"),
    "wins": _("%(name)s wins"),
    "win_together": _("Equal: %(names)s"),
    "same_players": _("Another game"),
    "one_more": _("Play on"),
    "goes_on": _("The game goes on."),
    "full": _("A game has at most %(most)s deals: begin another one."),
    "curve": _("The totals, deal by deal"),
    "sheet": _("Score sheet"),
    "sheet_is": _("What each player scored in each deal, with the total so far below it"),
    "sheet_legend": _("Bold: the taker and the partner. Small: the total so far."),
    "sheet_tap": _("Tap a number to see or correct a deal."),
    "is_taker": _("takes, in this deal"),
    "is_partner": _("partner, in this deal"),
    "deal_column": _("Deal"),
    "total": pgettext_lazy("of a score sheet", "Total"),
    "print": pgettext_lazy("a score sheet", "Print"),
    "printed": _("Friendly game of %(day)s"),
    "no_deal_yet": _("No deal has been played yet."),
}

PLAYERS: Words = {
    "players": _("Players and end"),
    "order_is": _("In the order in which they deal. You can change it between two deals."),
    "move_up": _("Move %(name)s one place up"),
    "moved": _("%(name)s sits one place earlier."),
    "leaves": pgettext_lazy("a player leaves the friendly game", "Leaves"),
    "leaves_of": _("%(name)s leaves the game"),
    "left": _("%(name)s has left the game."),
    "joined": _("%(name)s plays from the next deal on."),
    "comes_back": _("%(name)s comes back"),
    "comer": _("Somebody joins in"),
    "joins": pgettext_lazy("a player joins the friendly game", "Add"),
    "table_full": _("Five players are at the table: somebody else can join in when one of them leaves."),
    "keep_settings": _("Save the end of the game"),
    "settings_kept": _("It is saved."),
    "erase": _("Erase this game"),
    "erased": _("The game is erased."),
}

SHARING: Words = {
    "share": _("Share the game"),
    "share_is": _(
        "The link holds the whole game. Whoever opens it gets a copy of their own; the game does not pass through the"
        " site."
    ),
    "send": _("Send the link"),
    "copy": _("Copy the link"),
    "copied": _("The link is copied."),
    "copy_yourself": _("The browser does not let this page copy. The link is selected: copy it."),
    "link": pgettext_lazy("of a friendly game", "Link"),
    "ask.keep": _("Keep a copy of this game?"),
    "keep_copy": _("Keep a copy on this device"),
    "leave_it": _("No, leave it"),
    "same_here": _("This game is here already"),
    "open": pgettext_lazy("a friendly game", "Open it"),
    "ask.replace": _("This device has this game already"),
    "differs": _("Deals: %(here)s here, %(link)s in the link. Nothing is replaced unless you say so."),
    "keep_both": _("Keep both"),
    "replace": _("Replace mine with the one from the link"),
    "replaced": _("Your game has been replaced with the one from the link."),
    "link_fails": _("This link does not open"),
    "link.cut": _(
        "A part of the link is missing or changed. Ask for it once more, and copy it whole or open it with one tap."
    ),
    "link.newer": _(
        "The link comes from a newer version of this page: reload the page while online, then open the link again."
    ),
    "link.long": _("The link holds more deals than a game can have here (200)."),
}


def in_one_language(language: str) -> dict[str, str | list[str]]:
    """Return every message of the game by its key, in a language."""
    with override(language):
        own = KEEPING_GAMES | BEGINNING | DEALS | PLAYERS | SHARING  # type: ignore[operator]
        words = {f"game.{key}": forms(text) for key, text in own.items()}
    shared = table_words.catalogue()[language]
    errors = {f"error.{code}" for code in ERRORS}
    return words | {
        key: text for key, text in shared.items() if key in KEYS or key in errors or key.split(".")[0] in FAMILIES
    }


@cache
def catalogue() -> dict[str, dict[str, str | list[str]]]:
    """Return every message of the game, by language and then by key."""
    return {language: in_one_language(language) for language, _name in settings.LANGUAGES}


@cache
def version() -> str:
    """Return a digest of the game's messages, scripts and templates, 16 letters long.

    When it changes, browsers load the page again.
    """
    digest = hashlib.sha256(json.dumps(catalogue(), sort_keys=True).encode())
    for path in (*map(find_file, FILES), PAGE, WORKER, KEEPING):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
