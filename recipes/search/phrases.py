"""Phrases from references that translations must have, and whether they have them.

    phrases.py cut WORDS SOURCE REFERENCE > TERMS     a random phrase of each reference, of so many words or all it has
    phrases.py check TERMS SOURCE OUTPUT              fails where a line lacks its phrase

TERMS are for `heed translate --terminology`: the source term is the whole line, so that a phrase counts for that line alone.
"""

import random
import sys
from pathlib import Path
from typing import Dict, List


def lines(path: str) -> List[str]:
    return Path(path).read_text(encoding="utf-8").split("\n")[:-1]


def cut(words: int, source: str, reference: str) -> None:
    draw, seen = random.Random(1), set()
    for line, translation in zip(lines(source), lines(reference)):
        have = translation.split()
        if line in seen or not have:  # a line that comes again has the phrase of its first time
            continue
        seen.add(line)
        begin = draw.randint(0, max(0, len(have) - words))
        print(line, " ".join(have[begin:begin + words]), sep="\t")


def check(terms: str, source: str, output: str) -> None:
    required: Dict[str, str] = dict(line.split("\t") for line in lines(terms))
    pairs = [(required[line], made) for line, made in zip(lines(source), lines(output)) if line in required]
    missing = [(phrase, made) for phrase, made in pairs if f" {phrase}" not in f" {made}"]
    longer = sum(f" {phrase} " not in f" {made} " for phrase, made in pairs) - len(missing)
    print(f"{output}: {len(pairs) - len(missing)} of {len(pairs)} phrases, {longer} with letters behind their last word",
          file=sys.stderr)
    if missing:
        sys.exit("phrases.py: no %r in: %s" % missing[0])


if __name__ == "__main__":
    if sys.argv[1] == "cut":
        cut(int(sys.argv[2]), *sys.argv[3:])
    else:
        check(*sys.argv[2:])
