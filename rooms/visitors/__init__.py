"""The visitors of rooms: accounts, and guests with a name of their own and a cookie.

`finding` reads a request, `guests` writes the rows. `names` checks names, says how others see them, and has the
offensive ones.
"""
