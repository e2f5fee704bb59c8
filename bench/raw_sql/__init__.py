"""The comparison of SQL written by hand with the ORM. `python -m bench.raw_sql --help` shows its options."""
