"""hook_opennmt.py ARGUMENTS: onmt_train with the meter attached."""
import sys

import meter

meter.allow_any_checkpoint()
import onmt  # noqa: E402
from onmt.bin import train as command  # noqa: E402
from onmt.trainer import Trainer  # noqa: E402

counted = meter.TrainMeter("OpenNMT-py", onmt.__version__, specials=[1, 2, 3])  # pad bos eos
step = Trainer._gradient_accumulation


def gradient_accumulation(self, batches, *a, **k):
    (batch,) = batches
    counted.step(batch["src"], batch["tgt"], self.model)
    return step(self, batches, *a, **k)


Trainer._gradient_accumulation = gradient_accumulation
meter.run_main(command.main, ["onmt_train", *sys.argv[1:]])
counted.close()
