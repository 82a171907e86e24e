"""Hands to score sheets: arrangements, the scorer, waits, and why something was not given."""
