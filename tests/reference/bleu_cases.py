"""Writes tests/metrics/data/{tokenizer_13a,bleu}.json: inputs of our own and what sacreBLEU 2.6.0 makes of them.

    pip install sacrebleu==2.6.0 numpy==1.24.2; python tests/reference/bleu_cases.py
"""
import itertools
import json
import pathlib
import random

import sacrebleu
from sacrebleu.metrics import BLEU
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from random_text import line, noisy_copy

assert sacrebleu.__version__ == "2.6.0"
OUT = pathlib.Path(__file__).parent.parent / "metrics" / "data"
SMOOTHING = [("exp", None), ("floor", 0.1), ("floor", 0.0), ("floor", 2.5), ("add-k", 1.0), ("add-k", 0.3), ("none", None)]
LINES = [
    "", " ", ".", "-", "&", "a", "Hello, World!", "It's 3.14, isn't it?", "1,000,000.00 (approx.)", "a.b.c,d", "..a..", "5.-6,-", "1-2-3",
    "-\n-", "line\nbreak-\nhere", "<skipped>x<skip<skipped>ped>", "&amp;amp;lt; &quot;q&quot; &gt;", "tab\tand\u00a0nbsp\u3000wide",
    "你好。世界,3.5%", "x,。.,9", "é.è,ß", "٣.٤,٥", "²-³", "😀.😀", "a\u0301.", "~{|}`[]^_\\@:;<=>?/()*+!\"#$%&", "' , - .", "0.0.", ",0,", "\x00.\x00",
]


def tokenizer_cases(rng):
    tokenize = Tokenizer13a()
    lines = LINES + [line(rng) for _ in range(300)] + ["Ab, c. 1.5-2 " * 500]
    return [{"line": text, "tokens": tokenize(text).split()} for text in lines]


def corpus(rng):
    references = rng.choice([1, 1, 1, 2, 3])
    texts = [rng.choice(LINES) if rng.random() < 0.1 else line(rng, rng.choice([2, 6, 14])) for _ in range(rng.randint(1, 6))]
    return [noisy_copy(rng, text) for text in texts], [[noisy_copy(rng, text) for text in texts] for _ in range(references)]


def small_corpora():
    yield ["a b c d e"], [["a b c d e"]]
    yield ["x y"], [["a b c d e"]]
    yield ["a b"], [["a b"]]
    yield ["", "a b c d"], [["a b", ""]]
    yield [""], [[""]]
    yield ["a a a a a a a"], [["a a b a"], ["a a a c a"]]
    yield ["a b c d"], [["a b c"], ["a b c d e"]]
    yield ["Der Hund bellt laut , sagt Ärger ."], [["der hund bellt laut , sagt ärger ."]]
    yield ["ein " * 1000 + "Hund"], [["Hund " + "ein " * 900]]


def score(hypotheses, references, tokenize, lowercase, smooth, value, effective):
    bleu = BLEU(tokenize=tokenize, lowercase=lowercase, smooth_method=smooth, smooth_value=value, effective_order=effective,
                force=True)
    if effective:
        result = bleu.sentence_score(hypotheses[0], [reference[0] for reference in references])
    else:
        result = bleu.corpus_score(hypotheses, references)
    return {
        "hypotheses": hypotheses[:1] if effective else hypotheses,
        "references": [reference[:1] for reference in references] if effective else references,
        "tokenize": tokenize, "lowercase": lowercase, "smooth": smooth, "value": value, "effective_order": effective,
        "score": result.score, "precisions": result.precisions, "brevity_penalty": result.bp, "ratio": result.ratio,
        "correct": result.counts if smooth != "add-k" else None, "total": result.totals if smooth != "add-k" else None,
        "lengths": [result.sys_len, result.ref_len],
        "line": result.format(width=1, signature=str(bleu.get_signature())),
        "wide_line": result.format(width=4, signature=str(bleu.get_signature())),
    }


def score_cases(rng):
    settings = list(itertools.product(["13a", "none"], [False, True], SMOOTHING, [False, True]))
    corpora = list(small_corpora()) + [corpus(rng) for _ in range(240)]
    for number, (hypotheses, references) in enumerate(corpora):
        chosen = rng.sample(settings, 14 if number < 8 else 1)
        for tokenize, lowercase, (smooth, value), effective in chosen:
            yield score(hypotheses, references, tokenize, lowercase, smooth, value, effective)


def write(name, cases):
    text = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
    (OUT / name).write_text(f"[\n{text}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    write("tokenizer_13a.json", tokenizer_cases(random.Random(13)))
    write("bleu.json", score_cases(random.Random(26)))
