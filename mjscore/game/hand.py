"""A hand as it lies on the table: sets laid down, concealed tiles, bonus tiles, how it was won."""

from functools import lru_cache
from typing import NamedTuple

from mjscore.game.tiles import TILE_NAMES, WEIGHT, Tile, format_tiles, grouped_tiles

# The wins that a flag goes with: + if the winning tile was drawn, < if it was claimed.
FLAG_CLAUSES: dict[str, str] = {
    "loose": "+",
    "last": "+<",
    "robbed": "<",
    "original": "+",
    "earth": "<",
    "thirteen": "+<",
    "call": "+<",
    "twofold": "+",
    "mixed": "+",
    "ninth": "+<",
    "earlier": "+<",
    "allfrom": "+<",
}
FLAGS_NAMING_A_SEAT = ("earlier", "allfrom")
FLAGS_OF_A_LOSER = ("dead", "nochoice")
FLAGS_OF_EVERY_HAND = ("call",)  # losing hands too
SET_SIZES = {"chow": 3, "pung": 3, "kong": 4, "pair": 2, "single": 1}


@lru_cache(maxsize=256)
def set_text(kind: str, tile: Tile) -> str:
    """Return the tiles of a set in the notation: ``123b``, ``EEEw``."""
    if kind == "chow":
        return format_tiles((tile, tile + 1, tile + 2))
    return format_tiles((tile,) * SET_SIZES[kind])


class TileSet(NamedTuple):
    """One set of a hand: a chow, pung, kong or pair (``single`` only in special hands).

    *tile* is its lowest tile. *exposed* says how it scores (a declared concealed kong is not exposed).
    *origin* says how the set came about: ``claimed``; ``grown``, an exposed pung to which the fourth tile was
    drawn; ``fourth``, a kong made by claiming the fourth tile of a concealed pung; ``declared``, a declared
    concealed kong; ``hand``, held concealed. *completed* marks the set that the winning tile completed.

    >>> mjscore.parse("S: (RRR) ...").sets
    (TileSet(kind='pung', tile=Tile('Rd'), exposed=True, origin='claimed', completed=False),)
    """

    kind: str
    tile: Tile
    exposed: bool
    origin: str = "hand"
    completed: bool = False

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """Return its tiles: two to four, or one for a single."""
        if self.kind == "chow":
            return (self.tile, Tile(self.tile + 1), Tile(self.tile + 2))
        return (self.tile,) * SET_SIZES[self.kind]

    def __str__(self) -> str:
        return set_text(self.kind, self.tile)

    def notation(self) -> str:
        """Return the set as it is typed when it lies on the table."""
        if self.origin == "grown":
            name = TILE_NAMES[self.tile]
            return f"({name[0] * 3}+{name})"
        if self.origin == "declared":
            return f"[{self}]"
        return f"({self})"

    def as_json(self) -> dict[str, object]:
        """Return the JSON object: kind, tiles in the notation, exposed, and whether the win completed it."""
        return {
            "kind": self.kind,
            "tiles": set_text(self.kind, self.tile),
            "exposed": self.exposed,
            "completed": self.completed,
        }


class Seat(NamedTuple):
    """Where a hand sits: a wind, or a player's name until the table resolves that; and the round if given."""

    name: str
    round: str | None = None


class Discarder(NamedTuple):
    """Who discarded the winning tile: a wind, or a player's name."""

    name: str


class Flag(NamedTuple):
    """A flag of the notation: its *word*, and the *player* it names, if any."""

    word: str
    player: str | None = None

    def __str__(self) -> str:
        return f"!{self.word}" + (f":{quote_name(self.player)}" if self.player is not None else "")


class Win(NamedTuple):
    """How a hand was won: by which tile, drawn or claimed, from whom, and the flags of the notation.

    *stated* is the set that the tile was said to complete, None if the best one is to be taken. *discarder*,
    *earlier* (who made an earlier fatal discard) and *all_from* (who fed all four sets) are winds, or
    players' names until a file's table resolves them; None if not given.

    >>> mjscore.parse("11122b 345c 99c 678d <9c:E").win.discarder
    'E'
    """

    tile: Tile
    drawn: bool
    discarder: str | None = None
    flags: frozenset[str] = frozenset()
    earlier: str | None = None
    all_from: str | None = None
    stated: TileSet | None = None


class Hand(NamedTuple):
    """A hand. *seat* and *round* are ``E S W N``, or None if they depend on the context.

    *sets* are those laid down, in the order typed; *concealed* the tiles held, sorted, without the winning
    tile; *bonus* flowers and seasons. *unlisted* is true if tiles were left out (``...``). *packed_concealed*
    and *packed_laid* are the packed counts of the concealed tiles and of the sets laid down, *kinds_mask* a
    mask of the kinds among both. *flags* are those of a hand that did not win, except dead and no choice,
    which have fields of their own; a winner's are in *win*.

    >>> mjscore.parse("S@E: (RRR) GGG 11b 22b 3f ...").bonus
    (Tile('3f'),)
    """

    seat: str | None
    round: str | None
    sets: tuple[TileSet, ...]
    concealed: tuple[Tile, ...]
    bonus: tuple[Tile, ...] = ()
    win: Win | None = None
    dead: bool = False
    no_choice: bool = False
    unlisted: bool = False
    packed_concealed: int = 0
    packed_laid: int = 0
    kinds_mask: int = 0
    flags: frozenset[str] = frozenset()

    @property
    def packed_before(self) -> int:
        """Return the packed counts of the hand's tiles without bonus tiles and the winning tile."""
        return self.packed_concealed + self.packed_laid

    @property
    def packed(self) -> int:
        """Return the packed counts of the hand's tiles without bonus tiles, including the winning tile."""
        return self.packed_before + (WEIGHT[self.win.tile] if self.win is not None else 0)

    @property
    def tile_count(self) -> int:
        """Return the number of tiles held and laid down, without bonus tiles and the winning tile."""
        return len(self.concealed) + sum(SET_SIZES[table_set.kind] for table_set in self.sets)

    @property
    def tiles_over(self) -> int:
        """Return how many tiles over 13 it has (negative: lacks), without the winning one; kongs as three."""
        return len(self.concealed) + 3 * len(self.sets) - 13

    def __str__(self) -> str:
        return format_hand(self)

    def __repr__(self) -> str:
        try:
            return f"<Hand {self}>"
        except (TypeError, AttributeError, LookupError):
            return tuple.__repr__(self)  # a program made a Hand of values that cannot be formatted


def format_hand(hand: Hand) -> str:
    """Return the hand in the notation; parsing it gives the same hand back."""
    parts: list[str] = []
    if hand.seat is not None:
        parts.append(hand.seat + (f"@{hand.round}" if hand.round else "") + ":")
    parts.extend(table_set.notation() for table_set in hand.sets)
    if hand.concealed:
        parts.append(grouped_tiles(hand.concealed))
    if hand.bonus:
        parts.append(format_tiles(hand.bonus))
    if hand.unlisted:
        parts.append("...")
    if hand.win is not None:
        parts.append(format_win(hand.win))
    if hand.dead:
        parts.append("!dead")
    if hand.no_choice:
        parts.append("!nochoice")
    parts += [f"!{flag}" for flag in sorted(hand.flags)]
    return " ".join(parts)


def format_win(win: Win) -> str:
    """Return the win clause in the notation: ``+7c!loose``, ``<5d:E``, ``<7c(567c)``."""
    text = ("+" if win.drawn else "<") + TILE_NAMES[win.tile]
    if win.stated is not None:
        text += f"({win.stated})"
    if win.discarder is not None:
        text += ":" + quote_name(win.discarder)
    words = win.flags - {"loose"} if "twofold" in win.flags else win.flags
    flags = [Flag(word) for word in (*FLAG_CLAUSES, *sorted(words - FLAG_CLAUSES.keys())) if word in words]
    naming = [Flag("earlier", win.earlier), Flag("allfrom", win.all_from)]
    return text + "".join(map(str, [*flags, *(flag for flag in naming if flag.player is not None)]))


def quote_name(name: str) -> str:
    """Return a name as typed: quoted if it is empty or a number, or has a space or a sign of the notation."""
    plain = bool(name) and not any(character.isspace() or character in '"#:!=+<>()[],@' for character in name)
    return name if plain and not name.isdigit() else f'"{name}"'
