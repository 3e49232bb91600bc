"""Compares how fast two builds of heed train, such as those of a commit and of the one before it.

    python3 benchmarks/train_speed/before_after.py BEFORE/bin/heed AFTER/bin/heed --models tiny --settings fp32 bf16

The builds take turns, every second round in reverse, so that a machine that is slower for a while is so for both. The
text is what train_speed.py prepares.
"""
import argparse
import os
import pathlib
import statistics
import sys

import runs
import tables
import train_speed

COLUMNS = ("model", "setting", "before", "lowest to highest", "after", "lowest to highest", "after / before")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", type=pathlib.Path, help="a build's program heed")
    parser.add_argument("after", type=pathlib.Path, help="another build's")
    parser.add_argument("--models", nargs="+", choices=("tiny", "base", "bahdanau", "luong"), default=["tiny"])
    parser.add_argument("--settings", nargs="+", choices=tuple(runs.SETTINGS), default=["fp32"])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--warmup", type=int, help="updates before the clock starts")
    parser.add_argument("--updates", type=int, help="timed updates")
    parser.add_argument("--max-other", type=float, default=0.05,
                        help="share of the machine for other processes above which a run is disturbed: it is repeated "
                             "once, and left out of the median if there are others")
    parser.add_argument("--peers-dir", type=pathlib.Path, default=runs.HERE.parents[1] / "build/peers")
    options = parser.parse_args()
    if min(options.rounds, options.threads, options.warmup or 1, options.updates or 1) < 1:
        parser.error("--rounds, --threads, --warmup and --updates: at least 1 each")
    for name in ("before", "after", "peers_dir"):
        setattr(options, name, getattr(options, name).resolve())
    options.device = "cpu"
    return options


def measured(options, build, model, setting, number, scratch):
    print(f"{build}: ", end="", file=sys.stderr, flush=True)
    options.heed = getattr(options, build)
    result = train_speed.measured(options, model, f"heed-{setting}", number, scratch)
    if "error" in result:
        sys.exit(result["error"])
    return result


def row(options, model, setting, scratch):
    builds = ("before", "after")
    found = {build: [] for build in builds}
    for number in range(options.rounds):
        for build in builds if number % 2 == 0 else reversed(builds):
            found[build].append(measured(options, build, model, setting, number + 1, scratch))
    speeds = {build: [run["target_tokens_per_second"] for run in tables.counted(found[build])] for build in builds}
    median = {build: statistics.median(speeds[build]) for build in builds}
    cells = []
    for build in builds:
        cells += [f"{median[build]:,.0f}", f"{min(speeds[build]):,.0f} to {max(speeds[build]):,.0f}"]
    return [model, setting, *cells, f"{median['after'] / median['before']:.2f}"]


def main():
    options = parse_arguments()
    scratch = options.peers_dir / "runs"
    scratch.mkdir(parents=True, exist_ok=True)
    rows = [row(options, model, setting, scratch) for model in options.models for setting in options.settings]
    print(tables.table(COLUMNS, rows))


if __name__ == "__main__":
    main()
