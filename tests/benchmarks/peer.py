"""What ``mjscore check --format json`` is measured against: PyPI's ``mahjong``, from a text file to JSON lines."""

from __future__ import annotations

import json
import sys

from mahjong.constants import EAST, NORTH, SOUTH, WEST
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig
from mahjong.tile import TilesConverter

WINDS = {"E": EAST, "S": SOUTH, "W": WEST, "N": NORTH}


def main() -> None:
    """Score each line of the file named."""
    with open(sys.argv[1], encoding="utf-8") as stream:
        for number, line in enumerate(stream, 1):
            hand, last, seat, round_wind = line.split()
            tiles = TilesConverter.one_line_string_to_136_array(hand)
            winning = TilesConverter.find_34_tile_in_136_array(
                TilesConverter.one_line_string_to_34_array(last).index(1), tiles
            )
            assert winning is not None
            # drawn, so that every hand has a yaku and is evaluated to its end
            config = HandConfig(is_tsumo=True, player_wind=WINDS[seat], round_wind=WINDS[round_wind])
            value = HandCalculator.estimate_hand_value(tiles, winning, config=config)
            record = {
                "line": number,
                "hand": hand,
                "han": value.han,
                "fu": value.fu,
                "cost": value.cost and value.cost["total"],
                "yaku": [str(yaku) for yaku in value.yaku or ()],
                "fu_details": value.fu_details,
                "error": value.error,
            }
            print(json.dumps(record))


if __name__ == "__main__":
    main()
