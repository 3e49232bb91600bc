"""Makes anew what a script beside it has stored for the tests, with the libraries that are installed, and compares.

    python tests/reference/check.py SCRIPT

Exits with 77, which is skipped, where those libraries are not installed in the versions of tests/requirements.txt.
"""
import argparse
import importlib.metadata
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parents[1]
PACKAGES = {
    "bpe_cases": ["subword-nmt"],
    "error_rate_cases": ["jiwer"],
    "heads_values": ["torch"],
    "label_cases": ["scikit-learn", "seqeval"],
    "pictures": ["numpy", "pillow"],
    "recurrent_values": ["torch"],
    "safetensors_values": ["safetensors", "torch"],
    "transformer_values": ["torch"],
    "vector_files": ["ml_dtypes", "numpy", "safetensors"],
}
TOLERANCE = 1e-12  # of a number above 1 of its own size: sums in double precision depend on the processor
SKIPPED = 77


def lacking(packages):
    """Those that are not installed, or in another version than the tests': any version suits where they name none."""
    lines = (TESTS / "requirements.txt").read_text().splitlines()
    pinned = dict(line.split("==") for line in lines if "==" in line)
    for name in packages:
        try:
            installed = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            installed = None
        if installed is None or installed != pinned.get(name, installed):
            yield f"{name} {pinned.get(name, '')}".strip()


def make(script, tests):
    """Runs a copy of the script in a tree of empty folders, and returns the files that it writes there."""
    for folder in [TESTS, *(path for path in TESTS.rglob("*") if path.is_dir())]:
        (tests / folder.relative_to(TESTS)).mkdir()
    scripts = tests / "reference"
    for path in (TESTS / "reference").glob("*.py"):
        shutil.copy(path, scripts)
    subprocess.run([sys.executable, "-B", scripts / f"{script}.py"], check=True)
    return [path for path in tests.rglob("*") if path.is_file() and path.parent != scripts]


def same(stored, made):
    if type(stored) is not type(made):
        return False
    if isinstance(stored, dict):
        return stored.keys() == made.keys() and all(same(value, made[name]) for name, value in stored.items())
    if isinstance(stored, list):
        return len(stored) == len(made) and all(map(same, stored, made))
    if isinstance(stored, float):
        return stored == made or abs(stored - made) <= TOLERANCE * max(1, abs(stored))
    return stored == made


def same_files(stored, made):
    if stored.suffix == ".json":
        return same(*(json.loads(path.read_text(encoding="utf-8")) for path in (stored, made)))
    return stored.read_bytes() == made.read_bytes()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("script", choices=PACKAGES)
    script = parser.parse_args().script
    if missing := list(lacking(PACKAGES[script])):
        print(f"skipped: {sys.executable} has no {', '.join(missing)}")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        tests = pathlib.Path(folder) / "tests"
        made = make(script, tests)
        names = [str(path.relative_to(tests)) for path in made]
        different = [name for name, path in zip(names, made) if not same_files(TESTS / name, path)]
    print(f"{script} makes {', '.join(names) or 'nothing'}; other than stored: {', '.join(different) or 'none'}")
    return 1 if different or not names else 0


if __name__ == "__main__":
    sys.exit(main())
