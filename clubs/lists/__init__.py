"""The lists of people that clubs paste or upload: their columns, and the people of each row.

These modules do not know which players are on the club's list.
"""
