"""The handbook in the language of the reader: its files, its figures and its tables."""
