"""Writes tests/metrics/data/labels.json: labels of our own and what scikit-learn 1.9.1 and seqeval 1.2.2 make of them.

    pip install scikit-learn==1.9.1 seqeval==1.2.2; python3.11 tests/reference/label_cases.py
"""
import importlib.metadata
import json
import pathlib
import random
import warnings

import seqeval.metrics
import sklearn
import sklearn.metrics

assert sklearn.__version__ == "1.9.1" and importlib.metadata.version("seqeval") == "1.2.2"
OUT = pathlib.Path(__file__).parent.parent / "metrics" / "data" / "labels.json"
CLASSES = ["positive", "negative", "neutral", "Ärger", "über", "zorn", "0.5", "你好", "_", "rare"]
TYPES = ["PER", "LOC", "A-B", "MISC"]


def noisy(rng, labels, inventory, share):
    return [rng.choice(inventory) if rng.random() < share else label for label in labels]


def lines_of_classes(rng):
    inventory = CLASSES[:rng.randint(1, len(CLASSES))]
    longest = rng.choice([1, 1, 6])
    gold = [[rng.choice(inventory) for _ in range(rng.randint(1, longest))] for _ in range(rng.randint(1, 30))]
    return [noisy(rng, line, CLASSES, rng.choice([0, 0.2, 0.6])) for line in gold], gold


def flat(lines):
    return [label for line in lines for label in line]


def class_case(found, gold):
    y_true, y_pred = flat(gold), flat(found)
    names = sorted(set(y_true) | set(y_pred))
    precision, recall, f1, support = sklearn.metrics.precision_recall_fscore_support(
        y_true, y_pred, labels=names, zero_division=0)
    matrix = sklearn.metrics.confusion_matrix(y_true, y_pred, labels=names)
    return {"found": [" ".join(line) for line in found], "gold": [" ".join(line) for line in gold],
            "accuracy": sklearn.metrics.accuracy_score(y_true, y_pred),
            "macro-f1": sklearn.metrics.f1_score(y_true, y_pred, average="macro", zero_division=0),
            "classes": names, "precision": precision.tolist(), "recall": recall.tolist(), "f1": f1.tolist(),
            "support": support.tolist(), "matrix": matrix.tolist()}


def tags(rng, places):
    return [rng.choice(["O"] + [f"{place}-{kind}" for place in places for kind in TYPES[:rng.randint(1, len(TYPES))]])
            for _ in range(rng.randint(1, 12))]


def well_formed(rng):
    """Spans in IOB2."""
    line = []
    while len(line) < 10:
        kind = rng.choice(TYPES)
        line += rng.choice([["O"], ["O", "O"], [f"B-{kind}"], [f"B-{kind}", f"I-{kind}"], [f"B-{kind}"] + [f"I-{kind}"] * 3])
    return line


def lines_of_tags(rng):
    places = rng.choice(["BI", "I", "BIES", "BIES"])
    count = rng.randint(1, 6)
    gold = [well_formed(rng) if rng.random() < 0.4 else tags(rng, places) for _ in range(count)]
    inventory = ["O"] + [f"{place}-{kind}" for place in places for kind in TYPES]
    return [noisy(rng, line, inventory, rng.choice([0, 0.1, 0.5])) for line in gold], gold


def span_case(found, gold):
    return {"found": [" ".join(line) for line in found], "gold": [" ".join(line) for line in gold],
            "precision": float(seqeval.metrics.precision_score(gold, found, zero_division=0)),
            "recall": float(seqeval.metrics.recall_score(gold, found, zero_division=0)),
            "f1": float(seqeval.metrics.f1_score(gold, found, zero_division=0))}


HAND_MADE = [("B-PER I-PER O", "B-PER I-PER O"), ("I-PER I-PER O", "B-PER I-PER O"), ("B-PER I-LOC O", "B-PER I-PER O"),
             ("E-PER O S-LOC", "S-PER O B-LOC"), ("B I O", "B I O"), ("O O O", "O O O"), ("B-PER E-PER I-PER", "B-PER E-PER B-PER"),
             ("I-PER B-PER I-PER", "I-PER I-PER I-PER"), ("O O", "B-A-B I-A-B")]


def main():
    warnings.simplefilter("ignore")
    rng = random.Random(2)
    classes = [class_case(*lines_of_classes(rng)) for _ in range(25)]
    spans = [span_case([found.split()], [gold.split()]) for found, gold in HAND_MADE]
    spans += [span_case(*lines_of_tags(rng)) for _ in range(60)]
    written = {"classes": classes, "spans": spans}
    OUT.write_text("{\n" + ",\n".join(f'"{name}": [\n' + ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases) + "\n]"
                                      for name, cases in written.items()) + "\n}\n")


if __name__ == "__main__":
    main()
