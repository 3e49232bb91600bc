"""Ends trainings at random moments, resumes them, and compares every byte at the end.

    kills.py HEED [--only NAME...] [--rounds N] [--seed N] [--table FILE]

Each training is first run to its end. In each round it is started again in a new folder and ended one to three times, at a random
moment, by SIGKILL, SIGTERM (once or twice), SIGINT, SIGHUP, or SIGSTOP and then SIGKILL. Then the same command runs to the end.
The model, the optimizer's state, the manifest, the configuration, the encoded corpus and the history must have the same bytes as
in the run that was not interrupted (of files with the clock in them, everything but the clock).
"""

import argparse
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from typing import Dict, List

import faults
from faults import BATCHES, LAYERS, ONE_CORE, TEXT

STEPS = "--train.max-steps 24 --train.schedule.warmup 6 --valid.every 6 --log.every 3".split()
RECURRENT = "--arch.d-model 16 --arch.encoder.hidden 16 --arch.decoder.hidden 16".split()
TRAININGS: Dict[str, List[str]] = {
    "Transformer, R-Drop, bf16": [*TEXT, *LAYERS, *BATCHES, *ONE_CORE, *"--train.r-drop 1 --train.precision bf16 --train.save-every 2".split()],
    "Bahdanau, subword sampling": [*TEXT, "--preset", "rnn-bahdanau", *RECURRENT, *BATCHES, *ONE_CORE, "--text.sampling", "lattice"],
    "Luong, scheduled sampling": [*TEXT, *"--preset rnn-luong --arch.encoder.layers 1 --arch.decoder.layers 1".split(), *RECURRENT, *BATCHES, *ONE_CORE,
                                  *"--train.scheduled-sampling.type linear --train.scheduled-sampling.length 20".split()],
    "convolutional": [*TEXT, "--preset", "conv", *RECURRENT, *"--arch.encoder.layers 1 --arch.decoder.layers 1".split(), *BATCHES, *ONE_CORE],
    "classifier": [*"--task classification --source s --target labels --valid-source vs --valid-target vlabels".split(),
                   *"--arch.d-model 16 --arch.encoder.layers 1 --arch.encoder.heads 2 --arch.encoder.feed-forward.hidden 16".split(), *BATCHES, *ONE_CORE],
    "language model, carried state": [*"--target t --valid-target vt --preset lm-lstm --arch.d-model 16 --arch.decoder.hidden 16".split(),
                                      *"--arch.decoder.layers 1 --text.vocab-size 150 --data.context text".split(), *ONE_CORE],
    "two replicas": [*TEXT, *LAYERS, *BATCHES, *"--train.replicas 2 --threads 2".split()],
    "stream of pairs": [*"--pairs pairs.tsv --data.shuffle-buffer 20 --valid-source vs --valid-target vt".split(), *LAYERS, *BATCHES, *ONE_CORE],
    "two ranks": [*TEXT, *LAYERS, *BATCHES, *ONE_CORE, *"--data.total-micro-batches 2".split()],
    "EMA, batch growth, curriculum": [*TEXT, *LAYERS, *BATCHES, *ONE_CORE, *"--train.ema-decay 0.9 --train.save-every 5".split(),
                                      *"--data.batch-growth-epochs 4 --data.curriculum-epochs 3".split()],
    "schedule-free, augmentation": [*TEXT, *LAYERS, *BATCHES, *ONE_CORE, *"--train.optimizer.type schedule-free --train.schedule.type constant".split(),
                                    *"--data.augment typos=0.2 upper-case=0.1".split()],
    "Muon, wsd": [*TEXT, *LAYERS, *BATCHES, *ONE_CORE, *"--train.optimizer.type muon --train.schedule.type wsd --train.save-every 1".split()],
    "Adafactor, plateau": [*TEXT, *LAYERS, *BATCHES, *ONE_CORE, *"--train.optimizer.type adafactor --train.schedule.type plateau".split()],
    "word-level distillation": [*TEXT, *LAYERS, *BATCHES[:2], *ONE_CORE, *"--from teacher --from-part tokenizers --train.teacher teacher".split()],
    "LoRA": [*TEXT, *BATCHES[:2], *ONE_CORE, *"--from teacher --train.adapter.type lora".split()],
}
TEACHER = ["train", *TEXT, *LAYERS, *BATCHES, *ONE_CORE, "--train.max-steps", "6", "--model", "teacher"]
SIGNALS = ["KILL", "KILL", "KILL", "TERM", "TERM TERM", "INT", "HUP", "STOP KILL"]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Training:
    """One of TRAININGS in one folder."""

    def __init__(self, heed: pathlib.Path, name: str, folder: pathlib.Path):
        self.heed, self.name, self.folder = heed, name, folder
        self.log = folder / "log"

    def start(self) -> List[subprocess.Popen]:
        command = [str(self.heed), "train", *TRAININGS[self.name], *STEPS, "--model", "m"]
        ranks = 2 if self.name == "two ranks" else 1
        group = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port())} if ranks > 1 else {}
        with self.log.open("w") as log:
            return [subprocess.Popen(command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log,
                                     env={**os.environ, "OMP_NUM_THREADS": "1", **group, **({"RANK": str(rank), "LOCAL_RANK": str(rank)} if group else {})})
                    for rank in range(ranks)]

    def statuses(self, processes: List[subprocess.Popen]) -> List[object]:
        found: List[object] = []
        for process in processes:
            try:
                found.append(process.wait(timeout=180))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                found.append("does not end")
        return found

    def last_line(self) -> str:
        return (self.log.read_text(errors="replace").strip().splitlines() or [""])[-1][:200]

    def interrupt(self, rng: random.Random, seconds: float) -> List[str]:
        """Starts it, ends it somewhere, and returns what is wrong with how it ended."""
        processes = self.start()
        how = rng.choice(SIGNALS)
        time.sleep(rng.uniform(0.02, seconds * 1.02))
        victim = rng.choice(processes)
        for name in how.split():
            if victim.poll() is None:
                victim.send_signal(getattr(signal, "SIG" + name))
                time.sleep(rng.uniform(0, 0.1))
        statuses = self.statuses(processes)
        allowed = {0, -9, -15, -2, -1, 129, 130, 143} | ({1} if len(processes) > 1 else set())  # a rank whose other one was ended
        problems = [f"{how}: ends with {status}: {self.last_line()}" for status in statuses if status not in allowed]
        if faults.INTERNAL.search(self.log.read_text(errors="replace")):
            problems.append(f"{how}: internal words in the log")
        return problems + [f"{how}: {problem}" for problem in faults.broken_files(self.folder / "m")]


def make_texts(text: pathlib.Path, folder: pathlib.Path) -> None:
    folder.mkdir()
    lines = {language: (text / f"dev.{language}").read_text(encoding="utf-8").splitlines() for language in ("en", "de")}
    for language, name in (("en", "s"), ("de", "t")):
        (folder / name).write_text("".join(line + "\n" for line in lines[language][:60]), encoding="utf-8")
        (folder / ("v" + name)).write_text("".join(line + "\n" for line in lines[language][60:68]), encoding="utf-8")
    for name, part in (("labels", slice(0, 60)), ("vlabels", slice(60, 68))):
        (folder / name).write_text("".join(("long" if len(line) > 45 else "short") + "\n" for line in lines["de"][part]))
    (folder / "pairs.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in zip(lines["en"][:60] * 20, lines["de"][:60] * 20)), encoding="utf-8")


def make_teacher(heed: pathlib.Path, folder: pathlib.Path) -> None:
    """The trained model that some trainings begin with."""
    subprocess.run([str(heed), *TEACHER], cwd=folder, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def one_round(heed: pathlib.Path, name: str, texts: pathlib.Path, folder: pathlib.Path, wanted: object, seconds: float,
              rng: random.Random) -> List[str]:
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(texts, folder)
    training, problems, times = Training(heed, name, folder), [], rng.choice([1, 1, 2, 3])
    for _ in range(times):
        problems += training.interrupt(rng, seconds)
    statuses = training.statuses(training.start())
    if any(statuses):
        return problems + [f"resumed: ends with {statuses}: {training.last_line()}"]
    if faults.state(folder / "m") != wanted:
        problems.append("resumed: other bytes")
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heed", type=pathlib.Path)
    parser.add_argument("--only", nargs="+", choices=list(TRAININGS), default=list(TRAININGS))
    parser.add_argument("--rounds", type=int, default=10, help="of each training")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table", type=pathlib.Path)
    given = parser.parse_args()
    heed, rng = given.heed.resolve(), random.Random(given.seed)
    rows, count = ["| training | interrupted runs | violations | seconds |", "|---|---|---|---|"], 0
    with tempfile.TemporaryDirectory(prefix="heed-kills-") as work:
        texts = pathlib.Path(work) / "texts"
        make_texts(pathlib.Path(__file__).resolve().parents[2] / "data/quickstart", texts)
        if any("teacher" in TRAININGS[name] for name in given.only):
            make_teacher(heed, texts)
        for name in given.only:
            begin = time.monotonic()
            whole = Training(heed, name, pathlib.Path(work) / "whole")
            shutil.rmtree(whole.folder, ignore_errors=True)
            shutil.copytree(texts, whole.folder)
            if any(whole.statuses(whole.start())):
                raise SystemExit(f"{name}: does not run: {whole.last_line()}")
            seconds, wanted = time.monotonic() - begin, faults.state(whole.folder / "m")
            found = []
            for _ in range(given.rounds):
                found += one_round(heed, name, texts, pathlib.Path(work) / "run", wanted, seconds, rng)
            for problem in found:
                print(f"FOUND {name}: {problem}", flush=True)
            count += len(found)
            rows.append(f"| {name} | {given.rounds} | {len(found)} | {time.monotonic() - begin:.0f} |")
            print(rows[-1], flush=True)
    if given.table:
        given.table.write_text("\n".join(rows) + "\n")
    print(f"{count} violations")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
