"""A whole evening for show: a club, 28 players, 7 tables, 7 positions of 4 étuis, 196 results, two publications.

Everything goes through the services a club uses. The seed makes every run alike; the results are invented, but from the
cards: a strong hand mostly makes its Garde, poignées are shown by hands that have them.
"""

import datetime as dt
import random
from collections.abc import Iterator

from django.db import transaction

from clubs.models import Club, Membership, Season, User
from clubs.roster import read_roster
from clubs.services import add_players
from deals.domain.cards import BOUTS, EXCUSE, PETIT, Seat, half_points, is_trump, rank, suit
from deals.domain.deal import Deal
from deals.domain.notation import loads
from scoring.contract import FFT, Contract, DealResult, Poignee, Side
from scoring.ranking import Line
from tournaments.domain.entry import Entry, Facts, Fiche, base_score
from tournaments.models import Play, Publication, Session
from tournaments.services.publishing import publish_session
from tournaments.services.results import annul_play, correct_result, enter_result
from tournaments.services.setup import create_session, create_tournament, prepare_deals, seats_in_order, set_entrants
from tournaments.services.start import start_session

SLUG = "tarot-club-des-halles"
PASSWORD = "demo-topage"
SEED = bytes(range(32))
POSITIONS, ETUIS = 7, 4

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


@transaction.atomic
def play_evening(*, now: dt.datetime) -> Publication:
    """Plays and publishes the evening; where it has been played already, its newest publication.

    All or nothing: an evening broken off half-way leaves no trace and is played afresh at the next start.
    """
    played = Publication.objects.filter(session__tournament__club__slug=SLUG).order_by("-version").first()
    if played is not None:
        return played
    club = Club.objects.create(name="Tarot-club des Halles", slug=SLUG, created_at=now)
    director = account("directeur", club, Membership.Role.DIRECTOR)
    date = now.date()
    start = dt.date(date.year if date.month >= 9 else date.year - 1, 9, 1)
    season = Season.objects.create(
        club=club, name=f"{start.year}-{start.year + 1}", starts_on=start, ends_on=dt.date(start.year + 1, 8, 31)
    )
    tournament = create_tournament(club=club, name="Duplicate du vendredi", auction="imposed", season=season, now=now)
    session = create_session(tournament=tournament, date=date, positions=POSITIONS, etuis_per_position=ETUIS)
    players = add_players(club=club, lines=read_roster(PLAYERS))
    set_entrants(session_id=session.pk, seats=seats_in_order([player.pk for player in players]))
    tables = len(players) // 4
    helpers = [account(f"table{number}", club, Membership.Role.HELPER) for number in range(1, tables + 1)]
    prepare_deals(session_id=session.pk, with_cards=True, count=tables * ETUIS, by=director, now=now, seed=SEED)
    start_session(session_id=session.pk, now=now)
    enter_all(session, by=helpers, now=now)
    publish_session(session_id=session.pk, by=director, now=now)
    rule_afterwards(session, by=director, now=now)
    return publish_session(session_id=session.pk, by=director, now=now)


def account(name: str, club: Club, role: Membership.Role) -> User:
    user = User.objects.filter(username=name).first() or User.objects.create_user(name, password=PASSWORD)
    Membership.objects.create(user=user, club=club, role=role)
    return user


def enter_all(session: Session, *, by: list[User], now: dt.datetime) -> None:
    """Each table enters its own results: `by` has one account a table."""
    dice = random.Random(SEED)
    for play in session.plays.select_related("etui", "table"):
        table = play.table.number
        entry, author = invented(play, dice), by[table - 1]
        enter_result(play_id=play.pk, entry=entry, by=author, now=now, device=f"Table {table}")


def rule_afterwards(session: Session, *, by: User, now: dt.datetime) -> None:
    """What a director finds out next morning: a fiche read wrong, and a table that had built its étui wrongly."""
    plays = list(session.plays.select_related("etui"))
    wrong = plays[11]
    entry = invented(wrong, random.Random("the fiche, read again"))
    correct_result(play_id=wrong.pk, entry=entry, reason="Fiche relue avec la table", seen_version=1, by=by, now=now)
    annul_play(play_id=plays[-3].pk, reason="Étui mal reconstitué à cette table", by=by, now=now)


def invented(play: Play, dice: random.Random) -> Entry:
    """A plausible result of an imposed Garde with these cards."""
    deal, taker = loads(play.etui.cards), Line(play.etui.taker)
    hand = deal.hand(Seat(taker))
    sure = len(BOUTS.intersection(hand + deal.chien) - {PETIT})
    petit_at = next(Seat(line) for line in Line if PETIT in deal.hand(Seat(line))) if PETIT not in deal.chien else taker
    petit_kept = dice.random() < (0.8 if petit_at == taker else 0.25)
    bouts = sure + petit_kept
    points = min(max(round(strength(hand, deal) + dice.gauss(0, 7)), 8), 80)
    petit = Side.NONE
    if dice.random() < 0.12:
        petit = Side.ATTACK if petit_kept else Side.DEFENCE
    result = DealResult(
        players=4,
        contract=Contract.GARDE,
        bouts=bouts,
        half_points=2 * max(points, 5 * bouts),
        petit_au_bout=petit,
        poignees_attack=tuple(shown(hand, dice)),
        poignees_defence=tuple(
            poignee for line in Line if line != taker for poignee in shown(deal.hand(Seat(line)), dice)
        ),
    )
    entry = Facts(taker, result)
    return Fiche(taker, base_score(entry)) if dice.random() < 0.1 else entry


def strength(hand: tuple[int, ...], deal: Deal) -> float:
    """The points that these cards mostly bring the taker: trumps, their height, bouts, honours with the chien."""
    trumps = [rank(card) for card in hand if is_trump(card)]
    honours = sum(half_points(card) for card in hand + deal.chien if not is_trump(card)) / 2
    voids = 5 - len({suit(card) for card in hand})
    return 10 + 2.4 * len(trumps) + 0.9 * sum(trump > 14 for trump in trumps) + 0.45 * honours + 2 * voids


def shown(hand: tuple[int, ...], dice: random.Random) -> Iterator[Poignee]:
    """The poignée of a hand that has one, mostly shown."""
    trumps = sum(is_trump(card) or card == EXCUSE for card in hand)
    fitting = [poignee for poignee, needed in FFT.poignee_trumps[4].items() if trumps >= needed]
    if fitting and dice.random() < 0.7:
        yield fitting[-1]
