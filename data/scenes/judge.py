#!/usr/bin/env python3
"""Judges captions and answers from the boxes of a scene: reads the sentence anew
and looks whether it is so.

    python3 judge.py SPLIT.scenes CAPTIONS      # how many of the captions are true

It shares with the programs that make sentences the words and what "left of"
means (scenes.py), and nothing else.
"""

from __future__ import annotations

import json
import re
import sys
from itertools import permutations
from typing import Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from captions import NUMBERS, PLAIN, RELATIONS, plural
from drawing import COLORS, RADII, SHAPES
from scenes import OPPOSITE, direction, lower, on_side, place, upper

Scene = Dict            # a line of SPLIT.scenes
Found = Dict            # one of its things

NOUNS = {**{name: name for name in SHAPES}, "thing": None}
NOUNS.update({plural(noun): shape for noun, shape in list(NOUNS.items())})
WAYS = {words: way for way, words in RELATIONS.items()}
WAY = "(%s)" % "|".join(WAYS)
PHRASE = r"((?:a|two|three|four)(?: \w+){1,3})"


class Phrase(NamedTuple):
    """A noun phrase: how many things, and what they are."""
    count: int
    told: Dict[str, str]

    def fits(self, thing: Found) -> bool:
        return all(thing[field] == value for field, value in self.told.items())


def read_phrase(words: str) -> Optional[Phrase]:
    """None: that is no phrase."""
    first, *middle, noun = words.split()
    if noun not in NOUNS:
        return None
    told = {"shape": NOUNS[noun]} if NOUNS[noun] else {}
    for word in middle:
        field = "size" if word in RADII else "color" if word in COLORS else None
        if field is None or field in told:
            return None
        told[field] = word
    count = NUMBERS.index(first) if first in NUMBERS else 1
    return Phrase(count, told) if (noun not in SHAPES + ("thing",)) == (count > 1) else None


# ---------------------------------------------------------------------------
# Captions
# ---------------------------------------------------------------------------

def true_caption(caption: str, scene: Scene) -> bool:
    """Whether a caption is a sentence, names every thing of the scene, and is true of it."""
    caption, _, ground = caption.partition(" on a ")
    if (ground or PLAIN + " background") != scene["background"] + " background":
        return False
    return any(_true_of(phrases, claim, scene) for phrases, claim in _readings(caption))


def _readings(caption: str) -> Iterator[Tuple[List[Phrase], tuple]]:
    """The phrases of a caption, and what it claims of the things that they name."""
    for pattern, claim in SENTENCES:
        match = re.fullmatch(pattern, caption)
        if not match:
            continue
        groups = match.groups()
        phrases = [read_phrase(group) for group in groups if group not in WAYS]
        if all(phrases):
            yield phrases, (claim, [WAYS[group] for group in groups if group in WAYS], caption)


def _true_of(phrases: List[Phrase], claim: tuple, scene: Scene) -> bool:
    """Whether the scene's things can be given to the phrases so that the claim is true."""
    things = scene["things"]
    slots = [phrase for phrase in phrases for _ in range(phrase.count)]
    if len(slots) != len(things):
        return False
    holds, ways, caption = claim
    return any(all(slot.fits(thing) for slot, thing in zip(slots, order))
               and holds([thing["box"] for thing in order], ways, caption)
               for order in permutations(things))


def _stands(boxes: Sequence, ways: List[str], caption: str) -> bool:
    return place(boxes[0]) == caption[caption.rindex(" is ") + 4:]


def _related(boxes: Sequence, ways: List[str], caption: str) -> bool:
    """All but the last one this way of the last."""
    return all(direction(box, boxes[-1]) == ways[0] for box in boxes[:-1])


def _between(boxes: Sequence, ways: List[str], caption: str) -> bool:
    way = direction(boxes[1], boxes[0])
    return way is not None and way == direction(boxes[0], boxes[2])


def _corner(boxes: Sequence, ways: List[str], caption: str) -> bool:
    return [direction(boxes[0], boxes[1]), direction(boxes[0], boxes[2])] == ways


def _rows(boxes: Sequence, ways: List[str], caption: str) -> bool:
    return (all(map(upper, boxes[:2])) and all(map(lower, boxes[2:]))
            and [direction(boxes[0], boxes[1]), direction(boxes[2], boxes[3])] == ways)


SENTENCES = (
    (PHRASE + r" is (?:at the|in the) .*", _stands),
    ("there are " + PHRASE, lambda boxes, ways, caption: True),
    ("%s (?:is|are) %s %s" % (PHRASE, WAY, PHRASE), _related),
    ("%s is between %s and %s" % (PHRASE, PHRASE, PHRASE), _between),
    ("%s is %s %s and %s %s" % (PHRASE, WAY, PHRASE, WAY, PHRASE), _corner),
    ("at the top %s is %s %s and at the bottom %s is %s %s"
     % (PHRASE, WAY, PHRASE, PHRASE, WAY, PHRASE), _rows),
)


# ---------------------------------------------------------------------------
# Questions
# ---------------------------------------------------------------------------

def answers(question: str, scene: Scene) -> List[str]:
    """What could be answered: one word if the question is clear."""
    things = scene["things"]
    match = re.fullmatch("what (color|shape) is the (.*)", question)
    if match:
        return [thing[match[1]] for thing in _meant(match[2], things)]
    match = re.fullmatch("how many (.*) are there", question)
    if match:
        return [NUMBERS[len(_all("two " + match[1], things))]]
    match = re.fullmatch("where is the (.*) seen from the (.*)", question)
    if match:
        return [direction(a["box"], b["box"]) or "" for a in _meant(match[1], things)
                for b in _meant(match[2], things)]
    match = re.fullmatch("is there (.*)", question)
    if match:
        return ["yes" if _all(match[1], things) else "no"]
    match = re.fullmatch("is the (.*) %s the (.*)" % WAY, question)
    if match:
        return [_answer(direction(a["box"], b["box"]), WAYS[match[2]])
                for a in _meant(match[1], things) for b in _meant(match[3], things)]
    return []


def _answer(way: Optional[str], asked: str) -> str:
    """Empty: hard to say."""
    return {asked: "yes", OPPOSITE[asked]: "no"}.get(way or "", "")


def _all(phrase: str, things: List[Found]) -> List[Found]:
    read = read_phrase(phrase)
    return [thing for thing in things if read and read.fits(thing)]


def _meant(phrase: str, things: List[Found]) -> List[Found]:
    """The things that "the ..." can mean."""
    match = re.fullmatch("thing %s the (.*)" % WAY, phrase)
    if not match:
        return _all("the " + phrase, things)
    return [thing for mark in _all("the " + match[2], things) for thing in things
            if thing is not mark and on_side(thing["box"], mark["box"], WAYS[match[1]])]


def read_scenes(path: str) -> List[Scene]:
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def main() -> int:
    if len(sys.argv) != 3:
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    scenes = read_scenes(sys.argv[1])
    with open(sys.argv[2], encoding="utf-8") as file:
        captions = file.read().splitlines()
    if len(scenes) != len(captions):
        print("judge.py: %d scenes, but %d captions" % (len(scenes), len(captions)),
              file=sys.stderr)
        return 1
    right = sum(map(true_caption, captions, scenes))
    print("%d of %d captions are true: %.1f %%" % (right, len(scenes), 100 * right / len(scenes)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
