"""Asks about a scene, with one word as the answer.

Every question has one true answer: a phrase such as "the red ring" names one
thing, and what is asked of places is clear.  Answers that could be guessed
without the picture are made as rare as others.
"""

from __future__ import annotations

from typing import Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

from captions import NUMBERS, RELATIONS, plural
from drawing import COLORS, RADII, SHAPES
from rng import Rng
from scenes import OPPOSITE, Look, Scene, Thing, direction, on_side

ANYTHING = "thing"
VALUES = {"size": tuple(RADII), "color": tuple(COLORS), "shape": SHAPES}


class Question(NamedTuple):
    kind: str
    text: str
    answer: str


class Description(NamedTuple):
    """What a phrase tells of the things that it names; none: nothing."""
    size: Optional[str] = None
    color: Optional[str] = None
    shape: Optional[str] = None

    def fits(self, look: Look) -> bool:
        return all(told in (None, seen) for told, seen in zip(self, look))

    def phrase(self, article: str, many: bool = False) -> str:
        noun = self.shape or ANYTHING
        words = [word for word in (self.size, self.color) if word]
        words.append(plural(noun) if many else noun)
        if article == "a" and words[0][0] in "aeiou":
            article = "an"
        return " ".join([article, *words]).strip()


def named(description: Description, things: Sequence[Thing]) -> List[Thing]:
    return [thing for thing in things if description.fits(thing.look)]


def standing(way: str, landmark: Thing, things: Sequence[Thing]) -> Optional[Thing]:
    """The one thing that stands this way of a landmark, if no other could be meant."""
    there = [thing for thing in things
             if thing is not landmark and on_side(thing.box, landmark.box, way)]
    if len(there) == 1 and direction(there[0].box, landmark.box) == way:
        return there[0]
    return None


class Questioner:
    """Asks of one scene after another."""

    def __init__(self, seed: int):
        self.rng = Rng(seed)

    def ask(self, scene: Scene, count: int) -> List[Question]:
        """So many questions, of different kinds and of fewer if the scene has no more."""
        asked: List[Question] = []
        left = list(KINDS)
        while left and len(asked) < count:
            kind = left.pop(self.rng.below(len(left)))
            found = KINDS[kind](self, scene.things)
            if found:
                asked.append(Question(kind, *found))
        return asked

    # -- kinds of questions: text and answer, or none ---------------------------

    def color(self, things: List[Thing]) -> Optional[Tuple[str, str]]:
        return self._value("color", "what color is", things)

    def shape(self, things: List[Thing]) -> Optional[Tuple[str, str]]:
        return self._value("shape", "what shape is", things)

    def count(self, things: List[Thing]) -> Optional[Tuple[str, str]]:
        if self.rng.chance(25):
            description = self._drawn()
        else:
            description = self._of(self.rng.choice(things), tuple(VALUES), at_least=0)
        number = len(named(description, things))
        return "how many %s are there" % description.phrase("", many=True), NUMBERS[number]

    def where(self, things: List[Thing]) -> Optional[Tuple[str, str]]:
        found = self._two(things)
        if not found:
            return None
        a, b, way = found
        return "where is %s seen from %s" % (a, b), way

    def exists(self, things: List[Thing]) -> Optional[Tuple[str, str]]:
        """As often yes as no; for no, one word is not as in the picture."""
        told = self._of(self.rng.choice(things), tuple(VALUES), at_least=2)
        wanted = self.rng.chance(50)
        if not wanted:
            field = self.rng.choice([field for field, value in told._asdict().items() if value])
            other = [value for value in VALUES[field] if value != getattr(told, field)]
            told = told._replace(**{field: self.rng.choice(other)})
        if bool(named(told, things)) != wanted:
            return None
        return "is there %s" % told.phrase("a"), "yes" if wanted else "no"

    def relation(self, things: List[Thing]) -> Optional[Tuple[str, str]]:
        found = self._two(things)
        if not found:
            return None
        a, b, way = found
        yes = self.rng.chance(50)
        asked = way if yes else OPPOSITE[way]
        return "is %s %s %s" % (a, RELATIONS[asked], b), "yes" if yes else "no"

    # -- phrases ----------------------------------------------------------------

    def _of(self, thing: Thing, fields: Sequence[str], at_least: int = 1) -> Description:
        """Something that is true of a thing."""
        told = [field for field in fields if self.rng.chance(50)]
        while len(told) < at_least:
            told = [field for field in fields if self.rng.chance(50)]
        return Description(**{field: getattr(thing.look, field) for field in told})

    def _drawn(self) -> Description:
        """Something, whatever is there."""
        field = self.rng.choice(tuple(VALUES))
        return Description(**{field: self.rng.choice(VALUES[field])})

    def _the(self, thing: Thing, things: List[Thing], fields: Sequence[str]) -> Optional[str]:
        """A phrase that names this thing alone, as short as some."""
        found = self._of(thing, fields)
        if len(named(found, things)) > 1:
            found = Description(**{field: getattr(thing.look, field) for field in fields})
        return found.phrase("the") if len(named(found, things)) == 1 else None

    def _value(self, field: str, words: str, things: List[Thing]) -> Optional[Tuple[str, str]]:
        """Asks for a value of a thing, named by what else it is or by where it stands."""
        thing = self.rng.choice(things)
        phrase = None
        if self.rng.chance(40):
            phrase = self._by_place(thing, things)
        if phrase is None:
            phrase = self._the(thing, things, [other for other in VALUES if other != field])
        return ("%s %s" % (words, phrase), getattr(thing.look, field)) if phrase else None

    def _by_place(self, thing: Thing, things: List[Thing]) -> Optional[str]:
        landmark = self.rng.choice(things)
        way = direction(thing.box, landmark.box)
        name = self._the(landmark, things, tuple(VALUES))
        if way is None or name is None or standing(way, landmark, things) is not thing:
            return None
        return "the thing %s %s" % (RELATIONS[way], name)

    def _two(self, things: List[Thing]) -> Optional[Tuple[str, str, str]]:
        """Two things and where the first stands, seen from the second."""
        if len(things) < 2:
            return None
        first = self.rng.below(len(things))
        second = (first + 1 + self.rng.below(len(things) - 1)) % len(things)
        a, b = things[first], things[second]
        names = self._the(a, things, tuple(VALUES)), self._the(b, things, tuple(VALUES))
        way = direction(a.box, b.box)
        if way is None or None in names:
            return None
        return names[0] or "", names[1] or "", way


KINDS: Dict[str, Callable] = {
    "color": Questioner.color, "shape": Questioner.shape, "count": Questioner.count,
    "where": Questioner.where, "exists": Questioner.exists, "relation": Questioner.relation}
