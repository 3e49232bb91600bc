"""Runs these tests with pytest; exits with 77, which is skipped, where something that they need is not installed."""

import importlib.util
import pathlib
import sys

missing = [name for name in ("pytest", "numpy", "torch") if importlib.util.find_spec(name) is None]
if missing:
    print(f"SKIPPED: {sys.executable} has no {', '.join(missing)}")
    sys.exit(77)

import pytest  # noqa: E402

sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", str(pathlib.Path(__file__).parent), *sys.argv[1:]]))
