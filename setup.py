"""What pyproject.toml cannot say: every folder of mjscore/ is a package, and grammar/ is one of them."""

from setuptools import find_packages, setup

setup(packages=[*find_packages(include=["mjscore", "mjscore.*"]), "mjscore.grammar"])
