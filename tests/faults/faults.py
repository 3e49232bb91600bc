"""Lets system calls of heed's commands fail, one in each run, and checks what is left: a proof that nothing is lost.

    faults.py HEED LAYER [--only NAME...] [--on PATH] [--points N] [--jobs N] [--table FILE]

LAYER is the library that fault_layer.c becomes. For each command it is first counted how often it calls open, write, fsync and so
on below its folder. Then the command runs once for each call and each fault: the call fails, does half of its work, or the
process ends there, or the power. After each:

- the exit status is 0 or 1, and an error is one sentence of heed's;
- what was there before is whole: files, the model directory with its checkpoints (all agree with their SHA-256);
- no temporary file is left, unless the process was killed;
- the same command again succeeds, and everything has the bytes of a run without a fault.

--points N takes N points of each command, spread over all kinds (default: all). --on m/metrics.jsonl lets only calls on this file or
folder fail. The table of figures is Markdown.
"""

import argparse
import concurrent.futures
import errno
import gzip
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from typing import Dict, List, NamedTuple, Optional

CALLS = {  # faults of each kind of call, by errno's names; a + behind: later calls fail as well
    "open": ["EMFILE", "EIO", "EINTR", "ENOSPC+"],
    "read": ["EIO", "EINTR", "short"],
    "write": ["ENOSPC", "EIO", "EINTR", "short", "ENOSPC+"],
    "fsync": ["EIO", "ENOSPC+"],
    "rename": ["EIO", "ENOSPC+"],
    "link": ["EPERM+", "ENOSPC"],
    "unlink": ["EIO"],
    "mkdir": ["ENOSPC"],
    "truncate": ["EIO"],
    "mmap": ["ENOMEM"],
    "close": ["EIO"],
    "change": ["kill", "killafter", "power"],
}
LAYERS = ("--arch.d-model 16 --arch.encoder.layers 1 --arch.decoder.layers 1 --arch.encoder.heads 2 --arch.decoder.heads 2 "
          "--arch.encoder.feed-forward.hidden 16 --arch.decoder.feed-forward.hidden 16").split()
BATCHES = "--data.batch-tokens 300 --text.vocab-size 150".split()
STEPS = "--train.max-steps 8 --train.schedule.warmup 4 --valid.every 4 --log.every 2".split()
ONE_CORE = ["--threads", "1"]
TEXT = "--source s --target t --valid-source vs --valid-target vt".split()
TRAIN = ["train", *TEXT, *LAYERS, *BATCHES, *STEPS, *ONE_CORE, "--model", "m"]
GREEDY = [*ONE_CORE, "--search.beam", "1"]


class Command(NamedTuple):
    """A command of heed, and what it makes: files or folders in the current folder."""
    words: List[str]
    makes: List[str]
    start: str = "trained"   # the folder that it begins in
    grows: bool = False      # a run that was ended may leave a beginning of the whole file


COMMANDS = {
    "train": Command(TRAIN, ["m"], "texts"),
    "train, resumed": Command(TRAIN, ["m"], "stopped"),
    "translate": Command(["translate", "--model", "m", "--input", "s", "--output", "out", *GREEDY], ["out"]),
    "translate to .gz": Command(["translate", "--model", "m", "--input", "s", "--output", "out.gz", *GREEDY], ["out.gz"]),
    "translate --continue": Command(["translate", "--model", "m", "--input", "s", "--output", "out", "--continue",
                                     "--search.batch-sentences", "4", *GREEDY], ["out"], grows=True),
    "distill": Command(["distill", "--model", "m", "--source", "s", "--target", "t", "--output", "out",
                        "--search.batch-sentences", "4", *GREEDY], ["out"], grows=True),
    "align": Command(["align", "--model", "m", *ONE_CORE, "--source", "vs", "--target", "vt", "--output", "out"], ["out"]),
    "tokenize": Command(["tokenize", "--tokenizer", "m/source.spm", "--input", "s", "--output", "out"], ["out"]),
    "bpe learn": Command(["bpe", "learn", "-i", "s", "-o", "out", "-s", "100"], ["out"]),
    "bpe learn-joint": Command(["bpe", "learn-joint", "--input", "s", "t", "--symbols", "50", "--output", "out",
                                "--write-vocabulary", "out.v1", "out.v2"], ["out", "out.v1", "out.v2"]),
    "spm train": Command(["spm", "train", "--input=s", "--model_prefix=out", "--vocab_size=100"], ["out.model", "out.vocab"]),
    "embeddings train": Command(["embeddings", "train", "--input", "s", "--output", "out", "--width", "8"], ["out"]),
    "shortlist": Command(["shortlist", "--model", "m", "--iterations", "1"], ["m"]),
    "average": Command(["average", "--model", "m", "--last", "2", "--output", "out"], ["out"]),
    "data filter": Command(["data", "filter", "--source", "s", "--target", "t", "--output-source", "out.s", "--output-target", "out.t",
                            "--log", "out.jsonl", *ONE_CORE], ["out.s", "out.t", "out.jsonl"]),
    "pack": Command(["pack", "--model", "m", "--output", "out"], ["out"]),
    "export": Command(["export", "--to", "ctranslate2", "--model", "m", "--output", "out"], ["out"]),
    "import": Command(["import", "--from", "ctranslate2", "--input", "ct2", "--model", "out"], ["out"]),
}
CLOCK = {"time", "bytes_sent", "seconds", "elapsed", "remaining", "source_tokens_per_second", "target_tokens_per_second", "processor_seconds"}
INTERNAL = re.compile(r"terminate called|what\(\)|Exception raised from|c10::|std::|Aborted|Segmentation|frame #|basic_string|filesystem error")
TEMPORARY = re.compile(r"\.tmp$|\.new(\.|$)|^\.0|\.old$|\.removed$|\.damaged$")


class Point(NamedTuple):
    """The fault of one run."""
    call: str
    at: int
    fault: str

    def environment(self) -> Dict[str, str]:
        name = self.fault.rstrip("+")
        fault = str(getattr(errno, name)) if hasattr(errno, name) else name
        return {"HEED_FAULT_CALL": self.call, "HEED_FAULT_AT": str(self.at) + "+" * self.fault.endswith("+"), "HEED_FAULT": fault}

    def ends_process(self) -> bool:
        return self.fault in ("kill", "killafter", "power")

    def __str__(self) -> str:
        return f"{self.fault} at {self.call} {self.at}"


def sha256(path: pathlib.Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def history(path: pathlib.Path) -> List[dict]:
    """metrics.jsonl without the clock, and without what a resumed run says again or a fault adds."""
    rows = []
    for line in path.read_text().splitlines():
        row = {key: value for key, value in json.loads(line).items() if key not in CLOCK}
        if row["type"] not in ("start", "stop", "checkpoint", "warning") and row not in rows:
            rows.append(row)
    return rows


def state(path: pathlib.Path) -> object:
    """What a run must leave, to compare: the bytes of files, without the clock, which report.html shows."""
    if not path.exists():
        return None
    if path.is_dir():
        return {child.name: state(child) for child in sorted(path.iterdir()) if child.name not in ("lock", ".lock", "report.html")}
    if path.name == "metrics.jsonl":
        return history(path)
    if path.name == "state.json":
        return {key: value for key, value in json.loads(path.read_text()).items() if key not in ("spent", "meter", "seconds", "processor_seconds")}
    if path.name == "manifest.json":  # it names the folder of the run; of a checkpoint it has the sum of state.json with the clock
        text = {key: value for key, value in json.loads(path.read_text()).items() if key != "folder"}
        return {**text, "files": {name: record for name, record in text.get("files", {}).items() if name != "state.json"}}
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else sha256(path)


def broken_files(folder: pathlib.Path) -> List[str]:
    """Files of a model directory or checkpoint that are neither what its manifest says nor what replaces them."""
    problems = []
    for manifest in folder.rglob("manifest.json"):
        if any(part.startswith(".") or TEMPORARY.search(part) for part in manifest.relative_to(folder).parts[:-1]):
            continue
        told = json.loads(manifest.read_text())
        for name, record in told.get("files", {}).items():
            path = manifest.parent / name
            if not path.exists():
                problems.append(f"{path.name} is missing")
                continue
            found = {"size": path.stat().st_size, "sha256": sha256(path)}
            if found != record and found != told.get("pending", {}).get(name):
                problems.append(f"{path.name} is neither old nor new")
    return problems


def temporary_files(folder: pathlib.Path) -> List[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if TEMPORARY.search(path.name))


class Done(NamedTuple):
    status: Optional[int]  # none: it did not end in time
    errors: str

    def problems(self, killed: bool) -> List[str]:
        if self.status is None:
            return ["does not end"]
        found = [f"internal words in the message: {match.group(0)}" for match in [INTERNAL.search(self.errors)] if match]
        if killed and self.status == -9:
            return found
        if self.status not in (0, 1):
            found.append(f"exit status {self.status}")
        lines = [line for line in self.errors.splitlines() if line]
        if self.status == 1 and not (lines and lines[-1].startswith("heed: ")):
            found.append("the last line is no message")
        return found

    def last_line(self) -> str:
        return ([line for line in self.errors.splitlines() if line] or [""])[-1][:200]


class Proof:
    """Runs commands in copies of the folders that they begin in."""

    def __init__(self, heed: pathlib.Path, layer: pathlib.Path, work: pathlib.Path, on: str = ""):
        self.heed, self.layer, self.work, self.on = heed, layer, work, on
        self.starts = work / "starts"
        self.wanted: Dict[str, Dict[str, object]] = {}

    def run(self, folder: pathlib.Path, words: List[str], **environment: str) -> Done:
        layer = {"LD_PRELOAD": str(self.layer), "HEED_FAULT_ROOT": str(folder / self.on)} if environment else {}
        try:
            done = subprocess.run([str(self.heed), *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=300,
                                  env={**os.environ, "OMP_NUM_THREADS": "1", **layer, **environment})
        except subprocess.TimeoutExpired as late:
            return Done(None, (late.stderr or b"").decode("utf-8", "replace"))
        return Done(done.returncode, done.stderr.decode("utf-8", "replace"))

    def expect(self, folder: pathlib.Path, words: List[str]) -> None:
        done = self.run(folder, words)
        if done.status != 0:
            raise SystemExit(f"without a fault, heed {' '.join(words)} ends with {done.status}: {done.last_line()}")

    def make_starts(self, text: pathlib.Path) -> None:
        texts = self.starts / "texts"
        texts.mkdir(parents=True)
        for language, name in (("en", "s"), ("de", "t")):
            lines = (text / f"dev.{language}").read_text(encoding="utf-8").splitlines(keepends=True)
            (texts / name).write_text("".join(lines[:60]), encoding="utf-8")
            (texts / ("v" + name)).write_text("".join(lines[60:68]), encoding="utf-8")
        shutil.copytree(texts, self.starts / "stopped")
        self.expect(self.starts / "stopped", [word if word != "8" else "5" for word in TRAIN])
        shutil.copytree(texts, self.starts / "trained")
        self.expect(self.starts / "trained", TRAIN)
        self.expect(self.starts / "trained", ["export", "--to", "ctranslate2", "--model", "m", "--output", "ct2"])

    def begin(self, command: Command, folder: pathlib.Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.starts / command.start, folder)

    def points(self, name: str) -> List[Point]:
        """All points of a command, and what it makes without a fault."""
        command, folder = COMMANDS[name], self.work / "counted"
        self.begin(command, folder)
        counts = self.work / "counts"
        done = self.run(folder, command.words, HEED_FAULT_COUNTS=str(counts))
        if done.status != 0:
            raise SystemExit(f"{name}: without a fault it ends with {done.status}: {done.last_line()}")
        self.wanted[name] = {made: state(folder / made) for made in command.makes}
        lasts = not self.on  # no fault lasts and is of one file only
        calls = {call: int(count) for call, count in (line.split() for line in counts.read_text().splitlines())}
        return [Point(call, at, fault) for call, faults in CALLS.items() for fault in faults if lasts or not fault.endswith("+")
                for at in range(1, calls[call] + 1)]

    def check(self, name: str, point: Point, folder: pathlib.Path) -> List[str]:
        """What is wrong after this fault, and after the same command once more."""
        command = COMMANDS[name]
        self.begin(command, folder)
        before = {made: state(folder / made) for made in command.makes}
        done = self.run(folder, command.words, **point.environment())
        problems = done.problems(point.ends_process())
        problems += self.left_behind(command, folder, before, self.wanted[name],
                                     may_leave=point.ends_process() or point.call == "unlink" or str(point).startswith("ENOSPC+ at open"))
        again = self.run(folder, command.words)
        made_before = done.status == 0 and again.status == 2 and "already" in again.last_line()  # the fault did no harm
        if again.status != 0 and not made_before:
            return problems + [f"again: status {again.status}: {again.last_line()}"]
        if not made_before:
            problems += [f"again: {problem}" for problem in again.problems(False)]
        for made, wanted in self.wanted[name].items():
            if state(folder / made) != wanted:
                problems.append(f"again: {made} has other bytes")
        if temporary_files(folder):
            problems.append(f"again: leaves {' '.join(temporary_files(folder))}")
        return problems

    def left_behind(self, command: Command, folder: pathlib.Path, before: dict, wanted: dict, may_leave: bool) -> List[str]:
        problems = []
        for made in command.makes:
            path = folder / made
            if path.is_dir():
                problems += broken_files(path)
            elif path.exists() and not command.grows and state(path) not in (before[made], wanted[made]):
                problems.append(f"{made} is neither what it was nor whole")
        if not may_leave and temporary_files(folder):
            problems.append(f"leaves {' '.join(temporary_files(folder))}")
        return problems


def spread(points: List[Point], count: Optional[int]) -> List[Point]:
    """Some of the points, of every kind alike, always the same."""
    mixed = sorted(points, key=lambda point: random.Random(str(point)).random())
    return mixed[:count]


def campaign(proof: Proof, name: str, points: List[Point], jobs: int) -> List[str]:
    """Runs the points of one command; returns what was found."""
    found = []

    def one(index: int) -> None:
        folder = proof.work / f"run-{name.replace(' ', '-').replace(',', '')}-{index}"
        for point in points[index::jobs]:
            for problem in proof.check(name, point, folder):
                found.append(f"{name}: {point}: {problem}")
                print(f"FOUND {found[-1]}", flush=True)
        shutil.rmtree(folder, ignore_errors=True)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(one, range(jobs)))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heed", type=pathlib.Path)
    parser.add_argument("layer", type=pathlib.Path)
    parser.add_argument("--only", nargs="+", choices=list(COMMANDS), default=list(COMMANDS))
    parser.add_argument("--on", metavar="PATH", default="", help="a file or folder in the folder of the command (default: all)")
    parser.add_argument("--points", type=int, help="of each command (default: all)")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--table", type=pathlib.Path)
    given = parser.parse_args()
    rows, all_found = ["| command | faults | violations | seconds |", "|---|---|---|---|"], []
    with tempfile.TemporaryDirectory(prefix="heed-faults-") as work:
        proof = Proof(given.heed.resolve(), given.layer.resolve(), pathlib.Path(work).resolve(), given.on)
        proof.make_starts(pathlib.Path(__file__).resolve().parents[2] / "data/quickstart")
        for name in given.only:
            begin = time.monotonic()
            points = spread(proof.points(name), given.points)
            found = campaign(proof, name, points, given.jobs)
            all_found += found
            rows.append(f"| {name} | {len(points):,} | {len(found)} | {time.monotonic() - begin:.0f} |")
            print(rows[-1], flush=True)
    if given.table:
        given.table.write_text("\n".join(rows) + "\n")
    print(f"{len(all_found)} violations")
    return 1 if all_found else 0


if __name__ == "__main__":
    sys.exit(main())
