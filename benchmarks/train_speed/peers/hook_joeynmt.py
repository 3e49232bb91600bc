"""hook_joeynmt.py CONFIG: JoeyNMT's training with the meter attached."""
import pathlib
import sys
from importlib.metadata import version

import meter

meter.allow_any_checkpoint()
import joeynmt.training as training  # noqa: E402
from joeynmt.config import load_config  # noqa: E402
from joeynmt.helpers import make_model_dir  # noqa: E402

counted = meter.TrainMeter("JoeyNMT", version("joeynmt"), specials=[1, 2, 3])  # pad bos eos
step = training.TrainManager._train_step


def train_step(self, batch):
    counted.step(batch.src, batch.trg, self.model)
    return step(self, batch)


training.TrainManager._train_step = train_step
config = load_config(pathlib.Path(sys.argv[1]))
make_model_dir(pathlib.Path(config["model_dir"]), overwrite=True)
training.train(rank=0, world_size=None, cfg=config, skip_test=True)
counted.close()
