"""Counters: the sets of the books, paying with the fewest, and who holds what through an evening."""
