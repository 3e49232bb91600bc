#!/usr/bin/env python3
"""Makes spoken sentences: those of the quickstart's grammar with few words, said by espeak-ng.

    prepare.py OUTPUT    writes OUTPUT/{train,dev,test}.{list,text,voices} and the sounds

Line N of SPLIT.text, in small letters without punctuation, is what the sound of line N of SPLIT.list says, and SPLIT.voices
has who says it. No voice and no sentence of dev or test is one of train. The sentences are the same everywhere; the sounds
are those of the espeak-ng that is installed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Dict, Iterator, List, NamedTuple

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../data/quickstart"))
from frames import Composer  # noqa: E402
from rng import Rng, hash_text  # noqa: E402

SIZES = {"train": 4000, "dev": 200, "test": 300}
HOMES = {0: "dev", 1: "test"}           # of 11
SHORTEST, LONGEST = 3, 5                # words
ACCENTS = ("en-us", "en-gb", "en-gb-scotland", "en-gb-x-rp")
VARIANTS = ["", "+m1", "+m2", "+m3", "+m4", "+m6", "+f1", "+f2", "+f4"] + ["+" + name for name in (
    "Alex Alicia Andrea Annie Denis Diogo Gene Jacky Lee Michael Storm Tweaky announcer antonio aunty belinda benjamin "
    "boris david ed grandma grandpa gustave iven john linda marcelo max michel miguel norbert pablo paul pedro quincy "
    "robert sandro shelby steph travis victor zac").split()]
VOICES = {
    "train": [accent + variant for accent in ACCENTS for variant in VARIANTS],
    "dev": ["en-gb-x-rp+m7", "en-us+f3", "en-gb+Mario", "en-gb-scotland+caleb"],
    "test": ["en-us+m5", "en-gb+f5", "en-gb-scotland+m8", "en-us+Andy"],
}
PITCH, SPEED = (30, 70), (140, 190)     # espeak-ng's -p and -s: of 0 to 99, and words a minute


class Utterance(NamedTuple):
    text: str
    voice: str
    pitch: int
    speed: int


class FewWords(Rng):
    """Takes one of the first words of a table only, so that a sentence has one of some two hundred."""

    def deal(self, name, items, avoid=()):
        fitting = [item for item in items if item not in avoid]
        return super().choice(fitting[:1] if fitting else items)

    def choice(self, items):
        return super().choice(items[:4])


def sentences() -> Iterator[str]:
    """Sentences as they are said, without end."""
    composer = Composer(1)
    composer.rng = FewWords(1)
    while True:
        written = composer.compose().source
        spoken = re.sub("[^a-z ]", "", written.lower().replace("-", " "))
        if SHORTEST <= len(spoken.split()) <= LONGEST and not re.search("[0-9]", written):
            yield spoken


def utterances() -> Dict[str, List[Utterance]]:
    rng = Rng(2)
    splits: Dict[str, List[Utterance]] = {name: [] for name in SIZES}
    for text in sentences():
        if all(len(splits[name]) == size for name, size in SIZES.items()):
            return splits
        name = HOMES.get(hash_text(text) % 11, "train")
        if len(splits[name]) < SIZES[name]:
            splits[name].append(Utterance(text, rng.choice(VOICES[name]),
                                          PITCH[0] + rng.below(PITCH[1] - PITCH[0]),
                                          SPEED[0] + rng.below(SPEED[1] - SPEED[0])))
    raise AssertionError("sentences never end")


def say(utterance: Utterance, path: str) -> None:
    subprocess.run(["espeak-ng", "-v", utterance.voice, "-p", str(utterance.pitch), "-s", str(utterance.speed),
                    "-w", path, utterance.text], check=True)


def write(path: str, lines: List[str]) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(line + "\n" for line in lines))


def main() -> int:
    if len(sys.argv) != 2:
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    output = sys.argv[1]
    os.makedirs(os.path.join(output, "sounds"), exist_ok=True)
    for split, said in utterances().items():
        names = ["sounds/%s-%04d.wav" % (split, number + 1) for number in range(len(said))]
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(say, said, [os.path.join(output, name) for name in names]))
        write(os.path.join(output, split + ".list"), names)
        write(os.path.join(output, split + ".text"), [utterance.text for utterance in said])
        write(os.path.join(output, split + ".voices"), [utterance.voice for utterance in said])
    return 0


if __name__ == "__main__":
    sys.exit(main())
