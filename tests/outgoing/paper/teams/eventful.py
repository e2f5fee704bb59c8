"""An evening of triplettes with every event of an arbiter's report, made by the same services as in a club."""

import datetime as dt
from decimal import Decimal
from typing import Any

from django.utils import timezone

from clubs.models import User
from clubs.roster import RosterLine
from evenings.changes.carry_out import number_of_plan
from evenings.changes.teams import let_team_arrive, let_team_leave
from evenings.plays import ruling
from evenings.plays.adjusting import adjust_play
from evenings.plays.attackers import members_in, members_of
from evenings.plays.entering import enter_result
from evenings.plays.entries import name_attacker
from evenings.plays.penalties import Sanction, give_penalty
from evenings.sessions import running
from evenings.standings import computing
from evenings.teams.substitutes import replace_member
from rankings.publication.publishing import SESSIONS, Terms
from tests.evenings.teams.evening import make_team_tournament, make_teams
from tests.evenings.teams.test_starting import prepare, start
from tests.factories import enter_all, garde, make_director
from tournaments.models import Entrant, Play, Session, TeamMember
from tournaments.versions import DirectorWord

LONG = (("Vandenbroucke-Desmoulins", "Marie-Élisabeth"), ("Œillet", "Anaïs"), ("de La Rochefoucauld", "Guy"))


class EventfulTeams:
    """The evening. Eight teams start, one leaves after position 2, and one comes for position 3."""

    def __init__(self) -> None:
        self.now = timezone.now()
        self.tournament = make_team_tournament(teams=8)
        self.dress()
        self.director = self.name_account("compte-arbitre", "Jean", "Petit")
        self.session = start(prepare(self.tournament, positions=5))
        for position in (1, 2):
            running.call_position(session_id=self.session.pk, position=position, **self.said)
        self.attack_out_of_turn()
        self.play(1)
        self.play(2)
        self.change()
        for position in (3, 4, 5):
            running.call_position(session_id=self.session.pk, position=position, **self.said)
            self.play(position)
        self.rule()
        computing.refresh(self.session.pk, now=self.now)
        SESSIONS.publish(self.session.pk, DirectorWord(**self.said), Terms(allow_missing=True))
        self.session.refresh_from_db()

    @property
    def said(self) -> dict[str, Any]:
        """The director, and a moment one minute after the one before."""
        self.now += dt.timedelta(minutes=1)
        return {"by": self.director, "now": self.now}

    def name_account(self, account: str, first: str, last: str) -> User:
        user = make_director(self.tournament.club, account)
        user.first_name, user.last_name = first, last
        user.save()
        return user

    def dress(self) -> None:
        """Give team 3 a long name, and its members long names with accents."""
        team = self.tournament.teams.get(number=3)
        team.name = "Les Trois Mousquetaires de l’Excuse et du Petit au bout"
        team.save()
        for member, (last, first) in zip(team.members.order_by("place"), LONG, strict=True):
            member.player.last_name, member.player.first_name = last, first
            member.player.save()

    def entrant(self, number: int) -> Entrant:
        return self.session.entrants.get(team__number=number)

    def member(self, number: int, place: int) -> TeamMember:
        return TeamMember.objects.get(team__tournament=self.tournament, team__number=number, place=place, ended_at=None)

    def plays_of(self, number: int, position: int) -> list[Play]:
        """Return the plays that this team attacks in the position."""
        entrant = self.entrant(number)
        plays = self.session.plays.filter(position=position, is_replay=False).select_related("etui", "table", "session")
        return [play for play in plays.order_by("etui__number") if play.seat_ids[play.taker] == entrant.pk]

    def play(self, position: int) -> None:
        waiting = self.session.plays.filter(position=position, is_replay=False).exclude(entries__current=True)
        enter_all(self.session, by=self.director, plays=waiting.select_related("etui"))

    def attack_out_of_turn(self) -> None:
        """Let the next colour of team 2 attack its first étui."""
        play = self.plays_of(2, 1)[0]
        entrant = self.entrant(2)
        members = members_in(play, members_of([entrant.team_id]), entrant.team_id)
        other = members[play.badge % 3 + 1]
        entry = name_attacker(garde(play.taker, points=60), other.pk)
        enter_result(play_id=play.pk, entry=entry, **self.said)

    def change(self) -> None:
        """Replace a member of team 4, and let team 6 leave and team 9 come."""
        replace_member(
            tournament_id=self.tournament.pk,
            member_id=self.member(4, 2).pk,
            player=RosterLine("Remplaçante", "Éloïse"),
            session_id=self.session.pk,
            position=3,
            reason="malade",
            **self.said,
        )
        seen = {"session_id": self.session.pk, "after": 2}
        let_team_leave(entrant_id=self.entrant(6).pk, seen=number_of_plan(self.session), **seen, **self.said)
        make_teams(self.tournament, 1, first=9)
        late = self.tournament.teams.get(number=9)
        let_team_arrive(team_id=late.pk, seen=number_of_plan(self.session), **seen, **self.said)

    def rule(self) -> None:
        """Annul an étui, fix the notes of a play, and give a penalty."""
        first = self.session.plays.filter(position=1).order_by("etui__number").first()
        told = {"session_id": self.session.pk, "reason": "carte retournée"}
        ruling.annul_etui(etui=first.etui.number, **told, **self.said)
        play = self.plays_of(5, 3)[0]
        notes = {line: "60" if line == play.taker else "40" for line in "NESW"}
        adjust_play(play_id=play.pk, notes=notes, reason="renonce", **self.said)
        given = {"entrant_id": self.entrant(1).pk, "reason": "retard", **self.said}
        give_penalty(session_id=self.session.pk, sanction=Sanction("penalty", Decimal("1.5")), **given)


def reread(session: Session) -> Session:
    return Session.objects.select_related("tournament__club", "deal_set").get(pk=session.pk)
