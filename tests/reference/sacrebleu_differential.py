"""Compares `heed evaluate` with sacreBLEU 2.6.0 on random texts and random arguments: standard output and exit code.

    pip install sacrebleu==2.6.0 numpy==1.24.2
    python tests/reference/sacrebleu_differential.py build/dev/bin/heed --cases 1000 --seed 1

Prints each difference, and keeps its files and its command line in the folder --keep. Python 3.11 with NumPy 1.24 gives
the same digits; other versions of NumPy differ in the seventh digit of resampled scores, and with NumPy 2 cases that
resample are left out.
"""
import argparse
import gzip
import os
import pathlib
import random
import shlex
import shutil
import subprocess
import sys
import tempfile

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # its threads would not survive the fork

VERSION, SKIPPED = "2.6.0", 77
try:
    import colorama  # noqa: F401 (imported once here, not in every child)
    import numpy
    import sacrebleu
    import sacrebleu.significance  # noqa: F401
    from sacrebleu.sacrebleu import main as sacrebleu_main
except ImportError as missing:
    print(f"skipped: {missing}; pip install sacrebleu=={VERSION} numpy")
    sys.exit(SKIPPED)

from random_text import line, noisy_copy

if sacrebleu.__version__ != VERSION:
    print(f"skipped: this is sacreBLEU {sacrebleu.__version__}, not {VERSION}")
    sys.exit(SKIPPED)


def run_original(arguments, folder, environment, stdin):
    """sacreBLEU's main() in a forked child, which saves its start."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            os.chdir(folder)
            os.dup2(os.open(stdin, os.O_RDONLY), 0)
            for number, name in ((1, "expected"), (2, "expected_errors")):
                os.dup2(os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
            os.environ.update(environment)
            sys.argv = ["sacrebleu", *arguments]
            sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)
            sacrebleu_main()
            code = 0
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 1
        except BaseException:
            import traceback
            traceback.print_exc()
        finally:
            try:
                sys.stdout.flush()
            finally:
                os._exit(code)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status), (folder / "expected").read_bytes()


def run_heed(program, arguments, folder, environment, stdin):
    with open(stdin, "rb") as text, open(folder / "errors", "wb") as errors:
        done = subprocess.run([program, "evaluate", *arguments], cwd=folder, stdin=text, stdout=subprocess.PIPE, stderr=errors,
                              env={**os.environ, **environment})
    return done.returncode, done.stdout


class Case:
    def __init__(self, rng, folder):
        self.rng, self.folder = rng, folder
        self.environment = {}
        self.arguments = []
        self.make_texts()
        self.make_arguments()

    def chance(self, probability):
        return self.rng.random() < probability

    def write(self, name, lines):
        data = ("\n".join(lines) + ("\n" if lines and not self.chance(0.1) else "")).encode("utf-8", "surrogatepass")
        if name.endswith(".gz"):
            data = gzip.compress(data)
        (self.folder / name).write_bytes(data)
        return name

    def make_texts(self):
        rng = self.rng
        count = rng.choice([1, 2, 5, 5, 20, 40])
        words = rng.choice([3, 8, 15])
        clean = self.chance(0.5)
        self.texts = [line(rng, words).replace("\n", " ") for _ in range(count)]
        if clean:
            vocabulary = ["the", "a", "cat", "dog", "sat", "on", "mat", ".", ",", "was", "warm", "1.5", "it's"]
            self.texts = [" ".join(rng.choice(vocabulary) for _ in range(rng.randint(0, words))) for _ in range(count)]

    def copies(self):
        lines = [noisy_copy(self.rng, text).replace("\n", " ") for text in self.texts]
        if self.chance(0.03):
            lines = lines[:-1]
        return lines

    def reference_arguments(self):
        rng = self.rng
        references = rng.choice([1, 1, 1, 2, 3])
        if self.chance(0.15):
            rows = zip(*(self.copies() for _ in range(references)))
            rows = ["\t".join(cell.replace("\t", " ") for cell in row) for row in rows]
            number = references if self.chance(0.9) else references + 1
            return [self.write("refs.tsv", rows)], ["-nr", str(number)]
        names = [self.write(rng.choice([f"ref{i}", f"ref{i}.txt", f"ref{i}.gz"]), self.copies()) for i in range(references)]
        return names, []

    def system_arguments(self, systems):
        rng = self.rng
        names = ["sys", "a_b%c", "1", "2.50", "Größe", "x{y}", "3", "Baseline: z", "nan"]
        rng.shuffle(names)
        outputs = [self.copies() for _ in range(systems)]
        if systems > 1 and self.chance(0.2):
            outputs[-1] = outputs[0]
        if self.chance(0.25):
            rows = ["\t".join(cell.replace("\t", " ") for cell in row) for row in zip(*outputs)]
            if self.chance(0.05) and rows:
                rows[-1] += "\tx"
            self.write("stdin", rows)
            return []
        files = [self.write(names[i] + rng.choice(["", "", ".gz"]), outputs[i]) for i in range(systems)]
        if self.chance(0.05):
            files.append(rng.choice(files))
        return ["-i", *files]

    def option(self, *spellings):
        """One of several spellings of an option with its values; each is a list."""
        return [self.rng.choice(spellings)]

    def metric_options(self):
        rng = self.rng
        options = []
        if self.chance(0.7):
            metrics = rng.sample(["bleu", "chrf", "ter"], rng.choice([1, 1, 2, 3]))
            options.append([rng.choice(["-m", "--metrics", "--met"]), *metrics])
        for probability, choices in [
            (0.3, [["-tok", name] for name in ["13a", "intl", "zh", "char", "none"]] + [["--tokenize=intl"], ["-tok=none"]]),
            (0.1, [["-l", "en-zh"], ["-l", "en-de"], ["--language-pair", "de-en"], ["-l", "x-y-z"], ["-l", "xx"]]),
            (0.3, [["-s", "exp"], ["-s", "floor"], ["-sfloor"], ["-s", "add-k"], ["-s", "none"], ["--smooth-method=add-k"]]),
            (0.15, [["-sv", value] for value in ["0.5", "1", "2.5", "0", "1e-3"]]),
            (0.2, [["-lc"], ["--lowercase"], ["--lower"]]), (0.1, [["--force"]]),
            (0.2, [["-cw", "2"], ["-cw=1"], ["--chrf-word-order", "3"]]), (0.15, [["-cc", "4"], ["--chrf-char-order=1"], ["-cc", "8"]]),
            (0.15, [["--chrf-beta", "1"], ["--chrf-beta", "3"]]), (0.1, [["--chrf-whitespace"]]), (0.1, [["--chrf-lowercase"]]),
            (0.15, [["--chrf-eps-smoothing"], ["--chrf-eps"]]), (0.15, [["--ter-case-sensitive"]]), (0.15, [["--ter-asian-support"]]),
            (0.15, [["--ter-no-punct"]]), (0.15, [["--ter-normalized"]]),
        ]:
            if self.chance(probability):
                options.append(rng.choice(choices))
        return options

    def output_options(self):
        rng = self.rng
        options = []
        for probability, choices in [
            (0.5, [["-f", "text"], ["-f", "latex"], ["-f", "json"], ["--format=text"], ["-ftext"]]),
            (0.4, [["-w", "0"], ["-w", "2"], ["-w4"], ["-w", "10"], ["--width=3"], ["-w", "17"]]),
            (0.2, [["-b"], ["--score-only"]]), (0.2, [["-sh"], ["--short"]]), (0.2, [["-q"], ["--quiet"], ["-bq"]]), (0.05, [["-d"]]),
            (0.1, [["-nc"], ["--no-color"]]),
        ]:
            if self.chance(probability):
                options.append(rng.choice(choices))
        return options

    def significance_options(self, systems):
        rng = self.rng
        options = []
        if self.chance(0.35 if systems == 1 else 0.02):
            options += [["-ci"], ["-cin", rng.choice(["1", "2", "39", "40", "100"])]]
        if self.chance(0.7 if systems > 1 else 0.02):
            options.append([rng.choice(["-par", "-pbs", "--paired-bs", "--paired-ar"])])
            options += [["-parn", rng.choice(["1", "20", "100"])], ["-pbsn", rng.choice(["1", "20", "100"])]]
        if self.chance(0.1):
            options.append(["-j", rng.choice(["1", "2"])])
        return options

    def make_arguments(self):
        rng = self.rng
        systems = rng.choice([1, 1, 1, 2, 2, 3])
        references, reference_options = self.reference_arguments()
        inputs = self.system_arguments(systems)
        options = self.metric_options() + self.output_options() + self.significance_options(systems)
        if self.chance(0.15 if systems == 1 else 0.02):
            options.append([rng.choice(["-sl", "--sentence-level"])])
        options += [reference_options, inputs]
        if self.chance(0.03):
            options.append(rng.choice([["--bogus"], ["-c"], ["-w"], ["-w", "x"], ["-f", "xml"], ["-m", "rouge"], ["--paired"], ["--paired-ar", "--paired-bs"],
                                       ["--chrf"], ["-e", "latin-1"], ["-V"], ["--ter-n"], ["extra"], ["-ol", "en"], ["-b=1"], ["-i"]]))
        rng.shuffle(options)
        if self.chance(0.2):
            options.insert(rng.randint(0, len(options)), references)
        else:
            options.insert(0, references)
        self.arguments = [argument for option in options for argument in option]
        if self.chance(0.2):
            self.environment["SACREBLEU_SEED"] = rng.choice(["1", "99", "0", "0012", "x", "123456789012345678901234567890"])
        if self.chance(0.1):
            self.environment["SACREBLEU_FORMAT"] = rng.choice(["text", "JSON", "xml"])
        if self.chance(0.1):
            self.environment["NO_COLOR"] = rng.choice(["1", ""])


def random_seeded_zero(case):
    """sacreBLEU seeds paired tests with SACREBLEU_SEED=0 at random."""
    return case.environment.get("SACREBLEU_SEED") == "0"


def needs_older_numpy(case):
    """NumPy 2 sums resampled scores in another order, and sacreBLEU's paired test by bootstrap may fail with it."""
    return numpy.__version__ >= "2" and {"-ci", "-par", "--paired-ar", "-pbs", "--paired-bs"} & set(case.arguments)


def compare(case, program):
    folder = case.folder
    stdin = folder / "stdin"
    if not stdin.exists():
        stdin.write_bytes(b"")
    expected = run_original(case.arguments, folder, case.environment, stdin)
    found = run_heed(program, case.arguments, folder, case.environment, stdin)
    return expected, found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("heed")
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", default="differences")
    options = parser.parse_args()
    program = os.path.abspath(options.heed)
    codes = {}
    different = left_out = 0
    for number in range(options.cases):
        rng = random.Random(options.seed * 1_000_003 + number)
        folder = pathlib.Path(tempfile.mkdtemp())
        case = Case(rng, folder)
        if random_seeded_zero(case) and any("pa" in a or "pbs" in a for a in case.arguments):
            case.environment.pop("SACREBLEU_SEED")
        if needs_older_numpy(case):
            left_out += 1
            shutil.rmtree(folder)
            continue
        expected, found = compare(case, program)
        codes[expected[0]] = codes.get(expected[0], 0) + 1
        if expected != found:
            different += 1
            kept = pathlib.Path(options.keep) / f"{options.seed}-{number}"
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(folder, kept)
            (kept / "found").write_bytes(found[1])
            settings = [f"{name}={value}" for name, value in case.environment.items()]
            (kept / "command").write_text(shlex.join([*settings, "heed", "evaluate", *case.arguments]) + "\n")
            print(f"{kept}: exit {expected[0]} expected, {found[0]} found: {shlex.join(case.arguments)} {settings}")
        shutil.rmtree(folder)
    print(f"{options.cases - left_out} cases, {different} different; exit codes of sacreBLEU: {codes}; "
          f"{left_out} left out for NumPy 2")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
