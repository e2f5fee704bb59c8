"""Prints the deals of a revealed seed (TDG-1); needs Python alone, and topage_profiles.py beside it for a profile.

python3 topage_deals.py SEED FIRST LAST [--players 4] [--value "public value"] [--profile garde-1]
"""
import argparse
from hashlib import sha256
from itertools import count

read = argparse.ArgumentParser()
read.add_argument("seed", type=bytes.fromhex, help="64 hexadecimal digits")
read.add_argument("first", type=int, help="first board")
read.add_argument("last", type=int, help="last board")
read.add_argument("--players", type=int, default=4, choices=(3, 4, 5))
read.add_argument("--value", default="", help="the public value named before play, to the letter")
read.add_argument("--profile", default="", help="the taker profile of the set")
asked = read.parse_args()
seed = sha256(b"TDGM" + asked.seed + asked.value.encode()).digest() if asked.value else asked.seed
size = {3: 24, 4: 18, 5: 15}[asked.players]

def shuffled(board, attempt):
    head = b"TDG1" + seed + bytes([asked.players]) + board.to_bytes(4, "big") + attempt.to_bytes(4, "big")
    stream = (byte for i in count() for byte in sha256(head + i.to_bytes(4, "big")).digest())
    deck = list(range(78))  # ♠ 0-13, ♥ 14-27, ♦ 28-41, ♣ 42-55, trumps 56-76, the Excuse 77
    for i in range(77, 0, -1):
        j = next(byte for byte in stream if byte < 256 - 256 % (i + 1)) % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return [deck[start : start + size] for start in range(0, size * asked.players, size)], deck[size * asked.players :]

def text(pile):
    cards = sorted(pile, reverse=True)
    suits = ["".join("123456789TVCDR"[c % 14] for c in cards if c // 14 == suit) or "-" for suit in range(4)]
    return ".".join([*suits, "-".join(str(c - 55) for c in cards if 56 <= c < 77) + "*" * (77 in cards)])

print("commitment", sha256(b"TDGC" + asked.seed).hexdigest())
for board in range(asked.first, asked.last + 1):
    accepts = __import__("topage_profiles").accepts if asked.profile else lambda *_: True
    tries = (shuffled(board, attempt) for attempt in count())
    hands, chien = next(t for t in tries if 56 not in map(max, t[0]) and accepts(asked.profile, board, t[0]))
    print(board, *map(text, [*hands, chien]))
