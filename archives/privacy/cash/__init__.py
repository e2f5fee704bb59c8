"""The personal data of the cash box."""
