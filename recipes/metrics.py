"""Writes the rows of a recipe's tables to its results/metrics.tsv, from which its README's tables can be checked.

    metrics.py FILE.tsv RUNS <table.md

Reads tables of Markdown; the first cell of a row names its run. A row of FILE.tsv has the row's cells, and if RUNS has a
training of that name, what its log says: parameters, steps, epochs, target tokens, the steps of the checkpoints that
were chosen and their validation loss, the last training and validation losses, minutes of the clock and of the processor.
Cells that FILE.tsv has of the same run and column are replaced, others stay.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List

Row = Dict[str, str]
NAME, MISSING = "run", "-"


def cells(line: str) -> List[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def rows_of(lines: Iterable[str]) -> Iterator[Row]:
    """The rows of the tables among these lines."""
    header: List[str] = []
    for line in lines:
        if not line.startswith("|"):
            header = []
        elif not header:
            header = [NAME] + cells(line)[1:]
            if len(set(header)) != len(header):
                raise ValueError("metrics.py: two columns of one name: %s" % line.strip())
        elif not set(line.strip()) <= set("|-: "):
            found = cells(line)
            if len(found) != len(header):
                raise ValueError("metrics.py: %d cells below a header of %d: %s" % (len(found), len(header), line.strip()))
            yield dict(zip(header, found))


def of(event: dict, name: str, former: str) -> Any:
    """The member `name`, or as earlier versions of heed called it."""
    return event[name if name in event else former]


def facts(log: Path) -> Row:
    """What metrics.jsonl says of a training that is complete."""
    last: Dict[str, dict] = {}
    for line in log.read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        last[event["type"]] = event
    if "finish" not in last:
        raise ValueError("metrics.py: %s is of a training that is not complete" % log)
    finish = last["finish"]
    chosen = next(one for one in finish["candidates"] if one["name"] == finish["chosen"])
    found = {"parameters": str(last["start"]["parameters"]), "steps": str(of(finish, "step", "update")),
             "epochs": "%.1f" % finish["epochs"], "target tokens": str(finish["tokens"]),
             "chosen steps": "+".join(map(str, of(chosen, "steps", "updates")))}
    if "loss" in chosen["scores"]:  # a training without validation has none
        found["chosen loss"] = "%.4g" % chosen["scores"]["loss"]
    found["minutes"] = "%.1f" % (finish["elapsed"] / 60)
    if "train" in last:  # a short training reports none
        found["training loss"] = "%.4g" % last["train"]["loss"]
    if "validation" in last:
        found["validation loss"] = "%.4g" % last["validation"]["scores"]["loss"]
    if "processor_seconds" in finish:
        found["processor minutes"] = "%.1f" % (finish["processor_seconds"] / 60)
    return found


def read(path: Path) -> List[Row]:
    if not path.exists():
        return []
    header, *lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    return [dict(zip(header, line)) for line in lines]


def write(path: Path, rows: List[Row]) -> None:
    """With the columns that any row has a value in."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    columns = [name for name in columns if any(row.get(name, MISSING) not in ("", MISSING) for row in rows)]
    lines = [columns] + [[row.get(name) or MISSING for name in columns] for row in rows]
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_text("".join("\t".join(line) + "\n" for line in lines), encoding="utf-8")
    os.replace(part, path)


def main() -> int:
    if len(sys.argv) != 3:
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    path, runs = Path(sys.argv[1]), Path(sys.argv[2])
    rows = {row[NAME]: row for row in read(path)}
    try:
        for row in rows_of(sys.stdin):
            log = runs / row[NAME] / "model" / "metrics.jsonl"
            rows[row[NAME]] = {**rows.get(row[NAME], {}), **(facts(log) if log.exists() else {}), **row}
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    write(path, [{NAME: name, **row} for name, row in rows.items()])
    return 0


if __name__ == "__main__":
    sys.exit(main())
