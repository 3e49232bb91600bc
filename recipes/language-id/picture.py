"""Reads what `heed predict --format json` prints, and draws on which characters the attention of the pooling was."""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from figures import ShadedLine, shaded_text  # noqa: E402


def main() -> None:
    lines = []
    for record in map(json.loads, sys.stdin):
        title = "%s %.3f" % (record["label"], max(record["probabilities"].values()))
        lines.append(ShadedLine(title, [token.replace("▁", " ") for token in record["tokens"]], record["attention"]))
    sys.stdout.write(shaded_text(lines))


if __name__ == "__main__":
    main()
