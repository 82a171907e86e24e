"""Text to hands: the grammars, building the hand that a line describes, and explaining what is wrong with it."""
