"""The sampling: hidden hands drawn many times, each drawn deal played to its end, and the means compared."""
