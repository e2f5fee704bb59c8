"""The archive of a tournament: one file that any site can read. `docs/archive.md` says what the file contains.

`numbers` lists the columns that contain numbers of rows. `contents` lists the rows and columns of an archive.
"""
