#!/usr/bin/env python3
"""Generates the quickstart corpus, or checks that the files here are its output.

    python3 generate.py --output DIR [--seed N] [--train N --dev N --test N]
    python3 generate.py --check
    python3 generate.py --baseline

The modules, from the words up: rng.py (random numbers), english.py and
german.py (morphology), lexicon.py (word tables), grammar.py (phrases and
clauses that realise themselves in both languages), frames.py (which sentences
are made), and this file (splits, files, checks).
"""

from __future__ import annotations

import argparse
import os
import sys
import unicodedata
from collections import Counter
from typing import Dict, Iterator, List

from frames import Composer, Pair
from rng import hash_text

SEED, TRAIN, DEV, TEST = 1, 20000, 1000, 1000
SHORTEST, LONGEST = 4, 30       # words a sentence
LEAST_SEEN = 8                  # times a dev or test word occurs in train
LEAST_TYPES = 1500              # word types a side
LEAST_MEAN = 10.0               # mean words a sentence
LARGEST = 4 * 1000 * 1000       # bytes, all files together
PUNCTUATION = ".,?!"

Splits = Dict[str, List[Pair]]


class Broken(Exception):
    """A promise of the corpus does not hold."""


def demand(holds: bool, sentence: str) -> None:
    if not holds:
        raise Broken(sentence)


def word_types(sentence: str) -> List[str]:
    """The words of a sentence without punctuation."""
    return [word.strip(PUNCTUATION) for word in sentence.split()]


# ---------------------------------------------------------------------------
# Making the splits
# ---------------------------------------------------------------------------

def candidates(seed: int) -> Iterator[Pair]:
    """New sentence pairs of fitting length, without end."""
    composer = Composer(seed)
    translation: Dict[str, str] = {}
    while True:
        pair = composer.compose()
        known = translation.get(pair.source)
        if known is not None:
            demand(known == pair.target, "Two translations of: " + pair.source)
            continue
        translation[pair.source] = pair.target
        fits = all(SHORTEST <= len(side.split()) <= LONGEST
                   for side in (pair.source, pair.target))
        if fits:
            yield pair


def home(pair: Pair) -> str:
    """The split a pair may go to, decided by its signature alone, so that no
    combination of frame, verbs and nouns can be in two splits.  Signatures of
    one or two words are left to train."""
    if not pair.nouns or len(pair.nouns) + len(pair.verbs) < 3:
        return "train"
    return {0: "dev", 1: "test"}.get(hash_text(pair.signature) % 14, "train")


def make_splits(seed: int, sizes: Dict[str, int]) -> Splits:
    """Fills train first; then dev and test with pairs of well-known words."""
    stream = candidates(seed)
    splits: Splits = {"train": [], "dev": [], "test": []}
    waiting: List[Pair] = []
    while len(splits["train"]) < sizes["train"]:
        pair = next(stream)
        (splits["train"] if home(pair) == "train" else waiting).append(pair)
    seen = count_types(splits["train"])
    tried, limit = 0, 20000 + 5 * sum(sizes.values())
    while any(len(splits[name]) < sizes[name] for name in ("dev", "test")):
        pair = waiting[tried] if tried < len(waiting) else next(stream)
        tried += 1
        name = home(pair)
        if name != "train" and len(splits[name]) < sizes[name] and familiar(pair, seen):
            splits[name].append(pair)
        if tried > limit:
            raise Broken("Train is too small for dev and test to have only words "
                         "that it contains %d times." % LEAST_SEEN)
    return splits


def count_types(pairs: List[Pair]) -> List[Counter]:
    """How often each word type occurs, on the English and the German side."""
    counts = [Counter(), Counter()]
    for pair in pairs:
        counts[0].update(word_types(pair.source))
        counts[1].update(word_types(pair.target))
    return counts


def familiar(pair: Pair, seen: List[Counter]) -> bool:
    return (all(seen[0][word] >= LEAST_SEEN for word in word_types(pair.source))
            and all(seen[1][word] >= LEAST_SEEN for word in word_types(pair.target)))


def files_of(splits: Splits) -> Dict[str, str]:
    """File names and their contents."""
    files = {}
    for name, pairs in splits.items():
        files[name + ".en"] = "".join(pair.source + "\n" for pair in pairs)
        files[name + ".de"] = "".join(pair.target + "\n" for pair in pairs)
    files["test.align"] = "".join(
        " ".join("%d-%d" % link for link in pair.links) + "\n" for pair in splits["test"])
    return files


# ---------------------------------------------------------------------------
# The baseline: a dictionary and nothing else
# ---------------------------------------------------------------------------

def baseline(splits: Splits) -> List[str]:
    """Replaces each English word of the test set with the German word most
    often aligned to it in train (ties: the alphabetically first)."""
    aligned: Dict[str, Counter] = {}
    for pair in splits["train"]:
        source, target = pair.source.split(), pair.target.split()
        for i, j in pair.links:
            aligned.setdefault(source[i], Counter())[target[j]] += 1
    dictionary = {word: min(counts, key=lambda t: (-counts[t], t))
                  for word, counts in aligned.items()}
    return [" ".join(dictionary.get(word, word) for word in pair.source.split())
            for pair in splits["test"]]


# ---------------------------------------------------------------------------
# Checking
# ---------------------------------------------------------------------------

def check_promises(splits: Splits, files: Dict[str, str]) -> List[str]:
    """Raises Broken if a promise does not hold; returns a table of figures."""
    every = [pair for pairs in splits.values() for pair in pairs]
    demand(len({pair.source for pair in every}) == len(every), "A source occurs twice.")
    signatures = [{pair.signature for pair in splits[name]} for name in ("train", "dev", "test")]
    for a, b in ((0, 1), (0, 2), (1, 2)):
        demand(not signatures[a] & signatures[b],
               "A combination of frame, verbs and nouns is in two splits.")
    seen = count_types(splits["train"])
    demand(all(familiar(pair, seen) for pair in splits["dev"] + splits["test"]),
           "A word of dev or test occurs in train fewer than %d times." % LEAST_SEEN)
    for pair in every:
        check_pair(pair)
    text = "".join(files.values())
    demand(unicodedata.normalize("NFC", text) == text, "A file is not in NFC.")
    demand("\r" not in text and "  " not in text, "A file has stray white space.")
    size = sum(len(content.encode("utf-8")) for content in files.values())
    demand(size < LARGEST, "The files are larger than %d bytes." % LARGEST)
    return table(splits, size)


def check_pair(pair: Pair) -> None:
    """Length, and an alignment that reaches every word of both sides."""
    lengths = len(pair.source.split()), len(pair.target.split())
    demand(all(SHORTEST <= length <= LONGEST for length in lengths),
           "A sentence is too short or too long: " + pair.source)
    demand({i for i, _ in pair.links} == set(range(lengths[0]))
           and {j for _, j in pair.links} == set(range(lengths[1])),
           "A word is not aligned in: " + pair.source)
    demand(pair.links == sorted(set(pair.links)), "Links are not sorted: " + pair.source)


def table(splits: Splits, size: int) -> List[str]:
    """Figures for each split and language."""
    rows = ["%-6s %-5s %7s %8s %7s %6s %9s" %
            ("split", "side", "pairs", "words", "types", "mean", "shortest-longest")]
    for name, pairs in splits.items():
        for side, label in ((0, "en"), (1, "de")):
            lengths = [len(pair[side].split()) for pair in pairs]
            types = {word for pair in pairs for word in word_types(pair[side])}
            mean = sum(lengths) / max(1, len(lengths))
            rows.append("%-6s %-5s %7d %8d %7d %6.2f %5d-%d" % (
                name, label, len(pairs), sum(lengths), len(types), mean,
                min(lengths, default=0), max(lengths, default=0)))
            if name == "train":
                demand(len(types) >= LEAST_TYPES, "Fewer than %d types." % LEAST_TYPES)
            demand(mean >= LEAST_MEAN, "The mean length is below %g words." % LEAST_MEAN)
    links = sum(len(pair.links) for pair in splits["test"])
    rows.append("test.align: %d links; all files: %d bytes" % (links, size))
    return rows


def check(directory: str) -> List[str]:
    """Compares the files in a directory with what this program makes."""
    splits = make_splits(SEED, {"train": TRAIN, "dev": DEV, "test": TEST})
    files = files_of(splits)
    for name, content in files.items():
        path = os.path.join(directory, name)
        demand(os.path.exists(path), "The file %s is missing." % name)
        with open(path, "rb") as file:
            demand(file.read() == content.encode("utf-8"),
                   "The file %s differs from what generate.py makes." % name)
    return check_promises(splits, files)


def main() -> int:
    parser = argparse.ArgumentParser(description="Generate or check the quickstart corpus.")
    parser.add_argument("--output", metavar="DIR", help="write all files to this folder")
    parser.add_argument("--check", action="store_true", help="check the files beside this program")
    parser.add_argument("--baseline", action="store_true",
                        help="write a word-for-word translation of the test set to stdout")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--train", type=int, default=TRAIN)
    parser.add_argument("--dev", type=int, default=DEV)
    parser.add_argument("--test", type=int, default=TEST)
    options = parser.parse_args()
    if not (options.output or options.check or options.baseline):
        parser.error("say --output DIR, --check or --baseline")
    try:
        if options.check:
            print("\n".join(check(os.path.dirname(os.path.abspath(__file__)))))
            print("All promises hold.")
        if options.output or options.baseline:
            splits = make_splits(options.seed, {"train": options.train, "dev": options.dev,
                                                "test": options.test})
        if options.output:
            os.makedirs(options.output, exist_ok=True)
            for name, content in files_of(splits).items():
                with open(os.path.join(options.output, name), "w", encoding="utf-8",
                          newline="\n") as file:
                    file.write(content)
        if options.baseline:
            text = "".join(line + "\n" for line in baseline(splits))
            sys.stdout.buffer.write(text.encode("utf-8"))
    except Broken as broken:
        print("generate.py: " + str(broken), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
