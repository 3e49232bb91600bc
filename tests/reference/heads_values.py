"""Makes tests/models/stored/heads_parity.json: loss and every gradient of one small model for each head and each kind of
source, in float64, in plain PyTorch. The encoder is none (`identity`): what other encoders do is in the other files.
Weights follow the formula of transformer_values.py (`weight_values`), so that they need not be stored. Of each gradient
some weighted sums are stored (`weighted_sums`).

Usage: python tests/reference/heads_values.py   (needs PyTorch and NumPy)
"""
import itertools
import json
import math
import os

import torch
import torch.nn.functional as F

from transformer_values import weight_values, weighted_sums

D, VOCABULARY, OUTPUTS, WIDTH = 8, 9, 3, 2
SOURCE = [[4, 7, 5, 3], [6, 8, 3, 0], [3, 0, 0, 0]]
GRIDS = [(2, 3), (3, 2), (1, 1)]      # rows, columns of each item
SEQUENCES = [(1, 5), (1, 2), (1, 3)]
CLASSES = [2, 0, 1]
WORD_LABELS = [[1, 2, 0], [2, 2], [0]]  # of the first tokens of each source
NUMBERS = [[1.5, -2, 0], [0, 4, 1], [-1, 1, 8]]
MEAN, DEVIATION = [0.25, 1, -2], [2, 0.5, 1]
KERNEL, STRIDE, LAYERS, CHANNELS, PATCH, SIDE = 3, 2, 2, 4, 2, 4
SPATIAL_KERNEL = 7  # of CBAM


def vector_values(shapes):
    """The numbers of each item: a function of their places."""
    return [torch.tensor([[[math.sin(1 + item + 3 * row + 2 * column + 5 * i) for i in range(WIDTH)]
                           for column in range(columns)] for row in range(rows)], dtype=torch.float64)
            for item, (rows, columns) in enumerate(shapes)]


class Weights:
    def __init__(self):
        self.all = {}

    def __call__(self, name, *shape):
        if name not in self.all:
            self.all[name] = weight_values(name, shape).clone().requires_grad_()
        return self.all[name]

    def linear(self, x, name, out):
        return x @ self(f"{name}.weight", out, x.shape[-1]).T + self(f"{name}.bias", out)


def sinusoidal(count, width):
    angles = torch.arange(count).double()[:, None] / 10000 ** (torch.arange(0, width, 2).double() / width)
    return torch.stack([angles.sin(), angles.cos()], 2).flatten(1)


def convolve(w, x, name, out, kernel, stride, padding, grid):
    """x: [rows, columns, width] of one item alone."""
    rows = kernel if grid else 1
    weight = w(f"{name}.map.weight", out, x.shape[2] * rows * kernel).view(out, x.shape[2], rows, kernel)
    both = lambda value, other: (value if grid else other, value)
    y = F.conv2d(x.permute(2, 0, 1)[None], weight, w(f"{name}.map.bias", out), both(stride, 1), both(padding, 0))
    return y[0].permute(1, 2, 0)


def weighted_maps(w, x, kind, name):
    """Channel attention of Hu et al. 2018 or Woo et al. 2018; x: [rows, columns, channels] of one item alone."""
    hidden = CHANNELS // kind["reduction"]
    network = lambda z: w(f"{name}.expand.weight", CHANNELS, hidden) @ (
        w(f"{name}.reduce.weight", hidden, CHANNELS) @ z).relu()
    mean, maximum = x.mean((0, 1)), x.amax((0, 1))
    if kind["channel_attention"] == "squeeze-excitation":
        return x * network(mean).sigmoid()
    x = x * (network(mean) + network(maximum)).sigmoid()
    rows = SPATIAL_KERNEL if kind.get("grid") else 1
    weight = w(f"{name}.spatial.map.weight", 1, 2 * rows * SPATIAL_KERNEL).view(1, 2, rows, SPATIAL_KERNEL)
    two = torch.stack([x.mean(2), x.amax(2)])[None]
    places = F.conv2d(two, weight, padding=(rows // 2, SPATIAL_KERNEL // 2))[0, 0].sigmoid()
    return x * places[:, :, None]


def read_vectors(w, x, kind):
    positions, grid = kind.get("positions"), bool(kind.get("grid"))
    if kind["vectors"] == "projection":
        x = w.linear(x, "encoder.vectors.map", D)
    elif kind["vectors"] == "convolution":
        for layer in range(LAYERS):
            x = convolve(w, x, f"encoder.vectors.layers.{layer}", CHANNELS, KERNEL, STRIDE, KERNEL // 2, grid).relu()
            if "channel_attention" in kind:
                x = weighted_maps(w, x, kind, f"encoder.vectors.channel_attention.{layer}")
        x = w.linear(x, "encoder.vectors.map", D)
    else:
        missing = lambda side: -side % PATCH
        x = F.pad(x, (0, 0, 0, missing(x.shape[1]), 0, missing(x.shape[0]) if grid else 0))
        x = convolve(w, x, "encoder.vectors.patch", D, PATCH, PATCH, 0, grid)
    rows, columns = x.shape[:2]
    if positions == "sinusoidal":
        x = x + torch.cat([sinusoidal(rows, D // 2)[:, None].expand(rows, columns, -1),
                           sinusoidal(columns, D // 2)[None].expand(rows, columns, -1)], 2)
    if positions == "learned":
        x = x + w("encoder.vectors.rows", SIDE, D)[:rows, None] + w("encoder.vectors.columns", SIDE, D)[None, :columns]
    return x.flatten(0, 1)


def pool(w, states, kind, prefix):
    if kind == "last":
        return states[-1]
    if kind == "mean":
        return states.mean(0)
    if kind == "max":
        return states.max(0).values
    scores = w.linear(states, f"{prefix}.key", D).tanh() @ w(f"{prefix}.vector", 1, D)[0]
    return scores.softmax(0) @ states


def crf_loss(w, scores, labels):
    transitions, begin, end = w("head.crf.transitions", OUTPUTS, OUTPUTS), w("head.crf.begin", OUTPUTS), w("head.crf.end", OUTPUTS)

    def score(y):
        s = begin[y[0]] + end[y[-1]] + sum(scores[t, label] for t, label in enumerate(y))
        return s + sum(transitions[a, b] for a, b in zip(y, y[1:]))

    every = torch.stack([score(y) for y in itertools.product(range(OUTPUTS), repeat=len(labels))])
    return every.logsumexp(0) - score(labels)


def loss(w, kind):
    shapes = GRIDS if kind.get("grid") else SEQUENCES
    vectors = vector_values(shapes) if "vectors" in kind else [None] * len(SOURCE)
    total, count = 0, 0
    for item, ids in enumerate(SOURCE):
        parts = []
        if kind.get("text"):
            real = torch.tensor([i for i in ids if i])
            parts.append(w("encoder.embedding.weight", VOCABULARY, D)[real] * math.sqrt(D))
        if "vectors" in kind:
            parts.append(read_vectors(w, vectors[item], kind))
        states = torch.cat(parts)
        output = lambda x: w.linear(x, "output", OUTPUTS)
        if kind["head"] == "labels":
            labels = WORD_LABELS[item]
            scores = output(states[:len(labels)])
            if kind.get("crf"):
                total = total + crf_loss(w, scores, labels)
            else:
                total = total + F.cross_entropy(scores, torch.tensor(labels), reduction="sum")
            count += len(labels)
            continue
        prefix = "head.pooled.pooling" if kind["head"] == "numbers" else "head.pooling"
        logits = output(pool(w, states, kind["pooling"], prefix))
        if kind["head"] == "class":
            total, count = total + F.cross_entropy(logits, torch.tensor(CLASSES[item])), count + 1
        else:
            target = (torch.tensor(NUMBERS[item]).double() - torch.tensor(MEAN).double()) / torch.tensor(DEVIATION).double()
            error = logits - target
            total = total + (error.abs().sum() if kind.get("absolute") else (error ** 2).sum())
            count += OUTPUTS
    return total / count


KINDS = {
    "class-attention-text": dict(head="class", pooling="attention", text=True),
    "class-last-text": dict(head="class", pooling="last", text=True),
    "class-max-projection": dict(head="class", pooling="max", vectors="projection"),
    "class-mean-patches-grid": dict(head="class", pooling="mean", vectors="patches", grid=True, positions="learned"),
    "class-attention-both": dict(head="class", pooling="attention", text=True, vectors="projection", grid=True,
                                 positions="sinusoidal"),
    "labels-text": dict(head="labels", text=True),
    "labels-crf-both": dict(head="labels", crf=True, text=True, vectors="projection"),
    "numbers-squared-convolution": dict(head="numbers", pooling="mean", vectors="convolution"),
    "numbers-absolute-convolution-grid": dict(head="numbers", pooling="attention", absolute=True, vectors="convolution",
                                              grid=True, positions="sinusoidal"),
    "numbers-squeeze-excitation": dict(head="numbers", pooling="mean", vectors="convolution",
                                       channel_attention="squeeze-excitation", reduction=1),
    "numbers-squeeze-excitation-grid": dict(head="numbers", pooling="attention", vectors="convolution", grid=True,
                                            channel_attention="squeeze-excitation", reduction=2),
    "numbers-cbam": dict(head="numbers", pooling="attention", vectors="convolution", channel_attention="cbam",
                         reduction=1),
    "numbers-cbam-grid": dict(head="numbers", pooling="mean", vectors="convolution", grid=True,
                              channel_attention="cbam", reduction=2),
    "numbers-patches": dict(head="numbers", pooling="last", vectors="patches"),
}


def main():
    stored = {"source": SOURCE, "grids": GRIDS, "sequences": SEQUENCES, "classes": CLASSES, "word_labels": WORD_LABELS,
              "numbers": NUMBERS, "mean": MEAN, "deviation": DEVIATION,
              "vectors": {name: [v.tolist() for v in vector_values(shapes)]
                          for name, shapes in (("grids", GRIDS), ("sequences", SEQUENCES))},
              "kinds": {}}
    for name, kind in KINDS.items():
        w = Weights()
        value = loss(w, kind)
        value.backward()
        gradients = {key: weighted_sums(key, weight.grad) for key, weight in w.all.items()}
        stored["kinds"][name] = kind | {"loss": value.item(), "gradients": gradients}
    path = os.path.join(os.path.dirname(__file__), "../models/stored/heads_parity.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(stored, file, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    main()
