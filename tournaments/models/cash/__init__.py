"""The models of the cash box of an evening: `money` has fees, payments and counts, `prizes` the prizes."""
