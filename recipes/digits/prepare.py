"""scikit-learn's 1,797 handwritten digits of 8 x 8 pixels as files of vectors, in five folds.

  prepare.py FOLDER

writes FOLDER/fold-1 to FOLDER/fold-5, each with {train,valid,test}.npy, a grid of 8 x 8 numbers from 0 to 1 per digit,
and lines beside it: {train,valid,test}.digit, such as 7, and {train,valid,test}.name, such as seven. The digits are
shuffled once; every one is in the test set of one fold. Of the others 180 are the validation set.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits

NAMES = "zero one two three four five six seven eight nine".split()
FOLDS = 5


def write(stem: Path, images: np.ndarray, digits: np.ndarray) -> None:
    np.save(stem.with_suffix(".npy"), images)
    stem.with_suffix(".digit").write_text("".join("%d\n" % digit for digit in digits))
    stem.with_suffix(".name").write_text("".join(NAMES[digit] + "\n" for digit in digits))


def main() -> None:
    data = load_digits()
    order = np.random.RandomState(1).permutation(len(data.target))
    images = (data.images[order] / 16).astype(np.float32)[..., np.newaxis]  # [digits, rows, columns, 1]
    digits = data.target[order]
    for fold, test in enumerate(np.array_split(np.arange(len(digits)), FOLDS), start=1):
        folder = Path(sys.argv[1]) / ("fold-%d" % fold)
        folder.mkdir(parents=True, exist_ok=True)
        rest = np.setdiff1d(np.arange(len(digits)), test)
        for name, part in (("valid", rest[:180]), ("train", rest[180:]), ("test", test)):
            write(folder / name, images[part], digits[part])


if __name__ == "__main__":
    main()
