#!/usr/bin/env python3
"""How many captions are right, and whether their nouns look at what they name.

    score.py SPLIT CAPTIONS [LOOKS.json]    percent, as cells of a table: captions that are the reference, captions that
                                            are true of their picture, and with LOOKS.json, which `heed translate
                                            --alignment` wrote, nouns that look at their object, and how much; colors
                                            that do, and how much
    score.py SPLIT                          the last four for weights that are the same everywhere

A noun, with its size and color, names the objects that look as its caption says, which SPLIT.scenes has; nouns that name
nothing there are left out. A word looks at its object if the region of the most weight has a part of the object's box, and
the weight on the object is that of all regions that have one. A region is the pixels that a position stands for, by "step"
and "begin" of LOOKS.json.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Dict, Iterator, List, NamedTuple, Sequence, Tuple

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../data/scenes"))
import judge  # noqa: E402
from drawing import SIDE  # noqa: E402


def lines_of(path: str) -> List[str]:
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def named_boxes(words: Sequence[str], scene: Dict) -> Iterator[Tuple[int, List[List[int]]]]:
    """The place of each noun that names something of the scene, and the boxes of that."""
    for noun in range(2, len(words)):
        shape = judge.NOUNS.get(words[noun])
        if shape:
            look = {"size": words[noun - 2], "color": words[noun - 1], "shape": shape}
            boxes = [thing["box"] for thing in scene["things"]
                     if all(thing[field] == value for field, value in look.items())]
            if boxes:
                yield noun, boxes


class Regions(NamedTuple):
    """What the positions of a picture stand for."""
    rows: int
    columns: int
    step: float     # pixels from one position to the next
    begin: float    # where the first one begins, before the picture's edge where below 0

    def side(self, position: int, positions: int) -> Tuple[float, float]:
        """The pixels of a position, from and up to."""
        return (0 if position == 0 else self.begin + position * self.step,
                SIDE if position + 1 == positions else self.begin + (position + 1) * self.step)

    def touches(self, place: int, box: Sequence[int]) -> bool:
        """Whether a region has a part of a box."""
        top, bottom = self.side(place // self.columns, self.rows)
        left, right = self.side(place % self.columns, self.columns)
        return left < box[2] and box[0] < right and top < box[3] and box[1] < bottom


NOUN, COLOR = 0, 1    # words before the noun
UNIFORM = Regions(6, 6, 8, -3.5)    # of three layers of convolutions with stride 2


def looks_at(weights: Sequence[float], regions: Regions, boxes) -> Tuple[bool, float]:
    """Whether the largest weight is on the boxes, and how much weight is."""
    on = [any(regions.touches(place, box) for box in boxes) for place in range(len(weights))]
    mass = sum(weight for weight, inside in zip(weights, on) if inside)
    return on[max(range(len(weights)), key=weights.__getitem__)], mass / sum(weights)


Look = Tuple[bool, float]


def looks_of(scenes: List[Dict], records: List[Dict], before: int) -> List[Look]:
    """Where the words that stand so many words before each noun look."""
    return [looks_at(record["attention"][noun - before],
                     Regions(record["rows"], record["columns"], record["step"], record["begin"]), boxes)
            for scene, record in zip(scenes, records)
            for noun, boxes in named_boxes(record["target"], scene)]


def percent(looks: List[Look]) -> str:
    """How many look at their objects, and the mean of the weight on them."""
    return "%.1f | %.1f" % (100 * sum(hit for hit, _ in looks) / len(looks),
                            100 * sum(mass for _, mass in looks) / len(looks))


def uniform_percent(scenes: List[Dict], captions: List[str]) -> str:
    """The same of equal weights, whose largest one is any."""
    masses = [looks_at([1.0] * 36, UNIFORM, boxes)[1] for scene, caption in zip(scenes, captions)
              for _, boxes in named_boxes(caption.split(), scene)]
    mean = 100 * sum(masses) / len(masses)
    return "%.1f | %.1f" % (mean, mean)


def main() -> int:
    if len(sys.argv) not in (2, 3, 4):
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    split = sys.argv[1]
    scenes, references = judge.read_scenes(split + ".scenes"), lines_of(split + ".captions")
    if len(sys.argv) == 2:
        print(" | ".join([uniform_percent(scenes, references)] * 2))
        return 0
    captions = lines_of(sys.argv[2])
    if len(captions) != len(scenes):
        print("score.py: %d captions of %d scenes" % (len(captions), len(scenes)), file=sys.stderr)
        return 1
    exact = 100 * sum(map(str.__eq__, captions, references)) / len(captions)
    true = 100 * sum(map(judge.true_caption, captions, scenes)) / len(captions)
    looks = "- | - | - | -"
    if len(sys.argv) == 4:
        records = list(map(json.loads, lines_of(sys.argv[3])))
        looks = " | ".join(percent(looks_of(scenes, records, before)) for before in (NOUN, COLOR))
    print("%.1f | %.1f | %s" % (exact, true, looks))
    return 0


if __name__ == "__main__":
    sys.exit(main())
