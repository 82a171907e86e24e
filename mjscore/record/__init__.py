"""The .mj file: its lines, the results of checking them in order, and the ledger of an evening."""
