"""The step from applicants who are present to seated players.

It finds the player of the club's list for each of them.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db import transaction

from clubs.answers import MatchedLine
from clubs.matching import Candidate, KnownNames, LineState, judge
from clubs.models import Club, User
from clubs.players import known_of, take_list
from clubs.roster import RosterLine
from evenings.sessions.seating import seat_players, unseat_player
from tournaments.errors import ActionRefused
from tournaments.locks import lock_draft
from tournaments.log import log_action
from tournaments.models import Applicant, Entrant, Session


class Who(NamedTuple):
    """The players of the club's list who may be an applicant, the most similar first.

    `player` is the id of the player that was found, or None for a new player. If `doubtful`, the director has to
    choose.
    """

    candidates: Sequence[Candidate]
    player: int | None
    doubtful: bool


def find_who(club: Club, applicants: Sequence[Applicant]) -> dict[int, Who]:
    """Return the matching players, by applicant id.

    If the applicant's account is tied to a player with a similar name, the applicant is that player.
    """
    names = KnownNames(known_of(club))
    found = {}
    accounts = [applicant.user_id for applicant in applicants if applicant.user_id]
    tied = club.players.real().filter(account__in=accounts) if accounts else club.players.none()
    own = dict(tied.values_list("account", "pk"))
    for applicant in applicants:
        candidates = names.find(line_of(applicant))
        himself = own.get(applicant.user_id or 0)
        if any(candidate.who.id == himself for candidate in candidates):
            found[applicant.pk] = Who(candidates, himself, doubtful=False)
            continue
        state, suggested = judge(line_of(applicant), candidates)
        found[applicant.pk] = Who(candidates, suggested, state == LineState.PROBABLE)
    return found


def line_of(applicant: Applicant) -> RosterLine:
    """Return the applicant as a line of a roster, the form in which the club's list is searched."""
    return RosterLine(applicant.last_name, applicant.first_name, applicant.licence)


@transaction.atomic
def seat_present(*, session_id: int, answers: Mapping[int, int | None], by: User, now: dt.datetime) -> list[Entrant]:
    """Put the applicants who are present on the first free seats, in the order of check-in. Return the entrants.

    An applicant who has a seat and is not present loses the seat. All others keep theirs. `answers` has, by the id of a
    doubtful applicant, the id of the chosen player, or None for a new player. Raise `ActionRefused` if nobody is
    present, or if a doubtful applicant has no answer.
    """
    session = lock_draft(session_id)
    applicants = list(Applicant.objects.filter(session=session).select_related("player").order_by("present_at", "id"))
    for applicant in applicants:
        if applicant.player and applicant.player.merged_into_id:  # the player was merged after the applicant was seated
            applicant.player_id = applicant.player.merged_into_id
    present = [each for each in applicants if each.present_at and not each.withdrawn_at]
    if not present:
        raise ActionRefused("nobody_present")
    settle_players(session, present, answers)
    coming = {each.player_id for each in present}
    seated = set(session.entrants.values_list("player_id", flat=True))
    for applicant in applicants:
        if applicant.player_id in seated - coming:
            unseat_player(session_id=session_id, player_id=applicant.player_id)
    log_action(session, "seated_from_list", now=now, by=by, count=len(present))
    return seat_players(session_id=session_id, player_ids=[each.player_id for each in present if each.player_id])


def settle_players(session: Session, applicants: Sequence[Applicant], answers: Mapping[int, int | None]) -> None:
    """Find or add the player of the club's list for each applicant who has none yet, and store it.

    Raise `ActionRefused` if a doubtful applicant has no answer.
    """
    unknown = [each for each in applicants if each.player_id is None]
    club = session.tournament.club
    found = find_who(club, unknown)
    taken = []
    for applicant in unknown:
        who = found[applicant.pk]
        given = answers.get(applicant.pk, 0)
        if who.doubtful and given not in {None, *(candidate.who.id for candidate in who.candidates)}:
            raise ActionRefused("applicant_doubtful", f"who-{applicant.pk}", name=applicant.name)
        taken.append(MatchedLine(line_of(applicant), given if who.doubtful else who.player))
    for applicant, player in zip(unknown, take_list(club=club, taken=taken), strict=True):
        applicant.player = player
    Applicant.objects.bulk_update(unknown, ["player"])
