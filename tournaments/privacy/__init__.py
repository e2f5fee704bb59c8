"""The personal data of people: how long it is kept (`periods`), exported (`export`), erased (`erasing`)."""
