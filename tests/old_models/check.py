"""Opens the models of an earlier version of heed, compares what they answer, and resumes their trainings.

    check.py HEED ARCHIVE.tar.xz [--only NAME...]

Text must be the same. Numbers may differ as much as those of two processors do: by 0.002, or by a five hundredth.
"""

import argparse
import json
import math
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
from typing import List

from make import last_loss

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def same(found: str, wanted: str) -> bool:
    if NUMBER.sub("0", found) != NUMBER.sub("0", wanted):
        return False
    return all(math.isclose(float(a), float(b), rel_tol=0.002, abs_tol=0.002) for a, b in zip(NUMBER.findall(found), NUMBER.findall(wanted)))


class Check:
    def __init__(self, heed: pathlib.Path, root: pathlib.Path):
        self.heed, self.root = heed, root

    def run(self, words: List[str]) -> subprocess.CompletedProcess:
        return subprocess.run([str(self.heed), *words], cwd=self.root, capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL)

    def problems(self, name: str) -> List[str]:
        wanted = json.loads((self.root / f"{name}.json").read_text(encoding="utf-8"))
        found = []
        for answer in wanted["answers"]:
            command = answer["command"]
            done = self.run([command[0], "--model", name, "--threads", "1", *command[1:]])
            if done.returncode != 0:
                found.append(f"{command[0]} ends with {done.returncode}: {done.stderr.strip()}")
            elif not same(done.stdout, answer["output"]):
                found.append(f"{command[0]} writes\n{done.stdout}\ninstead of\n{answer['output']}")
        return found + self.problems_of_training(name, wanted)

    def problems_of_training(self, name: str, wanted: dict) -> List[str]:
        done = self.run(wanted["resume"])
        if done.returncode != 0:
            return [f"train ends with {done.returncode}: {done.stderr.strip()}"]
        history = [json.loads(line) for line in (self.root / name / "metrics.jsonl").read_text(encoding="utf-8").splitlines()]
        found = []
        if not any(row["type"] == "start" and row.get("resumed") for row in history):
            found.append("train does not resume")
        if not (self.root / name / f"checkpoints/{wanted['steps']:07}").is_dir():
            found.append(f"train does not reach step {wanted['steps']}")
        loss = last_loss(self.root / name)
        if not math.isclose(loss, wanted["loss"], rel_tol=0.03):  # a version may change bits, not what a training is
            found.append(f"the resumed training has the loss {loss} instead of {wanted['loss']}")
        return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heed", type=pathlib.Path)
    parser.add_argument("archive", type=pathlib.Path)
    parser.add_argument("--only", nargs="+", metavar="NAME")
    given = parser.parse_args()
    count = 0
    with tempfile.TemporaryDirectory(prefix="heed-old-models-") as folder:
        root = pathlib.Path(folder)
        with tarfile.open(given.archive) as archive:
            archive.extraction_filter = getattr(tarfile, "data_filter", None)  # not known before Python 3.11.4
            archive.extractall(root)
        check = Check(given.heed.resolve(), root)
        names = given.only or sorted(path.stem for path in root.glob("*.json"))
        for name in names:
            for problem in check.problems(name):
                print(f"FOUND {name}: {problem}", flush=True)
                count += 1
    print(f"{len(names)} models of {given.archive.name}: {count} problems")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
