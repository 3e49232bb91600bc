"""heed trains translation models, translates text with them, and scores translations.

    import heed

    model = heed.Translator("models/en-de")
    for translation in model.translate(["The cat sleeps.", "A second line."]):
        print(translation.text, translation.score)

Options have the names of the command `heed`, with _ instead of -. Errors are subclasses of heed.Error.
"""

from . import _torch

_torch.load()

from ._build import VERSION as __version__  # noqa: E402
from ._heed import (  # noqa: E402
    Alignment,
    CheckpointError,
    ConfigError,
    Error,
    FileError,
    InputError,
    Score,
    ScoredTranslation,
    Tokenizer,
    Translation,
    Translator,
)
from .metrics import evaluate  # noqa: E402
from .training import train  # noqa: E402

__all__ = [
    "Alignment",
    "CheckpointError",
    "ConfigError",
    "Error",
    "FileError",
    "InputError",
    "Score",
    "ScoredTranslation",
    "Tokenizer",
    "Translation",
    "Translator",
    "__version__",
    "evaluate",
    "train",
]
