"""A program that checks a revealed set: it deals the étuis again (TDG-1) and compares them with the set's file.

It needs only Python, and topage_profiles.py beside it if the set has a taker profile: python3 topage_deals.py FILE
"""

import re
import sys
from hashlib import sha256
from itertools import count

with open(sys.argv[1], encoding="utf-8-sig") as file:
    lines = [line.rstrip("\r\n").partition(" ")[::2] for line in file if line.strip()]
told = {"commitment": "", "seed": "", "players": "4", "profile": "", "value-name": "", "value": "", **dict(lines)}
if len(dict(lines)) < len(lines):
    sys.exit("a line of the file comes twice")
if not re.fullmatch("[0-9a-fA-F]{64}", told["seed"]):
    sys.exit(f"the seed has {len(told['seed'])} characters: it needs 64 hexadecimal digits")
sealed, players, size = bytes.fromhex(told["seed"]), int(told["players"]), {"3": 24, "4": 18, "5": 15}[told["players"]]
seed = sha256(b"TDGM" + sealed + told["value"].encode()).digest() if told["value"] else sealed

def shuffled(board: int, attempt: int) -> "tuple[list[list[int]], list[int]]":
    head = b"TDG1" + seed + bytes([players]) + board.to_bytes(4, "big") + attempt.to_bytes(4, "big")
    stream = (byte for i in count() for byte in sha256(head + i.to_bytes(4, "big")).digest())
    deck = list(range(78))  # spades 0-13, hearts 14-27, diamonds 28-41, clubs 42-55, trumps 56-76, the Excuse 77
    for i in range(77, 0, -1):
        j = next(byte for byte in stream if byte < 256 - 256 % (i + 1)) % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return [deck[start : start + size] for start in range(0, size * players, size)], deck[size * players :]

def text(pile: "list[int]") -> str:
    cards = sorted(pile, reverse=True)
    suits = ["".join("123456789TVCDR"[c % 14] for c in cards if c // 14 == suit) or "-" for suit in range(4)]
    return ".".join([*suits, "-".join(str(c - 55) for c in cards if 56 <= c < 77) + "*" * (77 in cards)])

def dealt(board: int) -> str:
    accepts = __import__("topage_profiles").accepts if told["profile"] else lambda *_: True
    tries = (shuffled(board, attempt) for attempt in count())
    hands, chien = next(t for t in tries if 56 not in map(max, t[0]) and accepts(told["profile"], board, t[0]))
    return " ".join(map(text, [*hands, chien]))

named = [len(name).to_bytes(2, "big") + name for name in (told["profile"].encode(), told["value-name"].encode())]
bound = [sha256(b"TDGB" + sealed + bytes([players]) + b"".join(named)), sha256(b"TDGC" + sealed)]
fits = told["commitment"] in [each.hexdigest() for each in bound]
print("commitment", told["commitment"], "fits the seed" if fits else "does NOT fit the seed")
boards = {int(board): cards for board, cards in lines if board.isdecimal()}
wrong = [board for board, cards in boards.items() if dealt(board) != cards]
print("".join(f"board {board} is NOT what the seed deals: {dealt(board)}\n" for board in wrong), end="")
print(len(boards) - len(wrong), "of", len(boards), "agree")
sys.exit(bool(wrong) or not fits or not boards)
