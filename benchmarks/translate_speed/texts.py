"""The lines that a case translates, how long they are, and how its translations compare."""
import functools
import itertools
import subprocess


def tokens_of(heed, tokenizer, text):
    """How many tokens each line of text (bytes) has."""
    command = [heed, "tokenize", "--tokenizer", tokenizer]
    cut = subprocess.run(command, check=True, input=text, capture_output=True).stdout
    return [len(line.split(b" ")) if line else 0 for line in cut.split(b"\n")[:-1]]


def tokenizer(model, side):
    (found,) = model.glob(f"{side}.*")
    return found


class Texts:
    """In the working directory of a workshop."""

    def __init__(self, workshop):
        self.workshop = workshop
        self.heed = workshop.options.heed
        self.folder = workshop.scratch / "outputs"
        self.folder.mkdir(parents=True, exist_ok=True)

    @functools.cache
    def source(self, case):
        """Bytes of whole lines."""
        path = self.workshop.source_file(case.lengths)
        with open(path, "rb") as lines:
            found = [line.rstrip(b"\r\n") + b"\n" for line in itertools.islice(lines, case.lines)]
        if len(found) < case.lines:
            raise SystemExit(f"{path} has {len(found)} lines; {case} needs {case.lines} (--lines)")
        return b"".join(found)

    @functools.cache
    def longest(self, case):
        """Tokens of the longest line."""
        return max(tokens_of(self.heed, tokenizer(self.workshop.heed_model(case), "source"), self.source(case)))

    @functools.cache
    def target_tokens(self, case, output):
        """Pieces of all translations, without end-of-sentence."""
        if case.lengths == "forced":  # written with spaces between
            return len(output.split())
        return sum(tokens_of(self.heed, tokenizer(self.workshop.heed_model(case), "target"), output))

    def output_file(self, case, contender):
        return self.folder / f"{case.slug()}-{contender.program}-{contender.precision}"

    def unlike(self, case, contender, reference):
        """Lines in which two outputs differ; None without both."""
        paths = [self.output_file(case, each) for each in (contender, reference)]
        if contender == reference or not all(path.exists() for path in paths):
            return None
        first, second = (path.read_bytes().split(b"\n") for path in paths)
        return sum(a != b for a, b in zip(first, second, strict=True))
