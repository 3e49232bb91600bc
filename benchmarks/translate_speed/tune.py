"""Finds the setting with which CTranslate2 is fastest on a case, one choice after the other."""
import dataclasses
import subprocess

import measure
import programs

BATCHES = [(16, "sentences"), (32, "sentences"), (64, "sentences"), (128, "sentences"), (256, "sentences"),
           (1024, "tokens"), (4096, "tokens")]
QUICK_BATCHES = [(32, "sentences"), (64, "sentences")]
ENOUGH = 1.5  # a try is given up after this many times the best one's seconds


def has_avx512():
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        return any(line.startswith("flags") and " avx512f " in line for line in lines)


def choices(case, quick):
    """For each choice the values to try, as changes of a setting; what matters most comes first."""
    kernels = [{"library": library, "isa": isa} for library in programs.LIBRARIES
               for isa in (["", "AVX512"] if has_avx512() else [""])]
    splits = [{"inter": inter, "intra": intra} for inter, intra in programs.splits(case.threads)]
    if case.feed == "line":  # one translator has work at a time
        return [kernels, [{"intra": intra} for intra in sorted({1, case.threads})]]
    batches = [{"batch": batch, "unit": unit} for batch, unit in (QUICK_BATCHES if quick else BATCHES)]
    return [splits, kernels, batches, [{"sorted": order} for order in ("text", "windows")]]


class Search:
    """Tries settings on a part of the case's text."""

    def __init__(self, workshop, case, contender, text):
        self.workshop, self.case, self.contender, self.text = workshop, case, contender, text
        self.tried = {}

    def seconds(self, setting):
        """From the first line taken to the last translation; infinite: far slower than the best, or failed."""
        if setting not in self.tried:
            self.tried[setting] = self.measured(setting)
        return self.tried[setting]

    def measured(self, setting):
        command, environment = programs.command_of(self.workshop, self.case, self.contender, setting)
        best = min(self.tried.values(), default=float("inf"))
        limit = None if best == float("inf") else ENOUGH * best + 5
        log = self.workshop.scratch / "tune.log"
        try:
            return measure.run(command, environment, self.text, log, limit)[1]["seconds"]
        except (measure.TooSlow, subprocess.CalledProcessError):
            return float("inf")

    def best(self, quick):
        inter, intra = programs.splits(self.case.threads)[0]
        setting = programs.Setting(inter=1 if self.case.feed == "line" else inter, intra=intra)
        for values in choices(self.case, quick):
            setting = min((dataclasses.replace(setting, **change) for change in values), key=self.seconds)
        if self.seconds(setting) == float("inf"):
            raise RuntimeError(f"CTranslate2 does {self.case} with no setting; see {self.workshop.scratch}/tune.log")
        return setting
