"""What levers.sh measured, put together.

    levers.py --rounds OUT... --out levers.json    # speeds of all rounds, samples of each operation added up
    levers.py levers.json                          # tables: speeds, and the operations' shares
"""
import argparse
import collections
import json
import pathlib
import statistics
import sys

import operations
import tables


def gathered(rounds):
    """{model: {precision: {lever: {"speeds": [...], "samples": {operation: count}}}}}"""
    found = {}
    for folder in rounds:
        for line in (folder / "speeds").read_text(encoding="utf-8").splitlines():
            model, precision, lever, speed = line.split()
            levers = found.setdefault(model, {}).setdefault(precision, {})
            levers.setdefault(lever, {"speeds": [], "samples": collections.Counter()})["speeds"].append(int(speed))
    for model, precisions in found.items():
        for precision, levers in precisions.items():
            for lever, entry in levers.items():
                for report in (folder / f"{lever}-{precision}/operations.{model}.txt" for folder in rounds):
                    if report.exists():
                        entry["samples"].update(operations.read(report)[0])
    return found


def in_order(by_name):
    order = ("tiny", "base", "bahdanau", "luong", "fp32", "bf16")
    return sorted(by_name.items(), key=lambda item: order.index(item[0]))


def speed_table(found):
    """A line for each lever, a column for each model and precision: the rounds' median."""
    columns = [(model, precision) for model, precisions in in_order(found) for precision, _ in in_order(precisions)]
    levers = list(dict.fromkeys(lever for model, precision in columns for lever in found[model][precision]))

    def cell(model, precision, lever):
        entry = found[model][precision].get(lever)
        return f"{statistics.median(entry['speeds']):,.0f}" if entry else "-"

    return tables.table(["undone", *(" ".join(column) for column in columns)],
                        [[lever, *(cell(*column, lever) for column in columns)] for lever in levers])


def share_table(levers):
    """A line for every operation that is among the 15 largest of any column."""
    shares = {lever: {operation: count / sum(entry["samples"].values()) for operation, count in entry["samples"].items()}
              for lever, entry in levers.items()}
    shown = {operation for entry in levers.values()
             for operation, _ in collections.Counter(entry["samples"]).most_common(operations.SHOWN)}
    lines = sorted(shown, key=lambda operation: -shares["none"].get(operation, 0))
    return tables.table(["operation", *shares],
                        [[line, *(f"{100 * found[line]:.1f}" if line in found else "-" for found in shares.values())]
                         for line in lines])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", nargs="?", type=pathlib.Path, help="a file made with --out, to be shown as tables")
    parser.add_argument("--rounds", nargs="+", type=pathlib.Path, help="folders that levers.sh wrote")
    parser.add_argument("--out", type=pathlib.Path, help="file for what is in them")
    options = parser.parse_args()
    if bool(options.results) == bool(options.rounds) or bool(options.rounds) != bool(options.out):
        parser.error("give either a file to show, or --rounds and --out")
    if options.rounds:
        options.out.write_text(json.dumps(gathered(options.rounds), indent=1) + "\n", encoding="utf-8")
        return
    found = json.loads(options.results.read_text(encoding="utf-8"))
    print(speed_table(found))
    for model, precisions in in_order(found):
        for precision, levers in in_order(precisions):
            print(f"\n{model}, {precision}:\n\n{share_table(levers)}")


if __name__ == "__main__":
    sys.exit(main())
