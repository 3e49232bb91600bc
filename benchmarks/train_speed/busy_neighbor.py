"""Measures how much of its speed heed keeps if another process computes on the same machine.

    python3 benchmarks/train_speed/busy_neighbor.py build/release/bin/heed
    python3 benchmarks/train_speed/busy_neighbor.py BEFORE/bin/heed AFTER/bin/heed --models tiny base

Each build trains alone, then next to one process that never waits. With --core, the neighbor stays on that core;
otherwise Linux moves it. The builds take turns, every second round in reverse. The text is what train_speed.py prepares.
"""
import argparse
import contextlib
import os
import pathlib
import statistics
import subprocess
import sys

import runs
import tables
import train_speed

COLUMNS = ("model", "build", "alone", "with a neighbor", "share", "CPU seconds alone", "with a neighbor")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("heed", type=pathlib.Path, nargs="+", help="the program heed of a build, or of several")
    parser.add_argument("--models", nargs="+", choices=("tiny", "base", "bahdanau", "luong"), default=["tiny"])
    parser.add_argument("--setting", choices=tuple(runs.SETTINGS), default="fp32")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--core", help="the core that the neighbor stays on")
    parser.add_argument("--warmup", type=int, help="training steps before the clock starts")
    parser.add_argument("--updates", type=int, help="timed training steps")
    parser.add_argument("--peers-dir", type=pathlib.Path, default=runs.HERE.parents[1] / "build/peers")
    options = parser.parse_args()
    if min(options.rounds, options.threads, options.warmup or 1, options.updates or 1) < 1:
        parser.error("--rounds, --threads, --warmup and --updates: at least 1 each")
    options.builds = [path.resolve() for path in options.heed]
    options.peers_dir = options.peers_dir.resolve()
    options.device, options.update_tokens, options.max_other = "cpu", 4000, 1
    options.toolkits, options.losses = [], False
    return options


@contextlib.contextmanager
def neighbor(core):
    """A process that computes until it is killed."""
    place = [] if core is None else ["taskset", "-c", core]
    process = subprocess.Popen([*place, sys.executable, "-c", "while True: pass"])
    try:
        yield
    finally:
        process.kill()
        process.wait()


def measured(options, build, model, busy, scratch):
    options.heed = build
    with neighbor(options.core) if busy else contextlib.nullcontext():
        result = runs.measure(options, model, f"heed-{options.setting}", scratch)
    if "error" in result:
        sys.exit(result["error"])
    print(f"{build}: {model}, {'with a neighbor' if busy else 'alone'}: {result['target_tokens_per_second']:,.0f} "
          f"target tokens/s, {result['cpu_seconds']:.1f} CPU seconds, others {result['other_share']:.1%}",
          file=sys.stderr, flush=True)
    return result


def rows(options, model, scratch):
    found = {(build, busy): [] for build in options.builds for busy in (False, True)}
    for number in range(options.rounds):
        for key in list(found) if number % 2 == 0 else reversed(list(found)):
            found[key].append(measured(options, key[0], model, key[1], scratch))

    def median(build, busy, name):
        return statistics.median(run[name] for run in found[build, busy])

    for build in options.builds:
        alone, busy = (median(build, kind, "target_tokens_per_second") for kind in (False, True))
        yield [model, str(build), f"{alone:,.0f}", f"{busy:,.0f}", f"{busy / alone:.2f}",
               *(f"{median(build, kind, 'cpu_seconds'):.1f}" for kind in (False, True))]


def main():
    options = parse_arguments()
    if len(set(options.builds)) < len(options.builds):
        sys.exit("the builds must be different programs")
    scratch = options.peers_dir / "runs"
    scratch.mkdir(parents=True, exist_ok=True)
    train_speed.prepare(options)
    print(tables.table(COLUMNS, [row for model in options.models for row in rows(options, model, scratch)]))


if __name__ == "__main__":
    main()
