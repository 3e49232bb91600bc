"""heed and CTranslate2 have the same Transformers: log-probabilities, translations, and the bytes there and back."""
import argparse
import pathlib
import shutil
import sys
import tempfile

import peers
import numpy
import torch

try:
    import ctranslate2
except ImportError as missing:
    print(f"skipped: {missing}; pip install ctranslate2")
    sys.exit(peers.SKIPPED)
import sentencepiece
from ctranslate2.converters import TransformersConverter

TOLERANCE = 1e-4
TIE = 1e-3
# What heed trains: options beside those of a small Transformer.
NETWORKS = {
    "post-norm": ["--arch.encoder.norm-order", "post", "--arch.decoder.norm-order", "post"],
    "pre-norm": ["--arch.encoder.norm-order", "pre", "--arch.decoder.norm-order", "pre", "--arch.decoder.layers", 2],
    "three tables": ["--arch.tied-embeddings", "none", "--arch.encoder.layers", 2, "--arch.encoder.heads", 4,
                     "--arch.encoder.feed-forward.activation", "gelu", "--arch.decoder.feed-forward.activation", "silu"],
    "two tokenizers": ["--text.joint", "false", "--arch.output-bias", "true", "--arch.embedding-scale", "false"],
    "learned positions": ["--arch.encoder.positions", "learned", "--arch.decoder.positions", "learned"],
    "relative positions": ["--arch.encoder.positions", "relative", "--arch.encoder.max-distance", 3,
                           "--arch.decoder.positions", "relative", "--arch.decoder.max-distance", 4],
    "rotary positions": ["--arch.encoder.positions", "rotary", "--arch.decoder.positions", "rotary"],
    "gated, rms": ["--arch.encoder.norm-order", "pre", "--arch.decoder.norm-order", "pre", "--arch.encoder.norm", "rms",
                   "--arch.decoder.norm", "rms", "--arch.encoder.feed-forward.gated", "true",
                   "--arch.decoder.feed-forward.gated", "true", "--arch.decoder.feed-forward.activation", "silu"],
    "no biases": ["--arch.encoder.norm-order", "post", "--arch.decoder.norm-order", "post",
                  "--arch.encoder.attention-bias", "false", "--arch.decoder.feed-forward.bias", "false",
                  "--arch.encoder.scale-scores", "false", "--arch.decoder.scale-scores", "false"],
    "words": ["--text.type", "words"],
}
# What CTranslate2's own converter makes of transformers' models, which have Marian's vocabularies.
SHAPES = {
    "marian": {},
    "marian, unequal": {"encoder_layers": 2, "encoder_ffn_dim": 24, "decoder_ffn_dim": 40, "scale_embedding": False,
                        "activation_function": "relu"},
    "marian, three tables": {"share_encoder_decoder_embeddings": False, "tie_word_embeddings": False},
}


class Peer:
    """A directory of CTranslate2, with the tokenizers beside it."""

    def __init__(self, folder, **options):
        self.translator = ctranslate2.Translator(str(folder), inter_threads=1, intra_threads=1, **options)
        config = peers.read_json(folder / "config.json")
        self.ends_sources = config["add_source_eos"]
        self.source, self.target = (open_pieces(folder, side) for side in ("source", "target"))
        vocabulary = read_vocabulary(folder, "target")
        self.never = [[token] for token in ("<pad>", "<s>") if token in vocabulary]

    def cut(self, line):
        return self.source.encode(line, out_type=str) + ([] if self.ends_sources else ["</s>"])

    def translate(self, line, beam):
        """None where the translation is cut: heed scores the end that it forces, CTranslate2 does not."""
        pieces = self.cut(line)
        longest = 2 * (len(pieces) - (not self.ends_sources)) + 10
        result = self.translator.translate_batch([pieces], beam_size=beam, max_decoding_length=longest, length_penalty=1,
                                                 disable_unk=True, suppress_sequences=self.never, max_input_length=0)
        found = result[0].hypotheses[0]
        return None if len(found) >= longest else self.target.decode(found)

    def score(self, source, target):
        """The log-probability of each piece and of the end."""
        pieces = self.target.encode(target, out_type=str)
        return self.translator.score_batch([self.cut(source)], [pieces], max_input_length=0)[0].log_probs


class Words:
    """Tokens apart by spaces, as heed's words have them."""

    def encode(self, line, out_type):
        assert out_type is str
        return line.split()

    def decode(self, tokens):
        return " ".join(tokens)


def open_pieces(folder, side):
    path = folder / f"{side}.spm"
    return sentencepiece.SentencePieceProcessor(model_file=str(path)) if path.exists() else Words()


def read_vocabulary(folder, side):
    lines = folder / "shared_vocabulary.txt"
    if lines.exists():
        return lines.read_text(encoding="utf-8").split()
    shared = folder / "shared_vocabulary.json"
    return peers.read_json(shared if shared.exists() else folder / f"{side}_vocabulary.json")


def compare_scores(peer, directory, pairs):
    """The largest difference of two log-probabilities."""
    _, found = peers.logits_of_heed(directory, pairs)
    largest = 0
    for (source, target), heed in zip(pairs, found):
        ids = torch.tensor(heed["target"] + [3])
        ours = torch.tensor(heed["logits"]).log_softmax(-1).gather(1, ids.unsqueeze(1)).squeeze(1)
        theirs = torch.tensor(peer.score(source, target))
        assert len(ours) == len(theirs), (source, target)
        largest = max(largest, (ours - theirs).abs().max().item())
    return largest


def are_tied(peer, line, one, other):
    """Whether two translations have one score to three digits. CTranslate2 leaves out what may not be produced before it
    normalizes, heed afterwards: either may come first then."""
    scores = [peer.score(line, text) for text in (one, other)]
    return abs(numpy.mean(scores[0]) - numpy.mean(scores[1])) < TIE


def check_translations(name, peer, directory, lines):
    """Greedy and beam."""
    for beam in (1, 4):
        ours = peers.heed("translate", "--model", directory, "--search.beam", beam, "--precision", "fp32",
                          text="".join(line + "\n" for line in lines)).splitlines()
        theirs = [peer.translate(line, beam) for line in lines]
        compared = [triple for triple in zip(lines, ours, theirs) if triple[2] is not None]
        ties = [triple for triple in compared if triple[1] != triple[2] and are_tied(peer, *triple)]
        different = [triple for triple in compared if triple[1] != triple[2] and triple not in ties]
        print(f"{name}: beam {beam}: {len(different)} of {len(compared)} translations differ and {len(ties)} that are "
              f"tied, {len(lines) - len(compared)} are cut off")
        assert not different and len(ties) < 3 and len(compared) > len(lines) / 2, different


def check_same(name, folder, directory, pairs, lines, tolerance=TOLERANCE, **options):
    peer = Peer(folder, **options)
    largest = compare_scores(peer, directory, pairs[:8])
    print(f"{name}: log-probabilities differ by at most {largest:.2g}")
    assert largest < tolerance, name
    if tolerance == TOLERANCE:
        check_translations(name, peer, directory, lines)


def names_of(folder):
    return sorted(path.name for path in folder.iterdir())


def check_network(name, folder, pairs, lines, updates):
    """A model that heed has trained, in CTranslate2 and back."""
    source, target = peers.write_pairs(folder, pairs)
    peers.heed("train", "--preset", "transformer-tiny", "--source", source, "--target", target, "--model", folder / "heed", "--threads", 1,
               "--text.vocab-size", 90, "--arch.d-model", 32, "--arch.encoder.layers", 1, "--arch.decoder.layers", 1,
               "--arch.encoder.feed-forward.hidden", 64, "--arch.decoder.feed-forward.hidden", 48,
               "--train.schedule.type", "constant", "--train.schedule.learning-rate", 0.005,
               "--train.max-steps", updates, "--data.batch-tokens", 500, *NETWORKS[name])
    peers.heed("export", "--to", "ctranslate2", "--model", folder / "heed", "--output", folder / "theirs")
    check_same(name, folder / "theirs", folder / "heed", pairs, lines)
    peers.heed("import", "--from", "ctranslate2", "--input", folder / "theirs", "--model", folder / "back")
    tokenizers = [path for path in names_of(folder / "heed") if path.startswith(("source.", "target."))]
    peers.require_same_files(folder / "heed", folder / "back", ["model.safetensors", *tokenizers])
    peers.heed("export", "--to", "ctranslate2", "--model", folder / "back", "--output", folder / "again")
    peers.require_same_files(folder / "theirs", folder / "again", names_of(folder / "theirs"))


def convert(folder, output, quantization=None):
    TransformersConverter(str(folder), copy_files=["source.spm", "target.spm"]).convert(str(output), quantization=quantization)


def check_shape(name, folder, pairs, lines, updates):
    """A model of transformers that CTranslate2 has converted, in heed and back."""
    tokenizer = peers.write_tokenizer(folder / "marian", pairs)
    model = peers.new_model(folder / "marian", d_model=32, init_std=0.1, max_position_embeddings=2048, **SHAPES[name])
    peers.train(model, tokenizer, pairs, updates)
    model.save_pretrained(folder / "marian")
    convert(folder / "marian", folder / "theirs")
    peers.heed("import", "--from", "ctranslate2", "--input", folder / "theirs", "--model", folder / "heed")
    check_same(name, folder / "theirs", folder / "heed", pairs, lines)
    peers.heed("export", "--to", "ctranslate2", "--model", folder / "heed", "--output", folder / "back")
    peers.require_same_files(folder / "theirs", folder / "back", ["shared_vocabulary.json", "source.spm", "target.spm"])
    require_same_variables(folder / "theirs" / "model.bin", folder / "back" / "model.bin")
    return folder / "marian"


def require_same_variables(one, two):
    """To the last bit, but for sinusoids, which heed makes anew. In the bytes nothing else differs either."""
    first, second = variables_of(one), variables_of(two)
    assert first.keys() == second.keys() and one.stat().st_size == two.stat().st_size
    for name, value in first.items():
        assert value.dtype == second[name].dtype and value.shape == second[name].shape, name
        largest = numpy.abs(value - second[name]).max(initial=0)
        assert largest < (1e-6 if name.endswith("encodings") else 1e-30), (name, largest)


def variables_of(path):
    """What a model.bin holds, read by hand as model_spec.py writes it."""
    data, place = path.read_bytes(), 0

    def number(kind):
        nonlocal place
        value = numpy.frombuffer(data, kind, 1, place)[0]
        place += value.nbytes
        return int(value)

    def name():
        nonlocal place
        length = number("<u2")
        place += length
        return data[place - length:place - 1].decode()
    number("<u4"), name(), number("<u4")
    found = {}
    for _ in range(number("<u4")):
        key, shape = name(), [number("<u4") for _ in range(number("u1"))]
        kind, size = ("<f4", "i1", "<i2", "<i4", "<f2", "<u2")[number("u1")], number("<u4")
        found[key] = numpy.frombuffer(data, kind, size // numpy.dtype(kind).itemsize, place).reshape(shape)
        place += size
    for _ in range(number("<u4")):
        alias, stored = name(), name()
        found.update({alias + ending: found[stored + ending] for ending in ("", "_scale") if stored + ending in found})
    return found


def halves_to_pairs(width):
    return numpy.arange(width).reshape(2, width // 2).T.flatten()


def check_quantized(marian, folder, pairs, lines):
    """Quantized weights are those numbers that CTranslate2 computes with in float32. In half precision it has sinusoids of
    three digits, for which heed has exact ones."""
    half = 1e-2
    for kind, tolerance in (("int8", TOLERANCE), ("int16", TOLERANCE), ("float16", half), ("bfloat16", half),
                            ("int8_float16", half)):
        convert(marian, folder / kind, kind)
        peers.heed("import", "--from", "ctranslate2", "--input", folder / kind, "--model", folder / f"{kind} heed")
        check_same(kind, folder / kind, folder / f"{kind} heed", pairs, lines, tolerance,
                   compute_type="float32")
    stored = variables_of(folder / "int8" / "model.bin")
    place = "decoder/layer_0/ffn/linear_1/weight"
    expected = stored[place].astype(numpy.float32) / stored[place + "_scale"][:, None]
    peers.heed("export", "--to", "ctranslate2", "--model", folder / "int8 heed", "--output", folder / "int8 back")
    back = variables_of(folder / "int8 back" / "model.bin")
    assert (back[place] == expected).all(), "int8"
    source = "encoder/embeddings_0/weight"  # an alias, whose scale is that of the other
    assert (back[source] == stored[source].astype(numpy.float32) / stored[source + "_scale"][:, None]).all()


def check_line_vocabularies(folder, pairs):
    """Vocabularies of versions before 3.3, a token per line: a CR is no part of the tokens if all lines end with one."""
    tokens = peers.read_json(folder / "shared_vocabulary.json")
    lines = "".join(token + "\n" for token in tokens)
    windows = lines.replace("\n", "\r\n")
    for number, text in enumerate([lines, lines[:-1], windows, windows[:-2], windows[:-2] + "\n"]):
        place = folder.parent / f"lines {number}"
        shutil.copytree(folder, place)
        (place / "shared_vocabulary.json").unlink()
        (place / "shared_vocabulary.txt").write_bytes(text.encode())
        words = ["import", "--from", "ctranslate2", "--input", place, "--model", folder.parent / f"lines {number} heed"]
        if number < 3:
            peers.heed(*words)
            check_same(f"vocabulary of lines {number}", place, folder.parent / f"lines {number} heed", pairs, [],
                       tolerance=2 * TOLERANCE)
        else:  # CTranslate2 keeps the CR in the tokens then
            assert peers.heed(*words, code=1).endswith("shared_vocabulary.txt: lacks the token `<unk>`\n")


def check_refusals(folder):
    """One line that names what heed cannot hold."""
    from ctranslate2.specs import TransformerDecoderModelSpec, TransformerSpec
    from ctranslate2.specs.common_spec import Activation
    tokens = ["<unk>", "<s>", "</s>", "a", "b", "c", "d", "e"]

    def fill(layer, stacked=1):
        for name, value in list(vars(layer).items()):
            if name.startswith("_"):
                continue
            if isinstance(value, list):
                maps = {2: [3, 1], 3: [1, 2, 1]}.get(len(value), [1])
                for part, count in zip(value, maps):
                    fill(part, count)
            elif hasattr(value, "_visit"):
                fill(value)
            elif value is None:
                shape = (8,) if name in ("gamma", "beta") else (8 * stacked, 8)
                setattr(layer, name, numpy.full(shape, 0.1, numpy.float32))

    def refused(spec, expected):
        fill(spec)
        spec.validate()
        place = folder / f"refused {len(list(folder.iterdir()))}"
        place.mkdir()
        spec.save(str(place))
        said = peers.heed("import", "--from", "ctranslate2", "--input", place, "--model", folder / "none", code=1)
        assert expected in said and said.count("\n") == 1, said
        assert not (folder / "none").exists()

    def network(**options):
        spec = TransformerSpec.from_config(1, 2, **options)
        for coder in (spec.encoder, spec.decoder):
            if hasattr(coder, "position_encodings"):
                coder.position_encodings.encodings = numpy.full((9, 8), 0.1, numpy.float32)
        for register in (spec.register_source_vocabulary, spec.register_target_vocabulary):
            register(tokens)
        return spec
    refused(network(activation=Activation.GELUTanh), "has the activation GELUTanh (`encoder/activation`), which heed does not have")
    refused(network(layernorm_embedding=True), "layernorm_embedding")
    refused(network(num_source_embeddings=1, relative_attention_bias=True), "encoder/position_encodings/encodings")
    decoder = TransformerDecoderModelSpec.from_config(1, 2)
    decoder.register_vocabulary(tokens)
    refused(decoder, "is a TransformerDecoderSpec of CTranslate2; heed has only its TransformerSpec")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--updates", type=int, default=600)
    options = parser.parse_args()
    pairs = peers.made_pairs(500)
    lines = [pair[0] for pair in peers.made_pairs(30, seed=9)]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_refusals(folder)
        for network in NETWORKS:
            check_network(network, folder / network, pairs, lines, options.updates)
        check_line_vocabularies(folder / "post-norm" / "theirs", pairs)
        made = [check_shape(shape, folder / shape, pairs, lines, options.updates) for shape in SHAPES]
        check_quantized(made[0], folder, pairs, lines)
    print(f"{len(NETWORKS) + len(SHAPES) + 2} passed, 0 failed")


if __name__ == "__main__":
    sys.exit(main())
