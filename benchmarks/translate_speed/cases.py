"""What is measured: cases of work, and the programs that do it."""
import dataclasses
import itertools

MODELS = ("tiny", "base", "bahdanau", "luong")
LENGTHS = ("natural", "forced")
FEEDS = ("text", "line")
PRECISIONS = ("fp32", "bf16", "int8")
PEERS = ("ctranslate2", "opennmt", "fairseq")
LACKS = {("fairseq", "bahdanau"), ("ctranslate2", "bahdanau"), ("ctranslate2", "luong")}
FORCED_LENGTH = 20  # pieces

# lines of text that a case has, as many as take seconds
LINES = {("natural", "text"): {"tiny": 5000}, ("natural", "line"): {"tiny": 300},
         ("forced", "text"): {"tiny": 1000, "base": 300, "bahdanau": 1000, "luong": 1000},
         ("forced", "line"): {"tiny": 200, "base": 60, "bahdanau": 200, "luong": 200}}
QUICK_LINES = {("natural", "text"): 300, ("natural", "line"): 30, ("forced", "text"): 48, ("forced", "line"): 8}


@dataclasses.dataclass(frozen=True)
class Case:
    """One table's row of work, the same for every program."""
    model: str
    lengths: str  # natural, or forced to FORCED_LENGTH pieces
    feed: str     # text: all at once; line: each line is answered before the next is read
    beam: int
    threads: int
    lines: int

    def __str__(self):
        threads = "1 thread" if self.threads == 1 else f"{self.threads} threads"
        return f"{self.model}, {self.lengths} lengths, {self.feed}, beam {self.beam}, {threads}"

    def slug(self):
        return "-".join(map(str, dataclasses.astuple(self)))


@dataclasses.dataclass(frozen=True)
class Contender:
    program: str  # heed or one of PEERS
    precision: str

    def __str__(self):
        return f"{self.program} {self.precision}"


def lines_of(options, lengths, feed, model):
    if options.lines:
        return options.lines
    if options.quick:
        return QUICK_LINES[lengths, feed]
    of_model = LINES[lengths, feed]
    return of_model.get(model, of_model["tiny"])


def models_of(options, lengths):
    """Natural lengths need a trained model: that of tiny size, or one of the user's own."""
    if lengths == "forced":
        return options.models
    return [options.model.name] if options.model else [model for model in options.models if model == "tiny"]


def all_cases(options):
    return [Case(model, lengths, feed, beam, threads, lines_of(options, lengths, feed, model))
            for lengths in options.lengths for model in models_of(options, lengths)
            for feed, beam, threads in itertools.product(options.feeds, options.beams, options.threads)]


def contenders(options, case):
    """heed in its precisions, CTranslate2 in those that it has here, the others in fp32 with models of their own."""
    found = [Contender("heed", precision) for precision in options.precisions]
    for peer in options.peers:
        if case.lengths == "forced" and (peer, case.model) in LACKS:
            continue
        if peer == "ctranslate2":
            found += [Contender(peer, precision) for precision in options.ctranslate2_has]
        elif case.lengths == "forced" and "fp32" in options.precisions:
            found.append(Contender(peer, "fp32"))
    return found
