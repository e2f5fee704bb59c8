"""How files and figures look as text, whatever they are about: the cells of a table, an exact figure rounded.

Pure, and lowest of all: every room may ask it.
"""
