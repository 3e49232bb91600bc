"""Makes tests/media/data/pictures.json, which tests/media/image_test.cpp reads: a PNG file of every kind of pixels, packed
here, and the pixels that it must become, by NumPy. Where Pillow reads such a file the same way, both are compared here.

Usage: python tests/reference/pictures.py   (needs NumPy and Pillow)
"""
import io
import json
import pathlib
import struct
import zlib

import numpy as np
from PIL import Image

HEIGHT, WIDTH = 5, 11
GRAY, RGB, PALETTE, GRAY_ALPHA, RGB_ALPHA = 0, 2, 3, 4, 6  # color types of the format
CHANNELS = {GRAY: 1, RGB: 3, PALETTE: 1, GRAY_ALPHA: 2, RGB_ALPHA: 4}
DEPTHS = {GRAY: (1, 2, 4, 8, 16), RGB: (8, 16), PALETTE: (1, 2, 4, 8), GRAY_ALPHA: (8, 16), RGB_ALPHA: (8, 16)}
ADAM7 = ((0, 8, 0, 8), (0, 8, 4, 8), (4, 8, 0, 4), (0, 4, 2, 4), (2, 4, 0, 2), (0, 2, 1, 2), (1, 2, 0, 1))


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def packed_row(row, depth):
    """A row [width, channels] as the file has it, with the filter type `None` before it."""
    if depth == 16:
        return b"\0" + row.astype(">u2").tobytes()
    bits = "".join(format(value, f"0{depth}b") for value in row.flatten())
    bits += "0" * (-len(bits) % 8)
    return b"\0" + bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))


def packed(pixels, depth, interlaced):
    passes = ADAM7 if interlaced else ((0, 1, 0, 1),)
    parts = [pixels[y::ystep, x::xstep] for y, ystep, x, xstep in passes]
    return b"".join(packed_row(row, depth) for part in parts if part.size for row in part)


def png_file(pixels, color, depth, interlaced, chunks=b""):
    header = struct.pack(">IIBBBBB", pixels.shape[1], pixels.shape[0], depth, color, 0, 0, interlaced)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunks
            + chunk(b"IDAT", zlib.compress(packed(pixels, depth, interlaced))) + chunk(b"IEND", b""))


def rounded(values):
    return np.floor(values + 0.5).astype(np.int64)


def expected(pixels, color, depth, palette, transparent):
    """RGB [height, width, 3] on white."""
    if color == PALETTE:
        rgb = palette[pixels[..., 0]].astype(np.float64)
        alpha = transparent[pixels[..., 0]] / 255 if transparent is not None else np.ones(rgb.shape[:2])
    else:
        eight = rounded(pixels * 255 / (2 ** depth - 1)).astype(np.float64)
        rgb = eight[..., :3] if color in (RGB, RGB_ALPHA) else np.repeat(eight[..., :1], 3, axis=2)
        alpha = eight[..., -1] / 255 if color in (GRAY_ALPHA, RGB_ALPHA) else np.ones(rgb.shape[:2])
        if transparent is not None:  # one color that is transparent
            alpha = np.where((pixels == transparent).all(axis=2), 0.0, 1.0)
    return rounded(rgb * alpha[..., None] + 255 * (1 - alpha[..., None]))


def gray(rgb):
    return (19595 * rgb[..., 0] + 38470 * rgb[..., 1] + 7471 * rgb[..., 2] + 0x8000) >> 16


def compare_with_pillow(name, data, rgb):
    image = Image.open(io.BytesIO(data))
    if "16" in name:  # Pillow takes the higher byte, or keeps 16 bits
        return
    if name in {"gray 1 transparent", "gray 2 transparent", "gray 4 transparent"}:  # of which Pillow makes other grays
        return
    laid = Image.new("RGBA", image.size, "white")
    laid.alpha_composite(image.convert("RGBA"))
    difference = np.abs(np.asarray(laid.convert("RGB")).astype(int) - rgb).max()
    assert difference <= (1 if "alpha" in name or "transparent" in name else 0), (name, difference)
    plain = Image.fromarray(rgb.astype(np.uint8), "RGB").convert("L")
    assert (np.asarray(plain) == gray(rgb)).all(), name


def case(name, random, color, depth, interlaced, with_transparent=False):
    most = 2 ** depth
    pixels = random.integers(0, most, (HEIGHT, WIDTH, CHANNELS[color]))
    palette = random.integers(0, 256, (most, 3)) if color == PALETTE else None
    chunks, transparent = b"", None
    if palette is not None:
        chunks += chunk(b"PLTE", palette.astype(np.uint8).tobytes())
    if with_transparent:
        transparent = random.integers(0, 256, most) if color == PALETTE else pixels[2, 3]
        code = transparent.astype(np.uint8).tobytes() if color == PALETTE else transparent.astype(">u2").tobytes()
        chunks += chunk(b"tRNS", code)
    chunks += chunk(b"tEXt", b"Comment\0of no use") + chunk(b"pHYs", struct.pack(">IIB", 1, 2, 0))
    data = png_file(pixels, color, depth, interlaced, chunks)
    rgb = expected(pixels, color, depth, palette, transparent)
    compare_with_pillow(name, data, rgb)
    return {"name": name, "png": data.hex(), "height": HEIGHT, "width": WIDTH, "rgb": bytes(rgb.flatten().tolist()).hex(),
            "gray": bytes(gray(rgb).flatten().tolist()).hex()}


if __name__ == "__main__":
    draws = np.random.default_rng(1)
    cases = []
    names = {GRAY: "gray", RGB: "rgb", PALETTE: "palette", GRAY_ALPHA: "gray alpha", RGB_ALPHA: "rgb alpha"}
    for kind, depths in DEPTHS.items():
        for bit_depth in depths:
            for interlace in (0, 1):
                label = f"{names[kind]} {bit_depth}{' interlaced' if interlace else ''}"
                cases.append(case(label, draws, kind, bit_depth, interlace))
            if kind in (GRAY, RGB, PALETTE):
                cases.append(case(f"{names[kind]} {bit_depth} transparent", draws, kind, bit_depth, 0, True))
    target = pathlib.Path(__file__).parents[1] / "media/data/pictures.json"
    target.write_text("[\n" + ",\n".join(json.dumps(one, separators=(",", ":")) for one in cases) + "\n]\n", encoding="utf-8")
    print(len(cases), "kinds of files")
