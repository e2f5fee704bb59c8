"""The slow tests of faults, run by `make faults`: each file takes over ten seconds."""
