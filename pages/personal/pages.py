"""The pages that a personal link opens once the ranking is published: the player's results, étui by étui.

A member of a team sees the results of the team, and their own part in each étui.

Players can ask for a correction of a result. The other players of that play say here whether they agree.

Only the token in the address identifies the player. No cookie does, so no other site can send a request in the player's
name. Before the publication there is one page, which says so. No cache stores a page of this module, no other site
learns its address, and no search engine lists it.

They say by a form what is wrong with the result: a ready phrase, their own words, or both.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, wraps
from typing import Any

from django import forms
from django.core.exceptions import RequestDataTooBig
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from clubs.guard import find_full, has_tries, know_code, note_failed, note_tries
from clubs.guard.counting import counts_of_codes
from clubs.models import Player, ShownWord, validate_name
from clubs.shown import ShownRefused, choose_shown, read_rating_wish
from evenings.plans.own_places import find_team_seats
from evenings.plays.free import OwnSeat, find_last_seated, find_own_seats
from evenings.requests.asking import Window, answer_by_link, ask_correction, window_of, withdraw_request
from evenings.requests.links import find_link_by_code, find_personal_link, is_personal_code
from evenings.requests.reading import RequestWithVoices, find_contained, requests_for
from pages.links import Links
from pages.parts.member_feuille import list_member_rows
from pages.parts.own_calendar import addresses_of
from pages.parts.own_line_ups import hand_in_posted, list_own_line_ups
from pages.report_pages import FeuilleRow, FeuilleStop, feuille_page
from rankings.careers.reading import Career
from rankings.careers.subjects import look_at, subject_of
from rankings.leaderboards.keeping import RATING_ACTIONS, wish_rating
from rankings.publication.report import FeuilleLine, PlayedEvening, read_report
from rankings.publication.team_feuilles import find_parts_of_team
from rankings.ranking import RankedRow
from rankings.simultaneous.field.feuilles import PlaceInField, find_field_version, find_place_in_field
from registration.agenda.files import ask_calendar_link, find_calendar_link
from scoring.formats import find_format
from tournaments.codes import read_code, say_misread
from tournaments.errors import ActionRefused
from tournaments.models import PersonalLink, Publication, Session, TeamMember
from tournaments.numbers import MOST_PAGES, read_number
from tournaments.permissions import require_found
from tournaments.published import Shows
from tournaments.reports.parts import MemberPart
from tournaments.words.messages import say
from tournaments.words.shown_sentences import choices_of
from tournaments.words.team_plans import badges_of, say_badge

MOST_TYPED = 400
PHRASES = {
    "score": _("The score is wrong"),
    "taker": _("The taker is wrong"),
    "bouts": _("The bouts are wrong"),
    "etui": _("It was another étui"),
}
OTHER = "other"


class CorrectionAskForm(forms.Form):
    what = forms.ChoiceField(
        label=_("What is wrong?"),
        choices=[*PHRASES.items(), (OTHER, _("Something else"))],
        required=False,
        widget=forms.RadioSelect,
    )
    text = forms.CharField(
        label=_("In a few words"),
        max_length=MOST_TYPED,
        required=False,
        validators=[validate_name],
        help_text=_(
            "What it should be, as you remember it. The other players of the table and the director read this."
        ),
        widget=forms.Textarea(attrs={"rows": 3, "autocomplete": "off"}),
    )

    def __init__(self, posted: QueryDict | None = None, *, of_deals: bool = False) -> None:
        """Cut the posted values before they are checked, so that the page never repeats a very long text.

        If the tables deal (`of_deals`), no phrase speaks of étuis.
        """
        given = posted and {
            "what": posted.get("what", "")[:40],
            "text": " ".join(posted.get("text", "")[:2000].split()),
        }
        super().__init__(given)
        if of_deals:
            what: Any = self.fields["what"]
            what.choices = [choice for choice in what.choices if choice[0] != "etui"]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors and not self.told:
            self.add_error("text", say(ActionRefused("request_empty", "text")))
        return data

    @property
    def told(self) -> str:
        phrase = PHRASES.get(self.cleaned_data.get("what", ""), "")
        return " – ".join(filter(None, (str(phrase), self.cleaned_data.get("text", ""))))


def find_member_parts(
    member: TeamMember, report: PlayedEvening, team: RankedRow, lines: Sequence[FeuilleLine]
) -> dict[int, MemberPart]:
    """Return the member's part in each play of the team, by the play's id. `lines` are all plays of the team.

    One query, because a report can have the number that a player had before a merge.
    """
    same = Player.objects.filter(Q(pk=member.player_id) | Q(merged_into=member.player_id))
    own = set(same.values_list("pk", flat=True))
    spans = [each for each in team.members if each.player in own]
    parts = find_parts_of_team(report, team, lines)
    return {line.play.id: parts.find(line.play, line.etui.taker, own, spans) for line in lines}


WRITES_A_MINUTE = 10  # the limit for one personal link
WRITES_FROM_HERE = 100  # the limit for one IP address, which all phones in a hall share


class Mine:
    """The part of a published session that belongs to the player of a personal link."""

    def __init__(self, link: PersonalLink) -> None:
        self.link, self.entrant, self.session = link, link.entrant, link.entrant.session
        self.person, self.name, self.member = link.person, link.name, link.member
        self.window: Window = window_of(self.session)

    @property
    def closed(self) -> str:
        """The reason why no results are shown ("before", "withdrawn", "held" or "hidden"), or "" if they are shown."""
        if self.window.publication is None:
            return "before"
        if self.window.is_withdrawn:
            return "withdrawn"
        if self.session.held_until is not None:
            return "held"
        return "" if self.session.shows_feuilles else "hidden"

    @cached_property
    def places(self) -> list[OwnSeat]:
        """The player's seats from now on, while the evening goes on."""
        session = self.session
        goes_on = session.status == Session.Status.RUNNING and session.closed_at is None and self.closed == "before"
        if not goes_on:
            return []
        of_team = self.entrant.team_id is not None
        return find_team_seats(self.entrant, session) if of_team else find_own_seats(self.entrant, session)

    @property
    def awaits_seats(self) -> bool:
        """True if a later game is not seated yet."""
        last = find_last_seated(self.session, (each.position for each in self.places))
        return bool(self.places) and last < self.session.positions

    @cached_property
    def report(self) -> PlayedEvening:
        publication = self.window.publication
        assert publication is not None
        return kept_report(publication.pk, self.session.tournament.club.names_version, get_language())

    @cached_property
    def player(self) -> RankedRow | None:
        """The player in the report, or None if the player joined after the publication."""
        return self.report.player(self.entrant.pk)

    @cached_property
    def feuille(self) -> dict[str, Any]:
        if not self.player:
            return {"stops": []}
        return feuille_page(self.report, self.player) | {"member_rows": list_member_rows(self.report, self.player)}

    @cached_property
    def parts(self) -> dict[int, MemberPart]:
        """The member's part in each play of the team, by the play's id. Empty for a single player."""
        if self.member is None or self.player is None:
            return {}
        lines = [row.line for stop in self.feuille["stops"] for row in stop.rows]
        return find_member_parts(self.member, self.report, self.player, lines)

    @cached_property
    def in_field(self) -> PlaceInField | None:
        """The player's place in the ranking over all clubs of a simultaneous, or None if readers see no such ranking.

        While the étuis are secret, pages show only the link to the ranking.
        """
        version = find_field_version(self.session.pk) if self.window.is_of_simultaneous else None
        return None if version is None else find_place_in_field(version, self.entrant.pk)

    @property
    def badge(self) -> str:
        """The colour of the member's badge, or "" where places are no badges."""
        return say_badge(self.member.place, badges_of(self.session.tournament.format)) if self.member else ""

    @cached_property
    def links(self) -> Links:
        """The addresses of the étuis of the published report. They have no addresses if readers may not see them."""
        publication, place = self.window.publication, self.session.tournament
        assert publication is not None
        where = {"club": place.club.slug, "tournament": place.slug, "number": self.session.number}
        shown = {"etui": "published_etui"} if Shows.to_readers(self.session).etui_pages else {}
        return Links(shown, where | {"version": publication.version}, evenings=True)

    def find_line(self, play: int) -> tuple[FeuilleStop, FeuilleRow]:
        """Return the position and the row of one of the player's plays, from the newest publication.

        Raise Http404 if there is none, or if the member of a team was not there.
        """
        stops: list[FeuilleStop] = self.feuille["stops"]
        found = ((stop, row) for stop in stops for row in stop.rows if row.line.play.id == play)
        return require_found(None if self.parts.get(play) is MemberPart.AWAY else next(found, None))

    @cached_property
    def asked(self) -> list[RequestWithVoices]:
        """The requests about this player's plays.

        For a member of a team, these are the plays of positions in which the member belonged to the team.
        """
        found = requests_for(self.entrant, now=timezone.now())
        return [each for each in found if self.parts.get(each.play.pk) is not MemberPart.AWAY]

    def asked_of(self, play: int) -> RequestWithVoices | None:
        """Return the newest request for a correction of a play, or None. Only the newest one can be open."""
        return next((each for each in reversed(self.asked) if each.play.pk == play), None)

    @property
    def open(self) -> bool:
        return not self.closed and self.window.is_open(timezone.now())


# Reading a publication takes as long as the rest of the page, and a whole hall looks at it within one hour. A version
# of a publication never changes, so it can be cached.
@lru_cache(maxsize=4)
def kept_report(publication: int, _names: int, _language: str | None) -> PlayedEvening:
    return read_report(Publication.objects.only("data").get(pk=publication).data)


View = Callable[..., HttpResponseBase]


def personal_page(*methods: str, always: bool = False) -> Callable[[View], View]:
    """Return a decorator for `view(request, mine, **rest)`, where `rest` is the rest of the address.

    The view is called if the link is valid and its results can be shown. With `always`, it is called for every valid
    link. It then gets the reason of a refusal as `error`, with the HTTP status, and shows the reason. It may not read
    the form again, because a form that is too large is refused at each reading.
    """

    def decorate(view: View) -> View:
        @csrf_exempt
        @require_http_methods(methods)
        @wraps(view)
        def page(request: HttpRequest, token: str, **more: int) -> HttpResponseBase:
            return keep_private(find(request, token, more))

        def find(request: HttpRequest, token: str, more: dict[str, int]) -> HttpResponseBase:
            link = find_personal_link(token)
            if link is None:
                return render(request, "personal/over.html", status=404)
            if link.revoked_at:
                return render(request, "personal/over.html", {"revoked": True}, status=410)
            mine = Mine(link)
            with timezone.override(mine.session.tournament.club.zone):
                refuse = view if always else show
                if mine.closed and not always:
                    return show_own(request, "personal/closed.html", mine, {})
                if request.method == "POST" and not may_write(request, link):
                    error = gettext("You have sent too much at once: wait a minute, then try again.")
                    return refuse(request, mine, error=error, status=429)
                try:
                    return view(request, mine, **more)
                except ActionRefused as refusal:
                    return show(request, mine, error=say(refusal), status=409)
                except RequestDataTooBig:
                    error = say(ActionRefused("request_too_long", "text", most=MOST_TYPED))
                    return refuse(request, mine, error=error, status=413)

        return page

    return decorate


def keep_private(response: HttpResponseBase) -> HttpResponseBase:
    """Add headers so that no cache stores the page, no search engine lists it, and no other site learns its address."""
    response["Cache-Control"] = "no-store"
    response["Referrer-Policy"] = "no-referrer"
    response["X-Robots-Tag"] = "noindex"
    return response


def may_write(request: HttpRequest, link: PersonalLink) -> bool:
    whose = str(link.pk)
    free = has_tries("personal", request, most=WRITES_FROM_HERE)
    free = free and has_tries("personal", request, most=WRITES_A_MINUTE, whose=whose)
    note_failed("personal", request)
    note_failed("personal", request, whose=whose)
    return free


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def personal_code(request: HttpRequest) -> HttpResponseBase:
    """Show the form for the code on the player's card. A POST redirects to the page that the code opens."""
    if request.method != "POST":
        return keep_private(render(request, "personal/code.html"))
    typed = request.POST.get("code", "")[:40]
    read = read_code(typed)
    if not is_personal_code(read):  # not counted as a guess: nobody can have been given such a code
        return keep_private(
            render(request, "personal/code.html", {"error": say_misread(read), "typed": typed}, status=404)
        )
    counts = counts_of_codes(request)
    if find_full(counts):
        error = gettext("Too many wrong codes were typed here: wait ten seconds, or scan the code on your card.")
        return keep_private(render(request, "personal/code.html", {"error": error, "typed": typed}, status=429))
    found = find_link_by_code(read, today=timezone.localdate())
    if found is None:
        note_tries(counts)
        error = gettext(
            "This code does not work, or no longer works: look at your card again. A code can be typed until "
            "thirty days after the evening; the code to scan works longer."
        )
        return keep_private(render(request, "personal/code.html", {"error": error, "typed": typed}, status=404))
    know_code(request)
    return keep_private(redirect("personal", found.token))


@personal_page("GET", "HEAD")
def personal(request: HttpRequest, mine: Mine) -> HttpResponse:
    return show(request, mine)


def show(request: HttpRequest, mine: Mine, *, error: str = "", status: int = 200) -> HttpResponse:
    asked = {each.play.pk: each for each in mine.asked if each.is_open}
    stops = [
        (stop, [(row, asked.get(row.line.play.id), mine.parts.get(row.line.play.id, "")) for row in stop.rows])
        for stop in mine.feuille["stops"]
    ]
    if mine.member and find_format(mine.session.tournament.format).is_mirrored:
        # A member who is away sits at another table, or has no part in the position at all.
        stops = [(stop, rows) for stop, rows in stops if any(part != MemberPart.AWAY for _row, _asked, part in rows)]
    others = [
        (each, require_found(each.voice_of(mine.entrant.pk))) for each in asked.values() if not is_own(each, mine)
    ]
    contained = find_contained(mine.session, (each for each in mine.asked if is_own(each, mine)))
    own = [(each, contained.get(each.request.pk)) for each in reversed(mine.asked) if is_own(each, mine)]
    shown = mine.feuille | {
        "stops": stops,
        "awaited": [pair for pair in others if pair[1].agrees is None],
        "answered": [pair for pair in others if pair[1].agrees is not None],
        "own": own,
        "error": error,
    }
    return show_own(request, "personal/personal.html", mine, shown, status=status)


def show_own(
    request: HttpRequest, template: str, mine: Mine, shown: Mapping[str, Any], *, status: int = 200
) -> HttpResponse:
    """Return one of the player's own pages. `shown` is what its template takes besides the player and the session."""
    return render(request, template, {"mine": mine, "session": mine.session, **shown}, status=status)


def is_own(asked: RequestWithVoices, mine: Mine) -> bool:
    """Return whether the player of this link, or another member of the same team, made the request."""
    return asked.request.entrant_id == mine.entrant.pk


@personal_page("GET", "HEAD", "POST")
def personal_play(request: HttpRequest, mine: Mine, play: int) -> HttpResponse:
    """Show one of the player's results, with a form to ask for a correction or with the request already open."""
    stop, row = mine.find_line(play)
    of_deals = not row.line.etui.dealer
    form, status = CorrectionAskForm(request.POST if request.method == "POST" else None, of_deals=of_deals), 200
    error = ""
    if form.is_bound and form.is_valid():
        try:
            ask_correction(link=mine.link, play_id=play, text=form.told, now=timezone.now())
        except ActionRefused as refusal:
            error, status = say(refusal), 409
        else:
            return redirect("personal", mine.link.token)
    asked = mine.asked_of(play)
    shown = {
        "stop": stop,
        "row": row,
        "report": mine.report,
        "part": mine.parts.get(play, ""),
        "form": form,
        "asked": asked if asked and asked.is_open else None,
        "own": asked is not None and is_own(asked, mine),
        "voice": asked and asked.voice_of(mine.entrant.pk),
        "error": error,
    }
    return show_own(request, "personal/play.html", mine, shown, status=status)


@personal_page("POST")
def personal_answer(request: HttpRequest, mine: Mine, asked: int) -> HttpResponse:
    """Record whether the player agrees to another player's request about a play that both played."""
    if request.POST.get("agrees") not in ("yes", "no"):
        raise Http404
    agrees = request.POST["agrees"] == "yes"
    answer_by_link(link=mine.link, request_id=asked, agrees=agrees, now=timezone.now())
    return redirect("personal", mine.link.token)


@personal_page("POST")
def personal_withdraw(_request: HttpRequest, mine: Mine, asked: int) -> HttpResponse:
    withdraw_request(link=mine.link, request_id=asked, now=timezone.now())
    return redirect("personal", mine.link.token)


@personal_page("GET", "HEAD", "POST", always=True)
def personal_shown(request: HttpRequest, mine: Mine, *, error: str = "", status: int = 200) -> HttpResponse:
    """Show and change the player's public name. This page also works before the ranking is published."""
    player, action = mine.person, None if error else request.POST.get("action")
    if action in RATING_ACTIONS:
        off = RATING_ACTIONS[action]
        wish_rating(player=player, off=off, way=ShownWord.WordWay.LINK, by=None, now=timezone.now())
        return redirect("personal_shown", mine.link.token)
    if request.method == "POST" and not error:
        shown, way = request.POST.get("shown", ""), ShownWord.WordWay.LINK
        try:
            choose_shown(player=player, shown=shown, way=way, by=None, now=timezone.now())
        except ShownRefused as refusal:
            error, status = say(refusal), 409
        else:
            return redirect("personal_shown", mine.link.token)
    shown_as, wish = choices_of(player, own=True), read_rating_wish(player, own=True)
    context = {"shown_as": shown_as, "wish": wish, "error": error}
    return show_own(request, "personal/shown.html", mine, context, status=status)


@personal_page("GET", "HEAD", "POST", always=True)
def personal_calendar(request: HttpRequest, mine: Mine, *, error: str = "", status: int = 200) -> HttpResponseBase:
    if request.method == "POST" and not error:
        ask_calendar_link(request.POST.get("do", ""), personal=mine.link, now=timezone.now())
        return redirect("personal_calendar", mine.link.token)
    addresses = addresses_of(request, find_calendar_link(personal=mine.link))
    return show_own(request, "agenda/personal.html", mine, addresses | {"error": error}, status=status)


@personal_page("GET", "HEAD")
def personal_career(request: HttpRequest, mine: Mine) -> HttpResponse:
    subject = subject_of(mine.person.is_now)
    if subject is None:
        raise Http404
    if not subject.is_public:
        return show_own(request, "personal/career_closed.html", mine, {})
    season, page = (min(max(read_number(request.GET, name), 0), MOST_PAGES) for name in ("season", "page"))
    career = Career(subject, look_at(subject), season=season, page=page or 1)
    return show_own(request, "personal/career.html", mine, {"subject": subject, "career": career})


@personal_page("GET", "HEAD", "POST", always=True)
def personal_line_up(request: HttpRequest, mine: Mine, *, error: str = "", status: int = 200) -> HttpResponse:
    players = {mine.person.is_now.pk} if mine.member is not None else set[int]()
    shown, late = list_own_line_ups(players, mine.session.tournament_id), ""
    if request.method == "POST" and not error:
        shown, stored, late = hand_in_posted(request, shown, players, now=timezone.now())
        if stored:
            return redirect(f"{reverse('personal_line_up', args=[mine.link.token])}?stored")
        status = 409
    context = {"line_ups": shown, "late": late, "stored": "stored" in request.GET, "error": error}
    return show_own(request, "personal/line_up.html", mine, context, status=status)
