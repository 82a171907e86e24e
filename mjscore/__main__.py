"""``python -m mjscore`` is the program too."""

from mjscore.cli.main import main

if __name__ == "__main__":
    main()
