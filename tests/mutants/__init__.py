"""The mutation testing of the project: code broken at one place at a time, to find what no test notices."""
