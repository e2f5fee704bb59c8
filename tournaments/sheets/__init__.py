"""The tables that a page offers as a file: CSV for a French spreadsheet, XLSX with a sheet each, JSON for programs."""
