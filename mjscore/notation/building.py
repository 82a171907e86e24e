"""Read the grammar's tokens, each kind by one look-up: the hand that they make, what can be none, and where what is refused stands."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from lark import Token
from lark.exceptions import UnexpectedInput

from mjscore.game.hand import (
    FLAG_CLAUSES,
    FLAGS_NAMING_A_SEAT,
    FLAGS_OF_A_LOSER,
    FLAGS_OF_EVERY_HAND,
    Hand,
    TileSet,
    Win,
    set_text,
)
from mjscore.game.tiles import KINDS, TILES, UNICODE_TILES, WEIGHT, Tile, fifth_tile
from mjscore.notation.parsers import token_parser
from mjscore.refusal import About, Place, Refusal, Refused, offering, refuse

LONGEST_WORD = 90  # what is longer is no hand's, and is not kept in memory
MOST_TILES = 30  # more in one hand is no slip of the finger, and would overflow the packed counts
_NO_FLAGS: frozenset[str] = frozenset()
_EXCLUDING = (
    ("robbed", "earth"),
    ("call", "earth"),
    ("call", "thirteen"),
    ("robbed", "last"),
    ("earth", "last"),
)
_CLAUSES = ("DRAWN", "CLAIMED")
_SEATS = ("HEADER", "SEAT_LABEL")
_PIECES = (*_SEATS, *_CLAUSES, "TILES", "GROUP", "SET", "UNLISTED", "FLAG")
Worth = Callable[[Hand], Hashable]  # what the rules give a hand; None where none scores it


class Reading(NamedTuple):
    """How a hand was read: its strict *text*, the *hand*, and *remarks* on what was taken for what.

    *loosely* is whether the text as it was typed was not the strict notation; then *typed* is that text, and *tokens*
    are those of the strict line with their places in it.
    """

    text: str
    hand: Hand
    loosely: bool = False
    remarks: tuple[str, ...] = ()
    typed: str = ""
    tokens: tuple[Token, ...] = ()


class UnbracketedKong(Refused):
    """Four equal tiles without brackets: the *lines* are the hand with the four claimed, and declared concealed."""

    def __init__(self, refusal: Refusal, lines: tuple[str, ...]) -> None:
        super().__init__(offering(refusal, lines))
        self.lines = lines


def place_of(token: Token) -> Place:
    """Tell where *token* stands, without the blanks that it took along; the reader knows the line."""
    start, value = token.start_pos or 0, token.value
    end = start + len(value) if token.end_pos is None else token.end_pos
    return Place("", start, end - len(value) + len(value.rstrip()))


class TileRun(NamedTuple):
    """Tiles that make sets, their packed counts and mask of kinds, and the bonus tiles among them."""

    tiles: tuple[Tile, ...]
    weight: int
    mask: int
    bonus: tuple[Tile, ...]


_CLASSES = {letter: {tile.value: tile for tile in TILES if tile.suit == letter} for letter in "bcdfsw"}
_PLAIN = {
    **{value: _CLASSES["w"][value] for value in "ESN"},
    **{value: _CLASSES["d"][value] for value in "RG"},
    **UNICODE_TILES,
}

# in (111+1d) the class letter of the fourth serves the three as well
_JOINED = str.maketrans("", "", "+ \t")


def read_tiles(text: str) -> TileRun:
    """Read the tiles that the grammar has accepted: backwards, where each value meets its class letter first."""
    tiles: list[Tile] = []
    bonus: list[Tile] = []
    weight = mask = 0
    of_class = _PLAIN
    for character in reversed(text):
        if character in _CLASSES:
            of_class = _CLASSES[character]
            continue
        if character not in of_class:
            of_class = _PLAIN
        tile = of_class.get(character)
        if tile is None:  # a space, or the sign behind a Unicode tile that asks for a picture
            continue
        if tile < KINDS:
            tiles.append(tile)
            weight += WEIGHT[tile]
            mask |= 1 << tile
        else:
            bonus.append(tile)
    return TileRun(tuple(reversed(tiles)), weight, mask, tuple(reversed(bonus)))


_kept_run = lru_cache(maxsize=1 << 13)(read_tiles)


def tile_run(text: str) -> TileRun:
    """Give the same, remembered: the words of which hands consist come again and again."""
    return _kept_run(text) if len(text) <= LONGEST_WORD else read_tiles(text)


@lru_cache(maxsize=256)
def seat_of(text: str) -> tuple[str, str | None]:
    """Seat (a wind or a player's name) and round of a header token such as ``S@E:``."""
    name = text.rstrip(": \t")
    if name.startswith('"'):
        return name.strip('"'), None
    seat, _, round_wind = name.partition("@")
    return seat, round_wind or None


def unquote(text: str) -> str:
    """Give a name or label without its quotes."""
    return text[1:-1] if text.startswith('"') else text


@lru_cache(maxsize=1 << 14)
def set_of(text: str) -> tuple[TileSet, int, int] | str:
    """Give the set that a bracket holds with its packed counts and mask, or the code that says why it holds none."""
    added = text.partition("+")[2]
    tiles, weight, mask, bonus = read_tiles(text.translate(_JOINED))
    if bonus:
        return "bonus-in-set"
    if not tiles:
        return "empty-set"
    ordered = sorted(tiles)
    low, high = ordered[0], ordered[-1]
    kind = {3: "pung", 4: "kong"}.get(len(tiles), "") if low == high else ""
    if text[0] == "[":
        origin, code = "declared", "" if kind == "kong" else "not-a-declared-four"
    elif added:
        grew = kind == "kong" and len(read_tiles(added).tiles) == 1
        origin, code = "grown", "" if grew else "not-a-grown-four"
    else:
        if ordered == [low, low + 1, low + 2] and high < 27 and low // 9 == high // 9:
            kind = "chow"
        origin, code = "fourth" if kind == "kong" else "claimed", "" if kind else "not-a-set"
    return code or (TileSet(kind, low, text[0] != "[", origin), weight, mask)


@lru_cache(maxsize=1 << 12)
def win_of(text: str) -> tuple[Win, int, str]:
    """Give the win by the first tile of a clause, how many tiles stand in it, and brackets that hold no set with it."""
    clause, _, name = text[1:].partition(":")
    tile_text, opening, inside = clause.partition("(")
    run = tile_run(tile_text)
    tiles = run.tiles + run.bonus
    win = Win(tiles[0], text[0] == "+", unquote(name.strip()) if name else None)
    if not opening:
        return win, len(tiles), ""
    bracket = opening + inside.rstrip()
    two, held = read_tiles(bracket), set_of(bracket)
    if two.tiles == (win.tile, win.tile) and not two.bonus:
        stated = TileSet("pair", win.tile, not win.drawn, completed=True)
    elif isinstance(held, str) or held[0].kind == "kong" or win.tile not in held[0].tiles:
        return win, len(tiles), bracket
    else:
        stated = TileSet(held[0].kind, held[0].tile, not win.drawn, completed=True)
    return win._replace(stated=stated), len(tiles), ""


@lru_cache(maxsize=256)
def flag_of(text: str) -> tuple[str, str | None]:
    """Give the word of a flag, and the player whom it names."""
    word, _, name = text[1:].partition(":")
    return word.strip(), unquote(name.strip()) if name else None


def hand_of(tokens: Iterable[Token]) -> Hand:
    """Build the hand of the grammar's tokens: what is held, then perhaps the winning tile and flags.

    Raises Refused for what can be no hand.
    """
    seat: str | None = None
    round_wind: str | None = None
    sets: list[TileSet] = []
    concealed: list[Tile] = []
    bonus: tuple[Tile, ...] = ()
    weight = laid = kinds = 0
    unlisted = False
    clause: Token | None = None
    flags: list[Token] = []
    for token in tokens:
        piece = token.type
        if piece == "TILES":
            for word in token.value.split():
                tiles, more, mask, flowers = tile_run(word)
                concealed += tiles
                weight += more
                kinds |= mask
                if flowers:
                    bonus += flowers
        elif piece == "SET":
            bracket = set_of(token.value.rstrip())
            if isinstance(bracket, str):
                spoken = ", ".join(tile.title for tile in read_tiles(token.value.translate(_JOINED)).tiles)
                kind = "tiles" if bracket in ("not-a-set", "not-a-grown-four") else ""
                raise refuse(bracket, kind, at=place_of(token), tiles=spoken)
            table_set, more, mask = bracket
            sets.append(table_set)
            laid += more
            kinds |= mask
        elif piece in _CLAUSES:
            clause = token
        elif piece == "FLAG":
            flags.append(token)
        elif piece == "UNLISTED":
            unlisted = True
        else:
            seat, round_wind = seat_of(token.value)
    if len(concealed) + 3 * len(sets) > MOST_TILES:
        raise refuse("too-many-tiles", "hand", count=len(concealed) + 3 * len(sets))
    win = _win(clause, flags) if clause is not None else None
    words = frozenset(_named(flags)) if flags and clause is None else _NO_FLAGS
    concealed.sort()
    hand = Hand(
        seat,
        round_wind,
        tuple(sets),
        tuple(concealed),
        tuple(sorted(bonus)) if bonus else (),
        win,
        "dead" in words,
        "nochoice" in words,
        unlisted,
        weight,
        laid,
        kinds,
        words.difference(FLAGS_OF_A_LOSER) if words else words,  # these have fields of their own
    )
    _check_counts(hand)
    return hand


def _win(clause: Token, flags: list[Token]) -> Win:
    """Tell how a hand was won."""
    win, count, no_set = win_of(clause.value)
    sign = clause.value[0]
    if count != 1:
        raise refuse("one-winning-tile", "sign", at=place_of(clause), count=count, sign=sign)
    if win.tile >= KINDS:
        raise refuse("bonus-wins", at=place_of(clause), tile=win.tile.title)
    if no_set:
        example, tile = f"{sign}{win.tile}({set_text('pung', win.tile)})", win.tile.title
        at = place_of(clause)
        raise refuse("not-that-set", "brackets", at=at, brackets=no_set, tile=tile, example=example)
    if not flags:
        return win
    named = _named(flags, clause)
    said = list(named)
    pairs = [("original", one) for one in said if one in FLAG_CLAUSES and one not in ("original", "ninth")]
    for word, other in (*pairs, *_EXCLUDING):
        if word in named and other in named:  # only one can have happened: the later of the two is marked
            later = place_of(flags[max(said.index(word), said.index(other))])
            raise refuse("flags-exclude", at=later, one=word, other=other)
    if win.stated is not None and "original" in named:
        raise refuse("not-that-set", "dealt", at=place_of(clause), clause=f"{sign}{win.tile}")
    words = named.keys() - set(FLAGS_NAMING_A_SEAT)
    if "twofold" in words:
        words.add("loose")
    return win._replace(flags=frozenset(words), earlier=named.get("earlier"), all_from=named.get("allfrom"))


def _named(flags: list[Token], clause: Token | None = None) -> dict[str, str | None]:
    """Give the flags that go with a *clause*, or with none, and whom each names; a rulebook knows whether there is such a flag."""
    named: dict[str, str | None] = {}
    for token in flags:
        word, player = flag_of(token.value)
        signs = FLAG_CLAUSES.get(word, "+<")
        if clause is None and word in FLAG_CLAUSES and word not in FLAGS_OF_EVERY_HAND:
            raise refuse("flag-without-win", at=place_of(token), flag=word)
        if clause is not None and word in FLAGS_OF_A_LOSER:
            raise refuse("flag-of-a-loser", at=place_of(token), flag=word)
        if word in named:
            raise refuse("repeated-flag", at=place_of(token), flag=word)
        if (word in FLAGS_NAMING_A_SEAT) != (player is not None):
            kind = "missing" if player is None else "needless"
            raise refuse("flag-seat", kind, at=place_of(token), flag=word)
        if clause is not None and clause.value[0] not in signs:
            tile = clause.value[1:].partition(":")[0].strip()
            kind = "drawn" if signs == "+" else "claimed"
            raise refuse("flag-clause", kind, at=place_of(token), flag=word, tile=tile)
        named[word] = player
    return named


def _check_fifth(packed: int) -> None:
    """Refuse a fifth tile of a kind among *packed* counts."""
    fifth = fifth_tile(packed)
    if fifth is not None:
        raise refuse("fifth-tile", about=About("tile", str(fifth)), tile=fifth.title)


def _check_counts(hand: Hand) -> None:
    """No fifth tile, no second copy of a bonus tile, the right number of tiles."""
    win = hand.win
    _check_fifth(hand.packed_concealed + hand.packed_laid + (WEIGHT[win.tile] if win is not None else 0))
    if hand.bonus and len(set(hand.bonus)) < len(hand.bonus):
        second = next(tile for tile in hand.bonus if hand.bonus.count(tile) > 1)
        raise refuse("second-bonus-tile", about=About("tile", str(second)), tile=second.title)
    if hand.dead:
        return
    over = hand.tiles_over
    if hand.unlisted and win is not None:
        raise refuse("unlisted-in-winner")
    if over == 0 or (hand.unlisted and over < 0):
        return
    count, fours = hand.tile_count, sum(table_set.kind == "kong" for table_set in hand.sets)
    reason = f" (13 and {fours} for the {'four' if fours == 1 else 'fours'})" if fours else ""
    before = " before the winning tile" if win is not None else ""
    if over > 0:
        code, kind = "too-many-tiles", "more" if over > 1 else "one" if win is None else "winning"
    else:
        code, kind = "too-few-tiles", "lost" if win is None else "won"
    tiles = f"{count} {'tile' if count == 1 else 'tiles'}{before}"
    raise refuse(code, kind, tiles=tiles, due=f"{13 + fours}{reason}", over=over, missing=-over)


def dealt_tiles(tokens: list[Token]) -> tuple[Tile, ...]:
    """Give the tiles as they were dealt; raises Refused for sets and clauses, and for a fifth of a kind."""
    tiles: list[Tile] = []
    weight = 0
    for token in tokens:
        if token.type == "UNLISTED":
            continue
        if token.type != "GROUP":
            raise refuse("only-tiles", at=place_of(token))
        run = tile_run(token.value)
        tiles += run.tiles
        weight += run.weight
        if len(tiles) > MOST_TILES:
            raise refuse("too-many-tiles", "dealt", at=place_of(token), count=len(tiles))
    _check_fifth(weight)
    return tuple(tiles)


def located(refusal: Refusal, text: str, tokens: Sequence[Token] | None = None) -> Refusal:
    """*refusal* with the place in *text*, a hand or a line of a file, that it is about: the whole hand where it is about
    nothing less.

    *tokens* are those that *text* was read as, where it is not the strict notation.
    """
    if not text or refusal.file or refusal.text:
        return refusal
    if refusal.column is None:
        about = refusal.about
        pieces = [token for token in tokens or _tokens(text) if token.type in _PIECES]
        places = [place_of(token) for token in pieces] or [Place("", 0, len(text))]
        found = (
            [place for token in pieces for name, place in _named_in(token) if name == about] if about else []
        )
        start, end = places[0].start, places[-1].end
        if about and found:
            place = found[0 if about.kind in ("seat", "clause") else -1]
            start, end = place.start, end if about.kind == "clause" else place.end
        refusal = refusal._replace(column=start + 1, length=max(1, end - start))
    return refusal._replace(line=refusal.line or 1, text=text)


def _tokens(text: str, starts: tuple[str, ...] = ("line", "row")) -> list[Token]:
    """Give the grammar's tokens of *text*, from the first rule that takes it."""
    line = text.replace("\r", " ").replace("\n", " ")
    for start in starts:
        with suppress(UnexpectedInput):
            reader = token_parser().parse_interactive(line, start=start)
            tokens = list(reader.iter_parse())
            reader.feed_eof()  # type: ignore[no-untyped-call]
            return tokens
    return []


def _named_in(token: Token) -> Iterator[tuple[tuple[str, str | None], Place]]:
    """Give all in *token* that a refusal may be about, as an ``About`` has it, and where that stands."""
    kind, value, place = token.type, token.value, place_of(token)
    as_typed = token.end_pos is None or token.end_pos - place.start == len(value)
    if kind in _SEATS:
        seat = place._replace(end=place.start + len(value.rstrip(": \t"))) if as_typed else place
        yield ("seat", seat_of(value)[0]), seat
    elif kind == "FLAG":
        yield from ((about, place) for about in zip(("flag", "seat"), flag_of(value), strict=True))
    elif kind in _CLAUSES:
        yield ("clause", ""), place
        yield ("seat", win_of(value)[0].discarder), place
    elif kind == "SET":
        yield ("set", value.rstrip()), place
    if kind == "TILES" and as_typed:
        for group in _tokens(value, ("tiles",)):
            within = place_of(group)
            at = place._replace(start=place.start + within.start, end=place.start + within.end)
            yield from ((name, at) for name, _ in _named_in(group))
    elif kind in ("TILES", "GROUP", "SET", *_CLAUSES):
        # without sign and brackets, and without set and player after a winning tile
        tiles = value.partition(":")[0].partition("(" if kind in _CLAUSES else ":")[0].strip("+<()[] \t")
        start = place.start + value.index(tiles)
        at = place._replace(start=start, end=start + len(tiles)) if as_typed else place
        run = tile_run(tiles.translate(_JOINED))
        yield from ((("tile", str(tile)), at) for tile in run.tiles + run.bonus)
