#!/usr/bin/env python3
"""What ranks cost: the speed of training on ranks of one thread beside one process with as many threads.

  benchmarks/train_ranks/train_ranks.py                        both sizes, 2 ranks, three rounds
  benchmarks/train_ranks/train_ranks.py --ranks 2 4 --presets transformer-tiny
  sudo benchmarks/train_ranks/train_ranks.py --rate 1gbit      the same with a network of that rate (tc, in a namespace)

Trains on data/quickstart with build/release/bin/heed. Every round runs each setting once, in turn; a setting's speed is
its median over the rounds. Prints a table.
"""
import argparse
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAMESPACE = "heed-ranks"
# Updates that fill the machine as the preset's own would; few of them, since a base Transformer takes seconds each.
SIZES = {"transformer-tiny": (4000, 40), "transformer-base": (2000, 6)}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heed", default=str(ROOT / "build/release/bin/heed"), help="the program")
    parser.add_argument("--presets", nargs="+", default=list(SIZES), choices=list(SIZES))
    parser.add_argument("--ranks", nargs="+", type=int, default=[2])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--gradients", nargs="+", default=["fp32", "bf16"])
    parser.add_argument("--rate", help="of the network, as tc says it: 1gbit; needs root")
    return parser.parse_args()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def command(options, preset, model, threads, gradients):
    tokens, updates = SIZES[preset]
    text = ROOT / "data/quickstart"
    words = [options.heed, "train", "--source", f"{text}/train.en", "--target", f"{text}/train.de", "--model", model]
    words += ["--preset", preset, "--threads", str(threads), "--data.batch-tokens", str(tokens)]
    words += ["--train.max-steps", str(updates), "--log.every", str(updates // 2), "--valid.every", "100000"]
    words += ["--distributed.gradients", gradients]
    return (["ip", "netns", "exec", NAMESPACE] if options.rate else []) + words


def run(options, preset, ranks, threads, gradients):
    """Target tokens a second, the exchange's share of the time, and megabytes that a rank sends in a step."""
    folder = tempfile.mkdtemp()
    try:
        words = command(options, preset, f"{folder}/model", threads, gradients)
        port = str(free_port())
        processes = []
        for rank in range(ranks):
            place = {"RANK": str(rank), "WORLD_SIZE": str(ranks), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
            environment = {**os.environ, **(place if ranks > 1 else {}), "OMP_NUM_THREADS": str(threads)}
            processes.append(subprocess.Popen(words, env=environment, stderr=subprocess.PIPE, text=True))
        for process in processes:
            _, messages = process.communicate()
            if process.returncode != 0:
                sys.exit(f"train_ranks.py: {' '.join(words)} failed:\n{messages}")
        events = [json.loads(line) for line in open(f"{folder}/model/metrics.jsonl")]
        last = [event for event in events if event["type"] == "train"][-1]  # the first half warms up
        seconds = last["seconds"]
        sent = last.get("bytes_sent", 0) / last["step"] / 1e6
        return last["target_tokens_per_second"], seconds.get("exchange", 0) / sum(seconds.values()), sent
    finally:
        shutil.rmtree(folder)


def settings(options):
    for preset in options.presets:
        for ranks in options.ranks:
            yield preset, 1, ranks, "fp32"
            for gradients in options.gradients:
                yield preset, ranks, 1, gradients


def measure(options):
    results = {}
    for _ in range(options.rounds):
        for setting in settings(options):
            preset, ranks, threads, gradients = setting
            results.setdefault(setting, []).append(run(options, preset, ranks, threads, gradients))
            print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return results


def show(results):
    print("| preset | | target tokens/s | ratio | exchange | MB sent per rank and step |")
    print("|---|---|---|---|---|---|")
    for (preset, ranks, threads, gradients), runs in results.items():
        speed, exchange, sent = (statistics.median(values) for values in zip(*runs))
        if ranks == 1:
            alone = speed
            print(f"| {preset} | 1 process, {threads} threads | {speed:,.0f} | | | |")
            continue
        print(f"| | {ranks} ranks of 1 thread, {gradients} | {speed:,.0f} | {speed / alone:.2f} | "
              f"{100 * exchange:.0f}% | {sent:.1f} |")


def main():
    options = arguments()
    if options.rate:
        limit = f"tc qdisc add dev lo root tbf rate {options.rate} burst 1mb latency 400ms"
        subprocess.run(["ip", "netns", "add", NAMESPACE], check=True)
        try:
            for words in ("ip link set lo up", limit):
                subprocess.run(["ip", "netns", "exec", NAMESPACE, *words.split()], check=True)
            show(measure(options))
        finally:
            subprocess.run(["ip", "netns", "del", NAMESPACE], check=False)
    else:
        show(measure(options))


if __name__ == "__main__":
    main()
