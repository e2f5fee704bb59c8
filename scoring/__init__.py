"""Scores of French Tarot as the FFT counts them, and duplicate rankings made of them.

Pure: standard library only. No card, no tournament, no page, no clock. The modules, in reading order:
errors, values, bounds, contract, plausibility, notation, topage, fixed, tally, eligibility, ties, ranking, tournament,
and the CSV files of all that in `files`. Explained in docs/scoring.md.
"""
