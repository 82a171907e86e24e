"""Rulebooks as data: reading and checking files, conditions and facts, and binding a rulebook to a table's options."""
