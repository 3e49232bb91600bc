"""Small figures of the recipes as SVG: shaded characters, grids of numbers, and line charts.

Colors are for light pages, and inverted on dark ones. Functions that draw a figure return the text of a whole file.
"""

from __future__ import annotations

import math
from typing import Dict, Iterable, List, NamedTuple, Sequence, Tuple
from xml.sax.saxutils import escape

# Inverts lightness and keeps hues for readers who prefer dark pages, as in the figures of heed's own commands.
DARK = ("@media (prefers-color-scheme:dark){svg{filter:invert(.93) hue-rotate(180deg)}"
        ".as-is{filter:invert(1) hue-rotate(180deg)}}")
COLORS = ("#1f77b4", "#d9571c", "#2a9d55", "#8a5bc7", "#b8860b")
GRAY = "#808080"


def document(width: float, height: float, body: Sequence[str]) -> str:
    """An SVG file of this size."""
    return ("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n<style>%s</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n%s\n</svg>\n"
            % (width, height, width, height, DARK, "\n".join(body)))


def text(x: float, y: float, content: str, **attributes: object) -> str:
    """A text element; underscores in the names of attributes stand for hyphens."""
    given = "".join(" %s=\"%s\"" % (name.replace("_", "-"), value) for name, value in attributes.items())
    return "<text x=\"%.1f\" y=\"%.1f\"%s>%s</text>" % (x, y, given, escape(content))


class ShadedLine(NamedTuple):
    """Characters (or short tokens) with a weight each, and what stands before them."""
    title: str
    tokens: List[str]
    weights: List[float]


def shades(cells: Iterable[Tuple[float, float, float]], width: float, height: float, color: str) -> List[str]:
    """Rectangles of one size, by their left edge, middle and shade: for each shade a path, as wide as they are high."""
    strokes: Dict[str, List[str]] = {}
    for x, y, shade in cells:
        strokes.setdefault("%.2f" % min(1.0, max(0.0, shade)), []).append("M%g %gh%g" % (x, y, width))
    return (["<g stroke=\"%s\" stroke-width=\"%g\">" % (color, height)] +
            ["<path d=\"%s\" opacity=\"%s\"/>" % ("".join(found), shade)
             for shade, found in strokes.items() if float(shade) > 0] + ["</g>"])


def shaded_text(lines: Sequence[ShadedLine]) -> str:
    """A line each: the darker a character's ground, the more weight it has, relative to its line's largest."""
    left, step, height = 12 + 7 * max(len(line.title) for line in lines), 10, 26
    body = []
    for row, line in enumerate(lines):
        y = 8 + row * height
        body.append(text(8, y + 15, line.title, fill=GRAY))
        largest = max(line.weights)
        places = [left + column * step for column in range(len(line.tokens))]
        body += shades(((x, y + height / 2 - 3, weight / largest) for x, weight in zip(places, line.weights)),
                       step, height - 6, COLORS[1])
        body.append("<g text-anchor=\"middle\" font-family=\"monospace\" font-size=\"14\">")
        body += [text(x + step / 2, y + 15, token) for x, token in zip(places, line.tokens)]
        body.append("</g>")
    width = left + step * max(len(line.tokens) for line in lines) + 8
    return document(width, 16 + height * len(lines), body)


def grid(x: float, y: float, size: float, rows: Sequence[Sequence[float]], color: str = "#000000") -> List[str]:
    """The cells of a matrix with numbers from 0 to 1, `size` wide each."""
    return shades(((x + column * size, y + (row + 0.5) * size, value)
                   for row, values in enumerate(rows) for column, value in enumerate(values)), size, size, color)


class Panel(NamedTuple):
    """A line chart: curves by their name, each a list of points; across is what the points' first numbers are."""
    title: str
    curves: Dict[str, List[Tuple[float, float]]]
    across: str = ""
    logarithmic: bool = False  # the axis across; its numbers are above 0


def line_charts(panels: Sequence[Panel], width: int = 720, height: int = 170) -> str:
    """The panels below each other; the curves of a name have one color in all of them, the first is gray."""
    names = list(dict.fromkeys(name for panel in panels for name in panel.curves))
    color = {name: GRAY if index == 0 else COLORS[(index - 1) % len(COLORS)] for index, name in enumerate(names)}
    body = []
    for index, name in enumerate(names):
        body.append("<line x1=\"%d\" y1=\"14\" x2=\"%d\" y2=\"14\" stroke=\"%s\" stroke-width=\"2\"/>" % (
            50 + index * 132, 70 + index * 132, color[name]))
        body.append(text(75 + index * 132, 18, name))
    for row, panel in enumerate(panels):
        body += _chart(panel, 50, 50 + row * (height + 66), width - 66, height, color)
    return document(width, 34 + len(panels) * (height + 66), body)


def round_numbers(low: float, high: float, most: int = 6) -> List[float]:
    """At most `most` + 2 numbers with one step of 1, 2 or 5 times a power of ten that enclose the range."""
    span = high - low or abs(high) or 1.0
    power = 10.0 ** math.floor(math.log10(span / most))
    step = next(power * factor for factor in (1, 2, 5, 10) if span / (power * factor) <= most)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [step * index for index in range(first, max(last, first + 1) + 1)]


def _numbers_across(panel: Panel, first: float, last: float) -> List[float]:
    """The numbers below a chart, all of them in its range."""
    if panel.logarithmic:
        candidates = [factor * 10.0 ** power for power in range(-3, 9) for factor in (1, 2, 5)]
    else:
        candidates = round_numbers(first, last, 10)
    return [number for number in candidates if first <= number <= last]


def _chart(panel: Panel, x: float, y: float, width: float, height: float, color: Dict[str, str]) -> List[str]:
    points = [point for curve in panel.curves.values() for point in curve]
    up = round_numbers(min(p[1] for p in points), max(p[1] for p in points), 5)
    scale = math.log if panel.logarithmic else float
    first, last = min(p[0] for p in points), max(p[0] for p in points)

    def place(point: Tuple[float, float]) -> Tuple[float, float]:
        return (x + width * (scale(point[0]) - scale(first)) / (scale(last) - scale(first)),
                y + height * (up[-1] - point[1]) / (up[-1] - up[0]))

    body = [text(x, y - 8, panel.title, font_weight="bold")]
    for number in up:
        at = place((first, number))[1]
        body += ["<path d=\"M%.1f %.1fh%.1f\" stroke=\"%s\" stroke-opacity=\"0.3\"/>" % (x, at, width, GRAY),
                 text(x - 5, at + 4, "%.6g" % number, text_anchor="end", fill=GRAY)]
    for number in _numbers_across(panel, first, last):
        at = place((number, up[0]))[0]
        body += ["<path d=\"M%.1f %.1fv4\" stroke=\"%s\"/>" % (at, y + height, GRAY),
                 text(at, y + height + 17, "%.6g" % number, text_anchor="middle", fill=GRAY)]
    body.append(text(x + width / 2, y + height + 32, panel.across, text_anchor="middle", fill=GRAY))
    for name, curve in panel.curves.items():
        path = " ".join("%.1f,%.1f" % place(point) for point in curve)
        body.append("<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>" % (path, color[name]))
    return body
