"""Recurrent encoders and decoders in plain PyTorch, to be read beside the papers and to check heed's C++ against.

Sentence by sentence and step by step, with no padding anywhere, so that heed's batches and masks are checked too. `weights`
gives the parameter of a name: weights(name, *shape), or weights(name) for a vector of heed's that may not exist.

Cho et al. 2014, https://arxiv.org/abs/1406.1078; Sutskever et al. 2014, https://arxiv.org/abs/1409.3215; Bahdanau et al.
2015, https://arxiv.org/abs/1409.0473; Luong et al. 2015, https://arxiv.org/abs/1508.04025; Wu et al. 2016,
https://arxiv.org/abs/1609.08144; Ba et al. 2016, https://arxiv.org/abs/1607.06450; Cheng et al. 2016,
https://arxiv.org/abs/1601.06733; Tu et al. 2016, https://arxiv.org/abs/1601.04811
"""
import math
from dataclasses import dataclass, field

import torch

PAD = 0
IDF_LINES = 10


@dataclass
class Cells:
    """The options of a stack of recurrent layers; the names are heed's."""
    cell: str = "gru"            # lstm, gru, gru-cho, tanh, relu
    layers: int = 1
    hidden: int = 3
    layer_norm: bool = False
    tape: bool = False           # Cheng et al. 2016
    residual: bool = False
    direction: str = "both"      # encoder only: forward, backward, both, both-first


@dataclass
class Attention:
    place: str = "none"          # none, before, after
    score: str = "additive"      # dot, scaled-dot, cosine, general, scaled-general, additive, location, uniform, tf-idf
    normalized: bool = False
    max_source: int = 7
    window: str = "global"       # global, local-m, local-p
    half_width: int = 1
    choice: str = "soft"         # soft, sparsemax
    coverage: str = "none"       # none, linguistic (at most 2 target words each), neural (of width 3)
    every_layer: bool = False
    input_feeding: bool = True


@dataclass
class Recurrent:
    encoder: Cells | None
    decoder: Cells
    attention: Attention = field(default_factory=Attention)
    initial_state: str = "mean"  # mean, bridge, last, zero
    readout: str = "tanh"        # state, tanh, maxout
    d_model: int = 6
    vocab: int = 9
    tied: str = "none"           # none, decoder
    scale: bool = True           # embeddings by sqrt(d_model)


GATES = {"lstm": 4, "gru": 3, "gru-cho": 3, "tanh": 1, "relu": 1}


def layer_norm(x, name, weights, epsilon=1e-6):
    centered = x - x.mean()
    scaled = centered / torch.sqrt(centered.pow(2).mean() + epsilon)
    return scaled * weights(f"{name}.weight", len(x)) + weights(f"{name}.bias", len(x))


def cell_step(x, extra, state, name, options, weights):
    """One step of a cell: (h, c) -> (h, c); c is None but for an LSTM."""
    h, c = state
    d, gates = options.hidden, GATES[options.cell]

    def normed(v, part):
        return layer_norm(v, f"{name}.{part}", weights) if options.layer_norm else v

    rows = (gates + options.tape) * d  # the tape's share is its own
    a = (weights(f"{name}.input.weight", rows, len(x)) @ x)[:gates * d]
    if not options.layer_norm:
        a = a + weights(f"{name}.input.bias", rows)[:gates * d]
    a = normed(a, "input_norm")
    if extra is not None:
        a = a + normed(weights(f"{name}.extra.weight", gates * d, len(extra)) @ extra, "extra_norm")
    U = weights(f"{name}.recurrent.weight", gates * d, d)
    if options.cell == "gru-cho":
        b = normed(U[:2 * d] @ h, "recurrent_norm")
        r = torch.sigmoid(a[:d] + b[:d])
        z = torch.sigmoid(a[d:2 * d] + b[d:])
        n = torch.tanh(a[2 * d:] + normed(U[2 * d:] @ (r * h), "candidate_norm"))
        return (1 - z) * n + z * h, None
    b = U @ h
    if options.cell == "gru" and not options.layer_norm:
        b = b + weights(f"{name}.recurrent.bias", gates * d)
    b = normed(b, "recurrent_norm")
    if options.cell == "gru":
        r = torch.sigmoid(a[:d] + b[:d])
        z = torch.sigmoid(a[d:2 * d] + b[d:2 * d])
        n = torch.tanh(a[2 * d:] + r * b[2 * d:])
        return (1 - z) * n + z * h, None
    if options.cell in ("tanh", "relu"):
        return getattr(torch, options.cell)(a + b), None
    i, f, g, o = (a + b).split(d)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(normed(c, "cell_norm")), c


class Recalling:
    """A cell that goes on from a mixture of all its states (Cheng et al. 2016, section 3.1), or a plain one."""

    def __init__(self, state, name, options, weights):
        self.state, self.name, self.options, self.weights = state, name, options, weights
        self.past, self.recalled = [state], state[0]

    def step(self, x, extra):
        before = self.state
        if self.options.tape:
            before = self.mixture(x)
            self.recalled = before[0]
        self.state = cell_step(x, extra, before, self.name, self.options, self.weights)
        self.past.append(self.state)
        return self.state

    def mixture(self, x):
        d, name, weights = self.options.hidden, self.name, self.weights
        gates = GATES[self.options.cell]
        own = slice(gates * d, (gates + 1) * d)
        asked = weights(f"{name}.input.weight", (gates + 1) * d, len(x))[own] @ x
        if not self.options.layer_norm:
            asked = asked + weights(f"{name}.input.bias", (gates + 1) * d)[own]
        asked = asked + weights(f"{name}.tape.recall.weight", d, d) @ self.recalled
        key, v = weights(f"{name}.tape.key.weight", d, d), weights(f"{name}.tape.vector", 1, d)[0]
        shares = torch.softmax(torch.stack([v @ torch.tanh(key @ h + asked) for h, _ in self.past]), 0)
        h = sum(share * h for share, (h, _) in zip(shares, self.past))
        c = sum(share * c for share, (_, c) in zip(shares, self.past)) if self.state[1] is not None else None
        return h, c


def zero_state(options):
    zeros = torch.zeros(options.hidden, dtype=torch.float64)
    return zeros, zeros if options.cell == "lstm" else None


def read(xs, name, options, weights, backwards):
    """The states of one direction, in the order of the words, and the last one read."""
    cell = Recalling(zero_state(options), name, options, weights)
    states = [cell.step(x, None)[0] for x in (reversed(xs) if backwards else xs)]
    return (states[::-1] if backwards else states), cell.state


def scale_of(arch):
    return math.sqrt(arch.d_model) if arch.scale else 1


def output_weight(arch, weights):
    """Tied: the decoder's table."""
    return weights("output.weight" if arch.tied == "none" else "decoder.embedding.weight", arch.vocab, arch.d_model)


def encode(tokens, options, arch, weights):
    """The states of the last layer, one a word, and each layer's last (h, c)."""
    table = weights("encoder.embedding.weight", arch.vocab, arch.d_model)
    xs = [table[t] * scale_of(arch) for t in tokens]
    last = []
    for layer in range(options.layers):
        name = f"encoder.layers.{layer}"
        both = options.direction == "both" or (options.direction == "both-first" and layer == 0)
        ways = ["forward", "backward"] if both else [options.direction.split("-")[0].replace("both", "forward")]
        results = [read(xs, f"{name}.{way}_cell", options, weights, way == "backward") for way in ways]
        states = [torch.cat(parts) for parts in zip(*(states for states, _ in results))]
        last.append(tuple(torch.cat(parts) if parts[0] is not None else None for parts in zip(*(s for _, s in results))))
        adds = options.residual and layer > 0 and len(xs[0]) == len(states[0])
        xs = [x + s for x, s in zip(xs, states)] if adds else states
    return torch.stack(xs), last


def initial_states(memory, last, arch, weights):
    options = arch.decoder
    if arch.encoder is None or arch.initial_state == "zero":
        return [zero_state(options)] * options.layers
    if arch.initial_state == "last":
        return last
    hidden = memory.mean(0) if arch.initial_state == "mean" else torch.cat([h for h, _ in last])
    cells = hidden if arch.initial_state == "mean" or last[0][1] is None else torch.cat([c for _, c in last])

    def mapped(x, part):
        size = options.layers * options.hidden
        name = f"decoder.initial_state.{part}"
        y = torch.tanh(weights(f"{name}.weight", size, len(x)) @ x + weights(f"{name}.bias", size))
        return y.split(options.hidden)

    hs = mapped(hidden, "hidden")
    cs = mapped(cells, "cell") if options.cell == "lstm" else [None] * options.layers
    return list(zip(hs, cs))


def sparsemax(scores):
    """Martins and Astudillo 2016, algorithm 1."""
    z, _ = scores.sort(descending=True)
    k = max(i + 1 for i in range(len(z)) if 1 + (i + 1) * z[i] > z[:i + 1].sum())
    return torch.clamp(scores - (z[:k].sum() - 1) / k, min=0)


class Coverage:
    """What attention has looked at so far (Tu et al. 2016, section 3.1)."""

    def __init__(self, memory, options, weights):
        self.memory, self.options, self.weights = memory, options, weights
        self.width = {"none": 0, "linguistic": 1, "neural": 3}[options.coverage]
        self.values = torch.zeros(len(memory), self.width, dtype=torch.float64)

    def add(self, shares, s):
        name, weights, width = "decoder.attention.coverage", self.weights, self.width
        if width == 0:
            return
        of_source = self.memory @ weights(f"{name}.source.weight", width, self.memory.shape[1]).T
        if width == 1:
            self.values = self.values + shares[:, None] / (2 * torch.sigmoid(of_source))
            return
        of_source = of_source + weights(f"{name}.source.bias", width)
        looked = torch.cat([self.values, shares[:, None]], 1) @ weights(f"{name}.step.weight", width, width + 1).T
        self.values = torch.tanh(looked + of_source + weights(f"{name}.query.weight", width, len(s)) @ s)


def tf_idf(source):
    """Of each token, where token t stands in IDF_LINES - t of the IDF_LINES training lines."""
    return torch.tensor([source.count(t) * math.log(IDF_LINES / (IDF_LINES - t)) for t in source], dtype=torch.float64)


def scores_of(s, memory, source, coverage, options, weights):
    name = "decoder.attention.score"
    d, m = len(s), memory.shape[1]
    if options.score == "tf-idf":
        return torch.log(tf_idf(source))
    if options.score == "uniform":
        return torch.zeros(len(memory), dtype=s.dtype)
    if options.score == "location":
        return (weights(f"{name}.position.weight", options.max_source, d) @ s)[:len(memory)]
    if options.score in ("general", "scaled-general"):
        scores = memory @ weights(f"{name}.key.weight", d, m).T @ s
        return scores / (math.sqrt(d) if options.score == "scaled-general" else 1)
    if options.score == "additive":
        keys = memory @ weights(f"{name}.key.weight", d, m).T + weights(f"{name}.key.bias", d)
        v = weights(f"{name}.vector", 1, d)[0]
        if options.normalized:
            v = weights(f"{name}.length", 1) * v / v.norm()
        if coverage.width > 0:
            keys = keys + coverage.values @ weights(f"{name}.coverage.weight", d, coverage.width).T
        return torch.tanh(keys + weights(f"{name}.query.weight", d, d) @ s) @ v
    if options.score == "cosine":
        return weights(f"{name}.scale", 1) * torch.stack([h @ s / (h.norm() * s.norm()) for h in memory])
    return memory @ s / (math.sqrt(d) if options.score == "scaled-dot" else 1)


def attend(s, t, memory, source, coverage, options, weights):
    length = len(memory)
    scores = scores_of(s, memory, source, coverage, options, weights)
    middle = None
    if options.window == "local-m":
        middle = torch.tensor(float(min(t, length - 1)), dtype=s.dtype)
    if options.window == "local-p":
        hidden = torch.tanh(weights("decoder.attention.predict_hidden.weight", len(s), len(s)) @ s)
        middle = length * torch.sigmoid(weights("decoder.attention.predict_middle.weight", 1, len(s)) @ hidden)[0]
    inside = [j for j in range(length) if middle is None or abs(j - middle.item()) <= options.half_width]
    weights_inside = sparsemax(scores[inside]) if options.choice == "sparsemax" else torch.softmax(scores[inside], 0)
    if options.window == "local-p":
        places = torch.tensor(inside, dtype=s.dtype)
        deviation = options.half_width / 2
        weights_inside = weights_inside * torch.exp(-(places - middle) ** 2 / (2 * deviation ** 2))
    if coverage.width > 0:
        coverage.add(weights_inside, s)
    return weights_inside @ memory[inside]


def read_out(s, context, y, arch, weights):
    if arch.readout == "state":
        return s
    x = torch.cat([v for v in (s, context) if v is not None] + ([y] if arch.readout == "maxout" else []))
    size = arch.d_model * (2 if arch.readout == "maxout" else 1)
    r = weights("decoder.readout.map.weight", size, len(x)) @ x + weights("decoder.readout.map.bias", size)
    return torch.tanh(r) if arch.readout == "tanh" else torch.maximum(*r.split(arch.d_model))


def decode(tokens, source, memory, last, arch, weights):
    """The readout after each of the words given."""
    options, attention = arch.decoder, arch.attention
    table = weights("decoder.embedding.weight", arch.vocab, arch.d_model)
    cells = [Recalling(state, f"decoder.cells.{layer}", options, weights)
             for layer, state in enumerate(initial_states(memory, last, arch, weights))]
    coverage = Coverage(memory, attention, weights) if attention.place != "none" else None
    feed = torch.zeros(arch.d_model, dtype=torch.float64)
    readouts = []
    for t, token in enumerate(tokens):
        y = table[token] * scale_of(arch)
        context = extra = None
        if attention.place == "before":
            context = extra = attend(cells[0].state[0], t, memory, source, coverage, attention, weights)
        if attention.place == "after" and attention.input_feeding:
            extra = feed
        x = y
        for layer in range(options.layers):
            own_extra = extra if layer == 0 or attention.every_layer else None
            h, _ = cells[layer].step(x, own_extra)
            x = x + h if options.residual and layer > 0 else h
        if attention.place == "after":
            context = attend(x, t, memory, source, coverage, attention, weights)
        feed = read_out(x, context, y, arch, weights)
        readouts.append(feed)
    return readouts


def loss(sources, targets, weights, arch, label_smoothing):
    """The label-smoothed cross-entropy per predicted token, and the plain one. Targets: bos, words, eos, padding."""
    logs, predicted = [], []
    for source, target in zip(sources, targets):
        memory = last = None
        source = [t for t in source if t != PAD]
        if arch.encoder is not None:
            memory, last = encode(source, arch.encoder, arch, weights)
        words = [t for t in target if t != PAD]
        for readout in decode(words[:-1], source, memory, list(last) if last else None, arch, weights):
            logits = output_weight(arch, weights) @ readout
            logs.append(torch.log_softmax(logits + weights("output.bias", arch.vocab), -1))
        predicted += words[1:]
    nll = -torch.stack([log[word] for log, word in zip(logs, predicted)]).mean()
    uniform = -torch.stack(logs).mean()
    return (1 - label_smoothing) * nll + label_smoothing * uniform, nll
