"""The things of the game: tiles and hands."""
