"""The page's colours: whoever sees weakly reads its words, by day and in the dark."""

import re
from importlib.resources import files

import pytest
from colours import contrast

PAIRS = [
    "ink on paper",
    "ink on card",
    "soft on paper",
    "soft on card",
    "jade on paper",
    "on-jade on jade",
    "bad on paper",
]


def palettes() -> dict[str, dict[str, str]]:
    """Give the colours of the style sheet by name, by day and in the dark."""
    sheet = files("mjscore.phone").joinpath("phone.css").read_text("utf-8")
    day, dark = (
        dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", block))
        for block in re.findall(r":root \{([^}]*)\}", sheet)
    )
    return {"day": day, "dark": {**day, **dark}}


@pytest.mark.parametrize("palette", ["day", "dark"])
@pytest.mark.parametrize("pair", PAIRS)
def test_words_stand_out_from_what_is_behind_them(palette, pair):
    colours = palettes()[palette]
    assert contrast(*(colours[name] for name in pair.split(" on "))) >= 4.5
