"""The text forms of files and figures, whatever their subject: the cells of a table, an exact figure rounded.

Pure, and the lowest room: every other room may import it.
"""
