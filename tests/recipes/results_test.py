"""What is kept with a recipe: little, and its README's tables say what results/metrics.tsv says.

    python3 tests/recipes/results_test.py [ROOT]
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop() if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).resolve()
RECIPES = ROOT / "recipes"
RESULTS = sorted(RECIPES.glob("*/results"))
MOST_BYTES = 350_000  # of a recipe's results: translations of a few rows, figures, and one file of numbers


def tables(text):
    """Header and rows of each table of a document, as lists of cells."""
    found, header = [], None
    for line in text.splitlines():
        if not line.startswith("|"):
            header = None
            continue
        cells = [cell.strip().replace("**", "") for cell in line.strip("|").split("|")]
        if header is None:
            header = cells
            found.append((header, []))
        elif not set(line) <= set("|-: "):
            found[-1][1].append(cells)
    return found


def number(text):
    text = text.replace(",", "").rstrip("%")
    return float(text) if re.fullmatch(r"-?[0-9.]+(e-?[0-9]+)?", text) else None


def rounds_to(value, shown):
    """Whether `shown`, as a README has it, is the value with fewer digits, or both are the same text."""
    if number(value) is None or number(shown) is None:
        return value == shown
    decimals = len(shown.partition(".")[2].rstrip("%"))
    return abs(number(value) - number(shown)) <= 0.5001 * 10**-decimals


def spread(values, decimals):
    mean = sum(values) / len(values)
    if len(values) == 1:
        return f"{mean:.{decimals}f}"
    return f"{mean:.{decimals}f} ({min(values):.{decimals}f} to {max(values):.{decimals}f})"


def metrics(recipe):
    lines = (RECIPES / recipe / "results/metrics.tsv").read_text(encoding="utf-8").splitlines()
    header, *rows = [line.split("\t") for line in lines]
    return {row[0]: dict(zip(header, row)) for row in rows}


class Results(unittest.TestCase):
    def test_a_recipe_keeps_few_bytes_and_nothing_in_folders(self):
        self.assertTrue(RESULTS)
        for folder in RESULTS:
            self.assertEqual([path.name for path in folder.iterdir() if not path.is_file()], [], folder)
            self.assertLess(sum(path.stat().st_size for path in folder.iterdir()), MOST_BYTES, folder)

    def test_a_readme_has_each_figure_and_names_the_numbers(self):
        for folder in RESULTS:
            readme = (folder.parent / "README.md").read_text(encoding="utf-8")
            self.assertTrue((folder / "metrics.tsv").is_file(), folder)
            self.assertIn("metrics.tsv", readme, folder)
            for figure in folder.glob("*.svg"):
                self.assertIn(f"(results/{figure.name})", readme)

    def test_tables_of_readmes_say_what_the_metrics_say(self):
        compared = {}
        for folder in RESULTS:
            recipe = folder.parent.name
            rows = metrics(recipe)
            for header, lines in tables((folder.parent / "README.md").read_text(encoding="utf-8")):
                for line in lines:
                    name = line[0].partition(":")[0]
                    seeds = [rows[run] for run in rows if run == name or re.fullmatch(re.escape(name) + "-[0-9]", run)]
                    if seeds:
                        compared[recipe] = compared.get(recipe, 0) + self.compare(recipe, header, line, seeds)
        several = {recipe for recipe, count in compared.items() if count > 1}
        self.assertLessEqual({"ablations", "attention-ladder", "bahdanau2015", "captioning", "fine-tuning", "image-qa",
                              "luong2015", "presets", "pronunciation", "restore", "speech", "tokenization"}, several)

    def compare(self, recipe, header, line, seeds):
        """The cells of a README's row whose columns the metrics have; returns how many there are."""
        count = 0
        for column, shown in zip(header[1:], line[1:]):
            values = [row[column] for row in seeds if row.get(column, "-") != "-"]
            if not values or "minutes" in column and len(seeds) > 1:  # those of the last seed alone
                continue
            count += 1
            if len(values) > 1 and shown.endswith(")"):
                decimals = len(shown.partition(" ")[0].partition(".")[2])
                self.assertEqual(spread(list(map(number, values)), decimals), shown, f"{recipe}: {line[0]}, {column}")
            else:
                self.assertTrue(any(rounds_to(value, shown) for value in values),
                                f"{recipe}: {line[0]}, {column}: {shown} instead of {values}")
        return count


class Metrics(unittest.TestCase):
    """recipes/metrics.py"""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def keep(self, *lines):
        return subprocess.run([sys.executable, "-B", RECIPES / "metrics.py", self.folder / "results/metrics.tsv",
                               self.folder / "runs"], input="\n".join(lines), text=True, capture_output=True)

    def log(self, run, *events):
        path = self.folder / "runs" / run / "model/metrics.jsonl"
        path.parent.mkdir(parents=True)
        path.write_text("".join(json.dumps(event) + "\n" for event in events))

    def kept(self):
        return (self.folder / "results/metrics.tsv").read_text().splitlines()

    def test_rows_have_the_cells_of_the_table_and_what_the_log_says(self):
        self.log("a", {"type": "start", "parameters": 12}, {"type": "train", "loss": 1.23456},
                 {"type": "validation", "scores": {"loss": 2.5}},
                 {"type": "finish", "step": 30, "tokens": 900, "epochs": 1.25, "elapsed": 90, "processor_seconds": 60,
                  "chosen": "averaged", "candidates": [{"name": "best", "steps": [20], "scores": {"loss": 3}},
                                                       {"name": "averaged", "steps": [20, 30], "scores": {"loss": 2}}]})
        self.assertEqual(self.keep("### T", "| system | BLEU |", "|---|---:|", "| a | 31.0 |", "| base | 2 |").returncode, 0)
        self.assertEqual(self.kept(), [
            "run\tparameters\tsteps\tepochs\ttarget tokens\tchosen steps\tchosen loss\tminutes\ttraining loss\t"
            "validation loss\tprocessor minutes\tBLEU",
            "a\t12\t30\t1.2\t900\t20+30\t2\t1.5\t1.235\t2.5\t1.0\t31.0", "base" + "\t-" * 10 + "\t2"])

    def test_a_log_of_an_earlier_version_says_the_same(self):
        self.log("a", {"type": "start", "parameters": 12},
                 {"type": "finish", "update": 30, "tokens": 900, "epochs": 1.25, "elapsed": 90, "chosen": "last",
                  "candidates": [{"name": "last", "updates": [30], "scores": {}}]})
        self.keep("| system |", "|---|", "| a |")
        self.assertEqual(self.kept(), ["run\tparameters\tsteps\tepochs\ttarget tokens\tchosen steps\tminutes",
                                       "a\t12\t30\t1.2\t900\t30\t1.5"])

    def test_a_row_is_replaced_in_its_place_and_others_stay(self):
        self.keep("| run | BLEU | TER |", "|---|---|---|", "| a | 1 | 5 |", "| b | 2 | - |")
        self.keep("| run | BLEU |", "|---|---|", "| a | 3 |", "", "| run | chrF |", "|---|---|", "| c | 4 |")
        self.assertEqual(self.kept(), ["run\tBLEU\tTER\tchrF", "a\t3\t5\t-", "b\t2\t-\t-", "c\t-\t-\t4"])

    def test_what_cannot_be_kept_is_refused(self):
        self.log("a", {"type": "start", "parameters": 12})
        for lines, message in (
                (["| run | BLEU |", "|---|---|", "| a | 1 |"], "is of a training that is not complete"),
                (["| run | weight | weight |", "|---|---|---|", "| b | 1 | 2 |"], "two columns of one name"),
                (["| run | BLEU |", "|---|---|", "| b | 1 | 2 |"], "3 cells below a header of 2")):
            ended = self.keep(*lines)
            self.assertEqual(ended.returncode, 1)
            self.assertIn(message, ended.stderr)
        self.assertFalse((self.folder / "results/metrics.tsv").exists())


if __name__ == "__main__":
    unittest.main()
