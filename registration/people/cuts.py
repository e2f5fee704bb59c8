"""The services of the cut between two rounds: filling the list of the next session, undoing it, showing it.

Each service locks the session's row first. So two directors who confirm at the same time make one cut.
"""

import datetime as dt
import secrets
from collections.abc import Sequence
from typing import NamedTuple

from django.db import transaction

from clubs.models import User
from evenings.sessions.seating import current_seats
from evenings.sessions.setup import set_entrants
from registration.errors import RegistrationRefused
from registration.people.applicants import NewApplicant, list_down, said_by, signs_up_teams
from registration.people.cut_lists import (
    ListedLine,
    find_candidates,
    find_cut_ranking,
    find_missing_lines,
    find_source,
    list_cut,
    list_earlier_cuts,
)
from registration.people.links import make_token
from registration.people.registration import MOST, end_registration
from tournaments.errors import ActionRefused
from tournaments.locks import lock_draft, lock_session
from tournaments.log import log_action
from tournaments.models import Applicant, Cut, Publication, Registration, Session
from tournaments.rules.cut import CutTies

# The registration that a cut has made, if no director has changed it since.
AS_MADE = {
    "way": Registration.RegistrationWay.WORD,
    "code": "",
    "password": "",
    "closes_at": None,
    "reminds": False,
    "accepts_at_once": False,
}


class CutGiven(NamedTuple):
    """The choices of a director. `source` is the key of a ranking; or `out_of` is the id of a cut, for a consolation.

    `here` marks all players as present.
    """

    source: str
    places: int
    ties: CutTies = CutTies.ALL
    out_of: int | None = None
    here: bool = False


@transaction.atomic
def make_session_cut(*, session_id: int, given: CutGiven, by: User, now: dt.datetime) -> Cut:
    """Store the cut of a session in preparation, put its players on the session's list, and return it.

    The same request twice has one effect. Raise `RegistrationRefused` if there is another cut already, or if the
    ranking has a newer version.
    """
    session = lock_draft(session_id)
    cut = compose_cut(session, given)
    earlier = Cut.objects.filter(session=session).first()
    if earlier is not None:
        names = ("publication_id", "tournament_publication_id", "out_of_id", "places", "ties")
        if any(getattr(earlier, name) != getattr(cut, name) for name in names):
            raise RegistrationRefused("cut_made_already")
        return earlier
    if not find_candidates(find_cut_ranking(cut), session.tournament.club_id, cut.out_of):
        raise RegistrationRefused("cut_without_players", "source")
    cut.made_at, cut.made_by = now, by
    cut.lot = secrets.token_hex(8) if given.ties is CutTies.DRAW else ""
    close_registration(session, cut)
    cut.save()
    count = put_missing_down(session, cut, now=now, here=given.here)
    log_action(session, "cut_made", now=now, by=by, count=count, places=cut.places)
    return cut


def compose_cut(session: Session, given: CutGiven) -> Cut:
    """Return the cut that these choices make, not stored, and set the level that the session gets."""
    if signs_up_teams(session):
        raise RegistrationRefused("cut_of_teams")
    if not 1 <= given.places <= MOST:
        raise RegistrationRefused("cut_places", "places", most=MOST)
    cut, session.level = Cut(session=session, places=given.places, ties=given.ties.value), 0
    if given.out_of is not None:
        cut.out_of = next((each for each in list_earlier_cuts(session) if each.pk == given.out_of), None)
        if cut.out_of is None:
            raise RegistrationRefused("cut_ranking_changed", "source")
        cut.publication, cut.tournament_publication = cut.out_of.publication, cut.out_of.tournament_publication
        if cut.out_of.session.tournament_id == session.tournament_id:
            session.level = max(0, cut.out_of.session.level - 1)
        return cut
    source = find_source(session, given.source)
    if isinstance(source.ranking, Publication):
        cut.publication = source.ranking
    else:
        cut.tournament_publication = source.ranking
    session.level = source.level + 1
    return cut


def close_registration(session: Session, cut: Cut) -> None:
    """Close the registration of a session: its list is filled by the cut. The cut stores how it was before.

    Raise `RegistrationRefused` if people wait for a place.
    """
    if any(each.waits for each in list_down(session)):
        raise RegistrationRefused("cut_people_wait")
    before = Registration.objects.filter(session=session).first()
    if before is not None:
        cut.was_open, cut.places_before = before.is_open, before.places
    Registration.objects.update_or_create(session=session, defaults={"is_open": False, "places": None})


def put_missing_down(session: Session, cut: Cut, *, now: dt.datetime, here: bool = False) -> int:
    """Add the players who go on to the session's list, unless they are on it. Return how many were missing."""
    session.save(update_fields=["level"])
    missing = find_missing_lines(list_cut(session, cut))
    rows = Applicant.objects.filter(session=session, withdrawn_at=None)
    missing_rows = list(rows.select_related("player__merged_into"))
    if sum(not each.waits_for_director for each in missing_rows) + len(missing) > MOST:
        raise ActionRefused("registration_too_many", most=MOST)
    keys = {each.key for each in missing_rows}
    new: list[Applicant] = []
    for each in missing:
        applicant = NewApplicant(each.player.last_name, each.player.first_name, each.player.licence)
        own = next((one for one in missing_rows if is_same_player(one, each, applicant)), None)
        if own is not None:
            own.player, own.cut_rank, own.needs_acceptance = each.player, each.line.rank, False
            own.save(update_fields=["player", "cut_rank", "needs_acceptance"])
            continue
        key = next(key for number in range(1, MOST + 2) if (key := write_key(applicant, number)) not in keys)
        keys.add(key)
        names = {"last_name": applicant.last_name, "first_name": applicant.first_name, "licence": applicant.licence}
        fields = {"player": each.player, "cut_rank": each.line.rank, "registered_at": now, "accepted_at": cut.shown_at}
        shown = {"present_at": now if here else None, "token": make_token(session), "key": key, "by_cut": True}
        new.append(Applicant(session=session, **names, **fields, **shown))
    Applicant.objects.bulk_create(new)
    return len(missing)


def is_same_player(applicant: Applicant, line: ListedLine, asked: NewApplicant) -> bool:
    """Return whether a person who signed up is this player.

    Anybody can sign up under any name. So an equal name counts only if a director has accepted the person, or if the
    account is that of the player.
    """
    if applicant.cut_rank is not None:
        return False
    if applicant.player is not None:
        return applicant.player.is_now.pk == line.player.pk
    is_own = applicant.user_id is not None and applicant.user_id == line.player.account_id
    return (is_own or applicant.accepted_at is not None) and said_by(applicant).is_same(asked)


def write_key(asked: NewApplicant, number: int) -> str:
    return asked.key if number == 1 else f"{asked.key} #{number}"


@transaction.atomic
def fill_session_cut(*, session_id: int, by: User, now: dt.datetime) -> int:
    """Put the players who move up for others on the session's list. Return how many."""
    session, cut = find_draft_cut(session_id)
    count = put_missing_down(session, cut, now=now)
    if count:
        log_action(session, "cut_filled", now=now, by=by, count=count)
    return count


@transaction.atomic
def change_cut_player(*, session_id: int, player_id: int, comes: bool, by: User, now: dt.datetime) -> None:
    """Note that a player of the cut withdraws, or comes back. The player who moved up in the meantime stays."""
    session, _cut = find_draft_cut(session_id)
    rows = Applicant.objects.filter(session=session, player=player_id).exclude(cut_rank=None)
    applicant = rows.filter(withdrawn_at=None).first()
    if not comes and applicant is not None:
        applicant.declined = True
        end_registration(session, applicant, "registration_declined", now=now, by=by)
    gone = rows.exclude(withdrawn_at=None).order_by("-withdrawn_at").first()
    if comes and applicant is None and gone is not None:
        taken = Applicant.objects.filter(session=session, withdrawn_at=None).values_list("key", flat=True)
        keys, name = set(taken), said_by(gone)
        gone.key = next(key for number in range(1, MOST + 2) if (key := write_key(name, number)) not in keys)
        gone.withdrawn_at, gone.declined = None, False
        gone.save(update_fields=["withdrawn_at", "declined", "key"])
        log_action(session, "registration_back", now=now, by=by, words=gone.name, name=gone.name)


@transaction.atomic
def undo_session_cut(*, session_id: int, by: User, now: dt.datetime) -> None:
    """Take back the cut of a session in preparation, with the people whom it put on the list and their seats.

    People who signed up themselves stay on the list. Registration is as it was before, unless somebody has changed it
    since. Do nothing without a cut.
    """
    session = lock_draft(session_id)
    cut = Cut.objects.filter(session=session).first()
    if cut is None:
        return
    if cut.consolations.exists():
        raise ActionRefused("cut_has_consolation")
    rows = Applicant.objects.filter(session=session).exclude(cut_rank=None)
    gone = set(rows.filter(by_cut=True).values_list("player_id", flat=True))
    seats = current_seats(session_id)
    if any(seat.player_id in gone for seat in seats):
        set_entrants(session_id=session_id, seats=[seat for seat in seats if seat.player_id not in gone])
    rows.filter(by_cut=True).delete()
    rows.update(cut_rank=None)
    closed = Registration.objects.filter(session=session, is_open=False, places=None)
    if cut.was_open is not None:
        closed.update(is_open=cut.was_open, places=cut.places_before)
    elif not Applicant.objects.filter(session=session).exists():  # the cut made this registration for its own people
        closed.filter(**AS_MADE).delete()
    cut.delete()
    session.level = 0
    session.save(update_fields=["level"])
    log_action(session, "cut_undone", now=now, by=by)


@transaction.atomic
def show_session_cut(*, session_id: int, by: User, now: dt.datetime) -> None:
    """Show everybody who is qualified. Players who are not shown by name stay unnamed."""
    session = lock_session(session_id)
    cut = Cut.objects.filter(session=session).first()
    if cut is None or cut.shown_at is not None:
        return
    cut.shown_at = now
    cut.save(update_fields=["shown_at"])
    Applicant.objects.filter(session=session, accepted_at=None).exclude(cut_rank=None).update(accepted_at=now)
    log_action(session, "cut_shown", now=now, by=by)


def find_draft_cut(session_id: int) -> tuple[Session, Cut]:
    """Lock a session in preparation and return it with its cut. Raise `RegistrationRefused` if it has none."""
    session = lock_draft(session_id)
    cut = Cut.objects.filter(session=session).first()
    if cut is None:
        raise RegistrationRefused("cut_missing")
    return session, cut


def list_on(lines: Sequence[ListedLine]) -> int:
    """Return how many players of the list are on the session's list now."""
    return sum(each.applicant is not None and each.applicant.withdrawn_at is None for each in lines)
