"""tables.py RESULTS.json: the results of train_speed.py as Markdown."""
import json
import statistics
import sys

COLUMNS = ("toolkit", "target tokens/s", "lowest to highest", "ratio to the fastest peer",
           "source + target tokens/s", "peak memory (MiB)", "parameters", "target tokens per step", "other processes")


def table(columns, rows):
    return "\n".join(f"| {' | '.join(row)} |" for row in [columns, ["---"] * len(columns), *rows])


def counted(runs):
    """The runs that were not disturbed; all if none was left alone."""
    return [run for run in runs if not run["disturbed"]] or runs


def median(runs, key):
    return statistics.median(run[key] for run in counted(runs))


def speed_row(runs, fastest_peer):
    speeds = [run["target_tokens_per_second"] for run in counted(runs)]
    speed = statistics.median(speeds)
    disturbed = sum(run["disturbed"] for run in runs)
    other = f"{max(run['other_share'] for run in counted(runs)):.1%}"
    if disturbed:
        other += f", {disturbed} of {len(runs)} runs disturbed" + ("" if disturbed == len(runs) else " and left out")
    ratio = f"{speed / fastest_peer:.2f}" if fastest_peer else ""
    return [runs[-1]["version"], f"{speed:,.0f}", f"{min(speeds):,.0f} to {max(speeds):,.0f}", ratio,
            f"{median(runs, 'all_tokens_per_second'):,.0f}", f"{max(run['peak_mib'] for run in runs):,.0f}",
            f"{runs[-1]['parameters'] / 1e6:.2f} M", f"{median(runs, 'target_tokens_per_update'):,.0f}", other]


def speed_table(runs):
    """One model's: toolkits from the fastest to the slowest."""
    toolkits = {}
    for run in runs:
        if "error" not in run:
            toolkits.setdefault(run["toolkit"], []).append(run)
    speeds = {toolkit: median(runs, "target_tokens_per_second") for toolkit, runs in toolkits.items()}
    peers = [speed for toolkit, speed in speeds.items() if not toolkit.startswith("heed-")]
    order = sorted(toolkits, key=speeds.get, reverse=True)
    rows = [speed_row(toolkits[toolkit], max(peers, default=None)) for toolkit in order]
    failed = sorted({run["toolkit"] for run in runs if "error" in run})
    return table(COLUMNS, rows) + (f"\n\nFailed: {', '.join(failed)}." if failed else "")


def loss_table(rows):
    columns = ("model", "setting", "steps", "training objective", "difference", "validation loss", "difference")
    plain = {row["model"]: row for row in rows if row["setting"] == "fp32-plain"}
    lines = []
    for row in rows:
        cells = [row["model"], row["setting"], str(row["updates"])]
        for key in ("training_objective", "validation_loss"):
            base = plain[row["model"]][key]
            cells += [f"{row[key]:.4f}", f"{row[key] / base - 1:+.2%}"]
        lines.append(cells)
    return table(columns, lines)


def origin(rows):
    """When, and with which commits, these were measured."""
    return ", ".join(sorted({f"{row['date']} at commit {row['commit']}" for row in rows}))


def render(results):
    machine = results["machine"]
    place = machine["processor"] + ("" if machine["device"] == "cpu" else f", {machine['device']}")
    parts = [f"{place}, {machine['threads']} threads"]
    if "update_tokens" in machine:
        parts.append(f"training steps of {machine['update_tokens']:,} target tokens")
    for model in dict.fromkeys(run["model"] for run in results["runs"]):
        runs = [run for run in results["runs"] if run["model"] == model]
        parts.append(f"### {model}\n\nMeasured on {origin(runs)}.\n\n{speed_table(runs)}")
    if results["losses"]:
        parts.append(f"### losses\n\nMeasured on {origin(results['losses'])}.\n\n{loss_table(results['losses'])}")
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as saved:
        print(render(json.load(saved)), end="")
