"""The pages of a tournament and of a session, in at most five parts, as their form of play has them."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from pages.parts.form_parts import TOURNAMENT_SETTINGS
from pages.places import PlaceFacts, PlacePage, PlacePart
from scoring.formats import Format
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
    PlacePage("tables", _("Devices"), when=lambda facts: facts.phones and not facts.draft),
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


def list_tournament_parts(form: Format) -> tuple[PlacePart, ...]:
    """Return the parts of a tournament of this form of play."""
    with_teams = form.is_for_teams or form.sums_teams
    meetings = (
        *((PlacePage("matches", _("Matches"), Can.READ),) if form.has_matches else ()),
        *((PlacePage("prepare_teams", _("Teams")),) if with_teams else ()),
    )
    return (
        PlacePart(
            _("Sessions"),
            (
                PlacePage("tournament", _("Sessions"), Can.READ, ("session_new",)),
                PlacePage("evenings", _("Coming evenings")),
                PlacePage("sections", _("Sections")),
            ),
        ),
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
        *((PlacePart(_("Teams"), meetings),) if meetings else ()),
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
    typed = (
        PlacePage("sheets", _("Type sheets"), Can.ENTER, ("bulk",), when=has_begun)
        if form.has_free_deals
        else PlacePage("bulk", _("Type fiches"), Can.ENTER, ("sheets",), when=has_begun)
    )
    people = PlacePage("entrants", _("Teams") if form.is_for_teams else _("Players"), when=is_draft)
    players = (
        people,
        REGISTRATION,
        *(() if form.is_for_teams else (GOES_ON,)),
        *((LINE_UPS,) if form.has_matches else ()),
        *(() if form.has_free_deals else (CHANGES,)),
        PENALTIES,
        CASH,
    )
    return (
        PlacePart(_("Evening"), (PREPARATION, EVENING, typed, WHO_PLAYS_WHERE, HALL)),
        PlacePart(_("Teams") if form.is_for_teams else _("Players"), players),
        list_tables(form),
        PRINT,
        RANKING,
    )


def list_tables(form: Format) -> PlacePart:
    """Return the part about what is played at which table: games, or étuis with tables and positions."""
    games = PlacePage("games", _("Games and tables") if form.has_free_deals else _("Tables"))
    if form.has_free_deals:
        return PlacePart(_("Tables"), (games,))
    choice = games if form.has_games else PlacePage("plan_choose", _("Tables and positions"), when=is_draft)
    return PlacePart(_("Étuis"), (PlacePage("etuis", _("Étuis")), choice, PUBLISHED_ETUIS))


def list_session_more(form: Format) -> tuple[PlacePage, ...]:
    """Return what only the sheet of the session has."""
    return MORE if form.has_free_deals else (*MORE, COURSE)
