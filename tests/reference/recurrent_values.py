"""Makes tests/models/stored/recurrent_parity.json and convolution_parity.json, loss and every gradient of one small model of
each kind, and tests/config/stored/preset_parity.json, those of every preset made small; in float64, as tests/reference/recurrent.py,
convolution.py and transformer.py compute them.

Usage: python tests/reference/recurrent_values.py   (needs PyTorch and NumPy)
"""
import json
import os

import torch

import convolution
from recurrent import Attention, Cells, Recurrent, loss
from transformer import Architecture, Stack
from transformer_values import LABEL_SMOOTHING, SOURCE, TARGET, stored as stored_transformer, weight_values, weighted_sums

KINDS = {
    "sutskever": Recurrent(Cells("lstm", layers=2, hidden=6, direction="backward"), Cells("lstm", layers=2, hidden=6),
                           initial_state="last", readout="state"),
    "bahdanau": Recurrent(Cells("gru-cho"), Cells("gru-cho", hidden=5), Attention("before"), "bridge", "maxout"),
    "luong": Recurrent(Cells("lstm", layers=2, hidden=5, direction="forward"), Cells("lstm", layers=2, hidden=5),
                       Attention("after", "general"), "last"),
    "gnmt": Recurrent(Cells("lstm", layers=3, hidden=4, direction="both-first", residual=True),
                      Cells("lstm", layers=3, hidden=4, residual=True),
                      Attention("before", normalized=True, every_layer=True), "bridge"),
    "local-p": Recurrent(Cells("gru"), Cells("gru", hidden=6),
                         Attention("after", "dot", window="local-p", half_width=2, input_feeding=False)),
    "local-m-sparsemax": Recurrent(Cells("tanh"), Cells("tanh", hidden=6),
                                   Attention("after", "cosine", window="local-m", choice="sparsemax"), "zero", "maxout"),
    "location": Recurrent(Cells("relu"), Cells("relu", hidden=4), Attention("before", "location")),
    "layer-norm": Recurrent(Cells("lstm", layer_norm=True), Cells("lstm", hidden=6, layer_norm=True),
                            Attention("before", "scaled-dot")),
    "layer-norm-gru": Recurrent(Cells("gru", layer_norm=True), Cells("gru", layers=2, hidden=4, layer_norm=True),
                                Attention("after", "uniform"), "bridge"),
    "layer-norm-gru-cho": Recurrent(Cells("gru-cho", layer_norm=True), Cells("gru-cho", hidden=4, layer_norm=True),
                                    Attention("before")),
    "layer-norm-tanh": Recurrent(Cells("tanh", layer_norm=True), Cells("relu", hidden=4, layer_norm=True),
                                 Attention("after", "general")),
    "layer-norm-memory": Recurrent(Cells("lstm", layer_norm=True, tape=True), Cells("lstm", hidden=4, layer_norm=True, tape=True),
                                   Attention("after", "general")),
    "memory": Recurrent(Cells("lstm", tape=True), Cells("lstm", hidden=5, tape=True), Attention("before"), "bridge", "maxout"),
    "memory-gru": Recurrent(Cells("gru", tape=True, direction="backward"), Cells("gru", layers=2, hidden=4, tape=True),
                            Attention("after", "general")),
    "coverage-linguistic": Recurrent(Cells("gru"), Cells("gru", hidden=4),
                                     Attention("after", coverage="linguistic", input_feeding=False)),
    "coverage-neural": Recurrent(Cells("gru"), Cells("gru", hidden=4), Attention("before", coverage="neural")),
    "tf-idf": Recurrent(Cells("gru"), Cells("gru", hidden=4), Attention("before", "tf-idf")),
    "language-model": Recurrent(None, Cells("lstm", layers=2, hidden=4), initial_state="zero"),
}


# Each preset with the sizes of tests/config/preset_parity_test.cpp.
PRE, POST = ([Stack(layers=2, norm_order=order)] * 2 for order in ("pre", "post"))
PRESETS = {
    "transformer-low-resource": Architecture(*[Stack(layers=2, norm_order="pre", positions="rotary")] * 2, tied="all"),
    "transformer-tiny": Architecture(*PRE, tied="all"),
    "transformer-small": Architecture(*PRE, tied="all"),
    "transformer-base": Architecture(*POST, tied="all"),
    "transformer-big": Architecture(*POST, tied="all"),
    "rnn-sutskever": Recurrent(Cells("lstm", layers=2, hidden=6, direction="backward"), Cells("lstm", layers=2, hidden=6),
                               initial_state="last", readout="state"),
    "rnn-bahdanau": Recurrent(Cells("gru-cho"), Cells("gru-cho", hidden=6), Attention("before"), "bridge", "maxout"),
    "rnn-luong": Recurrent(Cells("lstm", layers=2, hidden=6, direction="forward"), Cells("lstm", layers=2, hidden=6),
                           Attention("after", "scaled-general"), "last"),
    "rnn-gnmt": Recurrent(Cells("lstm", layers=4, hidden=3, direction="both-first", residual=True),
                          Cells("lstm", layers=4, hidden=6, residual=True),
                          Attention("before", normalized=True, every_layer=True), "bridge", "state"),
    "rnn-memory": Recurrent(Cells("lstm", tape=True), Cells("lstm", hidden=6, tape=True), Attention("before"), "bridge",
                            "maxout"),
    "conv": convolution.Convolutional(layers=2, hidden=5, kernel=3, tied="decoder", scale=False),
    "lm-lstm": Recurrent(None, Cells("lstm", layers=2, hidden=6), initial_state="zero", readout="state", tied="decoder"),
    "lm-transformer": Architecture(None, PRE[1], tied="decoder"),
}


CONVOLUTIONS = {"centred-3": convolution.Convolutional(),
                "wide": convolution.Convolutional(layers=3, hidden=4, kernel=5)}


def stored(arch, loss):
    made = {}

    def weights(name, *shape):
        if name not in made:
            made[name] = weight_values(name, shape).requires_grad_()
        return made[name]

    smoothed, nll = loss(SOURCE, TARGET, weights, arch, LABEL_SMOOTHING)
    smoothed.backward()
    gradients = {name: weighted_sums(name, w.grad) for name, w in sorted(made.items())}
    return {"loss": smoothed.item(), "nll": nll.item(), "gradients": gradients}


def main():
    write("models/stored/recurrent_parity.json", {name: stored(arch, loss) for name, arch in KINDS.items()})
    write("models/stored/convolution_parity.json", {name: stored(arch, convolution.loss) for name, arch in CONVOLUTIONS.items()})
    write("config/stored/preset_parity.json", {name: stored_preset(arch) for name, arch in PRESETS.items()})


def stored_preset(arch):
    if isinstance(arch, Architecture):
        return stored_transformer(arch)
    return stored(arch, loss if isinstance(arch, Recurrent) else convolution.loss)


def write(name, kinds):
    values = {"source": SOURCE, "target": TARGET, "label_smoothing": LABEL_SMOOTHING, "kinds": kinds}
    path = os.path.join(os.path.dirname(__file__), "..", name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        json.dump(values, file, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    main()
