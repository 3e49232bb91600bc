"""PNG files of 8-bit RGB, as small as they can be told."""

from __future__ import annotations

import struct
import zlib
from typing import Iterator, Tuple

SIGNATURE = b"\x89PNG\r\n\x1a\n"
RGB, NO_FILTER = 2, b"\0"


def _chunk(kind: bytes, content: bytes) -> bytes:
    return (struct.pack(">I", len(content)) + kind + content
            + struct.pack(">I", zlib.crc32(kind + content)))


def encode(width: int, height: int, pixels: bytes) -> bytes:
    """The file of a picture whose pixels stand row by row, three bytes each."""
    header = struct.pack(">IIBBBBB", width, height, 8, RGB, 0, 0, 0)
    row = 3 * width
    rows = b"".join(NO_FILTER + pixels[y * row:(y + 1) * row] for y in range(height))
    return (SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows))
            + _chunk(b"IEND", b""))


def decode(content: bytes) -> Tuple[int, int, bytes]:
    """Width, height and pixels of a file that encode() made."""
    chunks = dict(_chunks(content))
    width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
    rows, step = zlib.decompress(chunks[b"IDAT"]), 1 + 3 * width
    return width, height, b"".join(rows[y * step + 1:(y + 1) * step] for y in range(height))


def _chunks(content: bytes) -> Iterator[Tuple[bytes, bytes]]:
    place = len(SIGNATURE)
    while place < len(content):
        length, kind = struct.unpack(">I4s", content[place:place + 8])
        yield kind, content[place + 8:place + 8 + length]
        place += 12 + length
