"""What this benchmark shares with that of training: text, sizes, environments of the peers, tables."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
TRAIN_SPEED = HERE.parent / "train_speed"
sys.path.append(str(TRAIN_SPEED))

import runs  # noqa: E402
import tables  # noqa: E402
import train_speed  # noqa: E402

__all__ = ["HERE", "TRAIN_SPEED", "runs", "tables", "train_speed"]
