"""The pages of a tournament and of a session, in at most five parts, as their form of play has them.

Each form of play has a value here, made from a near one. Nothing else asks which form of play it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from pages.parts.form_parts import TOURNAMENT_SETTINGS
from pages.places import PlaceFacts, PlacePage, PlacePart
from scoring.formats import (
    DOUBLETTES,
    FREE_AUCTION,
    FREE_AUCTION_3,
    FREE_AUCTION_5,
    FREE_DEALS,
    INDIVIDUAL,
    QUADRETTES,
    TEAM_MATCH,
    TRIPLETTES,
    Format,
)
from tournaments.permissions import Can


def is_draft(facts: PlaceFacts) -> bool:
    return facts.draft


def has_begun(facts: PlaceFacts) -> bool:
    return not facts.draft


def is_ranked(facts: PlaceFacts) -> bool:
    return facts.ranked


def keeps_cash(facts: PlaceFacts) -> bool:
    return facts.cash


MORE = (
    PlacePage("tables", _("Table phones"), when=lambda facts: facts.phones and not facts.draft),
    PlacePage("log", pgettext_lazy("of a session", "Log"), when=has_begun),
    PlacePage("session_edit", _("Session settings")),
)
COURSE = PlacePage("session_course", pgettext_lazy("of a session", "Course"), when=has_begun)
PREPARATION = PlacePage(
    "session", _("Preparation"), Can.READ, ("sign_up", "play", "play_adjust", "play_record"), when=is_draft
)
EVENING = PlacePage("session", _("Evening"), Can.READ, PREPARATION.also, when=has_begun)
HALL = PlacePage("hall", _("Hall screen"), Can.READ, when=has_begun)
WHO_PLAYS_WHERE = PlacePage("session_plan", _("Who plays where"), Can.READ, when=has_begun)
PENALTIES = PlacePage("penalties", _("Penalties"), when=has_begun)
CASH = PlacePage("cash", _("Cash box"), Can.ENTER, ("cash_fees", "cash_prizes", "cash_sheet"), when=keeps_cash)
REGISTRATION = PlacePage("registration", _("Registration"), also=("evening_mails",), when=is_draft)
GOES_ON = PlacePage("cut", _("Who goes on"), when=is_draft)
CHANGES = PlacePage("changes", _("Changes"), also=("change",), when=has_begun)
LINE_UPS = PlacePage("line_ups", _("Line-ups"))
PRINT = PlacePart(
    _("Print"),
    (
        PlacePage("prints", _("Papers"), when=has_begun),
        PlacePage("personal_links", _("Personal links"), when=has_begun),
    ),
    on_phone=False,
)
RANKING = PlacePart(
    _("Ranking"),
    (
        PlacePage("standings", _("So far"), also=("live_feuille", "live_etui"), when=has_begun),
        PlacePage("publish", _("Publication"), when=has_begun),
        PlacePage("session_requests", _("Correction requests"), also=("session_request",), when=is_ranked),
        PlacePage("ranking", _("Published"), Can.READ, ("ranking_version", "versions", "feuille"), when=is_ranked),
    ),
)
PUBLISHED_ETUIS = PlacePage(
    "published_etuis",
    _("Played étuis"),
    Can.READ,
    ("published_etui",),
    when=lambda facts: facts.etuis is not None,
    last=lambda facts: facts.etuis,
)


SESSIONS = (
    PlacePage("tournament", _("Sessions"), Can.READ, ("session_new",)),
    PlacePage("evenings", _("Coming evenings")),
)
TEAMS = PlacePage("prepare_teams", _("Teams"))
MATCHES = PlacePage("matches", _("Matches"), Can.READ)
ETUIS = PlacePage("etuis", _("Étuis"))
PLAN = PlacePage("plan_choose", _("Tables and positions"), when=is_draft)
GAMES = PlacePage("games", _("Tables"))
FICHES = PlacePage("bulk", _("Type fiches"), Can.ENTER, ("sheets",), when=has_begun)
SHEETS = PlacePage("sheets", _("Type sheets"), Can.ENTER, ("bulk",), when=has_begun)


@dataclass(frozen=True, slots=True)
class FormatPlaces:
    """The pages that differ from one form of play to another.

    - `sessions`, `teams`: the pages of a tournament about its sessions and about its teams.
    - `typed`: the page on which results are typed from paper.
    - `people`, `players`: who plays, as a label; the pages about them, after the list of those who play.
    - `tables`: the part about what is played at which table.
    - `more`: the pages that only the sheet of a session has.
    - `parts`: the templates that shared pages include, by the name of the place on the page.
    """

    sessions: tuple[PlacePage, ...]
    teams: tuple[PlacePage, ...]
    typed: PlacePage
    people: Promise
    players: tuple[PlacePage, ...]
    tables: PlacePart
    more: tuple[PlacePage, ...]
    parts: Mapping[str, str]


ALONE = FormatPlaces(
    sessions=(*SESSIONS, PlacePage("sections", _("Sections"))),
    teams=(),
    typed=FICHES,
    people=_("Players"),
    players=(GOES_ON, CHANGES),
    tables=PlacePart(_("Étuis"), (ETUIS, PLAN, PUBLISHED_ETUIS)),
    more=(*MORE, COURSE),
    parts={
        "commitment": "desk/_commitment.html",
        "playing": "desk/_playing.html",
        "feuille": "public/feuilles/_plays.html",
        "line": "personal/_line.html",
        "cards": "play/_cards.html",
        "cards_shown": "ranking/publish/_cards_shown.html",
    },
)
OF_TEAMS = replace(
    ALONE,
    teams=(TEAMS,),
    people=_("Teams"),
    players=(CHANGES,),
    parts={**ALONE.parts, "member_feuilles": "ranking/_member_feuilles.html"},
)
OF_LINE_UPS = replace(
    OF_TEAMS,
    parts={
        **OF_TEAMS.parts,
        "line_up": "personal/_line_up_link.html",
        "line_ups": "prepare/_line_ups.html",
        "own_line_up": "sign_up/_line_up.html",
    },
)
IN_GAMES = replace(
    ALONE,
    tables=PlacePart(_("Étuis"), (ETUIS, GAMES, PUBLISHED_ETUIS)),
    parts={**ALONE.parts, "games": "desk/draft/_settings.html"},
)
PLACES: Mapping[str, FormatPlaces] = {
    INDIVIDUAL.name: ALONE,
    DOUBLETTES.name: replace(
        ALONE, teams=(TEAMS,), players=(CHANGES,), parts={**ALONE.parts, "teams": "desk/draft/_teams.html"}
    ),
    FREE_AUCTION.name: ALONE,
    TRIPLETTES.name: OF_TEAMS,
    QUADRETTES.name: OF_LINE_UPS,
    TEAM_MATCH.name: replace(
        OF_LINE_UPS,
        teams=(MATCHES, TEAMS),
        players=(LINE_UPS, CHANGES),
        tables=PlacePart(_("Étuis"), (ETUIS, replace(PLAN, label=_("Tables and quarters")), PUBLISHED_ETUIS)),
        parts={**OF_LINE_UPS.parts, "matches": "public/matches/_link.html"},
    ),
    FREE_AUCTION_3.name: IN_GAMES,
    FREE_AUCTION_5.name: IN_GAMES,
    FREE_DEALS.name: replace(
        ALONE,
        sessions=SESSIONS,
        teams=(TEAMS,),
        typed=SHEETS,
        players=(GOES_ON,),
        tables=PlacePart(_("Tables"), (replace(GAMES, label=_("Games and tables")),)),
        more=MORE,
        parts={
            "feuille": "public/feuilles/_deals.html",
            "line": "personal/_deal_line.html",
            "teams": "desk/draft/_teams.html",
            "games": "desk/draft/_games.html",
            "next_game": "games/_next_game.html",
        },
    ),
}


def list_tournament_parts(form: Format) -> tuple[PlacePart, ...]:
    """Return the parts of a tournament of this form of play."""
    places = PLACES[form.name]
    return (
        PlacePart(_("Sessions"), places.sessions),
        PlacePart(
            _("Ranking"),
            (
                PlacePage(
                    "tournament_ranking",
                    _("Published"),
                    Can.READ,
                    ("tournament_version", "tournament_versions"),
                    when=is_ranked,
                ),
                PlacePage("tournament_standings", pgettext_lazy("ranking of a tournament", "So far")),
                PlacePage("tournament_publish", _("Publication")),
            ),
        ),
        *((PlacePart(_("Teams"), places.teams),) if places.teams else ()),
        PlacePart(
            _("Settings"),
            (
                *(PlacePage(name, section.label) for name, section in TOURNAMENT_SETTINGS.items()),
                PlacePage("tournament_archive", _("Archive")),
            ),
            on_phone=False,
        ),
    )


def list_session_parts(form: Format) -> tuple[PlacePart, ...]:
    """Return the parts of a session of this form of play."""
    places = PLACES[form.name]
    people = PlacePage("entrants", places.people, when=is_draft)
    return (
        PlacePart(_("Evening"), (PREPARATION, EVENING, places.typed, WHO_PLAYS_WHERE, HALL)),
        PlacePart(places.people, (people, REGISTRATION, *places.players, PENALTIES, CASH)),
        places.tables,
        PRINT,
        RANKING,
    )


def list_session_more(form: Format) -> tuple[PlacePage, ...]:
    """Return what only the sheet of the session has."""
    return PLACES[form.name].more
