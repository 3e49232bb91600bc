"""Windows of three series, and the baselines' forecasts.

  prepare.py FOLDER

writes for each series FOLDER/SERIES/{train,valid,test}.npy, a window of vectors of one number per line of
{train,valid,test}.next, which has the numbers that follow it; {persistence,seasonal,linear}.next, forecasts of the test
set; and first, which says of the test set what time its first window tells first (a year, a number of steps) and how
long a step is, and base, what each window's numbers are differences from. Windows do not cross from one part into the next with what they are to tell.

  sunspots    of each year from 1700 to 2008, in statsmodels: 33 years tell the next 5
  co2         at Mauna Loa, in statsmodels, the mean of each month, 1958 to 2001: 36 months tell the next 12, both as
              differences from the last month of the window, which makes no level of the series a new one
  mackey-glass  dx/dt = 0.2 x(t - 17) / (1 + x(t - 17)^10) - 0.1 x(t), by Euler's method of steps of 0.1 (Mackey and
              Glass 1977): 50 numbers tell the next 20

Persistence says the last number again. The seasonal forecast says what was there 11 years or 12 months before; chaos has
no season, so that the value is taken at the lag at which the training part repeats itself best. The linear forecast
is the best linear function of the window on the training part (with a ridge of which the best is taken on the
validation part).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Dict, NamedTuple, Optional, Tuple

import numpy as np
from statsmodels.datasets import co2, sunspots


class Series(NamedTuple):
    numbers: np.ndarray
    begin: float                    # when the first number is
    step: float
    window: int
    ahead: int
    ends: Tuple[int, int]           # where the training and the validation part end
    season: Optional[int] = None    # None: found by correlation
    differences: bool = False


def mackey_glass(length: int, step: float = 0.1, delay: int = 170) -> np.ndarray:
    """Every tenth step, after the first thousand numbers."""
    x = [1.2] * (delay + 1)
    for _ in range(10 * (length + 1000)):
        late = x[-delay - 1]
        x.append(x[-1] + step * (0.2 * late / (1 + late ** 10) - 0.1 * x[-1]))
    return np.array(x[-10 * length::10])


def monthly_co2() -> np.ndarray:
    weeks = co2.load_pandas().data["co2"]
    return weeks.resample("MS").mean().interpolate().to_numpy()


def all_series() -> Dict[str, Series]:
    spots = sunspots.load_pandas().data
    years = spots["YEAR"].to_numpy()
    return {
        "sunspots": Series(spots["SUNACTIVITY"].to_numpy(), 1700, 1, 33, 5,
                           (int(np.sum(years <= 1920)), int(np.sum(years <= 1955))), 11),
        "co2": Series(monthly_co2(), 1958 + 2 / 12, 1 / 12, 36, 12, (334, 406), 12, True),
        "mackey-glass": Series(mackey_glass(5000), 0, 1, 50, 20, (3500, 4000)),
    }


def windows(series: Series, begin: int, end: int) -> Tuple[np.ndarray, np.ndarray]:
    """What is to be told lies in numbers[begin:end]; what tells it may lie before."""
    first = max(begin, series.window)
    starts = range(first, end - series.ahead + 1)
    before = np.stack([series.numbers[at - series.window:at] for at in starts])
    after = np.stack([series.numbers[at:at + series.ahead] for at in starts])
    if series.differences:
        last = before[:, -1:]
        before, after = before - last, after - last
    return before, after


def best_lag(numbers: np.ndarray, window: int, ahead: int) -> int:
    centered = numbers - numbers.mean()
    return max(range(ahead, window + 1), key=lambda lag: float(np.mean(centered[lag:] * centered[:-lag])))


def seasonal(before: np.ndarray, series: Series, lag: int) -> np.ndarray:
    """The numbers `lag` before each, as far as the window has them."""
    columns = [series.window - lag + step % lag for step in range(series.ahead)]
    return before[:, columns]


def linear(parts: Dict[str, Tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    def with_one(x: np.ndarray) -> np.ndarray:
        return np.hstack([x, np.ones((len(x), 1))])

    x, y = with_one(parts["train"][0]), parts["train"][1]
    scale = np.trace(x.T @ x) / x.shape[1]
    solved = [np.linalg.solve(x.T @ x + ridge * scale * np.eye(x.shape[1]), x.T @ y)
              for ridge in (1e-9, 1e-7, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1)]
    valid = parts["valid"]
    best = min(solved, key=lambda weights: float(np.mean((with_one(valid[0]) @ weights - valid[1]) ** 2)))
    return with_one(parts["test"][0]) @ best


def write_numbers(path: Path, rows: np.ndarray) -> None:
    path.write_text("".join(" ".join("%.6g" % number for number in row) + "\n" for row in rows))


def main() -> None:
    for name, series in all_series().items():
        folder = Path(sys.argv[1]) / name
        folder.mkdir(parents=True, exist_ok=True)
        bounds = {"train": (0, series.ends[0]), "valid": series.ends, "test": (series.ends[1], len(series.numbers))}
        parts = {part: windows(series, *bound) for part, bound in bounds.items()}
        for part, (before, after) in parts.items():
            np.save(folder / (part + ".npy"), before[..., np.newaxis].astype(np.float32))
            write_numbers(folder / (part + ".next"), after)
        test = parts["test"][0]
        (folder / "first").write_text("%.6f %.6f\n" % (series.begin + series.ends[1] * series.step, series.step))
        last = series.numbers[series.ends[1] - 1:][:len(test)]
        write_numbers(folder / "base", (last if series.differences else 0 * last)[:, np.newaxis])
        lag = series.season or best_lag(series.numbers[:series.ends[0]], series.window, series.ahead)
        write_numbers(folder / "persistence.next", np.repeat(test[:, -1:], series.ahead, axis=1))
        write_numbers(folder / "seasonal.next", seasonal(test, series, lag))
        write_numbers(folder / "linear.next", linear(parts))


if __name__ == "__main__":
    main()
