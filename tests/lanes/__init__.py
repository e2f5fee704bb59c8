"""The two lanes of the tests: the quick one of each change, and the nightly one, with the budget of the quick one."""
