import importlib
import logging
import pathlib
import re
import subprocess
import sys

import pytest

import heed
from heed import _torch


def test_everything_is_documented_and_typed():
    folder = pathlib.Path(heed.__file__).parent
    assert (folder / "py.typed").exists()
    stubs = (folder / "_heed.pyi").read_text(encoding="utf-8")
    for name in heed.__all__:
        thing = getattr(heed, name)
        if isinstance(thing, str):
            continue
        assert thing.__doc__, name
        if thing.__module__ == "heed._heed":
            assert re.search(rf"^class {name}\b", stubs, re.MULTILINE), name


def test_the_command_comes_with_it(monkeypatch):
    code = "import sys; sys.argv = ['heed', '--version']; from heed._command import main; main()"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8")
    assert printed.stdout.startswith(f"heed {heed.__version__}"), printed.stderr
    code = code.replace("'--version'", "'align', '--model', 'nowhere'")  # which needs PyTorch
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8")
    assert (printed.returncode, printed.stderr) == (1, "heed: nowhere: is not a model directory: it does not exist\n")


def test_another_pytorch_is_refused_in_a_sentence(tmp_path, monkeypatch):
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch/__init__.py").write_text("")
    (tmp_path / "torch/version.py").write_text("__version__ = '1.13.1'\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    importlib.invalidate_caches()
    with pytest.raises(ImportError) as error:
        _torch.folder()
    wanted = _torch.TORCH_VERSION
    assert str(error.value) == (f"heed was built for PyTorch {wanted}, but PyTorch 1.13.1 is installed in {tmp_path}/torch: "
                                f"pip install 'torch=={wanted}.*', or build heed anew")


def test_a_missing_pytorch_is_named(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match="needs PyTorch .*, which is not installed: pip install"):
        _torch.folder()


def test_pytorch_may_be_imported_before_and_after():
    for code in ("import torch, heed", "import heed, torch"):
        code += "; print(torch.ones(2).sum().item(), heed.evaluate(['a b'], ['a b'], 'wer')['wer'].value)"
        printed = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8")
        assert printed.stdout == "2.0 0.0\n", printed.stderr


def test_warnings_go_to_logging(caplog):
    with caplog.at_level(logging.WARNING, logger="heed"):
        heed.evaluate(["今日は 。"], ["今日は良い天気です。"])
    assert any("--tokenize" in record.message for record in caplog.records)


ENDS = """
import sys, threading, time
import heed
%s
for _ in range(4):
    threading.Thread(target=work, daemon=True).start()
started.wait()
time.sleep(float(sys.argv[1]))
"""
LOGS = """
started = threading.Event()
def work():
    while True:
        heed.evaluate(["\u4eca\u65e5\u306f \u3002"], ["\u4eca\u65e5\u306f\u826f\u3044\u3002"])
        started.set()
"""
TRANSLATES = """
started = threading.Event()
model = heed.Translator(sys.argv[2], threads=1)
def work():
    started.set()
    while True:
        model.translate(["one two three four five six seven"] * 50, beam=8)
"""


@pytest.mark.parametrize("work", [LOGS, TRANSLATES], ids=["logging", "translating"])
def test_the_interpreter_ends_beside_threads_that_work(work, stored):
    for round in range(8):
        ended = subprocess.run([sys.executable, "-c", ENDS % work, str(0.013 * round), stored], capture_output=True,
                               encoding="utf-8", timeout=60)
        assert ended.returncode == 0, ended.stderr
        assert not re.search("terminate|Fatal|Aborted", ended.stderr), ended.stderr


def test_the_exit_status_is_kept_beside_threads_that_work(stored):
    code = ENDS % TRANSLATES + "print('written', end='')\nsys.exit(3)"
    ended = subprocess.run([sys.executable, "-c", code, "0.1", stored], capture_output=True, encoding="utf-8", timeout=60)
    assert (ended.returncode, ended.stdout, ended.stderr) == (3, "written", "")
