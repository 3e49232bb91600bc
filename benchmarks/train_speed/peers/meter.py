"""Counts and times the updates of a toolkit's own training loop, for the hook_*.py beside it.

A target token is a piece or the end-of-sentence symbol that the loss covers, one a sentence; a source token is a piece,
and one end symbol a sentence whether or not the toolkit reads one. Padding and begin symbols never count.
"""
import json
import os
import sys
import time

import torch


def allow_any_checkpoint():
    """Checkpoints of these toolkits hold more than tensors, which recent versions of PyTorch refuse unless told."""
    load = torch.load
    torch.load = lambda *a, **k: load(*a, **{**k, "weights_only": False})


class TrainMeter:
    """step() before every update; the clock runs from update WARMUP to the start of the last one, the UPDATES-th."""

    def __init__(self, toolkit, version, specials):
        self.result = {"version": f"{toolkit} {version}", "torch": torch.__version__}
        self.specials = torch.tensor(specials)
        self.warmup = int(os.environ["WARMUP"])
        self.updates = int(os.environ["UPDATES"])
        self.rows = []

    def count(self, ids):
        """Pieces and one end symbol a row."""
        return int((~torch.isin(ids, self.specials)).sum()) + ids.shape[0]

    def step(self, source, target, model):
        if not self.rows:
            self.result["parameters"] = sum(p.numel() for p in model.parameters())
        if len(self.rows) in (self.warmup, self.updates - 1) and torch.cuda.is_available():
            torch.cuda.synchronize()  # what was asked for so far is done
        self.rows.append((self.count(source), self.count(target), target.numel(), time.perf_counter()))

    def close(self):
        rows = self.rows[self.warmup:]
        if len(rows) < 2:
            sys.exit(f"{len(self.rows)} updates are too few to measure")
        seconds = rows[-1][3] - rows[0][3]
        timed = rows[:-1]
        source, target, padded = (sum(column) for column in list(zip(*timed))[:3])
        self.result.update(updates=len(timed), seconds=seconds, target_tokens_per_second=target / seconds,
                           all_tokens_per_second=(source + target) / seconds,
                           target_tokens_per_update=target / len(timed), padding=1 - target / padded)
        with open(os.environ["RESULT"], "w", encoding="utf-8") as out:
            json.dump(self.result, out)


def run_main(main, arguments):
    """A toolkit's own command with these arguments; an end without an error is no end of ours."""
    sys.argv = arguments
    try:
        main()
    except SystemExit as end:
        if end.code:
            raise
