"""Rulebooks as data: files read and checked, conditions and facts, and a rulebook bound to a table's options."""
