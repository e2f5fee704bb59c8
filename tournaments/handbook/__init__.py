"""The reader of the handbook: texts of its files → pages, deals and exercises as values. It opens no file.

`handbook/` has the files, and `docs/handbook.md` their format.
"""
