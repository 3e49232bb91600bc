"""Makes tiny models of every architecture, head and tokenizer with one version of heed, and notes what they answer.

    make.py HEED ARCHIVE.tar.xz [--only NAME...]

The archive has the text, and for each model its directory, the commands and what HEED printed for them, and the validation loss
after HEED resumed the training for a few steps. check.py compares later versions with it. Options have the names of 1.0.0.
"""

import argparse
import json
import lzma
import pathlib
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
import wave
import zlib
from typing import Dict, List, NamedTuple

ENGLISH = "one two three four five six seven eight".split()
GERMAN = "eins zwei drei vier fünf sechs sieben acht".split()
STEPS, MORE = 40, 8  # of a training, and of its continuation

TRAINING = (f"--train.max-updates {STEPS} --valid.every {STEPS} --log.every {STEPS} --train.schedule.warmup 4 --train.schedule.learning-rate 0.02 "
            "--train.average none --train.keep-last 1 --arch.dropout 0 --threads 1 --device cpu --seed 3").split()
WORDS = "--text.type words --data.update-tokens 120".split()
PAIRS = "--source text/source --target text/target --valid-source text/valid.source --valid-target text/valid.target".split()
SENTENCES = "--source text/source --valid-source text/valid.source".split()
WIDTH = "--arch.d-model 4".split()
LAYERS = "--arch.encoder.layers 1 --arch.decoder.layers 1".split()
ENCODER = "--arch.encoder.layers 1 --arch.encoder.heads 2 --arch.encoder.feed-forward.hidden 4".split()
TRANSFORMER = [*WIDTH, *LAYERS, *"--arch.encoder.heads 2 --arch.decoder.heads 2 --arch.encoder.feed-forward.hidden 4".split(),
               *"--arch.decoder.feed-forward.hidden 4".split()]
RECURRENT = [*WIDTH, *"--arch.encoder.hidden 4 --arch.decoder.hidden 4".split()]


def both(option: str, value: str) -> List[str]:
    return [f"--arch.encoder.{option}", value, f"--arch.decoder.{option}", value]


class Kind(NamedTuple):
    """How the models of one kind are used."""
    data: List[str]
    commands: List[List[str]]


TRANSLATION = Kind([*PAIRS, *WORDS], [["translate", "--input", "text/test.source"],
                                      ["score", "--source", "text/test.source", "--target", "text/test.target"]])
TEXT_TASKS = {task: Kind([*SENTENCES, *WORDS, "--task", task, "--target", f"text/{name}", "--valid-target", f"text/valid.{name}"],
                         [["predict", "--input", "text/test.source", "--format", "json"]])
              for task, name in (("classification", "class"), ("labelling", "tags"), ("regression", "numbers"))}
LANGUAGE_MODEL = Kind(["--target", "text/target", "--valid-target", "text/valid.target", *WORDS],
                      [["score", "--target", "text/test.target"], ["generate", "--input", "text/prompts", "--method", "greedy", "--max-length", "6"]])
MEDIA = {name: Kind([option, f"text/{name}.list", f"--valid{option[1:]}", f"text/{name}.list", "--task", "classification",
                     "--target", "text/side", "--valid-target", "text/side"],
                    [["predict", option, f"text/{name}.list", "--format", "json"]])
         for name, option in (("pictures", "--source-pictures"), ("sounds", "--source-sounds"))}
CAPTIONS = Kind(["--source-vectors", "text/vectors.npy", "--valid-source-vectors", "text/vectors.npy", "--target", "text/side",
                 "--valid-target", "text/side", *WORDS],
                [["translate", "--source-vectors", "text/vectors.npy"]])
TEXT_AND_VECTORS = Kind([*SENTENCES[:2], "--valid-source", "text/source", "--source-vectors", "text/more.npy", "--valid-source-vectors",
                         "text/more.npy", "--target", "text/target", "--valid-target", "text/target", *WORDS],
                        [["score", "--source", "text/source", "--source-vectors", "text/more.npy", "--target", "text/target"]])

SHORT = both("max-length", "16") + "--data.max-source-length 15 --data.max-target-length 15".split()
BAHDANAU = ["--preset", "rnn-bahdanau", *RECURRENT]
LUONG = ["--preset", "rnn-luong", *RECURRENT, *LAYERS]
ANY_TOKENS = [option for option in WORDS if option not in ("--text.type", "words")]


def with_tokenizer(*options: str) -> Kind:
    return Kind([*PAIRS, *ANY_TOKENS, *options], TRANSLATION.commands)


MODELS: Dict[str, tuple] = {
    "transformer": (TRANSLATION, TRANSFORMER),
    "transformer-post": (TRANSLATION, [*TRANSFORMER, *both("norm-order", "post"), "--arch.tied-embeddings", "none", "--arch.output-bias", "true"]),
    "transformer-rotary": (TRANSLATION, [*TRANSFORMER, *both("positions", "rotary"), *both("norm", "rms")]),
    "transformer-relative": (TRANSLATION, [*TRANSFORMER, *both("positions", "relative"), *both("max-distance", "4")]),
    "transformer-learned": (TRANSLATION, [*TRANSFORMER, *both("positions", "learned"), *SHORT, *both("feed-forward.gated", "true"),
                                          *both("feed-forward.activation", "silu")]),
    "transformer-single-head": (TRANSLATION, [*WIDTH, *LAYERS, *both("attention", "single-head"), *both("feed-forward.hidden", "4")]),
    "transformer-parameter-free": (TRANSLATION, [*WIDTH, *LAYERS, *both("attention", "parameter-free"), *both("feed-forward.hidden", "4")]),
    "transformer-bf16": (TRANSLATION, [*TRANSFORMER, "--train.precision", "bf16"]),
    "transformer-adamw-cosine": (TRANSLATION, [*TRANSFORMER, "--train.optimizer.type", "adamw", "--train.schedule.type", "cosine",
                                               "--train.schedule.length", "100"]),
    "rnn-tanh": (TRANSLATION, ["--preset", "rnn-sutskever", *RECURRENT, *LAYERS, *both("cell", "tanh")]),
    "rnn-sutskever": (TRANSLATION, ["--preset", "rnn-sutskever", *RECURRENT]),
    "rnn-bahdanau": (TRANSLATION, BAHDANAU),
    "rnn-luong": (TRANSLATION, LUONG),
    "rnn-luong-local": (TRANSLATION, [*LUONG, "--arch.decoder.window", "local-p", "--arch.decoder.half-width", "2"]),
    "rnn-dot": (TRANSLATION, [*LUONG, "--arch.decoder.score", "scaled-dot"]),
    "rnn-gru": (TRANSLATION, [*BAHDANAU, *both("cell", "gru"), *both("layer-norm", "true"), "--arch.decoder.coverage", "neural"]),
    "rnn-sparsemax": (TRANSLATION, [*BAHDANAU, "--arch.decoder.choice", "sparsemax", "--arch.decoder.coverage", "linguistic"]),
    "rnn-hard": (TRANSLATION, [*BAHDANAU, "--arch.decoder.choice", "hard"]),
    "rnn-idf": (TRANSLATION, [*BAHDANAU, "--arch.decoder.score", "idf"]),
    "rnn-gnmt": (TRANSLATION, ["--preset", "rnn-gnmt", *RECURRENT, "--arch.encoder.layers", "3", "--arch.decoder.layers", "3"]),
    "rnn-memory": (TRANSLATION, ["--preset", "rnn-memory", *RECURRENT]),
    "rnn-adagrad": (TRANSLATION, [*BAHDANAU, "--train.optimizer.type", "adagrad", "--train.scheduled-sampling.type", "linear",
                                  "--train.scheduled-sampling.length", "30"]),
    "convolutional": (TRANSLATION, ["--preset", "conv", *RECURRENT, *LAYERS, *SHORT]),
    "mixed": (TRANSLATION, [*WIDTH, *LAYERS, *ENCODER, "--arch.decoder.type", "rnn", "--arch.decoder.hidden", "4"]),
    "unigram": (with_tokenizer("--text.vocab-size", "40"), TRANSFORMER),
    "sentencepiece-bpe": (with_tokenizer("--text.type", "sentencepiece-bpe", "--text.vocab-size", "40", "--text.byte-fallback", "false",
                                         "--text.normalizer", "identity"), TRANSFORMER),
    "bpe": (with_tokenizer("--text.type", "bpe", "--text.merges", "20"), TRANSFORMER),
    "characters": (with_tokenizer("--text.type", "characters"), TRANSFORMER),
    "language-model": (LANGUAGE_MODEL, ["--preset", "lm-lstm", *WIDTH, "--arch.decoder.hidden", "4", "--arch.decoder.layers", "1"]),
    "language-model-transformer": (LANGUAGE_MODEL, ["--preset", "lm-transformer", *WIDTH, "--arch.decoder.layers", "1", "--arch.decoder.heads", "2",
                                                    "--arch.decoder.feed-forward.hidden", "4"]),
    "classifier": (TEXT_TASKS["classification"], [*WIDTH, *ENCODER]),
    "classifier-recurrent": (TEXT_TASKS["classification"], ["--preset", "rnn-bahdanau", *WIDTH, "--arch.encoder.hidden", "4", "--arch.head.pooling", "last"]),
    "tagger": (TEXT_TASKS["labelling"], [*WIDTH, *ENCODER]),
    "tagger-crf": (TEXT_TASKS["labelling"], [*WIDTH, *ENCODER, "--arch.head.crf", "true"]),
    "regression": (TEXT_TASKS["regression"], [*WIDTH, *ENCODER, "--arch.head.pooling", "mean"]),
    "images": (MEDIA["pictures"], [*WIDTH, *ENCODER, *"--arch.vectors.type convolution --arch.vectors.channels 4 --arch.vectors.layers 1".split(),
                                   *"--arch.vectors.channel-attention cbam --arch.vectors.channel-attention-reduction 2".split()]),
    "image-patches": (MEDIA["pictures"], [*WIDTH, *ENCODER, *"--arch.vectors.type patches --arch.vectors.patch 2".split(),
                                          *"--arch.vectors.grid-positions learned --arch.vectors.longest-side 4".split()]),
    "audio": (MEDIA["sounds"], [*WIDTH, *ENCODER, *"--arch.vectors.type projection --sounds.rate 8000 --sounds.mels 4".split()]),
    "captions": (CAPTIONS, ["--preset", "rnn-bahdanau", *WIDTH, "--arch.decoder.hidden", "4", "--arch.encoder.type", "identity", "--arch.vectors.type",
                            "projection"]),
    "text-and-vectors": (TEXT_AND_VECTORS, [*TRANSFORMER, "--arch.vectors.type", "projection"]),
}


def sentences(count: int, seed: int) -> List[List[int]]:
    return [[(i * 7 + k * k * 3 + i * k + seed) % len(ENGLISH) for k in range(1 + (i + seed) % 5)] for i in range(count)]


def npy(shape: tuple, values: List[float]) -> bytes:
    header = repr({"descr": "<f4", "fortran_order": False, "shape": shape}).encode()
    header += b" " * (-(11 + len(header)) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + struct.pack(f"<{len(values)}f", *values)


def png(rows: List[bytes]) -> bytes:
    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
    pixels = b"".join(b"\x00" + row for row in rows)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(pixels, 9)) + chunk(b"IEND", b""))


def write_sound(path: pathlib.Path, low: bool, variant: int) -> None:
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        period = (40 if low else 8) + variant % 3
        sound.writeframes(b"".join(struct.pack("<h", 8000 if t % period < period // 2 else -8000) for t in range(400)))


def make_text(folder: pathlib.Path) -> None:
    folder.mkdir()

    def write(name: str, lines: List[str]) -> None:
        (folder / name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")

    for prefix, count, seed in (("", 40, 0), ("valid.", 8, 3), ("test.", 6, 5)):
        numbers = sentences(count, seed)
        write(prefix + "source", [" ".join(ENGLISH[n] for n in line) for line in numbers])
        write(prefix + "target", [" ".join(GERMAN[n] for n in reversed(line)) for line in numbers])
        write(prefix + "class", ["long" if len(line) > 3 else "short" for line in numbers])
        write(prefix + "tags", [" ".join("even" if n % 2 else "odd" for n in line) for line in numbers])
        write(prefix + "numbers", [f"{len(line)} {sum(line) * 0.25}" for line in numbers])
    write("prompts", ["eins", "zwei drei"])
    items = 12
    write("side", ["left" if item % 2 == 0 else "right" for item in range(items)])
    values = [((item * 31 + i * 17) % 23) / 23 + (i % 2 == item % 2) for item in range(items) for i in range(6)]
    (folder / "vectors.npy").write_bytes(npy((items, 3, 2), values))
    more = [((item * 13 + i * 5) % 11) / 11 for item in range(40) for i in range(4)]
    (folder / "more.npy").write_bytes(npy((40, 2, 2), more))
    for item in range(items):
        left = item % 2 == 0
        rows = [bytes((200 if (x < 2) == left else 40) + (item * 5 + y * 3 + x) % 30 for x in range(4)) for y in range(4)]
        (folder / f"{item}.png").write_bytes(png(rows))
        write_sound(folder / f"{item}.wav", left, item)
    write("pictures.list", [f"{item}.png" for item in range(items)])
    write("sounds.list", [f"{item}.wav" for item in range(items)])


class Maker:
    def __init__(self, heed: pathlib.Path, root: pathlib.Path):
        self.heed, self.root = heed, root

    def run(self, words: List[str]) -> str:
        done = subprocess.run([str(self.heed), *words], cwd=self.root, capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            raise SystemExit(f"heed {' '.join(words)} ends with {done.returncode}: {done.stderr}")
        return done.stdout

    def make(self, name: str) -> None:
        kind, architecture = MODELS[name]
        train = ["train", "--model", name, *kind.data, *architecture, *TRAINING]
        self.run(train)
        answers = [{"command": command, "output": self.run([command[0], "--model", name, "--threads", "1", *command[1:]])}
                   for command in kind.commands]
        shutil.copytree(self.root / name, self.root / "whole")
        longer = ["train", "--model", name, "--train.max-updates", str(STEPS + MORE), "--valid.every", str(MORE)]
        self.run(longer)
        loss = last_loss(self.root / name)
        shutil.rmtree(self.root / name)
        (self.root / "whole").rename(self.root / name)
        answer = {"answers": answers, "resume": longer, "loss": loss, "steps": STEPS + MORE}
        (self.root / f"{name}.json").write_text(json.dumps(answer, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def last_loss(model: pathlib.Path) -> float:
    rows = [json.loads(line) for line in (model / "metrics.jsonl").read_text(encoding="utf-8").splitlines()]
    return [row["scores"]["loss"] for row in rows if row["type"] == "validation"][-1]


def pack(root: pathlib.Path, archive: pathlib.Path) -> None:
    def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = entry.mtime = 0
        entry.uname = entry.gname = ""
        return entry

    with lzma.open(archive, "wb", preset=9 | lzma.PRESET_EXTREME) as packed, tarfile.open(fileobj=packed, mode="w") as tar:
        for path in sorted(root.rglob("*")):
            if path.name != "report.html":
                tar.add(path, str(path.relative_to(root)), recursive=False, filter=plain)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heed", type=pathlib.Path)
    parser.add_argument("archive", type=pathlib.Path)
    parser.add_argument("--only", nargs="+", choices=list(MODELS), default=list(MODELS))
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="heed-old-models-") as folder:
        root = pathlib.Path(folder)
        maker = Maker(given.heed.resolve(), root)
        make_text(root / "text")
        (root / "version").write_text(maker.run(["--version"]))
        for name in given.only:
            maker.make(name)
            print(name, flush=True)
        pack(root, given.archive)
    print(f"{given.archive}: {given.archive.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
