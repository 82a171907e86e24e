"""An evening at the table: what is typed, and the file that keeps it."""
