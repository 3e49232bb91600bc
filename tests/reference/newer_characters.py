"""Writes lib/heed/core/text/newer_characters.inc: numbers, punctuation and symbols that came with Unicode 15.1 and later, as the
package regex knows them. Unicode never takes a category back from an assigned character but in errata, and an ICU that
knows them itself is asked first.

    pip install regex==2026.11.15; python3.11 tests/reference/newer_characters.py     (Python 3.11 has Unicode 14)
"""
import pathlib
import unicodedata

import regex

OUT = pathlib.Path(__file__).parents[2] / "lib" / "heed" / "core" / "newer_characters.inc"
CLASSES = {"Number": regex.compile(r"\p{N}"), "Punctuation": regex.compile(r"\p{P}"), "Symbol": regex.compile(r"\p{S}")}


def class_of(code):
    return next((name for name, pattern in CLASSES.items() if pattern.match(chr(code))), None)


def main():
    ranges = []
    for code in range(0x110000):
        if unicodedata.category(chr(code)) != "Cn" or not (name := class_of(code)):
            continue
        if ranges and ranges[-1][1] == code - 1 and ranges[-1][2] == name:
            ranges[-1][1] = code
        else:
            ranges.append([code, code, name])
    lines = [f"{{0x{first:04X}, 0x{last:04X}, CharacterClass::{name}}}," for first, last, name in ranges]
    OUT.write_text("// Made by tests/reference/newer_characters.py.\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
