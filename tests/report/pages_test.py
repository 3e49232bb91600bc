"""Tries `heed report`, `heed watch` and `heed evaluate --report` as users do; with a Chromium, in a browser too.

    python3 tests/report/pages_test.py HEED [unittest's arguments]
"""

import html
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

HEED = ""
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
HOSTILE = "</script><img src=x onerror=alert(1)> \u202egnp.exe\u202c \x1b[31m"


def events(bleu=30.0, steps=6, hypothesis="ein Hund rennt"):
    """metrics.jsonl of a small training."""
    yield {"type": "start", "step": 0, "parameters": 1234, "pairs": 50, "device": "cpu", "threads": 2, "replicas": 1, "matmul": "by hand",
           "processor": "a processor", "preset": "transformer-tiny", "options": {"arch.dropout": ["0.3", "0.2"]}}
    for step in range(100, 100 * steps + 1, 100):
        place = {"step": step, "tokens": 1000 * step, "epochs": step / 100, "elapsed": step / 10}
        yield {"type": "train", **place, "objective": 3.0, "loss": 500 / step, "learning_rate": 0.001, "gradient_norm": 1.5,
               "source_tokens_per_second": 900, "target_tokens_per_second": 1000, "seconds": {"forward": 4, "backward": 5}, "remaining": 60}
        yield {"type": "validation", **place, "scores": {"loss": 2.0, "perplexity": 7.4, "bleu": bleu - 100 / step}, "metric": "bleu", "best": True,
               "seconds": 1, "samples": [{"source": "a dog runs", "reference": "ein Hund rennt weg", "hypothesis": hypothesis,
                                          "attention": {"source": ["a", "dog", "runs"], "target": ["ein", HOSTILE],
                                                        "weights": [[0.5, 0.25, step / 1000], [0, 1, 0]]}},
                                         {"source": HOSTILE, "reference": HOSTILE, "hypothesis": HOSTILE}]}


def write_run(directory, translations=None, **options):
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "metrics.jsonl").write_text("".join(json.dumps(event) + "\n" for event in events(**options)))
    (directory / "config.toml").write_text(f'seed = 1\nmodel = "{directory}"\n[arch]\ndropout = {options.get("bleu", 30.0) / 100}\n')
    if translations:
        (directory / "valid.references").write_text("ein Hund rennt weg\nzwei Katzen schlafen dort\n" * 20)
        (directory / "valid.translations").write_text(translations * 20)


def heed(*arguments, status=0):
    done = subprocess.run([HEED, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != status:
        raise AssertionError(f"status {done.returncode}: {done.stderr}")
    return done.stdout if status == 0 else done.stderr


class Browser:
    """Pages as Chromium draws them."""

    def __init__(self, folder):
        self.profile = pathlib.Path(folder) / "profile"

    def run(self, url, *options):
        command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
                   "--disable-component-update", "--disable-sync", f"--user-data-dir={self.profile}", "--virtual-time-budget=4000", *options, url]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout

    def elements(self, url, *options):
        """The HTML of what the page drew."""
        page = self.run(url, "--dump-dom", *options)
        return re.search(r'<main id="page">(.*?)</main>', page, re.DOTALL)[1]


def text_of(elements):
    return html.unescape(re.sub(r"<[^>]*>", "", elements))


class Pages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.browser = Browser(self.folder)

    def elements(self, path, address="", *options):
        if not CHROMIUM:
            self.skipTest("there is no Chromium")
        elements = self.browser.elements(path.as_uri() + address if isinstance(path, pathlib.Path) else path, *options)
        self.assertNotIn('id="error"', elements)
        return elements

    def test_a_training(self):
        run = self.folder / "run"
        write_run(run)
        self.assertEqual(heed("report", run), f"{run}/report.html\n")
        elements = self.elements(run / "report.html")
        text = text_of(elements)
        for part in ("run", "BLEU, best model (step 600)", "Loss, nats per target token", "Learning rate", "a dog runs", "after step 600", "validation 6 of 6",
                     "What differs from the preset transformer-tiny", "arch.dropout", "a processor", "forward pass", "where the words looked"):
            self.assertIn(part, text)
        self.assertIn('style="--w:0.60" title="ein → runs: 0.60"', elements)
        self.assertIn('<span class="same">Hund</span>', elements)
        self.assertNotIn("<img", elements)
        self.assertIn("</script><img src=x onerror=alert(1)> ⟨U+202E⟩gnp.exe⟨U+202C⟩ ⟨U+001B⟩[31m", text)

    def test_the_address_chooses(self):
        write_run(self.folder / "run")
        heed("report", self.folder / "run")
        elements = self.elements(self.folder / "run/report.html", "#x=elapsed&scale=log&smooth=0", "--window-size=390,900",
                                 "--blink-settings=preferredColorScheme=0")
        self.assertRegex(elements, r'aria-pressed="true">hours<')
        self.assertRegex(elements, r'aria-pressed="true">log<')
        self.assertIn("hours of training", elements)

    def test_several_trainings(self):
        write_run(self.folder / "one", "ein Hund rennt\nzwei Katzen\n")
        write_run(self.folder / "two", "ein Hund rennt weg\nzwei Katzen schlafen dort\n", bleu=35.0, hypothesis="ein Hund rennt weg")
        page = self.folder / "both.html"
        heed("report", self.folder / "one", self.folder / "two", "--output", page, "--label", "small", "--label", "large & good")
        text = text_of(self.elements(page))
        for part in ("2 trainings side by side", "small", "large & good", "Paired bootstrap", "baseline", "Options that differ", "0.35"):
            self.assertIn(part, text)
        self.assertNotIn("seed", text[text.index("Options that differ"):])

    def test_bad_input(self):
        self.assertIn("no training given", heed("report", status=2))
        self.assertIn("has no training", heed("report", self.folder, status=1))
        write_run(self.folder / "run")
        self.assertIn("--label", heed("report", self.folder / "run", "--label", "a", "--label", "b", status=2))
        (self.folder / "victim").write_text("precious")
        (self.folder / "run/report.html").symlink_to(self.folder / "victim")
        self.assertIn("is a link", heed("report", self.folder / "run", status=1))
        self.assertEqual((self.folder / "victim").read_text(), "precious")
        write_run(self.folder / "one", "a\nb\n")
        write_run(self.folder / "two")
        for name in ("valid.references", "valid.translations"):
            os.mkfifo(self.folder / "two" / name)
        self.assertIn("valid.references", heed("report", self.folder / "one", self.folder / "two", "--output", "-", status=1))

    def watch(self, *runs):
        """A server, its address, and a function that gets a path of it."""
        errors = self.folder / "errors"
        with errors.open("w") as log:
            server = subprocess.Popen([HEED, "watch", *runs, "--port", "0"], stderr=log)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        end = time.monotonic() + 60
        while not (address := re.search(r"http://\S+", errors.read_text())) and time.monotonic() < end:
            time.sleep(0.02)

        def get(path):
            with urllib.request.urlopen(address[0] + path) as answer:
                return answer.read().decode()
        return server, address[0], get

    def test_watching_several_compares_their_newest_translations(self):
        write_run(self.folder / "one", "ein Hund rennt\nzwei Katzen\n")
        write_run(self.folder / "two", "ein Hund rennt weg\nzwei Katzen schlafen dort\n")
        _, _, get = self.watch(self.folder / "one", self.folder / "two")
        before = json.loads(get("/data.json"))
        with (self.folder / "one/metrics.jsonl").open("a") as history:
            history.write(json.dumps({"type": "train", "step": 700, "loss": 0.25}) + "\n")
        grown = json.loads(get("/data.json"))
        self.assertEqual(grown["runs"][0]["train"]["loss"][-1], 0.25)
        self.assertEqual(grown["comparison"], before["comparison"])
        (self.folder / "one/valid.translations").write_text("ein Hund rennt weg\nzwei Katzen schlafen dort\n" * 20)
        now = json.loads(get("/data.json"))["comparison"]["metrics"][0]["results"]
        self.assertEqual(now[0]["score"], now[1]["score"])
        self.assertLess(before["comparison"]["metrics"][0]["results"][0]["score"], now[0]["score"])

    def test_watching(self):
        run = self.folder / "run"
        write_run(run)
        self.assertIn("has no training", heed("watch", self.folder, status=1))
        server, address, get = self.watch(run)
        before = get("/data.json")
        self.assertEqual(before, get("/data.json"))
        if CHROMIUM:
            self.assertIn("live; as of", text_of(self.elements(address + "/")))
        self.assertIn('"live":"data.json"', get("/"))
        with (run / "metrics.jsonl").open("a") as history:
            history.write(json.dumps({"type": "train", "step": 700, "loss": 0.25}) + "\n")
        self.assertEqual(json.loads(get("/data.json"))["runs"][0]["train"]["loss"][-1], 0.25)
        with self.assertRaises(urllib.error.HTTPError) as refused:
            get("/../config.toml")
        self.assertEqual(refused.exception.code, 404)
        (run / "metrics.jsonl").unlink()
        self.assertIn("Nothing to show yet", get("/"))
        server.send_signal(signal.SIGINT)
        self.assertEqual(server.wait(60), 0)

    def write_systems(self):
        for name, lines in {"source": ["a dog", HOSTILE], "reference": ["ein Hund rennt weg", "x " + HOSTILE.replace("\x1b", "")],
                            "one": ["ein Hund rennt", "y"], "two": ["weg rennt ein Hund", "x"]}.items():
            (self.folder / name).write_text("\n".join(lines * 12) + "\n")

    def test_an_evaluation(self):
        self.write_systems()
        page = self.folder / "page.html"
        files = [self.folder / name for name in ("one", "two")]
        usual = heed("evaluate", "--reference", self.folder / "reference", *files)
        self.assertEqual(heed("evaluate", "--reference", self.folder / "reference", "--source", self.folder / "source", "--report", page, *files), usual)
        elements = self.elements(page)
        text = text_of(elements)
        for part in ("2 systems, 24 lines", "BLEU", "chrF2", "TER (lower is better)", "baseline", "F1 of words by their frequency", "brevity penalty",
                     "24 sentences", "line 2"):
            self.assertIn(part, text)
        self.assertNotIn("<img", elements)
        self.assertIn('<span class="gone" title="missing">weg</span>', elements)
        self.assertIn('<span class="moved" title="elsewhere in the reference">weg</span>', elements)

    def test_scores_on_the_page(self):
        self.write_systems()
        page = self.folder / "page.html"
        heed("evaluate", "--reference", self.folder / "reference", "--report", page, "--metric", "chrf", "--frequencies", self.folder / "one", self.folder / "one")
        data = json.loads(re.search(r'id="data">(.*?)</script>', page.read_text(), re.DOTALL)[1])
        shown = heed("evaluate", "--reference", self.folder / "reference", "--metric", "chrf", "--decimals", "4", "--significance", "confidence", self.folder / "one")
        score, mean, margin = re.search(r"= (\S+) \(μ = (\S+) ± (\S+)\)", shown).groups()
        result = data["metrics"][0]["scores"][0]
        self.assertEqual([result["score"], result["mean"], result["margin"]], [float(x) for x in (score, mean, margin)])
        classes = dict(zip(data["frequency"]["classes"], data["frequency"]["systems"][0]))
        self.assertEqual(classes["10-99"], [36, 48, 36], "ein, Hund and rennt are in `one` 12 times each, as is y")

    def test_labels_and_no_source(self):
        self.write_systems()
        page = self.folder / "page.html"
        heed("evaluate", "--reference", self.folder / "reference", "--reference", self.folder / "two", "--report", page, "--label", "the only one",
             "--metric", "wer", self.folder / "one")
        text = text_of(self.elements(page))
        self.assertIn("the only one", text)
        self.assertIn("WER (lower is better)", text)
        self.assertNotIn("baseline", text)

    def test_options_of_the_evaluation(self):
        self.write_systems()
        reference, one = self.folder / "reference", self.folder / "one"
        for options, message in {("--report", "-"): "must be a file", ("--frequencies", one): "goes with `--report`",
                                 ("--report", one): "--report", ("--label", "a"): "go with `--by-length` or `--report`"}.items():
            self.assertIn(message, heed("evaluate", "--reference", reference, *options, one, status=2))


class Trainings(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        words = {"one": "eins", "two": "zwei", "three": "drei", "four": "vier", "five": "fünf"}
        for name, step in ("train", 7), ("dev", 11):
            lines = [[list(words)[(i * step + k * k) % 5] for k in range(1 + i % 6)] for i in range(300 if name == "train" else 20)]
            (self.folder / f"{name}.en").write_text("".join(" ".join(line) + "\n" for line in lines))
            (self.folder / f"{name}.de").write_text("".join(" ".join(words[word] for word in reversed(line)) + "\n" for line in lines))

    def command(self, *more, model="model"):
        options = {"model": self.folder / model, "text.type": "words", "arch.d-model": 16, "arch.encoder.layers": 1, "arch.decoder.layers": 1,
                   "arch.encoder.heads": 2, "arch.decoder.heads": 2, "data.batch-tokens": 100, "valid.every": 10, "log.every": 5, "threads": 1}
        for side, ending in ("source", "en"), ("target", "de"):
            options |= {side: self.folder / f"train.{ending}", f"valid-{side}": self.folder / f"dev.{ending}"}
        return [HEED, "train", *(str(word) for name, value in options.items() for word in (f"--{name}", value)), *map(str, more)]

    def train(self, *more, **options):
        done = subprocess.run(self.command(*more, **options), capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def test_a_training_writes_its_page(self):
        self.train("--train.max-steps", 20)
        model = self.folder / "model"
        data = json.loads(re.search(r'id="data">(.*?)</script>', (model / "report.html").read_text(), re.DOTALL)[1])
        run = data["runs"][0]
        self.assertEqual(run["validation"]["step"], [10, 20])
        self.assertEqual(run["train"]["step"], [5, 10, 15, 20])
        self.assertEqual(run["finish"]["metric"], "bleu")
        with_maps = [sample for sample in run["samples"] if "attention" in sample]
        self.assertEqual(len(with_maps), 1)
        self.assertEqual([step for step, _ in with_maps[0]["attention"]], [10, 20])
        for _, found in with_maps[0]["attention"]:
            self.assertEqual(" ".join(found["source"]), with_maps[0]["source"])
            self.assertEqual([len(row) for row in found["weights"]], [len(found["source"])] * len(found["target"]))
            self.assertTrue(all(0 <= weight <= 1 for row in found["weights"] for weight in row))
        self.assertEqual(" ".join(found["target"]), with_maps[0]["hypotheses"][-1][1])
        self.assertEqual(run["data"]["train"]["counts"]["kept"], 300)
        self.assertEqual(sum(run["data"]["train"]["source_lengths"]), 300)
        start = run["starts"][0]
        self.assertEqual(start["preset"], "transformer-low-resource")
        self.assertEqual(start["options"]["arch.d-model"], ["128", "16"])
        self.assertEqual(start["options"]["threads"], ["0", "1"])
        self.assertNotIn("source", start["options"])
        self.assertNotIn("valid.metric", start["options"])
        shown = heed("evaluate", "--reference", model / "valid.references", "--decimals", 3, model / "valid.translations")
        best = max(score for score, is_best in zip(run["validation"]["scores"]["bleu"], run["validation"]["best"]) if is_best)
        self.assertAlmostEqual(float(re.search(r"= (\S+) ", shown)[1]), best, places=3)
        page = (model / "report.html").read_text()
        heed("report", model)
        self.assertEqual(re.sub(r'"(written|disk)":("[^"]*"|\[\[.*?\]\])', "", page), re.sub(r'"(written|disk)":("[^"]*"|\[\[.*?\]\])', "", (model / "report.html").read_text()))

    def test_a_resumed_training_shows_all_of_it(self):
        self.train("--train.max-steps", 10)
        self.train("--train.max-steps", 20)
        data = json.loads(re.search(r'id="data">(.*?)</script>', (self.folder / "model/report.html").read_text(), re.DOTALL)[1])
        self.assertEqual(data["runs"][0]["train"]["step"], [5, 10, 15, 20])
        self.assertEqual(len(data["runs"][0]["starts"]), 2)
        self.assertEqual(data["runs"][0]["changes"][0]["option"], "train.max-steps")

    def test_a_dry_run_keeps_nothing(self):
        before = sorted(path.name for path in self.folder.iterdir())
        report = self.train("--dry-run", "--train.max-steps", 1000, model="new/model").stdout
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), before)
        for part in ("parameters ", "300 pairs", "longest sentences", "for each checkpoint", "target tokens/s", "an epoch", "each takes", "1,000 steps"):
            self.assertIn(part, report)

    def test_a_dry_run_fails_as_the_training_would(self):
        before = sorted(path.name for path in self.folder.iterdir())
        (self.folder / "dev.de").write_text("one line\n")
        done = subprocess.run(self.command("--dry-run"), capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("dev.en has 20 lines", done.stderr)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), before)

    def test_a_dry_run_that_is_ended_while_it_reads_leaves_nothing(self):
        (self.folder / "train.en").unlink()
        os.mkfifo(self.folder / "train.en")
        before = sorted(path.name for path in self.folder.iterdir())
        for number in signal.SIGKILL, signal.SIGINT:  # what the first leaves, the second removes
            dry = subprocess.Popen(self.command("--dry-run", model="new/model"), stderr=subprocess.DEVNULL)
            with (self.folder / "train.en").open("w") as pipe:  # when heed has opened it
                pipe.write("one two\n")
                pipe.flush()
                self.assertEqual([path.name for path in (self.folder / "new").iterdir()], [".model.heed0.tmp"])
                dry.send_signal(number)
                dry.wait(30)
        self.assertEqual(dry.returncode, -signal.SIGINT)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir() if path.name != "new"), before)
        self.assertEqual(list((self.folder / "new").iterdir()), [], "only the first made `new`, and it was killed")

    def test_a_dry_run_leaves_a_training_as_it_is(self):
        self.train("--train.max-steps", 10)
        files = {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}
        self.train("--dry-run")
        self.assertEqual({path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}, files)

    def test_watching_a_training(self):
        errors = self.folder / "errors"
        with errors.open("w") as log:
            training = subprocess.Popen(self.command("--watch", 0, "--train.max-steps", 1000000), stderr=log)
        self.addCleanup(training.wait)
        self.addCleanup(training.kill)
        end = time.monotonic() + 120
        while not (address := re.search(r"a browser shows this training at (http://\S+)", errors.read_text())) and time.monotonic() < end:
            time.sleep(0.05)
        run = {"validation": {"step": []}}
        while not run["validation"]["step"] and time.monotonic() < end:
            time.sleep(0.1)
            try:
                with urllib.request.urlopen(f"{address[1]}/data.json") as answer:
                    run = json.load(answer)["runs"][0]
            except urllib.error.HTTPError:  # nothing to show yet
                pass
        self.assertEqual(run["validation"]["step"][0], 10)
        self.assertNotIn("watch", (self.folder / "model/config.toml").read_text())
        training.send_signal(signal.SIGINT)
        self.assertEqual(training.wait(120), 130)


if __name__ == "__main__":
    HEED = sys.argv.pop(1)
    unittest.main()
