"""The baselines: a word's most frequent label, and a trigram language model of the text as it was.

  baseline.py most-frequent|trigram TRAIN.words TRAIN.labels < WORDS > LABELS

A word that the training text has not gets the label that is most frequent there. The language model reads words with
their case and marks as tokens of their own, its probabilities smoothed as Kneser and Ney's (Chen and Goodman 1999,
interpolated, one discount). The Viterbi search takes the most probable of all sequences of forms that the words have in
the training text, lower or Upper where they have none, with or without a mark behind each.
"""

from __future__ import annotations

import math
import sys
from collections import Counter, defaultdict
from typing import Dict, Iterator, List, Set, Tuple

Pairs = List[Tuple[List[str], List[str]]]
MARKS = (".", ",")
DISCOUNT = 0.75


def read(path: str) -> List[List[str]]:
    with open(path, encoding="utf-8") as file:
        return [line.split() for line in file]


class MostFrequent:
    """Each word's most frequent label."""

    def __init__(self, pairs: Pairs):
        of_word: Dict[str, Counter] = defaultdict(Counter)
        for words, labels in pairs:
            for word, label in zip(words, labels):
                of_word[word][label] += 1
        self.label = {word: counts.most_common(1)[0][0] for word, counts in of_word.items()}
        self.other = sum(of_word.values(), Counter()).most_common(1)[0][0]

    def labels(self, words: List[str]) -> List[str]:
        return [self.label.get(word, self.other) for word in words]


class Trigrams:
    """P(token | two tokens before), interpolated Kneser-Ney."""

    def __init__(self, sentences: Iterator[List[str]]):
        self.count = [Counter(), Counter(), Counter()]      # by length - 1, of shorter ones: kinds of tokens before
        for tokens in sentences:
            padded = ["<s>", "<s>"] + tokens + ["</s>"]
            self.count[2].update(zip(padded, padded[1:], padded[2:]))
        for length in (1, 0):
            self.count[length].update(key[1:] for key in self.count[length + 1])
        self.total = [Counter(), Counter(), Counter()]
        self.kinds = [Counter(), Counter(), Counter()]
        for length in range(3):
            for key, count in self.count[length].items():
                self.total[length][key[:-1]] += count
                self.kinds[length][key[:-1]] += 1
        self.stored: Dict[tuple, float] = {}

    def probability(self, key: tuple) -> float:
        """Of the last token of the key after the others."""
        if not key:
            return 1 / len(self.count[0])
        order, before = len(key) - 1, key[:-1]
        if not self.total[order][before]:
            return self.probability(key[1:])
        share = max(self.count[order][key] - DISCOUNT, 0) + DISCOUNT * self.kinds[order][before] * \
            self.probability(key[1:])
        return share / self.total[order][before]

    def log(self, first: str, second: str, third: str) -> float:
        key = (first, second, third)
        if key not in self.stored:
            self.stored[key] = math.log(self.probability(key))
        return self.stored[key]


class HiddenMarks:
    """The Viterbi search for the most probable sequence of cases and marks."""

    def __init__(self, pairs: Pairs):
        self.seen = Counter((word, label.partition("+")[0]) for words, labels in pairs
                            for word, label in zip(words, labels))
        self.cases: Dict[str, Set[str]] = defaultdict(set)
        for word, case in self.seen:
            self.cases[word].add(case)
        self.model = Trigrams(self._tokens(*pair) for pair in pairs)

    def _token(self, word: str, case: str) -> str:
        """Words that were seen once are of the kind of unknown ones."""
        return "%s/%s" % (word if self.seen[word, case] > 1 else "", case)

    def _tokens(self, words: List[str], labels: List[str]) -> List[str]:
        tokens = []
        for word, label in zip(words, labels):
            case, _, mark = label.partition("+")
            tokens += [self._token(word, case)] + ([mark] if mark else [])
        return tokens

    def labels(self, words: List[str]) -> List[str]:
        best: Dict[Tuple[str, str], Tuple[float, tuple]] = {("<s>", "<s>"): (0.0, ())}
        for word in words:
            after: Dict[Tuple[str, str], Tuple[float, tuple]] = {}
            for (first, second), (score, path) in best.items():
                for case in sorted(self.cases.get(word, ("lower", "Upper"))):
                    token = self._token(word, case)
                    plain = score + self.model.log(first, second, token)
                    ends = [((second, token), plain, case)]
                    ends += [((token, mark), plain + self.model.log(second, token, mark), case + "+" + mark)
                             for mark in MARKS]
                    for state, total, label in ends:
                        if state not in after or total > after[state][0]:
                            after[state] = (total, (path, label))
            best = after
        _, path = max((score + self.model.log(*state, "</s>"), path) for state, (score, path) in best.items())
        found = []
        while path:
            path, label = path
            found.append(label)
        return found[::-1]


def main() -> None:
    pairs = list(zip(read(sys.argv[2]), read(sys.argv[3])))
    model = MostFrequent(pairs) if sys.argv[1] == "most-frequent" else HiddenMarks(pairs)
    sys.stdin.reconfigure(encoding="utf-8")
    for line in sys.stdin:
        print(" ".join(model.labels(line.split())))


if __name__ == "__main__":
    main()
