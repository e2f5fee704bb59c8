"""The pure arithmetic of money: `amounts` reads amounts, `prize_list` lists of prizes, and `prizes` divides a pot.

All amounts are whole numbers of cents.
"""
