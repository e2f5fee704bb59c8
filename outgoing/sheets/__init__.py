"""The tables that a page offers as a file.

The formats are CSV for a French spreadsheet, XLSX with one sheet for each table, and JSON for programs.
"""
