"""Many hands: files cut into chunks, checked by several processes or machines, and corrected."""
