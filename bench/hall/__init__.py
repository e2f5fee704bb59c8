"""The measurement of a full hall on real servers. `python -m bench.hall --help` shows its options."""
