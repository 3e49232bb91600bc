"""Words without case and punctuation, and the labels that bring both back.

  labels.py take STEM < TEXT         writes STEM.words, STEM.labels and STEM.restored of the text
  labels.py restore WORDS LABELS     prints the sentences that labels make of words

A label is the case of a word, and the mark behind it if there is one:

  lower    the letters as they are           Upper   the first one a capital
  Title    the first one of each part that hyphens leave, as in T-Shirt
  ALL      all of them, of several letters

with +. or +, behind it. The marks ! and ? count as full stops, : and ; as commas; quotes, brackets and dashes are left
out. STEM.restored is what labels should make: the text with these marks, its capitals as they are.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import List, NamedTuple

TOKEN = re.compile(r"\W*(.*?)(\W*)")
MARKS = {".": ".", "!": ".", "?": ".", ",": ",", ";": ",", ":": ","}


class Word(NamedTuple):
    form: str   # as it stands in the text
    mark: str   # ".", "," or nothing


def words_of(sentence: str) -> List[Word]:
    words = []
    for token in sentence.split():
        form, behind = TOKEN.fullmatch(token).groups()
        marks = [MARKS[character] for character in behind if character in MARKS]
        if form:
            words.append(Word(form, marks[0] if marks else ""))
    return words


def case_of(form: str) -> str:
    if form == form.lower():
        return "lower"
    for case in ("Upper", "Title", "ALL"):
        if form == in_case(form.lower(), case):
            return case
    return "Upper" if form[0].isupper() else "lower"


def in_case(word: str, case: str) -> str:
    if case == "Upper":
        return word[0].upper() + word[1:]
    if case == "Title":
        return "-".join(part[:1].upper() + part[1:] for part in word.split("-"))
    return word.upper() if case == "ALL" else word


def label_of(word: Word) -> str:
    return case_of(word.form) + ("+" + word.mark if word.mark else "")


def restored(words: List[str], labels: List[str]) -> str:
    return " ".join(in_case(word, case) + mark
                    for word, (case, _, mark) in zip(words, (label.partition("+") for label in labels)))


def take(stem: str, sentences: List[str]) -> None:
    lines = [words_of(sentence) for sentence in sentences]
    for ending, of_word in (("words", lambda word: word.form.lower()), ("labels", label_of), ("restored", "".join)):
        content = "".join(" ".join(map(of_word, line)) + "\n" for line in lines if line)
        Path("%s.%s" % (stem, ending)).write_text(content, encoding="utf-8")


def main() -> None:
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(encoding="utf-8")
    if sys.argv[1] == "take":
        take(sys.argv[2], sys.stdin.read().splitlines())
        return
    words, labels = (Path(path).read_text(encoding="utf-8").splitlines() for path in sys.argv[2:4])
    for line in zip(words, labels):
        print(restored(line[0].split(), line[1].split()))


if __name__ == "__main__":
    main()
