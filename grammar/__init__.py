"""The grammars of mjscore: the hand, the lines of a file, a rulebook's conditions and shapes."""
