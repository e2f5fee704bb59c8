"""The doctor: it examines a site, and reports what is missing, unsafe or about to fail, with a remedy.

It examines one subject after another, such as the database or the mail. A subject is a function that yields findings.
`examining` runs all of them.
"""
