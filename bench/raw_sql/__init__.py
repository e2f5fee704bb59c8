"""The SQL written by hand, measured beside the ORM. `python -m bench.raw_sql --help` says how."""
