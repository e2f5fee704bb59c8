"""The files of deal sets for people and programs, made from the values that the caller gives.

This module reads no row and knows nobody's rights.
"""
