"""Compares heed with sacreBLEU, subword-nmt, SentencePiece and jiwer on random lines, one case per line and setting.

    differential.py HEED [--cases N] [--seed N] [--table FILE]

The lines mix scripts, odd white space, combining marks and all categories of characters. Scores must agree to eight decimals, tokens
to the byte. tests/reference/sacrebleu_differential.py compares whole outputs and arguments of sacreBLEU's program.
"""

import argparse
import io
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import time
from typing import Callable, Dict, List, Tuple

SKIPPED = 77
try:
    import jiwer
    import sentencepiece
    from sacrebleu.metrics import BLEU, CHRF, TER
    from subword_nmt.apply_bpe import BPE
except ImportError as missing:
    print(f"skipped: {missing}; pip install -r tests/requirements.txt")
    sys.exit(SKIPPED)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "reference"))
from random_text import line, noisy_copy, wild_line  # noqa: E402

# Characters that Python's text files end lines at, or that heed's readers of lines remove.
BREAKS = str.maketrans({character: " " for character in "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\ufeff"})
DIGITS = 10


def texts(rng: random.Random, count: int) -> List[str]:
    return [(wild_line(rng, 30) if rng.random() < 0.3 else line(rng, 10)).translate(BREAKS) for _ in range(count)]


def copies(rng: random.Random, lines: List[str]) -> List[str]:
    return [noisy_copy(rng, text).translate(BREAKS) for text in lines]


class Programs:
    """Runs heed on files of lines."""

    def __init__(self, heed: pathlib.Path, folder: pathlib.Path):
        self.heed, self.folder = heed, folder

    def write(self, name: str, lines: List[str]) -> pathlib.Path:
        path = self.folder / name
        path.write_bytes("".join(text + "\n" for text in lines).encode("utf-8", "surrogatepass"))
        return path

    def run(self, *words: object) -> str:
        done = subprocess.run([str(self.heed), *map(str, words)], capture_output=True, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            raise SystemExit(f"heed {' '.join(map(str, words))} ends with {done.returncode}: {done.stderr.decode()}")
        return done.stdout.decode("utf-8")

    def lines(self, *words: object) -> List[str]:
        return self.run(*words).removesuffix("\n").split("\n")

    def scores(self, found: List[str], wanted: List[str], *options: str) -> List[float]:
        table = self.lines("evaluate", "--reference", self.write("references", wanted), self.write("found", found), "--sentence-level",
                           "--decimals", DIGITS, *options)
        rows = [row for row in table if not row.startswith("#")][1:]
        return [float(row.split("\t")[1]) for row in rows]


def score_cases(score: Callable[[str, str], float], *options: str) -> Callable:
    """Scores of lines by another library, and heed's with these options."""
    def run(programs: Programs, rng: random.Random, count: int) -> List[Tuple[object, object, object]]:
        wanted = texts(rng, count)
        found = copies(rng, wanted)
        ours = programs.scores(found, wanted, *options)
        assert len(ours) == count, f"{len(ours)} scores of {count} lines"
        theirs = [score(hypothesis, reference) for hypothesis, reference in zip(found, wanted)]
        return [((hypothesis, reference), a if math.isclose(a, b, rel_tol=1e-8, abs_tol=1e-8) else b, a)
                for hypothesis, reference, a, b in zip(found, wanted, ours, theirs)]
    return run


def bpe_cases(programs: Programs, rng: random.Random, count: int) -> list:
    lines = texts(rng, count)
    text = programs.write("text", lines)
    codes = programs.folder / "codes"
    programs.run("bpe", "learn", "--input", programs.write("learned", lines[:5000]), "--output", codes, "--symbols", "300")
    ours = programs.lines("bpe", "apply", "--codes", codes, "--input", text)
    bpe = BPE(io.StringIO(codes.read_text(encoding="utf-8")))
    return [(text, bpe.process_line(text), found) for text, found in zip(lines, ours, strict=True)]


def settled(processor: sentencepiece.SentencePieceProcessor, wanted: str, found: str) -> Tuple[str, str]:
    """Both, or the same twice if they are segmentations of one text with the same score: releases of the library choose differently."""
    def score(pieces: str) -> float:
        return sum(processor.get_score(processor.piece_to_id(piece)) for piece in pieces.split(" "))
    is_tie = wanted.replace(" ", "") == found.replace(" ", "") and math.isclose(score(wanted), score(found), rel_tol=1e-5)
    return wanted, wanted if is_tie else found


def piece_cases(kind: str) -> Callable:
    def run(programs: Programs, rng: random.Random, count: int) -> list:
        lines = texts(rng, count)
        text = programs.write("text", lines)
        sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter([line for line in lines[:4000] if line.strip()]), vocab_size=2500,
                                                 model_prefix=str(programs.folder / "pieces"), model_type=kind, hard_vocab_limit=False,
                                                 minloglevel=2, character_coverage=0.98)
        model = programs.folder / "pieces.model"
        ours = programs.lines("spm", "encode", "--model", model, "--input", text)
        processor = sentencepiece.SentencePieceProcessor(model_file=str(model))
        return [(text, *settled(processor, " ".join(processor.encode(text, out_type=str)), found)) for text, found in zip(lines, ours, strict=True)]
    return run


def word_error_rate(found: str, wanted: str) -> float:
    return 100 * jiwer.wer(wanted, found)


def character_error_rate(found: str, wanted: str) -> float:
    return 100 * jiwer.cer(wanted, found)


def sentence_score(metric: object) -> Callable[[str, str], float]:
    return lambda found, wanted: metric.sentence_score(found, [wanted]).score


# Each with its share of the cases: how fast the other library is.
CASES: Dict[str, Tuple[float, Callable]] = {
    "sacreBLEU, BLEU 13a": (0.15, score_cases(sentence_score(BLEU(effective_order=True)), "--metric", "bleu")),
    "sacreBLEU, BLEU intl": (0.05, score_cases(sentence_score(BLEU(effective_order=True, tokenize="intl")), "--metric", "bleu", "--tokenize", "intl")),
    "sacreBLEU, BLEU char": (0.05, score_cases(sentence_score(BLEU(effective_order=True, tokenize="char")), "--metric", "bleu", "--tokenize", "char")),
    "sacreBLEU, BLEU zh": (0.05, score_cases(sentence_score(BLEU(effective_order=True, tokenize="zh")), "--metric", "bleu", "--tokenize", "zh")),
    "sacreBLEU, chrF": (0.05, score_cases(sentence_score(CHRF()), "--metric", "chrf")),
    "sacreBLEU, TER": (0.05, score_cases(sentence_score(TER()), "--metric", "ter")),
    "jiwer, WER": (0.1, score_cases(word_error_rate, "--metric", "wer")),
    "jiwer, CER": (0.1, score_cases(character_error_rate, "--metric", "cer")),
    "subword-nmt, apply": (0.2, bpe_cases),
    "SentencePiece, unigram": (0.1, piece_cases("unigram")),
    "SentencePiece, BPE": (0.1, piece_cases("bpe")),
}
AT_ONCE = 20_000


def compare(programs: Programs, name: str, rng: random.Random, count: int) -> int:
    """The number of differences, of which the first are printed."""
    differences = 0
    while count > 0:
        part = min(count, AT_ONCE)
        for text, wanted, found in CASES[name][1](programs, rng, part):
            if wanted != found:
                differences += 1
                if differences <= 5:
                    print(f"DIFFERENT {name}: {text!r}: {wanted!r} expected, {found!r} found", flush=True)
        count -= part
    return differences


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heed", type=pathlib.Path)
    parser.add_argument("--cases", type=int, default=1_000_000, help="of all together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=list(CASES), default=list(CASES))
    parser.add_argument("--table", type=pathlib.Path)
    given = parser.parse_args()
    rows, cases, differences = ["| compared with | cases | different | seconds |", "|---|---|---|---|"], 0, 0
    with tempfile.TemporaryDirectory(prefix="heed-differential-") as folder:
        programs = Programs(given.heed.resolve(), pathlib.Path(folder))
        for name in given.only:
            begin, count = time.monotonic(), max(1, round(given.cases * CASES[name][0]))
            different = compare(programs, name, random.Random(f"{given.seed} {name}"), count)
            cases, differences = cases + count, differences + different
            rows.append(f"| {name} | {count:,} | {different} | {time.monotonic() - begin:.0f} |")
            print(rows[-1], flush=True)
    if given.table:
        given.table.write_text("\n".join(rows) + "\n")
    print(f"{cases:,} cases, {differences} different")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
