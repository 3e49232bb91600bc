"""One timed training of heed or of a peer, in a process of its own."""
import json
import math
import os
import pathlib
import shutil
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent
PYTORCH = ("pytorch", "pytorch-bf16")  # a plain loop over torch.nn.Transformer
PEERS = ("opennmt", "fairseq", "sockeye", "joeynmt", "marian", *PYTORCH)
RECURRENT = ("bahdanau", "luong")
LACKS = {("fairseq", "bahdanau"), ("sockeye", "bahdanau"), ("sockeye", "luong")}
LACKS |= {("marian", model) for model in RECURRENT}
LACKS |= {(toolkit, model) for toolkit in PYTORCH for model in RECURRENT}

# heed's settings: options beside those of heed/MODEL.toml
SETTINGS = {
    "fp32": [],
    "bf16": ["--train.precision", "bf16"],
    # recurrent models: the output layer reads 512 numbers as that of OpenNMT-py and JoeyNMT, and embeddings are as wide
    "fp32-wide": ["--arch.d-model", "512"],
    # the whole update at once: what the losses of the other settings are compared with
    "fp32-plain": ["--train.replicas", "1"],
}

# updates before the clock starts, and timed ones: a quarter of a minute or more of each toolkit, at least six updates
UPDATES = {
    "heed": {"tiny": (20, 120), "base": (2, 16), "bahdanau": (6, 42), "luong": (6, 42)},
    "joeynmt": {"tiny": (4, 30), "base": (1, 6), "bahdanau": (3, 18), "luong": (3, 18)},
    "peer": {"tiny": (10, 70), "base": (2, 10), "bahdanau": (6, 36), "luong": (6, 36)},
    "cuda": {"tiny": (100, 1000), "base": (50, 500), "bahdanau": (50, 300), "luong": (50, 300)},
}


def family(toolkit):
    """What it is an instance of, whatever its setting."""
    return toolkit.split("-")[0]


def has(toolkit, model):
    if toolkit == "heed-fp32-wide":
        return model in RECURRENT
    return (toolkit, model) not in LACKS


def machine_seconds():
    """Processor seconds that all processes together have used since the machine started."""
    with open("/proc/stat", encoding="ascii") as stat:
        user, nice, system, _idle, _wait, irq, soft, stolen = map(int, stat.readline().split()[1:9])
    return (user + nice + system + irq + soft + stolen) / os.sysconf("SC_CLK_TCK")


def run(command, environment, log):
    """Runs it to its end: peak memory, and the share of the machine that went to other processes meanwhile."""
    busy, begin = machine_seconds(), time.perf_counter()
    with open(log, "w", encoding="utf-8") as out:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                                   env={**os.environ, **environment})
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command[0], output=f"see {log}")
    seconds = time.perf_counter() - begin
    own = used.ru_utime + used.ru_stime
    other = machine_seconds() - busy - own
    return {"process_seconds": seconds, "cpu_seconds": own, "peak_mib": used.ru_maxrss / 1024,
            "other_share": max(0, other) / (seconds * os.cpu_count())}


def heed_command(options, model, setting, updates, log_every, folder):
    data = options.peers_dir / "data"
    text = [argument for role, name in (("", "train"), ("valid-", "val"))
            for side, language in (("source", "en"), ("target", "de"))
            for argument in (f"--{role}{side}", f"{data}/{name}.pieces.{language}")]
    return [str(options.heed), "train", "--model", str(folder),
            "--config", f"{HERE}/heed/common.toml", f"{HERE}/heed/{model}.toml",
            "--text.source-tokenizer", f"{data}/vocabulary.tokens", *text,
            "--data.batch-tokens", str(options.update_tokens),
            "--device", options.device, "--threads", str(options.threads),
            "--train.max-steps", str(updates), "--log.every", str(log_every), *SETTINGS[setting]]


def metrics(folder):
    with open(folder / "metrics.jsonl", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def heed_rates(records, warmup):
    """From the report at update `warmup` to the last one."""
    reports = [record for record in records if record["type"] == "train"]
    first = next(record for record in reports if record["step"] == warmup)
    timed = [record for record in reports if record["step"] > warmup]
    seconds = timed[-1]["elapsed"] - first["elapsed"]
    updates = timed[-1]["step"] - warmup
    target = timed[-1]["tokens"] - first["tokens"]
    source = sum(record["source_tokens_per_second"] * sum(record["seconds"].values()) for record in timed)
    return {"updates": updates, "seconds": seconds, "target_tokens_per_second": target / seconds,
            "all_tokens_per_second": (source + target) / seconds, "target_tokens_per_update": target / updates}


def run_heed(options, model, setting, warmup, updates, scratch):
    folder = scratch / f"heed-{setting}.{model}"
    shutil.rmtree(folder, ignore_errors=True)
    command = heed_command(options, model, setting, warmup + updates, math.gcd(warmup, updates), folder)
    used = run(command, {}, scratch / f"heed-{setting}.{model}.log")
    records = metrics(folder)
    return {"version": f"heed {setting}", "parameters": records[0]["parameters"], **heed_rates(records, warmup), **used}


def run_peer(options, model, toolkit, warmup, updates, scratch):
    result = scratch / f"{toolkit}.{model}.json"
    result.unlink(missing_ok=True)
    environment = {"PEERS_DIR": str(options.peers_dir), "THREADS": str(options.threads), "RESULT": str(result),
                   "UPDATES": str(warmup + updates + 1), "WARMUP": str(warmup),
                   "DEVICE": options.device, "UPDATE_TOKENS": str(options.update_tokens),
                   "PRECISION": "bf16" if toolkit.endswith("-bf16") else "fp32"}
    used = run([f"{HERE}/peers/{family(toolkit)}.sh", model], environment, scratch / f"{toolkit}.{model}.log")
    return {**json.loads(result.read_text(encoding="utf-8")), **used}


def measure(options, model, toolkit, scratch):
    """One training; what it measured, or why it failed."""
    kind = family(toolkit)
    warmup, updates = UPDATES["cuda" if options.device == "cuda" else kind if kind in UPDATES else "peer"][model]
    warmup, updates = options.warmup or warmup, options.updates or updates
    try:
        if kind == "heed":
            result = run_heed(options, model, toolkit.removeprefix("heed-"), warmup, updates, scratch)
        else:
            result = run_peer(options, model, toolkit, warmup, updates, scratch)
    except (subprocess.CalledProcessError, OSError) as failure:
        return {"model": model, "toolkit": toolkit, "error": f"{failure} ({getattr(failure, 'output', '')})"}
    return {"model": model, "toolkit": toolkit, **result, "disturbed": result["other_share"] > options.max_other}
