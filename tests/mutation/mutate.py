#!/usr/bin/env python3
"""Plants mistakes in a copy of the sources, one at a time, and prints those that no test notices. README.md tells how."""

import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
GUARD = "::heed::mutation::planted({})"
HEADER = """// Made by tests/mutation/mutate.py: which of the planted mistakes the environment variable HEED_MUTANT chooses.
#pragma once

#include <cstdlib>

namespace heed::mutation {

inline bool planted(int number) {
  static const int chosen = [] {
    const char* text = std::getenv("HEED_MUTANT");
    return text == nullptr ? 0 : std::atoi(text);
  }();
  return chosen == number;
}

}  // namespace heed::mutation
"""

# Test programs that could see a mistake in a module, the likeliest and quickest first.
ABOVE = {
    "core": "core text data checkpoint command_line config options end_to_end",
    "text": "text data config options end_to_end",
    "metrics": "metrics options end_to_end",
    "vectors": "vectors config options",
    "data": "data training config options",
    "kernels": "nn engine search translation training",
    "architecture": "architecture models config options",
    "command_line": "command_line config options end_to_end",
    "model_directory": "checkpoint training config options end_to_end",
    "nn": "nn models search translation training config options",
    "models": "models translation training config options",
    "search": "search engine translation training options",
    "engine": "engine translation options end_to_end",
    "checkpoint": "checkpoint training config options end_to_end",
    "translation": "translation training options end_to_end",
    "distributed": "distributed training end_to_end",
    "training": "training config options end_to_end",
    "report": "report figures options end_to_end",
    "media": "media media_files config options end_to_end",
    "reranking": "reranking options end_to_end",
    "interchange": "interchange options end_to_end",
    "api": "api options end_to_end",
    "config": "command_line config options end_to_end",
    "apps": "options end_to_end",
}


def mutants():
    """All mutants in the order of their files, numbered from 1."""
    found, keys = [], set()
    for path in sorted((HERE / "mutants").glob("*.toml")):
        for mutant in tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]:
            mutant["path"] = mutant["file"] if mutant["file"].startswith("apps/") else "lib/" + mutant["file"]
            mutant["module"] = mutant["file"].removeprefix("heed/").removeprefix("heed_torch/").split("/")[0]
            mutant["number"] = len(found) + 1
            mutant["key"] = f"{mutant['file']}: {mutant['what']}"
            if mutant["key"] in keys:
                sys.exit(f"{path.name}: two mutants are called `{mutant['key']}`")
            keys.add(mutant["key"])
            found.append(mutant)
    return found


def guarded(mutant):
    """The text that takes the place of `before`."""
    guard = GUARD.format(mutant["number"])
    before = mutant["before"]
    if "raw" in mutant:
        return mutant["raw"].replace("MUTANT", guard)
    if before.endswith(";"):
        return f"if ({guard}) {{ {mutant['after']} }} else {{ {before} }}"
    return f"({guard} ? ({mutant['after']}) : ({before}))"


def planted(text, some, path):
    """The file's text with all its mutants. Places are looked up in the original, so that mutants may not overlap."""
    places = []
    if wrong := misplaced(text, some, path):
        sys.exit("\n".join(wrong))
    for mutant in some:
        begin = text.index(mutant["before"])
        places.append((begin, begin + len(mutant["before"]), mutant))
    places.sort(key=lambda place: place[0], reverse=True)
    for (begin, _, left), (_, end, right) in zip(places, places[1:]):
        if end > begin:
            sys.exit(f"{path}: two mutants overlap: {right['what']}; {left['what']}")
    for begin, end, mutant in places:
        text = text[:begin] + guarded(mutant) + text[end:]
    first = re.search(r"^#include", text, re.MULTILINE).start()
    return text[:first] + '#include "heed/mutation_guard.h"\n' + text[first:]


def check():
    """Plants all mutants, into nothing: ends where one is not in its file, or twice."""
    of_file = {}
    for mutant in mutants():
        of_file.setdefault(mutant["path"], []).append(mutant)
    wrong = []
    for path, some in of_file.items():
        if not (ROOT / path).is_file():
            wrong.append(f"there is no file {path}")
            continue
        text = (ROOT / path).read_text(encoding="utf-8")
        wrong += misplaced(text, some, path)
        if not wrong:
            planted(text, some, path)
    if wrong:
        sys.exit("\n".join(wrong))


def misplaced(text, some, path):
    """Complaints about the mutants whose code is not in the file's text once."""
    return [f"{path}: `{mutant['before']}` stands there {text.count(mutant['before'])} times, not once ({mutant['what']})"
            for mutant in some if text.count(mutant["before"]) != 1]


def write(path, content):
    """Leaves a file with this content as it is, so that it is not compiled again."""
    if path.exists() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def prepare(source, chosen):
    """Copies what git knows, and what it does not ignore, and plants the chosen mutants."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
                            stdout=subprocess.PIPE).stdout.decode().split("\0")
    of_file = {}
    for mutant in filter(chosen, mutants()):
        of_file.setdefault(mutant["path"], []).append(mutant)
    for name in listed:
        original, copy = ROOT / name, source / name
        if not name or not original.is_file():
            continue
        if name in of_file:
            text = original.read_text(encoding="utf-8")
            write(copy, planted(text, of_file.pop(name), name).encode())
        elif not copy.exists() or copy.read_bytes() != original.read_bytes():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(original, copy)
    if of_file:
        sys.exit(f"there is no file {', '.join(of_file)}")
    remove_moved(source, set(listed))
    write(source / "lib/heed/mutation_guard.h", HEADER.encode())


def remove_moved(source, listed):
    """Removes sources of the copy that an earlier preparation made and that are elsewhere now: CMake would find both."""
    for folder in ("apps", "lib", "tests"):
        for path in (source / folder).rglob("*"):
            if path.suffix in (".cpp", ".h") and str(path.relative_to(source)) not in listed:
                path.unlink()


def build(source, arguments):
    """Configures and builds all tests once; goes on after an error, so that all mutants that do not compile are seen."""
    subprocess.run(["cmake", "--preset", "dev", "-DHEED_WARNINGS_AS_ERRORS=OFF", *arguments], cwd=source, check=True)
    subprocess.run(["cmake", "--build", "--preset", "dev", "--", "-k", "0"], cwd=source, check=True)


def nearest_tests(mutant):
    """The filter that chooses tests of the module in the file that mirrors the mutant's, as tests/training/stopping_test.cpp
    does heed_torch/training/stopping.cpp, or in those that include its header; empty if there are none."""
    tests, stem = ROOT / "tests", mutant["file"].removesuffix(".cpp")
    paths = [tests / f"{stem.removeprefix('heed/').removeprefix('heed_torch/')}_test.cpp"]
    if not paths[0].exists():
        paths = [p for p in (tests / mutant["module"]).rglob("*_test.cpp") if f'#include "{stem}.h"' in p.read_text()]
    suites = {suite for path in paths
              for suite in re.findall(r"^TEST(?:_F)?\((\w+),", path.read_text(encoding="utf-8"), re.MULTILINE)}
    return ":".join(f"{suite}.*" for suite in sorted(suites))


def end_group(leader):
    """Kills what is left of a group of processes."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Tests:
    """The built test programs."""

    def __init__(self, source):
        self.source = source
        self.binary = source / "build/dev"
        self.seconds = {}

    def run(self, name, number, limit, only="*"):
        """What stopped the program: the name of a test, or `timeout` or a signal; None if all tests passed."""
        environment = dict(os.environ, HEED_MUTANT=str(number), HEED_SOURCE_DIR=str(self.source),
                           HEED_BINARY_DIR=str(self.binary), OMP_NUM_THREADS="1")
        command = [str(self.binary / "bin" / f"{name}_test"), "--gtest_fail_fast", "--gtest_brief=1",
                   f"--gtest_filter={only}"]
        # A group of its own: a program that a mistake keeps from ending must not outlive the test that started it.
        with tempfile.TemporaryFile() as output, \
             subprocess.Popen(command, cwd=self.source, env=environment, stdout=output, stderr=subprocess.DEVNULL,
                              start_new_session=True) as test:
            try:
                test.wait(limit)
            except subprocess.TimeoutExpired:
                return "timeout"
            finally:
                end_group(test.pid)
            if test.returncode == 0:
                return None
            output.seek(0)
            failed = re.search(rb"^\[  FAILED  \] (\S+)", output.read(), re.MULTILINE)
            return failed.group(1).decode().rstrip(",") if failed else f"exit code {test.returncode}"

    def limit(self, name, only="*"):
        """Five times what these tests take without a mistake. Ends where one fails already."""
        if (name, only) not in self.seconds:
            begin = time.monotonic()
            failed = self.run(name, 0, None, only)
            self.seconds[name, only] = time.monotonic() - begin
            if failed:
                sys.exit(f"{name}_test fails without any mistake: {failed}")
        return 60 + 5 * self.seconds[name, only]

    def killer(self, mutant, skipped):
        """The first test that notices, with its program. The nearest tests come first."""
        names = [n for n in mutant.get("tests", ABOVE[mutant["module"]]).split() if n not in skipped]
        nearest = nearest_tests(mutant)
        if nearest and mutant["module"] in names:
            failed = self.run(mutant["module"], mutant["number"], self.limit(mutant["module"], nearest), nearest)
            if failed:
                return f"{mutant['module']}: {failed}"
        for name in names:
            failed = self.run(name, mutant["number"], self.limit(name))
            if failed:
                return f"{name}: {failed}"
        return None


def run(tests, results_path, chosen, skipped):
    """Runs the mutants that no result stands for yet; writes after each, so that a run may be stopped and go on."""
    results = json.loads(results_path.read_text()) if results_path.exists() else {}
    waiting = [m for m in mutants() if chosen(m) and m["key"] not in results]
    for mutant in waiting:
        results[mutant["key"]] = tests.killer(mutant, skipped)
        print(f"{results[mutant['key']] or 'SURVIVES':50} {mutant['key']}", flush=True)
        results_path.write_text(json.dumps(results, indent=1, ensure_ascii=False))
    return results


def report(results):
    """Prints what survived and the score."""
    known = [m for m in mutants() if m["key"] in results]
    for mutant in known:
        if results[mutant["key"]] is None:
            reason = f" (equivalent: {mutant['equivalent']})" if "equivalent" in mutant else ""
            print(f"SURVIVES {mutant['path']}: {mutant['what']}{reason}")
    killed = sum(results[m["key"]] is not None for m in known)
    named = [m for m in known if m.get("named")]
    print(f"{killed} of {len(known)} are noticed; of the {len(named)} named ones "
          f"{sum(results[m['key']] is not None for m in named)}")
    return killed == len([m for m in known if "equivalent" not in m])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", choices=["list", "check", "prepare", "build", "run", "report", "all"])
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/mutation", help="folder of the copy")
    parser.add_argument("--source", type=pathlib.Path, help="where that folder is seen by the build, if elsewhere")
    parser.add_argument("--only", default="", help="a regular expression: mutants whose file or text it finds")
    parser.add_argument("--named", action="store_true", help="only the named mutants")
    parser.add_argument("--again", action="store_true", help="forget the results of the chosen mutants, or with "
                        "--survivors of those among them that survived")
    parser.add_argument("--survivors", action="store_true")
    parser.add_argument("--skip", default="", help="test programs that are not run, such as end_to_end")
    parser.add_argument("--cmake", action="append", default=[], help="an argument of cmake's, such as -DHEED_TORCH_ROOT=...")
    options = parser.parse_args()
    results_path = options.work / "results.json"


    def chosen(mutant):
        return re.search(options.only, mutant["key"]) is not None and (mutant.get("named") or not options.named)

    if options.command == "list":
        for mutant in filter(chosen, mutants()):
            print(mutant["number"], mutant["key"])
    if options.command == "check":
        check()
    if options.command in ("prepare", "all"):
        prepare(options.work, chosen)
    if options.command in ("build", "all"):
        build(options.work, options.cmake)
    if options.again and results_path.exists():
        results = json.loads(results_path.read_text())
        again = {m["key"] for m in mutants() if chosen(m) and (not options.survivors or results.get(m["key"]) is None)}
        results_path.write_text(json.dumps({k: v for k, v in results.items() if k not in again}))
    if options.command in ("run", "all"):
        run(Tests(options.source or options.work), results_path, chosen, options.skip.split())
    if options.command in ("run", "report", "all"):
        sys.exit(0 if report(json.loads(results_path.read_text())) else 1)


if __name__ == "__main__":
    main()
