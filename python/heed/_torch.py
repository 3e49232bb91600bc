"""Finds the PyTorch that is installed, and loads its libraries, which heed's module calls."""

import ctypes
import importlib.util
import pathlib
import re

from ._build import TORCH_VERSION


def folder() -> pathlib.Path:
    """The folder of the installed PyTorch. Raises ImportError unless it is of the release that heed was built for."""
    found = importlib.util.find_spec("torch")
    if found is None or found.origin is None:
        raise ImportError(f"heed needs PyTorch {TORCH_VERSION}, which is not installed: pip install 'torch=={TORCH_VERSION}.*'")
    root = pathlib.Path(found.origin).parent
    version = _version(root)
    if not version.startswith(TORCH_VERSION + "."):
        raise ImportError(
            f"heed was built for PyTorch {TORCH_VERSION}, but PyTorch {version} is installed in {root}: "
            f"pip install 'torch=={TORCH_VERSION}.*', or build heed anew"
        )
    return root


def load() -> None:
    """Loads the libraries of the installed PyTorch without its Python modules, which take longer."""
    libraries = folder() / "lib"
    for name, mode in (
        ("libtorch_global_deps.so", ctypes.RTLD_GLOBAL),
        ("libc10.so", ctypes.RTLD_LOCAL),
        ("libtorch_cpu.so", ctypes.RTLD_LOCAL),
        ("libtorch_cuda.so", ctypes.RTLD_LOCAL),  # registers the kernels of a GPU
    ):
        if (libraries / name).exists():
            ctypes.CDLL(str(libraries / name), mode=mode)


def _version(root: pathlib.Path) -> str:
    found = re.search(r"__version__ = '([^']*)'", (root / "version.py").read_text(encoding="utf-8"))
    return found[1] if found else "of an unknown version"
