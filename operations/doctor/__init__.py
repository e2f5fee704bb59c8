"""The doctor: it examines a site and says what is missing, unsafe or about to fail, and what to do about it.

Each module examines some subjects. A subject is a function that yields findings; `examining` runs all of them.
"""
