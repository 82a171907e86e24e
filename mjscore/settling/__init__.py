"""Score sheets to payments: who pays whom, who pays for others, and penalties."""
