"""Makes tests/models/stored/transformer_parity.json: loss and every gradient of one small model of each kind, in float64,
as tests/reference/transformer.py computes them. Weights follow a formula that the test repeats (`weight_values`), so that
they need not be stored. Of each gradient some weighted sums are stored (`weighted_sums`).

Usage: python tests/reference/transformer_values.py   (needs PyTorch and NumPy)
"""
import json
import os

import numpy
import torch

from transformer import Architecture, Stack, loss

SOURCE = [[4, 7, 5, 3], [6, 8, 3, 0], [3, 0, 0, 0]]
TARGET = [[2, 5, 4, 8, 3], [2, 7, 3, 0, 0], [2, 6, 6, 3, 0]]
LABEL_SMOOTHING = 0.1
SUMS = 3  # of each parameter's gradient

SWIGLU = dict(activation="silu", gated=True)
KINDS = {
    "post-sinusoidal-tied": Architecture(Stack(layers=2), Stack(layers=2), tied="all"),
    "pre-rms-gated-rotary": Architecture(*[Stack(norm_order="pre", norm="rms", positions="rotary", **SWIGLU)] * 2,
                                         tied="decoder"),
    "relative": Architecture(*[Stack(positions="relative", activation="gelu")] * 2),
    "learned": Architecture(*[Stack(positions="learned", norm_order="pre")] * 2, scale=False, output_bias=True),
    "single-head": Architecture(*[Stack(attention="single-head")] * 2, tied="decoder"),
    "parameter-free": Architecture(*[Stack(attention="parameter-free")] * 2),
    "bare": Architecture(*[Stack(attention="single-head", cross="multi-head", positions="none", norm_order="none",
                                 residual=False)] * 2),
    "unequal": Architecture(Stack(layers=3, hidden=16, positions="rotary", norm_order="pre"),
                            Stack(positions="relative", attention="parameter-free", cross="single-head"),
                            source_vocab=10, tied="decoder"),
    "language-model": Architecture(None, Stack(layers=2, norm_order="pre", positions="relative"), tied="decoder"),
}


def linear_shapes(name, out, inner):
    return {f"{name}.weight": (out, inner), f"{name}.bias": (out,)}


def norm_shapes(name, stack, d):
    if stack.norm_order == "none":
        return {}
    return {f"{name}.weight": (d,)} | ({f"{name}.bias": (d,)} if stack.norm == "layer" else {})


def attention_shapes(name, kind, stack, d, itself):
    shapes = {}
    if kind != "parameter-free":
        parts = [("query_key_value", 3)] if itself else [("query", 1), ("key_value", 2)]
        for part, count in parts:
            shapes |= linear_shapes(f"{name}.{part}", count * d, d)
    if kind == "multi-head":
        shapes |= linear_shapes(f"{name}.output", d, d)
    if itself and stack.positions == "relative":
        d_head = d // (stack.heads if kind == "multi-head" else 1)
        for part in ("keys", "values"):
            shapes[f"{name}.relative.{part}"] = (2 * stack.max_distance + 1, d_head)
    return shapes


def stack_shapes(name, stack, d, has_cross):
    shapes = {f"{name}.positions.weight": (stack.max_length, d)} if stack.positions == "learned" else {}
    for i in range(stack.layers):
        layer = f"{name}.layers.{i}"
        shapes |= attention_shapes(f"{layer}.self_attention", stack.attention, stack, d, True)
        shapes |= norm_shapes(f"{layer}.self_attention_norm", stack, d)
        if has_cross:
            kind = stack.attention if stack.cross == "same" else stack.cross
            shapes |= attention_shapes(f"{layer}.cross_attention", kind, stack, d, False)
            shapes |= norm_shapes(f"{layer}.cross_attention_norm", stack, d)
        shapes |= linear_shapes(f"{layer}.feed_forward.hidden", stack.hidden * (2 if stack.gated else 1), d)
        shapes |= linear_shapes(f"{layer}.feed_forward.output", d, stack.hidden)
        shapes |= norm_shapes(f"{layer}.feed_forward_norm", stack, d)
    if stack.norm_order == "pre":
        shapes |= norm_shapes(f"{name}.norm", stack, d)
    return shapes


def parameter_shapes(arch):
    """Name and shape of every parameter: heed's file format."""
    d = arch.d_model
    shapes = {"decoder.embedding.weight": (arch.target_vocab, d)}
    if arch.encoder is not None:
        shapes |= stack_shapes("encoder", arch.encoder, d, False)
        if arch.tied != "all":
            shapes["encoder.embedding.weight"] = (arch.source_vocab, d)
    shapes |= stack_shapes("decoder", arch.decoder, d, arch.encoder is not None)
    if arch.tied == "none":
        shapes["output.weight"] = (arch.target_vocab, d)
    if arch.output_bias:
        shapes["output.bias"] = (arch.target_vocab,)
    return shapes


def hashed(name, count):
    """`count` numbers from -1/2 to 1/2, hash / 2^32 - 1/2, that follow from a name: exact in any language."""
    key = 0
    for letter in name.encode():
        key = (key * 31 + letter) % 2**32
    x = numpy.arange(count, dtype=numpy.uint64)
    mask = numpy.uint64(2**32 - 1)
    x = (x * numpy.uint64(2654435761) + numpy.uint64(key)) & mask
    for _ in range(2):
        x = ((x ^ (x >> numpy.uint64(16))) * numpy.uint64(73244475)) & mask
    x ^= x >> numpy.uint64(16)
    return x.astype(numpy.float64) / 2**32 - 0.5


def weight_values(name, shape):
    """Plus 1 for the gains of norms."""
    values = hashed(name, int(numpy.prod(shape)))
    if name.endswith("norm.weight"):
        values += 1
    return torch.from_numpy(values.astype(numpy.float32).astype(numpy.float64)).reshape(shape)


def weighted_sums(name, gradient):
    """Weighted sums of a gradient's elements. A weight follows from the element's index and has a size of 1 to 2, so that
    an error in one element changes every sum by at least as much. Errors in several elements go unseen only if they cancel
    in every sum."""
    elements, sums = gradient.flatten().numpy(), []
    for number in range(SUMS):
        values = hashed(f"{name} {number}", elements.size)
        sums.append(round(float(elements @ (2 * values + numpy.where(values < 0, -1, 1))), 10))
    return sums


def stored(arch):
    weights = {name: weight_values(name, shape).requires_grad_() for name, shape in parameter_shapes(arch).items()}
    smoothed, nll = loss(torch.tensor(SOURCE), torch.tensor(TARGET), weights, arch, LABEL_SMOOTHING)
    smoothed.backward()
    gradients = {name: weighted_sums(name, w.grad) for name, w in sorted(weights.items())}
    return {"loss": smoothed.item(), "nll": nll.item(), "gradients": gradients}


def main():
    values = {"source": SOURCE, "target": TARGET, "label_smoothing": LABEL_SMOOTHING,
              "kinds": {name: stored(arch) for name, arch in KINDS.items()}}
    path = os.path.join(os.path.dirname(__file__), "..", "models", "stored", "transformer_parity.json")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        json.dump(values, file, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    main()
