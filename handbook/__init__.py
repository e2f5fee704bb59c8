"""The reader of the handbook. It turns the texts of files into pages, deals and exercises, and opens no file itself.

`handbook/` has the files, and `docs/handbook.md` their format.
"""
