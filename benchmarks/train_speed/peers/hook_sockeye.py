"""hook_sockeye.py ARGUMENTS: sockeye-train with the meter attached."""
import sys

import meter

meter.allow_any_checkpoint()
import sockeye  # noqa: E402
from sockeye import train as command  # noqa: E402
from sockeye.training import EarlyStoppingTrainer  # noqa: E402

counted = meter.TrainMeter("Sockeye", sockeye.__version__, specials=[0, 2, 3])  # pad bos eos
step = EarlyStoppingTrainer._step


def timed_step(self, batch):
    counted.step(batch.source[:, :, 0], batch.target[:, :, 0], self.sockeye_model)
    return step(self, batch)


EarlyStoppingTrainer._step = timed_step
meter.run_main(command.main, ["sockeye-train", *sys.argv[1:]])
counted.close()
