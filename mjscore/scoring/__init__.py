"""Hands to score sheets: arrangements, the scorer, waits, and why a double or special hand was not given."""
