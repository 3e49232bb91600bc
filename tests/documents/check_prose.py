"""Counts phrases in the documents for which the field has a plainer word, and sentences that are too long.

    python3 tests/documents/check_prose.py [--list] [ROOT]     ROOT: the repository (default: the one this file is in)

vocabulary.tsv next to this file has a pattern and what to write instead on each line. A hit is a place to look at, not always
a mistake: hence limits for all documents together instead of none at all. Exits with 1 if a limit is exceeded. Lower the
limits whenever pages become plainer: the aim is 1.5 phrases per 1,000 words and 10 long sentences.
"""

import argparse
import pathlib
import re
import sys

PHRASES_PER_1000_WORDS = 1.5
LONG_SENTENCES = 10
LONG = 30  # words
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "lib/README.md", "docs/**/*.md")


def read_vocabulary(path):
    """Pairs of a pattern and what to write instead."""
    rules = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line and not line.startswith("#"):
            if line.count("\t") != 1:
                sys.exit(f"{path}:{number}: expected a pattern, a tab and what to write instead")
            pattern, better = line.split("\t")
            rules.append((re.compile(pattern, re.IGNORECASE), better))
    return rules


def prose(path):
    """The lines of a document with their numbers, without fenced code, inline code and targets of links."""
    fence = None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        mark = re.match(r"\s*(```+|~~~+)", line)
        if mark:
            fence = mark[1] if fence is None else None if mark[1].startswith(fence) else fence
        elif fence is None:
            yield number, re.sub(r"`[^`]*`|\]\([^)]*\)", "", line)


def long_sentences(lines):
    """Sentences of paragraphs (not of tables, lists and headings) with more than LONG words, with the line of the paragraph."""
    paragraph = []
    for number, line in [*lines, (0, "")]:
        if line.strip() and not line.lstrip().startswith(("|", "#", "-", "<")):
            paragraph.append((number, line))
            continue
        for sentence in re.split(r"(?<=[.!?])\s+", " ".join(text for _, text in paragraph)):
            if len(sentence.split()) > LONG:
                yield paragraph[0][0], sentence
        paragraph = []


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--list", action="store_true", help="print every hit")
    parser.add_argument("root", nargs="?", default=pathlib.Path(__file__).resolve().parents[2], type=pathlib.Path)
    arguments = parser.parse_args()
    rules = read_vocabulary(pathlib.Path(__file__).with_name("vocabulary.tsv"))
    words, phrases, long = 0, [], []
    for document in sorted({path for pattern in DOCUMENTS for path in arguments.root.glob(pattern)}):
        name, lines = document.relative_to(arguments.root), list(prose(document))
        words += sum(len(line.split()) for _, line in lines)
        phrases += [f"{name}:{number}: {match[0]!r}: write {better}"
                    for number, line in lines for rule, better in rules for match in rule.finditer(line)]
        long += [f"{name}:{number}: {len(sentence.split())} words: {sentence[:80]}..."
                 for number, sentence in long_sentences(lines)]
    if not words:
        sys.exit(f"{arguments.root} has no documents")
    rate = 1000 * len(phrases) / words
    too_many = rate > PHRASES_PER_1000_WORDS or len(long) > LONG_SENTENCES
    if arguments.list or too_many:
        print("\n".join(phrases + long))
    print(f"{words} words: {rate:.1f} phrases per 1,000 (at most {PHRASES_PER_1000_WORDS}), "
          f"{len(long)} sentences of more than {LONG} words (at most {LONG_SENTENCES})")
    return 1 if too_many else 0


if __name__ == "__main__":
    sys.exit(main())
