"""report.py RESULTS.json: the results of translate_speed.py as Markdown, and a line of JSON for each row."""
import json
import statistics
import sys

import cases
from shared import tables

NAMES = {"heed": "heed", "ctranslate2": "CTranslate2", "opennmt": "OpenNMT-py", "fairseq": "fairseq"}
CASE = ("model", "lengths", "feed", "beam", "threads")
CONSTANT = (*CASE, "program", "precision", "lines", "target_tokens", "unlike", "setting", "date", "commit")
MEDIANS = ("target_tokens_per_second", "seconds", "process_seconds", "first_line_seconds", "load_seconds")
COLUMNS = ("beam", "threads", "program", "target tokens/s", "lowest to highest", "heed's ratio", "ms per line",
           "whole process (s)", "first line (s)", "peak memory (MiB)", "lines that differ from heed fp32", "setting",
           "other processes")
FEEDS = {"text": "all lines at once", "line": "one line at a time"}


def key_of(run):
    return tuple(run[name] for name in CASE) + (run["program"], run["precision"])


def summary(runs):
    """What is told of all rounds of a contender on a case."""
    counted = tables.counted(runs)
    speeds = [run["target_tokens_per_second"] for run in counted]
    last = runs[-1]
    return {**{name: last[name] for name in CONSTANT},
            **{name: statistics.median(run[name] for run in counted) for name in MEDIANS},
            "lowest": min(speeds), "highest": max(speeds), "peak_mib": max(run["peak_mib"] for run in runs),
            "other_share": max(run["other_share"] for run in counted), "rounds": len(runs),
            "disturbed": sum(run["disturbed"] for run in runs)}


def summaries(results):
    found = {}
    for run in results["runs"]:
        if "error" not in run:
            found.setdefault(key_of(run), []).append(run)
    return [summary(runs) for runs in found.values()]


def heed_to(row, rows):
    """How many times as fast heed is as another program on the same case with numbers of the same kind."""
    same = [other["target_tokens_per_second"] for other in rows if other["program"] == "heed"
            and all(other[name] == row[name] for name in (*CASE, "precision"))]
    if row["program"] == "heed" or not same:
        return ""
    return f"{same[0] / row['target_tokens_per_second']:.2f}"


def cells(row, rows):
    share = f"{row['other_share']:.1%}"
    if row["disturbed"]:
        share += f", {row['disturbed']} of {row['rounds']} disturbed"
    unlike = "" if row["unlike"] is None else f"{row['unlike']} of {row['lines']}"
    return [str(row["beam"]), str(row["threads"]), f"{NAMES[row['program']]} {row['precision']}",
            f"{row['target_tokens_per_second']:,.0f}", f"{row['lowest']:,.0f} to {row['highest']:,.0f}",
            heed_to(row, rows), f"{1000 * row['seconds'] / row['lines']:,.1f}",
            f"{row['process_seconds']:.2f}", f"{row['first_line_seconds']:.2f}",
            f"{row['peak_mib']:,.0f}", unlike, row["setting"], share]


def order(row):
    return (-row["beam"], row["threads"], -row["target_tokens_per_second"])


def title(row, rows):
    lines = " or ".join(sorted({f"{other['lines']:,}" for other in rows}))
    length = "natural lengths" if row["lengths"] == "natural" else f"{cases.FORCED_LENGTH} tokens each"
    return f"### {row['model']}, {length}, {FEEDS[row['feed']]}\n\n{lines} lines, measured on {tables.origin(rows)}."


def each_table(rows):
    groups = {}
    for row in rows:
        groups.setdefault((row["model"], row["lengths"], row["feed"]), []).append(row)
    for group in groups.values():
        body = tables.table(COLUMNS, [cells(row, group) for row in sorted(group, key=order)])
        yield f"{title(group[0], group)}\n\n{body}"


def failures(results):
    """Programs that failed, each once for a case."""
    found = {key_of(run): run["error"] for run in results["runs"] if "error" in run}
    return [f"Failed: {' '.join(map(str, key))}: {error}" for key, error in found.items()]


def programs(results):
    """With their versions."""
    versions = results["versions"].items()
    return ", ".join(version if name == "heed" else f"{NAMES[name]} {version}" for name, version in versions)


def render(results):
    parts = [results["machine"]["processor"], programs(results), *each_table(summaries(results)), *failures(results),
             *results["notes"]]
    return "\n\n".join(parts) + "\n"


def as_json(results):
    """Machine, versions and the tables' rows, each on a line of its own."""
    head = {name: results[name] for name in ("machine", "versions", "notes")}
    lines = [json.dumps(row) for row in sorted(summaries(results), key=lambda row: [str(row[name]) for name in CASE])]
    return json.dumps(head)[:-1] + ', "rows": [\n' + ",\n".join(lines) + "\n]}\n"


def show(results):
    return f"{render(results)}\n```json\n{as_json(results)}```\n"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as saved:
        print(show(json.load(saved)), end="")
