"""Installs what a wheel has into a folder, and uses it from there, as pip would leave it beside PyTorch."""

import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

if importlib.util.find_spec("torch") is None or importlib.util.find_spec("numpy") is None:
    print(f"SKIPPED: {sys.executable} has no torch or numpy")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
STORED = ROOT / "tests/end_to_end/model_v1"
cmake, tree = sys.argv[1:]

with tempfile.TemporaryDirectory() as folder:
    subprocess.run([cmake, "--install", tree, "--component", "python", "--prefix", folder], check=True, stdout=subprocess.DEVNULL)
    files = {str(path.relative_to(folder)) for path in pathlib.Path(folder).rglob("*") if path.is_file()}
    expected = {f"heed/{name}" for name in ("__init__.py", "_build.py", "_command.py", "_heed.pyi", "_torch.py", "metrics.py",
                                            "py.typed", "training.py", "bin/heed", "bin/heed-serve", "bin/heed-torch")}
    (module,) = files - expected
    assert expected < files and module.startswith("heed/_heed."), files

    environment = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"} | {"PYTHONPATH": folder}

    def run(code):
        return subprocess.run([sys.executable, "-B", "-c", code], env=environment, capture_output=True, encoding="utf-8")

    code = f"import heed; print(heed.__file__, heed.Translator({str(STORED)!r}).translate(['seven one'])[0])"
    printed = run(code)
    assert printed.stdout == f"{folder}/heed/__init__.py eins sieben\n", printed
    # `heed score` needs PyTorch, whose libraries are nowhere near the program.
    code = f"import sys; sys.argv = ['heed', 'score', '--model', {str(STORED)!r}, '--source', {str(STORED / 'input.txt')!r}, " \
        f"'--target', {str(STORED / 'expected.txt')!r}]; from heed._command import main; main()"
    printed = run(code)
    assert printed.returncode == 0 and len(printed.stdout.splitlines()) == len((STORED / "input.txt").read_text().splitlines()), printed
