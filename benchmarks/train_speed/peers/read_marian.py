"""read_marian.py MODEL DATA: what Marian's log in the folder MODEL says of its speed, as meter.py writes it.

Marian logs every update's target tokens (pieces and end symbols) and seconds. It does not count source tokens, so those
are estimated from the ratio of the whole text in DATA.
"""
import json
import os
import pathlib
import re
import sys

import numpy

UPDATE = re.compile(r"Up\. ([\d,]+) : .* \* ([\d,]+) @ .* : Time ([\d.]+)s")


def tokens(path):
    with open(path, encoding="utf-8") as lines:
        return sum(len(line.split()) + 1 for line in lines)


def parameters(path):
    with numpy.load(path) as arrays:
        return sum(arrays[name].size for name in arrays.files if not name.startswith("special:"))


def main():
    model, data = map(pathlib.Path, sys.argv[1:])
    log = (model / "log").read_text(encoding="utf-8")
    rows = [(int(tokens.replace(",", "")), float(seconds)) for _, tokens, seconds in UPDATE.findall(log)]
    timed = rows[int(os.environ["WARMUP"]):int(os.environ["UPDATES"]) - 1]
    if not timed:
        sys.exit(f"{len(rows)} updates are too few to measure")
    target, seconds = (sum(column) for column in zip(*timed))
    source = target * tokens(data / "train.pieces.en") / tokens(data / "train.pieces.de")
    version = re.search(r"\bv\d+\.\d+\.\d+", log)
    result = {"version": f"Marian {version.group()[1:] if version else ''}".strip(),
              "parameters": parameters(model / "model.npz"), "updates": len(timed), "seconds": seconds,
              "target_tokens_per_second": target / seconds, "all_tokens_per_second": (source + target) / seconds,
              "target_tokens_per_update": target / len(timed)}
    with open(os.environ["RESULT"], "w", encoding="utf-8") as out:
        json.dump(result, out)


if __name__ == "__main__":
    main()
