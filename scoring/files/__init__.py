"""The CSV files of results, of plays and of rankings. Functions get the text of a file and return a text."""
