"""The PDFs of the paper documents of an evening. The page that lists them is in `pages.desk.tonight`.

They are only for directors, because the codes on the table cards open the tables' screens.

This module turns the rows of the plan into the values that are printed. No document shows the cards of an étui. Before
a publication only the arbiter's report shows results; the feuilles de route show the published ones.
"""

from collections.abc import Callable, Mapping

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import get_language, override

from deals.domain.cards import LINES, Seat
from deals.exports import pdf as etui_pdf
from deals.exports.documents import PrintedEtui, SetHeading
from deals.exports.pdf import Sheets
from evenings.changes.preview import find_touched
from evenings.plans.current import evening_of
from evenings.plans.evening_plan import (
    AnyPaper,
    EveningPaper,
    PlannedEtui,
    PlannedPlayer,
    PlayersPaper,
    Position,
    Sitting,
)
from evenings.plans.places import PlanOfPlaces, TablePlace, read_plan_of_places
from evenings.plays.desk_state import hidden_etuis
from evenings.requests.links import ensure_links, ensure_member_links
from evenings.sessions.hall_link import find_key
from outgoing.paper import pdf
from outgoing.paper.evening_report import evening_report
from outgoing.paper.feuilles import feuilles
from outgoing.paper.free import PaperChoice, print_free_evening, read_free_evening
from outgoing.paper.pdf import make_heading
from outgoing.paper.teams.feuilles import member_feuilles
from outgoing.paper.teams.plan import poster as print_team_poster
from outgoing.paper.words import occasion
from pages.desk.papers.documents import BEFORE_THE_START, EMPTY_LINE_UPS, list_documents
from pages.desk.papers.teams import print_empty_line_ups, print_team_plan, read_evening
from pages.doors import author, refuse, session_page, session_url
from pages.downloads import download
from rankings.publication.report import read_report
from scoring.formats import IN_GAMES, MEETING_TEAMS, find_format
from tournaments.addresses import is_only_here, link_to
from tournaments.errors import ActionRefused
from tournaments.models import Entrant, Publication, Session
from tournaments.numbers import read_number
from tournaments.permissions import Can, open_codes, require_found
from tournaments.words.messages import announcement

FICHES_A_SHEET = 4
JOINED = ("player", "stand_in", "team")


@session_page(Can.DIRECT)
def prints_pdf(request: HttpRequest, session: Session) -> HttpResponse:
    """Answer with the PDF of the document that `?document=` names, in the language of the page.

    `touched` limits guide cards to the players whom the last change affects. Before the start there are only the sheets
    for line-ups.
    """
    if session.status == Session.Status.DRAFT and request.GET.get("document") not in BEFORE_THE_START:
        return refuse(request, ActionRefused("session_not_started"), session_url("session", session))
    if "document" not in request.GET:
        return redirect(session_url("prints", session))
    offered = list_documents(find_format(session.tournament.format), published=True)
    document = require_found(next((it for it in offered if it.code == request.GET["document"]), None))
    language = (get_language() or "fr")[:2]
    name = f"{session.tournament.slug}-{session.number}-{slugify(str(document.title))}.pdf"
    return download(render_print(request, session, document.code, language), "application/pdf", name)


def render_print(request: HttpRequest, session: Session, code: str, language: str) -> bytes:
    if code == "report":
        hidden = hidden_etuis(session, author(request))
        return evening_report(session, language=language, now=timezone.now(), hidden=hidden)
    if code in ("feuilles", "member_feuilles"):
        report = read_report(require_found(newest_shown(session)).data)
        if code == "member_feuilles":
            return member_feuilles(session, report, language=language, link_of=member_codes(request, session))
        return feuilles(session, report, language=language, link_of=codes_of(request, session))
    return make_sheets(request, session, code, language).typeset()


def make_sheets(request: HttpRequest, session: Session, code: str, language: str) -> Sheets:
    """Return a document about the plan. It has the codes of the site whose address the request has."""
    return MAKERS.get(session.tournament.format, make_sheets_of_players)(request, session, code, language)


def make_sheets_of_games(request: HttpRequest, session: Session, code: str, language: str) -> Sheets:
    choice = choose_paper(request, session, code)
    return print_free_evening(read_free_evening(session), code, language=language, choice=choice)


def make_sheets_of_players(request: HttpRequest, session: Session, code: str, language: str) -> Sheets:
    evening = evening_to_print(session, read_plan_of_places(session))
    if code == "cards":
        return pdf.table_cards(evening, language=language, screen_of=screens(request, session))
    if code == "poster":
        hall = find_hall_code(request, session)
        return pdf.poster(evening, language=language, announcement=announce(session), hall=hall)
    if code == "fiche":
        return blank_fiches(session, evening, language)
    if code == "guides":
        only = find_chosen_players(request, session)
        return pdf.guides(evening, language=language, only=only, link_of=links(request, session))
    plain = {"players": pdf.players, "sheets": pdf.score_sheets}
    return plain[code](evening, language=language)


def make_sheets_of_teams(request: HttpRequest, session: Session, code: str, language: str) -> Sheets:
    if code == EMPTY_LINE_UPS.code:
        return print_empty_line_ups(session, language=language)
    evening = read_evening(session)
    if code == "fiche":
        return blank_fiches(session, evening, language)
    if code == "poster":
        return print_team_poster(evening, language=language, hall=find_hall_code(request, session))
    return print_team_plan(
        evening,
        code,
        language=language,
        only=find_chosen_entrants(request, session),
        screen_of=screens(request, session) if code == "cards" else None,
        link_of=member_codes(request, session) if code == "guides" else None,
    )


MAKERS: Mapping[str, Callable[[HttpRequest, Session, str, str], Sheets]] = {
    **dict.fromkeys(MEETING_TEAMS, make_sheets_of_teams),
    **dict.fromkeys(IN_GAMES, make_sheets_of_games),
}


def choose_paper(request: HttpRequest, session: Session, code: str) -> PaperChoice:
    """Return the game and the players that the address names, with the codes of the document's cards."""
    makers = {"guides": codes_of, "cards": screens}
    return PaperChoice(
        game=read_number(request.GET, "game"),
        only=find_chosen_entrants(request, session) if code == "guides" else None,
        code_of=makers[code](request, session) if code in makers else None,
        hall=find_hall_code(request, session),
    )


def find_hall_link(request: HttpRequest, session: Session) -> str:
    """Return the link with which the hall's page shows full names, or "" once it has ended."""
    key = find_key(session, timezone.now())
    return link_to(request, session_url("hall_link", session, key)) if key else ""


def find_hall_code(request: HttpRequest, session: Session) -> pdf.Code:
    """Return the code of the hall's page for papers to put up.

    It is empty once the link has ended, in a practice club, and if the site's address works only on this computer.
    """
    hidden = session.tournament.club.is_practice or is_only_here(request)
    return pdf.Code() if hidden else pdf.Code(find_hall_link(request, session))


def blank_fiches(session: Session, evening: AnyPaper, language: str) -> Sheets:
    with override(language):
        heading = SetHeading(occasion(evening.heading), session.tournament.name)
    return etui_pdf.fiches(heading, [PrintedEtui()] * FICHES_A_SHEET, language=language, lines=evening.most_plays)


def find_chosen_players(request: HttpRequest, session: Session) -> set[PlannedPlayer] | None:
    """Return the players whose guide cards are asked for, or None for all players.

    `touched` in the address asks for the players whom the last change affects, `entrant` for one player.
    """
    chosen = find_chosen_entrants(request, session)
    return (
        None
        if chosen is None
        else {player(entrant) for entrant in session.entrants.select_related(*JOINED).filter(pk__in=chosen)}
    )


def find_chosen_entrants(request: HttpRequest, session: Session) -> set[int] | None:
    """Return the ids of the entrants whose papers are asked for, or None for all, as in `find_chosen_players`."""
    if "touched" in request.GET:
        return {entrant.pk for entrant in find_touched(session)}
    if "entrant" in request.GET:
        return {require_found(session.entrants.filter(pk=read_number(request.GET, "entrant")).first()).pk}
    return None


def evening_to_print(session: Session, plan: PlanOfPlaces) -> PlayersPaper:
    heading = make_heading(session)
    positions = (
        Position(
            places[0].position,
            tuple(make_sitting(place, imposed=heading.imposed) for place in places),
            tuple(map(player, resting)),
        )
        for places, resting in zip(plan.positions, plan.resting, strict=True)
    )
    return EveningPaper(heading, find_format(session.tournament.format), tuple(positions))


def make_sitting(place: TablePlace, *, imposed: bool) -> Sitting:
    """Return one table of a position as it is printed.

    With an imposed contract, the number of an étui decides who takes. In a free auction no taker is printed.
    """
    etuis = (PlannedEtui(number, Seat(taker) if taker and imposed else None) for number, taker in place.takers.items())
    return Sitting(place.table, tuple(etuis), tuple(player(place.seats[line]) for line in LINES))


def player(entrant: Entrant) -> PlannedPlayer:
    return PlannedPlayer(entrant.name, Seat(entrant.line), entrant.number, entrant.listed)


def links(request: HttpRequest, session: Session) -> Callable[[PlannedPlayer], pdf.Code]:
    """Return a function from a player to the player's personal link as a code to print.

    The code is empty if the link was revoked.
    """
    code_of = codes_of(request, session)
    entrants = session.entrants.select_related("player", "stand_in", "team")
    codes = {player(entrant): code_of(entrant.pk) for entrant in entrants}
    return lambda player: codes.get(player, pdf.Code())


def codes_of(request: HttpRequest, session: Session) -> Callable[[int], pdf.Code]:
    """Return a function from an entrant's id to the personal link as a code to print.

    The code is empty if the link was revoked. Links that do not exist yet are made.
    """
    made = ensure_links(session, now=timezone.now())
    by_hand = link_to(request, reverse("personal_code"))

    def code_of(entrant: int) -> pdf.Code:
        if entrant not in made:
            return pdf.Code()
        link = made[entrant]
        return pdf.Code(link_to(request, reverse("personal", args=(link.token,))), link.code, by_hand)

    return code_of


def member_codes(request: HttpRequest, session: Session) -> Callable[[int], pdf.Code]:
    """Return a function from the id of a membership to the member's personal link as a code to print."""
    made = ensure_member_links(session, now=timezone.now())
    by_hand = link_to(request, reverse("personal_code"))

    def code_of(member: int) -> pdf.Code:
        if member not in made:
            return pdf.Code()
        link = made[member]
        return pdf.Code(link_to(request, reverse("personal", args=(link.token,))), link.code, by_hand)

    return code_of


def newest_shown(session: Session) -> Publication | None:
    """Return the newest publication, or None if there is none or the ranking is withdrawn."""
    newest = session.publications.order_by("-version").first()
    return None if newest is None or newest.status == Publication.PublicationStatus.WITHDRAWN else newest


def screens(request: HttpRequest, session: Session) -> Callable[[int], pdf.Code]:
    """Return a function from a table's number to the code that opens the table's screen.

    The code is empty if the table has none.
    """
    codes: dict[int, pdf.Code] = {}
    if session.devices == Session.Devices.TABLES:
        opened = open_codes(timezone.now()).filter(table__session=session)
        by_number = link_to(request, reverse("table_number"))
        for table, token, number in opened.values_list("table__number", "token", "number"):
            address = link_to(request, reverse("table_screen", args=(token,)))
            codes[table] = pdf.Code(address, number, by_number)
    return lambda table: codes.get(table, pdf.Code())


def announce(session: Session) -> str:
    """Return the arbiter's announcement of the movement, or "" if no sentence describes it."""
    evening = evening_of(session)
    return announcement(evening.plan.shifts) if evening and evening.plan.shifts else ""
