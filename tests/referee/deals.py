"""The games that the two referees play: cards, écart, poignées and play by chance, from a seed.

Each kind of game has something rare on purpose; `KINDS` says for which tables. The games are written as the vectors of
`tests/golden/games.jsonl.gz` write them, without what is expected. Every card is legal by the plain referee.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.referee.plain import (
    CHIEN,
    DECK,
    EXCUSE,
    HAND,
    PETIT,
    POIGNEES,
    ROIS,
    SUITS,
    TRUMPS,
    find_callable_cards,
    find_hands_at_play,
    find_legal_cards,
    find_opening_leads,
    find_winning_card,
    is_petit_sec,
    number_of,
)

CONTRACTS = ["prise", "garde", "garde_sans", "garde_contre"]


@dataclass
class Plan:
    """The wishes of a kind of game. What they leave open is chance.

    `cards` go to players; the rest of a hand may not come from `barred`. `keeps`: the cards that anybody holds back,
    the last one longest. `strong` players play their highest card, and `weak` ones their lowest.
    """

    taker: int
    contract: str
    announced: bool
    cards: dict[int, list[str]] = field(default_factory=dict)
    chien: list[str] = field(default_factory=list)
    barred: dict[int, list[str]] = field(default_factory=dict)
    called: str | None = None
    keeps: list[str] = field(default_factory=list)
    strong: list[int] = field(default_factory=list)
    weak: list[int] = field(default_factory=list)
    leads_excuse: bool = False
    shows_discarded: bool = False


Kind = Callable[[random.Random, int, Plan], None]


def make_game(seed: int, players: int, kind: str | None = None) -> dict:
    """Return the game of this seed, of this kind or of the kind that the seed names."""
    rng = random.Random(f"{players} {seed}")
    kinds = [name for name, (tables, _) in KINDS.items() if players in tables]
    name = kind or kinds[seed % len(kinds)]
    while True:
        plan = Plan(rng.randrange(players), rng.choice(CONTRACTS), announced=rng.random() < 0.06)
        KINDS[name][1](rng, players, plan)
        hands, chien = deal_cards(rng, players, plan)
        if not any(is_petit_sec(hand) for hand in hands):
            break
    game = {
        "id": f"{players} {seed} {name}",
        "players": players,
        "dealer": rng.randrange(players),
        "taker": plan.taker,
        "contract": plan.contract,
        "chelem_announced": plan.announced,
        "hands": hands,
        "dog": chien,
        "discard": None,
        "poignees": [],
        "tricks": [],
    }
    if players == 5:
        game["called"] = plan.called or rng.choice(find_callable_cards(hands[plan.taker]))
    if plan.contract in ["prise", "garde"]:
        game["discard"] = choose_discard(rng, hands[plan.taker] + chien, CHIEN[players])
    game["poignees"] = choose_poignees(rng, game, plan.shows_discarded)
    game["tricks"] = choose_tricks(rng, game, plan)
    return game


def deal_cards(rng: random.Random, players: int, plan: Plan) -> tuple[list[list[str]], list[str]]:
    """Return the hands and the chien as planned, the rest by chance."""
    places = [list(plan.cards.get(player, [])) for player in range(players)] + [list(plan.chien)]
    sizes = [HAND[players]] * players + [CHIEN[players]]
    given = [card for place in places for card in place]
    rest = [card for card in DECK if card not in given]
    rng.shuffle(rest)
    for at in sorted(range(players + 1), key=lambda at: at not in plan.barred):
        barred = plan.barred.get(at, [])
        fitting = [card for card in rest if card not in barred] + [card for card in rest if card in barred]
        taken = fitting[: sizes[at] - len(places[at])]
        places[at] += taken
        rest = [card for card in rest if card not in taken]
    for place in places:
        rng.shuffle(place)
    return places[:players], places[players]


def choose_discard(rng: random.Random, cards: list[str], size: int) -> list[str]:
    """Return an écart without Roi and bout, and with trumps only where nothing else is left."""
    plain = [card for card in cards if card not in ROIS and card not in TRUMPS and card != EXCUSE]
    trumps = [card for card in cards if card in TRUMPS and card not in [PETIT, "21-T"]]
    if len(plain) < size:
        return plain + rng.sample(trumps, size - len(plain))
    return rng.sample(plain, size)


def choose_poignees(rng: random.Random, game: dict, shows_discarded: bool) -> list[dict]:
    """Return the poignées that players show. The Excuse is in one only if no other trump is left."""
    shown = []
    for player, hand in enumerate(find_hands_at_play(game)):
        trumps = [card for card in hand if card in TRUMPS]
        if shows_discarded and player == game["taker"]:
            trumps += [card for card in game["discard"] if card in TRUMPS]
        sizes = POIGNEES[game["players"]]
        choices = [rng.sample(trumps, size) for size in sizes if size <= len(trumps)]
        if EXCUSE in hand and len(trumps) + 1 in sizes:
            choices.append([*trumps, EXCUSE])
        if choices and rng.random() < 0.8:
            cards = choices[-1] if shows_discarded else rng.choice(choices)
            shown.append({"player": player, "cards": sorted(cards, key=number_of, reverse=True)})
    return shown


def choose_tricks(rng: random.Random, game: dict, plan: Plan) -> list[dict]:
    """Return the tricks, every card legal, some cards held back as the plan says."""
    players, hands = game["players"], find_hands_at_play(game)
    leader = game["taker"] if game["chelem_announced"] else (game["dealer"] + 1) % players
    tricks = []
    for number in range(HAND[players]):
        cards = []
        for place in range(players):
            player = (leader + place) % players
            legal = find_legal_cards(hands[player], cards)
            if number == 0 and place == 0:
                legal = find_opening_leads(hands[player], game.get("called"))
            card = choose_card(rng, legal, player, plan, leads=place == 0)
            hands[player].remove(card)
            cards.append(card)
        plays = [{"player": (leader + place) % players, "card": card} for place, card in enumerate(cards)]
        tricks.append({"leader": leader, "plays": plays})
        leader = (leader + cards.index(find_winning_card(cards))) % players
    return tricks


def choose_card(rng: random.Random, legal: list[str], player: int, plan: Plan, leads: bool) -> str:
    """Return one of the legal cards, by the plan or by chance."""
    if plan.leads_excuse and EXCUSE in legal and (leads or len(legal) == 1):
        return EXCUSE
    held_back = [*plan.keeps, EXCUSE] if plan.leads_excuse or player in plan.strong else plan.keeps
    free = [card for card in legal if card not in held_back]
    if not free:
        return min(legal, key=held_back.index)
    if player in plan.strong:
        return max(free, key=lambda card: (card in TRUMPS, number_of(card)))
    if player in plan.weak:
        return min(free, key=lambda card: (card in TRUMPS, number_of(card)))
    return rng.choice(free)


def make_void_deal(seed: int, players: int) -> tuple[list[list[str]], list[str]]:
    """Return hands with one petit sec, and the chien. The deal is void before the auction."""
    rng = random.Random(f"void {players} {seed}")
    player = rng.randrange(players)
    plan = Plan(player, "prise", announced=False, cards={player: [PETIT]}, barred={player: [*TRUMPS, EXCUSE]})
    return deal_cards(rng, players, plan)


def plan_nothing(rng: random.Random, players: int, plan: Plan) -> None:
    """Leave all to chance."""


def plan_forced_trumps(rng: random.Random, players: int, plan: Plan) -> None:
    """Give the taker so many trumps and Rois that trumps must go into the écart."""
    plan.contract = rng.choice(CONTRACTS[:2])
    high = [*TRUMPS, EXCUSE, *ROIS]
    least = HAND[players] + 1  # of the cards of hand and chien, and so fewer others than the écart has cards
    taken = rng.sample(high, rng.randint(least, min(len(high), HAND[players] + CHIEN[players])))
    plan.cards = {plan.taker: taken[: HAND[players]]}
    plan.chien = taken[HAND[players] :]


def plan_petit_with_excuse(rng: random.Random, players: int, plan: Plan) -> None:
    """Give somebody the Petit and the Excuse and no other trump: this deal is played."""
    player = rng.randrange(players)
    plan.cards = {player: [PETIT, EXCUSE]}
    plan.barred = {player: TRUMPS}


def plan_called_in_chien(rng: random.Random, players: int, plan: Plan) -> None:
    """Put the called Roi into the chien."""
    plan.called = rng.choice(ROIS)
    plan.chien = [plan.called]


def plan_taker_calls_himself(rng: random.Random, players: int, plan: Plan) -> None:
    """Let the taker call a Roi of his own hand."""
    plan.called = rng.choice(ROIS)
    plan.cards = {plan.taker: [plan.called]}
    plan.barred = {plan.taker: ROIS}


def plan_lower_call(rng: random.Random, players: int, plan: Plan) -> None:
    """Give the taker all four Rois, sometimes the Dames or the Cavaliers too, so that a lower card is called."""
    heights = rng.choice([[14], [14], [14, 13], [14, 13, 12]])
    plan.cards = {plan.taker: [f"{height}-{suit}" for height in heights for suit in SUITS]}


def plan_opening_in_called_suit(rng: random.Random, players: int, plan: Plan) -> None:
    """Give every hand many cards of the called suit, some nothing else, so that the opening lead is bound."""
    plan.called = rng.choice(ROIS)
    plan.contract = rng.choice(CONTRACTS)
    player = rng.randrange(players)
    suit = [card for card in DECK if card[3] == plan.called[3]]
    count = rng.randint(10, 14)
    plan.cards = {player: rng.sample(suit, count)}


def plan_chelem_of_attack(rng: random.Random, players: int, plan: Plan) -> None:
    """Give the taker the highest trumps and Rois; the Excuse and the Petit may be his, and then come last."""
    plan.announced = rng.random() < 0.5
    plan.strong = [plan.taker]
    others = rng.choice([[], [EXCUSE], [PETIT], [PETIT, EXCUSE]])
    rois = rng.sample(ROIS, 3)
    count = HAND[players] - len(others) - len(rois)
    high = list(reversed(TRUMPS))[: min(count, 20)]
    dames = [f"13-{roi[3]}" for roi in rois][: count - len(high)]
    plan.cards = {plan.taker: high + rois + others + dames}
    plan.keeps = [[], [PETIT, EXCUSE], [EXCUSE, PETIT]][rng.randrange(3)]
    if players == 5:
        plan.called = next(roi for roi in ROIS if roi not in rois) if rng.random() < 0.7 else rois[0]


def plan_chelem_of_defence(rng: random.Random, players: int, plan: Plan) -> None:
    """Give the taker nothing but low cards; at five, the called Roi lies in a chien that nobody takes."""
    plan.announced = rng.random() < 0.4
    plan.strong = [player for player in range(players) if player != plan.taker]
    plan.weak = [plan.taker]
    low = [card for card in DECK if card not in TRUMPS and card != EXCUSE and number_of(card) <= 7]
    rng.shuffle(low)
    low.sort(key=lambda card: number_of(card) > 5)
    plan.cards = {plan.taker: low[: HAND[players] - 1] + rng.choice([[EXCUSE], [low[HAND[players]]]])}
    plan.keeps = rng.choice([[], [PETIT], [EXCUSE], [PETIT, EXCUSE]])
    if players == 5:
        plan.called = rng.choice(ROIS)
        plan.chien = [plan.called]
        plan.contract = rng.choice(CONTRACTS[2:])


def plan_excuse_last(rng: random.Random, players: int, plan: Plan) -> None:
    """Hold the Excuse back to the last trick."""
    plan.keeps = [EXCUSE]


def plan_excuse_led(rng: random.Random, players: int, plan: Plan) -> None:
    """Hold the Excuse back until its holder leads."""
    plan.leads_excuse = True


def plan_petit_last(rng: random.Random, players: int, plan: Plan) -> None:
    """Give one player a long row of trumps with the Petit, and hold it back."""
    player = rng.choice([plan.taker, rng.randrange(players)])
    plan.cards = {player: [PETIT, *rng.sample(TRUMPS[1:], HAND[players] // 2)]}
    plan.keeps = rng.choice([[PETIT], [EXCUSE, PETIT], [PETIT, EXCUSE]])


def plan_poignees(rng: random.Random, players: int, plan: Plan) -> None:
    """Give one player, or two where the trumps suffice, as many trumps as a poignée asks for, or one more."""
    trumps = rng.sample([*TRUMPS, EXCUSE], 22)
    order = rng.sample(range(players), players)
    if rng.random() < 0.5:
        order.sort(key=lambda player: player != plan.taker)
    for player in order[:2]:
        size = rng.choice([*POIGNEES[players], POIGNEES[players][2]]) + rng.randrange(2)
        if size > min(len(trumps), HAND[players]):
            size = POIGNEES[players][0]
        if size <= len(trumps):
            plan.cards[player], trumps = trumps[:size], trumps[size:]
            plan.barred[player] = [*TRUMPS, EXCUSE]
    if players == 5 and rng.random() < 0.4:  # the second of them is the partner
        plan.taker = order[0]
        plan.called = rng.choice(ROIS)
        plan.cards.setdefault(order[1], []).append(plan.called)


def plan_discarded_trump_shown(rng: random.Random, players: int, plan: Plan) -> None:
    """Give the taker four Rois and fifteen trumps: one goes into the écart, and is shown again in a triple poignée."""
    plan.contract = rng.choice(CONTRACTS[:2])
    trumps = rng.sample([*TRUMPS, EXCUSE], 15)
    plan.cards = {plan.taker: trumps[:14] + ROIS}
    plan.chien = trumps[14:]
    plan.barred = {4: [*TRUMPS, EXCUSE]}
    plan.shows_discarded = True


KINDS: dict[str, tuple[tuple[int, ...], Kind]] = {
    "plain": ((3, 4, 5), plan_nothing),
    "forced trumps": ((3, 4, 5), plan_forced_trumps),
    "petit with excuse": ((3, 4, 5), plan_petit_with_excuse),
    "called in chien": ((5,), plan_called_in_chien),
    "taker calls himself": ((5,), plan_taker_calls_himself),
    "lower call": ((5,), plan_lower_call),
    "opening in called suit": ((5,), plan_opening_in_called_suit),
    "chelem of attack": ((3, 4, 5), plan_chelem_of_attack),
    "chelem of defence": ((3, 4, 5), plan_chelem_of_defence),
    "excuse last": ((3, 4, 5), plan_excuse_last),
    "excuse led": ((3, 4, 5), plan_excuse_led),
    "petit last": ((3, 4, 5), plan_petit_last),
    "poignees": ((3, 4, 5), plan_poignees),
    "discarded trump shown": ((4,), plan_discarded_trump_shown),
}
