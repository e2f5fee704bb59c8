"""The check whether sessions can be sections: all play the same étuis, and no player is in two of them.

This module only reads.
"""

from collections.abc import Sequence

from evenings.plans.current import current_version
from movements import read_plan
from movements.plan.notation import is_games
from tournaments.errors import ActionRefused
from tournaments.models import Entrant, Etui, Session


def check_sections(sessions: Sequence[Session]) -> None:
    """Raise `ActionRefused` if these sessions do not play the same étuis of one set, or if a player is in two of them.

    Of a session without a plan only the first étui is known, so only the first étui is compared.
    """
    first, *others = sessions
    for session in sessions:
        if session.deal_set is None:
            raise ActionRefused("sections_without_set", "sessions", number=session.number)
    assert first.deal_set is not None
    for other in others:
        assert other.deal_set is not None
        told = {"first": first.number, "number": other.number}
        if other.deal_set_id != first.deal_set_id:
            names = {"first_set": first.deal_set.name, "set": other.deal_set.name}
            raise ActionRefused("sections_other_set", "sessions", **told, **names)
        mine, theirs = numbers_played(first), numbers_played(other)
        if mine is None or theirs is None:  # a draft without a plan: only its first étui is known
            mine, theirs = (
                {min(known)} if known else {each.first_etui} for known, each in ((mine, first), (theirs, other))
            )
        if differ := sorted(mine ^ theirs):
            raise ActionRefused("sections_other_etuis", "sessions", **told, etuis=", ".join(map(str, differ)))
    seen = dict[tuple[int | None, int | None], Session]()
    entrants = Entrant.objects.filter(session__in=sessions)
    for entrant in entrants.select_related("player", "team", "session").order_by("pk"):
        who = (entrant.player_id, entrant.team_id)
        if who in seen:
            numbers = {"first": seen[who].number, "number": entrant.session.number}
            raise ActionRefused("sections_player_twice", "sessions", name=entrant.own_name, **numbers)
        seen[who] = entrant.session


def check_own_sections(session: Session) -> None:
    """Raise `ActionRefused` as `check_sections` does, for the session and the other sections of its group, if any."""
    if session.group_id is not None:
        others = Session.objects.filter(group=session.group_id).exclude(pk=session.pk).select_related("deal_set")
        check_sections([*others.order_by("pk"), session])


def numbers_played(session: Session) -> set[int] | None:
    """Return the numbers of the étuis that the session plays or, by its plan, will play. Return None without a plan."""
    if session.status == Session.Status.RUNNING:
        return set(Etui.objects.filter(plays__session=session).values_list("number", flat=True))
    if (version := current_version(session)) is None:
        return None
    if is_games(version.data):  # the games of an earlier start, which the next start makes again
        return None
    needed = read_plan(version.data).count_etuis()
    return set(range(session.first_etui, session.first_etui + needed))
