"""The printed documents of a session, made from the values that callers give. Most of them read no row.

Callers decide who may have a document.
"""
