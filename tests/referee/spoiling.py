"""The games in which one thing was changed. Some are still legal: both referees say which."""

import copy
import random

from tests.referee.plain import DECK, EXCUSE, TRUMPS, find_callable_cards


def spoil_game(rng: random.Random, game: dict) -> dict:
    """Return a copy of a legal game with one change."""
    spoiled = copy.deepcopy(game)
    ways = [exchange_plays, exchange_plays, exchange_plays, exchange_turns, announce_otherwise, change_leader]
    if game["discard"]:
        ways += [exchange_discarded, exchange_discarded]
    if game["poignees"]:
        ways += [change_poignee] * 4
    if "called" in game:
        ways.append(call_otherwise)
    rng.choice(ways)(rng, spoiled)
    return spoiled


def plays_of(game: dict, player: int) -> list[dict]:
    """Return the plays of a player, in order."""
    return [play for trick in game["tricks"] for play in trick["plays"] if play["player"] == player]


def exchange_plays(rng: random.Random, game: dict) -> None:
    """Let a player play two cards the other way round."""
    one, other = rng.sample(plays_of(game, rng.randrange(game["players"])), 2)
    one["card"], other["card"] = other["card"], one["card"]


def exchange_turns(rng: random.Random, game: dict) -> None:
    """Let two players of a trick play in the other order."""
    plays = rng.choice(game["tricks"])["plays"]
    one, other = rng.sample(range(len(plays)), 2)
    plays[one], plays[other] = plays[other], plays[one]


def announce_otherwise(rng: random.Random, game: dict) -> None:
    """Announce a chelem, or announce none."""
    game["chelem_announced"] = not game["chelem_announced"]


def change_leader(rng: random.Random, game: dict) -> None:
    """Name another leader of a trick."""
    rng.choice(game["tricks"])["leader"] = rng.randrange(game["players"])


def exchange_discarded(rng: random.Random, game: dict) -> None:
    """Let the taker keep a discarded card, and discard one that was played."""
    play = rng.choice(plays_of(game, game["taker"]))
    place = rng.randrange(len(game["discard"]))
    game["discard"][place], play["card"] = play["card"], game["discard"][place]


def change_poignee(rng: random.Random, game: dict) -> None:
    """Leave a card of a poignée out, add one, or put another in its place."""
    cards = rng.choice(game["poignees"])["cards"]
    place = rng.randrange(len(cards))
    other = rng.choice([EXCUSE, rng.choice(TRUMPS), rng.choice(TRUMPS), rng.choice(DECK)])
    rng.choice([lambda: cards.pop(place), lambda: cards.append(other), lambda: cards.__setitem__(place, other)])()


def call_otherwise(rng: random.Random, game: dict) -> None:
    """Call another card: of the right height or of another."""
    callable_cards = find_callable_cards(game["hands"][game["taker"]])
    game["called"] = rng.choice([rng.choice(callable_cards), f"{rng.randint(10, 14)}-{rng.choice('SHDC')}"])
