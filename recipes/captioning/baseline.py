#!/usr/bin/env python3
"""Captions of the test pictures without a model.

    baseline.py frequent DATA OUTPUT    the most frequent caption of the training pictures
    baseline.py nearest DATA OUTPUT     that of the training picture whose pixels differ least (sum of squares)
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from typing import List

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../data/scenes"))
import png  # noqa: E402


def lines_of(path: str) -> List[str]:
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def pixels_of(data: str, split: str) -> numpy.ndarray:
    """A picture a row."""
    rows = []
    for name in lines_of(os.path.join(data, split + ".list")):
        with open(os.path.join(data, name), "rb") as file:
            rows.append(numpy.frombuffer(png.decode(file.read())[2], dtype=numpy.uint8))
    return numpy.stack(rows).astype(numpy.float32)


def nearest(data: str) -> numpy.ndarray:
    """For each test picture the number of the training picture."""
    known, asked = pixels_of(data, "train"), pixels_of(data, "test")
    distances = (known ** 2).sum(axis=1)[None, :] - 2 * asked @ known.T   # but for a constant of each picture
    return distances.argmin(axis=1)


def main() -> int:
    if len(sys.argv) != 4 or sys.argv[1] not in ("frequent", "nearest"):
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    kind, data, output = sys.argv[1:]
    captions = lines_of(os.path.join(data, "train.captions"))
    if kind == "nearest":
        found = [captions[number] for number in nearest(data)]
    else:
        counts = Counter(captions)
        found = [min(counts, key=lambda caption: (-counts[caption], caption))]
        found *= len(lines_of(os.path.join(data, "test.list")))
    with open(output, "w", encoding="utf-8") as file:
        file.write("".join(caption + "\n" for caption in found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
