#!/usr/bin/env python3
"""Whether a worked example (docs/examples/NAME.patch) still applies, compiles and passes its tests.

    check_example.py NAME --source SOURCE --build BUILD --files N [--test TARGET]

Copies lib, apps and tests into BUILD/examples/NAME, applies the diff without fuzz, and compiles what it touches there
with the flags of the targets the files belong to (BUILD/compile_commands.json). With --test, what sees a changed header in
that test program's module, and in the folders of the changed headers, is compiled too, as one file, and linked with the
tests of the diff before the libraries that were built; then these tests run. That needs Ninja, which knows the link
command; without it the files are only checked. It fails, too, where the diff touches more than N files beside tests, and where the table in
docs/examples/README.md has other numbers than the diff.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

COPIED = ("lib", "apps", "tests")
CODE = {".h", ".cpp", ".in", ".txt", ".toml"}


def fail(message):
    sys.exit(message)


def run(command, **more):
    """Runs a command; its output only where it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if done.returncode != 0:
        fail(f"{shlex.join(command)}\n{done.stdout}")
    return done.stdout


def copy_sources(source, copy):
    shutil.rmtree(copy, ignore_errors=True)
    for folder in COPIED:
        for path in (source / folder).rglob("*"):
            if path.suffix in CODE and path.is_file():
                target = copy / path.relative_to(source)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)


def git_apply(arguments, folder):
    """git apply in a folder, taken for no part of a repository around it, of which git would see that folder only."""
    alone = dict(os.environ, GIT_CEILING_DIRECTORIES=str(folder.parent))
    return run(["git", "apply", *arguments], cwd=folder, env=alone)


def apply(patch, copy):
    git_apply([str(patch)], copy)
    return [pathlib.Path(name) for name in re.findall(r"^\+\+\+ b/(.*)$", patch.read_text(), re.MULTILINE)]


class Targets:
    """The compile command of each file, and the target it belongs to."""

    def __init__(self, source, build):
        self.source, self.build = source, build
        self.command = {}  # by file, relative to the source tree
        self.target = {}
        for entry in json.loads((build / "compile_commands.json").read_text()):
            words = shlex.split(entry["command"])
            output = words[words.index("-o") + 1]
            target = re.search(r"CMakeFiles/([^/]+)\.dir/", output)
            path = pathlib.Path(entry["file"])
            files = [path]
            if "Unity" in path.parts and path.exists():
                files = [pathlib.Path(name) for name in re.findall(r'#include "(.*)"', path.read_text())]
            for file in files:
                if target and file.is_relative_to(source) and not file.is_relative_to(build):
                    name = file.relative_to(source)
                    self.command[name] = words
                    self.target[name] = target.group(1)

    def neighbor(self, path):
        """The file itself, or for a new one a file of the nearest folder, where there is one of the same name."""
        if path in self.command:
            return path
        for folder in path.parents:
            known = sorted((name for name in self.command if name.is_relative_to(folder)),
                           key=lambda name: (name.name != path.name, name))
            if known and folder.parts:
                return known[0]
        fail(f"{path}: no target has files near it")

    def member(self, target):
        """A file of this target."""
        return min(name for name, its in self.target.items() if its == target)

    def compile_command(self, path, copy, output, like=None):
        """output: None only checks. like: a file of the same target, for one that belongs to none."""
        command = []
        words = iter(self.command[self.neighbor(like or path)])
        for word in words:
            if word in ("-o", "-c"):
                next(words)
            elif word.startswith("-I" + str(self.source)) and not word.startswith("-I" + str(self.build)):
                command.append(word.replace(str(self.source), str(copy), 1))
            else:
                command.append(word)
        if any(word.startswith("-O") for word in command):
            command.append("-O1")  # it runs once
        command += ["-c", str(copy / path)]
        return command + (["-o", str(output)] if output else ["-fsyntax-only"])

    def link_command(self, program):
        """That of the test program, before and after the place of its own objects; None without Ninja."""
        ninja = shutil.which("ninja")
        if not ninja or not (self.build / "build.ninja").exists():
            return None
        text = run([ninja, "-C", str(self.build), "-t", "commands", "-s", f"bin/{program}"]).splitlines()[-1]
        words = shlex.split(text)
        begin = next(i for i, word in enumerate(words) if re.search(r"(\+\+|cc|clang)[-\d.]*$", word))
        end = next((i for i in range(begin, len(words)) if words[i] == "&&"), len(words))
        place = words.index("-o", begin)
        return [[word for word in words[begin:place] if not word.endswith(".o")], words[place + 2:end]]


def includers(copy, changed, folders):
    """The .cpp files of `folders` that see one of the changed headers."""
    includes = {}
    for path in copy.rglob("*"):
        if path.suffix in (".h", ".cpp"):
            names = re.findall(r'#include "(heed(?:_torch)?/[^"]+)"', path.read_text())
            includes[path.relative_to(copy)] = [pathlib.Path("lib") / name for name in names]
    seen, waiting = set(changed), True
    while waiting:
        more = {path for path, names in includes.items() if path not in seen and seen.intersection(names)}
        seen |= more
        waiting = bool(more)
    return sorted(path for path in seen if path.suffix == ".cpp" and any(path.is_relative_to(folder) for folder in folders))


def check_numbers(source, name, patch, most_files):
    """Compares the row `| [NAME](NAME.md) ... | files | lines | lines of tests |` with the diff."""
    rows = [line.split("\t") for line in git_apply(["--numstat", str(patch)], source).splitlines()]
    code = [int(added) for added, _, path in rows if not path.startswith("tests/")]
    tests = [int(added) for added, _, path in rows if path.startswith("tests/")]
    if len(code) > most_files:
        fail(f"{name}: touches {len(code)} files beside tests, more than {most_files}")
    numbers = [len(code), sum(code), sum(tests)]
    readme = (source / "docs" / "examples" / "README.md").read_text()
    row = re.search(rf"^\| \[{name}\]\({name}\.md\) \|.*\| (\d+) \| (\d+) \| (\d+) \|$", readme, re.MULTILINE)
    if not row or [int(number) for number in row.groups()] != numbers:
        fail(f"docs/examples/README.md: the row of {name} must end in | {numbers[0]} | {numbers[1]} | {numbers[2]} |")


def joined(copy, paths, targets):
    """One file for those of each target: the headers that they include are what takes time."""
    files = {}
    for path in paths:
        files.setdefault(targets.target[targets.neighbor(path)], []).append(path)
    for target, members in files.items():
        name = pathlib.Path(f"{target}.cpp")
        (copy / name).write_text("".join(f'#include "{copy / member}"\n' for member in members))
        yield name, members[0]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("name")
    arguments.add_argument("--source", required=True, type=pathlib.Path)
    arguments.add_argument("--build", required=True, type=pathlib.Path)
    arguments.add_argument("--files", required=True, type=int)
    arguments.add_argument("--test", help="the test program that the tests of the diff belong to, such as nn_test")
    asked = arguments.parse_args()
    source, build = asked.source.resolve(), asked.build.resolve()
    patch = source / "docs" / "examples" / f"{asked.name}.patch"
    check_numbers(source, asked.name, patch, asked.files)
    copy = build / "examples" / asked.name
    copy_sources(source, copy)
    touched = apply(patch, copy)
    targets = Targets(source, build)

    checked = [path for path in touched if path.suffix == ".cpp"]
    jobs, objects = [], []
    link = targets.link_command(asked.test) if asked.test else None
    if link:
        module = asked.test.removesuffix("_test")
        headers = [path for path in touched if path.suffix == ".h"]
        folders = {path.parent for path in headers if path.is_relative_to("lib")}
        folders.update(pathlib.Path("lib") / library / module for library in ("heed", "heed_torch"))
        linked = includers(copy, headers, folders)
        linked += [path for path in checked if path.is_relative_to("lib") and path not in linked]
        tests = [path for path in checked if path.is_relative_to(f"tests/{module}")]
        units = list(joined(copy, linked, targets)) + [(path, targets.member(asked.test)) for path in tests]
        for unit, like in units:
            objects.append(copy / unit.with_suffix(".o"))
            jobs.append(targets.compile_command(unit, copy, objects[-1], like))
        checked = [path for path in checked if path not in linked + tests]
    jobs += [targets.compile_command(path, copy, None) for path in checked]
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        list(pool.map(lambda command: run(command, cwd=build), jobs))
    print(f"{asked.name}: {len(touched)} files touched")
    if link:
        program = copy / asked.test
        run([*link[0], "-Wl,--allow-multiple-definition", *map(str, objects), *link[1], "-o", str(program)], cwd=build)
        environment = dict(os.environ, HEED_SOURCE_DIR=str(source), HEED_BINARY_DIR=str(build), OMP_NUM_THREADS="1")
        print(run([str(program)], cwd=source, env=environment).splitlines()[-1])


if __name__ == "__main__":
    main()
