"""Measures how fast heed and its peers translate the same text with the same models, in one run, taking turns.

    cmake --workflow --preset release
    python3 benchmarks/translate_speed/translate_speed.py build/release/bin/heed --out runs/translate_speed

The peers are installed into build/peers at the first run. See README.md beside this file.
"""
import argparse
import os
import pathlib
import subprocess
import sys

import cases
import measure
import programs
import report
import tune
from models import Workshop, say
from results import Progress, Results, same
from shared import HERE

REFERENCE = cases.Contender("heed", "fp32")  # whose translations all with the same weights are compared with


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("heed", type=pathlib.Path, help="the program")
    parser.add_argument("--out", type=pathlib.Path, required=True,
                        help="folder for results.json and results.md; results of other cases there are kept")
    parser.add_argument("--models", nargs="+", choices=cases.MODELS, default=cases.MODELS)
    parser.add_argument("--model", type=pathlib.Path,
                        help="model directory of one's own Transformer, for natural lengths; default: one is trained")
    parser.add_argument("--text", type=pathlib.Path, help="its text; default: Multi30k's English training text")
    parser.add_argument("--lengths", nargs="+", choices=cases.LENGTHS, default=cases.LENGTHS)
    parser.add_argument("--feeds", nargs="+", choices=cases.FEEDS, default=cases.FEEDS,
                        help="all the text at once, or one line at a time")
    parser.add_argument("--beams", nargs="+", type=int, help="default: 5 1; with --quick 5")
    parser.add_argument("--threads", nargs="+", type=int, help="default: 1 2; with --quick 2")
    parser.add_argument("--precisions", nargs="+", choices=cases.PRECISIONS, default=cases.PRECISIONS)
    parser.add_argument("--peers", nargs="*", choices=cases.PEERS, default=cases.PEERS)
    parser.add_argument("--rounds", type=int, help="default: 3")
    parser.add_argument("--lines", type=int, help="lines of every case; default: as many as take seconds")
    parser.add_argument("--quick", action="store_true",
                        help="a check of a few minutes: few lines and settings, one round")
    parser.add_argument("--resume", action="store_true", help="keep what --out has of these cases, measure the rest")
    parser.add_argument("--max-other", type=float,
                        help="a run is disturbed, and repeated once, if other processes took more than this share of "
                             "the machine; default: 0.05, with --quick 1")
    parser.add_argument("--peers-dir", type=pathlib.Path, default=HERE.parents[1] / "build/peers")
    return checked(parser, parser.parse_args())


def checked(parser, options):
    options.rounds = options.rounds or (1 if options.quick else 3)
    options.max_other = options.max_other or (1 if options.quick else 0.05)
    options.beams = options.beams or ([5] if options.quick else [5, 1])
    options.threads = options.threads or ([2] if options.quick else [1, 2])
    if min(*options.beams, *options.threads, options.rounds, options.lines or 1) < 1:
        parser.error("--beams, --threads, --rounds and --lines: at least 1 each")
    if options.text and not options.model:
        parser.error("--text goes with --model")
    for name in ("heed", "out", "peers_dir", "model", "text"):
        path = getattr(options, name)
        setattr(options, name, path.resolve() if path else None)
    if not os.access(options.heed, os.X_OK):
        parser.error(f"{options.heed} is no program; build it with `cmake --workflow --preset release`")
    return options


def find_precisions(options, workshop):
    """Sets which precisions CTranslate2 has on this processor; returns the notes for those that it lacks."""
    options.ctranslate2_has = ()
    if "ctranslate2" not in options.peers:
        return []
    there = workshop.ctranslate2_types()
    options.ctranslate2_has = [name for name in options.precisions if programs.COMPUTE[name] in there]
    return [f"CTranslate2 has no {programs.COMPUTE[name]} on this processor, so that heed's {name} stands alone."
            for name in options.precisions if name not in options.ctranslate2_has]


class Measurement:
    """All contenders of a case, in turns."""

    def __init__(self, options, workshop, results, progress):
        self.options, self.workshop, self.results, self.progress = options, workshop, results, progress

    def case(self, case):
        wanted = cases.contenders(self.options, case)
        text = self.workshop.texts.source(case)
        settings = {contender: self.setting(case, contender, text) for contender in wanted}
        for contender in wanted:
            self.results.forget(case, contender, self.options.resume)
        for number in range(1, self.options.rounds + 1):
            for contender in wanted if number % 2 else reversed(wanted):
                self.round(case, contender, number, settings[contender], text)
        self.compare(case)

    def setting(self, case, contender, text):
        """CTranslate2's, tried on half of the text; kept in the results."""
        if contender.program != "ctranslate2":
            return None
        kept, name = self.results.found["settings"], f"{case}, {case.lines} lines, {contender.precision}"
        if not (self.options.resume and name in kept):
            lines = text.splitlines(keepends=True)
            part = b"".join(lines[:max(1, min(1000, len(lines) // 2))])
            best = tune.Search(self.workshop, case, contender, part).best(self.options.quick)
            kept[name] = vars(best)
            self.results.save()
        setting = programs.Setting(**kept[name])
        self.progress.done((case, contender, "setting"), f"{case}, {contender}: fastest with {setting.told(case)}")
        return setting

    def round(self, case, contender, number, setting, text):
        kind = (case, contender, "run")
        if self.results.has(case, contender, number):
            self.progress.done(kind, f"{case}, {contender}, round {number}: there already")
            return
        run = self.run(case, contender, setting, text)
        if run.get("disturbed"):
            again = self.run(case, contender, setting, text)
            run = min(run, again, key=lambda each: each.get("other_share", 1))
        self.results.add(case, contender, {"round": number, **run})
        self.progress.done(kind, f"{case}, {contender}, round {number}: {told(run)}")

    def run(self, case, contender, setting, text):
        command, environment = programs.command_of(self.workshop, case, contender, setting)
        log = self.workshop.scratch / f"{contender.program}.log"
        try:
            measure.run(command, environment, text, log)  # so that a virtual machine's memory is at hand
            output, measured = measure.run(command, environment, text, log)
        except (subprocess.CalledProcessError, OSError) as failure:
            return {"error": f"{failure} ({getattr(failure, 'output', '')})"}
        self.workshop.texts.output_file(case, contender).write_bytes(output)
        tokens = self.workshop.texts.target_tokens(case, output)
        return {**measured, "target_tokens": tokens, "target_tokens_per_second": tokens / measured["seconds"],
                "setting": setting.told(case) if setting else "", "unlike": None,
                "disturbed": measured["other_share"] > self.options.max_other}

    def compare(self, case):
        """Counts the lines in which heed's other precisions and CTranslate2 differ from heed in fp32."""
        for run in self.results.found["runs"]:
            contender = cases.Contender(run["program"], run["precision"])
            if contender.program in ("heed", "ctranslate2") and "error" not in run and same(run, case, contender):
                run["unlike"] = self.workshop.texts.unlike(case, contender, REFERENCE)
        self.results.save()


def told(run):
    if "error" in run:
        return run["error"]
    disturbed = " (disturbed)" if run["disturbed"] else ""
    return (f"{run['target_tokens_per_second']:,.0f} target tokens/s, {run['process_seconds']:.1f} s, first line "
            f"{run['first_line_seconds']:.2f} s, {run['peak_mib']:,.0f} MiB, others {run['other_share']:.1%}"
            f"{disturbed}")


def steps(options, wanted):
    for case in wanted:
        for contender in cases.contenders(options, case):
            if contender.program == "ctranslate2":
                yield case, contender, "setting"
            yield from [(case, contender, "run")] * options.rounds


def main():
    options = parse_arguments()
    workshop = Workshop(options)
    workshop.install()
    notes = find_precisions(options, workshop)
    for note in notes:
        say(note)
    wanted = cases.all_cases(options)
    workshop.make_models(wanted)
    results = Results(options.out, workshop.versions(), notes)
    progress = Progress(steps(options, wanted))
    say(f"{progress.total} steps; the time to go is told after each")
    measurement = Measurement(options, workshop, results, progress)
    for case in wanted:
        measurement.case(case)
    print(report.show(results.found), end="")
    if any("error" in run for run in results.found["runs"]):
        sys.exit(1)


if __name__ == "__main__":
    main()
