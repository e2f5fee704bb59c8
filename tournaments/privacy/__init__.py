"""What is kept of people: how long (`periods`), handed out to whom it is about (`export`), erased (`erasing`)."""
