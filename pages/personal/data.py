"""The page on which players download all data that the club stores about them, or ask the club to erase it.

The personal link opens it.
"""

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from archives.privacy.erasing import ask_erasure, ask_no_more
from archives.privacy.whom import whom_of_player
from pages.downloads import hand_out
from pages.personal.pages import Mine, personal_page, show_own


@personal_page("GET", "HEAD", "POST", always=True)
def personal_data(request: HttpRequest, mine: Mine, *, error: str = "", status: int = 200) -> HttpResponseBase:
    """Show the page. A POST exports the data, asks for erasure, or withdraws that wish."""
    player, action = mine.person, "" if error else request.POST.get("action", "")
    if action == "export":
        told = _("%(name)s, as kept by %(club)s. Made through the link on the guide card.")
        told %= {"name": player.name, "club": mine.session.tournament.club.name}
        return hand_out(request, whom_of_player(player, by_link=True), told=told, whose=f"link-{mine.link.pk}")
    if action in ("ask", "back"):
        if action == "back":
            ask_no_more(player)
        elif "understood" in request.POST:
            ask_erasure(player, now=timezone.now())
        else:
            return show_data(request, mine, missing=True)
        return redirect("personal_data", mine.link.token)
    return show_data(request, mine, error=error, status=status)


def show_data(
    request: HttpRequest, mine: Mine, *, error: str = "", status: int = 200, missing: bool = False
) -> HttpResponse:
    context = {"player": mine.person, "club": mine.session.tournament.club, "missing": missing, "own": True}
    return show_own(request, "personal/data.html", mine, context | {"error": error}, status=status)
