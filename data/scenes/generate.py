#!/usr/bin/env python3
"""Generates scenes of colored shapes: pictures, captions, regions, questions; or
checks that it still does.

    python3 generate.py --output DIR [--seed N] [--train N --dev N --test N]
    python3 generate.py --check
    python3 generate.py --figure FILE.png

The modules, from the pixels up: rng.py (random numbers), png.py (files of
pictures), drawing.py (shapes and colors), scenes.py (what stands where),
captions.py and questions.py (what is said and asked of it), judge.py (whether
that is true), and this file (splits, files, checks).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from collections import Counter
from functools import lru_cache
from typing import Dict, List, NamedTuple

import judge
import png
from captions import Caption, caption_of
from drawing import COLORS, PALETTE, SIDE, draw
from questions import KINDS, Question, Questioner
from rng import Rng, hash_text
from scenes import FRAMES, Composer, Scene

SEED = 1
SIZES = {"train": 8000, "dev": 500, "test": 1000}
QUESTIONS = 3                   # a picture
FREE = ("alone", "group")       # frames of few sentences, which any split may have
HOMES = 19                      # dev has one of them, test two
CHECKED = {"train": 800, "dev": 50, "test": 100}
DIGEST = "dee04a7e1dca8cf5c30d28acee4e74a43b5027c2b7f7aa4413687b65ee8ae2b4"


class Item(NamedTuple):
    """A picture and what is said of it."""
    scene: Scene
    pixels: bytes
    caption: Caption
    questions: List[Question]


Splits = Dict[str, List[Item]]


class Broken(Exception):
    """A promise of the scenes does not hold."""


def demand(holds: bool, sentence: str) -> None:
    if not holds:
        raise Broken(sentence)


# ---------------------------------------------------------------------------
# Making the splits
# ---------------------------------------------------------------------------

def home(scene: Scene, caption: Caption, number: int) -> str:
    """The split a scene may go to, decided by its caption alone, without the background,
    so that no caption of test is one of train."""
    text = caption.text.partition(" on a ")[0]
    if scene.frame in FREE:
        text += " %d" % number
    return {0: "dev", 1: "test", 2: "test"}.get(hash_text(text) % HOMES, "train")


def make_splits(seed: int, sizes: Dict[str, int]) -> Splits:
    composer, questioner, noise = Composer(seed), Questioner(seed + 1), Rng(seed + 2)
    splits: Splits = {name: [] for name in sizes}
    number = 0
    while any(len(splits[name]) < size for name, size in sizes.items()):
        scene = composer.compose()
        caption = caption_of(scene)
        name = home(scene, caption, number)
        number += 1
        if len(splits[name]) < sizes[name]:
            pixels = draw(scene.background, scene.things, scene.noise, noise)
            splits[name].append(Item(scene, pixels, caption, questioner.ask(scene, QUESTIONS)))
    return splits


def picture_name(split: str, number: int) -> str:
    return "pictures/%s-%05d.png" % (split, number + 1)


def region_line(caption: Caption) -> str:
    return " ".join("%d:%d,%d,%d,%d" % (noun, *thing.box) for noun, thing in caption.regions)


def texts_of(splits: Splits) -> Dict[str, str]:
    """Names and contents of all files but the pictures."""
    files: Dict[str, List[str]] = {}
    for split, items in splits.items():
        for number, (scene, _, caption, questions) in enumerate(items):
            picture = picture_name(split, number)
            lines = [("list", picture), ("captions", caption.text),
                     ("regions", region_line(caption)),
                     ("scenes", json.dumps(scene.facts(), separators=(",", ":")))]
            for question in questions:
                lines += [("questions", question.text), ("answers", question.answer),
                          ("question-pictures", picture), ("kinds", question.kind)]
            for ending, line in lines:
                files.setdefault("%s.%s" % (split, ending), []).append(line)
    return {name: "".join(line + "\n" for line in lines) for name, lines in files.items()}


def write(splits: Splits, directory: str) -> None:
    os.makedirs(os.path.join(directory, "pictures"), exist_ok=True)
    for split, items in splits.items():
        for number, item in enumerate(items):
            with open(os.path.join(directory, picture_name(split, number)), "wb") as picture:
                picture.write(png.encode(SIDE, SIDE, item.pixels))
    for name, content in texts_of(splits).items():
        with open(os.path.join(directory, name), "w", encoding="utf-8", newline="\n") as file:
            file.write(content)


def digest_of(splits: Splits) -> str:
    """Of all texts and pixels, not of PNG files, which another zlib packs otherwise."""
    digest = hashlib.sha256()
    for name, content in sorted(texts_of(splits).items()):
        digest.update(("%s\n%s" % (name, content)).encode("utf-8"))
    for name in sorted(splits):
        for item in splits[name]:
            digest.update(item.pixels)
    return digest.hexdigest()


def figure(splits: Splits) -> bytes:
    """The file of a picture that shows a scene of each frame side by side, twice as
    large; those with noise are few, since noise cannot be packed."""
    zoom, gap = 2, b"\xff" * 12
    shown = [min((item for item in splits["train"] if item.scene.frame == frame),
                 key=lambda item: (item.scene.noise != (frame == "pair")))
             for frame in FRAMES]
    for item in shown:
        print(item.caption.text)
    rows = []
    for y in range(SIDE):
        parts = [b"".join(item.pixels[3 * x:3 * x + 3] * zoom
                          for x in range(y * SIDE, (y + 1) * SIDE)) for item in shown]
        rows += [gap.join(parts)] * zoom
    return png.encode(len(rows[0]) // 3, len(rows), b"".join(rows))


# ---------------------------------------------------------------------------
# Checking
# ---------------------------------------------------------------------------

def check_promises(splits: Splits) -> None:
    """Raises Broken if a promise does not hold."""
    told = {name: {item.caption.text.partition(" on a ")[0] for item in items
                   if item.scene.frame not in FREE} for name, items in splits.items()}
    demand(not told["train"] & (told["dev"] | told["test"]), "A caption of test is one of train.")
    said: Dict[str, str] = {}
    for items in splits.values():
        for item in items:
            check_item(item)
            facts = json.dumps(item.scene.facts())
            demand(said.setdefault(facts, item.caption.text) == item.caption.text,
                   "A scene has two captions: " + item.caption.text)


def check_item(item: Item) -> None:
    caption, facts = item.caption.text, item.scene.facts()
    demand(png.decode(png.encode(SIDE, SIDE, item.pixels)) == (SIDE, SIDE, item.pixels),
           "A picture is another one in its file.")
    demand(judge.true_caption(caption, facts), "A caption is not true: " + caption)
    for wrong in wrong_captions(item.caption):
        demand(not judge.true_caption(wrong, facts), "Two captions are true: " + wrong)
    for question in item.questions:
        demand(judge.answers(question.text, facts) == [question.answer],
               "A question has not this one answer: %s %s" % (question.text, question.answer))
    check_regions(item)


def wrong_captions(caption: Caption) -> List[str]:
    """The caption with another color of each thing in turn."""
    wrong = []
    for noun in sorted({noun for noun, _ in caption.regions}):
        words = list(caption.words)
        words[noun - 1] = "red" if words[noun - 1] != "red" else "blue"
        if sorted(words) != sorted(caption.words):
            wrong.append(" ".join(words))
    return wrong


def check_regions(item: Item) -> None:
    """The box of each noun is filled to its borders with pixels of its color, no other
    pixel of the picture is of such a color, and the noun is that of its shape."""
    seen: Dict[str, set] = {}
    for place in range(SIDE * SIDE):
        number = nearest_color(item.pixels[3 * place:3 * place + 3])
        if number < len(COLORS):
            seen.setdefault(list(COLORS)[number], set()).add((place % SIDE, place // SIDE))
    for noun, thing in item.caption.regions:
        left, top, right, bottom = thing.box
        inside = {(x, y) for x, y in seen[thing.look.color]
                  if left <= x < right and top <= y < bottom}
        seen[thing.look.color] -= inside
        demand(bool(inside) and thing.box == (
            min(x for x, _ in inside), min(y for _, y in inside),
            max(x for x, _ in inside) + 1, max(y for _, y in inside) + 1),
            "A box is not that of its thing: " + item.caption.text)
        demand(item.caption.words[noun].startswith(thing.look.shape)
               and item.caption.words[noun - 1] == thing.look.color,
               "A region names another thing: " + item.caption.text)
    demand(not any(seen.values()), "A thing has no region: " + item.caption.text)


@lru_cache(maxsize=None)
def nearest_color(pixel: bytes) -> int:
    return min(range(len(PALETTE)), key=lambda number: sum(
        (a - b) ** 2 for a, b in zip(pixel, PALETTE[number])))


def table(splits: Splits) -> List[str]:
    """Figures of each split."""
    rows = []
    for name, items in splits.items():
        rows.append("%s: %d pictures, %d captions, %.1f words each, %d questions" % (
            name, len(items), len({item.caption.text for item in items}),
            sum(len(item.caption.words) for item in items) / len(items),
            sum(len(item.questions) for item in items)))
        frames = Counter(item.scene.frame for item in items)
        rows.append("  frames: " + ", ".join("%s %d" % (frame, frames[frame]) for frame in FRAMES))
        for kind in KINDS:
            found = Counter(question.answer for item in items for question in item.questions
                            if question.kind == kind)
            rows.append("  %s %d: " % (kind, sum(found.values())) + ", ".join(
                "%s %d" % answer for answer in sorted(found.items())))
    return rows


def check() -> List[str]:
    """Makes a small set, compares it with what this program made before, and verifies
    what README.md promises."""
    splits = make_splits(SEED, CHECKED)
    check_promises(splits)
    demand(digest_of(splits) == DIGEST,
           "The scenes are not what they were: their digest is " + digest_of(splits))
    return table(splits)


def main() -> int:
    parser = argparse.ArgumentParser(description="Generate scenes, or check the generator.")
    parser.add_argument("--output", metavar="DIR", help="write all files to this folder")
    parser.add_argument("--check", action="store_true", help="make and check a small set")
    parser.add_argument("--figure", metavar="FILE", help="write a picture of all kinds of scenes")
    parser.add_argument("--seed", type=int, default=SEED)
    for name, size in SIZES.items():
        parser.add_argument("--" + name, type=int, default=size, metavar="N")
    options = parser.parse_args()
    if not (options.output or options.check or options.figure):
        parser.error("say --output DIR, --check or --figure FILE")
    try:
        if options.check:
            print("\n".join(check()))
            print("All promises hold.")
    except Broken as broken:
        print("generate.py: " + str(broken), file=sys.stderr)
        return 1
    if options.figure:
        with open(options.figure, "wb") as file:
            file.write(figure(make_splits(options.seed, CHECKED)))
    if options.output:
        splits = make_splits(options.seed, {name: getattr(options, name) for name in SIZES})
        write(splits, options.output)
        print("\n".join(table(splits)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
