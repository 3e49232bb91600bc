"""The baselines: the most frequent language, and naive Bayes over characters.

  baseline.py most-frequent|ORDER TRAIN.text TRAIN.language < TEXT > LANGUAGES

Naive Bayes counts in the training text all sequences of 1 to ORDER characters, a space before and behind each line, and
takes the language in which those of the line are most probable: P(language) prod P(sequence | language), with one added
to each count.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from typing import Callable, Dict, List


def sequences(line: str, order: int) -> List[str]:
    padded = " %s " % line
    return [padded[at:at + length] for length in range(1, order + 1) for at in range(len(padded) - length + 1)]


def most_frequent(labels: List[str]) -> Callable[[str], str]:
    answer = Counter(labels).most_common(1)[0][0]
    return lambda line: answer


def naive_bayes(lines: List[str], labels: List[str], order: int) -> Callable[[str], str]:
    counts: Dict[str, Counter] = {label: Counter() for label in sorted(set(labels))}
    for line, label in zip(lines, labels):
        counts[label].update(sequences(line, order))
    kinds = len(set().union(*counts.values()))
    prior = {label: math.log(labels.count(label) / len(labels)) for label in counts}
    total = {label: math.log(sum(counted.values()) + kinds) for label, counted in counts.items()}

    def predict(line: str) -> str:
        found = sequences(line, order)
        return max(counts, key=lambda label: prior[label] - len(found) * total[label] +
                   sum(math.log(counts[label][sequence] + 1) for sequence in found))

    return predict


def read(path: str) -> List[str]:
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def main() -> None:
    kind, lines, labels = sys.argv[1], read(sys.argv[2]), read(sys.argv[3])
    predict = most_frequent(labels) if kind == "most-frequent" else naive_bayes(lines, labels, int(kind))
    sys.stdin.reconfigure(encoding="utf-8")
    for line in sys.stdin:
        print(predict(line.rstrip("\n")))


if __name__ == "__main__":
    main()
