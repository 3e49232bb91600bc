"""The command `heed`: the program that came with the package."""

import os
import pathlib
import sys

from . import _torch


def main() -> None:
    package = pathlib.Path(__file__).absolute().parent
    try:
        libraries = str(_torch.folder() / "lib")
    except ImportError as error:
        sys.exit(f"heed: {error}")
    others = os.environ.get("LD_LIBRARY_PATH")
    os.environ["LD_LIBRARY_PATH"] = libraries + (os.pathsep + others if others else "")
    program = package / "bin" / "heed"
    os.execv(program, [str(program), *sys.argv[1:]])
