"""The cash box of an evening, for clubs that want one: fees, payments, prizes and the treasurer's sheet.

Amounts of money are on no public page, in no answer of the API, and in no archive. All amounts are whole numbers of
cents.
"""
