"""Runs the `heed` commands that README.md and the pages below docs show. Each must succeed, and print the output that is shown
after it, apart from numbers.

    run_commands.py ROOT HEED [DOCUMENT...]

The commands of a document run one after the other in a folder of its own, which has the files and models that the documents
name: small texts, and models that were trained for two steps. `heed train` stops after two steps here. Left out are commands
with `...`, and those of OMITTED, each with its reason. OF_OTHER_TEXT has the lines of output that are of other texts or models.
"""

import gzip
import json
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

import shown_output

OMITTED = {
    r"opus-mt-en-de|models/opus-en-de": "a model that one downloads",
    r"\bheed (serve|watch)\b": "runs until it is stopped; tests/serve, tests/report",
    r"\bheed make\b": "minutes; tests/end_to_end",
    r"sacremoses|pandoc": "another program",
    r"\$SLURM_ARRAY_TASK_ID": "in a job of Slurm",
    r"--device cuda": "needs a GPU",
    r"--to huggingface": "documents say that the default preset cannot be exported to it",
    r"--checkpoints 4000": "steps that no model here has",
    r"--model models/en-de --side target Hund": "not a token of so small a vocabulary",
    r"paired-bootstrap|--paired-bs|--confidence|--significance confidence": "tests/end_to_end/evaluate; a second each",
}
OF_OTHER_TEXT = {
    "README.md": r"[█▓▒░┌│]",
    "docs/guide/attention.md": r"[█▓▒░┌│]",
    "docs/guide/data.md": r"\{|  +[A-Z][^:]*$|truncated: |misaligned: |  line ",
    "docs/guide/ranks.md": r"",
    "docs/guide/serve.md": r"",
    "docs/guide/watch.md": r"^the end ",
    "docs/learn/rnn-to-transformer.md": r"[█▓▒░┌│]",
    "docs/learn/your-own-text.md": r"validation pairs are in|repeat an earlier one|still improving",
}
SMALL = {"--arch.d-model": "16", "--train.max-steps": "2", "--valid.every": "2", "--threads": "1", "--log.every": "1"}
TINY = ("--arch.encoder.layers 1 --arch.decoder.layers 1 --arch.encoder.feed-forward.hidden 32 "
        "--arch.decoder.feed-forward.hidden 32 --text.vocab-size 500")


def write(folder, files):
    for name, lines in files.items():
        text = "".join(line + "\n" for line in lines).encode()
        (folder / name).write_bytes(gzip.compress(text, mtime=0) if name.endswith(".gz") else text)


def npy(path, count):
    """`count` images of 8 x 8 numbers in NumPy's format (https://numpy.org/neps/nep-0001-npy-format.html)."""
    header = str({"descr": "<f4", "fortran_order": False, "shape": (count, 8, 8)}).ljust(117) + "\n"
    numbers = [(i * 37 + at * 11) % 16 / 16 for i in range(count) for at in range(64)]
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(numbers)}f", *numbers))


def png(path, side):
    """A square gray image (https://www.w3.org/TR/png-3)."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + bytes(10 * (x + y) % 256 for x in range(side)) for y in range(side))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)) +
                     chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def raw_pairs(root):
    """Pairs of the quickstart's training text, some of them damaged, so that each default filter of `heed data` finds some."""
    pairs = list(zip(*((root / f"data/quickstart/train.{side}").read_text().splitlines()[:5000] for side in ("en", "de"))))
    damage = [
        lambda i, source, target: (source, target.encode().decode("cp1252", "ignore")),
        lambda i, source, target: (source, " ".join([target] * 6)),
        lambda i, source, target: (source, " ".join(target.split()[:2])),
        lambda i, source, target: (source, source),
        lambda i, source, target: (source, pairs[i - 20][1]),
        lambda i, source, target: (source, "Alle Rechte vorbehalten. Nachdruck nur mit Genehmigung."),
        lambda i, source, target: pairs[5],
    ]
    raw = [damage[i // 50 % len(damage)](i, *pair) if i % 50 == 49 else pair for i, pair in enumerate(pairs)]
    raw[1000] = (raw[1000][0] + " \a", raw[1000][1])
    return raw


def make_texts(root, folder):
    english = ["the dog and the man in the street , a woman , a king ."] * 10
    german = ["der Hund und der Mann auf der Straße , eine Frau , ein König ."] * 10
    english += (root / "data/quickstart/dev.en").read_text().splitlines()
    german += (root / "data/quickstart/dev.de").read_text().splitlines()
    parts = {"train": slice(0, 200), "dev": slice(200, 230), "test": slice(230, 240), "val": slice(240, 250),
             "valid": slice(200, 230),
             "medical": slice(100, 150), "one": slice(0, 1), "a": slice(0, 5), "b": slice(5, 10)}
    files = {}
    for name, part in parts.items():
        files |= {f"{name}.en": english[part], f"{name}.de": german[part]}
        files[f"{name}.txt"] = english[part]
        files[f"{name}.labels"] = [("long", "short")[len(line) < 30] for line in english[part]]
        files[f"{name}.tags"] = [" ".join("BO"[len(word) < 4] + "-X" * (len(word) >= 4) for word in line.split()) for line in english[part]]
        files[f"{name}.numbers"] = files[f"{name}.values"] = [str(len(line)) for line in english[part]]
        files[f"{name}.captions"] = german[part]
        files[f"{name}.reversed"] = [" ".join(reversed(line.split())) for line in german[part]]
    test = german[parts["test"]]
    files |= {name + ".de": test for name in "out old new greedy beam baseline rnn transformer".split()}
    files |= {"a.de": test, "b.de": test, "big.en.gz": english[:20], "b.en.gz": english[5:10], "story.txt": german[:200],
              "more.txt": german[240:], "out.txt": english[parts["test"]], "out.labels": files["test.labels"],
              "out.tags": files["test.tags"], "out.values": files["test.values"], "begins.de": ["Der"] * 10,
              "terms.tsv": ["a house\tein Haus"], "never.txt": ["Hund"], "words.tsv": ["house\tHaus"], "gold": ["1-1"] * 10,
              "corpus.1.tsv.gz": [f"{e}\t{d}" for e, d in zip(english[:200], german[:200])]}
    raw = raw_pairs(root)
    files |= {"raw.en": [pair[0] for pair in raw], "raw.de": [pair[1] for pair in raw]}
    plain = [f"page {i // 20}\t{i}\t{pair[0]}\t{pair[1]}" for i, pair in enumerate(raw_pairs(root)[:3500])]
    files |= {"plain.tsv": plain}
    files |= {f"all.{side}": (root / f"data/quickstart/train.{side}").read_text().splitlines()[:3000] for side in ("en", "de")}
    files |= {"page.html": ["<html><body><p>The <b>dog</b> sleeps.</p></body></html>"],
              "messages.po": ['msgid ""', 'msgstr ""', '"Content-Type: text/plain; charset=UTF-8\\n"', "", 'msgid "The dog"', 'msgstr ""']}
    write(folder, files)
    png(folder / "picture.png", 16)
    for name in ("train", "dev", "test"):
        count = parts[name].stop - parts[name].start
        npy(folder / f"{name}.npy", count)
        write(folder, {f"{name}.list": ["picture.png"] * count})


def make_models(heed, folder):
    """The models that documents use without training them."""
    def train(name, source, target, more=TINY, steps="2"):
        sides = [*(("--source", f"train.{source}", "--valid-source", f"dev.{source}") if source else ("--preset", "lm-transformer")),
                 "--target", f"train.{target}", "--valid-target", f"dev.{target}"]
        run([heed, "train", *sides, "--model", f"models/{name}", *more.split(),
             *sum((SMALL | {"--train.max-steps": steps}).items(), ())], folder)

    given = "--text.tokenizers given --text.source-tokenizer models/en-de/source.spm --text.target-tokenizer models/en-de/target.spm"
    same = TINY.split("--text.vocab-size")[0] + given
    train("en-de", "en", "de", steps="10")
    train("en-de-2", "en", "de", same + " --seed 2")
    train("en-de-3", "en", "de", same + " --seed 3")
    train("de-en", "de", "en")
    for name in ("models/small", "models/base", "runs/quickstart/model", "runs/attention-ladder/additive/model"):
        shutil.copytree(folder / "models/en-de", folder / name)
    run([heed, "export", "--to", "ctranslate2", "--model", "models/en-de", "--output", "en-de-ctranslate2"], folder)
    train("en-ed", "en", "reversed", same)
    train("lm-de", None, "de", "--arch.decoder.layers 1 --arch.decoder.feed-forward.hidden 32 "
          "--text.tokenizers given --text.target-tokenizer models/en-de/target.spm")


def run(command, folder, **more):
    """What a command prints, if it succeeds."""
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, **more)
    if done.returncode:
        shown = command if isinstance(command, str) else shlex.join(map(str, command))
        raise SystemExit(f"{shown}\n{done.stdout[-500:]}{done.stderr[-1500:]}\nended with {done.returncode}")
    return done.stdout + done.stderr


def stand_in(heed, folder):
    """A program named heed for the path: the real one, but a training stops after two steps, held-out text has 100 lines, not
    1,000, and folders are made anew."""
    path = folder / "bin/heed"
    path.parent.mkdir()
    path.write_text(f"""#!{sys.executable}
import os, pathlib, shutil, sys
given = sys.argv[1:]
if given[:1] == ["train"]:
    small = {SMALL!r}
    if not any(option in given for option in ("--source", "--target", "--pairs", "--source-vectors", "--source-images")):
        small["--train.max-steps"] = "4"
    else:
        shutil.rmtree(given[given.index("--model") + 1], ignore_errors=True)
    if "--train.keep-last" in given:  # checkpoints that a document averages
        small["--train.max-steps"] = "8"
    if "1200" in given:  # a training whose log a document shows
        small |= {{"--train.max-steps": "24", "--valid.every": "12"}}
    if "--train.minimum-risk.type" in given:  # a step translates each sentence of its batch many times
        small["--data.batch-tokens"] = "300"
    for option, value in small.items():
        if option in given and option == "--arch.d-model":
            continue
        if option == "--arch.d-model" and "lm-lstm" in given:
            given += ["--arch.decoder.hidden", "16"]
        if option in given:
            given[given.index(option) + 1] = value
        else:
            given += [option, value]
if given[:2] == ["data", "split"]:
    given = ["100" if word == "1000" else word for word in given]
made_by = {{"import": "--model", "export": "--output", "average": "--output"}}
if given[:1] and given[0] in made_by:
    shutil.rmtree(given[given.index(made_by[given[0]]) + 1], ignore_errors=True)
os.execv({str(heed)!r}, ["heed", *given])
""")
    path.chmod(0o755)
    return path.parent


def check_document(root, document, folder, environment):
    """Runs a document's commands; returns how many, and the lines of output that none of them has printed since the heading."""
    count, wrong, printed, ran = 0, [], [], False
    for part in shown_output.parts_of((root / document).read_text(encoding="utf-8")):
        if part.kind == "heading":
            printed, ran = [], False
        elif part.kind == "output":
            other = OF_OTHER_TEXT.get(document)
            shown = [line for line in part.lines if ran and not (other is not None and re.search(other, line))]
            wrong += [(document, line, shown_output.nearest(line, printed)) for line in shown if not shown_output.is_printed(line, printed)]
        elif shown_output.COMMAND.match(part.lines[0]) and "..." not in part.lines[0].split("#")[0]:
            command = part.lines[0]
            if any(re.search(pattern, command) for pattern in OMITTED):
                continue
            count, ran = count + 1, True
            print(f"{document}: {command}", flush=True)
            output = run(["bash", "-euo", "pipefail", "-c", command], folder, env=environment)
            printed += [shown_output.normalized(line) for line in output.splitlines()]
    return count, wrong


def main():
    root, heed = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    documents = sys.argv[3:] or ["README.md"] + sorted(str(path.relative_to(root)) for folder in ("docs/guide", "docs/learn")
                                                       for path in (root / folder).glob("*.md"))
    count, wrong = 0, []
    with tempfile.TemporaryDirectory() as temporary:
        common = pathlib.Path(temporary) / "common"
        (common / "models").mkdir(parents=True)
        make_texts(root, common)
        make_models(heed, common)
        environment = os.environ | {"PATH": f"{stand_in(heed, common)}:{os.environ['PATH']}"}
        for document in documents:
            folder = pathlib.Path(temporary) / "own"
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(common, folder)
            done, found = check_document(root, document, folder, environment)
            count += done
            wrong += found
    print(f"{count} commands of {len(documents)} documents ran")
    for document, line, printed in wrong:
        print(f"{document}: no command before prints this: {line}\n    the nearest line is: {printed}")
    return 0 if count and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
