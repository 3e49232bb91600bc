"""Reads the event file of a training by TensorBoard's own reader.

    python3 tests/report/tensorboard_test.py HEED [unittest's arguments]
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    from tensorboard.backend.event_processing import event_accumulator, event_file_loader
except ImportError:
    print("skipped: this Python has no tensorboard")
    sys.exit(77)

HEED = ""


class EventFile(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        words = {"one": "eins", "two": "zwei", "three": "drei", "four": "vier", "five": "fünf"}
        for name, step in ("train", 7), ("dev", 11):
            lines = [[list(words)[(i * step + k * k) % 5] for k in range(1 + i % 6)] for i in range(100 if name == "train" else 20)]
            (self.folder / f"{name}.en").write_text("".join(" ".join(line) + "\n" for line in lines))
            (self.folder / f"{name}.de").write_text("".join(" ".join(words[word] for word in line) + "\n" for line in lines))

    def train(self, steps):
        options = {"model": self.folder / "model", "text.type": "words", "arch.d-model": 16, "arch.encoder.layers": 1,
                   "arch.decoder.layers": 1, "arch.encoder.heads": 2, "arch.decoder.heads": 2, "data.batch-tokens": 100,
                   "valid.every": 10, "log.every": 5, "threads": 1, "train.max-steps": steps, "log.tensorboard": self.folder / "runs/a"}
        for side, ending in ("source", "en"), ("target", "de"):
            options |= {side: self.folder / f"train.{ending}", f"valid-{side}": self.folder / f"dev.{ending}"}
        command = [HEED, "train", *(str(word) for name, value in options.items() for word in (f"--{name}", value))]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def scalars(self):
        """(step, value) of each tag."""
        accumulator = event_accumulator.EventAccumulator(str(self.folder / "runs/a"))
        accumulator.Reload()
        return {tag: [(event.step, event.value) for event in accumulator.Scalars(tag)] for tag in accumulator.Tags()["scalars"]}

    def history(self):
        events = [json.loads(line) for line in (self.folder / "model/metrics.jsonl").read_text().splitlines()]
        expected = {}
        for event in events:
            if event["type"] == "train":
                values = {f"train/{name}": event[name] for name in ("loss", "objective", "learning_rate", "gradient_norm",
                                                                    "source_tokens_per_second", "target_tokens_per_second")}
            elif event["type"] == "validation":
                values = {f"valid/{name}": score for name, score in event["scores"].items()}
            else:
                continue
            for tag, value in values.items():
                expected.setdefault(tag, []).append((event["step"], value))
        return expected

    def test_has_the_history_and_no_step_twice(self):
        for steps in 20, 35:
            self.train(steps)
            expected, found = self.history(), self.scalars()
            self.assertEqual(found.keys(), expected.keys())
            self.assertEqual([step for step, _ in found["train/loss"]], list(range(5, steps + 1, 5)))
            for tag in expected:
                self.assertEqual([step for step, _ in found[tag]], [step for step, _ in expected[tag]])
                for (_, value), (_, wanted) in zip(found[tag], expected[tag]):
                    self.assertAlmostEqual(value, wanted, delta=1e-6 * abs(wanted))
        (file,) = (self.folder / "runs/a").iterdir()
        raw = [event.step for event in event_file_loader.EventFileLoader(str(file)).Load() if event.HasField("summary")]
        self.assertEqual(len([step for step in raw if step == 5]), 1, "also as they are in the file")


if __name__ == "__main__":
    HEED = sys.argv.pop(1)
    unittest.main()
