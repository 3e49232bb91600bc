"""A plain training loop over torch.nn.Transformer, as one writes it in an afternoon: batches of about one length, PyTorch's
scaled_dot_product_attention, fused Adam, optionally autocast to bfloat16. Timed by the meter."""
import argparse
import contextlib
import math
import random

import torch
from torch import nn
from torch.nn import functional

import meter

PAD, UNK, BEGIN, END = range(4)
PADDED = 1.075  # tokens of the longer side with padding, for each target token of an update
LABEL_SMOOTHING, DROPOUT, CLIP = 0.1, 0.1, 1.0


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("layers", "width", "feed-forward", "heads", "warmup", "updates"):
        parser.add_argument(f"--{name}", type=int, required=True)
    parser.add_argument("--update-tokens", type=int, required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--rate", type=float, required=True)
    parser.add_argument("--device", choices=("cpu", "cuda"), required=True)
    parser.add_argument("--precision", choices=("fp32", "bf16"), required=True)
    return parser.parse_args()


def read_pairs(data):
    with open(f"{data}/vocabulary.tokens", encoding="utf-8") as lines:
        entries = [line.rstrip("\n") for line in lines if not line.startswith("#version")]
    number = {entry: i for i, entry in enumerate(entries)}
    sides = []
    for language in ("en", "de"):
        with open(f"{data}/train.pieces.{language}", encoding="utf-8") as lines:
            sides.append([[number.get(piece, UNK) for piece in line.split()] for line in lines])
    return list(zip(*sides)), len(entries)


def length(pair):
    """Of the longer side, end or begin symbol counted."""
    return 1 + max(map(len, pair))


def cut(pairs, most):
    """Batches of pairs of about one length, of at most so many tokens."""
    batch, longest = [], 0
    for pair in sorted(pairs, key=lambda pair: (len(pair[1]), len(pair[0]))):
        longest = max(longest, length(pair))
        if batch and longest * (len(batch) + 1) > most:
            yield batch
            batch, longest = [], length(pair)
        batch.append(pair)
    yield batch


def padded(sentences):
    longest = max(map(len, sentences))
    return torch.tensor([sentence + [PAD] * (longest - len(sentence)) for sentence in sentences])


def batches(pairs, most):
    """Source, target input and target output without end, [batch, length]."""
    order = random.Random(42)
    cuts = list(cut(pairs, most))
    while True:
        order.shuffle(cuts)
        for batch in cuts:
            yield (padded([source + [END] for source, _ in batch]), padded([[BEGIN] + target for _, target in batch]),
                   padded([target + [END] for _, target in batch]))


def sinusoids(count, width):
    position = torch.arange(count).unsqueeze(1)
    angle = position * torch.exp(torch.arange(0, width, 2) * (-math.log(10000) / width))
    return torch.stack((angle.sin(), angle.cos()), dim=2).flatten(1)


class Transformer(nn.Module):
    """Norms before the sublayers, one matrix for all embeddings and the output."""

    def __init__(self, options, entries):
        super().__init__()
        self.embedding = nn.Embedding(entries, options.width, PAD)
        nn.init.normal_(self.embedding.weight, std=options.width ** -0.5)
        self.layers = nn.Transformer(options.width, options.heads, options.layers, options.layers, options.feed_forward,
                                     DROPOUT, batch_first=True, norm_first=True)
        self.dropout = nn.Dropout(DROPOUT)
        self.register_buffer("positions", sinusoids(1024, options.width))

    def embedded(self, ids):
        scaled = self.embedding(ids) * math.sqrt(self.positions.size(1))
        return self.dropout(scaled + self.positions[:ids.size(1)])

    def forward(self, source, target):
        padding = source == PAD
        later = nn.Transformer.generate_square_subsequent_mask(target.size(1), device=target.device)
        hidden = self.layers(self.embedded(source), self.embedded(target), tgt_mask=later, tgt_is_causal=True,
                             src_key_padding_mask=padding, memory_key_padding_mask=padding)
        return functional.linear(hidden, self.embedding.weight)


def train(options, counted):
    torch.manual_seed(42)
    pairs, entries = read_pairs(options.data)
    model = Transformer(options, entries).to(options.device)
    adam = torch.optim.Adam(model.parameters(), lr=options.rate, betas=(0.9, 0.98), fused=True)
    rate = torch.optim.lr_scheduler.LambdaLR(adam, lambda update: min((update + 1) / options.warmup,
                                                                      math.sqrt(options.warmup / (update + 1))))
    low = options.precision == "bf16"
    for _, (source, target, output) in zip(range(options.updates), batches(pairs, PADDED * options.update_tokens)):
        counted.step(source, output, model)
        source, target, output = (ids.to(options.device) for ids in (source, target, output))
        with torch.autocast(options.device, torch.bfloat16) if low else contextlib.nullcontext():
            logits = model(source, target)
        loss = functional.cross_entropy(logits.float().flatten(0, 1), output.flatten(), ignore_index=PAD,
                                        label_smoothing=LABEL_SMOOTHING)
        adam.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        adam.step()
        rate.step()
    print(f"loss of the last update: {loss.item():.4f}")


def main():
    options = parse_arguments()
    counted = meter.TrainMeter("PyTorch", f"{torch.__version__.split('+')[0]} {options.precision}",
                               specials=[PAD, BEGIN, END])
    train(options, counted)
    counted.close()


if __name__ == "__main__":
    main()
