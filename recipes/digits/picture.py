"""Digits drawn by hand, and where models look at them.

  picture.py vectors EXAMPLES FILE.npy          the digits of EXAMPLES, rows of the numbers 0 to 9, as a file of vectors
  picture.py draw EXAMPLES MAPS...              prints an SVG: each digit with the attention of each system, of which MAPS
                                                are JSON files, of `heed predict --attention` or `heed translate
                                                --alignment`: a tile for each label or letter
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import List

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from figures import COLORS, document, grid, text  # noqa: E402

SIZE = 8    # pixels of a digit's side
PIXEL = 9   # their width in the picture

Digit = List[List[float]]


def read(path: str) -> List[Digit]:
    blocks = Path(path).read_text().strip().split("\n\n")
    return [[[int(character) / 9 for character in row] for row in block.splitlines()] for block in blocks]


def write_vectors(digits: List[Digit], path: str) -> None:
    import numpy as np
    np.save(path, np.array(digits, dtype=np.float32)[..., np.newaxis])


def tile(x: float, y: float, digit: Digit, weights: List[float], name: str) -> List[str]:
    """A digit, and over it the weights on squares of its pixels, the largest one opaque the most."""
    side = round(len(weights) ** 0.5)
    largest = max(weights) or 1
    shades = [[0.8 * weights[row * side + column] / largest for column in range(side)] for row in range(side)]
    return (grid(x, y, PIXEL, [[0.55 * shade for shade in row] for row in digit]) +
            grid(x, y, PIXEL * SIZE / side, shades, COLORS[1]) +
            [text(x + PIXEL * SIZE / 2, y + PIXEL * SIZE + 14, name, text_anchor="middle")])


def draw(digits: List[Digit], systems: List[List[dict]]) -> str:
    step, body, columns = PIXEL * SIZE + 14, [], 0
    for row, digit in enumerate(digits):
        x, y = 10, 12 + row * (step + 12)
        for maps in systems:
            for name, weights in zip(maps[row]["target"], maps[row]["attention"]):
                body += tile(x, y, digit, weights, name)
                x += step
            x += 16
        columns = max(columns, x)
    return document(columns, 12 + len(digits) * (step + 12), body)


def main() -> None:
    digits = read(sys.argv[2])
    if sys.argv[1] == "vectors":
        write_vectors(digits, sys.argv[3])
        return
    systems = [[json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
               for path in sys.argv[3:]]
    sys.stdout.write(draw(digits, systems))


if __name__ == "__main__":
    main()
