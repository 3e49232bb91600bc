import os
import pathlib
import subprocess
import threading

import pytest
import torch

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A model that writes English number words in German and in reverse order.
STORED = ROOT / "tests/end_to_end/model_v1"


@pytest.fixture(scope="session")
def stored():
    return STORED


@pytest.fixture(scope="session")
def command():
    """Runs `heed ARGUMENTS...`, the one that comes with the package."""
    program = pathlib.Path(os.environ["HEED_BINARY_DIR"]) / "bin/heed"

    def run(*arguments, text=""):
        return subprocess.run([program, *map(str, arguments)], input=text, capture_output=True, encoding="utf-8")

    return run


@pytest.fixture(scope="session")
def corpus(tmp_path_factory):
    """Pairs of letters and the same letters as capitals: what a small model learns in a few updates."""
    folder = tmp_path_factory.mktemp("corpus")
    lines = [" ".join("abcdefgh"[(i * 7 + j * j + i * j) % 8] for j in range(1 + i % 5)) for i in range(200)]
    (folder / "train.source").write_text("".join(line + "\n" for line in lines))
    (folder / "train.target").write_text("".join(line.upper() + "\n" for line in lines))
    return folder


@pytest.fixture
def threads_of_torch():
    """Gives how many threads PyTorch has, here and in a thread that begins now; 3 at the start of the test."""
    before = torch.get_num_threads()
    torch.set_num_threads(3)

    def count():
        counts = [torch.get_num_threads()]
        thread = threading.Thread(target=lambda: counts.append(torch.get_num_threads()))
        thread.start()
        thread.join()
        return counts

    yield count
    torch.set_num_threads(before)
