"""Small figures of the recipes as SVG: shaded characters, grids of numbers, and line charts.

Colors are readable on white and on black; each function returns the text of a whole file.
"""

from __future__ import annotations

from typing import Dict, Iterable, List, NamedTuple, Sequence, Tuple
from xml.sax.saxutils import escape

COLORS = ("#1f77b4", "#d9571c", "#2a9d55", "#8a5bc7", "#b8860b")
GRAY = "#808080"


def document(width: float, height: float, body: Sequence[str]) -> str:
    """An SVG file of this size."""
    return ("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n"
            "%s\n</svg>\n" % (width, height, width, height, "\n".join(body)))


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
    """A line chart: curves by their name, each a list of points."""
    title: str
    curves: Dict[str, List[Tuple[float, float]]]


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
        body += _chart(panel, 50, 50 + row * (height + 50), width - 60, height, color)
    return document(width, 34 + len(panels) * (height + 50), body)


def _chart(panel: Panel, x: float, y: float, width: float, height: float, color: Dict[str, str]) -> List[str]:
    points = [point for curve in panel.curves.values() for point in curve]
    low, high = min(p[1] for p in points), max(p[1] for p in points)
    first, last = min(p[0] for p in points), max(p[0] for p in points)
    across, up = width / (last - first), height / (high - low)
    body = [text(x, y - 8, panel.title, font_weight="bold"),
            "<path d=\"M%.1f %.1fv%.1fh%.1f\" fill=\"none\" stroke=\"%s\"/>" % (x, y, height, width, GRAY),
            text(x - 5, y + 10, "%.3g" % high, text_anchor="end", fill=GRAY),
            text(x - 5, y + height, "%.3g" % low, text_anchor="end", fill=GRAY),
            text(x, y + height + 15, "%g" % first, fill=GRAY),
            text(x + width, y + height + 15, "%g" % last, text_anchor="end", fill=GRAY)]
    for name, curve in panel.curves.items():
        path = " ".join("%.1f,%.1f" % (x + (a - first) * across, y + height - (b - low) * up) for a, b in curve)
        body.append("<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>" % (path, color[name]))
    return body
