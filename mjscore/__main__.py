"""Run the program as ``python -m mjscore``."""

from mjscore.cli.main import main

if __name__ == "__main__":
    main()
