"""Writes tests/end_to_end/data/evaluate.json: command lines and what sacreBLEU 2.6.0 prints for them.

    pip install sacrebleu==2.6.0 numpy==1.24.2; python tests/reference/evaluate_cases.py

Every value of every option stands together with every value of every other one in some case; more cases show the grammar
and the errors. Files are the small texts below, so that the cases are readable.
"""
import itertools
import json
import pathlib
import random
import shutil
import tempfile

from sacrebleu_differential import run_original

OUT = pathlib.Path(__file__).parent.parent / "end_to_end" / "data" / "evaluate.json"

REFERENCE = ["The cat sat on the mat.", "It was warm, and the dog slept.", "Nobody came; 3.5 people left.", "你好。世界,3.5%",
             "", "She said: \"Go!\" &amp; went", "  Größe ist ÜBERALL wichtig\u2028 ", "a b c d e f g", "Das ist's.", "end-of-line 1,000-2"]
SECOND = ["A cat was sitting on the mat.", "It was warm and the dog slept.", "No one came; 3.5 persons left.", "您好。世界,3.5%",
          "not empty", "She said: \"Go\" & went", "Größe ist überall wichtig", "a c b d f e g", "Das ist es.", "end-of-line 1,000-2"]
SYSTEM = ["The cat sat on a mat.", "It was warm and the dog slept.", "Nobody came; 3.5 left.", "你好.世界,3%", "", "she said: \"go!\" & went",
          "Größe ist überall wichtig", "e f g a b c d", "Das ist's .", "end of line 1,000-2"]
OTHER = ["Cat on mat.", "It is warm and a dog slept.", "Nobody came; 3.5 people left.", "你好。世界,3.5", "x", "She said: \"Go!\" & went away",
         "größe ist ÜBERALL", "a b c d e f g", "Das ist's.", "end-of-line 1.000-2"]
THIRD = ["The cat sat on the mat.", "It was warm, and the dog slept.", "Nobody; came.", "你好", "", "", "Größe", "g f e d c b a", "Das", "1-2"]

FILES = {"ref": REFERENCE, "ref2": SECOND, "sys": SYSTEM, "other": OTHER, "third": THIRD, "short": SYSTEM[:3], "empty": [],
         "a_b%c&d{e}": OTHER, "12": SYSTEM, "3.50": OTHER, "Größe": THIRD, "tokenized": ["line ."] * 100, "tokenized_ref": ["line."] * 100,
         "refs.tsv": [f"{a}\t{b}" for a, b in zip(REFERENCE, SECOND)], "bad.tsv": ["a\tb", "a"]}
STDIN = "\n".join(SYSTEM) + "\n"
TABBED = "".join(f"{a}\t{b}\n" for a, b in zip(SYSTEM, SECOND))

# Alternatives of each option; the first leaves it out.
SHARED = [
    [[], ["-tok", "intl"], ["-tok", "zh"], ["--tokenize=char"], ["-tok", "none"], ["-tok", "13a"]],
    [[], ["-l", "en-zh"], ["--language-pair", "de-en"]],
    [[], ["-s", "floor"], ["-s", "add-k"], ["--smooth-method", "none"], ["-sexp"]],
    [[], ["-sv", "0.25"], ["--smooth-value=2"]],
    [[], ["-lc"]], [[], ["--force"]],
    [[], ["-cc", "3"], ["--chrf-char-order", "8"]], [[], ["-cw", "2"], ["-cw", "1"], ["--chrf-word-order=3"]],
    [[], ["--chrf-beta", "3"]], [[], ["--chrf-whitespace"]], [[], ["--chrf-lowercase"]], [[], ["--chrf-eps-smoothing"]],
    [[], ["--ter-case-sensitive"]], [[], ["--ter-asian-support"]], [[], ["--ter-no-punct"]], [[], ["--ter-normalized"]],
    [[], ["-w", "0"], ["-w", "2"], ["--width", "9"]], [[], ["-sh"]], [[], ["-b"]], [[], ["-q"]], [[], ["-nc"]],
    [[], ["-f", "text"], ["--format=latex"], ["-f", "json"]], [[], ["-d"]],
    [["ref"], ["ref", "ref2"], ["refs.tsv", "-nr", "2"]],
]
METRICS = [[], ["-m", "bleu", "chrf", "ter"], ["-m", "chrf"], ["-m", "ter", "bleu"]]
SINGLE = SHARED + [METRICS + [["-m", "ter"]], [["-i", "sys"], [], ["--input", "Größe"]], [[], ["-ci", "-cin", "50"], ["-ci", "-cin", "1"]]]
SEVERAL = SHARED + [METRICS, [["-i", "sys", "other"], ["-i", "a_b%c&d{e}", "third", "sys"], ["-i", "12", "3.50"]],
                    [[], ["-pbs", "-pbsn", "60"], ["--paired-ar", "-parn", "60"], ["-pbs", "-pbsn", "20", "-j", "2"]]]
SENTENCE = SHARED + [[["-m", "bleu"], ["-m", "chrf"], ["-m", "ter"]], [["-i", "sys"], []], [["-sl"]]]

SPECIAL = [
    ["ref", "-i", "sys", "-ci", "-w", "6"], ["-b", "ref", "-i", "sys"], ["-i", "sys", "-b", "ref"], ["-i", "sys", "--", "ref"], ["-isys", "ref"],
    ["ref", "-w4", "-i", "sys"], ["ref", "-bw", "3", "-i", "sys"], ["ref", "-bqw3", "-i", "sys"], ["ref", "--wid=2", "-i", "sys"],
    ["ref", "--sh", "-f", "text", "-i", "sys"], ["ref", "--sentence", "-i", "sys"], ["ref", "-m", "bleu", "bleu", "-i", "sys"],
    ["ref", "-i", "sys", "-m", "bleu", "bleu", "-sl"], ["ref", "-i", "sys", "-w", "-1"], ["ref", "-i", "sys", "-w", "30"],
    ["ref", "-i", "sys", "-w", "1_0"], ["ref", "-i", "sys", "-w", "1.5"], ["ref", "-i", "sys", "-w"], ["ref", "-i", "sys", "-sv", "1e-2", "-s", "floor"],
    ["ref", "-i", "sys", "-sv", "x"], ["ref", "-i", "sys", "-f", "xml"], ["ref", "-i", "sys", "-m", "meteor"], ["ref", "-i", "sys", "-tok", "14a"],
    ["ref", "-i", "sys", "--paired-ar", "--paired-bs"], ["ref", "-i", "sys", "--paired"], ["ref", "-i", "sys", "-p"], ["ref", "-i", "sys", "-c"],
    ["ref", "-i", "sys", "--bogus"], ["ref", "-i", "sys", "-b", "stray"], ["ref", "-b", "stray", "-i", "sys"], ["ref", "-i", "sys", "-b=1"],
    ["ref", "-i", "sys", "-ci=2"], ["ref", "-i", "sys", "-1"], ["-V"], ["--version"], ["ref", "-V", "--bogus"], ["ref", "-V", "--paired"],
    [], ["-i", "sys"], ["ref", "-i"], ["ref", "-i", "-f", "text"], ["ref", "-i", "-sl"], ["ref", "-i", "-pbs"], ["ref", "-i", "missing"],
    ["missing", "-i", "sys"], ["ref", "-i", "short"], ["short", "-i", "sys"], ["ref", "short", "-i", "sys"], ["empty", "-i", "empty"], ["ref", "-i", "empty"],
    ["ref", "-i", "sys", "sys"], ["ref", "-i", "sys", "sys", "-pbs"], ["ref", "-i", "sys", "other", "sys", "-pbs", "-pbsn", "20"],
    ["ref", "-i", "sys", "other", "other", "-pbs"], ["ref", "-i", "sys", "other", "-ci"], ["ref", "-i", "sys", "-pbs"], ["ref", "-i", "sys", "-par"],
    ["ref", "-i", "sys", "other", "-sl"], ["ref", "-i", "sys", "-sl", "-ci"], ["ref", "-i", "sys", "-sl", "-m", "bleu", "ter"],
    ["refs.tsv", "-nr", "3", "-i", "sys"], ["bad.tsv", "-nr", "2", "-i", "sys"], ["ref", "ref2", "-nr", "2", "-i", "sys"], ["refs.tsv", "-nr", "0", "-i", "sys"],
    ["ref", "-i", "sys", "-l", "en"], ["ref", "-i", "sys", "-l", ""], ["ref", "-i", "sys", "-ol", "en"], ["ref", "-i", "sys", "--subset", "x"],
    ["ref", "-i", "sys", "--echo", "src"], ["--citation"], ["tokenized_ref", "-i", "tokenized"], ["tokenized_ref", "-i", "tokenized", "--force"],
    ["ref", "-i", "sys", "-e", "latin-1"], ["ref", "-i", "sys", "-e", "no-such"], ["ref", "-i", "sys", "other", "-pbs", "-pbsn", "0", "-f", "text"],
    ["ref", "-i", "sys", "other", "-par", "-parn", "-3", "-f", "text"], ["ref", "-i", "sys", "other", "-pbs", "-j", "-1"],
    ["ref", "-i", "sys", "other", "-pbs", "-pbsn", "30", "-w", "-1"], ["ref", "-i", "sys", "-ci", "-cin", "0"], ["ref", "-i", "sys", "-ci", "-cin", "2", "-b"],
    ["ref", "-i", "sys", "-ci", "-cin", "20", "-b", "-f", "text", "-m", "bleu", "chrf", "ter"],
    ["ref", "-i", "third", "-ci", "-cin", "20", "-b", "-f", "text", "-s", "none", "-m", "bleu", "ter"],
    ["ref", "-i", "third", "-ci", "-cin", "20", "-s", "none"],
    # Mean lengths of three references are no binary fractions: rounding decides which trials are ties.
    ["ref", "ref2", "other", "-i", "sys", "third", "12", "-m", "ter", "-par", "-parn", "300"],
    ["ref", "ref2", "other", "-i", "third", "sys", "-m", "ter", "-par", "-parn", "300", "--ter-no-punct"],
]
INPUTS = [
    (["ref"], TABBED), (["ref", "-f", "text"], TABBED), (["ref", "-pbs", "-pbsn", "20", "-f", "text"], TABBED), (["ref", "-par", "-parn", "20"], TABBED),
    (["ref"], "a\tb\nc\n"), (["ref"], STDIN.replace("\n", "\r\n")), (["ref"], STDIN.replace("\n", "\r")), (["ref"], STDIN + "\r"), (["ref"], STDIN[:-1]),
    (["ref"], ""), (["short"], "a b c d\rc d e f\nx"), (["ref"], STDIN.replace("\n", "\v")), (["ref", "-sl"], STDIN), (["ref", "-sl"], TABBED),
]
ENVIRONMENTS = [
    (["ref", "-i", "sys", "-ci", "-cin", "30"], {"SACREBLEU_SEED": seed})
    for seed in ["1", "0", "0042", " 7 ", "-1", "x", "", "99999999999999999999999999999999"]
] + [
    (["ref", "-i", "sys", "other", "-pbs", "-pbsn", "30"], {"SACREBLEU_SEED": seed}) for seed in ["1", "0042", "x"]
] + [
    (["ref", "-i", "sys"], {"SACREBLEU_FORMAT": "TEXT"}), (["ref", "-i", "sys", "-f", "text"], {"SACREBLEU_FORMAT": "json"}),
    (["ref", "-i", "sys", "-f", "text"], {"SACREBLEU_FORMAT": "xml"}), (["ref", "-i", "sys", "other", "-f", "text"], {"NO_COLOR": "1"}),
    (["ref", "-i", "sys", "other", "-f", "text"], {"SACREBLEU_FORMAT": "latex"}),
]


def pairwise(rng, factors):
    """Random choices of one alternative for each factor until every two alternatives have met."""
    missing = {(i, a, j, b) for (i, x), (j, y) in itertools.combinations(enumerate(factors), 2) for a in range(len(x)) for b in range(len(y))}
    while missing:
        candidates = [tuple(rng.randrange(len(factor)) for factor in factors) for _ in range(40)]
        met = [{(i, c[i], j, c[j]) for i, j in itertools.combinations(range(len(c)), 2)} & missing for c in candidates]
        best = max(range(len(candidates)), key=lambda k: len(met[k]))
        if met[best]:
            missing -= met[best]
            yield [factor[choice] for factor, choice in zip(factors, candidates[best])]


def arguments_of(rng, options):
    *options, references, metrics, inputs, last = options
    rest = options + [metrics, inputs, last]
    rng.shuffle(rest)
    return references + [argument for option in rest for argument in option]


def cases(rng):
    for factors in (SINGLE, SEVERAL, SENTENCE):
        for options in pairwise(rng, factors):
            yield arguments_of(rng, options), STDIN, {}
    for arguments in SPECIAL:
        yield arguments, STDIN, {}
    for arguments, text in INPUTS:
        yield arguments, text, {}
    for arguments, environment in ENVIRONMENTS:
        yield arguments, STDIN, environment


def main():
    folder = pathlib.Path(tempfile.mkdtemp())
    for name, lines in FILES.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    stored = []
    for arguments, stdin, environment in cases(random.Random(5)):
        (folder / "stdin").write_bytes(stdin.encode())
        code, output = run_original(arguments, folder, environment, folder / "stdin")
        case = {"arguments": arguments, "code": code, "output": output.decode()}
        if stdin != STDIN:
            case["stdin"] = stdin
        if environment:
            case["environment"] = environment
        stored.append(json.dumps(case, ensure_ascii=False, separators=(",", ":")))
    shutil.rmtree(folder)
    header = json.dumps({"files": FILES, "stdin": STDIN}, ensure_ascii=False)
    body = ",\n".join(stored)
    OUT.write_text(f'{{"inputs": {header},\n"cases": [\n{body}\n]}}\n', encoding="utf-8")
    print(len(stored), "cases")


if __name__ == "__main__":
    main()
