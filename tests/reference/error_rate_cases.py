"""Writes tests/metrics/data/error_rates.json: inputs of our own and what jiwer 4.0.0 makes of them.

    pip install jiwer==4.0.0 rapidfuzz==3.14.6; python3.11 tests/reference/error_rate_cases.py
"""
import importlib.metadata
import json
import pathlib
import random

import jiwer

from random_text import line, noisy_copy

assert importlib.metadata.version("jiwer") == "4.0.0"
OUT = pathlib.Path(__file__).parent.parent / "metrics" / "data" / "error_rates.json"


def letters(rng, longest):
    return " ".join(rng.choice("abc") for _ in range(rng.randint(0, longest)))


def corpora(rng):
    yield ["the cat sat on mat now"], ["the cat sat on the mat"]
    yield ["a b", ""], ["", "a b c"]
    yield [""], [""]
    yield ["a b c"], [""]
    yield ["a\tb  c\u00a0d \u2003e\t\tf \t"], ["a b c d e f"]
    yield [" a  b"], ["a b "]
    yield ["Größe 你好"], ["grösse 您好 !"]
    for longest in (3, 8, 20, 60):
        for _ in range(8):
            count = rng.randint(1, 6)
            yield [letters(rng, longest) for _ in range(count)], [letters(rng, longest) for _ in range(count)]
    for _ in range(20):
        texts = [line(rng) for _ in range(rng.randint(1, 4))]
        yield [noisy_copy(rng, text) for text in texts], texts


def measured(process, hypotheses, references):
    found = process(references, hypotheses)
    return {"rate": found.wer if process is jiwer.process_words else found.cer,
            "edits": [found.substitutions, found.deletions, found.insertions]}


def main():
    cases = [{"hypotheses": hypotheses, "references": references,
              "WER": measured(jiwer.process_words, hypotheses, references),
              "CER": measured(jiwer.process_characters, hypotheses, references)}
             for hypotheses, references in corpora(random.Random(1))]
    OUT.write_text("[\n" + ",\n".join(json.dumps(case, ensure_ascii=False, separators=(",", ":")) for case in cases) + "\n]\n",
                   encoding="utf-8")


if __name__ == "__main__":
    main()
