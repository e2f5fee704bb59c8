"""The slow tests of faults, run by `make nightly`: each file takes more than ten seconds."""
