"""Runs commands of heed at the same time on the same files: one wins, the others say so, and nobody reads half of a file.

    together.py HEED [--rounds N] [--seed N] [--table FILE]
"""

import argparse
import http.client
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from typing import Callable, Dict, List

import faults

LANGUAGES = {"source": "en", "target": "de"}


class Scene:
    """A folder with text and a trained model, in which commands run."""

    def __init__(self, heed: pathlib.Path, start: pathlib.Path, folder: pathlib.Path, rng: random.Random):
        self.heed, self.folder, self.rng = heed, folder, rng
        shutil.copytree(start, folder)

    def start(self, *words: str) -> subprocess.Popen:
        return subprocess.Popen([str(self.heed), *words], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env={**os.environ, "OMP_NUM_THREADS": "1"}, encoding="utf-8")

    def run(self, *words: str) -> subprocess.CompletedProcess:
        process = self.start(*words)
        output, errors = process.communicate(timeout=300)
        return subprocess.CompletedProcess(words, process.returncode, output, errors)

    def pause(self, longest: float) -> None:
        time.sleep(self.rng.uniform(0, longest))

    def temporary_files(self) -> List[str]:
        found = faults.temporary_files(self.folder)
        return [f"leaves {' '.join(found)}"] if found else []


def ended(process: subprocess.Popen) -> subprocess.CompletedProcess:
    output, errors = process.communicate(timeout=300)
    return subprocess.CompletedProcess(process.args, process.returncode, output, errors)


def last_line(done: subprocess.CompletedProcess) -> str:
    return (done.stderr.strip().splitlines() or [""])[-1][:200]


def refused(done: subprocess.CompletedProcess, pattern: str) -> List[str]:
    return [] if done.returncode in (1, 2) and re.search(pattern, last_line(done)) else [f"status {done.returncode}: {last_line(done)}"]


def two_trainings(scene: Scene) -> List[str]:
    alone = scene.run(*faults.TRAIN[:-1], "both")
    (scene.folder / "both").rename(scene.folder / "alone")  # its configuration has the name that it was given
    first = scene.start(*faults.TRAIN[:-1], "both")
    scene.pause(0.5)
    second = scene.start(*faults.TRAIN[:-1], "both")
    done = [ended(first), ended(second)]
    problems = [] if alone.returncode == 0 else [f"alone: {last_line(alone)}"]
    for one in done:  # the second may also begin when the first has ended: then there is nothing left to do
        if one.returncode != 0:
            problems += refused(one, "another training is running in this directory|already")
    if all(one.returncode != 0 for one in done):
        problems.append("neither wins")
    if faults.state(scene.folder / "both") != faults.state(scene.folder / "alone"):
        problems.append("the model has other bytes than one that was trained alone")
    return problems + faults.broken_files(scene.folder / "both")


def two_writers(scene: Scene) -> List[str]:
    words = ["translate", "--model", "m", "--input", "s", "--threads", "1", "--search.beam", "1", "--output"]
    scene.run(*words, "alone")
    first = scene.start(*words, "out")
    scene.pause(0.3)
    second = scene.start(*words, "out")
    done = [ended(first), ended(second)]
    problems = [f"status {one.returncode}: {last_line(one)}" for one in done if one.returncode != 0]
    if (scene.folder / "out").read_bytes() != (scene.folder / "alone").read_bytes():
        problems.append("the output is not the translation")
    return problems


def two_continuations(scene: Scene) -> List[str]:
    words = ["translate", "--model", "m", "--input", "s", "--threads", "1", "--search.beam", "1", "--output"]
    scene.run(*words, "alone")
    both = [*words, "out", "--continue", "--search.batch-sentences", "4"]
    first = scene.start(*both)
    scene.pause(0.3)
    second = scene.start(*both)
    done = [ended(first), ended(second)]
    problems = []
    for one in done:
        if one.returncode != 0:
            problems += refused(one, "out")
    if all(one.returncode != 0 for one in done):
        problems.append("neither wins")
    if (scene.folder / "out").read_bytes() != (scene.folder / "alone").read_bytes():
        problems.append("the output is not the translation")
    return problems


def two_averages(scene: Scene) -> List[str]:
    words = ["average", "--model", "m", "--last", "2", "--output"]
    scene.run(*words, "alone")
    first = scene.start(*words, "out")
    scene.pause(0.1)
    second = scene.start(*words, "out")
    done = [ended(first), ended(second)]
    problems = []
    for one in done:
        if one.returncode != 0:
            problems += refused(one, "out")
    if all(one.returncode != 0 for one in done):
        problems.append("neither wins")
    if faults.state(scene.folder / "out") != faults.state(scene.folder / "alone"):
        problems.append("the average is not whole")
    return problems


def readers_of_a_training(scene: Scene) -> List[str]:
    longer = [word if word != "8" else "24" for word in faults.TRAIN[:-1]]
    training = scene.start(*longer, "m", "--valid.every", "1", "--train.keep-last", "1")
    problems, reads = [], 0
    while training.poll() is None or reads == 0:
        done = scene.run("translate", "--model", "m", "--input", "vs", "--threads", "1", "--search.beam", "1")
        reads += 1
        if done.returncode != 0:
            problems.append(f"a reader: status {done.returncode}: {last_line(done)}")
        elif len(done.stdout.splitlines()) != len((scene.folder / "vs").read_text(encoding="utf-8").splitlines()):
            problems.append("a reader: not every line is translated")
    done = ended(training)
    if done.returncode != 0:
        problems.append(f"the training: {last_line(done)}")
    return problems


class Server:
    def __init__(self, scene: Scene):
        self.process = scene.start("serve", "--model", "en-de=m", "--port", "0", "--threads", "1", "--access-log", "none")
        for line in self.process.stderr:
            found = re.search(r"listening on http://127\.0\.0\.1:(\d+)", line)
            if found:
                self.port = int(found[1])
                return
        raise SystemExit("the server does not start")

    def translate(self, lines: List[str]) -> List[str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("POST", "/translate", json.dumps({"q": lines, **LANGUAGES}), {"Content-Type": "application/json"})
        response = connection.getresponse()
        text = response.read().decode("utf-8")
        connection.close()
        if response.status != 200:
            raise ValueError(f"status {response.status}: {text[:200]}")
        return json.loads(text)["translatedText"]


def server_of_a_replaced_model(scene: Scene) -> List[str]:
    lines = (scene.folder / "vs").read_text(encoding="utf-8").splitlines()

    def translations() -> List[str]:
        done = scene.run("translate", "--model", "m", "--input", "vs", "--threads", "1")
        return done.stdout.splitlines()

    server, problems = Server(scene), []
    try:
        expected = [translations()]
        if server.translate(lines) != expected[0]:
            problems.append("the server translates otherwise than heed translate")
        longer = [word if word != "8" else "40" for word in faults.TRAIN]
        training = scene.start(*longer)
        while training.poll() is None:
            if scene.rng.random() < 0.3:
                server.process.send_signal(signal.SIGHUP)  # also in the middle of publishing
            if len(server.translate(lines)) != len(lines):
                problems.append("not every line is translated")
        if ended(training).returncode != 0:
            problems.append("the training fails")
        server.process.send_signal(signal.SIGHUP)
        expected.append(translations())
        end = time.monotonic() + 30
        while (found := server.translate(lines)) != expected[1] and time.monotonic() < end:
            time.sleep(0.05)
        if found != expected[1]:
            problems.append("the server does not use the new model")
    except (ValueError, OSError) as error:
        problems.append(f"a request fails: {error}")
    server.process.send_signal(signal.SIGTERM)
    if ended(server.process).returncode != 0:
        problems.append("the server ends with an error")
    return problems


SCENES: Dict[str, Callable[[Scene], List[str]]] = {
    "two trainings in one directory": two_trainings,
    "two translations into one file": two_writers,
    "two continuations of one translation": two_continuations,
    "two averages in one directory": two_averages,
    "readers while a training publishes": readers_of_a_training,
    "a server while its model is replaced": server_of_a_replaced_model,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heed", type=pathlib.Path)
    parser.add_argument("--only", nargs="+", choices=list(SCENES), default=list(SCENES))
    parser.add_argument("--rounds", type=int, default=5, help="of each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table", type=pathlib.Path)
    given = parser.parse_args()
    heed, rng = given.heed.resolve(), random.Random(given.seed)
    rows, count = ["| at the same time | rounds | violations | seconds |", "|---|---|---|---|"], 0
    with tempfile.TemporaryDirectory(prefix="heed-together-") as work:
        proof = faults.Proof(heed, pathlib.Path(), pathlib.Path(work))
        proof.make_starts(pathlib.Path(__file__).resolve().parents[2] / "data/quickstart")
        for name in given.only:
            begin, found = time.monotonic(), 0
            for _ in range(given.rounds):
                folder = pathlib.Path(work) / "scene"
                scene = Scene(heed, proof.starts / "trained", folder, rng)
                for problem in [*SCENES[name](scene), *scene.temporary_files()]:
                    print(f"FOUND {name}: {problem}", flush=True)
                    found += 1
                shutil.rmtree(folder)
            count += found
            rows.append(f"| {name} | {given.rounds} | {found} | {time.monotonic() - begin:.0f} |")
            print(rows[-1], flush=True)
    if given.table:
        given.table.write_text("\n".join(rows) + "\n")
    print(f"{count} violations")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
