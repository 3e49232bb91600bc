"""A small random generator that gives the same numbers on every machine.

Python's own `random` may change between versions; this is splitmix64, ten
lines of integer arithmetic.
"""

from __future__ import annotations

MASK = (1 << 64) - 1


def mix(value: int) -> int:
    """Scrambles a 64-bit integer."""
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
    return value ^ (value >> 31)


def hash_text(text: str) -> int:
    """A 64-bit hash of a text that does not depend on the Python process."""
    value = 0
    for byte in text.encode("utf-8"):
        value = mix((value + byte + 0x9E3779B97F4A7C15) & MASK)
    return value


class Rng:
    """The generator, with the few draws the grammar needs."""

    def __init__(self, seed: int):
        self.state = seed & MASK
        self.decks: dict = {}

    def next(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        return mix(self.state)

    def below(self, limit: int) -> int:
        """An integer from 0 to limit - 1."""
        return self.next() % limit

    def chance(self, percent: int) -> bool:
        return self.below(100) < percent

    def choice(self, items):
        return items[self.below(len(items))]

    def weighted(self, options):
        """One of ((value, weight), ...) with probability proportional to weight."""
        point = self.below(sum(weight for _, weight in options))
        for value, weight in options:
            point -= weight
            if point < 0:
                return value
        raise AssertionError("weights")

    def deal(self, name: str, items, avoid=()):
        """Draws from a shuffled deck of the items, which is reshuffled when it
        runs out: all items come up about equally often."""
        deck = self.decks.setdefault(name, [])
        for _ in range(2):
            for position in range(len(deck) - 1, -1, -1):
                if deck[position] not in avoid:
                    return deck.pop(position)
            deck[:] = items
            for last in range(len(deck) - 1, 0, -1):
                other = self.below(last + 1)
                deck[last], deck[other] = deck[other], deck[last]
        return self.choice(items)
