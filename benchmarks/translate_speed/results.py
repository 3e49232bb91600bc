"""results.json and results.md, written anew after every run, and how long the rest will take."""
import dataclasses
import datetime
import json
import sys
import time

import report
from shared import train_speed


class Results:
    """All rows are of one machine."""

    def __init__(self, folder, versions, notes):
        self.folder = folder
        self.origin = {"date": datetime.date.today().isoformat(), "commit": train_speed.commit()}
        machine = {"processor": train_speed.processor()}
        self.found = {"machine": machine, "versions": {}, "notes": [], "settings": {}, "runs": []}
        if (folder / "results.json").exists():
            self.found = json.loads((folder / "results.json").read_text(encoding="utf-8"))
            if self.found["machine"] != machine:
                sys.exit(f"{folder}/results.json has results of {self.found['machine']}, not of {machine}; name "
                         "another folder with --out")
        self.found["versions"].update(versions)
        self.found["notes"] = notes

    def has(self, case, contender, number):
        return any(same(run, case, contender) and run["round"] == number and "error" not in run
                   for run in self.found["runs"])

    def forget(self, case, contender, keep):
        """What is about to be measured again: all of this work, but for what is kept, runs on as many lines."""
        self.found["runs"] = [run for run in self.found["runs"]
                              if not same(run, dataclasses.replace(case, lines=run["lines"]), contender)
                              or (keep and run["lines"] == case.lines and "error" not in run)]

    def add(self, case, contender, run):
        self.found["runs"].append({**dataclasses.asdict(case), **dataclasses.asdict(contender), **run, **self.origin})
        self.save()

    def save(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "results.json").write_text(json.dumps(self.found, indent=1) + "\n", encoding="utf-8")
        (self.folder / "results.md").write_text(report.render(self.found), encoding="utf-8")


def same(run, case, contender):
    return all(run[name] == value
               for name, value in {**dataclasses.asdict(case), **dataclasses.asdict(contender)}.items())


class Progress:
    """What is done, and when the rest will be: steps of a kind take as long as the last one of that kind."""

    def __init__(self, kinds):
        self.left = list(kinds)
        self.total = len(self.left)
        self.taken = {}
        self.begin = time.monotonic()

    def done(self, kind, text):
        now = time.monotonic()
        self.taken[kind] = now - self.begin
        self.begin = now
        self.left.remove(kind)
        usual = sum(self.taken.values()) / len(self.taken)
        rest = sum(self.taken.get(other, usual) for other in self.left)
        number = self.total - len(self.left)
        print(f"[{number}/{self.total}, {rest / 60:.0f} min to go] {text}", file=sys.stderr, flush=True)
