"""The text forms of files and figures: the cells of a table, an exact figure rounded.

Every other room may import this one.
"""
