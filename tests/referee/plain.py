"""A second referee, written as plainly as possible: lists of names of cards, and the rules in the order of the book.

It imports nothing of the project, so that it makes no mistake of the project. It reads whole games, as the vectors of
`tests/golden/games.jsonl.gz` write them. A card is `07-D` (01 to 14 and S H D C, or T for the trumps), and `00-T` is
the Excuse. Player 0 is N; the next player to the right has the next number. Sources: FFT 2012, the chapter on the play,
and pp. 9, 11 and 12 for the score.
"""

EXCUSE, PETIT, TWENTY_ONE = "00-T", "01-T", "21-T"
BOUTS = [PETIT, TWENTY_ONE, EXCUSE]
TRUMPS = [f"{number:02d}-T" for number in range(1, 22)]
SUITS = ["S", "H", "D", "C"]
ROIS = [f"14-{suit}" for suit in SUITS]
DECK = [f"{number:02d}-{suit}" for suit in SUITS for number in range(1, 15)] + TRUMPS + [EXCUSE]

HAND = {3: 24, 4: 18, 5: 15}
CHIEN = {3: 6, 4: 6, 5: 3}
POIGNEES = {3: [13, 15, 18], 4: [10, 13, 15], 5: [8, 10, 13]}
POIGNEE_BONUS = {1: 20, 2: 30, 3: 40}
COEFFICIENT = {"prise": 1, "garde": 2, "garde_sans": 4, "garde_contre": 6}
TARGET = {0: 56, 1: 51, 2: 41, 3: 36}
CHELEM_BONUS = {
    "none": 0,
    "announced_made": 400,
    "unannounced_made": 200,
    "announced_failed": -200,
    "suffered": -200,
    "announced_suffered": -400,
}


def suit_of(card: str) -> str:
    """Return S, H, D, C or T. The Excuse has no suit of its own: E."""
    return "E" if card == EXCUSE else card[3]


def number_of(card: str) -> int:
    """Return the number that is written on the card; a Roi is 14, a Dame 13, a Cavalier 12, a Valet 11."""
    return int(card[:2])


def count_halves(cards: list[str]) -> int:
    """Return the points of the cards, in half points."""
    halves = 0
    for card in cards:
        if card in BOUTS:
            halves += 9
        elif card in TRUMPS or number_of(card) <= 10:
            halves += 1
        else:
            halves += {11: 3, 12: 5, 13: 7, 14: 9}[number_of(card)]
    return halves


def is_petit_sec(hand: list[str]) -> bool:
    """Return whether the only trump of this hand is the Petit, without the Excuse."""
    return [card for card in hand if card in TRUMPS or card == EXCUSE] == [PETIT]


def find_legal_cards(hand: list[str], trick: list[str]) -> list[str]:
    """Return the cards of the hand that may follow the cards of this trick, in the order of the hand."""
    played = [card for card in trick if card != EXCUSE]
    if not played:
        return list(hand)
    fitting = find_cards_beside_excuse(hand, played)
    return [card for card in hand if card == EXCUSE or card in fitting]


def find_cards_beside_excuse(hand: list[str], played: list[str]) -> list[str]:
    """Return the legal cards but the Excuse. The first of the played cards set the suit."""
    suit = suit_of(played[0])
    of_suit = [card for card in hand if suit_of(card) == suit]
    if suit != "T" and of_suit:
        return of_suit
    trumps = [card for card in hand if suit_of(card) == "T"]
    highest = max([number_of(card) for card in played if suit_of(card) == "T"], default=0)
    higher = [card for card in trumps if number_of(card) > highest]
    return higher or trumps or hand


def find_opening_leads(hand: list[str], called: str | None) -> list[str]:
    """Return the cards that may open the deal: at five, of the called card's suit only that card.

    A hand of 15 cards always has another one.
    """
    if called is None:
        return list(hand)
    return [card for card in hand if card == called or suit_of(card) != suit_of(called)]


def find_winning_card(trick: list[str]) -> str:
    """Return the card that wins: the highest trump, or else the highest card of the suit that was led."""
    played = [card for card in trick if card != EXCUSE]
    trumps = [card for card in played if suit_of(card) == "T"]
    of_suit = [card for card in played if suit_of(card) == suit_of(played[0])]
    return max(trumps or of_suit, key=number_of)


def find_partner(game: dict) -> int | None:
    """Return the player who was dealt the called card, unless that is the taker or nobody."""
    for player, hand in enumerate(game["hands"]):
        if game.get("called") in hand and player != game["taker"]:
            return player
    return None


def find_callable_cards(hand: list[str]) -> list[str]:
    """Return the cards that a taker of five may call: the Rois, or of the next height if the hand has all four."""
    number = 14
    while all(f"{number}-{suit}" in hand for suit in SUITS):
        number -= 1
    return [f"{number}-{suit}" for suit in SUITS]


def find_hands_at_play(game: dict) -> list[list[str]]:
    """Return the hands with which the play begins, that of the taker with the chien and without the écart."""
    hands = [list(hand) for hand in game["hands"]]
    if game["contract"] in ["prise", "garde"]:
        taken = hands[game["taker"]] + game["dog"]
        hands[game["taker"]] = [card for card in taken if card not in game["discard"]]
    return hands


def play_out(game: dict, lost_excuse_is_paid: bool = True, defence_excuse_wins: bool = True) -> dict:
    """Return what the cards of this game come to: the legal cards, the winners, and the result of the deal.

    `legal` has a list for each trick, with a list of cards for each play; `winners` a player for each trick. The other
    keys are those that the vectors expect. `poignee_attack` is a list where the taker and the partner both showed one.
    The two options are questions that FFT 2012 leaves open. The first: does a half-point card come back for an Excuse
    in the last trick if its own side won that trick? The second: may the Excuse of the defence end a chelem?
    """
    partner = find_partner(game)
    attack = [game["taker"]] + ([] if partner is None else [partner])
    legal = find_legal_cards_of_game(game)
    winners = find_winners(game, attack, defence_excuse_wins)

    cards = find_cards_of_attack(game, winners, attack)
    points = (count_halves(cards) + find_half_points_handed_over(game, winners, attack, lost_excuse_is_paid)) / 2
    bouts = len([card for card in cards if card in BOUTS])
    petit = find_petit_au_bout(game, winners, attack)
    chelem = find_chelem(game, winners, attack)
    levels_attack, levels_defence = find_poignees(game, attack)

    made = points >= TARGET[bouts]
    sign = 1 if made else -1
    difference = abs(points - TARGET[bouts])
    if difference != int(difference):
        difference += 0.5  # the half point goes to the winner of the deal
    coefficient = COEFFICIENT[game["contract"]]
    base = sign * (25 + int(difference)) * coefficient
    base += {"attack": 10, "defence": -10, "none": 0}[petit] * coefficient
    base += sign * sum(POIGNEE_BONUS[level] for level in levels_attack + levels_defence)
    base += CHELEM_BONUS[chelem]

    return {
        "legal": legal,
        "winners": winners,
        "points": points,
        "bouts": bouts,
        "petit_au_bout": petit,
        "chelem": chelem,
        "poignee_attack": levels_attack if len(levels_attack) > 1 else sum(levels_attack),
        "poignee_defence": levels_defence,
        "base_score": base,
        "scores": share_score(game, base, partner),
    }


def find_legal_cards_of_game(game: dict) -> list[list[list[str]]]:
    """Return the cards that were legal before each card, trick by trick."""
    hands = find_hands_at_play(game)
    legal = []
    for number, trick in enumerate(game["tricks"]):
        played, allowed = [], []
        for play in trick["plays"]:
            hand = hands[play["player"]]
            if number == 0 and not played:
                allowed.append(find_opening_leads(hand, game.get("called")))
            else:
                allowed.append(find_legal_cards(hand, played))
            hand.remove(play["card"])
            played.append(play["card"])
        legal.append(allowed)
    return legal


def find_winners(game: dict, attack: list[int], defence_excuse_wins: bool) -> list[int]:
    """Return the winner of each trick; the Excuse wins the last one for a side that has won all the others."""
    winners = []
    for trick in game["tricks"]:
        card = find_winning_card([play["card"] for play in trick["plays"]])
        winners.append(find_player_of(card, trick))
    owner = find_player_of(EXCUSE, game["tricks"][-1])
    if owner is None or (owner not in attack and not defence_excuse_wins):
        return winners
    if all((winner in attack) == (owner in attack) for winner in winners[:-1]):
        winners[-1] = owner
    return winners


def find_player_of(card: str, trick: dict) -> int | None:
    """Return the player who played this card to the trick, None if nobody did."""
    for play in trick["plays"]:
        if play["card"] == card:
            return play["player"]
    return None


def find_cards_of_attack(game: dict, winners: list[int], attack: list[int]) -> list[str]:
    """Return the cards that count for the attack: those of its tricks, an Excuse, the écart or the chien."""
    cards = []
    for trick, winner in zip(game["tricks"], winners, strict=True):
        if winner in attack:
            cards += [play["card"] for play in trick["plays"] if play["card"] != EXCUSE]
        owner = find_player_of(EXCUSE, trick)
        if owner is None:
            continue
        is_lost = trick is game["tricks"][-1] and winner != owner
        if (owner in attack) != is_lost:
            cards.append(EXCUSE)
    if game["contract"] in ["prise", "garde"]:
        cards += game["discard"]
    if game["contract"] == "garde_sans":
        cards += game["dog"]
    return cards


def find_half_points_handed_over(game: dict, winners: list[int], attack: list[int], lost_excuse_is_paid: bool) -> int:
    """Return the half points that the attack gets for the Excuse, below 0 if it is the attack that hands them over.

    A side that has no trick owes the card for ever: it counts all the same.
    """
    for trick, winner in zip(game["tricks"], winners, strict=True):
        owner = find_player_of(EXCUSE, trick)
        if owner is None:
            continue
        if trick is game["tricks"][-1]:
            if winner == owner or (winner in attack) != (owner in attack) or not lost_excuse_is_paid:
                return 0
            return 1 if owner in attack else -1  # its own side won the trick, and the Excuse goes to the other
        if (winner in attack) == (owner in attack):
            return 0
        return -1 if owner in attack else 1
    return 0


def find_petit_au_bout(game: dict, winners: list[int], attack: list[int]) -> str:
    """Return the side that won the Petit in the last trick, or in the one before if the Excuse won the last."""
    before, last = game["tricks"][-2:]
    in_last = find_player_of(PETIT, last) is not None
    in_trick_before = find_player_of(PETIT, before) is not None
    if in_last or (in_trick_before and winners[-1] == find_player_of(EXCUSE, last)):
        return "attack" if winners[-1] in attack else "defence"
    return "none"


def find_chelem(game: dict, winners: list[int], attack: list[int]) -> str:
    """Return what became of a chelem, in the words of the vectors; the defence may make one too."""
    if all(winner in attack for winner in winners):
        return "announced_made" if game["chelem_announced"] else "unannounced_made"
    if all(winner not in attack for winner in winners):
        return "announced_suffered" if game["chelem_announced"] else "suffered"
    return "announced_failed" if game["chelem_announced"] else "none"


def find_poignees(game: dict, attack: list[int]) -> tuple[list[int], list[int]]:
    """Return the poignées of the attack and those of the defence: 1 is simple, 2 double, 3 triple."""
    levels_attack, levels_defence = [], []
    for poignee in game["poignees"]:
        level = POIGNEES[game["players"]].index(len(poignee["cards"])) + 1
        if poignee["player"] in attack:
            levels_attack.append(level)
        else:
            levels_defence.append(level)
    return levels_attack, levels_defence


def share_score(game: dict, base: int, partner: int | None) -> list[int]:
    """Return what each player wins or loses."""
    scores = [-base] * game["players"]
    if game["players"] == 5 and partner is not None:
        scores[game["taker"]] = 2 * base
        scores[partner] = base
    elif game["players"] == 5:
        scores[game["taker"]] = 4 * base
    elif game["players"] == 4:
        scores[game["taker"]] = 3 * base
    else:
        scores[game["taker"]] = 2 * base
    return scores


def find_fault(game: dict) -> tuple[int | None, str] | None:
    """Return the first thing in this game that the rules forbid: the number of its trick, from 1, and a word.

    The number is None before the first card. Return None if the game is legal.
    """
    if any(is_petit_sec(hand) for hand in game["hands"]):
        return None, "petit sec"
    taken = game["hands"][game["taker"]]
    if game["players"] == 5 and game["called"] not in find_callable_cards(taken):
        return None, "call"
    takes_chien = game["contract"] in ["prise", "garde"]
    if takes_chien and not is_discard_legal(game["players"], taken + game["dog"], game["discard"]):
        return None, "écart"
    for poignee in game["poignees"]:
        if not is_poignee_legal(game, poignee):
            return None, "poignée"
    return find_fault_of_play(game)


def is_discard_legal(players: int, cards: list[str], discard: list[str]) -> bool:
    """Return whether the écart has no Roi, no bout, and trumps only if the taker's cards leave nothing else."""
    if len(discard) != CHIEN[players] or len(set(discard)) != len(discard):
        return False
    if any(card not in cards or card in ROIS or card in BOUTS for card in discard):
        return False
    others = [card for card in cards if card not in ROIS and card not in TRUMPS and card != EXCUSE]
    has_trump = any(card in TRUMPS for card in discard)
    return not has_trump or all(card in discard for card in others)


def is_poignee_legal(game: dict, poignee: dict) -> bool:
    """Return whether this player may show these cards: as many trumps as a poignée has, all of the own hand.

    The Excuse is in it only if no trump is left out. A trump that the taker had to discard is shown again.
    """
    shown = poignee["cards"]
    hand = find_hands_at_play(game)[poignee["player"]]
    trumps = [card for card in hand if card in TRUMPS]
    if EXCUSE in shown and any(card not in shown for card in trumps):
        return False
    if poignee["player"] == game["taker"] and game["contract"] in ["prise", "garde"]:
        trumps += [card for card in game["discard"] if card in TRUMPS]
    if EXCUSE in hand:
        trumps.append(EXCUSE)
    is_size = len(shown) in POIGNEES[game["players"]] and len(set(shown)) == len(shown)
    return is_size and all(card in trumps for card in shown)


def find_fault_of_play(game: dict) -> tuple[int, str] | None:
    """Return the first play that is out of turn or not legal: the number of its trick, and a word."""
    partner = find_partner(game)
    attack = [game["taker"]] + ([] if partner is None else [partner])
    winners = find_winners(game, attack, defence_excuse_wins=True)
    hands = find_hands_at_play(game)
    leader = game["taker"] if game["chelem_announced"] else (game["dealer"] + 1) % game["players"]
    for number, trick in enumerate(game["tricks"], 1):
        if trick["leader"] != leader:
            return number, "leader"
        played = []
        for play in trick["plays"]:
            hand = hands[play["player"]]
            legal = find_legal_cards(hand, played)
            if number == 1 and not played:
                legal = find_opening_leads(hand, game.get("called"))
            if play["player"] != (leader + len(played)) % game["players"]:
                return number, "turn"
            if play["card"] not in legal:
                return number, "card"
            hand.remove(play["card"])
            played.append(play["card"])
        leader = winners[number - 1]
    return None
