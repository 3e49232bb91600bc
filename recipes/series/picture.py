"""Draws forecasts of the test parts, and how far back attention looks.

  picture.py DATA RUNS SEED NAME...

writes RUNS/forecast.svg: the series, each forecast made at the end of the one before; and RUNS/attention.svg: the mean
weight of each number of the window in the pooling of gru-attention, by its place before the first number told.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import List, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from figures import Panel, line_charts  # noqa: E402

SERIES = {"sunspots": "sunspots, 5 years at a time", "co2": "CO2 at Mauna Loa in ppm, 12 months at a time",
          "mackey-glass": "Mackey and Glass, 20 steps at a time"}
LONGEST = 200   # numbers drawn

Curve = List[Tuple[float, float]]


def read(path: Path) -> List[List[float]]:
    return [[float(number) for number in line.split()] for line in path.read_text().splitlines()]


def curve(folder: Path, forecasts: List[List[float]]) -> Curve:
    """One forecast behind the other."""
    (first, step), bases = read(folder / "first")[0], read(folder / "base")
    ahead = len(forecasts[0])
    return [(first + (start + at) * step, forecasts[start][at] + bases[start][0])
            for start in range(0, min(len(forecasts), LONGEST - ahead + 1), ahead) for at in range(ahead)]


def forecasts(data: Path, runs: Path, seed: str, names: List[str]) -> str:
    panels = []
    for series, title in SERIES.items():
        folder = data / series
        curves = {"the series": curve(folder, read(folder / "test.next"))}
        for name in ["linear"] + names:
            path = folder / "linear.next" if name == "linear" else runs / ("%s-%s-%s" % (name, series, seed)) / "test.next"
            curves[name] = curve(folder, read(path))
        panels.append(Panel(title, curves, "time" if series == "mackey-glass" else "year"))
    return line_charts(panels)


def attention(runs: Path, seed: str) -> str:
    panels = []
    for series in SERIES:
        path = runs / ("gru-attention-%s-%s" % (series, seed)) / "attention.json"
        weights = [json.loads(line)["item_attention"] for line in path.read_text().splitlines()]
        length = len(weights[0])
        mean = [sum(column) / len(weights) for column in zip(*weights)]
        panels.append(Panel(series, {"mean weight": [(at - length, weight) for at, weight in enumerate(mean)]},
                            "place before the first forecast"))
    return line_charts(panels, height=110)


def main() -> None:
    data, runs, seed, names = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4:]
    (runs / "forecast.svg").write_text(forecasts(data, runs, seed, names))
    if "gru-attention" in names:
        (runs / "attention.svg").write_text(attention(runs, seed))


if __name__ == "__main__":
    main()
