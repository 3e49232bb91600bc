"""make_pieces.py MULTI30K OUT: trains the joint SentencePiece model, cuts texts into pieces, writes vocabularies."""
import collections
import sys

import sentencepiece

LANGUAGES = ("en", "de")


def cut(model, source, out):
    """Writes pieces with a space between; returns how often each occurs."""
    counts = collections.Counter()
    with open(source, encoding="utf-8") as lines, open(out, "w", encoding="utf-8") as written:
        for line in lines:
            pieces = model.encode(line.strip(), out_type=str)
            counts.update(pieces)
            written.write(" ".join(pieces) + "\n")
    return counts


def write_vocabularies(pieces, counts, out):
    """Every piece of the model, so that all toolkits have one vocabulary of the same size."""
    forms = {
        "opennmt": ([], lambda piece: f"{piece}\t{max(1, counts[piece])}"),
        "fairseq": ([], lambda piece: f"{piece} {max(1, counts[piece])}"),
        "joeynmt": (["<unk>", "<pad>", "<s>", "</s>"], str),
        "tokens": (["#version: 1", "<pad>", "<unk>", "<s>", "</s>"], str),  # heed
    }
    for name, (first, line) in forms.items():
        with open(f"{out}/vocabulary.{name}", "w", encoding="utf-8") as written:
            written.writelines(f"{entry}\n" for entry in [*first, *map(line, pieces)])


def main():
    corpus, out = sys.argv[1:]
    sentencepiece.SentencePieceTrainer.train(
        input=[f"{corpus}/train.{language}" for language in LANGUAGES], model_prefix=f"{out}/joint", model_type="bpe",
        vocab_size=8000, character_coverage=1.0, num_threads=1, minloglevel=1)
    model = sentencepiece.SentencePieceProcessor(model_file=f"{out}/joint.model")
    counts = collections.Counter()
    for language in LANGUAGES:
        counts += cut(model, f"{corpus}/train.{language}", f"{out}/train.pieces.{language}")
        cut(model, f"{corpus}/val.{language}", f"{out}/val.pieces.{language}")
    pieces = [model.id_to_piece(i) for i in range(3, model.get_piece_size())]
    write_vocabularies(sorted(pieces, key=lambda piece: -counts[piece]), counts, out)


if __name__ == "__main__":
    main()
