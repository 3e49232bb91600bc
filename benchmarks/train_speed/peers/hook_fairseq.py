"""hook_fairseq.py preprocess|train ARGUMENTS: fairseq's own commands, training with the meter attached."""
import sys

import meter

meter.allow_any_checkpoint()
import fairseq  # noqa: E402


def train(arguments):
    from fairseq.trainer import Trainer
    from fairseq_cli import train as command
    counted = meter.TrainMeter("fairseq", fairseq.__version__, specials=[0, 1, 2])  # bos pad eos
    step = Trainer.train_step

    def train_step(self, samples, *a, **k):
        (sample,) = samples
        counted.step(sample["net_input"]["src_tokens"], sample["target"], self.model)
        return step(self, samples, *a, **k)

    Trainer.train_step = train_step
    meter.run_main(command.cli_main, ["fairseq-train", *arguments])
    counted.close()


def preprocess(arguments):
    from fairseq_cli import preprocess as command
    meter.run_main(command.cli_main, ["fairseq-preprocess", *arguments])


{"train": train, "preprocess": preprocess}[sys.argv[1]](sys.argv[2:])
