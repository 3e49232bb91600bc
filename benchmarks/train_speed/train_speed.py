"""Measures how fast heed and its peers train the same models on the same text, in one run, one after the other.

    cmake --workflow --preset release
    python3 benchmarks/train_speed/train_speed.py build/release/bin/heed --out runs/train_speed

The peers are installed into build/peers at the first run. See README.md beside this file.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys

import runs
import tables

MODELS = ("tiny", "base", "bahdanau", "luong")
TOOLKITS = ("heed-fp32", "heed-bf16", "heed-fp32-wide", *runs.PEERS)
LOSS_SETTINGS = ("fp32-plain", "fp32", "bf16")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("heed", type=pathlib.Path, help="the program")
    parser.add_argument("--out", type=pathlib.Path, required=True,
                        help="folder for results.json and results.md; results of other models there are kept")
    parser.add_argument("--models", nargs="+", choices=MODELS, default=MODELS)
    parser.add_argument("--toolkits", nargs="*", choices=TOOLKITS, help="default: all that run on the device")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="the GPU is for heed and pytorch alone")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--losses", action="store_true", help="instead: heed's loss after 200 updates in each setting")
    parser.add_argument("--update-tokens", type=int, default=4000,
                        help="target tokens of an update; others than 4000 are for heed and pytorch alone")
    parser.add_argument("--warmup", type=int, help="updates before the clock starts")
    parser.add_argument("--updates", type=int, help="timed updates; with --losses all updates (200)")
    parser.add_argument("--max-other", type=float, default=0.05,
                        help="a run is disturbed, and repeated once, if other processes took more than this share of the machine")
    parser.add_argument("--peers-dir", type=pathlib.Path, default=runs.HERE.parents[1] / "build/peers")
    options = parser.parse_args()
    if min(options.rounds, options.threads, options.warmup or 1, options.updates or 1) < 1:
        parser.error("--rounds, --threads, --warmup and --updates: at least 1 each")
    as_set_up = options.device == "cpu" and options.update_tokens == 4000
    able = [toolkit for toolkit in TOOLKITS if as_set_up or runs.family(toolkit) in ("heed", "pytorch")]
    options.toolkits = options.toolkits if options.toolkits is not None else able
    unable = [toolkit for toolkit in options.toolkits if toolkit not in able]
    if unable:
        parser.error(f"--toolkits {' '.join(unable)}: set up here for --device cpu and updates of 4000 tokens alone")
    for name in ("heed", "out", "peers_dir"):
        setattr(options, name, getattr(options, name).resolve())
    return options


def prepare(options):
    environment = {**os.environ, "PEERS_DIR": str(options.peers_dir)}
    peers = [runs.family(toolkit) for toolkit in options.toolkits if toolkit in runs.PEERS]
    wanted = [] if options.losses else list(dict.fromkeys(peers))
    subprocess.run([runs.HERE / "peers/setup.sh", *wanted], check=True, env=environment)
    subprocess.run([runs.HERE / "peers/prepare.sh"], check=True, env=environment)


INSTRUCTIONS = ("avx2", "avx512f", "avx512_vnni", "avx512_bf16", "amx_int8", "amx_bf16")  # that decide a matmul's speed


def processor():
    """Its name, family and model, since "AMD EPYC" may be all that the name says, its INSTRUCTIONS, since a virtual machine
    may report another model, and the number of cores."""
    facts = {}
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        for line in lines:
            key, _, value = line.partition(":")
            facts.setdefault(key.strip(), value.strip())
    kind = ""
    if "cpu family" in facts:
        found = [name for name in INSTRUCTIONS if name in facts.get("flags", "").split()]
        kind = f" (family {facts['cpu family']}, model {facts['model']}: {' '.join(found)})"
    return f"{facts.get('model name', platform.machine())}{kind}, {os.cpu_count()} cores"


def device(options):
    if options.device == "cpu":
        return "cpu"
    names = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], check=True, capture_output=True,
                           text=True).stdout.splitlines()
    return names[0]


def commit():
    """That of the checkout, which the program should be built from."""
    command = ["git", "-C", str(runs.HERE), "describe", "--always", "--dirty"]
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    except (subprocess.CalledProcessError, FileNotFoundError):
        return "unknown"


class Results:
    """results.json and results.md, written anew after every run. All rows are of one machine."""

    def __init__(self, options):
        self.folder = options.out
        self.origin = {"date": datetime.date.today().isoformat(), "commit": commit()}
        machine = {"processor": processor(), "threads": options.threads, "device": device(options)}
        if options.update_tokens != 4000:
            machine["update_tokens"] = options.update_tokens
        self.found = {"machine": machine, "runs": [], "losses": []}
        if (self.folder / "results.json").exists():
            self.found = json.loads((self.folder / "results.json").read_text(encoding="utf-8"))
            if self.found["machine"] != machine:
                sys.exit(f"{self.folder}/results.json has results of {self.found['machine']}, not of {machine}; name "
                         "another folder with --out")

    def forget(self, part, models):
        """What is about to be measured again."""
        self.found[part] = [row for row in self.found[part] if row["model"] not in models]

    def add(self, part, row):
        self.found[part].append({**row, **self.origin})
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "results.json").write_text(json.dumps(self.found, indent=1) + "\n", encoding="utf-8")
        (self.folder / "results.md").write_text(tables.render(self.found), encoding="utf-8")


def progress(number, result):
    if "error" in result:
        line = result["error"]
    else:
        disturbed = " (disturbed)" if result["disturbed"] else ""
        line = (f"{result['target_tokens_per_second']:,.0f} target tokens/s, {result['peak_mib']:,.0f} MiB, "
                f"others {result['other_share']:.1%}{disturbed}, {result['process_seconds']:.0f} s")
    print(f"{result['model']}, round {number}, {result['toolkit']}: {line}", file=sys.stderr, flush=True)


def measured(options, model, toolkit, number, scratch):
    """A disturbed run is repeated once; the less disturbed of the two counts."""
    result = runs.measure(options, model, toolkit, scratch)
    progress(number, result)
    if result.get("disturbed"):
        again = runs.measure(options, model, toolkit, scratch)
        progress(number, again)
        result = min(result, again, key=lambda run: run.get("other_share", 1))
    return {"round": number, **result}


def measure_speed(options, results, scratch):
    """Rounds of all toolkits, every second one in reverse."""
    results.forget("runs", options.models)
    for model in options.models:
        toolkits = [toolkit for toolkit in options.toolkits if runs.has(toolkit, model)]
        for number in range(1, options.rounds + 1):
            for toolkit in toolkits if number % 2 else reversed(toolkits):
                results.add("runs", measured(options, model, toolkit, number, scratch))


def measure_loss(options, model, setting, scratch):
    updates = options.updates or 200
    every = max(1, updates // 10)
    folder = scratch / f"losses.{setting}.{model}"
    shutil.rmtree(folder, ignore_errors=True)
    command = runs.heed_command(options, model, setting, updates, every, folder)
    runs.run(command, {}, scratch / f"losses.{setting}.{model}.log")
    records = runs.metrics(folder)
    training = [record["objective"] for record in records if record["type"] == "train"]
    validation = [record["scores"]["loss"] for record in records if record["type"] == "validation"]
    return {"model": model, "setting": setting, "updates": updates, "training_objective": training[-1],
            "validation_loss": validation[-1]}


def measure_losses(options, results, scratch):
    results.forget("losses", options.models)
    for model in options.models:
        for setting in LOSS_SETTINGS:
            row = measure_loss(options, model, setting, scratch)
            print(row, file=sys.stderr, flush=True)
            results.add("losses", row)


def main():
    options = parse_arguments()
    prepare(options)
    scratch = options.peers_dir / "runs"
    scratch.mkdir(parents=True, exist_ok=True)
    results = Results(options)
    (measure_losses if options.losses else measure_speed)(options, results, scratch)
    print(tables.render(results.found), end="")


if __name__ == "__main__":
    main()
