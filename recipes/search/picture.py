"""The figure of the recipe: `picture.py TABLES`, a folder with beams.tsv and oracles.tsv, prints an SVG."""

import re
import sys
from pathlib import Path
from typing import Dict, List, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from figures import Panel, line_charts  # noqa: E402

Curves = Dict[str, List[Tuple[float, float]]]


def curves(path: Path, column: int, form: str, label: str) -> Curves:
    """Column by the number in a row's label; form has groups `size` and `kind`, label is the name of a kind's curve."""
    found: Curves = {}
    for line in path.read_text().splitlines():
        cells = line.split("\t")
        match = re.fullmatch(form, cells[0])
        if match:
            found.setdefault(label % match["kind"], []).append((float(match["size"]), float(cells[column])))
    return found


def main() -> None:
    tables = Path(sys.argv[1])
    beams, oracles = tables / "beams.tsv", tables / "oracles.tsv"
    by_beam = r"beam (?P<size>\d+), (?P<kind>.*)"
    lists: Curves = {}
    for form, label in ((r"(?P<kind>beam) (?P<size>\d+)", "list of a %s"),
                        (r"beam (?P<size>\d+) in \d+ (?P<kind>groups)", "list of %s"),
                        (r"(?P<size>\d+) (?P<kind>samples)", "%s")):
        lists.update(curves(oracles, 2, form, label))
    print(line_charts([
        Panel("BLEU", curves(beams, 2, by_beam, "%s"), "beam", logarithmic=True),
        Panel("Length of the translations, relative to the references", curves(beams, 4, by_beam, "%s"), "beam",
              logarithmic=True),
        Panel("BLEU of the best translation in a list", lists, "size of the list", logarithmic=True)], width=860), end="")


if __name__ == "__main__":
    main()
