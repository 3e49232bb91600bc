"""Measures `heed bpe` against subword-nmt on the same files: whole process against whole process.

    pip install subword-nmt==0.3.8
    python benchmarks/bpe_speed/bpe_speed.py build/release/bin/heed --python $(which python) [--text FILE] [--lines N...]

Texts of 29,000 and 1,000,000 lines: the lines of FILE (.gz too; Multi30k's tokenized German in HEED_DATA, or generated
text, if none is given), in order and again and again, with each word changed with a probability of 1 in 100 from the second
time on. For each, 10,000 merges are learned, applied and the units counted. A row shows user + system CPU seconds and wall
seconds of the fastest of --repeat runs, the greatest memory, and how many times faster heed is by CPU. Both programs must
write the same bytes, or the run ends. On a machine that does other work CPU seconds are still comparable; wall seconds are
not.
"""
import argparse
import gzip
import itertools
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time


def own_lines(path):
    if path is None and "HEED_DATA" in os.environ:
        path = pathlib.Path(os.environ["HEED_DATA"], "multi30k-tok", "train.lc.norm.tok.de.gz")
    if path is not None:
        opened = gzip.open(path, "rt", encoding="utf-8") if str(path).endswith(".gz") else open(path, encoding="utf-8")
        with opened as file:
            return file.read().splitlines()
    rng = random.Random(1)
    syllables = ["".join(rng.choice("bdfghklmnprstvwz") + rng.choice("aeiouäö") for _ in range(1)) for _ in range(60)]
    words = ["".join(rng.choice(syllables) for _ in range(rng.randint(1, 5))) for _ in range(20000)]
    weights = list(itertools.accumulate(1 / (rank + 1) for rank in range(len(words))))
    return [" ".join(rng.choices(words, cum_weights=weights, k=rng.randint(5, 20))) for _ in range(29000)]


def write_text(path, lines, count):
    rng = random.Random(count)

    def changed(word):
        if rng.random() >= 0.01:
            return word
        place = rng.randrange(len(word))
        return word[:place] + rng.choice("aeinrst") + word[place + 1:]

    with open(path, "w", encoding="utf-8") as file:
        for i in range(count):
            line = lines[i % len(lines)]
            if i >= len(lines):
                line = " ".join(changed(word) for word in line.split())
            file.write(line + "\n")


def measure(command, repeat):
    """CPU seconds, wall seconds and greatest memory (MiB) of the fastest run."""
    best = None
    for _ in range(repeat):
        begin = time.perf_counter()
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"failed: {' '.join(map(str, command))}")
        run = (usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)
        best = run if best is None else min(best, run)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heed")
    parser.add_argument("--python", default=sys.executable, help="a Python that has subword-nmt")
    parser.add_argument("--text")
    parser.add_argument("--lines", type=int, nargs="+", default=[29000, 1000000])
    parser.add_argument("--symbols", default="10000")
    parser.add_argument("--repeat", type=int, default=5, help="runs of heed; the original runs once for each million lines")
    options = parser.parse_args()
    lines = own_lines(options.text)
    folder = pathlib.Path(tempfile.mkdtemp())
    print("| lines | task | subword-nmt CPU s | wall s | MiB | heed CPU s | wall s | MiB | times faster (CPU) | (wall) |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for count in options.lines:
        text = folder / f"{count}.txt"
        write_text(text, lines, count)
        codes, units = folder / "codes", folder / "units"
        for task, original, arguments, result in [
                ("learn", "learn-bpe", ["-s", options.symbols, "-i", text], codes),
                ("apply", "apply-bpe", ["-c", codes, "-i", text], units),
                ("vocabulary", "get-vocab", ["-i", units], folder / "vocabulary")]:
            theirs = folder / "theirs"
            module = "import sys; from subword_nmt.subword_nmt import main; main()"
            slow = measure([options.python, "-c", module, original, *arguments, "-o", theirs], 1 if count > 100000 else 2)
            fast = measure([options.heed, "bpe", task, *arguments, "-o", result], options.repeat)
            if theirs.read_bytes() != result.read_bytes():
                sys.exit(f"{task} of {count} lines: the outputs differ; see {folder}")
            cells = [f"{slow[0]:.2f}", f"{slow[1]:.2f}", f"{slow[2]:.0f}", f"{fast[0]:.3f}", f"{fast[1]:.3f}", f"{fast[2]:.0f}",
                     f"{slow[0] / fast[0]:.0f}", f"{slow[1] / fast[1]:.0f}"]
            print(f"| {count} | {task} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
