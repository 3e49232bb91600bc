"""Draws the layers of heed, layers.svg next to this file: the modules of lib/README.md's table, and who includes whom.

    python3 docs/images/make_layers.py             # writes layers.svg
    python3 docs/images/make_layers.py --check     # exits with 1 where layers.svg is not what the code says

A line leads from a module to a module that it includes. Left out are includes that others imply: where a includes b and b
includes c, there is no line for a's include of c.
"""

import html
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
PICTURE = pathlib.Path(__file__).resolve().parent / "layers.svg"
PROGRAMS = "programs"

MARGIN, LABEL, COLUMNS = 16, 64, 6
BOX_WIDTH, BOX_HEIGHT, GAP, STEP, LETTERS, LINES = 168, 72, 20, 106, 28, 3
WIDTH = LABEL + COLUMNS * (BOX_WIDTH + GAP) - GAP + 2 * MARGIN
# Where a module stands, so that few lines cross; one that is not here takes the free column nearest to the middle.
COLUMN_OF = {"heed/core": 2, "heed/kernels": 4, "heed/text": 1, "heed/metrics": 0, "heed/vectors": 5,
             "heed/architecture": 3, "heed/command_line": 2, "heed/media": 4, "heed/data": 1, "heed/reranking": 0,
             "heed/documents": 3,
             "heed/search": 2, "heed/engine": 2, "heed/report": 1, "heed_torch/nn": 3, "heed_torch/distributed": 5,
             "heed_torch/media": 4, "heed_torch/models": 3, "heed/translation": 1, "heed_torch/search": 2}
# For readers who prefer dark pages: lightness inverted, hues kept, as in the figures of heed's commands.
DARK = "@media (prefers-color-scheme:dark){svg{filter:invert(.93) hue-rotate(180deg)}}"
WITH_TORCH, WITHOUT_TORCH = ("#dbe9f6", "#2b6ca3"), ("#fdf1d8", "#b07d1a")


def modules_of_table():
    """module: (layer, what it holds, whether it uses LibTorch), of the rows of lib/README.md."""
    modules = {}
    for line in (ROOT / "lib/README.md").read_text(encoding="utf-8").splitlines():
        row = re.fullmatch(r"\| (\d+) \| (\w+/\w+) \| (.*) \|", line)
        if row:
            modules[row[2]] = (int(row[1]), row[3], row[2].startswith("heed_torch/"))
    return modules


def modules_included(folder):
    found = set()
    for path in folder.rglob("*"):
        if path.suffix in {".h", ".cpp"}:
            found.update(re.findall(r'^\s*#include "(heed(?:_torch)?/\w+)/', path.read_text(encoding="utf-8"), re.MULTILINE))
    return found


def includes(modules):
    """module: those it includes, without those that the others imply."""
    direct = {name: modules_included(ROOT / "lib" / name) - {name} for name in modules if name != PROGRAMS}
    direct[PROGRAMS] = modules_included(ROOT / "apps")
    reached = {}
    for name in sorted(modules, key=lambda module: modules[module][0]):
        reached[name] = direct[name].union(*(reached[other] for other in direct[name]))
    return {name: {other for other in those if not any(other in reached[one] for one in those)}
            for name, those in direct.items()}


def summary(text):
    """The first words of what a module holds, to fit into its box: whole parts of the text, apart by commas, as many as fit."""
    text = re.sub(r" \([^)]*\)|`|, \.\.\.", "", text)
    parts = re.split(r"(?<=[,;]) ", text)
    for count in range(len(parts), 0, -1):
        lines = textwrap.wrap(" ".join(parts[:count]).rstrip(",;"), LETTERS, break_on_hyphens=False)
        if len(lines) <= LINES:
            return lines
    raise SystemExit(f"lib/README.md: the first words of this module do not fit into its box: {parts[0]}")


def columns(modules):
    """module: the column of its box."""
    taken = {(modules[name][0], column): name for name, column in COLUMN_OF.items() if name in modules}
    for name, (layer, _, _) in modules.items():
        if name not in COLUMN_OF:
            free = [column for column in range(COLUMNS) if (layer, column) not in taken]
            taken[layer, min(free, key=lambda column: abs(column - COLUMNS // 2))] = name
    return {name: column for (_, column), name in taken.items()}


def x_of(column):
    return MARGIN + LABEL + BOX_WIDTH / 2 + column * (BOX_WIDTH + GAP)


def y_of(layer, top):
    return MARGIN + 34 + BOX_HEIGHT / 2 + (top - layer) * STEP


def lane(upper, lower, boxes):
    """The column, or the middle between two, in which a line meets no box on the layers between."""
    (layer, column), (last, end) = upper, lower
    between = [box for box in boxes if last < box[0] < layer]
    halves = [half / 2 for half in range(-1, 2 * COLUMNS)]
    free = [half for half in halves if all(abs(other - half) >= 0.5 for _, other in between)]
    return min(free, key=lambda half: (abs(half - end) + abs(half - column), half != end))


def line_between(upper, lower, boxes, top):
    """upper, lower: (layer, column)."""
    x, x1, x2 = x_of(lane(upper, lower, boxes)), x_of(upper[1]), x_of(lower[1])
    y1, y2 = y_of(upper[0], top) + BOX_HEIGHT / 2, y_of(lower[0], top) - BOX_HEIGHT / 2 - 3
    space = STEP - BOX_HEIGHT
    if upper[0] - lower[0] == 1:
        path = f"M{x1:g} {y1:g}C{x1:g} {y1 + space / 2:g} {x2:g} {y2 - space / 2:g} {x2:g} {y2:g}"
    else:
        path = (f"M{x1:g} {y1:g}C{x1:g} {y1 + 24:g} {x:g} {y1 + 10:g} {x:g} {y1 + space:g}V{y2 - space:g}"
                f"C{x:g} {y2 - 10:g} {x2:g} {y2 - 24:g} {x2:g} {y2:g}")
    return f'<path d="{path}" marker-end="url(#tip)"/>'


def box(name, x, y, module):
    _, holds, torch = module
    fill, stroke = WITH_TORCH if torch else WITHOUT_TORCH
    text = [f'<text x="{x:g}" y="{y - 18:g}" font-size="14" font-weight="bold">{name.split("/")[-1]}</text>']
    for i, line in enumerate(summary(holds)):
        text.append(f'<text x="{x:g}" y="{y - 2 + 13 * i:g}" font-size="11">{html.escape(line)}</text>')
    return (f'<rect x="{x - BOX_WIDTH / 2:g}" y="{y - BOX_HEIGHT / 2:g}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="6"'
            f' fill="{fill}" stroke="{stroke}"/>' + "".join(text))


def picture():
    modules = modules_of_table()
    top = max(layer for layer, _, _ in modules.values()) + 1
    modules[PROGRAMS] = (top, "heed, which users run, heed-serve and heed-torch", True)
    column = columns(modules)
    place = {name: (modules[name][0], column[name]) for name in modules}
    height = y_of(0, top) + BOX_HEIGHT / 2 + MARGIN
    lines, boxes, labels = [], [], []
    for name, those in includes(modules).items():
        lines += [line_between(place[name], place[one], place.values(), top) for one in sorted(those)]
    for name, module in modules.items():
        boxes.append(box(name, x_of(column[name]), y_of(module[0], top), module))
    for layer in range(top):
        labels.append(f'<text x="{MARGIN}" y="{y_of(layer, top) + 4:g}" font-size="12" fill="#6b7280">layer {layer}</text>')
    key = "".join(
        f'<rect x="{x}" y="{MARGIN}" width="14" height="14" rx="3" fill="{fill}" stroke="{stroke}"/>'
        f'<text x="{x + 20}" y="{MARGIN + 11}" font-size="12">{label}</text>'
        for x, (fill, stroke), label in [(MARGIN, WITHOUT_TORCH, "heed: no LibTorch"), (MARGIN + 160, WITH_TORCH, "heed_torch: LibTorch")])
    names = ", ".join(f"{name} on layer {layer}" for name, (layer, _, _) in modules.items() if name != PROGRAMS)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:.0f}" viewBox="0 0 {WIDTH} {height:.0f}" role="img"'
        " font-family=\"'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\" fill=\"#222222\">",
        "<title>The layers of heed</title>", f"<desc>{names}.</desc>", f"<style>{DARK}</style>",
        '<marker id="tip" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0L8 4L0 8z" fill="#6b7280"/></marker>',
        f'<rect width="{WIDTH}" height="{height:.0f}" rx="8" fill="#ffffff"/>', key,
        '<g fill="none" stroke="#9aa3af" stroke-width="1.3">', *lines, "</g>",
        '<g text-anchor="middle">', *boxes, "</g>", *labels, "</svg>", ""])


def main():
    svg = picture()
    if "--check" not in sys.argv[1:]:
        PICTURE.write_text(svg, encoding="utf-8")
        return 0
    if PICTURE.exists() and PICTURE.read_text(encoding="utf-8") == svg:
        return 0
    print("docs/images/layers.svg is not what the code says: run docs/images/make_layers.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())
