"""The scores of French Tarot as the FFT counts them, and duplicate rankings computed from them.

Pure: standard library only. No card, no tournament, no page, no clock. The modules, in reading order: errors, values,
bounds, contract, plausibility, notation, topage, fixed, plays, formats, tally, eligibility, ties, ranking, tournament,
and `files`, the CSV files of all these. docs/scoring.md explains them.
"""
