"""How the lines of a file are written, by the word that begins them."""

USAGES = {
    "rulebook": "rulebook babcock",
    "set": "set limit 600",
    "round": "round S",
    "players": 'players Ann Ben "Old Cid" Dee',
    "hand": 'hand "label" @E',
    "draw": "draw, draw four, if a kong was declared",
    "wash": "wash S 11, wash S: 19b…, wash S, wash S not-touching",
    "false": "false W",
    "long": "long W",
    "penalty": "penalty ID W, with its id from the rulebook",
    "pay": "pay S E 100",
    "seat": "seat Eve for Ann, seat Eve if she joins, seat - for Ann if she leaves",
    "note": "note any words",
    "rules": "rules 1f4306427be9, as rules show prints it",
    "title": 'title "Thursday at Ann\'s"',
    "date": "date 1924-03-06",
    "counters": "counters harr",
    "bank": "bank",
    "pair-by-pair": "pair-by-pair",
}
