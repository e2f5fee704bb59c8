"""The bots: players of the site's own that bid, discard, show, announce and play by the rules of `referee`.

A bot gets a `SeatView` and nothing else, so it cannot know a hidden card. It plays for four players. The modules use
only the standard library, `deals.domain`, `referee` and `scoring`. They know no tournament, page or clock. Their random
numbers follow from a secret, by `deals.domain.dealing`. In reading order they are: levels, moves, secrets, suits,
hidden, bidding, discarding, choosing, matches. The folder `policy` has sight, signals, rules, leading, following,
deciding; the folder `sampling` has imagining, playing_out, scores, drawing, comparing.

The *policy* is a list of named rules, and the first rule that names a card decides. *Sampling* draws the hidden hands
many times, plays each drawn deal to its end, and takes the card with the best mean base score. docs/bots.md explains
both and has the measured strength.
"""
