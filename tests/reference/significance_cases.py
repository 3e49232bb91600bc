"""Writes tests/metrics/data/{numpy_random,significance}.json: NumPy 1.24's random numbers and means, and what sacreBLEU
2.6.0's tests of significance make of small corpora of our own.

    pip install sacrebleu==2.6.0 numpy==1.24.2; python tests/reference/significance_cases.py
"""
import itertools
import json
import os
import pathlib
import random
import statistics

import numpy as np
import sacrebleu
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest, _bootstrap_resample, estimate_ci

from random_text import line, noisy_copy

assert sacrebleu.__version__ == "2.6.0" and np.__version__ == "1.24.2"
OUT = pathlib.Path(__file__).parent.parent / "metrics" / "data"
SEEDS = ["0", "1", "42", "12345", "4294967295", "4294967296", "18446744073709551616", "340282366920938463463374607431768211456",
         "123456789012345678901234567890123456789012345678901234567890"]


def checksum(values):
    total = 0
    for value in values:
        total = (total * 31 + int(value)) % 2**64
    return str(total)


def random_cases():
    for seed in SEEDS:
        words = np.random.default_rng(int(seed)).integers(0, 2**64, size=8, dtype=np.uint64)
        bits = np.random.default_rng(int(seed)).integers(2, size=200, dtype=bool)
        choices = []
        for population in [1, 2, 3, 10, 1000, 3004, 2**31 + 1, 3 * 2**30, 2**32 - 1]:
            drawn = np.random.default_rng(int(seed)).choice(population, size=2001)
            choices.append({"population": population, "first": drawn[:5].tolist(), "checksum": checksum(drawn)})
        yield {"seed": seed, "words": [str(word) for word in words], "bits": "".join(str(int(bit)) for bit in bits),
               "choices": choices}


def mean_cases():
    for count in [1, 2, 7, 8, 9, 100, 127, 128, 129, 300, 1000, 8191, 8192, 8193, 10000, 20011]:
        values = [(i * 2654435761 % 2**32) / 2**32 * 100 for i in range(count)]
        yield {"count": count, "numpy": float(np.mean(values)), "exact": statistics.mean(values)}
    for values in [[0.1] * 10, [1e-320, 5e-324, 0.0], [1e15, 0.1, -0.3], [-1.5, -2.25, -1e-9], [0.0], [3.0, -3.0]]:
        yield {"values": values, "numpy": float(np.mean(values)), "exact": statistics.mean(values)}


def corpus(rng, segments, systems, references):
    lengths = [2, 6, 14] if segments > 1 else [14]  # a lone short one would often score 0
    texts = [line(rng, rng.choice(lengths)) for _ in range(segments)]
    return ([[noisy_copy(rng, text) for text in texts] for _ in range(systems)],
            [[noisy_copy(rng, text) for text in texts] for _ in range(references)])


def confidence_case(texts, samples, seed, smooth, value):
    (system,), refs = texts
    bleu = BLEU(smooth_method=smooth, smooth_value=value, force=True, references=refs)
    os.environ["SACREBLEU_SEED"] = seed
    _, resampled = _bootstrap_resample(bleu._extract_corpus_statistics(system, None), bleu, samples)
    scores = [score.score for score in resampled]
    result = bleu.corpus_score(system, None, n_bootstrap=samples)
    mean, half_width = estimate_ci(np.array(scores))
    return {"samples": samples, "seed": seed, "smooth": smooth, "value": value, "scores": scores[:3], "mean": result._mean,
            "half_width": result._ci, "numpy_mean": mean}


def paired_case(texts, kind, samples, seed, smooth, value):
    systems, refs = texts
    bleu = BLEU(smooth_method=smooth, smooth_value=value, force=True, references=refs)
    os.environ["SACREBLEU_SEED"] = seed
    named = [(str(number), text) for number, text in enumerate(systems)]
    _, scores = PairedTest(named, {"BLEU": bleu}, references=None, test_type=kind, n_samples=samples)()
    return {"kind": kind, "samples": samples, "seed": seed, "smooth": smooth, "value": value,
            "results": [vars(result) for result in scores["BLEU"]]}


SMOOTHING = [("exp", None), ("add-k", 1), ("add-k", 1.7), ("floor", 0.1), ("none", None)]


def significance_cases(rng):
    """Each corpus with the cases of all ways of smoothing."""
    for segments, samples in itertools.product([1, 5, 30], [1, 39, 40, 200]):
        texts = corpus(rng, segments, 1, rng.choice([1, 2]))
        yield {"systems": texts[0], "references": texts[1],
               "cases": [confidence_case(texts, samples, rng.choice(SEEDS), *smoothing) for smoothing in SMOOTHING]}
    for kind, segments in itertools.product(["bs", "ar"], [1, 6, 47, 48, 60]):
        systems, references = corpus(rng, segments, rng.choice([2, 3]), 1)
        if segments in (6, 48):
            systems[-1] = systems[0]
        yield {"systems": systems, "references": references,
               "cases": [paired_case((systems, references), kind, rng.choice([1, 50, 600]), rng.choice(SEEDS[1:]), *smoothing)
                         for smoothing in SMOOTHING]}


def write(name, cases):
    text = ",\n".join(json.dumps(case, ensure_ascii=False, separators=(",", ":")) for case in cases)
    (OUT / name).write_text(f"[\n{text}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    write("numpy_random.json", random_cases())
    write("means.json", mean_cases())
    write("significance.json", significance_cases(random.Random(31)))
