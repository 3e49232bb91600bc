"""Draws the things of a scene, with plain integers.

A picture is first a plane of palette numbers, one a pixel; noise of 4 bits a
pixel is put beside them, and one table for each of red, green and blue makes
colors of both.
"""

from __future__ import annotations

from functools import lru_cache
from typing import List, Tuple

from rng import Rng

SIDE = 48       # pixels, of a picture
SHAPES = ("circle", "square", "triangle", "diamond", "cross", "ring")
COLORS = {"red": (215, 40, 45), "green": (45, 165, 70), "blue": (50, 85, 220),
          "yellow": (235, 220, 60), "purple": (150, 60, 190), "orange": (240, 140, 35)}
BACKGROUNDS = {"gray": (128, 128, 128), "black": (20, 20, 20), "white": (235, 235, 235)}
RADII = {"small": (4,), "large": (6, 7)}
NOISES = (0, 1, 2)      # how strong noise can be

PALETTE = list(COLORS.values()) + list(BACKGROUNDS.values())
NUMBER = {name: number for number, name in enumerate([*COLORS, *BACKGROUNDS])}
GRAIN = 16              # levels of noise
FIELD = 1 << 16         # pixels of noise, of which each picture takes a piece


def _covers(shape: str, r: int, x: int, y: int) -> bool:
    """Whether a shape of radius r around (0, 0) covers the pixel (x, y)."""
    distance = 4 * (x * x + y * y)      # squared, in half pixels
    if shape == "circle":
        return distance <= (2 * r + 1) ** 2
    if shape == "square":
        return max(abs(x), abs(y)) < r
    if shape == "triangle":
        return 2 * abs(x) <= y + r
    if shape == "diamond":
        return abs(x) + abs(y) <= r
    if shape == "cross":
        return min(abs(x), abs(y)) <= r // 3
    return (2 * (r - 1 - r // 3)) ** 2 < distance <= (2 * r + 1) ** 2     # ring


@lru_cache(maxsize=None)
def pixels_of(shape: str, r: int) -> List[Tuple[int, int]]:
    """The pixels that a shape covers, from its center."""
    span = range(-r, r + 1)
    return [(x, y) for y in span for x in span if _covers(shape, r, x, y)]


@lru_cache(maxsize=None)
def reach(shape: str, r: int) -> int:
    """How far a shape goes from its center; it is as far to all four sides."""
    return max(x for x, _ in pixels_of(shape, r))


@lru_cache(maxsize=None)
def _noise_field() -> bytes:
    rng = Rng(0)
    return b"".join(bytes((number >> shift) % GRAIN for shift in range(0, 64, 4))
                    for number in (rng.next() for _ in range(FIELD // 16)))


@lru_cache(maxsize=None)
def _tables(strength: int) -> List[bytes]:
    """For red, green and blue: palette number * 16 + noise -> brightness."""
    def brightness(code: int, channel: int) -> int:
        color = PALETTE[min(code // GRAIN, len(PALETTE) - 1)]
        noise = strength * (2 * (code % GRAIN) - GRAIN + 1) // 2
        return min(255, max(0, color[channel] + noise))
    return [bytes(brightness(code, channel) for code in range(256)) for channel in range(3)]


def draw(background: str, things, noise: int, rng: Rng) -> bytes:
    """The pixels of a scene, row by row, three bytes each."""
    plane = bytearray([NUMBER[background] * GRAIN]) * (SIDE * SIDE)
    for thing in things:
        code = NUMBER[thing.look.color] * GRAIN
        for x, y in pixels_of(thing.look.shape, thing.radius):
            plane[(thing.y + y) * SIDE + thing.x + x] = code
    pixels = bytearray(3 * SIDE * SIDE)
    for channel, table in enumerate(_tables(noise)):
        begin = rng.below(FIELD - SIDE * SIDE)
        grain = _noise_field()[begin:begin + SIDE * SIDE]
        both = int.from_bytes(plane, "big") | int.from_bytes(grain, "big")
        pixels[channel::3] = both.to_bytes(SIDE * SIDE, "big").translate(table)
    return bytes(pixels)
