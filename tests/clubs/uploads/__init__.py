"""Tests of the child process that reads uploaded files, and of the bounds of what it reads."""
