"""Scenes of things, and what stands where.

Everything that is said of a scene is told from the boxes of its things, so
that a program that has the boxes alone can judge it (judge.py).
"""

from __future__ import annotations

from typing import Callable, Dict, List, NamedTuple, Optional, Tuple

from drawing import COLORS, NOISES, RADII, SHAPES, SIDE, reach
from rng import Rng

GAP = 2                 # pixels between two things at least
LEFT, RIGHT, ABOVE, BELOW = "left", "right", "above", "below"
OPPOSITE = {LEFT: RIGHT, RIGHT: LEFT, ABOVE: BELOW, BELOW: ABOVE}

Box = Tuple[int, int, int, int]     # left, top, right, bottom; the last two are one too far


class Look(NamedTuple):
    size: str
    color: str
    shape: str


class Thing(NamedTuple):
    look: Look
    radius: int
    x: int              # of its center
    y: int
    box: Box

    @classmethod
    def at(cls, look: Look, radius: int, x: int, y: int) -> "Thing":
        r = reach(look.shape, radius)
        return cls(look, radius, x, y, (x - r, y - r, x + r + 1, y + r + 1))


class Scene(NamedTuple):
    frame: str
    background: str
    noise: int
    things: List[Thing]     # in the order that the caption names them

    def facts(self) -> Dict:
        """What SPLIT.scenes tells of it."""
        return {"background": self.background,
                "things": [dict(thing.look._asdict(), box=list(thing.box))
                           for thing in self.things]}


# ---------------------------------------------------------------------------
# What stands where
# ---------------------------------------------------------------------------

def direction(a: Box, b: Box) -> Optional[str]:
    """Where a stands, seen from b: none if that is hard to say, as on a diagonal."""
    dx = b[0] + b[2] - a[0] - a[2]
    dy = b[1] + b[3] - a[1] - a[3]
    if 2 * abs(dx) >= 3 * abs(dy) and (a[2] <= b[0] or b[2] <= a[0]):
        return LEFT if dx > 0 else RIGHT
    if 2 * abs(dy) >= 3 * abs(dx) and (a[3] <= b[1] or b[3] <= a[1]):
        return ABOVE if dy > 0 else BELOW
    return None


def on_side(a: Box, b: Box, side: str) -> bool:
    """Whether any of a is on this side of b, clearly or not."""
    return {LEFT: a[0] < b[0], RIGHT: a[2] > b[2],
            ABOVE: a[1] < b[1], BELOW: a[3] > b[3]}[side]


def apart(a: Box, b: Box) -> bool:
    return (a[2] + GAP <= b[0] or b[2] + GAP <= a[0]
            or a[3] + GAP <= b[1] or b[3] + GAP <= a[1])


def place(box: Box) -> Optional[str]:
    """In which ninth of the picture a thing's center is; none if near a border of ninths."""
    def third(low: int, high: int) -> Optional[int]:
        middle = (low + high - 1) / 2 / (SIDE - 1)
        for number, (begin, end) in enumerate(((0, 0.3), (0.4, 0.6), (0.7, 1))):
            if begin <= middle <= end:
                return number
        return None
    column, row = third(box[0], box[2]), third(box[1], box[3])
    if column is None or row is None:
        return None
    words = " ".join(word for word in (("top", "", "bottom")[row], ("left", "", "right")[column])
                     if word)
    return "at the " + words if words else "in the center"


def upper(box: Box) -> bool:
    return box[3] <= SIDE // 2


def lower(box: Box) -> bool:
    return box[1] >= SIDE // 2


# ---------------------------------------------------------------------------
# Making scenes
# ---------------------------------------------------------------------------

def subject_first(a: Thing, b: Thing) -> bool:
    """Whether a sentence about two things begins with a: with the small one, and of two
    equally large ones with the left or upper one."""
    if a.look.size != b.look.size:
        return a.look.size == "small"
    return direction(a.box, b.box) in (LEFT, ABOVE)


# Whether the last thing of a scene, which may be incomplete, stands well beside those
# before it.

def _alone(t: List[Thing]) -> bool:
    return place(t[0].box) is not None


def _group(t: List[Thing]) -> bool:
    return True


def _pair(t: List[Thing]) -> bool:
    return len(t) == 1 or (direction(t[0].box, t[1].box) is not None
                           and subject_first(t[0], t[1]))


def _between(t: List[Thing]) -> bool:
    """The second and the third on either side of the first."""
    if len(t) == 1:
        return True
    way = direction(t[1].box, t[0].box)
    return way in (LEFT, ABOVE) and (len(t) == 2 or way == direction(t[0].box, t[2].box)
                                     == direction(t[1].box, t[2].box))


def _corner(t: List[Thing]) -> bool:
    """The second beside the first, the third above or below it."""
    if len(t) == 1:
        return True
    way = direction(t[0].box, t[-1].box)
    if len(t) == 2:
        return way in (LEFT, RIGHT)
    return way in (ABOVE, BELOW) and direction(t[1].box, t[2].box) is None


def _landmark(t: List[Thing]) -> bool:
    """Things that look alike, and one that does not, with all of them on one side."""
    if t[-1].look == t[0].look:
        return True
    ways = {direction(thing.box, t[-1].box) for thing in t[:-1]}
    return len(ways) == 1 and None not in ways


def _rows(t: List[Thing]) -> bool:
    """Two side by side above two side by side."""
    if not (upper if len(t) <= 2 else lower)(t[-1].box):
        return False
    return len(t) % 2 == 1 or (direction(t[-2].box, t[-1].box) in (LEFT, RIGHT)
                               and subject_first(t[-2], t[-1]))


class Frame(NamedTuple):
    weight: int             # how often, in a hundred
    alike: Tuple[str, ...]  # a letter a thing, one of these; things of one letter look alike
    fits: Callable[[List[Thing]], bool]


FRAMES = {
    "alone": Frame(10, ("a",), _alone),
    "group": Frame(10, ("aa", "aaa", "aaaa"), _group),
    "pair": Frame(25, ("ab",), _pair),
    "between": Frame(15, ("abc",), _between),
    "corner": Frame(15, ("abc",), _corner),
    "landmark": Frame(15, ("aab", "aaab"), _landmark),
    "rows": Frame(10, ("abcd",), _rows),
}
TRIES = 30      # places of a thing, before the scene is begun anew


class Composer:
    """Makes one scene after another."""

    def __init__(self, seed: int):
        self.rng = Rng(seed)

    def compose(self) -> Scene:
        rng = self.rng
        name = rng.weighted([(name, frame.weight) for name, frame in FRAMES.items()])
        background = rng.weighted((("gray", 70), ("black", 15), ("white", 15)))
        noise = rng.choice(NOISES)
        alike = rng.choice(FRAMES[name].alike)
        things = None
        while things is None:
            things = self._things(self._looks(alike), FRAMES[name].fits)
        return Scene(name, background, noise, things)

    def _looks(self, alike: str) -> List[Look]:
        looks: Dict[str, Look] = {}
        for letter in alike:
            while letter not in looks:
                new = Look(self.rng.choice(tuple(RADII)), self.rng.choice(tuple(COLORS)),
                           self.rng.choice(SHAPES))
                if new not in looks.values():
                    looks[letter] = new
        return [looks[letter] for letter in alike]

    def _things(self, looks: List[Look], fits) -> Optional[List[Thing]]:
        """Things of these looks where they fit, or none if there is no place left."""
        things: List[Thing] = []
        for look in looks:
            for _ in range(TRIES):
                thing = self._somewhere(look)
                if (all(apart(thing.box, other.box) for other in things)
                        and fits(things + [thing])):
                    things.append(thing)
                    break
            else:
                return None
        return things

    def _somewhere(self, look: Look) -> Thing:
        radius = self.rng.choice(RADII[look.size])
        room = SIDE - 2 * radius - 2
        return Thing.at(look, radius, radius + 1 + self.rng.below(room),
                        radius + 1 + self.rng.below(room))
