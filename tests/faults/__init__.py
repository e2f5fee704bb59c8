"""The slow tests of faults, run by `make faults`: each file takes more than ten seconds."""
