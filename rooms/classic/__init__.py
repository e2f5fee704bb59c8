"""The tables for four people: halls and rooms by link, seats, deals, the clock, and what a poll is told.

`halls` makes the rooms, `sitting` gives seats, `holding` reads a table. `playing` makes moves, `driving` does what is
due, `phrases` has what may be said. `watching` has the cached word whether a table has changed.
"""
