"""Makes tests/checkpoint/from_python.safetensors, which tests/checkpoint/tensor_file_test.cpp reads.

Usage: python tests/reference/safetensors_values.py   (needs PyTorch, NumPy and safetensors)
"""
import pathlib

import torch
from safetensors.torch import save_file

TENSORS = {
    "f64": torch.tensor([[1.5, -2.0]], dtype=torch.float64),
    "f32": torch.arange(6, dtype=torch.float32).reshape(2, 3),
    "f16": torch.tensor([0.5], dtype=torch.float16),
    "bf16": torch.tensor([3.0, -4.0], dtype=torch.bfloat16),
    "i64": torch.tensor(-7),
    "i32": torch.full((1, 1, 1), 9, dtype=torch.int32),
    "u8": torch.tensor([1, 2, 255], dtype=torch.uint8),
    "bool": torch.tensor([True, False, True]),
    "empty": torch.zeros(0, 4),
}

if __name__ == "__main__":
    target = pathlib.Path(__file__).parents[1] / "checkpoint/from_python.safetensors"
    save_file(TENSORS, target, metadata={"written": "by Python's safetensors"})
