"""An evening with every event that an arbiter's report tells of, made by the same services as in a club."""

import datetime as dt
from decimal import Decimal

from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.changes.carry_out import change_session, number_of_plan, undo_change
from evenings.plays import entering, ruling
from evenings.plays.adjusting import adjust_play
from evenings.plays.penalties import Sanction, give_penalty, take_back_penalty
from evenings.requests.asking import ask_correction
from evenings.requests.deciding import correct_as_requested, refuse_request
from evenings.requests.links import ensure_links
from evenings.sessions import running
from evenings.sessions.running import close_session, reopen_session
from evenings.sessions.setup import edit_session
from rankings.publication.publishing import SESSIONS, Terms
from scoring.ranking import Line
from tests.evenings.tables.phones import Device, tokens_of
from tests.factories import enter_all, garde, make_director, started_session
from tournaments.log import log_action
from tournaments.models import Applicant, ArbiterCall, EntryCheck
from tournaments.rules.operations import Arrive, Leave, Resize, Return, Substitute, Swap, WrongEtuis
from tournaments.versions import DirectorWord

ARBITER, DIRECTOR = "compte-arbitre", "compte-direction"
BEGINS = dt.datetime(2026, 11, 20, 19, 31, tzinfo=dt.UTC)


class Eventful:
    """An evening that is made step by step; `session` is its session at the end.

    The director and the arbiter have names that differ from the names of their accounts.
    """

    def __init__(self) -> None:
        self.session = started_session(tables=7, positions=5, etuis_per_position=2, cards=True)
        self.club = self.session.tournament.club
        self.director = self.named(DIRECTOR, "Odile", "Marchand")
        self.arbiter = self.named(ARBITER, "Jean", "Petit")
        self.now = BEGINS
        tokens_of(self.session)
        self.prepare()
        self.change()
        self.correct()
        self.rule()
        self.punish()
        self.publish()

    @property
    def said(self):
        """The author and the moment of the next event, a minute after the event before."""
        self.now += dt.timedelta(minutes=1)
        return {"by": self.arbiter, "now": self.now}

    def named(self, account, first, last):
        user = make_director(self.club, account)
        user.first_name, user.last_name = first, last
        user.save()
        return user

    def coming(self, *names):
        return tuple(one.pk for one in add_players(club=self.club, lines=[RosterLine(n, f) for f, n in names]))

    def seat(self, line, number):
        return self.session.entrants.filter(line=line, number=number).order_by("pk").last()

    def plays(self, position):
        found = self.session.plays.filter(position=position, is_replay=False)
        return list(found.select_related("etui", "table").order_by("table__number", "etui__number"))

    def changed(self, operation):
        self.session.refresh_from_db()
        seen = number_of_plan(self.session)
        change_session(session_id=self.session.pk, operation=operation, choice=0, seen=seen, **self.said)

    def undo(self):
        undo_change(session_id=self.session.pk, seen=number_of_plan(self.session), **self.said)

    def play(self, position):
        waiting = self.session.plays.filter(position=position, is_replay=False).exclude(entries__current=True)
        enter_all(self.session, by=self.director, plays=waiting.select_related("etui"))

    def prepare(self):
        Applicant.objects.create(
            session=self.session, last_name="Absent", key="absent", token="a" * 43, registered_at=self.now
        )
        edit_session(session_id=self.session.pk, minutes_per_etui=8, **self.said)
        running.call_position(session_id=self.session.pk, position=1, **self.said)
        running.stop_clock(session_id=self.session.pk, **self.said)
        running.resume_clock(session_id=self.session.pk, **self.said)
        self.session.refresh_from_db()

    def change(self):
        """Swap étuis and seats, replace two players, let players come, leave and come back, and undo a change."""
        etuis = {number: [play.etui for play in self.plays(1) if play.table.number == number] for number in (1, 2)}
        pairs = ((one, other) for one in etuis[1] for other in etuis[2] if one.taker != other.taker)
        one, other = (etui.number for etui in next(pairs))
        self.play(1)
        self.changed(WrongEtuis(1, 1, ((one, other),), True))
        self.changed(Swap(1, self.seat("N", 3).pk, self.seat("N", 4).pk))
        stand_in, substitute = self.coming(("Éloïse", "Remplaçante"), ("Marc", "Doublure"))
        self.changed(Substitute(self.seat("S", 5).pk, stand_in, 2, own=False))
        self.changed(Substitute(self.seat("W", 6).pk, substitute, 2, own=True))
        gone = self.seat("E", 7)
        self.changed(Leave((gone.pk,), 1))
        self.changed(Return((gone.pk,), 1))
        self.changed(Arrive(self.coming(("Tardif", "Paul")), 1))
        self.undo()
        self.changed(Resize(4))
        for position in (2, 3):
            running.call_position(session_id=self.session.pk, position=position, **self.said)
            self.play(position)

    def correct(self):
        """Correct a result, withdraw one, dispute one, call the arbiter and answer the call."""
        corrected, withdrawn, disputed, *_rest = self.plays(2)
        entering.correct_result(
            play_id=corrected.pk,
            entry=garde(corrected.etui.taker, points=61),
            seen_version=1,
            reason="compté deux fois",
            **self.said,
        )
        entering.withdraw_result(play_id=withdrawn.pk, seen_version=1, reason="mauvaise ligne", **self.said)
        EntryCheck.objects.create(
            entry=disputed.entries.get(current=True), agrees=False, seat="N", author=self.arbiter, checked_at=self.now
        )
        Device(self.session.tables.get(number=1)).send("call", reason="irregularity")
        ruling.answer_call(session_id=self.session.pk, call_id=ArbiterCall.objects.get().pk, **self.said)

    def rule(self):
        """Make every kind of ruling on a play and on an étui."""
        annulled, restored, better, weighed, assigned, *_rest = self.plays(3)
        given = self.said | {"reason": "cartes vues"}
        entering.annul_play(play_id=annulled.pk, **given)
        entering.annul_play(play_id=restored.pk, **given)
        entering.restore_play(play_id=restored.pk, **given)
        adjust_play(play_id=better.pk, notes=dict.fromkeys("NE", "better 60"), article="8.3", **given)
        adjust_play(play_id=weighed.pk, notes={"N": "175/2", "W": "40"}, compared=False, **given)
        adjust_play(play_id=assigned.pk, score=200, taker=Line(assigned.etui.taker), **given)
        running.call_position(session_id=self.session.pk, position=4, **self.said)
        later, again, *_more = self.plays(4)
        entering.not_played(play_id=later.pk, later=True, **self.said)
        entering.not_played(play_id=again.pk, **self.said)
        entering.to_be_played(play_id=again.pk, **self.said)
        running.last_call(session_id=self.session.pk, position=4, unstarted="not_played", **self.said)
        asked_about = {play.etui.number for play in self.plays(1)[-2:]}
        first, second, third = sorted({play.etui.number for play in self.plays(3)} - asked_about)[:3]
        etui = {"session_id": self.session.pk, **self.said, "reason": "étui mal remis"}
        ruling.annul_etui(etui=first, **etui)
        ruling.restore_etui(etui=first, **etui)
        ruling.split_etui(etui=second, from_position=3, **etui)
        ruling.annul_etui(etui=third, **etui)

    def punish(self):
        one, two, three = (self.seat("N", number) for number in (1, 2, 3))
        given = {"session_id": self.session.pk, "reason": "retard", **self.said}
        give_penalty(sanction=Sanction(points=Decimal("1.5"), article="12"), entrant_id=one.pk, **given)
        give_penalty(sanction=Sanction(points=Decimal("2"), position=2), entrant_id=two.pk, **given)
        give_penalty(sanction=Sanction(kind="bonus", points=Decimal("0.5")), entrant_id=three.pk, **given)
        warning = give_penalty(sanction=Sanction(kind="warning", points=Decimal(0)), entrant_id=one.pk, **given)
        take_back_penalty(penalty_id=warning.pk, **(given | {"reason": "à tort"}))
        log_action(self.session, "lots_drawn", now=self.now, by=self.arbiter, names=f"{one.name}, {two.name}")
        log_action(self.session, "lots_taken_back", now=self.now, by=self.arbiter, reason="trop tôt")

    def publish(self):
        """Publish, correct after a request, refuse another, take back, publish anew, make official, reopen."""
        self.published()
        links = ensure_links(self.session, now=self.now)
        for play, text, decide in zip(self.plays(1)[-2:], ("c’était 51", "c’était 52"), (True, False), strict=True):
            ask_correction(link=links[play.north_id], play_id=play.pk, text=text, now=self.now)
            asked = play.requests.get()
            about = {"session_id": self.session.pk, "request_id": asked.pk, **self.said}
            if decide:
                entry, seen = garde(play.etui.taker, points=51), play.entries.get(current=True).version
                correct_as_requested(entry=entry, seen_version=seen, reason="fiche relue", **about)
            else:
                refuse_request(reason="la fiche dit 50", **about)
        self.published("correction accordée")
        word = DirectorWord(self.arbiter, self.now, "erreur de section")
        SESSIONS.withdraw(self.session.pk, word=word)
        self.published("section corrigée")
        SESSIONS.make_official(self.session.pk, word=DirectorWord(self.arbiter, self.now))
        SESSIONS.reopen(self.session.pk, word=DirectorWord(self.arbiter, self.now, "fiche retrouvée"))
        self.session.refresh_from_db()
        if self.session.closed_at is None:
            close_session(session_id=self.session.pk, **self.said)
        reopen_session(session_id=self.session.pk, reason="étui oublié", **self.said)

    def published(self, reason=""):
        SESSIONS.publish(self.session.pk, DirectorWord(**self.said, reason=reason), Terms(allow_missing=True))
