"""The records of deals: what was bid, shown and played, complete or in part, as text and as JSON, and the result.

In reading order the modules are: values, cards, notation, data, reading, judging, steps. docs/records.md explains the
text.
"""
