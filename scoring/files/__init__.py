"""The CSV files of results, of plays and of rankings: text in, text out.

The modules, in reading order: sheets, standings_file (a session), tournament_file.
"""
