"""The scores of French Tarot as the federation (FFT) counts them, and the rankings computed from them.

The modules use only the standard library. They know no cards, tournaments, pages or clock. In reading order they are:
errors, values, bounds, contract, plausibility, notation, topage, fixed, plays, formats, tally, eligibility, ties,
ranking, tournament. The folder `files` has the CSV files of all these. docs/scoring.md explains them.

"FFT 2012" in these modules means the regulation that the federation published in 2012.
"""
