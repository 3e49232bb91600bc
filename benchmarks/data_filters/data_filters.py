"""Measures the filters of `heed data filter`: how much planted noise they find, and how many good pairs they remove.

    python benchmarks/data_filters/data_filters.py build/release/bin/heed --data FOLDER

FOLDER has multi30k/train.{en,de,fr,cs}.gz (recipes/multi30k downloads English and German; the others are at the same
address). If it has software/{interface,help,wesnoth,ding}.{en,de}.gz, good pairs of these are counted too. The script
plants --rate of each kind of noise in the English-German text, in lines that are chosen by --seed, and prints tables in
Markdown. --keep writes the noisy text and its clean counterpart to a folder, for trainings.
"""
import argparse
import gzip
import json
import pathlib
import random
import subprocess
import sys
import tempfile

BOILERPLATE = [
    "Diese Webseite verwendet Cookies, um Ihnen den besten Service zu bieten.",
    "Alle Rechte vorbehalten. Nachdruck nur mit Genehmigung.",
    "Klicken Sie hier, um weitere Informationen zu erhalten.",
]
ALL = ["empty", "encoding", "control", "length", "ratio", "truncated", "copied", "language", "script", "misaligned", "markup",
       "numbers", "sentences", "boilerplate", "duplicate", "near-duplicate"]
NOT_DEFAULT = ["markup", "numbers", "sentences", "near-duplicate"]


def read(path):
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        return file.read().split("\n")[:-1]


def misread(text):
    """UTF-8 that was read as Windows-1252 (Latin-1 where that has no character)."""
    return "".join(bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in text.encode("utf-8"))


def cut(text, random_):
    words = text.split(" ")
    return " ".join(words[:max(1, int(len(words) * random_.uniform(0.3, 0.7)))])


class Noise:
    """Plants kinds of noise in different lines of a clean corpus."""

    def __init__(self, sides, rate, seed):
        self.english, self.german = list(sides["en"]), list(sides["de"])
        self.sides = sides
        self.random = random.Random(seed)
        self.kinds = {}
        self.count = int(len(self.english) * rate)
        self.block_of_shifted()
        self.free = [line for line in range(len(self.english)) if line not in self.kinds]
        self.random.shuffle(self.free)

    def block_of_shifted(self):
        begin = self.random.randrange(len(self.english) - self.count)
        block = range(begin, begin + self.count)
        shifted = [self.german[line] for line in block]
        for place, line in enumerate(block):
            self.german[line] = shifted[place - 1]
            self.kinds[line] = "shifted"

    def take(self, kind, wanted=lambda line: True):
        chosen = [line for line in self.free if wanted(line)][:self.count]
        self.free = [line for line in self.free if line not in set(chosen)]
        for line in chosen:
            self.kinds[line] = kind
        return chosen

    def plant(self):
        swapped = self.take("swapped")
        targets = [self.german[line] for line in swapped]
        for place, line in enumerate(swapped):
            self.german[line] = targets[place - 1]
        for line in self.take("copied"):
            self.german[line] = self.english[line]
        for line in self.take("French target"):
            self.german[line] = self.sides["fr"][line]
        for line in self.take("Czech target"):
            self.german[line] = self.sides["cs"][line]
        for line in self.take("French source"):
            self.english[line] = self.sides["fr"][line]
        for line in self.take("truncated"):
            self.german[line] = cut(self.german[line], self.random)
        for line in self.take("mojibake", lambda line: not self.german[line].isascii()):
            self.german[line] = misread(self.german[line])
        for line in self.take("boilerplate"):
            self.german[line] = self.random.choice(BOILERPLATE)
        for line in self.take("duplicate"):
            other = self.random.randrange(line) if line else 1
            while other in self.kinds:
                other = self.random.randrange(len(self.english))
            self.english[line], self.german[line] = self.english[other], self.german[other]
            if other > line:  # the second one is the duplicate
                self.kinds[other] = self.kinds.pop(line)


def reasons_of(heed, english, german, folder, options=()):
    """The filters that find each line, by `heed data filter`."""
    paths = {name: str(folder / name) for name in ("a.en", "a.de", "b.en", "b.de", "log")}
    for name, lines in (("a.en", english), ("a.de", german)):
        pathlib.Path(paths[name]).write_text("".join(line + "\n" for line in lines), encoding="utf-8", newline="\n")
    subprocess.run([heed, "data", "filter", "--source", paths["a.en"], "--target", paths["a.de"], "--output-source", paths["b.en"],
                    "--output-target", paths["b.de"], "--log", paths["log"], "--filters", *ALL, *options], check=True)
    with open(paths["log"], encoding="utf-8") as log:
        return {entry["line"] - 1: set(entry["reasons"]) for entry in map(json.loads, log)}


def is_default(reasons):
    return any(reason not in NOT_DEFAULT for reason in reasons)


def percent(count, total):
    return f"{100 * count / total:.2f}%" if total else "-"


def recall_table(noise, reasons):
    kinds = sorted(set(noise.kinds.values()), key=list(dict.fromkeys(noise.kinds.values())).index)
    print(f"\n| planted | lines | found by the default filters | by which |\n|---|---|---|---|")
    for kind in kinds:
        lines = [line for line, of_line in noise.kinds.items() if of_line == kind]
        found = sum(is_default(reasons.get(line, ())) for line in lines)
        by = {name: sum(name in reasons.get(line, ()) for line in lines) for name in ALL}
        shown = ", ".join(f"`{name}` {percent(count, len(lines))}" for name, count in sorted(by.items(), key=lambda item: -item[1])
                          if count * 20 >= len(lines))
        print(f"| {kind} | {len(lines)} | {percent(found, len(lines))} | {shown} |")
    good = len(noise.english) - len(noise.kinds)
    wrong = sum(is_default(of_line) for line, of_line in reasons.items() if line not in noise.kinds)
    print(f"| nothing | {good} | {percent(wrong, good)} | |")


def precision_table(noise, reasons):
    print("\n| filter | pairs it finds | of them planted (precision) |\n|---|---|---|")
    for name in ALL:
        lines = [line for line, of_line in reasons.items() if name in of_line]
        planted = sum(line in noise.kinds for line in lines)
        if lines:
            print(f"| `{name}` | {len(lines)} | {percent(planted, len(lines))} |")


def clean_table(heed, data, folder, sides, options, show):
    print("\n| text | pairs | removed by the default filters, without duplicates | by which |\n|---|---|---|---|")
    texts = {"Multi30k": (sides["en"], sides["de"])}
    for name in ("interface", "help", "wesnoth", "ding"):
        path = data / "software" / f"{name}.en.gz"
        if path.exists():
            texts[name] = (read(path), read(data / "software" / f"{name}.de.gz"))
    for name, (english, german) in texts.items():
        reasons = reasons_of(heed, english, german, folder, options)
        counted = {line: {r for r in of_line if r != "duplicate"} for line, of_line in reasons.items()}
        removed = sum(is_default(of_line) for of_line in counted.values())
        by = {reason: sum(reason in of_line for of_line in counted.values()) for reason in ALL if reason not in NOT_DEFAULT}
        shown = ", ".join(f"`{reason}` {count}" for reason, count in sorted(by.items(), key=lambda item: -item[1]) if count)
        print(f"| {name} | {len(english)} | {removed} ({percent(removed, len(english))}) | {shown} |", flush=True)
        for reason in show:
            for line, of_line in list(counted.items()):
                if reason in of_line:
                    print(f"{name} {reason} {line + 1}\t{english[line]}\t{german[line]}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heed")
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--rate", type=float, default=0.02, help="share of the lines for each kind of noise")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the noisy text")
    parser.add_argument("--show", nargs="*", default=[], help="filters whose finds in clean text are printed to standard error")
    parser.add_argument("--options", nargs="*", default=[], help="further options of heed data filter, each as --options=--x=y")
    given = parser.parse_args()
    sides = {language: read(given.data / "multi30k" / f"train.{language}.gz") for language in ("en", "de", "fr", "cs")}
    noise = Noise(sides, given.rate, given.seed)
    noise.plant()
    if given.keep:
        given.keep.mkdir(parents=True, exist_ok=True)
        for name, lines in (("noisy.en", noise.english), ("noisy.de", noise.german)):
            (given.keep / name).write_text("".join(line + "\n" for line in lines), encoding="utf-8", newline="\n")
        (given.keep / "kinds.json").write_text(json.dumps({str(line + 1): kind for line, kind in noise.kinds.items()}))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        reasons = reasons_of(given.heed, noise.english, noise.german, folder, given.options)
        recall_table(noise, reasons)
        precision_table(noise, reasons)
        clean_table(given.heed, given.data, folder, sides, given.options, given.show)


if __name__ == "__main__":
    main()
