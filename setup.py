"""What pyproject.toml cannot say: every folder of mjscore/ is packaged, those with data alone too, and so is grammar/."""

from setuptools import find_namespace_packages, setup

folders = find_namespace_packages(include=["mjscore", "mjscore.*"], exclude=["*.__pycache__"])
setup(packages=[*folders, "mjscore.grammar"])
