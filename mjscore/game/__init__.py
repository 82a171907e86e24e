"""The game's own things: tiles and hands."""
