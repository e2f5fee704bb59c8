"""The child process that reads uploaded files, and the bounds of what it reads."""
