"""The plays of étuis by four bots, 50 of each, made by night or asked for by a director.

`candidates` finds the étuis whose cards everybody may see, `playing` plays them, `reading` gives the figures to pages.
"""
