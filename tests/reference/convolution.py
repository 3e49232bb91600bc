"""The convolutional encoder-decoder of Gehring et al. 2017 (https://arxiv.org/abs/1705.03122) in plain PyTorch, to be read
beside the paper and to check heed's C++ against: sentence by sentence and position by position, with no padding.
"""
import math
from dataclasses import dataclass

import torch

from recurrent import PAD, output_weight, scale_of

HALF = math.sqrt(0.5)


@dataclass
class Convolutional:
    layers: int = 2
    hidden: int = 5
    kernel: int = 3
    max_length: int = 8
    d_model: int = 6
    vocab: int = 9
    tied: str = "none"           # none, decoder
    scale: bool = True           # embeddings by sqrt(d_model)


def affine(x, name, size, weights):
    return x @ weights(f"{name}.weight", size, x.shape[-1]).T + weights(f"{name}.bias", size)


def embed(tokens, side, arch, weights):
    table = weights(f"{side}.embedding.weight", arch.vocab, arch.d_model)
    places = weights(f"{side}.positions.weight", arch.max_length, arch.d_model)
    return torch.stack([table[t] * scale_of(arch) + places[i] for i, t in enumerate(tokens)])


def convolve(xs, name, before, arch, weights):
    """Gated linear units over windows that begin `before` positions to the left."""
    zero = torch.zeros(arch.hidden, dtype=torch.float64)
    made = []
    for t in range(len(xs)):
        window = [xs[j] if 0 <= j < len(xs) else zero for j in range(t - before, t - before + arch.kernel)]
        a, b = affine(torch.cat(window), f"{name}.map", 2 * arch.hidden, weights).split(arch.hidden)
        made.append(a * torch.sigmoid(b))
    return torch.stack(made)


def encode(tokens, arch, weights):
    """z and e."""
    e = embed(tokens, "encoder", arch, weights)
    x = affine(e, "encoder.input", arch.hidden, weights)
    for layer in range(arch.layers):
        x = (convolve(x, f"encoder.layers.{layer}", arch.kernel // 2, arch, weights) + x) * HALF
    z = affine(x, "encoder.output", arch.d_model, weights)
    return z, e


class ShareGradient(torch.autograd.Function):
    """The identity, whose gradient is divided by the number of attentions (section 3.4)."""

    @staticmethod
    def forward(ctx, x, parts):
        ctx.parts = parts
        return x.clone()

    @staticmethod
    def backward(ctx, gradient):
        return gradient / ctx.parts, None


def decode(tokens, z, e, arch, weights):
    g = embed(tokens, "decoder", arch, weights)
    keys = ShareGradient.apply(z, arch.layers)  # "we exclude source word embeddings"
    values = (keys + e) * HALF
    y = affine(g, "decoder.input", arch.hidden, weights)
    for layer in range(arch.layers):
        name = f"decoder.layers.{layer}"
        h = convolve(y, f"{name}.convolution", arch.kernel - 1, arch, weights)
        d = (affine(h, f"{name}.query", arch.d_model, weights) + g) * HALF
        c = torch.softmax(d @ keys.T, -1) @ values * math.sqrt(len(keys))
        y = ((h + affine(c, f"{name}.context", arch.hidden, weights)) * HALF + y) * HALF
    return affine(y, "decoder.output", arch.d_model, weights)


def loss(sources, targets, weights, arch, label_smoothing):
    """The label-smoothed cross-entropy per predicted token, and the plain one. Targets: bos, words, eos, padding."""
    logs, predicted = [], []
    for source, target in zip(sources, targets):
        words = [t for t in target if t != PAD]
        states = decode(words[:-1], *encode([t for t in source if t != PAD], arch, weights), arch, weights)
        logits = states @ output_weight(arch, weights).T + weights("output.bias", arch.vocab)
        logs += list(torch.log_softmax(logits, -1))
        predicted += words[1:]
    nll = -torch.stack([log[word] for log, word in zip(logs, predicted)]).mean()
    uniform = -torch.stack(logs).mean()
    return (1 - label_smoothing) * nll + label_smoothing * uniform, nll
