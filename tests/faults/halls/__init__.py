"""The faults of whole sites, each with a ledger of what the site has acknowledged. They run under `make nightly`."""
