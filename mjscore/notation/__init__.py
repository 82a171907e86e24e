"""Text to hands: the grammars, the hand that a parse tree stands for, and what is wrong where there is none."""
