"""Says a scene in one sentence, whose words know which things they name.

There is one sentence for a scene: which thing comes first and what is said of
it follows from what is seen (README.md).
"""

from __future__ import annotations

from typing import Dict, List, NamedTuple, Tuple

from scenes import ABOVE, BELOW, LEFT, RIGHT, Scene, Thing, direction, place

NUMBERS = ("zero", "one", "two", "three", "four")
RELATIONS = {LEFT: "left of", RIGHT: "right of", ABOVE: "above", BELOW: "below"}
PLAIN = "gray"      # the background that is not named


class Caption(NamedTuple):
    words: List[str]
    regions: List[Tuple[int, Thing]]    # number of a noun, from 0, and a thing that it names

    @property
    def text(self) -> str:
        return " ".join(self.words)


class _Sentence:
    """Words that are put behind each other."""

    def __init__(self) -> None:
        self.caption = Caption([], [])

    def say(self, words: str) -> "_Sentence":
        self.caption.words.extend(words.split())
        return self

    def name(self, *things: Thing) -> "_Sentence":
        """One thing, or several that look alike."""
        size, color, shape = things[0].look
        if len(things) == 1:
            self.say("a %s %s %s" % (size, color, shape))
        else:
            self.say("%s %s %s %s" % (NUMBERS[len(things)], size, color, plural(shape)))
        noun = len(self.caption.words) - 1
        self.caption.regions.extend((noun, thing) for thing in things)
        return self

    def relate(self, a: Thing, b: Thing) -> "_Sentence":
        """Where a stands, seen from b, and what b is."""
        return self.say(relation(a, b)).name(b)


def plural(shape: str) -> str:
    return shape + ("es" if shape.endswith("s") else "s")


def relation(a: Thing, b: Thing) -> str:
    way = direction(a.box, b.box)
    assert way is not None, "a scene has a thing that stands nowhere"
    return RELATIONS[way]


def _alone(s: _Sentence, t: List[Thing]) -> None:
    s.name(t[0]).say("is").say(place(t[0].box) or "")


def _group(s: _Sentence, t: List[Thing]) -> None:
    s.say("there are").name(*t)


def _pair(s: _Sentence, t: List[Thing]) -> None:
    s.name(t[0]).say("is").relate(t[0], t[1])


def _between(s: _Sentence, t: List[Thing]) -> None:
    s.name(t[0]).say("is between").name(t[1]).say("and").name(t[2])


def _corner(s: _Sentence, t: List[Thing]) -> None:
    s.name(t[0]).say("is").relate(t[0], t[1]).say("and").relate(t[0], t[2])


def _landmark(s: _Sentence, t: List[Thing]) -> None:
    s.name(*t[:-1]).say("are").relate(t[0], t[-1])


def _rows(s: _Sentence, t: List[Thing]) -> None:
    s.say("at the top").name(t[0]).say("is").relate(t[0], t[1])
    s.say("and at the bottom").name(t[2]).say("is").relate(t[2], t[3])


SAYINGS: Dict = {"alone": _alone, "group": _group, "pair": _pair, "between": _between,
                 "corner": _corner, "landmark": _landmark, "rows": _rows}


def caption_of(scene: Scene) -> Caption:
    sentence = _Sentence()
    SAYINGS[scene.frame](sentence, scene.things)
    if scene.background != PLAIN:
        sentence.say("on a %s background" % scene.background)
    return sentence.caption
