"""The practice evening of a director: invented players, deals played out card by card, invented problems.

The attack and the defence load the tricks of their own side with points, and win the others as cheaply as they can.

The odd results are mistakes that are made before the result is stored. The other problems are made by commands from the
tables' devices, as on a real evening.

A taker with a strong hand mostly wins the Garde. A player who has a poignée mostly shows it.
"""

import datetime as dt
import random
import secrets
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import Club, Person, Player, PlayerMerge, User
from clubs.players import add_players
from clubs.roster import read_line
from deals.domain.cards import BOUTS, EXCUSE, PETIT, TRUMP_21, Seat, half_points, is_trump, rank, suit
from deals.domain.deal import Deal, loads
from deals.models import DealLook
from deals.sets import create_deal_set
from evenings.plans.by_format import GARDE_PROFILE
from evenings.plans.starting import start_session
from evenings.plays.desk_state import ODD, desk_plays
from evenings.plays.entering import enter_result
from evenings.plays.entries import entry_of
from evenings.sessions.running import call_position
from evenings.sessions.setup import create_session, create_tournament, seats_in_order, set_entrants, use_deal_set
from evenings.tables.commands import receive
from evenings.tables.here import Here
from referee.cards import cards_of, count_forced_trumps, find_discardable, has_card
from referee.records.values import DealRecord
from referee.state import Playout, start_imposed
from scoring.bounds import DECK, least_with_a_trick, most_leaving_a_trick
from scoring.formats import INDIVIDUAL
from scoring.ranking import Line
from scoring.values import FFT, Contract, DealResult, Poignee, Side
from tournaments.locks import lock_club, lock_plan_to_remove
from tournaments.models import (
    ArbiterCall,
    CorrectionRequest,
    Cut,
    EntryCheck,
    EtuiStandings,
    FieldPublication,
    Penalty,
    Play,
    PlayRecord,
    Publication,
    ResultEntry,
    SeriesPublication,
    Session,
    SimultaneousClub,
    Table,
    TournamentPublication,
)
from tournaments.rules.clash import clashes, unlikely
from tournaments.rules.entry import Bout, Entry, Facts, Fiche, base_score, entry_to_data
from tournaments.rules.etuis import odd_entries

SLIP = 0.15  # how often a player takes the second-best card
LATE_TRICKS = (
    9  # if no more tricks than this are to come, a player gives the Excuse to a trick that the other side wins
)
MANY_TRUMPS = 6  # a taker with at least this number of trumps leads trumps


def play_deal(deal: Deal, dealer: Seat, taker: Seat, dice: random.Random) -> tuple[DealRecord, DealResult]:
    """Return the record of a Garde that simple players played, without the hands, and its result."""
    state = start_imposed(deal, dealer, taker, Contract.GARDE)
    ecart = choose_ecart(state.hands[state.turn], deal.players)
    playout = Playout(state.discard(taker, ecart))
    cards = []
    while not playout.is_over:
        cards.append(choose_card(playout, dice))
        playout.play(cards[-1])
    result = playout.result
    assert result is not None
    record = DealRecord(deal.players, dealer, taker, Contract.GARDE, ecart=ecart, cards=tuple(cards))
    return record, result


def choose_ecart(hand: int, players: int) -> tuple[int, ...]:
    """Return a legal écart: the shortest suits go first, and of a suit the cards with points."""
    legal, forced = cards_of(find_discardable(hand, players)), count_forced_trumps(hand, players)
    lengths = Counter(suit(card) for card in cards_of(hand))
    suits = sorted(
        (card for card in legal if not is_trump(card)), key=lambda card: (lengths[suit(card)], -half_points(card))
    )
    trumps = [card for card in legal if is_trump(card)]
    return tuple(suits[: 6 - forced] + trumps[:forced])


def choose_card(playout: Playout, dice: random.Random) -> int:
    """Return a legal card. Now and then it is the second choice, so that tables differ."""
    ranked = rank_leads(playout) if not playout.cards else rank_cards(playout)
    return ranked[1] if len(ranked) > 1 and dice.random() < SLIP else ranked[0]


def rank_leads(playout: Playout) -> list[int]:
    """Return the legal leads, the best first: long trumps for the attack, a low card of a long suit for the others."""
    hand = playout.list_legal_cards()
    lengths = Counter(suit(card) for card in hand)
    draws = playout.terms.attackers[playout.turn] and sum(map(is_trump, hand)) >= MANY_TRUMPS
    return sorted(hand, key=lambda card: (rate_lead(card, draws), -lengths[suit(card)], card))


def rate_lead(card: int, draws: bool) -> int:
    """Return how unwilling a player is to lead the card: 0 is best. A player who `draws` leads trumps."""
    if card in (EXCUSE, PETIT):
        return 2
    return int(is_trump(card) is not draws)


def rank_cards(playout: Playout) -> list[int]:
    """Return the legal cards for a trick under way, the best first."""
    legal, attackers = playout.list_legal_cards(), playout.terms.attackers
    own = attackers[playout.best] == attackers[playout.turn]
    is_last = len(playout.cards) == playout.players - 1
    winning = [card for card in legal if has_card(playout.beating, card)]
    losing = [card for card in legal if card not in winning]
    if EXCUSE in legal and playout.left <= (3 if own else LATE_TRICKS):
        return [EXCUSE, *(card for card in legal if card != EXCUSE)]
    if own and is_last:
        return [*sort_cards(losing, rich=True), *sort_cards(winning)]
    if own:
        return [*sort_cards(losing), *sort_cards(winning)]
    if is_last and PETIT in winning:
        return [PETIT, *sort_cards(card for card in legal if card != PETIT)]
    return [*sort_cards(winning, rich=is_last), *sort_cards(losing)]


def sort_cards(cards: Iterable[int], *, rich: bool = False) -> list[int]:
    """Return the cards, those with the fewest points first, or with the most if `rich`. Bouts come last."""
    return sorted(cards, key=lambda card: (card in (EXCUSE, PETIT), half_points(card) * (-1 if rich else 1), card))


NAMES = {TRUMP_21: Bout.TRUMP_21, PETIT: Bout.PETIT, EXCUSE: Bout.EXCUSE}


def invent_result(play: Play, dice: random.Random) -> Entry:
    """Return a plausible result of the play, under an imposed Garde.

    One in ten is a fiche, with only the base score.
    """
    entry = facts(play, dice)
    return Fiche(entry.taker, base_score(entry)) if dice.random() < 0.1 else entry


def facts(play: Play, dice: random.Random) -> Facts:
    """Return a plausible result with all its facts.

    The points follow from the strength of the taker's hand and from chance.
    """
    deal, taker = loads(play.etui.cards), Line(play.etui.taker)
    hand = deal.hand(Seat(taker))
    named = {NAMES[card] for card in BOUTS.intersection(hand + deal.chien) - {PETIT}}
    petit_at = next(Seat(line) for line in Line if PETIT in deal.hand(Seat(line))) if PETIT not in deal.chien else taker
    petit_kept = dice.random() < (0.8 if petit_at == taker else 0.25)
    named |= {Bout.PETIT} if petit_kept else set()
    bouts = len(named)
    lost = 0 if petit_kept else 5
    points = min(max(round(strength(hand, deal) - lost + dice.gauss(0, 6)), 8), 77)
    petit = Side.NONE
    if dice.random() < 0.12:
        petit = Side.ATTACK if petit_kept else Side.DEFENCE
    result = DealResult(
        players=4,
        contract=Contract.GARDE,
        bouts=bouts,
        half_points=2 * max(points, 5 + 4 * bouts),
        petit_au_bout=petit,
        poignees_attack=tuple(show_poignee(hand, dice)),
        poignees_defence=tuple(
            poignee for line in Line if line != taker for poignee in show_poignee(deal.hand(Seat(line)), dice)
        ),
    )
    return Facts(taker, result, frozenset(named))


def strength(hand: tuple[int, ...], deal: Deal) -> float:
    """Return the card points, of 91, that a taker with this hand usually makes.

    The estimate counts the trumps, the high trumps, the honours (with those of the chien) and the suits that the hand
    lacks.
    """
    trumps = [rank(card) for card in hand if is_trump(card)]
    honours = sum(half_points(card) for card in hand + deal.chien if not is_trump(card)) / 2
    voids = 5 - len({suit(card) for card in hand})
    return 10 + 2.4 * len(trumps) + 0.9 * sum(trump > 14 for trump in trumps) + 0.45 * honours + 2 * voids


def show_poignee(hand: tuple[int, ...], dice: random.Random) -> Iterator[Poignee]:
    """Yield the highest poignée of the hand if it has one, in seven of ten cases."""
    trumps = sum(is_trump(card) or card == EXCUSE for card in hand)
    fitting = [poignee for poignee, needed in FFT.poignee_trumps[4].items() if trumps >= needed]
    if fitting and dice.random() < 0.7:
        yield fitting[-1]


ODD_ONES = 2
ATTEMPTS = 50
DEVICE, NAME = "practice", "iPhone"
Entries = dict[int, Entry]


def invent_results(plays: Sequence[Play], dice: random.Random) -> Entries:
    """Return invented results by the id of the play.

    ODD_ONES of them, on different étuis, contain a mistake and are odd. No other result is odd. Some cards give fewer
    odd results: then all results are invented again. After ATTEMPTS attempts, return the last results.
    """
    by_etui: dict[int, list[Play]] = {}
    for play in plays:
        by_etui.setdefault(play.etui_id, []).append(play)
    for _attempt in range(ATTEMPTS):
        found = [invent_alike(group, dice) for group in by_etui.values()]
        make_slips(list(by_etui.values()), found)
        if sum(len(odd_entries(entries)) for entries in found) == ODD_ONES:
            break
    return {pk: entry for entries in found for pk, entry in entries.items()}


def make_slips(groups: Sequence[Sequence[Play]], found: Sequence[Entries]) -> None:
    """Change one result to a mistake in each of the first ODD_ONES étuis in which that is possible.

    `groups` has the plays of each étui. `found` has their results, which are changed in place.
    """
    slips = 0
    for plays, entries in zip(groups, found, strict=True):
        if slips < ODD_ONES and (slip := next(find_slips(plays, entries), None)):
            entries.update(slip)
            slips += 1


def invent_alike(plays: Sequence[Play], dice: random.Random) -> Entries:
    """Return results of one étui's plays among which none is odd or doubtful.

    After ATTEMPTS attempts without success, return the last results.
    """
    for _attempt in range(ATTEMPTS):
        entries = {play.pk: invent_result(play, dice) for play in plays}
        if not odd_entries(entries) and not any(is_doubted(play, entries[play.pk]) for play in plays):
            break
    return entries


def find_slips(plays: Sequence[Play], entries: Mapping[int, Entry]) -> Iterator[Entries]:
    """Yield results with a mistake that the site can recognise by the results of the other tables.

    Each is a dictionary with the new result of one play, by the play's id. Either the points are those of the other
    side, or they are 25 too low.
    """
    for play in plays:
        entry = entries[play.pk]
        if not isinstance(entry, Facts):
            continue
        least, most = least_with_a_trick(entry.result), most_leaving_a_trick(entry.result)
        for halves in (DECK - entry.result.half_points, entry.result.half_points - 50):
            if not max(30, least) <= halves <= min(150, most):
                continue
            slip = replace(entry, result=replace(entry.result, half_points=halves))
            if odd_entries({**entries, play.pk: slip}) == {play.pk} and not is_doubted(play, slip):
                yield {play.pk: slip}


def is_doubted(play: Play, entry: Entry) -> bool:
    """Return whether the cards of the étui make the entry impossible or unlikely."""
    deal = loads(play.etui.cards)
    return bool(clashes(entry, deal)) or unlikely(entry, deal)


def add_troubles(session: Session, *, now: dt.datetime) -> None:
    """Make three problems at three tables: a disagreement, a second and different entry, a call for the arbiter."""
    first, second, third, *_others = session.tables.select_related("session__tournament__club").order_by("number")
    disagree(first, plain_entry(session, first), now=now)
    send_another(second, plain_entry(session, second), now=now)
    to_come = third.plays.filter(entries=None).order_by("position", "etui__number").first()
    assert to_come is not None
    send(third, now=now, kind="call", play=to_come.pk, reason=ArbiterCall.CallReason.CARDS.value)


def plain_entry(session: Session, table: Table) -> ResultEntry:
    """Return the table's newest result that is not odd and of which more than the base score is known."""
    found = [each for each in desk_plays(session, flags=True) if each.play.table_id == table.pk and each.state != ODD]
    return [each.entry for each in found if each.entry and each.entry.kind == Facts.kind][-1]


def disagree(table: Table, row: ResultEntry, *, now: dt.datetime) -> None:
    """Send a command by which the other side of the table says that the stored result is wrong."""
    send(table, now=now, kind="check", play=row.play_id, version=row.version, agrees=False, seat=row.taker)


def send_another(table: Table, row: ResultEntry, *, now: dt.datetime) -> None:
    """Send a second result of the same play, with six card points more or fewer."""
    entry = entry_of(row)
    assert isinstance(entry, Facts)
    half_points = entry.result.half_points + (12 if entry.result.half_points < DECK // 2 else -12)
    other = replace(entry, result=replace(entry.result, half_points=half_points))
    send(table, now=now, kind="enter", play=row.play_id, entry=entry_to_data(other))


def send(table: Table, *, now: dt.datetime, **command: object) -> None:
    """Send a command from the table's device, then one by which the device leaves the table.

    After that, the next device that scans the table's card may enter results.
    """
    for fields in (command, {"kind": "leave"}):
        receive(Here(table), DEVICE, {"key": str(uuid.uuid4()), "name": NAME, **fields}, now)


PLAYERS = """
Aubert, Élise
Baptista, João
Bérenger, Maëlle
Chevalier, Noël
Da Silva, Inês
Delacroix, Anne-Sophie
Dupont, Marie
Dupont, Martin
Étienne, Zoé
Faure, Gérard
Garnier, Hélène
Haddad, Karim
Île-Dieu, Solène
Joubert, François
Kowalczyk, Łucja
de La Rochefoucauld-Montmorency, Marie-Françoise
Lefèvre, Côme
Martin, Agnès
Nguyễn, Minh
Ördek, Süleyman
Petit, Raphaël
Quéméneur, Gwenaëlle
Renard, Benoît
Šimić, Ana
Tessier, Joël
Vasseur, Thaïs
Weiß, Jürgen
Zimmermann, Léa
"""

GUESTS = """
Rakotomalala-Andriamanantenasoa, Hajanirina
Þórðardóttir-Grześkiewicz, Aðalbjörg
"""

LATE = "Żółkiewska-Désaulniers, Éléonore"


TABLES, POSITIONS, ETUIS = 5, 5, 2  # four results of each étui: with fewer, no result is called odd
BEFORE = dt.timedelta(minutes=1)  # results are dated before the commands that tables send about them


def make_practice(*, club: Club, by: User, now: dt.datetime) -> Session:
    """Return the club's practice session. If there is none, create it.

    It has all results except those of the last position. Two results are odd (far from those of the other tables), two
    are disputed, and one table is calling the arbiter.
    """
    session, is_new = lay_out(club=club, by=by, now=now)
    if is_new:
        # The tables' commands are checked with cached data, so the session must be committed first.
        add_troubles(session, now=now)
    return session


@transaction.atomic
def lay_out(*, club: Club, by: User, now: dt.datetime) -> tuple[Session, bool]:
    """Return the club's practice session, and True if it has just been created."""
    lock_club(club.pk)
    if (known := find_practice(club)) is not None:
        if session := Session.objects.filter(tournament__club=known).order_by("pk").first():
            return session, False
        erase(known)
    apart = Club.every.create(
        name=_("%(club)s (practice)") % {"club": club.name[:100]},
        slug=f"practice-{secrets.token_hex(8)}",
        practice_of=club,
        created_at=now,
    )
    tournament = create_tournament(club=apart, name=_("Practice evening"), format=INDIVIDUAL.name, now=now)
    session = create_session(
        tournament=tournament, date=now.date(), positions=POSITIONS, etuis_per_position=ETUIS, barometer=False
    )
    players = add_players(club=apart, lines=[read_line(name) for name in PLAYERS.strip().splitlines()[: 4 * TABLES]])
    set_entrants(session_id=session.pk, seats=seats_in_order([player.pk for player in players]))
    deal_set = create_deal_set(
        club=apart, name=tournament.name, count=TABLES * ETUIS, now=now, by=by, profile=GARDE_PROFILE
    )
    use_deal_set(session_id=session.pk, deal_set=deal_set)
    start_session(session_id=session.pk, by=by, now=now)
    plays = list(session.plays.filter(position__lt=POSITIONS).select_related("etui").order_by("pk"))
    entries = invent_results(plays, random.Random(session.pk))
    for position in range(1, POSITIONS + 1):
        call_position(session_id=session.pk, position=position, by=by, now=now)
        for play in plays:
            if play.position == position:
                enter_result(play_id=play.pk, entry=entries[play.pk], by=by, now=now - BEFORE)
    return session, True


def find_practice(club: Club) -> Club | None:
    """Return the practice club of a club, or None. For a practice club, return the club itself."""
    return club if club.is_practice else Club.every.filter(practice_of=club).first()


@transaction.atomic
def delete_practice(*, club: Club) -> None:
    """Delete the practice club with all its data, even data that people have added. If there is none, do nothing."""
    lock_club(club.real_id)
    if (apart := Club.every.filter(practice_of=club.real_id).first()) is not None:
        erase(apart)


def erase(apart: Club) -> None:
    """Delete the practice club with all its rows. Such rows are never deleted in a real club.

    A row is deleted before the rows that it refers to.
    """
    assert apart.is_practice
    cuts = Cut.objects.filter(session__tournament__club=apart)
    cuts.exclude(out_of=None).delete()
    cuts.delete()
    for session in Session.objects.filter(tournament__club=apart).order_by("pk"):
        lock_plan_to_remove(session.pk)
        CorrectionRequest.objects.filter(play__session=session).delete()
        PlayRecord.objects.filter(play__session=session).delete()
        EntryCheck.objects.filter(entry__play__session=session).delete()
        ResultEntry.objects.filter(play__session=session).delete()
        session.etui_rulings.all().delete()
        Penalty.objects.filter(session=session, reverses__isnull=False).delete()
        session.penalties.all().delete()
        EtuiStandings.objects.filter(standings__session=session).delete()
        Publication.objects.filter(session=session).delete()
        for play in Play.objects.filter(session=session).prefetch_related("rulings"):
            play.rulings.all().delete()
        session.plays.all().delete()
        session.tables.all().delete()
        session.delete()
    TournamentPublication.objects.filter(tournament__club=apart).delete()
    SeriesPublication.objects.filter(series__club=apart).delete()
    apart.series.all().delete()
    FieldPublication.objects.filter(simultaneous__club=apart).delete()
    SimultaneousClub.objects.filter(club=apart).delete()
    apart.simultaneous.all().delete()
    apart.tournaments.all().delete()
    DealLook.objects.filter(deal_set__club=apart).delete()
    apart.deal_sets.all().delete()
    invented = {
        *apart.players.values_list("person", flat=True),
        *PlayerMerge.objects.filter(kept__club=apart).values_list("person", flat=True),
    }
    Player.objects.filter(club=apart, merged_into__isnull=False).delete()
    Player.objects.filter(club=apart).delete()
    Person.objects.filter(pk__in=invented, players=None).delete()
    apart.delete()
