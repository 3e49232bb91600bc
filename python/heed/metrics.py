"""Scores of translations: BLEU, chrF and TER as in sacreBLEU, error rates, F1 of labels and more."""

from collections.abc import Iterable
from typing import Any

from . import _heed
from ._heed import Score


def evaluate(
    hypotheses: Iterable[str],
    references: Iterable[str] | Iterable[Iterable[str]],
    metrics: str | Iterable[str] = "bleu",
    **options: Any,
) -> dict[str, Score]:
    """The score of each metric, by its name.

    references: one for each hypothesis, or several lists of them.
    metrics: bleu, chrf, chrf++, ter, wer, cer, accuracy, macro-f1, ...: those of `heed evaluate --metric`.
    options: other options of `heed evaluate`: tokenize="13a", lowercase=True, chrf={"word_order": 2}, sentence_level=True,
    significance="confidence", ...
    """
    names = [metrics] if isinstance(metrics, str) else list(metrics)
    return dict(zip(names, _heed.evaluate(hypotheses, references, metric=names, **options), strict=True))
