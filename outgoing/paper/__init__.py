"""The printed documents of a session, made from values that callers give. Most functions read no database.

Callers decide who may have a document.
"""
