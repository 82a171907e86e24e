"""The page for a phone: its files, the bridge from its script to Python, and the builder of the site."""
