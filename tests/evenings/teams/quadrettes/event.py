"""An event of three sessions of quadrettes with missing plays, an annulled étui, a substitute and penalties.

Its figures are computed again here by the rule alone, with nothing of the site.
"""

from decimal import Decimal
from fractions import Fraction

from django.utils import timezone

from evenings.plays.entering import annul_play
from evenings.plays.penalties import Sanction, give_penalty
from evenings.plays.ruling import annul_etui, split_etui
from tests.evenings.teams.playing import play_all, refresh, replace_member
from tests.evenings.teams.test_quadrettes import line_up, make_quadrettes, prepare, start
from tests.evenings.teams.test_standings import list_plays
from tests.factories import make_director
from tests.scoring.teams.plain import plain_match_points

GIVEN = (
    (0, "penalty", "1.5", 0),
    (1, "bonus", "2.25", 2),
    (2, "penalty", "0.75", 3),
)  # session, kind, points, position
PUNISHED = 5  # the number of the team that gets them
ANNULLED = 2  # the étui of the second session that counts for nobody


class QuadrettesEvent:
    """Three played sessions of six or five teams. `sessions` are read anew after the rulings."""

    def __init__(self, teams=6):
        tournament = self.tournament = make_quadrettes(teams)
        self.by, now = make_director(tournament.club), timezone.now()
        told = {"by": self.by, "now": now}
        positions = 5 if teams % 2 == 0 else 4
        drafts = [prepare(tournament, positions=positions, dealt=number != 1) for number in range(3)]
        line_up(drafts[0], 1, "3124")
        line_up(drafts[1], 2, "4123")
        sessions = [start(draft) for draft in drafts]
        self.came = replace_member(tournament.teams.get(number=3).members.get(place=1), sessions[1], 2)
        for session, missing in zip(sessions, (0, 3, 1), strict=True):
            play_all(session, by=self.by, missing=missing)
        annul_etui(session_id=sessions[1].pk, etui=ANNULLED, reason="carte retournée", **told)
        self.annulled = sessions[2].plays.filter(position=2).first()
        annul_play(play_id=self.annulled.pk, reason="carte vue", **told)
        self.altered = self._alter(sessions[2])
        for place, kind, points, position in GIVEN:
            entrant = sessions[place].entrants.get(team__number=PUNISHED)
            sanction = Sanction(kind, Decimal(points), position)
            give_penalty(session_id=sessions[place].pk, entrant_id=entrant.pk, sanction=sanction, reason="x", **told)
        self.sessions = [refresh(session) for session in sessions]

    def _alter(self, session):
        """Let the cards of an étui be altered between the halves of a match. Return the half that came before."""
        play = session.plays.select_related("etui").filter(position=3).first()
        told = {"reason": "carte retournée", "by": self.by, "now": timezone.now(), "etui": play.etui.number}
        if self.tournament.teams.count() % 2:  # then the second halves are played in the next position
            split_etui(session_id=session.pk, from_position=4, **told)
        else:
            split_etui(session_id=session.pk, from_position=3, before=[play.pk], **told)
        return play

    def list_plain_plays(self, session):
        """Return the session's plays as `plain_match_points` takes them."""
        number = self.sessions.index(session)
        ids, before = session.plays.values_list("pk", flat=True), {self.altered.pk}
        if self.tournament.teams.count() % 2:
            before = {*session.plays.filter(position=3, etui=self.altered.etui).values_list("pk", flat=True)}
        rows = list_plays(session, (ANNULLED,) if number == 1 else ())
        return [
            (
                f"{etui} before" if pk in before else etui,
                attacking,
                defending,
                None if pk == self.annulled.pk else score,
            )
            for pk, (etui, attacking, defending, score) in zip(ids, rows, strict=True)
        ]

    def find_totals(self, session):
        """Return {team: (sum of match points after penalties, étuis that count)} of a session."""
        sums, etuis = plain_match_points(self.list_plain_plays(session))
        assert sum(sums.values()) == 0
        found = {team: (Fraction(total, 1000), etuis[team]) for team, total in sums.items()}
        place, kind, points, _position = GIVEN[self.sessions.index(session)]
        assert place == self.sessions.index(session)
        sign = 1 if kind == "bonus" else -1
        total, counted = found[PUNISHED]
        return found | {PUNISHED: (total + sign * Fraction(points), counted)}
