"""The referee of French Tarot: what may be bid, discarded, shown and played, and the result of a deal that was played.

The modules use only the standard library, `deals.domain` for the cards and `scoring` for the result. They know no
tournament, page, clock or random number. In reading order they are: errors, rules, cards, terms, counting, state,
playout, views, games, lines. The folder `records` has records of deals.

A *player* is a number: 0 sits North, and the numbers rise in the direction of play, counter-clockwise. "FFT 2012" in
these modules means the regulation that the federation published in 2012.
"""
