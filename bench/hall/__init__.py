"""A full hall, measured on real servers. `python -m bench.hall --help` says how."""
