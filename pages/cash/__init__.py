"""The pages of the cash box, for the people at the desk of an evening."""
