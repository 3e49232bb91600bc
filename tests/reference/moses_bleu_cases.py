"""Writes tests/metrics/data/multi_bleu.json: corpora and the lines that Moses' multi-bleu.perl prints for them.

    python3.11 tests/reference/moses_bleu_cases.py MULTI_BLEU_PERL    (scripts/generic/multi-bleu.perl of mosesdecoder)
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

from random_text import line, noisy_copy, wild_line

OUT = pathlib.Path(__file__).parent.parent / "metrics" / "data" / "multi_bleu.json"


def corpora(rng):
    yield ["a b c d e"], [["a b c d e"]]
    yield ["A B Ä c d e f"], [["a b ä C d e f"]]
    yield ["a b c d"], [["a b c", "a b c d e"]]
    yield ["a b\u00a0c\td\x0be\x0cf g h i"], [["a b\u00a0c d e f g h i"]]
    yield ["", "a b c d e f"], [["x"], ["a b c d e g"]]
    yield ["a a a a a a a"], [["a a b a", "a a a c a"]]
    yield [""], [[""]]
    for _ in range(20):
        count = rng.choice([1, 1, 2, 3])
        texts = [" ".join(rng.choice("abcdefgh,.") for _ in range(rng.randint(4, 25))) if rng.random() < 0.6 else line(rng, 12) + wild_line(rng, 5)
                 for _ in range(rng.randint(1, 5))]
        clean = [text.replace("\n", " ").replace("\r", " ") for text in texts]
        yield [noisy_copy(rng, text) for text in clean], [[noisy_copy(rng, text) for _ in range(count)] for text in clean]


def score(script, lowercase, hypotheses, references):
    with tempfile.TemporaryDirectory() as folder:
        for r in range(len(references[0])):
            text = "".join(line_references[r] + "\n" for line_references in references)
            pathlib.Path(folder, f"ref{r}").write_bytes(text.encode())
        command = ["perl", script] + (["-lc"] if lowercase else []) + [f"{folder}/ref"]
        text = "".join(hypothesis + "\n" for hypothesis in hypotheses)
        return subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode().rstrip("\n")


def main():
    cases = [{"hypotheses": hypotheses, "references": references, "lowercase": lowercase, "line": score(sys.argv[1], lowercase, hypotheses, references)}
             for hypotheses, references in corpora(random.Random(3)) for lowercase in (False, True)]
    text = ",\n".join(json.dumps(case, ensure_ascii=False, separators=(",", ":")) for case in cases)
    OUT.write_text(f"[\n{text}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
