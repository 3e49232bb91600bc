"""Makes tests/core/data/vectors.*, which tests/core/files/vector_file_test.cpp reads: number i of item n, from 0, is
(8 n + i) / 8 in every type of floats, and (8 n + i) / 255 where bytes are stored.

Usage: python tests/reference/vector_files.py   (needs NumPy, ml_dtypes and safetensors)
"""
import pathlib

import ml_dtypes
import numpy as np
from safetensors.numpy import save_file

FOLDER = pathlib.Path(__file__).parents[1] / "core/data"


def save_numpy(name, array, version):
    with open(FOLDER / name, "wb") as file:
        np.lib.format.write_array(file, array, version=version)


if __name__ == "__main__":
    numbers = np.arange(16)
    save_numpy("vectors.f2.npy", (numbers / 8).astype("<f2").reshape(2, 4, 2), (1, 0))
    save_numpy("vectors.f4.npy", (numbers / 8).astype("<f4").reshape(2, 4, 2), (2, 0))
    save_numpy("vectors.f8.npy", (numbers / 8).astype("<f8").reshape(2, 8), (3, 0))
    save_numpy("vectors.u1.npy", numbers.astype("u1").reshape(2, 2, 2, 2), (1, 0))
    save_file({"vectors": (numbers / 8).astype(ml_dtypes.bfloat16).reshape(8, 2), "lengths": np.array([4, 4])},
              FOLDER / "vectors.lengths.safetensors")
    save_file({"vectors": numbers.astype(np.uint8).reshape(8, 2), "grids": np.array([[2, 2], [1, 4]]),
               "names": np.zeros(3, np.int32)}, FOLDER / "vectors.grids.safetensors")
