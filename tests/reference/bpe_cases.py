"""Writes tests/text/data/bpe_cases.json: what subword-nmt makes of random texts and of texts that try its rules.

  pip install subword-nmt==0.3.8
  python tests/reference/bpe_cases.py
"""
import codecs
import contextlib
import io
import json
import os
import pathlib
import random
import re
import tempfile
import warnings

import random_text
from subword_nmt import apply_bpe, get_vocab, learn_bpe

warnings.simplefilter("ignore", FutureWarning)  # of sets like []a]
learn_bpe.tqdm = lambda items: items
OUT = pathlib.Path(__file__).parent.parent / "text" / "data" / "bpe_cases.json"

# Few letters make runs and symbols that arise in two ways; odd white space within words confuses the search for pairs.
LETTERS = ["ab", "a", "abc", "aabbb", "ab\u00a0", "a\u2003b", "ab\t", "ab\u2028", "a</w>", "ab\\", ".*+a", "ab\r", "äöa", "你好a", "😀a\u0301"]
GLOSSARIES = [[r"\d+"], ["a"], ["b+", r"\w\W"], [r"[A-Z]{2}", r"U\.S\.A\."], [r"&\w+;"], ["(?:ab|ba)c?"], ["(a|b)c"], [r"\s"],
              ["<skipped>", "http.*"], ["."], ["[^a-z]"], [r"\bdon\b"], ["x*y"], ["[&-]", "ö|ä"], ["(?i:AB)"], ["a{2}", "{"], [r"(?P<c>a)(?P=c)"],
              ["[]a]", "[[]"], [r"\Aa"], [r"b\Z", r"\."]]


class Cases:
    def __init__(self):
        self.folder = tempfile.mkdtemp()
        self.cases = []

    def path(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(content.encode())
        return path

    def read(self, name, content):
        return codecs.open(self.path(name, content), encoding="utf-8")

    def learned(self, text, **options):
        codes, notes = io.StringIO(), io.StringIO()
        with contextlib.redirect_stderr(notes):
            learn_bpe.learn_bpe(self.read("text", text), codes, options.get("symbols", 100), options.get("min_frequency", 2),
                                options.get("verbose", False), options.get("dict_input", False), options.get("total_symbols", False))
        return codes.getvalue(), notes.getvalue()

    def lines(self, text, standard_input):
        if standard_input:
            return io.TextIOWrapper(open(self.path("text", text), "rb"), encoding="utf-8")
        return self.read("text", text)

    def applied(self, codes, text, **options):
        vocabulary = None
        if "vocabulary" in options:
            vocabulary = apply_bpe.read_vocabulary(self.read("vocabulary", options["vocabulary"]), options.get("threshold"))
        bpe = apply_bpe.BPE(self.read("codes", codes), options.get("merges", -1), options.get("separator", "@@"), vocabulary,
                            options.get("glossaries"))
        random.seed(options.get("seed", 0))
        lines = self.lines(text, options.get("standard_input", False))
        return "".join(bpe.process_line(line, options.get("dropout", 0)) for line in lines)

    def words(self, text):
        out = io.StringIO()
        get_vocab.get_vocab(self.read("text", text), out)
        return out.getvalue()

    def add(self, name, text, learning, applications, codes=None):
        case = {"name": name, "text": text, "learning": learning}
        if codes is None:
            codes, case["notes"] = self.learned(text, **learning)
            case["learned"] = True
        case["codes"] = codes
        case["applications"] = []
        for options in applications:
            options = dict(options)
            other = options.pop("text", text)
            out = self.applied(codes, other, **options)
            given = {} if other == text else {"text": other}
            case["applications"].append({**given, **options, "out": out, "words": self.words(out)})
        self.cases.append(case)


def few_letters(rng, lines=12):
    letters = rng.choice(LETTERS)
    words = ["".join(rng.choice(letters) for _ in range(rng.randint(1, 12))) for _ in range(40)]
    return "\n".join(" ".join(rng.choice(words) for _ in range(rng.randint(0, 6))) for _ in range(lines)) + rng.choice(["", "\n", "\r\n"])


def natural(rng, lines=12):
    kinds = [random_text.line(rng, 8) for _ in range(8)]
    return "".join(random_text.noisy_copy(rng, rng.choice(kinds)) + rng.choice(["\n"] * 8 + ["\r\n", "\r"]) for _ in range(lines))


def random_case(cases, rng, number):
    text = few_letters(rng) if rng.random() < 0.5 else natural(rng)
    learning = {"symbols": rng.choice([30, 100, 400]), "min_frequency": rng.choice([1, 2, 2, 3])}
    if rng.random() < 0.2:
        learning["total_symbols"] = True
        learning["symbols"] = 400
    if rng.random() < 0.2:
        learning["verbose"] = True
        learning["symbols"] = 10
    codes, _ = cases.learned(text, **learning)
    if codes.count("\n") < 2:
        return
    applications = []
    for _ in range(3):
        options = {"standard_input": rng.random() < 0.5, "separator": rng.choice(["@@", "@@", "￭"]), "merges": rng.choice([-1, -1, 0, 5])}
        if rng.random() < 0.5:
            options["glossaries"] = rng.choice(GLOSSARIES)
        if rng.random() < 0.5:
            options.update(dropout=rng.choice([0.1, 0.5, 1]), seed=rng.randint(-5, 2**40))
        if rng.random() < 0.5:
            try:
                options["vocabulary"] = cases.words(cases.applied(codes, text, separator=options["separator"]))
                options["threshold"] = rng.choice([None, 2, 4])
                cases.applied(codes, text, **options)
            except ValueError:  # subword-nmt cannot read its own vocabulary file when a word has a line end
                del options["vocabulary"]
            if options.get("threshold", 0) is None or "vocabulary" not in options:
                options.pop("threshold", None)
        applications.append(options)
    cases.add(f"random {number}", text, learning, applications)


def rule_cases(cases):
    add = cases.add
    add("ties go to the greatest pair", "ab ab cd cd ba\n", {"symbols": 3}, [{}])
    add("the end of a word is part of its last symbol", "a ab b aba\n" * 3, {"symbols": 9}, [{}])
    add("runs of one letter", "aaaa aaa aaaaaaa aa a\n" * 2, {"symbols": 9, "min_frequency": 1}, [{"text": "aaaaaaaaaaaaa aaaaaa"}])
    add("line separators end lines and stay with their words", "iron\u2028cement iron\u2028cement\x0b\x0c\x1ciron\x85 iron\rcement\r\n",
        {"symbols": 20}, [{}, {"standard_input": True}])
    add("white space at the ends is kept", "  low  lower \r\n\n   \n \t low \n", {"symbols": 4}, [{}, {"standard_input": True}])
    add("no pair is frequent enough", "ab cd\n", {"symbols": 5, "min_frequency": 2}, [], codes=None)
    add("a dictionary", "low 5\nlower 2\nlow 3\nnewest 6\n", {"symbols": 6, "dict_input": True}, [{"text": "lowest newer low\n"}])
    add("codes without a version", "", {}, [{"text": "lower low lowest lo l\n"}, {"text": "low", "vocabulary": "lo 3\nw 5\nl@@ 1\n"}],
        codes="l o\nlo w\nlow </w>\ne r\ner </w>\n")
    add("a repeated merge counts once", "", {}, [{"text": "abc abcabc", "vocabulary": "a@@ 3\nc 3\n"}],
        codes="#version: 0.2\na b\nb c</w>\nab c</w>\na b\na bc</w>\n")
    add("merges of equal results", "", {}, [{"text": "abc abcd", "vocabulary": "x 1\n"}],
        codes="#version: 0.2\na b\nb c\na bc\nab c\nb c</w>\nab c</w>\na bc</w>\n")
    add("versions with zeros", "", {}, [{"text": "ab abab"}], codes="#version: 0.2.0\r\na b</w>\r\na b\r\n\n")
    vocabulary = "lo@@ 3\nw 5\nl@@ 1\no@@ 1\ne@@ 9\nr 9\ns@@ 1\n"
    add("units outside the vocabulary are split", "low lower lowest\n" * 4 + "slow slower\n", {"symbols": 8},
        [{"vocabulary": vocabulary}, {"vocabulary": vocabulary, "threshold": 3}, {"vocabulary": vocabulary, "threshold": 99}])
    add("glossaries", "1934USABUSA USA US USAs (USA)\n" * 3, {"symbols": 12},
        [{"glossaries": ["USA"]}, {"glossaries": ["USA", r"\d+"]}, {"glossaries": ["U.A", "B"]}, {"glossaries": ["USA|19"]}])
    rng = random.Random(7)
    long_word = "".join(rng.choice("abcd") for _ in range(3000))
    add("a very long word", "abcd abcd bcd cdab dcba\n" * 4, {"symbols": 12}, [{"text": long_word + " ab " + long_word}])


def main():
    cases = Cases()
    rule_cases(cases)
    rng = random.Random(5)
    for number in range(40):
        random_case(cases, rng, number)
    OUT.write_text(json.dumps(cases.cases, ensure_ascii=False, indent=0, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
