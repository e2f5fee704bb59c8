"""The people of an evening as the cash box sees them: the fee of each, who has paid, who owes, who gets money back."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from clubs.models import Club, Player
from clubs.names import simplify_name
from registration.errors import CashRefused
from registration.people.seats import find_who
from tournaments.locks import lock_tournament
from tournaments.models import Applicant, Entrant, Fee, Payment, Session, TeamMember, Tournament
from tournaments.words.figures import decimal


class FeeGiven(NamedTuple):
    """The name and amount of a fee. `preset` says which people get it as a proposal: everybody, members, the young."""

    name: str
    cents: int
    preset: str


def require_cash_box(club: Club) -> None:
    """Raise `CashRefused` if the club keeps no cash box."""
    if not keeps_cash_box(club):
        raise CashRefused("cash_off")


def keeps_cash_box(club: Club) -> bool:
    """Return whether the club keeps a cash box. A practice club never does.

    No query is needed if the club was read with its settings (`house`).
    """
    return not club.is_practice and hasattr(club, "house") and club.house.keeps_cash


def list_fees(tournament: Tournament) -> list[Fee]:
    """Return the fees that are in use, in the order in which they were made."""
    return list(Fee.objects.filter(tournament=tournament, ended_at=None))


@transaction.atomic
def save_fee(*, tournament: Tournament, given: FeeGiven, fee_id: int = 0, now: dt.datetime) -> Fee:
    """Add a fee, or replace the fee `fee_id`, and return it. Payments made before keep their amounts and their fee.

    If the fee is there already with these values, return it.
    """
    lock_tournament(tournament.pk, no_key=True)
    require_cash_box(tournament.club)
    fees = list_fees(tournament)
    replaced = next((fee for fee in fees if fee.pk == fee_id), None)
    if fee_id and replaced is None:
        raise CashRefused("fee_unknown")
    for fee in fees:
        if (fee.name, fee.cents, fee.preset) == given:
            return fee
        if fee is replaced:
            continue
        if fee.name.casefold() == given.name.casefold():
            raise CashRefused("fee_name_taken", "name", name=fee.name)
        if fee.preset == given.preset != Fee.FeePreset.NOBODY:
            raise CashRefused("fee_preset_taken", "preset", name=fee.name)
    if replaced is not None:
        end_fees([replaced], now)
    return Fee.objects.create(tournament=tournament, **given._asdict())


@transaction.atomic
def end_fee(*, tournament: Tournament, fee_id: int, now: dt.datetime) -> None:
    """End a fee: it is proposed to nobody any more. Payments keep it. The call is idempotent."""
    lock_tournament(tournament.pk, no_key=True)
    require_cash_box(tournament.club)
    end_fees([fee for fee in list_fees(tournament) if fee.pk == fee_id], now)


def end_fees(fees: Iterable[Fee], now: dt.datetime) -> None:
    for fee in fees:
        fee.ended_at = now
        fee.save(update_fields=["ended_at"])


def find_preset_fee(fees: Iterable[Fee], player: Player | None, session: Session) -> Fee | None:
    """Return the fee that is proposed to a player, or None. `player` is None for a person who is new to the club.

    A young player gets the fee for the young, a member that for members, and anybody else the general one. If that fee
    does not exist, the next of these is taken.
    """
    by_preset = {fee.preset: fee for fee in fees}
    wanted = [Fee.FeePreset.EVERYBODY]
    if player is not None and player.member_until is not None and player.member_until >= session.date:
        wanted.insert(0, Fee.FeePreset.MEMBERS)
    if player is not None and player.category in (Player.Category.YOUTH, Player.Category.JUNIOR):
        wanted.insert(0, Fee.FeePreset.YOUTH)
    return next((by_preset[preset] for preset in wanted if preset in by_preset), None)


def write_amount(cents: int) -> str:
    """Return the amount with two decimals in the reader's language, such as "€12.50"."""
    amount = _("€%(amount)s") % {"amount": decimal(Fraction(abs(cents), 100), 2)}
    return f"−{amount}" if cents < 0 else amount


def write_plain_amount(cents: int) -> str:
    """Return the amount as people type it in a form, without the sign of the euro."""
    return decimal(Fraction(cents, 100), 2)


class Payer(NamedTuple):
    """A person of an evening. At least one of `applicant` and `player` is set.

    `here` is True for a person who is present or has a seat. `withdrew` is True for an applicant who withdrew. `fee` is
    proposed to the person, or None. `payment` is the payment that counts, or None. A person who has paid twice is there
    twice, the second time with `again`.
    """

    applicant: Applicant | None
    player: Player | None
    here: bool
    withdrew: bool
    fee: Fee | None
    payment: Payment | None
    again: bool = False

    @property
    def name(self) -> str:
        """The name with the family name first, or the number of an erased player."""
        if self.player is not None:
            return self.player.listed
        return self.applicant.listed if self.applicant is not None else ""

    @property
    def key(self) -> str:
        """The text that names the payer in forms: the id of the applicant or of the player, with a letter before."""
        return f"a{self.applicant.pk}" if self.applicant is not None else f"p{self.player.pk if self.player else 0}"

    @property
    def owes(self) -> bool:
        return self.here and not self.withdrew and self.payment is None


def list_payers(session: Session) -> list[Payer]:
    """Return everybody of an evening, sorted by name.

    These are the people who signed up, who have a seat, or who paid. People who withdrew are there only if they paid.
    """
    rows = list(Applicant.objects.filter(session=session).select_related("player__merged_into"))
    rows.sort(key=read_turn_of_applicant)
    seated = {player.pk: player for player in find_seated_players(session)}
    guessed = guess_players(session, [each for each in rows if each.player is None])
    players = match_players(rows, seated, guessed)
    standing, paid = find_standing_payments(session), defaultdict[str, list[Payment]](list)
    for payment in standing:
        owner = payment.player or players.get(payment.applicant_id or 0)
        paid[f"p{owner.pk}" if owner else f"a{payment.applicant_id}"].append(payment)
    fees, payers, listed = list_fees(session.tournament), list[Payer](), set[str]()
    for each in rows:
        player = players.get(each.pk)
        key = f"p{player.pk}" if player is not None else f"a{each.pk}"
        has_seat = player is not None and player.pk in seated
        gone = each.withdrawn_at is not None and not has_seat
        if key in listed or (gone and not paid[key]):
            continue
        listed.add(key)
        fee = find_preset_fee(fees, player or guessed.get(each.pk), session)
        payer = Payer(each, player, has_seat or each.present_at is not None, gone, fee, None)
        payers += list_by_payment(payer, paid[key])
    others = seated | {each.player.pk: each.player for each in standing if each.player is not None}
    for pk, player in others.items():
        if f"p{pk}" not in listed:
            payer = Payer(None, player, True, False, find_preset_fee(fees, player, session), None)
            payers += list_by_payment(payer, paid[f"p{pk}"])
    return sorted(payers, key=lambda each: (simplify_name(each.name), each.key, each.again))


def list_by_payment(payer: Payer, payments: Sequence[Payment]) -> list[Payer]:
    """Return one row of the payer for each payment, or one without a payment if there is none."""
    return [payer._replace(payment=each, again=place > 0) for place, each in enumerate(payments)] or [payer]


def match_players(
    applicants: Iterable[Applicant], seated: Mapping[int, Player], guessed: Mapping[int, Player]
) -> dict[int, Player]:
    """Return the players of applicants, by the id of the applicant. Applicants without a player are left out.

    An applicant whom a director seated by hand has no player yet. It is the guessed one, if that one has a seat and is
    not another applicant.
    """
    players = {each.pk: each.player.is_now for each in applicants if each.player is not None}
    taken = {player.pk for player in players.values()}
    for pk, player in guessed.items():
        if player.pk in seated and player.pk not in taken:
            players[pk] = player
            taken.add(player.pk)
    return players


def find_seated_players(session: Session) -> list[Player]:
    """Return the players who have a seat in the session, alone or in a team."""
    entrants = list(Entrant.objects.filter(session=session).select_related("player"))
    alone = [entrant.player for entrant in entrants if entrant.player is not None]
    teams = [entrant.team_id for entrant in entrants if entrant.team_id]
    if not teams:
        return alone
    members = TeamMember.objects.filter(team__in=teams, ended_at=None).select_related("player")
    return [*alone, *(member.player for member in members)]


def find_seated_player(session: Session, player_id: int) -> Player | None:
    """Return the player with this id if the player has a seat in the session, alone or in a team."""
    entrants = Entrant.objects.filter(session=session)
    teams = entrants.exclude(team=None).values("team")
    members = TeamMember.objects.filter(team__in=teams, ended_at=None)
    has_seat = Q(pk__in=entrants.exclude(player=None).values("player")) | Q(pk__in=members.values("player"))
    return Player.objects.filter(has_seat, pk=player_id).first()


def find_player_of_applicant(session: Session, applicant: Applicant) -> Player | None:
    """Return the player of one applicant as `match_players` does, without reading the other applicants."""
    if applicant.player is not None:
        return applicant.player.is_now
    if not Entrant.objects.filter(session=session).exists():
        return None
    guess = guess_players(session, [applicant]).get(applicant.pk)
    if guess is None or find_seated_player(session, guess.pk) is None or list_applicants_of(session, guess).exists():
        return None
    return guess


def find_applicant_of_player(session: Session, player: Player) -> Applicant | None:
    """Return the applicant who is this player of the session, or None for a player who was seated by hand.

    People who have not withdrawn come first. Without an applicant of this player, the one with the player's name is
    guessed, as `match_players` does.
    """
    if own := list(list_applicants_of(session, player)):
        return min(own, key=read_turn_of_applicant)
    loose = sorted(Applicant.objects.filter(session=session, player=None), key=read_turn_of_applicant)
    guessed = guess_players(session, loose)
    return next((each for each in loose if guessed.get(each.pk) == player), None)


def read_turn_of_applicant(applicant: Applicant) -> tuple[bool, int]:
    """Return the key by which applicants are sorted: people who withdrew come last."""
    return applicant.withdrawn_at is not None, applicant.pk


def list_applicants_of(session: Session, player: Player) -> "QuerySet[Applicant]":
    """Return the session's applicants with this player, also under a player who was merged into this one."""
    own = Q(player=player) | Q(player__merged_into=player)
    return Applicant.objects.filter(own, session=session).select_related("player__merged_into")


def guess_players(session: Session, applicants: list[Applicant]) -> dict[int, Player]:
    """Return the players of the club's list who are these applicants, by the id of the applicant, where it is sure."""
    if not applicants:
        return {}
    club = session.tournament.club
    who = {pk: each.player for pk, each in find_who(club, applicants).items() if each.player and not each.doubtful}
    players = club.players.in_bulk(who.values())
    return {pk: players[player] for pk, player in who.items() if player in players}


def find_standing_payments(session: Session) -> list[Payment]:
    """Return the payments that were not given back, in the order in which they were made."""
    payments = Payment.objects.filter(session=session, turn__isnull=False, reversed_by=None)
    return list(payments.select_related("fee", "author", "player", "applicant"))


class CashPosition(NamedTuple):
    """A line of the treasurer's sheet: a fee, a way of paying, and what came in and went back by it."""

    fee: str
    way: str
    payments: int
    cents: int
    returned: int
    returned_cents: int

    @property
    def label(self) -> str:
        """The word for the way of paying."""
        return str(Payment.PaymentWay(self.way).label)


def sum_payments(session: Session) -> list[CashPosition]:
    """Return the sums of the payments by fee and way, in the order of fees and ways."""
    grouped: dict[tuple[int, str], list[Payment]] = defaultdict(list)
    for each in Payment.objects.filter(session=session).select_related("fee"):
        grouped[each.fee_id or 0, each.way].append(each)
    ways = [str(payment_way) for payment_way in Payment.PaymentWay.values]
    totals = []
    for key in sorted(grouped, key=lambda key: (key[0], ways.index(key[1]))):
        rows = grouped[key]
        taken, back = [row for row in rows if row.turn is not None], [row for row in rows if row.turn is None]
        name = rows[0].fee.name if rows[0].fee else ""
        sums = (sum(row.cents for row in taken), len(back), -sum(row.cents for row in back))
        totals.append(CashPosition(name, key[1], len(taken), *sums))
    return totals
