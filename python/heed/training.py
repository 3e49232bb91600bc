"""Training."""

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from . import _heed


def train(
    config: Mapping[str, Any] | str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
    progress: Callable[[dict[str, Any]], object] | None = None,
    **options: Any,
) -> str:
    """Trains a model, or resumes a training, and returns the path of the model directory.

    config: the options of `heed train`, in sections as in a configuration file:
    {"source": "train.en", "target": "train.de", "model": "models/en-de", "arch": {"d_model": 256}}; or the path of such
    a file, or several of them.
    options: more options, which replace those of `config`.
    progress: called with each event, a dict with the fields of a line of metrics.jsonl: "type" is start, train,
    validation, checkpoint, warning, stop or finish. If it raises an exception, the training saves a checkpoint and stops,
    as with Ctrl-C. The same call resumes it.
    """
    if isinstance(config, Mapping):
        given = {**config, **options}
    else:
        files = [config] if isinstance(config, str | os.PathLike) else list(config)
        given = {**({"config": [os.fspath(file) for file in files]} if files else {}), **options}
    return _heed.train(given, progress)
