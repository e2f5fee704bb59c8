"""The files that people upload: a child process with limits of time and memory reads them."""
