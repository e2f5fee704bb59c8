"""The tests of the handbook: its files, and the code that reads them."""
