"""``python -m mjscore`` is the program too."""

from mjscore.command_line import main

if __name__ == "__main__":
    main()
