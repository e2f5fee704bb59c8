"""The tables for four people: halls and rooms by link, seats, deals, the clock, and the answers to polls.

`halls` makes the rooms, `sitting` gives seats, `holding` reads a table. `looking` shows it, `playing` makes the moves
of people, `driving` makes each step whose time has come. `watching` tells from the cache whether a table has changed.
"""
