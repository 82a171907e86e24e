"""What people say at the table, as tables: words for tiles, for how a hand was won, and other tools' letters."""

from __future__ import annotations

# names of the honors and bonus tiles, as they are said
TILE_WORDS: dict[str, str] = {
    **dict.fromkeys(("east", "dong", "東", "东"), "Ew"),
    **dict.fromkeys(("south", "nan", "南"), "Sw"),
    **dict.fromkeys(("west", "xi", "西"), "Ww"),
    **dict.fromkeys(("north", "bei", "北"), "Nw"),
    **dict.fromkeys(("red", "zhong", "hongzhong", "chung", "中"), "Rd"),
    **dict.fromkeys(("green", "fa", "facai", "fat", "hatsu", "發", "発", "发"), "Gd"),
    **dict.fromkeys(("white", "bai", "baiban", "pak", "haku", "soap", "白"), "Wd"),
    **dict.fromkeys(("plum", "梅"), "1f"),
    **dict.fromkeys(("orchid", "蘭", "兰"), "2f"),
    **dict.fromkeys(("chrysanthemum", "mum", "菊"), "4f"),
    **dict.fromkeys(("spring", "春"), "1s"),
    **dict.fromkeys(("summer", "夏"), "2s"),
    **dict.fromkeys(("autumn", "fall", "秋"), "3s"),
    **dict.fromkeys(("winter", "冬"), "4s"),
}
# a word behind the name of a tile, and the class of tiles that it goes with
KIND_WORDS: dict[str, str] = {"wind": "w", "dragon": "d", "flower": "f", "season": "s"}
BONUS_WORDS: dict[str, str] = {"flower": "f", "season": "s"}
SUIT_WORDS: dict[str, str] = {
    **dict.fromkeys(("bamboo", "bamboos", "bam", "bams", "stick", "sticks"), "b"),
    **dict.fromkeys(
        ("character", "characters", "char", "chars", "crak", "craks", "crack", "cracks", "wan"), "c"
    ),
    **dict.fromkeys(("dot", "dots", "circle", "circles", "ball", "balls"), "d"),
}
NUMBER_WORDS: dict[str, str] = {
    word: str(number)
    for number, word in enumerate(["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"], 1)
}
# words that mean two tiles, and what to type for each
TWO_MEANINGS: dict[str, tuple[tuple[str, str], ...]] = {
    "chun": (("Rd", "the red dragon"), ("1s", "spring")),
    "bamboo": (("3f", "the flower"), ("1b", "the first bamboo")),
}

SIGN_WORDS: dict[str, str] = {
    **dict.fromkeys(("self", "selfdraw", "self-draw", "selfdrawn", "self-drawn", "drawn", "drew"), "+"),
    **dict.fromkeys(("tsumo", "zimo"), "+"),
    **dict.fromkeys(("claimed", "ron"), "<"),
}
FLAG_WORDS: dict[str, str] = {
    **{
        flag: flag
        for flag in [
            "loose",
            "last",
            "robbed",
            "original",
            "earth",
            "thirteen",
            "call",
            "twofold",
            "mixed",
            "ninth",
            "dead",
            "nochoice",
        ]
    },
    "robbing": "robbed",
}
# what says nothing by itself: "loose tile", "a red dragon", "and"
EMPTY_WORDS = frozenset(("a", "an", "and", "the", "tile", "with", "on"))

# the class letters of other tools and books, and of this notation; s, t, w and z are read by what stands around them
CLASS_LETTERS: dict[str, str] = {
    **{letter: letter for letter in "bcdfs"},
    **{letter.upper(): letter for letter in "bcdf"},
    **dict.fromkeys("mM萬万", "c"),
    **dict.fromkeys("pP筒餅饼", "d"),
    **dict.fromkeys("條条索", "b"),
}
CLASS_NAMES = {"b": "bamboo", "c": "characters", "d": "dots"}
Z_VALUES = {"1": "Ew", "2": "Sw", "3": "Ww", "4": "Nw", "5": "Wd", "6": "Gd", "7": "Rd"}
# a letter for which two meanings are left, and what to type for each
TWO_CLASSES: dict[str, tuple[tuple[str, str], ...]] = {
    "w": (("c", "characters (wan)"), ("w", "winds by number")),
    "t": (("b", "bamboo (tiao)"), ("d", "dots (tong)")),
}
