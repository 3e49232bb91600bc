"""The tokenizers in a model directory of heed, for programs that have none of their own: *.spm, or *.tokens of text
that is cut already."""
import sys


class SentencePieces:
    def __init__(self, path):
        import sentencepiece
        self.model = sentencepiece.SentencePieceProcessor(model_file=str(path))

    def vocabulary(self):
        return [self.model.id_to_piece(i) for i in range(self.model.get_piece_size())]

    def cut(self, lines):
        return self.model.encode(lines, out_type=str)

    def join(self, tokens):
        return self.model.decode(tokens)


class GivenTokens:
    """A file of tokens, one a line behind a line with its version; text has spaces between them."""

    def __init__(self, path):
        self.tokens = path.read_text(encoding="utf-8").split("\n")[1:-1]

    def vocabulary(self):
        return self.tokens

    def cut(self, lines):
        return [line.split() for line in lines]

    def join(self, tokens):
        return " ".join(tokens)


def open_tokenizer(model, side):
    """side: source or target."""
    for ending, kind in (("spm", SentencePieces), ("tokens", GivenTokens)):
        path = model / f"{side}.{ending}"
        if path.exists():
            return kind(path)
    sys.exit(f"{model}: has no {side}.spm and no {side}.tokens; others are not read here")
