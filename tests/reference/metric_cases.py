"""Writes tests/metrics/data/{tokenizers,corpora,scores}.json: inputs of our own and what sacreBLEU 2.6.0 makes of them.

    pip install sacrebleu==2.6.0 numpy==1.24.2; python3.11 tests/reference/metric_cases.py
"""
import json
import logging
import pathlib
import random

import numpy
import sacrebleu
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.metrics.bleu import _get_tokenizer
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

from random_text import EDGES, line, noisy_copy, wild_line

assert sacrebleu.__version__ == "2.6.0" and numpy.__version__ == "1.24.2"
logging.disable(logging.CRITICAL)
OUT = pathlib.Path(__file__).parent.parent / "metrics" / "data"
LINES = [
    "", " ", ".", "-", "&", "a", "Hello, World!", "It's 3.14, isn't it?", "1,000,000.00 (approx.)", "a.b.c,d", "..a..", "5.-6,-", "1-2-3",
    "-\n-", "line\nbreak-\nhere", "a\n-b", "<skipped>x<skip<skipped>ped>", "&amp;amp;lt; &quot;q&quot; &gt;", "tab\tand\u00a0nbsp\u3000wide",
    "你好。世界,3.5%", "x,。.,9", "é.è,ß", "٣.٤,٥", "²-³", "😀.😀", "a\u0301.", "~{|}`[]^_\\@:;<=>?/()*+!\"#$%&", "' , - .", "0.0.", ",0,", "\x00.\x00",
    "1999.", ".5 a", "5.5!", "«a»", "a€b", "the dog's", "the dog's.", "'s", "'s 's", "dog's cat's", "ひらがな", "カタカナ", "ひらがな 漢字カナ", "ㇰㇱ",
    "I İ ΑΣ ΑΣ. Σ ß ẞ ǅ", "\u2028a\u2029 b\u0085", "a.,b,.c", "1.,2", "1,.a", "U+20000 𠀀 is not split", "x…y—z", "Ⅷ.½,①",
]
TER_SETTINGS = [dict(normalized=n, no_punct=p, asian_support=a, case_sensitive=c)
                for n, p, a, c in [(0, 0, 0, 0), (0, 0, 0, 1), (1, 0, 0, 0), (1, 0, 1, 0), (0, 1, 0, 1), (0, 1, 1, 0), (1, 1, 0, 0), (1, 1, 1, 1)]]
BLEU_TOKENIZERS = ["13a", "intl", "zh", "char", "none"]
SMOOTHING = [("exp", None), ("floor", 0.1), ("floor", 0.0), ("add-k", 1.0), ("add-k", 0.3), ("none", None)]

FILL = " ".join(f"f{i}" for i in range(51))
TEN = " ".join(f"t{i}" for i in range(10))


def words(rng, count, vocabulary="abc"):
    return " ".join(rng.choice(vocabulary) for _ in range(count))


def moved(rng, text):
    tokens = text.split(" ")
    for _ in range(rng.randint(1, 4)):
        start, length = rng.randrange(len(tokens)), rng.randint(1, 5)
        piece = tokens[start:start + length]
        del tokens[start:start + length]
        place = rng.randint(0, len(tokens))
        tokens[place:place] = piece
    return " ".join(tokens)


def hand_made():
    yield ["a b c d e"], [["a b c d e"]]
    yield ["x y"], [["a b c d e"]]
    yield ["a b"], [["a b"]]
    yield ["", "a b c d"], [["a b"], [""]]
    yield [""], [[""]]
    yield ["a a a a a a a"], [["a a b a", "a a a c a"]]
    yield ["a b c d"], [["a b c", "a b c d e"]]
    yield ["a b c d"], [["a b c d e", "a b c", ""]]
    yield ["a b c", "x y z u", "a"], [["a b c", "a"], ["x y u z"], ["b", "a", "a b"]]
    yield ["Der Hund bellt laut , sagt Ärger ."], [["der hund bellt laut , sagt ärger ."]]
    yield ["ein " * 300 + "Hund"], [["Hund " + "ein " * 280]]
    yield ["(hi) there, \"you\". ' a. b!"], [["( hi) there , you . '' .a b !"]]
    yield ["x y " + " ".join(FILL.split()[:50])], [[" ".join(FILL.split()[:50]) + " x y"]]
    yield ["x y " + FILL], [[FILL + " x y"]]
    yield [f"{TEN} x {' '.join(FILL.split()[:12])}"], [[f"{' '.join(FILL.split()[:12])} {TEN} x"]]
    yield ["the dog's. d's\u0085gai &amp;amp;lt;"], [["the dog's. d's\u0085gai &amp;amp;lt;"]]
    yield ["a b"], [[" ".join(FILL.split()) + " b a " + FILL]]
    yield ["b a " + FILL], [["a b"]]


def random_corpora(rng):
    for _ in range(12):
        texts = [line(rng, rng.choice([2, 6, 12])) for _ in range(rng.randint(1, 4))]
        yield [noisy_copy(rng, text) for text in texts], [[noisy_copy(rng, text) for _ in range(rng.choice([1, 1, 2, 3]))] for text in texts]
    for _ in range(10):
        texts = [wild_line(rng) for _ in range(3)]
        yield [noisy_copy(rng, text) for text in texts], [[noisy_copy(rng, text)] for text in texts]
    for length in (5, 9, 14, 20, 30, 45, 60, 70, 80, 90, 100, 120):
        for vocabulary in ("ab", "abcdefgh", "abcdefghijklmnopqrstuvwxyz"):
            text = words(rng, length, vocabulary)
            yield [moved(rng, text)], [[moved(rng, text) for _ in range(rng.choice([1, 1, 2]))]]
    for hypothesis, reference in ((3, 180), (180, 3), (40, 110), (110, 40), (70, 140), (2, 60), (1, 52)):
        yield [words(rng, hypothesis, "abcd")], [[words(rng, reference, "abcd")]]


def stored_corpora():
    """Those that tell the limits of TER apart; see ter_limits.json."""
    path = OUT / "ter_limits.json"
    for case in json.loads(path.read_text()) if path.exists() else []:
        yield [case["hypothesis"]], [[case["reference"]]]


def streams(references):
    count = max(len(line) for line in references)
    return [[line[i] if i < len(line) else None for line in references] for i in range(count)]


def score(number, corpus, metric, options):
    hypotheses, references = corpus
    rows = metric._extract_corpus_statistics(hypotheses, streams(references))
    result = metric._aggregate_and_compute([list(row) for row in rows])
    float_sums = numpy.array([float(sum(column)) for column in zip(*rows)], dtype="float32")
    signature = metric.get_signature()
    return {"corpus": number, "metric": type(metric).__name__, "options": options,
            "statistics": [value if value % 1 else int(value) for row in rows for value in row],
            "score": result.score, "resampled": float(metric._compute_score_from_stats(float_sums).score),
            "line": result.format(width=4, signature=signature.format()), "short": signature.format(short=True)}


def bleu_settings(rng):
    smooth, value = rng.choice(SMOOTHING)
    return {"tokenize": rng.choice(BLEU_TOKENIZERS), "lowercase": rng.random() < 0.5, "smooth_method": smooth, "smooth_value": value,
            "effective_order": rng.random() < 0.5}


def chrf_settings(rng):
    return {"char_order": rng.choice([6, 6, 3, 1]), "word_order": rng.choice([0, 2, 2, 1]), "beta": rng.choice([2, 2, 1, 3]),
            "lowercase": rng.random() < 0.4, "whitespace": rng.random() < 0.3, "eps_smoothing": rng.random() < 0.4}


def named(options):
    """As heed names them."""
    names = {"smooth_method": "smooth"}
    return {names.get(name, name.replace("_", "-")): value for name, value in options.items() if value is not None}


def scores(rng, corpora):
    for number, corpus in enumerate(corpora):
        all_settings = [(BLEU, dict(bleu_settings(rng), force=True)) for _ in range(3 if number < 12 else 1)]
        all_settings += [(CHRF, chrf_settings(rng)) for _ in range(2 if number < 12 else 1)]
        all_settings += [(TER, {name: bool(value) for name, value in settings.items()})
                         for settings in (TER_SETTINGS if "dog" in corpus[0][0] else [rng.choice(TER_SETTINGS)])]
        if number < 2:
            all_settings += [(BLEU, dict(smooth_method=smooth, smooth_value=value, effective_order=effective, force=True))
                             for smooth, value in SMOOTHING for effective in (False, True)]
        for kind, options in all_settings:
            yield score(number, corpus, kind(**options), named({k: v for k, v in options.items() if k != "force"}))


def tokenizer_cases(rng):
    lines = LINES + [line(rng, 6) for _ in range(20)] + [wild_line(rng) for _ in range(40)] + ["x".join(EDGES[i:i + 24]) for i in range(0, len(EDGES), 24)]
    tokenizers = [({"tokenize": name}, _get_tokenizer(name)()) for name in BLEU_TOKENIZERS]
    tokenizers += [(named({k: bool(v) for k, v in settings.items()}), TercomTokenizer(**settings)) for settings in TER_SETTINGS]
    yield {"lines": lines}
    for options, tokenize in tokenizers:
        # Only what differs from white space between words is stored; a metric strips the end of a line before.
        tokens = [tokenize(text.rstrip()).split() for text in lines]
        yield {"options": options, "tokens": {str(i): " ".join(t) for i, (t, text) in enumerate(zip(tokens, lines)) if t != text.split()}}


def write(name, cases):
    text = ",\n".join(json.dumps(case, ensure_ascii=False, separators=(",", ":")) for case in cases)
    (OUT / name).write_text(f"[\n{text}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    write("tokenizers.json", tokenizer_cases(random.Random(13)))
    corpora = list(hand_made()) + list(random_corpora(random.Random(7))) + list(stored_corpora())
    write("corpora.json", [{"hypotheses": hypotheses, "references": references} for hypotheses, references in corpora])
    write("scores.json", scores(random.Random(26), corpora))
