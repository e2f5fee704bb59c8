"""The documents that directors can print: for an evening of single players, and for one of teams."""

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.formats import FREE_DEALS, IN_GAMES, QUADRETTES, TEAM_MATCH, TRIPLETTES, Format


class Document(NamedTuple):
    """A document to print: its name in addresses, its title, and a sentence about its use."""

    code: str
    title: str | Promise
    use: str | Promise


POSTER = Document(
    "poster",
    _("Poster: who plays where"),
    _("To put up: every position and table in starting numbers. A3; an A4 printer scales it to the page."),
)
SHEETS = Document(
    "sheets",
    _("Score sheets"),
    _("In case everything fails: each table’s étuis, with space for results and signatures. Print them in advance."),
)
FICHE = Document(
    "fiche",
    _("Blank fiches"),
    _("Fiches ambulantes without a number, four a page, for an étui that has lost its own."),
)
REPORT = Document(
    "report",
    _("Arbiter’s report"),
    _("For after the evening: times, changes, corrections, rulings, incidents, requests and publications."),
)
DOCUMENTS = (
    Document(
        "guides",
        _("Guide cards"),
        _("One for each player, to cut out: table, étuis and opponents, position by position."),
    ),
    Document(
        "cards",
        _("Table cards"),
        _("Half a page for each table: who comes with which étuis, and the code that opens the table’s screen."),
    ),
    POSTER,
    Document(
        "players",
        _("List of players"),
        _("For the door: everybody in alphabetical order, with line, number and first table."),
    ),
    SHEETS,
    FICHE,
    REPORT,
)
FEUILLES = (  # offered once a ranking is published
    Document(
        "feuilles",
        _("Feuilles de route"),
        _("Half a page for each player, to cut out: published figures and étuis, and the personal link."),
    ),
)
PLAYERS_OF_TEAMS = Document(
    "players",
    _("List of players"),
    _("For the door: everybody in alphabetical order, with team, colour and first table."),
)
TEAM_FEUILLES_OF_TEAMS = Document(
    "feuilles",
    _("Feuilles de route of the teams"),
    _("Half a page for each team: published figures and étuis, with the player who attacked."),
)
TEAM_DOCUMENTS = (
    Document(
        "guides",
        _("Guide cards"),
        _("One for each player, to cut out: the table and the other team, which étuis to attack, defend or wait for."),
    ),
    Document(
        "cards",
        _("Table cards"),
        _("Half a page for each table: who meets, which colour attacks each étui, and the code of the table’s screen."),
    ),
    Document(
        "badges",
        _("Badges"),
        _("Blue, white and red, one for each player, with the colour in words. Ten a page, to cut out."),
    ),
    POSTER,
    Document(
        "teams", _("List of teams"), _("To put up: every team with its players, their colours, and the first table.")
    ),
    PLAYERS_OF_TEAMS,
    SHEETS,
    FICHE,
    REPORT,
)
TEAM_FEUILLES = (
    TEAM_FEUILLES_OF_TEAMS,
    Document(
        "member_feuilles",
        _("Feuilles de route of the players"),
        _("Half a page for each player, to cut out: the étuis attacked, defended or waited for, the personal link."),
    ),
)
EMPTY_LINE_UPS = Document(
    "line_up_sheets",
    _("Line-up sheets"),
    _("Half a page for each team, before the start: the captain writes who attacks and who defends on which seat."),
)
# The papers of forms with line-ups, such as quadrettes. They have no colours.
MIRROR_DOCUMENTS = (
    Document(
        "guides",
        _("Guide cards"),
        _("One for each player, to cut out: the attacker’s way from table to table, the defenders’ table and seat."),
    ),
    Document(
        "cards",
        _("Table cards"),
        _("Half a page for each table: who comes to attack, who defends, and the code of the table’s screen."),
    ),
    POSTER,
    EMPTY_LINE_UPS,
    Document("line_ups", _("Line-ups"), _("To put up once the session has started: who attacks, and who sits where.")),
    Document(
        "teams", _("List of teams"), _("To put up: every team with its players, their seats, and their first tables.")
    ),
    PLAYERS_OF_TEAMS._replace(use=_("For the door: everybody in alphabetical order, with team, seat and first table.")),
    SHEETS._replace(
        use=_("In case everything fails: each table’s étuis, with space for both tables’ scores and the match points.")
    ),
    FICHE,
    REPORT,
)
MIRROR_FEUILLES = (
    TEAM_FEUILLES_OF_TEAMS,
    Document(
        "member_feuilles",
        _("Feuilles de route of the players"),
        _("Half a page for each player, to cut out: the étuis attacked or defended, and the personal link."),
    ),
)
# In team matches the line-up of a quarter is named as late as before that quarter, so no card can lead a player.
NAMED_TOO_LATE = ("guides", "teams", "players")
BEFORE_THE_START = (EMPTY_LINE_UPS.code,)


# The papers of an evening at which the tables deal.
FREE_DOCUMENTS = (
    Document("people", _("Seats by name"), _("To put up before each game: everybody by name, with table and seat.")),
    Document("tables", _("Seats by table"), _("To put up before each game: every table with its players.")),
    Document(
        "guides",
        _("Guide cards"),
        _("One for each player, to cut out: table, seat and the others, for all games that have seats."),
    ),
    Document(
        "cards",
        _("Table cards"),
        _("Half a page for each table: who sits there, game by game, and the code that opens the table’s screen."),
    ),
    Document(
        "sheets",
        _("Sheets of games"),
        _("Two a page: for each table and game a form with a column for each player and a row for each deal."),
    ),
    Document("labels", _("Name labels"), _("Ten a page, to cut out: the name and the starting number.")),
    REPORT,
)
# The same papers with étuis for three or five: the tables play positions, not games.
SAID_OF_POSITIONS = {
    "people": _("To put up before each position: everybody by name, with table and seat."),
    "tables": _("To put up before each position: every table with its players."),
    "guides": _("One for each player, to cut out: table, seat and the others, for all positions."),
    "cards": _(
        "Half a page for each table: who sits there in each position, and the code that opens the table’s screen."
    ),
    "sheets": _(
        "Two a page: for each table and position a form with a column for each player and a row for each étui."
    ),
}
ETUI_GAMES_DOCUMENTS = tuple(
    each._replace(
        title=_("Table sheets") if each.code == "sheets" else each.title,
        use=SAID_OF_POSITIONS.get(each.code, each.use),
    )
    for each in FREE_DOCUMENTS
)


# By format: the documents of its evenings, and those that a publication adds.
PAPERS: Mapping[str, tuple[tuple[Document, ...], tuple[Document, ...]]] = {
    **dict.fromkeys(IN_GAMES, (ETUI_GAMES_DOCUMENTS, FEUILLES)),
    FREE_DEALS.name: (FREE_DOCUMENTS, ()),
    TRIPLETTES.name: (TEAM_DOCUMENTS, TEAM_FEUILLES),
    QUADRETTES.name: (MIRROR_DOCUMENTS, MIRROR_FEUILLES),
    TEAM_MATCH.name: (
        tuple(each for each in MIRROR_DOCUMENTS if each.code not in NAMED_TOO_LATE),
        MIRROR_FEUILLES,
    ),
}


def list_documents(format: Format, *, published: bool) -> tuple[Document, ...]:
    """Return the documents that can be printed. `published` is true once something is published."""
    usual, added = PAPERS.get(format.name, (DOCUMENTS, FEUILLES))
    return (*usual, *added) if published else usual


def list_feuilles(format: Format) -> list[Document]:
    """Return the documents that a publication adds."""
    before = list_documents(format, published=False)
    return [each for each in list_documents(format, published=True) if each not in before]


# The papers that a director needs before the first position, in the order of their use.
TONIGHT = (
    *("poster", "people", "tables", "line_ups", "teams", "players", "cards", "labels", "badges", "guides"),
    *("sheets", "fiche"),
)


# The papers of the étuis, for clubs that fill them by hand. The first two show cards.
ETUI_DOCUMENTS = (
    Document("building", _("Hand-building list"), ""),
    Document("diagrams", _("Hand diagrams, circled"), ""),
    Document("etui_labels", _("Étui labels"), ""),
    Document("fiches", _("Fiches ambulantes"), ""),
)
WITH_CARDS = ("building", "diagrams")


def list_tonight(format: Format) -> list[Document]:
    """Return the documents for the evening itself, in the order of their use."""
    found = {each.code: each for each in list_documents(format, published=False)}
    return [found[code] for code in TONIGHT if code in found]
