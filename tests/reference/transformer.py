"""The Transformer in plain PyTorch, to be read beside the paper and to check heed's C++ against.

It shares no code with heed, only the names of the parameters: `weights` is a dict from those names to tensors, as
`read_safetensors` reads them from a model directory's model.safetensors. Everything is spelled out: no fused products, no
tricks, masks as minus infinity. tests/reference/transformer_values.py makes the stored values of the tests with it.

Vaswani et al. 2017, "Attention is all you need", https://arxiv.org/abs/1706.03762 (numbers below are its sections)
Shaw et al. 2018, https://arxiv.org/abs/1803.02155 (relative positions); Su et al. 2021, https://arxiv.org/abs/2104.09864
(rotary positions); Shazeer 2020, https://arxiv.org/abs/2002.05202 (gated feed-forward networks)
"""
import json
import math
import struct
from dataclasses import dataclass

import torch
import torch.nn.functional as F

PAD = 0


@dataclass
class Stack:
    """The options of an encoder or a decoder; the names are heed's."""
    layers: int = 1
    attention: str = "multi-head"  # multi-head, single-head, parameter-free
    heads: int = 2
    cross: str = "same"            # decoder only: the kind of attention to the source
    hidden: int = 12
    activation: str = "relu"
    gated: bool = False
    positions: str = "sinusoidal"  # none, sinusoidal, learned, relative, rotary
    max_length: int = 10           # learned
    max_distance: int = 2          # relative
    norm_order: str = "post"       # post, pre, none
    norm: str = "layer"            # layer, rms
    residual: bool = True


@dataclass
class Architecture:
    encoder: Stack | None          # None: a language model
    decoder: Stack
    d_model: int = 8
    tied: str = "none"             # none, decoder, all
    scale: bool = True
    output_bias: bool = False
    source_vocab: int = 9
    target_vocab: int = 9


def read_safetensors(path):
    """{name: tensor} of a file: 8 bytes header length, a JSON header, the data."""
    types = {"F64": torch.float64, "F32": torch.float32, "BF16": torch.bfloat16, "F16": torch.float16}
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        data = file.read()
    tensors = {}
    for name, entry in header.items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            flat = torch.frombuffer(bytearray(data[begin:end]), dtype=types[entry["dtype"]])
            tensors[name] = flat.reshape(entry["shape"])
    return tensors


class Part:
    """The weights whose names begin with a prefix: part["weight"], part.of("layers.0")."""

    def __init__(self, weights, prefix=""):
        self.weights, self.prefix = weights, prefix

    def of(self, name):
        return Part(self.weights, f"{self.prefix}{name}.")

    def __getitem__(self, name):
        return self.weights.get(self.prefix + name)


def linear(x, part):
    y = x @ part["weight"].T
    return y if part["bias"] is None else y + part["bias"]


def norm(x, part, kind, epsilon=1e-5):
    if part["weight"] is None:
        return x
    if kind == "layer":
        mean = x.mean(-1, keepdim=True)
        variance = (x - mean).pow(2).mean(-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + epsilon) * part["weight"] + part["bias"]
    return x / torch.sqrt(x.pow(2).mean(-1, keepdim=True) + epsilon) * part["weight"]


def sinusoids(length, d_model, like):
    """3.5: PE(t, 2i) = sin(t / 10000^(2i/d)), PE(t, 2i+1) = cos(...)."""
    table = torch.zeros(length, d_model, dtype=like.dtype)
    for t in range(length):
        for i in range(0, d_model, 2):
            table[t, i] = math.sin(t / 10000 ** (i / d_model))
            table[t, i + 1] = math.cos(t / 10000 ** (i / d_model))
    return table


def embed(tokens, table, part, stack, arch):
    """3.4 and 3.5: embeddings times sqrt(d_model), plus positions."""
    x = F.embedding(tokens, table, padding_idx=PAD) * (math.sqrt(arch.d_model) if arch.scale else 1)
    if stack.positions == "sinusoidal":
        x = x + sinusoids(x.shape[1], arch.d_model, x)
    if stack.positions == "learned":
        x = x + part.of("positions")["weight"][:x.shape[1]]
    return x


def rotated(x, base=10000):
    """x: [length, d]. Su et al.: the pair (i, i + d/2) at position t turns by t * base^(-2i/d)."""
    length, d = x.shape
    first, second = x[:, :d // 2], x[:, d // 2:]
    angles = torch.outer(torch.arange(length, dtype=x.dtype), base ** (-torch.arange(0, d, 2, dtype=x.dtype) / d))
    return torch.cat([first * angles.cos() - second * angles.sin(), second * angles.cos() + first * angles.sin()], 1)


def one_head(query, key, value, allowed, relative, max_distance):
    """Equation 1, for one head of one sentence: softmax(Q K^T / sqrt(d)) V; relative: Shaw et al., equations 3 and 4."""
    d = query.shape[1]
    scores = query @ key.T
    if relative is not None:
        places = torch.arange(key.shape[0])
        rows = (places[None, :] - places[:, None]).clamp(-max_distance, max_distance) + max_distance
        scores = scores + torch.einsum("id,ijd->ij", query, relative["keys"][rows])
    weights = torch.softmax((scores / math.sqrt(d)).masked_fill(~allowed, -math.inf), dim=-1)
    context = weights @ value
    if relative is not None:
        context = context + torch.einsum("ij,ijd->id", weights, relative["values"][rows])
    return context


def attention(x, memory, allowed, part, kind, stack, itself):
    """3.2. x: [S, query, d] looks at memory: [S, key, d]; allowed: bool [S, query, key]; itself: self-attention."""
    if kind == "parameter-free":
        query, key, value = x, memory, memory
    elif itself:
        query, key, value = linear(x, part.of("query_key_value")).chunk(3, -1)
    else:
        query = linear(x, part.of("query"))
        key, value = linear(memory, part.of("key_value")).chunk(2, -1)
    heads = stack.heads if kind == "multi-head" else 1
    sentences = []
    for s in range(x.shape[0]):
        split = [t[s].chunk(heads, -1) for t in (query, key, value)]
        outputs = []
        for q, k, v in zip(*split):
            if itself and stack.positions == "rotary":
                q, k = rotated(q), rotated(k)
            relative = part.of("relative") if itself and stack.positions == "relative" else None
            outputs.append(one_head(q, k, v, allowed[s], relative, stack.max_distance))
        sentences.append(torch.cat(outputs, -1))
    context = torch.stack(sentences)
    return linear(context, part.of("output")) if kind == "multi-head" else context


def feed_forward(x, part, stack):
    """3.3: f(x W1 + b1) W2 + b2; gated: (f(x W) * (x V)) W2."""
    f = {"relu": torch.relu, "gelu": F.gelu, "silu": F.silu}[stack.activation]
    hidden = linear(x, part.of("hidden"))
    if stack.gated:
        gate, value = hidden.chunk(2, -1)
        hidden = f(gate) * value
    else:
        hidden = f(hidden)
    return linear(hidden, part.of("output"))


def sublayer(x, f, part, stack):
    """Post-norm: norm(x + f(x)); pre-norm: x + f(norm(x))."""
    branch = f(norm(x, part, stack.norm)) if stack.norm_order == "pre" else f(x)
    total = x + branch if stack.residual else branch
    return norm(total, part, stack.norm) if stack.norm_order == "post" else total


def encode(source, weights, arch):
    part, stack = Part(weights).of("encoder"), arch.encoder
    table = weights["decoder.embedding.weight" if arch.tied == "all" else "encoder.embedding.weight"]
    x = embed(source, table, part, stack, arch)
    length = source.shape[1]
    allowed = (source != PAD)[:, None, :].expand(-1, length, -1)
    for i in range(stack.layers):
        layer = part.of(f"layers.{i}")
        itself = lambda h: attention(h, h, allowed, layer.of("self_attention"), stack.attention, stack, True)
        x = sublayer(x, itself, layer.of("self_attention_norm"), stack)
        x = sublayer(x, lambda h: feed_forward(h, layer.of("feed_forward"), stack), layer.of("feed_forward_norm"), stack)
    return norm(x, part.of("norm"), stack.norm)


def decode(target, memory, source, weights, arch):
    part, stack = Part(weights).of("decoder"), arch.decoder
    x = embed(target, weights["decoder.embedding.weight"], part, stack, arch)
    length = target.shape[1]
    past = torch.ones(length, length).tril().bool()[None].expand(target.shape[0], -1, -1)
    for i in range(stack.layers):
        layer = part.of(f"layers.{i}")
        itself = lambda h: attention(h, h, past, layer.of("self_attention"), stack.attention, stack, True)
        x = sublayer(x, itself, layer.of("self_attention_norm"), stack)
        if memory is not None:
            allowed = (source != PAD)[:, None, :].expand(-1, length, -1)
            kind = stack.attention if stack.cross == "same" else stack.cross
            cross = lambda h: attention(h, memory, allowed, layer.of("cross_attention"), kind, stack, False)
            x = sublayer(x, cross, layer.of("cross_attention_norm"), stack)
        x = sublayer(x, lambda h: feed_forward(h, layer.of("feed_forward"), stack), layer.of("feed_forward_norm"), stack)
    return norm(x, part.of("norm"), stack.norm)


def loss(source, target, weights, arch, label_smoothing):
    """The label-smoothed cross-entropy (5.4) per predicted token, and the plain one. target: bos, words, eos, padding."""
    memory = None if arch.encoder is None else encode(source, weights, arch)
    hidden = decode(target[:, :-1], memory, source, weights, arch)
    matrix = weights["output.weight" if arch.tied == "none" else "decoder.embedding.weight"]
    logits = hidden @ matrix.T
    if arch.output_bias:
        logits = logits + weights["output.bias"]
    predicted = target[:, 1:]
    logs = torch.log_softmax(logits, -1)[predicted != PAD]
    nll = -logs.gather(1, predicted[predicted != PAD][:, None]).mean()
    uniform = -logs.mean(-1).mean()
    return (1 - label_smoothing) * nll + label_smoothing * uniform, nll
