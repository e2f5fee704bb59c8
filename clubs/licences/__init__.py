"""The federation’s yearly list of licences: its file is read, compared with a club’s list, applied, and undone."""
