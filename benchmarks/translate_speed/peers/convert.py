"""convert.py MODEL OUT: a Transformer that heed trained in CTranslate2's form, with the same weights and vocabulary.

MODEL is a model directory. What CTranslate2 has no equal of is refused, so that both programs compute the same.
"""
import json
import pathlib
import struct
import sys
import tomllib

import ctranslate2
import numpy
from ctranslate2.specs import common_spec, transformer_spec

import tokens

POSITIONS = 1024  # rows of the table; a sentence may be this long
ACTIVATIONS = {"relu": "RELU", "gelu": "GELU", "silu": "SWISH", "sigmoid": "Sigmoid"}
EXPECTED = {  # of encoder and decoder: nothing else is converted
    "type": "transformer", "attention": "multi-head", "scale-scores": True, "positions": "sinusoidal", "norm": "layer",
    "residual": True}


def read_safetensors(path):
    """Every tensor by its name; all are float32."""
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + length])
    header.pop("__metadata__", None)
    body = memoryview(data)[8 + length:]

    def tensor(stored):
        begin, end = stored["data_offsets"]
        return numpy.frombuffer(body[begin:end], dtype=numpy.float32).reshape(stored["shape"]).copy()

    return {name: tensor(stored) for name, stored in header.items() if stored["dtype"] == "F32"}


def check(arch):
    for side in ("encoder", "decoder"):
        for name, value in EXPECTED.items():
            found = arch[side].get(name)
            if found != value:
                sys.exit(f"`arch.{side}.{name}` must be {value} for CTranslate2, found {found}")
        if arch[side]["feed-forward"]["gated"]:
            sys.exit(f"`arch.{side}.feed-forward.gated` must be false for CTranslate2")
        if arch[side]["feed-forward"]["activation"] not in ACTIVATIONS:
            sys.exit(f"`arch.{side}.feed-forward.activation` must be one of {', '.join(ACTIVATIONS)} for CTranslate2")
    encoder, decoder = arch["encoder"], arch["decoder"]
    for name in ("heads", "norm-order", "norm-epsilon"):
        if encoder[name] != decoder[name]:
            sys.exit(f"`arch.encoder.{name}` and `arch.decoder.{name}` must be the same for CTranslate2")
    if encoder["feed-forward"]["activation"] != decoder["feed-forward"]["activation"]:
        sys.exit("both feed-forward networks must have the same activation for CTranslate2")
    if encoder["norm-order"] not in ("pre", "post"):
        sys.exit("`arch.encoder.norm-order` must be pre or post for CTranslate2")
    if decoder["cross"]["attention"] != "same":
        sys.exit("`arch.decoder.cross.attention` must be same for CTranslate2")


def sinusoids(count, width):
    """heed's (lib/heed_torch/nn/positions): position 0 first, sine and cosine of a frequency side by side."""
    frequencies = numpy.exp(numpy.arange(0, width, 2) * (-numpy.log(10000.0) / width))
    angles = numpy.arange(count)[:, None] * frequencies
    return numpy.stack([numpy.sin(angles), numpy.cos(angles)], -1).reshape(count, width).astype(numpy.float32)


class Filler:
    """Puts heed's parameters where CTranslate2 has them."""

    def __init__(self, weights):
        self.weights = weights

    def linear(self, spec, name):
        spec.weight = self.weights[f"{name}.weight"]
        if f"{name}.bias" in self.weights:
            spec.bias = self.weights[f"{name}.bias"]

    def norm(self, spec, name):
        spec.gamma, spec.beta = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]

    def embedding(self, coder, embeddings, name, scale):
        embeddings.weight = self.weights[name]
        coder.scale_embeddings = scale
        coder.position_encodings.encodings = sinusoids(POSITIONS, embeddings.weight.shape[1])

    def layer(self, spec, name):
        self.norm(spec.self_attention.layer_norm, f"{name}.self_attention_norm")
        self.linear(spec.self_attention.linear[0], f"{name}.self_attention.query_key_value")
        self.linear(spec.self_attention.linear[1], f"{name}.self_attention.output")
        self.norm(spec.ffn.layer_norm, f"{name}.feed_forward_norm")
        self.linear(spec.ffn.linear_0, f"{name}.feed_forward.hidden")
        self.linear(spec.ffn.linear_1, f"{name}.feed_forward.output")

    def cross_attention(self, spec, name):
        self.norm(spec.attention.layer_norm, f"{name}.cross_attention_norm")
        for part, place in (("query", 0), ("key_value", 1), ("output", 2)):
            self.linear(spec.attention.linear[place], f"{name}.cross_attention.{part}")

    def model(self, spec, scale, pre_norm):
        target = "decoder.embedding.weight"
        source = "encoder.embedding.weight" if "encoder.embedding.weight" in self.weights else target
        self.embedding(spec.encoder, spec.encoder.embeddings[0], source, scale)
        self.embedding(spec.decoder, spec.decoder.embeddings, target, scale)
        for i, layer in enumerate(spec.encoder.layer):
            self.layer(layer, f"encoder.layers.{i}")
        for i, layer in enumerate(spec.decoder.layer):
            self.layer(layer, f"decoder.layers.{i}")
            self.cross_attention(layer, f"decoder.layers.{i}")
        if pre_norm:
            self.norm(spec.encoder.layer_norm, "encoder.norm")
            self.norm(spec.decoder.layer_norm, "decoder.norm")
        spec.decoder.projection.weight = self.weights.get("output.weight", self.weights[target])  # or tied
        if "output.bias" in self.weights:
            spec.decoder.projection.bias = self.weights["output.bias"]


def set_vocabularies(spec, model, rows):
    """rows: entries that the two embeddings have."""
    source, target = (tokens.open_tokenizer(model, side).vocabulary() for side in ("source", "target"))
    for side, vocabulary, count in (("source", source, rows[0]), ("target", target, rows[1])):
        if len(vocabulary) != count:
            sys.exit(f"{model}: the {side} tokenizer has {len(vocabulary)} entries, the embedding {count}")
    spec.register_source_vocabulary(source)
    spec.register_target_vocabulary(target)
    _, unknown, begin, end = target[:4]  # the order of every tokenizer of heed: padding first
    spec.config.unk_token, spec.config.bos_token, spec.config.eos_token = unknown, begin, end
    spec.config.decoder_start_token = begin
    spec.config.add_source_eos, spec.config.add_source_bos = True, False


def main():
    model, out = map(pathlib.Path, sys.argv[1:])
    arch = tomllib.loads((model / "config.toml").read_text(encoding="utf-8"))["arch"]
    check(arch)
    pre_norm = arch["encoder"]["norm-order"] == "pre"
    activation = arch["encoder"]["feed-forward"]["activation"]
    spec = transformer_spec.TransformerSpec.from_config(
        (arch["encoder"]["layers"], arch["decoder"]["layers"]), arch["encoder"]["heads"], pre_norm=pre_norm,
        activation=getattr(common_spec.Activation, ACTIVATIONS[activation]))
    weights = read_safetensors(model / "model.safetensors")
    Filler(weights).model(spec, arch["embedding-scale"], pre_norm)
    spec.config.layer_norm_epsilon = arch["encoder"]["norm-epsilon"]
    set_vocabularies(spec, model, (spec.encoder.embeddings[0].weight.shape[0], spec.decoder.embeddings.weight.shape[0]))
    spec.validate()
    spec.optimize()
    out.mkdir(parents=True, exist_ok=True)
    spec.save(str(out))
    print(f"CTranslate2 {ctranslate2.__version__}", file=sys.stderr)


if __name__ == "__main__":
    main()
