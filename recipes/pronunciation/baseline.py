"""The baseline: tables of letters in their neighborhood.

  baseline.py TRAIN.letters TRAIN.phonemes < LETTERS > PHONEMES

Each letter is said as no phoneme, one or two. Which phonemes of a word are whose is found by maximizing
prod P(phonemes | letter) over all ways to cut a pronunciation, with P counted anew from the best cuts. Then a letter is
said as most often in the training text in the widest neighborhood, up to four letters on either side, that is there
(van den Bosch and Daelemans 1993, https://aclanthology.org/E93-1007).
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from typing import Dict, List, Tuple

SIDES = ((0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (2, 3), (3, 3), (3, 4), (4, 4))    # letters before and behind
ROUNDS, SAMPLE = 5, 6       # the first rounds count in one of SAMPLE words

Said = Tuple[str, ...]


class Costs:
    """-log P(phonemes | letter) of counted cuts; before the first count, two or none cost more than one."""

    def __init__(self, counts: Counter):
        self.counts = counts
        self.total: Counter = Counter()
        for (letter, _), count in counts.items():
            self.total[letter] += count

    def of(self, letter: str, said: Said) -> float:
        if not self.counts:
            return 0.0 if len(said) == 1 else 2.0
        return -math.log((self.counts[letter, said] + 0.01) / (self.total[letter] + 1))


def cut(letters: List[str], phonemes: List[str], costs: Costs) -> List[Said]:
    """What each letter says of the pronunciation, by the cheapest cut."""
    best: List[Dict[int, Tuple[float, int]]] = [{0: (0.0, 0)}]
    for letter in letters:
        after: Dict[int, Tuple[float, int]] = {}
        for at, (cost, _) in best[-1].items():
            for length in range(min(2, len(phonemes) - at) + 1):
                total = cost + costs.of(letter, tuple(phonemes[at:at + length]))
                if at + length not in after or total < after[at + length][0]:
                    after[at + length] = (total, length)
        best.append(after)
    end, said = len(phonemes), []
    if end not in best[-1]:
        return []       # more than two phonemes a letter
    for column in reversed(best[1:]):
        length = column[end][1]
        said.append(tuple(phonemes[end - length:end]))
        end -= length
    return said[::-1]


def neighborhoods(letters: List[str], at: int) -> List[str]:
    """From the widest to the letter alone."""
    padded, center = "    " + "".join(letters) + "    ", at + 4
    return ["%d%s" % (index, padded[center - before:center + behind + 1])
            for index, (before, behind) in reversed(list(enumerate(SIDES)))]


def learn(pairs: List[Tuple[List[str], List[str]]]) -> Dict[str, Said]:
    costs = Costs(Counter())
    for _ in range(ROUNDS):
        counts: Counter = Counter()
        for letters, phonemes in pairs[::SAMPLE]:
            counts.update(zip(letters, cut(letters, phonemes, costs)))
        costs = Costs(counts)
    seen: Counter = Counter()
    for letters, phonemes in pairs:
        for at, said in enumerate(cut(letters, phonemes, costs)):
            seen.update((context, said) for context in neighborhoods(letters, at))
    table: Dict[str, Tuple[int, Said]] = {}
    for (context, said), count in seen.items():
        if context not in table or count > table[context][0]:
            table[context] = (count, said)
    return {context: said for context, (_, said) in table.items()}


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as letters, open(sys.argv[2], encoding="utf-8") as phonemes:
        table = learn([(word.split(), said.split()) for word, said in zip(letters, phonemes)])
    for line in sys.stdin:
        word = line.split()
        found = (next(context for context in neighborhoods(word, at) if context in table) for at in range(len(word)))
        print(" ".join(phoneme for context in found for phoneme in table[context]))


if __name__ == "__main__":
    main()
