"""Sets of counters, one data file each: what a counter is worth and how many a player starts with."""
