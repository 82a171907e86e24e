"""Say what is wrong where no way to read a typed line goes on: what stands there, and what could have stood there."""

from __future__ import annotations

from mjscore.notation.lexer import Lattice
from mjscore.notation.ways import Ways
from mjscore.refusal import Refused, refuse


def fault_of(ways: Ways, lattice: Lattice) -> Refused | None:
    """Give the refusal of a line that no way read to its end; None where one did."""
    if ways.read:
        return None
    for way in ways.open:
        piece = way.piece
        if piece is not None and piece.kind == "VALUES" and "SUIT" in ways.expected:
            return refuse(
                "missing-class",
                f"{piece.value} lacks its class letter",
                f"type {piece.value}b for bamboo, {piece.value}c for characters, {piece.value}d for dots",
                at=lattice.place(piece.start, piece.end),
            )
    return None
