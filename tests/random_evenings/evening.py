"""The parts that random evenings of all formats share: the draw, the story, and what tells an offer from a refusal."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from django.db import transaction
from django.utils import timezone

from clubs.models import Player
from clubs.players import add_players
from clubs.roster import RosterLine
from deals.sets import create_set_dealt_at_table
from evenings.plays.state import WAITED_FOR, with_states
from evenings.sessions.checklist import preparation_of
from evenings.sessions.setup import create_tournament, use_deal_set
from evenings.standings.computing import refresh
from movements import PlanError
from scoring.formats import Format
from tests.factories import make_club, make_director, publish
from tournaments.errors import ActionRefused
from tournaments.models import Play, ResultEntry, Session
from tournaments.reports.session import decode_report

T = TypeVar("T")
# A page may say that something is impossible. It may not say that the site's own plan is wrong.
NEVER = "plan_faulty"


class Finished(Exception):
    """The end of an evening before its time: the site has said beforehand that it cannot be played."""


class Evening:
    """An evening of a random club. `story` tells what happened, in short lines."""

    def __init__(self, seed: int, format: Format) -> None:
        self.seed, self.format, self.chance = seed, format, random.Random(seed)
        self.story: list[str] = []
        self.offers = 0
        self.club = make_club()
        self.by = make_director(self.club)
        self.named = 0
        self.completing: set[int] = set()  # the players who only complete a table, and are not ranked
        self.tournament = create_tournament(club=self.club, name="Hasard", format=format.name, now=timezone.now())
        self.session: Session = None  # type: ignore[assignment]  # `prepare` makes it

    def play(self) -> None:
        self.prepare()
        self.run()
        self.end()

    def prepare(self) -> None:
        """Make the session, try each plan that the site proposes, and start with one of them."""
        raise NotImplementedError

    def run(self) -> None:
        """Play the positions, with events before, in and after each of them."""
        raise NotImplementedError

    def end(self) -> None:
        """Publish the session, even if results are missing."""
        if not ResultEntry.objects.filter(play__session=self.read(), current=True).exists():
            raise Finished  # the page says that there is nothing to publish
        refresh(self.session.pk, now=timezone.now())
        self.tell("publish")
        publish(self.read(), by=self.by, allow_missing=True)
        self.check_everybody_is_ranked()

    def check_everybody_is_ranked(self) -> None:
        """Check that everybody with a result is in the ranking and has a rank, or is rightly said to have none.

        Players who only complete a table have none, nor have players with less than half of the most deals. A player
        also has none if all their étuis were played once.
        """
        report = decode_report(self.session.publications.get().data)
        rows = {row.id: row for row in report.players}
        plays = self.session.plays.filter(entries__current=True)
        played = {pk for play in plays for pk in play.seat_ids.values()}
        assert played <= rows.keys(), f"not in the ranking: {sorted(played - rows.keys())}"
        most = max((row.deals or 0 for row in rows.values()), default=0)
        for row in report.players:
            completes = row.player in self.completing
            told = f"{row.id} with {row.deals} deals: {row.rank_general} {row.overall} “{row.unranked}”"
            assert (row.unranked == "filler") == completes, told
            assert (row.unranked == "share") == (2 * (row.deals or 0) < most and not completes), told
            assert row.unranked or (row.rank_general is None) == (row.overall is None) == (not row.deals), told

    def tell(self, line: object) -> None:
        self.story.append(str(line))

    def read(self) -> Session:
        """Return the session read anew."""
        found = Session.objects.select_related("tournament__club", "deal_set", "group")
        self.session = found.get(pk=self.session.pk)
        return self.session

    def add_people(self, count: int) -> list[Player]:
        """Add players with new names to the club's list."""
        lines = [RosterLine(f"Nom{self.named + place:03}", "Zoé") for place in range(1, count + 1)]
        self.named += count
        return add_players(club=self.club, lines=lines)

    def give_etuis(self, count: int) -> None:
        """Give the session a set of so many étuis, without cards."""
        now = timezone.now()
        name = f"Étuis {self.session.number}"
        deal_set = create_set_dealt_at_table(club=self.club, name=name, count=count, by=None, now=now)
        use_deal_set(session_id=self.session.pk, deal_set=deal_set)
        self.read()

    def ask(self, what: str, call: Callable[[], T]) -> T | None:
        """Return what the site offers, or None if it says beforehand that it is impossible."""
        try:
            with transaction.atomic():
                return call()
        except (ActionRefused, PlanError) as refusal:
            if refusal.code == NEVER:
                raise
            self.tell(f"{what}: impossible, {refusal}")
            return None

    @contextmanager
    def tried(self, what: object) -> Iterator[None]:
        """Try an offer inside the block: it may not be refused. Then everything is as before."""
        self.tell(f"try {what}")
        self.offers += 1
        with transaction.atomic():
            yield
            transaction.set_rollback(True)
        self.read()
        self.story.pop()

    def start_is_as_announced(self, start: Callable[[], Any]) -> bool:
        """Return whether the checklist lets the session start. Starting it then works, and is refused otherwise."""
        steps = preparation_of(self.read()).steps
        missing = [f"{step.name}: {step.text}" for step in steps if not step.ready and step.name != "line_ups"]
        if not missing:
            with self.tried("start"):
                start()
            return True
        self.tell(f"cannot start: {missing}")
        try:
            with transaction.atomic():
                start()
        except (ActionRefused, PlanError):
            return False
        raise AssertionError(f"started although the checklist says: {missing}")

    def list_waiting(self, position: int) -> list[Play]:
        """Return the plays of a position whose results are expected."""
        plays = with_states(self.session.plays.filter(position__lte=position)).filter(state__in=WAITED_FOR)
        return list(plays.select_related("etui", "table", "session__tournament").order_by("position", "pk"))

    def pick_most(self, plays: list[Play]) -> list[Play]:
        """Return the plays in order without a few of them, so that some results are missing."""
        left = {play.pk for play in self.chance.sample(plays, min(len(plays), self.chance.choice((0, 0, 0, 1, 2))))}
        return [play for play in plays if play.pk not in left]

    def happens(self, one_in: int = 2) -> bool:
        return self.chance.randrange(one_in) == 0
