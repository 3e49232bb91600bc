"""Classifiers of scikit-learn on the same folds.

  baseline.py logistic|vectors FOLD > DIGITS

prints the digits of FOLD/test.npy as logistic regression or support vectors with a Gaussian kernel tell them, learned of
FOLD/train.npy; the strength of the regularization is the best of five on FOLD/valid.npy.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Tuple

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

STRENGTHS = (0.01, 0.1, 1, 10, 100)


def read(stem: Path) -> Tuple[np.ndarray, np.ndarray]:
    images = np.load(stem.with_suffix(".npy"))
    return images.reshape(len(images), -1), np.loadtxt(stem.with_suffix(".digit"), dtype=int)


def main() -> None:
    kind, folder = sys.argv[1], Path(sys.argv[2])
    train, valid, test = (read(folder / name) for name in ("train", "valid", "test"))
    models = [(LogisticRegression(C=strength, max_iter=5000) if kind == "logistic" else SVC(C=strength)).fit(*train)
              for strength in STRENGTHS]
    best = max(models, key=lambda model: model.score(*valid))
    print("\n".join(map(str, best.predict(test[0]))))


if __name__ == "__main__":
    main()
