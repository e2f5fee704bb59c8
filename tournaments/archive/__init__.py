"""A tournament as one file that any site can read: `docs/archive.md` says what it holds.

`numbers` says which columns hold numbers of rows, `contents` which rows and columns an archive has.
"""
