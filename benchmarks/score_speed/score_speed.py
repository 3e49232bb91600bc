"""Measures `heed evaluate` against sacreBLEU on the same files: whole process against whole process.

    pip install sacrebleu==2.6.0 numpy==1.24.2
    python benchmarks/score_speed/score_speed.py build/release/bin/heed --out runs/score_speed.json

Each task runs on one core and on two (taskset). A row shows the user + system CPU seconds and the wall seconds of the
fastest of --repeat runs, and how many times faster heed is by each. Python's own start (sacreBLEU's imports, no scoring)
is measured apart, and a last column leaves it out. Both programs must print the same, or the run ends. On a machine that
does other work the CPU seconds are still good; the wall seconds are not.
"""
import argparse
import datetime
import itertools
import json
import os
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "train_speed"))
import train_speed  # noqa: E402 (the processor and the commit)

VOCABULARY = 20_000


def make_files(folder, lines):
    """A reference and two systems that share most words with it; word frequencies fall as 1/rank."""
    rng = random.Random(lines)
    letters = "etaonrishdlfcmugypwbvk"
    words = sorted({"".join(rng.choice(letters) for _ in range(rng.randint(1, 11))) for _ in range(VOCABULARY)}, key=len)
    ranks = list(itertools.accumulate(1 / (rank + 1) for rank in range(len(words))))

    def sentence():
        return rng.choices(words, cum_weights=ranks, k=rng.randint(5, 45))

    def changed(tokens):
        tokens = list(tokens)
        for _ in range(len(tokens) // 3):
            place = rng.randrange(len(tokens) + 1)
            change = rng.random()
            if change < 0.5:
                tokens[place:place + 1] = rng.choices(words, cum_weights=ranks)
            elif change < 0.7:
                del tokens[place:place + 1]
            elif change < 0.85:
                tokens.insert(place, rng.choice(words))
            else:
                moved = tokens[place:place + 3]
                del tokens[place:place + 3]
                target = rng.randrange(len(tokens) + 1)
                tokens[target:target] = moved
        return tokens

    def text(tokens):
        return (" ".join(tokens[:8]) + (", " + " ".join(tokens[8:]) if len(tokens) > 8 else "")).capitalize() + ".\n"

    with open(folder / "ref", "w") as reference, open(folder / "sys1", "w") as first, open(folder / "sys2", "w") as second:
        for _ in range(lines):
            tokens = sentence()
            reference.write(text(tokens))
            first.write(text(changed(tokens)))
            second.write(text(changed(tokens)))


TASKS = {
    "BLEU": ["ref", "-i", "sys1", "-m", "bleu"],
    "chrF++": ["ref", "-i", "sys1", "-m", "chrf", "-cw", "2"],
    "TER": ["ref", "-i", "sys1", "-m", "ter"],
    "BLEU, bootstrap 1000": ["ref", "-i", "sys1", "-m", "bleu", "-ci"],
    "BLEU, paired bootstrap 1000": ["ref", "-i", "sys1", "sys2", "-m", "bleu", "-pbs"],
    "BLEU, randomization 10000": ["ref", "-i", "sys1", "sys2", "-m", "bleu", "-par"],
}


def run(command, folder, cores, limit):
    """CPU and wall seconds and the output; None when it took longer than `limit` or was out of memory."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.perf_counter()
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": str(cores)}
    try:
        done = subprocess.run(["taskset", "-c", ",".join(map(str, range(cores))), *command], cwd=folder, capture_output=True, timeout=limit,
                              env=environment)
    except subprocess.TimeoutExpired:
        return None
    wall = time.perf_counter() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"cpu": cpu, "wall": wall, "output": done.stdout} if done.returncode == 0 else None


def best(command, folder, cores, repeat, limit):
    runs = [run(command, folder, cores, limit)]
    while runs[0] and len(runs) < repeat:
        runs.append(run(command, folder, cores, limit) or runs[0])
    if not runs[0]:
        return None
    return {"cpu": min(r["cpu"] for r in runs), "wall": min(r["wall"] for r in runs), "output": runs[0]["output"]}


def measure(options, lines, folder, cores, start):
    for task, arguments in TASKS.items():
        if options.tasks and not any(task.startswith(wanted) for wanted in options.tasks):
            continue
        if cores > 1 and "-j" not in arguments and ("-pbs" in arguments or "-par" in arguments):
            original_arguments = [*arguments, "-j", str(cores)]
        else:
            original_arguments = arguments
        ours = best([options.heed, "evaluate", *arguments, "-q"], folder, cores, options.repeat, options.limit)
        theirs = best([options.sacrebleu, *original_arguments, "-q"], folder, cores, 1 if lines > 10_000 else options.repeat, options.limit)
        if ours is None:
            sys.exit(f"heed failed: {task}")
        if theirs and theirs["output"] != ours["output"]:
            sys.exit(f"{task}: the two programs print different things")
        row = {"task": task, "lines": lines, "cores": cores, "heed": {k: ours[k] for k in ("cpu", "wall")},
               "sacrebleu": theirs and {k: theirs[k] for k in ("cpu", "wall")}}
        if theirs:
            row["faster"] = {k: theirs[k] / ours[k] for k in ("cpu", "wall")}
            row["faster_without_start"] = {k: (theirs[k] - start[k]) / ours[k] for k in ("cpu", "wall")}
        yield row


def table_row(row):
    ours, theirs = row["heed"], row["sacrebleu"]
    begin = f"| {row['task']} | {row['lines']:,} | {row['cores']} | {ours['cpu']:.2f} | {ours['wall']:.2f} | "
    if not theirs:
        return begin + "did not finish | | | |"
    faster, without = row["faster"], row["faster_without_start"]
    return begin + (f"{theirs['cpu']:.2f} | {theirs['wall']:.2f} | {faster['cpu']:.0f}x | {faster['wall']:.0f}x | "
                    f"{without['cpu']:.0f}x |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("heed")
    parser.add_argument("--sacrebleu", default=shutil.which("sacrebleu") or str(pathlib.Path(sys.executable).with_name("sacrebleu")))
    parser.add_argument("--lines", type=int, nargs="+", default=[3_000, 100_000])
    parser.add_argument("--cores", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--tasks", nargs="*", help="only tasks whose names begin so")
    parser.add_argument("--repeat", type=int, default=3, help="sacreBLEU on 100,000 lines runs once")
    parser.add_argument("--limit", type=float, default=1800, help="seconds that one run may take")
    parser.add_argument("--out", help="file for the measurements as JSON")
    options = parser.parse_args()
    options.heed = os.path.abspath(options.heed)
    origin = {"processor": train_speed.processor(), "date": datetime.date.today().isoformat(), "commit": train_speed.commit()}
    print(f"{origin['processor']}, {origin['date']}, commit {origin['commit']}\n")
    python = str(pathlib.Path(options.sacrebleu).with_name("python"))
    start = best([python, "-c", "import sacrebleu.sacrebleu, numpy"], ".", 1, 5, 60)
    print(f"Python's start with sacreBLEU's imports: {start['cpu']:.2f} s CPU, {start['wall']:.2f} s\n")
    print("| task | lines | cores | heed CPU s | heed s | sacreBLEU CPU s | sacreBLEU s | faster (CPU) | faster (wall) | faster without Python's start (CPU) |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    rows = []
    for lines in options.lines:
        folder = pathlib.Path(tempfile.mkdtemp())
        make_files(folder, lines)
        for cores in options.cores:
            for row in measure(options, lines, folder, cores, start):
                rows.append(row)
                print(table_row(row), flush=True)
        shutil.rmtree(folder)
    if options.out:
        out = pathlib.Path(options.out)
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(json.dumps({**origin, "python_start": {k: start[k] for k in ("cpu", "wall")}, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
