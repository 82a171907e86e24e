"""The .mj file: its lines, what they come to in their order, and the ledger of an evening."""
