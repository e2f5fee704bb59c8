"""A published session of triplettes, and the personal links of the members of its teams."""

from django.utils import timezone

from evenings.requests.links import ensure_member_links
from tests.evenings.teams.evening import triplettes_session
from tests.evenings.teams.playing import play_all, replace_member
from tests.factories import make_director, publish
from tests.worlds import kept_world
from tournaments.models import Entrant, TeamMember

TEAM = 2  # the team with a name of its own


@kept_world
def published_triplettes():
    """Return a published session of four teams. In team 2, a substitute takes the white badge over at position 2."""
    session = triplettes_session(teams=4)
    by = make_director(session.tournament.club)
    replace_member(session.tournament.teams.get(number=TEAM).members.get(place=2), session, 2)
    play_all(session, by=by)
    publish(session, by=by)
    return session


class TwoTeams:
    """A play of a published session of teams that team 2 plays, with the links of the members of both teams.

    `asker` and `mate` are of team 2, `left` left it after position 1, `came` is their substitute. `others` are of the
    other team of the play, `stranger` is of a third team.
    """

    def __init__(self, session, *, position=1):
        self.session, self.links = session, ensure_member_links(session, now=timezone.now())
        self.entrant = Entrant.objects.get(session=session, team__number=TEAM)
        plays = session.plays.filter(position=position).select_related("etui", "table").order_by("pk")
        self.play = next(play for play in plays if self.entrant.pk in play.seat_ids.values())
        (other,) = set(self.play.seat_ids.values()) - {self.entrant.pk}
        self.other = Entrant.objects.get(pk=other)
        own = self.links_of(self.entrant)
        self.asker, self.mate = (link for link in own if link.member.place != 2)
        self.left, self.came = (link for link in own if link.member.place == 2)
        self.others = self.links_of(self.other)
        self.stranger = self.links_of(session.entrants.exclude(pk__in=[other, self.entrant.pk]).first())[0]

    @classmethod
    def between(cls, session):
        """Return a play of any two teams with the links of their members: `own` of the attacking team, `others`."""
        two = cls.__new__(cls)
        two.session, two.links = session, ensure_member_links(session, now=timezone.now())
        two.play = session.plays.select_related("etui", "table").order_by("pk").first()
        two.entrant = two.play.seats[two.play.taker]
        (two.other,) = {entrant for entrant in two.play.seats.values() if entrant != two.entrant}
        two.own, two.others = map(two.links_of, (two.entrant, two.other))
        return two

    def links_of(self, entrant):
        members = TeamMember.objects.filter(team=entrant.team_id).order_by("place", "pk")
        return [self.links[member.pk] for member in members if member.pk in self.links]
