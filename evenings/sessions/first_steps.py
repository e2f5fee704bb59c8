"""The first steps of a new club, from its list of players to its first publication. This module only reads."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from tournaments.models import Entrant, Publication, ResultEntry, Session


@dataclass(frozen=True, slots=True)
class FirstStep:
    """A step, which may be done already. `page` is the URL name of the page on which it is done.

    That page belongs to the club, or to `session`. `session` is None if the club has no session yet.
    """

    text: str | Promise
    action: str | Promise
    page: str
    done: bool
    session: Session | None = None


def first_steps(club: Club) -> list[FirstStep]:
    """Return the first steps of the club in order, or [] if it has published a session."""
    if Publication.objects.filter(session__tournament__club=club).exists():
        return []
    listed = {"tournament__club": club, "tournament__put_away_at": None, "put_away_at": None}
    session = Session.objects.filter(**listed).select_related("tournament__club").order_by("-status", "-pk").first()
    running = session is not None and session.status == Session.Status.RUNNING
    seated = session is not None and Entrant.objects.filter(session=session).exists()
    entered = running and ResultEntry.objects.filter(play__session=session).exists()
    return [
        FirstStep(_("The club’s players"), _("Add the players"), "players", club.players.exists()),
        FirstStep(
            _("A tournament, with the evening’s session"),
            _("Create a tournament"),
            "tournament_new",
            session is not None,
        ),
        FirstStep(_("Who plays tonight"), _("Seat the players"), "entrants", seated, session),
        FirstStep(
            _("Étuis to play"),
            _("Prepare the étuis"),
            "etuis",
            session is not None and bool(session.deal_set_id),
            session,
        ),
        FirstStep(_("The start: who plays what, where and when"), _("Start"), "session", running, session),
        FirstStep(_("Results, from the tables or the fiches"), _("Go to the desk"), "session", entered, session),
        FirstStep(_("The ranking, for everybody"), _("Publish"), "publish", False, session),
    ]
