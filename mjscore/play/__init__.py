"""An evening at the table: typed lines, and the file that records it."""
