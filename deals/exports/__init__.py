"""The files and prints of deal sets. They are made from values that the caller gives.

No module here reads the database, or asks what a user may see.
"""
