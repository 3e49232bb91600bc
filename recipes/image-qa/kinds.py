#!/usr/bin/env python3
"""Right answers by kind of question, as a table.

    kinds.py DATA RUN...    each RUN has test.answers; beside them the most frequent answer of each kind in training
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from typing import Dict, List


def lines_of(*path: str) -> List[str]:
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read().splitlines()


def most_frequent(data: str) -> Dict[str, str]:
    """The most frequent answer of each kind of question in training."""
    counts: Dict[str, Counter] = {}
    for kind, answer in zip(lines_of(data, "train.kinds"), lines_of(data, "train.answers")):
        counts.setdefault(kind, Counter())[answer] += 1
    return {kind: min(of_kind, key=lambda answer: (-of_kind[answer], answer))
            for kind, of_kind in counts.items()}


def row(name: str, kinds: List[str], right: List[str], given: List[str]) -> str:
    asked, hits = Counter(kinds), Counter(kind for kind, a, b in zip(kinds, right, given) if a == b)
    cells = ["%.1f" % (100 * sum(hits.values()) / len(kinds))]
    cells += ["%.1f" % (100 * hits[kind] / asked[kind]) for kind in sorted(asked)]
    return "| %s | %s |" % (name, " | ".join(cells))


def main() -> int:
    if len(sys.argv) < 3:
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    data, *runs = sys.argv[1:]
    kinds, right = lines_of(data, "test.kinds"), lines_of(data, "test.answers")
    names = sorted(set(kinds))
    print("| answers from | all | %s |" % " | ".join(names))
    print("|---|---|%s" % ("---|" * len(names)))
    frequent = most_frequent(data)
    print(row("most frequent answer", kinds, right, [frequent[kind] for kind in kinds]))
    for run in runs:
        print(row(os.path.basename(run), kinds, right, lines_of(run, "test.answers")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
