"""Hands to learn scoring by: drawn, asked about, and what a wrong answer comes from."""
