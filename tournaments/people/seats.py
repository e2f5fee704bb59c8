"""The step from present applicants to seated players: which player of the club's list each of them is."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db import transaction

from clubs.answers import MatchedLine
from clubs.matching import Candidate, KnownNames, LineState, judge
from clubs.models import Club, User
from clubs.players import known_of, take_list
from clubs.roster import RosterLine
from tournaments.errors import ActionRefused
from tournaments.locks import lock_draft
from tournaments.log import log_action
from tournaments.models import Applicant, Entrant
from tournaments.sessions.seating import seat_players, unseat_player


class Who(NamedTuple):
    """The players of the club's list whom an applicant may be, the nearest first.

    `player` is the id of the chosen one, or None for a new player. If `doubtful`, the director has to answer who it is.
    """

    candidates: Sequence[Candidate]
    player: int | None
    doubtful: bool


def find_who(club: Club, applicants: Sequence[Applicant]) -> dict[int, Who]:
    """Return the matches by applicant id.

    An applicant whose account is tied to a player of a similar name is that player.
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
    return RosterLine(applicant.last_name, applicant.first_name, applicant.licence)


@transaction.atomic
def seat_present(*, session_id: int, answers: Mapping[int, int | None], by: User, now: dt.datetime) -> list[Entrant]:
    """Seat the present applicants, in the order of their coming, on the first free seats.

    An applicant who was seated from the list and is not present loses the seat. Everybody else stays. `answers` has, by
    the id of a doubtful applicant, the id of the player, None for a new player.
    """
    session = lock_draft(session_id)
    club = session.tournament.club
    applicants = list(Applicant.objects.filter(session=session).select_related("player").order_by("present_at", "id"))
    for applicant in applicants:
        if applicant.player and applicant.player.merged_into_id:  # merged since the applicant was seated
            applicant.player_id = applicant.player.merged_into_id
    present = [each for each in applicants if each.present_at and not each.withdrawn_at]
    if not present:
        raise ActionRefused("nobody_present")
    unknown = [each for each in present if each.player_id is None]
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
        applicant.save(update_fields=["player"])
    coming = {each.player_id for each in present}
    seated = set(session.entrants.values_list("player_id", flat=True))
    for applicant in applicants:
        if applicant.player_id in seated - coming:
            unseat_player(session_id=session_id, player_id=applicant.player_id)
    log_action(session, "seated_from_list", now=now, by=by, count=len(present))
    return seat_players(session_id=session_id, player_ids=[each.player_id for each in present if each.player_id])
