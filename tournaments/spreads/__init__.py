"""What bots make of an étui: 50 plays by four bots of level 10, made by night or asked for by a director.

`candidates` finds the étuis whose cards everybody may see, `playing` plays them, `reading` gives the figures to pages.
"""
