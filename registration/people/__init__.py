"""The people of a session: they sign up, check in and get seats. Also the merge of two list entries of one person."""
