"""Texts of the recipe, from Multi30k's raw text in four languages.

  prepare.py MULTI30K FOLDER

writes into FOLDER

  sentences/{train,valid,test}.{text,language}   every sentence and its language
  pieces/{train,valid,test}.{text,language}      one sentence of four, and every word of the text, in the training part
                                                 three times; the test set is the same as the other
  words.{text,language}, seen.{text,language}    words of the test set that the training text has not, and has

A word is letters, with apostrophes or hyphens between them, and not the first one of its sentence. Words of the test set
count once, and only if training and test text of no other language have them; case makes no difference to that.
"""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path
from typing import Dict, List, Set, Tuple

LANGUAGES = ("en", "de", "fr", "cs")
SPLITS = {"train": "train", "valid": "val", "test": "test_2016_flickr"}
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")

Labelled = Tuple[str, str]


def read(folder: Path, split: str) -> Dict[str, List[str]]:
    """The sentences of each language."""
    return {language: (folder / ("%s.%s" % (SPLITS[split], language))).read_text(encoding="utf-8").splitlines()
            for language in LANGUAGES}


def inner_words(sentence: str) -> List[str]:
    """All words but the first."""
    return WORD.findall(sentence)[1:]


def labelled(text: Dict[str, List[str]]) -> List[Labelled]:
    """The sentences with their language, one of each language after the other."""
    return [(text[language][line], language) for line in range(len(text["en"])) for language in LANGUAGES]


def pieces(text: Dict[str, List[str]], times: int) -> List[Labelled]:
    """A quarter of the sentences, and each language's words so many times, shuffled."""
    sentences = [pair for at, pair in enumerate(labelled(text)) if at // len(LANGUAGES) % 4 == 0]
    words = [(word, language) for language, lines in text.items()
             for word in sorted({word for line in lines for word in inner_words(line)})]
    lines = sentences + times * words
    random.Random(1).shuffle(lines)
    return lines


def forms(text: Dict[str, List[str]]) -> Dict[str, Set[str]]:
    """The words of each language, in lower case."""
    return {language: {word.lower() for line in lines for word in WORD.findall(line)}
            for language, lines in text.items()}


def test_words(train: Dict[str, List[str]], test: Dict[str, List[str]]) -> Tuple[List[Labelled], List[Labelled]]:
    """Words of one language alone: unseen and seen ones."""
    known, met = forms(train), forms(test)
    found: Dict[str, Labelled] = {}
    for language in LANGUAGES:
        others = set().union(*(known[other] | met[other] for other in LANGUAGES if other != language))
        for line in test[language]:
            for word in inner_words(line):
                if word.lower() not in others:
                    found.setdefault(word.lower(), (word, language))
    unseen = [pair for form, pair in found.items() if form not in known[pair[1]]]
    return unseen, [pair for form, pair in found.items() if form in known[pair[1]]]


def write(lines: List[Labelled], stem: Path) -> None:
    stem.parent.mkdir(parents=True, exist_ok=True)
    for ending, column in (("text", 0), ("language", 1)):
        content = "".join(line[column] + "\n" for line in lines)
        stem.with_name("%s.%s" % (stem.name, ending)).write_text(content, encoding="utf-8")


def main() -> None:
    source, folder = Path(sys.argv[1]), Path(sys.argv[2])
    text = {split: read(source, split) for split in SPLITS}
    for split in SPLITS:
        sentences = labelled(text[split])
        write(sentences, folder / "sentences" / split)
        write(sentences if split == "test" else pieces(text[split], 3 if split == "train" else 1), folder / "pieces" / split)
    unseen, seen = test_words(text["train"], text["test"])
    write(seen, folder / "seen")
    write(unseen, folder / "words")


if __name__ == "__main__":
    main()
