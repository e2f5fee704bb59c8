"""The prizes of a session: the pot, the proposal by the published ranking, and what was handed over."""

import datetime as dt
from fractions import Fraction
from typing import Any, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Sum
from django.utils import translation

from clubs.models import Player, User
from clubs.names import simplify_name
from evenings.reference import find_reported_reference, is_alone
from rankings.publication.report import PlayedEvening, read_for_directors
from rankings.ranking import RankedRow
from registration.cash.payers import require_cash_box
from registration.errors import CashRefused
from tournaments.locks import lock_session
from tournaments.models import Payment, PrizeHanded, PrizePlan, Publication, Session
from tournaments.rules.cash import Division, Prize, PrizeListError, RankedPerson, WonPrize, divide_pot, read_prizes
from tournaments.versions import find_newest_version


class PrizeRow(NamedTuple):
    """A person who wins or got prize money: the prizes won, the sum due now, and the sum handed over. In cents."""

    player: int
    name: str
    won: list[WonPrize]
    due: int
    handed: int

    @property
    def missing(self) -> int:
        """The cents that are still to hand over. They are negative if a correction has lowered the prize."""
        return self.due - self.handed


class PrizeProposal(NamedTuple):
    """The prizes of a session by its newest published version. `version` is None if none is published now.

    `unreadable` is the refusal of a list that was saved once and cannot be read any more, or None.
    """

    version: Publication | None
    pot: int
    rows: list[PrizeRow]
    total: int
    rest: Fraction
    unreadable: CashRefused | None = None

    @property
    def rest_cents(self) -> int:
        return int(self.rest)

    @property
    def exceeds(self) -> int:
        """The cents by which the prizes are more than the pot, or 0."""
        return max(0, self.total - self.pot)


def find_prize_plan(session: Session) -> PrizePlan:
    """Return the prize plan of the session. If there is none yet, return one that is not stored."""
    return PrizePlan.objects.filter(session=session).first() or PrizePlan(session=session)


def list_category_words() -> dict[str, str]:
    """Return the code of each category by its words in all languages of the site, without accents and capitals."""
    words: dict[str, str] = {}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            for choices in (Player.Category, Player.SeriesClass, Player.Ladies):
                words |= {simplify_name(str(label)): f"{choices.__name__}:{code}" for code, label in choices.choices}
    return words


def list_codes(player: RankedRow) -> list[str]:
    """Return the codes of the categories in which a row of the ranking counts."""
    named = {"Category": player.category, "SeriesClass": player.series, "Ladies": player.ladies}
    return [f"{kind}:{code}" for kind, code in named.items() if code]


@transaction.atomic
def save_prize_plan(*, session_id: int, given: dict[str, Any]) -> PrizePlan:
    """Store how the prizes are computed, and return the plan. `given` has the fields of `PrizePlan`.

    Raise `CashRefused` for a list that cannot be read.
    """
    session = lock_session(session_id, "tournament__club", no_key=True)
    require_cash_box(session.tournament.club)
    read_prize_lines(given["lines"])
    plan, _made = PrizePlan.objects.update_or_create(session=session, defaults=given)
    return plan


def read_prize_lines(lines: str) -> list[Prize]:
    """Return the prizes of a typed list. Raise `CashRefused` for a list that cannot be read."""
    try:
        return read_prizes(lines, list_category_words())
    except PrizeListError as error:
        kinds = (Player.Category, Player.SeriesClass, Player.Ladies)
        words = ", ".join(str(label) for kind in kinds for label in kind.labels)
        params = {"row": error.line, "text": error.text, "words": words}
        raise CashRefused(f"prize_list_{error.reason}", "lines", **params) from error


def count_pot(session: Session, plan: PrizePlan) -> int:
    """Return the pot in cents: the share of what was paid and not given back, in whole cents, and the addition."""
    paid = Payment.objects.filter(session=session).aggregate(sum=Sum("cents"))["sum"] or 0
    return max(0, paid) * plan.share // 100 + plan.added


def propose_prizes(session: Session) -> PrizeProposal:
    """Return the prizes by the newest published version, with what was handed over so far.

    People who got money and win nothing any more are there too. If the ranking was taken back, nothing is due.
    """
    plan = find_prize_plan(session)
    pot, version = count_pot(session, plan), find_newest_version(session)
    if version is not None and version.status == Publication.PublicationStatus.WITHDRAWN:
        version = None
    prizes, unreadable = list[Prize](), None
    try:
        prizes = read_prize_lines(plan.lines)
    except CashRefused as refusal:
        unreadable = refusal
    division, names, order = Division(), dict[int, str](), dict[int, int]()
    if version is not None:
        ranked, names = read_ranked(read_for_directors(version.data), alone=is_alone(session))
        division = divide_pot(ranked, prizes, pot=pot, one_each=plan.one_each)
        order = {each.person: each.rank for each in ranked}
    handed = sum_handed(session)
    people = sorted({*division.due, *handed}, key=lambda who: (order.get(who, len(order) + 1), who))
    players = Player.objects.in_bulk([who for who in people if who not in names])
    rows = [
        PrizeRow(
            who,
            names[who] if who in names else players[who].is_now.name,
            [each for each in division.won if each.person == who],
            division.due.get(who, 0),
            handed.get(who, 0),
        )
        for who in people
    ]
    shown = [row for row in rows if row.due or row.handed]
    return PrizeProposal(version, pot, shown, division.total, division.rest, unreadable)


def read_ranked(report: PlayedEvening, *, alone: bool) -> tuple[list[RankedPerson], dict[int, str]]:
    """Return the rows of the session's reference, and the names of the people who take the prizes.

    A team’s prize goes to its first member, in the name of the team.
    """
    ranked, names, reference = [], {}, find_reported_reference(report.data, alone=alone)
    for row in report.players:
        rank: int | None = getattr(row, reference.rank)
        if rank is None or not row.people:
            continue
        who = row.people[0]
        names[who] = row.name
        ranked.append(RankedPerson(who, rank, list_codes(row)))
    merged = Player.objects.filter(pk__in=names, merged_into__isnull=False).select_related("merged_into")
    now = {player.pk: player.is_now.pk for player in merged}
    ranked = [RankedPerson(now.get(each.person, each.person), each.rank, each.categories) for each in ranked]
    return ranked, {now.get(who, who): name for who, name in names.items()}


def sum_handed(session: Session) -> dict[int, int]:
    """Return the cents that were handed over, by the id of the player."""
    rows = PrizeHanded.objects.filter(session=session).order_by().values_list("player").annotate(Sum("cents"))
    return dict(rows)


@transaction.atomic
def hand_prize(*, session_id: int, player_id: int, seen: int, by: User, now: dt.datetime) -> PrizeHanded | None:
    """Store that a player got what is still missing of the prize, and return the new row.

    `seen` are the cents that the page showed as due. Return None if the player has got all of it already. Raise
    `CashRefused` if nothing is published, if the prizes are more than the pot, or if the prize has changed since.
    """
    session = lock_session(session_id, "tournament__club", no_key=True)
    require_cash_box(session.tournament.club)
    proposal = propose_prizes(session)
    if proposal.version is None:
        raise CashRefused("prizes_unpublished")
    if proposal.unreadable is not None:
        raise proposal.unreadable
    if proposal.exceeds:
        raise CashRefused("prizes_exceed_pot")
    row = next((each for each in proposal.rows if each.player == player_id), None)
    if row is None or row.due != seen:
        raise CashRefused("prize_changed")
    if row.missing <= 0:
        return None
    return add_handed(session, row, row.missing, publication=proposal.version, author=by, at=now)


@transaction.atomic
def take_prize_back(*, session_id: int, player_id: int, seen: int, by: User, now: dt.datetime) -> PrizeHanded | None:
    """Store that a player gave the prize money back, and return the new row.

    `seen` are the cents that the page showed as handed over. Return None if nothing is handed over now. Raise
    `CashRefused` if the amount is another one now.
    """
    session = lock_session(session_id, "tournament__club", no_key=True)
    require_cash_box(session.tournament.club)
    row = next((each for each in propose_prizes(session).rows if each.player == player_id), None)
    if row is None:
        raise CashRefused("prize_not_handed")
    if not row.handed:
        return None
    if row.handed != seen:
        raise CashRefused("prize_changed")
    return add_handed(session, row, -row.handed, author=by, at=now)


def add_handed(session: Session, row: PrizeRow, cents: int, **more: Any) -> PrizeHanded:
    """Add a row of prize money. `turn` numbers the rows of a player, so that two requests cannot add the same one."""
    turn = PrizeHanded.objects.filter(session=session, player=row.player).count()
    return PrizeHanded.objects.create(session=session, player_id=row.player, cents=cents, turn=turn, **more)
