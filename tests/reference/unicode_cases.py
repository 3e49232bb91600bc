"""Writes tests/core/data/unicode.json: what Python makes of lines and bytes, for lib/heed/core/text/unicode.

    python3.11 tests/reference/unicode_cases.py
"""
import json
import pathlib
import random
import sys

from random_text import line

OUT = pathlib.Path(__file__).parent.parent / "core" / "data" / "unicode.json"
BROKEN = ["80", "c3", "c328", "e282", "e28228", "f09f98", "f09f9841", "c0af", "e080af", "eda080", "f4908080", "ff", "fe61", "41c3a9c3",
          "f0f1f2", "e2e282ac", "f8888080", "f09f8fb4f3", "c3a9", "efbfbe", "00"]


def random_bytes(rng):
    data = bytearray(line(rng, 3).encode())
    for _ in range(rng.randint(1, 4)):
        place = rng.randint(0, len(data))
        data[place:place + rng.randint(0, 2)] = rng.randbytes(rng.randint(0, 2))
    return bytes(data)


def first_invalid(data):
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.start
    return -1


def main():
    rng = random.Random(8)
    points = [chr(c) for c in range(sys.maxunicode + 1) if not 0xD800 <= c < 0xE000]
    lines = [line(rng) for _ in range(150)] + ["ΟΔΟΣ ΣΣ Σ. ΑΣ\u0301 ΑΣ'Β", "İstanbul I", "\u2028\u2028", ""]
    broken = [bytes.fromhex(text) for text in BROKEN] + [random_bytes(rng) for _ in range(150)]
    OUT.write_text(json.dumps({
        "spaces": [ord(c) for c in points if c.isspace()],
        "lowered": {c: c.lower() for c in points if c.lower() != c},
        "lines": [{"line": text, "split": text.split(), "strip": text.strip(), "rstrip": text.rstrip(), "lower": text.lower(),
                   "length": len(text)} for text in lines],
        "bytes": [{"hex": data.hex(), "replaced": data.decode(errors="replace"), "first_invalid": first_invalid(data)}
                  for data in broken],
    }, ensure_ascii=False, indent=0, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
