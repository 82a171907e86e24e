"""The commands, one module each; a command is loaded when it is called."""
