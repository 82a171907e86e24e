"""Text to hands: the grammar's tokens turned into the objects of the game, or a refusal."""

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from lark.exceptions import UnexpectedInput

from mjscore.game.hand import (
    FLAG_CLAUSES,
    FLAGS_NAMING_A_SEAT,
    FLAGS_OF_A_LOSER,
    Hand,
    TileSet,
    Win,
)
from mjscore.game.tiles import (
    KINDS,
    TILES,
    UNICODE_TILES,
    WEIGHT,
    Tile,
    fifth_tile,
    tile_mask,
)
from mjscore.notation.parsers import hand_parser, table_parser
from mjscore.refusal import Refused, did_you_mean, refuse

if TYPE_CHECKING:
    pass

_LABEL_OR_COMMENT = re.compile(r'"[^"]*"|#.*')
MOST_TILES = 30  # more in one hand is no slip of the finger, and would overflow the packed counts


class Piece(NamedTuple):
    """A part of a hand's text: what the grammar calls it, the part itself, its offset in the line."""

    kind: str
    text: str
    start: int


def parse(text: str) -> Hand:
    """The hand written *text* in the notation.

    Raises Refused (a ValueError) whose ``refusal`` says place, reason and what to type instead.

    >>> parse("S@E: (222d) [1111c] 123b 456b 7c +7c!loose").win.tile.title
    '7 characters'
    """
    token = parse_tokens(text, "hand")
    return build_hand(token, text, token.start_pos)


def parse_tiles(text: str) -> tuple[Tile, ...]:
    """The tiles of *text*, in any grouping. Raises Refused."""
    found: list[Tile] = []
    for token in parse_tokens(text, "tiles"):
        try:
            group = _group_tiles(str(token))
        except KeyError:
            raise _no_bonus_tile(Piece("GROUP", str(token), token.start_pos or 0), text) from None
        found += group.tiles + group.bonus
    return tuple(found)


def concealed_tiles(text: str, start: int, line: str) -> tuple[Tile, ...]:
    """The tiles of a text that holds nothing but tiles; raises Refused for sets and for a fifth of a kind."""
    tiles: list[Tile] = []
    packed = 0
    for piece in pieces(text, start):
        if piece.kind == "UNLISTED":
            continue
        if piece.kind != "GROUP":
            raise _refused(
                "only-tiles",
                "only concealed tiles stand here",
                "type the tiles as dealt, without brackets",
                piece,
                line,
            )
        try:
            found = _group_tiles(piece.text)
        except KeyError:
            raise _no_bonus_tile(piece, line) from None
        tiles += found.tiles
        packed += found.weight
        if len(tiles) > MOST_TILES:
            raise _refused(
                "too-many-tiles",
                f"{len(tiles)} tiles are no hand",
                "a hand is dealt 13 tiles, East 14",
                piece,
                line,
            )
    fifth = fifth_tile(packed)
    if fifth is not None:
        raise refused_at(
            fifth,
            "fifth-tile",
            f"a fifth {fifth.title}: there are only four of a kind",
            "count that tile again; one of them is another tile",
            line,
        )
    return tuple(tiles)


def parse_tokens(text: str, start: str) -> Any:
    """What the grammar makes of *text* from the rule *start*; raises Refused with the place."""
    if "\n" in text or "\r" in text:
        text = text.replace("\r", " ").replace("\n", " ")
    try:
        parser = hand_parser() if start in ("hand", "tiles") else table_parser()
        return parser.parse(text, start=start)
    except UnexpectedInput as unexpected:
        # its tables of patterns are made only where there is a mistake to explain
        from mjscore.notation.diagnosis import diagnose

        raise Refused(diagnose(text, unexpected, start)) from None


@lru_cache(maxsize=1)
def _piece_pattern() -> re.Pattern[str]:
    """The grammar's own terminals of a hand's pieces, as one pattern with a name for each."""
    return _pattern("HEADER", "SET", "DRAWN", "CLAIMED", "FLAG", "UNLISTED", "GROUP")


@lru_cache(maxsize=1)
def group_pattern() -> re.Pattern[str]:
    """The grammar's own pattern of one group of tiles that share a class letter."""
    return _pattern("GROUP")


def _pattern(*terminals: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<{name}>{_terminal(name)})" for name in terminals))


def _terminal(name: str) -> str:
    """The pattern that the grammar gives a terminal, of hands or else of a file's lines."""
    try:
        terminal = hand_parser().get_terminal(name)
    except KeyError:
        terminal = table_parser().get_terminal(name)
    return str(terminal.pattern.to_regexp())


@lru_cache(maxsize=1)
def hand_line_pattern() -> re.Pattern[str]:
    """The grammar's own pattern of a line that is one hand: its terminal, and what it ignores around it.

    A line that it matches from end to end is what Lark would make of it, a single token. Most lines of a
    large file are such, and a match costs an eighth of a parse; any other line is parsed.
    """
    space, comment, line = map(_terminal, ("SPACE", "COMMENT", "HAND_LINE"))
    return re.compile(f"(?:{space})?(?P<HAND_LINE>{line})(?:{space})?(?:{comment})?")


@lru_cache(maxsize=1)
def hand_line_pieces() -> re.Pattern[str]:
    """The grammar's own patterns of what such a line consists of: label, hand, expected score."""
    return _pattern("QUOTED", "HAND", "EXPECTED")


def pieces(text: str, start: int = 0) -> list[Piece]:
    """The pieces of a hand that the grammar has accepted; *start* is its offset in the line."""
    return [
        Piece(match.lastgroup or "", match.group(), start + match.start())
        for match in _piece_pattern().finditer(text)
    ]


@lru_cache(maxsize=256)
def seat_of(text: str) -> tuple[str, str | None]:
    """Seat (a wind or a player's name) and round of a header token such as ``S@E:``."""
    name = text.rstrip(": \t")
    if name.startswith('"'):
        return name.strip('"'), None
    seat, _, round_wind = name.partition("@")
    return seat, round_wind or None


def unquote(text: str) -> str:
    """A name or label without its quotes."""
    return text[1:-1] if text.startswith('"') else text


def build_hand(token: str, line: str = "", offset: int = 0, seat: str | None = None) -> Hand:
    """The hand that the grammar's *token* stands for; raises Refused for what can be no hand.

    *offset* is where the token begins in its line.
    """
    round_wind: str | None = None
    sets: list[TileSet] = []
    concealed: list[Tile] = []
    bonus: list[Tile] = []
    held = laid = kinds = 0
    win: Win | None = None
    win_piece: Piece | None = None
    flags: list[Piece] = []
    unlisted = dead = no_choice = False
    for match in _piece_pattern().finditer(token):
        kind = match.lastgroup
        text = match.group()
        if kind == "GROUP":
            try:
                tiles, weight, mask, more_bonus = _group_tiles(text)
            except KeyError:
                raise _no_bonus_tile(Piece(kind, text, offset + match.start()), line) from None
            concealed += tiles
            held += weight
            kinds |= mask
            if more_bonus:
                bonus += more_bonus
        elif kind == "SET":
            found = _set_of(text)
            if isinstance(found, str):
                raise _no_set(found, Piece(kind, text, offset + match.start()), line)
            one, weight, mask = found
            sets.append(one)
            laid += weight
            kinds |= mask
        elif kind == "HEADER":
            seat, round_wind = seat_of(text)
        elif kind == "DRAWN" or kind == "CLAIMED":
            win_piece = Piece(kind, text, offset + match.start())
            win = _plain_win(text)
        elif kind == "FLAG":
            flags.append(Piece(kind, text, offset + match.start()))
        else:
            unlisted = True
    if len(concealed) + 3 * len(sets) > MOST_TILES:
        raise _refused(
            "too-many-tiles",
            f"{len(concealed) + 3 * len(sets)} tiles are no hand",
            "a hand holds 13 tiles, one more for each four, and the winning tile",
            line=line,
        )
    if flags or (win is None and win_piece is not None):
        win, dead, no_choice = _ending(win_piece, flags, line)
    concealed.sort()
    hand = Hand(
        seat,
        round_wind,
        tuple(sets),
        tuple(concealed),
        tuple(sorted(bonus)) if bonus else (),
        win,
        dead,
        no_choice,
        unlisted,
        held,
        laid,
        kinds,
    )
    _check_counts(hand, line)
    return hand


def _refused(code: str, message: str, hint: str, piece: Piece | None = None, line: str = "") -> Refused:
    if piece is None:
        start, length = _place_of_hand(line)
        return refuse(code, message, hint, 1, start + 1, length, line)
    return refuse(code, message, hint, 1, piece.start + 1, len(piece.text.rstrip()), line or piece.text)


def _place_of_hand(line: str) -> tuple[int, int]:
    """Offset and length of the hand in its line, without label, comment and expected score."""
    bare = _LABEL_OR_COMMENT.sub(lambda match: " " * len(match.group()), line)
    start = len(bare) - len(bare.lstrip())
    end = len(bare.partition("=")[0].rstrip())
    return start, max(1, end - start)


class _Tiles(NamedTuple):
    """Tiles that make sets, their packed weight and mask of kinds, and the bonus tiles among them."""

    tiles: tuple[Tile, ...]
    weight: int
    mask: int
    bonus: tuple[Tile, ...]


_TILES_OF_CLASS = {letter: {tile.value: tile for tile in TILES if tile.suit == letter} for letter in "bcdfsw"}


@lru_cache(maxsize=1 << 13)
def _group_tiles(text: str) -> _Tiles:
    """One group of tiles. Raises KeyError for a bonus tile above 4."""
    first = text[0]
    if first in UNICODE_TILES:
        tiles: tuple[Tile, ...] = (UNICODE_TILES[first],)
    elif text[-1] in _TILES_OF_CLASS and len(text) > 1:
        of_class = _TILES_OF_CLASS[text[-1]]
        tiles = tuple([of_class[value] for value in text[:-1]])
    else:
        tiles = tuple([_TILES_OF_CLASS["d" if value in "RG" else "w"][value] for value in text])
    bonus = tuple([tile for tile in tiles if tile >= KINDS])
    if bonus:
        tiles = tuple([tile for tile in tiles if tile < KINDS])
    weight = mask = 0
    for tile in tiles:
        weight += WEIGHT[tile]
        mask |= 1 << tile
    return _Tiles(tiles, weight, mask, bonus)


def _tiles_of(text: str) -> _Tiles:
    """The tiles of several groups. Raises KeyError as ``_group_tiles`` does."""
    groups = [_group_tiles(group) for group in group_pattern().findall(text)]
    return _Tiles(
        tuple(tile for group in groups for tile in group.tiles),
        sum(group.weight for group in groups),
        tile_mask(sum(group.weight for group in groups)),
        tuple(tile for group in groups for tile in group.bonus),
    )


def _no_bonus_tile(piece: Piece, line: str) -> Refused:
    what = "flowers" if piece.text.rstrip()[-1] == "f" else "seasons"
    letter = what[0]
    return _refused(
        "bonus-number", f"there are only four {what}, 1 to 4", f"type 1{letter} to 4{letter}", piece, line
    )


@lru_cache(maxsize=16384)
def _set_of(text: str) -> tuple[TileSet, int, int] | str:
    """The set that a bracket holds with its packed weight and mask, or why it holds none."""
    inside, _, added = text[1:-1].replace(" ", "").replace("\t", "").partition("+")
    if added and inside and not inside[-1].islower() and added[-1].islower():
        inside += added[-1]
    try:
        tiles, weight, mask, bonus = _tiles_of(inside)
        fourth = _tiles_of(added)
    except KeyError:
        return "bonus-in-set"
    if bonus or fourth.bonus:
        return "bonus-in-set"
    if not tiles:
        return "empty-set"
    tiles = tuple(sorted(tiles))
    if text[0] == "[":
        if len(tiles) == 4 and tiles[0] == tiles[3]:
            return TileSet("kong", tiles[0], False, "declared"), weight, mask
        return "not-a-declared-four"
    if added:
        if len(tiles) == 3 and len(fourth.tiles) == 1 and tiles[0] == tiles[2] == fourth.tiles[0]:
            return TileSet("kong", tiles[0], True, "grown"), weight + fourth.weight, mask
        return "not-a-grown-four"
    if len(tiles) == 3:
        low, middle, high = tiles
        if low == high:
            return TileSet("pung", low, True, "claimed"), weight, mask
        if low + 1 == middle and middle + 1 == high and high < 27 and low // 9 == high // 9:
            return TileSet("chow", low, True, "claimed"), weight, mask
    elif len(tiles) == 4 and tiles[0] == tiles[3]:
        return TileSet("kong", tiles[0], True, "fourth"), weight, mask
    return "not-a-set"


def _no_set(why: str, piece: Piece, line: str) -> Refused:
    """The refusal of a bracket that holds no set."""
    names = []
    for group in group_pattern().findall(piece.text):
        try:
            found = _group_tiles(group)
        except KeyError:
            names.append(group)
            continue
        names += [tile.title for tile in found.tiles + found.bonus]
    spoken = ", ".join(names)
    messages = {
        "empty-set": (
            "there are no tiles in the brackets",
            "type the tiles of the set between them, or leave them out",
        ),
        "bonus-in-set": (
            "flowers and seasons are no part of a set",
            "type them outside the brackets",
        ),
        "not-a-declared-four": (
            f"{spoken} are no declared four",
            "square brackets hold a declared concealed four, [1111c]; other concealed tiles need no brackets",
        ),
        "not-a-grown-four": (
            f"{spoken} are no exposed three with its fourth",
            "three alike, then + and the fourth that was drawn: (111+1d)",
        ),
        "not-a-set": (
            f"{spoken} are no set",
            "a set on the table is a run of three in one suit, or three or four alike",
        ),
    }
    message, hint = messages[why]
    return _refused(why, message, hint, piece, line)


@lru_cache(maxsize=4096)
def _plain_win(text: str) -> Win | None:
    """The win of a clause that needs no second look: one tile, drawn, or claimed from somebody or nobody named."""
    group, _, name = text[1:].partition(":")
    try:
        tiles, _, _, bonus = _group_tiles(group.strip())
    except KeyError:
        return None
    if len(tiles) != 1 or bonus or (name and text[0] == "+"):
        return None
    return Win(tiles[0], text[0] == "+", unquote(name.strip()) if name else None)


def _ending(win_piece: Piece | None, flags: list[Piece], text: str) -> tuple[Win | None, bool, bool]:
    if win_piece is None:
        return _ending_of_a_loser(flags, text) if flags else (None, False, False)
    clause = win_piece.text[0]
    group, _, name = win_piece.text[1:].partition(":")
    group = group.strip()
    try:
        found = _group_tiles(group)
    except KeyError:
        raise _no_bonus_tile(win_piece, text) from None
    tiles = found.tiles + found.bonus
    if len(tiles) != 1:
        raise _refused(
            "one-winning-tile",
            f"{len(tiles)} tiles after {clause}: only one tile wins",
            f"put the others before the {clause}",
            win_piece,
            text,
        )
    if tiles[0] >= KINDS:
        raise _refused(
            "bonus-wins",
            f"{tiles[0].title} completes no hand",
            "a bonus tile is laid down and replaced; type the tile that replaced it, with !loose",
            win_piece,
            text,
        )
    discarder = unquote(name.strip()) if name else None
    drawn = clause == "+"
    if not flags:
        return Win(tiles[0], drawn, discarder), False, False
    named: dict[str, str] = {}
    for flag in flags:
        word, _, seat = flag.text[1:].partition(":")
        word = word.strip()
        if word in FLAGS_OF_A_LOSER:
            raise _refused(
                "flag-of-a-loser",
                f"!{word} is for a hand that did not win",
                f"leave out !{word}, or the win clause",
                flag,
                text,
            )
        _check_flag_name(word, flag, text)
        if word in named:
            raise _refused("repeated-flag", f"!{word} stands twice", "say it once", flag, text)
        if (word in FLAGS_NAMING_A_SEAT) != bool(seat):
            raise _refused(
                "flag-seat",
                f"!{word} names a player" if not seat else f"!{word} names no player",
                f"type !{word}:S for South" if not seat else f"type !{word}",
                flag,
                text,
            )
        if clause not in FLAG_CLAUSES[word]:
            how = "drawn" if FLAG_CLAUSES[word] == "+" else "claimed"
            raise _refused(
                "flag-clause",
                f"!{word} goes with a tile that was {how}",
                f"type {FLAG_CLAUSES[word]}{group}!{word}, or leave out !{word}",
                flag,
                text,
            )
        named[word] = unquote(seat.strip())
    for one, other in (("original", None), ("robbed", "earth")):
        rest = [word for word in named if word not in (one, "ninth")]
        if one in named and rest and (other is None or other in rest):
            raise _refused(
                "flags-exclude",
                f"!{one} and !{other or rest[0]} cannot both be",
                "leave out the one that did not happen",
                flags[-1],
                text,
            )
    return (
        Win(
            tiles[0],
            drawn,
            discarder,
            frozenset(named) - frozenset(FLAGS_NAMING_A_SEAT),
            named.get("earlier"),
            named.get("allfrom"),
        ),
        False,
        False,
    )


def _ending_of_a_loser(flags: list[Piece], text: str) -> tuple[None, bool, bool]:
    words = []
    for flag in flags:
        word, _, seat = flag.text[1:].partition(":")
        word = word.strip()
        if word in FLAG_CLAUSES:
            raise _refused(
                "flag-without-win",
                f"!{word} tells how a hand was won, and this one has no winning tile",
                "put the winning tile before it: +7c drew it, <7c claimed it",
                flag,
                text,
            )
        _check_flag_name(word, flag, text)
        if seat:
            raise _refused("flag-seat", f"!{word} names no player", f"type !{word}", flag, text)
        if word in words:
            raise _refused("repeated-flag", f"!{word} stands twice", "say it once", flag, text)
        words.append(word)
    return None, "dead" in words, "nochoice" in words


def _check_flag_name(word: str, flag: Piece, text: str) -> None:
    if word not in FLAG_CLAUSES and word not in FLAGS_OF_A_LOSER:
        known = [f"!{name}" for name in (*FLAG_CLAUSES, *FLAGS_OF_A_LOSER)]
        raise _refused(
            "unknown-flag",
            f"there is no flag !{word}",
            did_you_mean(f"!{word}", known, "the flags are " + " ".join(known)),
            flag,
            text,
        )


def _check_counts(hand: Hand, text: str) -> None:
    """No fifth tile, no second copy of a bonus tile, the right number of tiles."""
    win = hand.win
    fifth = fifth_tile(
        hand.packed_concealed + hand.packed_laid + (WEIGHT[win.tile] if win is not None else 0)
    )
    if fifth is not None:
        raise refused_at(
            fifth,
            "fifth-tile",
            f"a fifth {fifth.title}: there are only four of a kind",
            "count that tile again; one of them is another tile",
            text,
        )
    if hand.bonus and len(set(hand.bonus)) < len(hand.bonus):
        twice = next(tile for tile in hand.bonus if hand.bonus.count(tile) > 1)
        raise refused_at(
            twice,
            "second-bonus-tile",
            f"a second {twice.title}: there is only one of each",
            "flowers (f) have the green numbers, seasons (s) the red ones",
            text,
        )
    if hand.dead:
        return
    over = hand.tiles_over
    if hand.unlisted and win is not None:
        raise _refused(
            "unlisted-in-winner",
            "a hand that won shows all its tiles",
            "list every tile in place of the dots",
            line=text,
        )
    if over == 0 or (hand.unlisted and over < 0):
        return
    count = hand.tile_count
    fours = sum(one.kind == "kong" for one in hand.sets)
    due = 13 + fours
    reason = f" (13 and {fours} for the {'four' if fours == 1 else 'fours'})" if fours else ""
    before = " before the winning tile" if win is not None else ""
    message = f"{count} {'tile' if count == 1 else 'tiles'}{before}; there must be {due}{reason}"
    if over == 1 and win is not None:
        hint = "leave the winning tile out of the tiles before it; it stands only after + or <"
    elif over == 1:
        hint = "a hand that won names its winning tile last, +7c or <7c; any other holds one tile less"
    elif over > 0:
        hint = f"{over} too many; a dead hand is marked !dead"
    else:
        hint = f"{-over} missing; a dead hand is marked !dead" + (
            "" if win is not None else ", and ... stands for tiles not listed"
        )
    raise _refused("too-few-tiles" if over < 0 else "too-many-tiles", message, hint, line=text)


def refused_at(tile: Tile, code: str, message: str, hint: str, text: str) -> Refused:
    """A refusal that marks the group of *text* in which the last copy of *tile* stands."""
    start, length = place_of_tile(tile, text)
    return refuse(code, message, hint, 1, start + 1, length, text)


def place_of_tile(tile: Tile, text: str) -> tuple[int, int]:
    """Offset and length of the last group of a hand's *text* that holds *tile*; the whole where none does."""
    found = (0, max(1, len(text)))
    unlabelled = _LABEL_OR_COMMENT.sub(lambda match: " " * len(match.group()), text)
    for match in group_pattern().finditer(unlabelled):
        try:
            found_tiles = _group_tiles(match.group())
        except KeyError:
            continue
        if tile in found_tiles.tiles + found_tiles.bonus and unlabelled[
            match.end() : match.end() + 1
        ] not in ("@", ":"):
            found = (match.start(), len(match.group()))
    return found
