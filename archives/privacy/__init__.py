"""The personal data of people: how long it is kept (`periods`), its export (`export`), its erasure (`erasing`)."""
