"""Hands said in words, in many ways."""

from __future__ import annotations

import random

from strategies import random_dead_hand, random_loser, random_winner

from mjscore.game.hand import Hand, TileSet
from mjscore.game.tiles import TILE_NAMES, WIND_NAMES, Tile, format_tiles

MAKERS = (random_winner, random_winner, random_loser, random_dead_hand)
SUITS = {"b": ("bamboo", "bams"), "c": ("characters", "craks"), "d": ("dots", "circles")}
HONORS = {"Ew": "east", "Sw": "south", "Ww": "west", "Nw": "north", "Rd": "red", "Gd": "green", "Wd": "white"}
NUMBERS = ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
SETS = {"pung": ("pung", "pong"), "kong": ("kong", "kang"), "chow": ("chow", "chi")}


def said_tile(tile: Tile, chance: random.Random) -> str:
    name = TILE_NAMES[tile]
    if name in HONORS:
        kind = "wind" if name[1] == "w" else "dragon"
        return chance.choice([name, HONORS[name], f"{HONORS[name]} {kind}"])
    if tile.is_bonus:
        return f"{'flower' if name[1] == 'f' else 'season'} {name[0]}"
    suit = chance.choice(SUITS[name[1]])
    return chance.choice([name, f"{name[0]} {suit}", f"{NUMBERS[int(name[0])]} {suit}"])


def said_set(table_set: TileSet, chance: random.Random) -> str:
    if table_set.origin == "grown":
        return table_set.notation()
    state = chance.choice(["exposed", "open"] if table_set.exposed else ["concealed", "hidden"])
    kind = chance.choice(SETS[table_set.kind])
    said = said_tile(table_set.tile, chance)
    if kind in SETS["chow"]:
        names = [TILE_NAMES[tile] for tile in table_set.tiles]
        values, suit = "".join(name[0] for name in names), chance.choice(SUITS[names[0][1]])
        said = chance.choice(
            [f"{values} {suit}", f"{suit} {values}", f"{'-'.join(values)} {suit}", f"{table_set}"]
        )
    orders = (f"{state} {kind} of {said}", f"{kind} of {said} {state}", f"{said} {kind} {state}")
    return chance.choice([*orders, f"{state} {said} {kind}", table_set.notation()])


def said_hand(hand: Hand, chance: random.Random) -> str:
    parts = [said_set(one, chance) for one in hand.sets]
    parts += [said_tile(tile, chance) for tile in hand.bonus]
    if hand.concealed:
        loose = chance.random() < 0.5
        parts += (
            [said_tile(tile, chance) for tile in hand.concealed] if loose else [format_tiles(hand.concealed)]
        )
    parts += ["..."] * hand.unlisted + ["dead"] * hand.dead
    win = hand.win
    if win is not None:
        tile = said_tile(win.tile, chance)
        ways = [f"drew {tile}", f"+{tile}", f"mahjong on {tile} from the wall"]
        if not win.drawn:
            giver = f" from {WIND_NAMES[win.discarder].lower()}" if win.discarder else ""
            ways = [f"claimed {tile}{giver}", f"<{tile}{giver}", f"discard {tile}{giver}"]
        parts.append(", ".join([chance.choice(ways), *sorted(win.flags)]))
    seat = f"{WIND_NAMES[hand.seat].lower()}{chance.choice([':', ' player:'])} " if hand.seat else ""
    return seat + ", ".join(parts)
