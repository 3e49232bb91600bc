"""The text, and every program's model: made once in the working directory, kept for the next run."""
import os
import pathlib
import shutil
import subprocess
import sys
import types

import cases
from shared import HERE, TRAIN_SPEED, runs
from texts import Texts

# the environment that setup.sh makes, and the package in it
PACKAGES = {"ctranslate2": ("ct2", "ctranslate2"), "opennmt": ("onmt", "OpenNMT-py"), "fairseq": ("fairseq", "fairseq")}


def call(command, log=None, **environment):
    """Runs it to its end; an error shows where its output is."""
    where = open(log, "w", encoding="utf-8") if log else sys.stderr
    try:
        subprocess.run([str(word) for word in command], check=True, stdin=subprocess.DEVNULL, stdout=where,
                       stderr=subprocess.STDOUT if log else None, env={**os.environ, **environment})
    except (subprocess.CalledProcessError, OSError) as failure:
        sys.exit(f"{failure}" + (f"; see {log}" if log else ""))
    finally:
        if log:
            where.close()


def printed(command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def say(text):
    print(text, file=sys.stderr, flush=True)


class Workshop:
    """The working directory: environments, text and models."""

    def __init__(self, options):
        self.options = options
        self.folder = options.peers_dir
        self.models = self.folder / "models"
        self.scratch = self.folder / "runs"
        for path in (self.models, self.scratch):
            path.mkdir(parents=True, exist_ok=True)
        self.texts = Texts(self)

    def python(self, environment):
        return self.folder / environment / "bin/python"

    def install(self):
        """Whatever cannot be installed ends the run: nothing that was asked for is left out silently."""
        for peer in self.options.peers:
            say(f"{peer}: installing, unless it is there")
            try:
                subprocess.run([TRAIN_SPEED / "peers/setup.sh", peer], check=True, stdout=sys.stderr,
                               env={**os.environ, "PEERS_DIR": str(self.folder)})
            except subprocess.CalledProcessError:
                sys.exit(f"{peer} cannot be installed, see above; --peers names those to compare with")
        call([TRAIN_SPEED / "peers/setup.sh"], PEERS_DIR=str(self.folder))
        call([TRAIN_SPEED / "peers/prepare.sh"], PEERS_DIR=str(self.folder))

    def raw_text(self):
        """The folder with the corpus as it was published (see train_speed/peers/prepare.sh)."""
        found = pathlib.Path(os.environ.get("MULTI30K") or runs.HERE.parents[1] / "runs/multi30k/data/raw")
        if not (found / "train.en").exists():
            call([runs.HERE.parents[1] / "recipes/multi30k/prepare.sh", found.parent])
        return found

    def source_file(self, lengths):
        """What the lines to translate are taken from, the first ones."""
        if lengths == "forced":
            return self.folder / "data/train.pieces.en"
        return self.options.text or self.raw_text() / "train.en"

    def heed_model(self, case):
        if case.lengths == "forced":
            return self.models / f"heed.{case.model}"
        return self.options.model or self.models / "heed.natural"

    def converted(self, case):
        """CTranslate2's form of heed's model."""
        own = case.lengths == "natural" and self.options.model
        return self.models / f"ctranslate2.{'own' if own else self.heed_model(case).name.removeprefix('heed.')}"

    def checkpoint(self, peer, model):
        """The model that a peer trained; None if there is none."""
        name = "checkpoint_last.pt" if peer == "fairseq" else "model_step_*.pt"
        return max((self.models / f"{peer}.{model}").glob(name), key=os.path.getmtime, default=None)

    def train_natural(self):
        """A model whose translations have natural lengths; goes on where it was stopped."""
        folder = self.models / "heed.natural"
        if (folder / "done").exists():
            return
        say(f"training the model of natural lengths, some minutes; its progress is in {folder}.log")
        raw = self.raw_text()
        call([self.options.heed, "train", "--model", folder, "--config", HERE / "heed/natural.toml",
              "--source", raw / "train.en", "--target", raw / "train.de",
              "--valid-source", raw / "val.en", "--valid-target", raw / "val.de"], log=f"{folder}.log")
        (folder / "done").touch()

    def train_forced(self, model):
        """Sizes are what counts: one update from random weights."""
        folder = self.models / f"heed.{model}"
        if (folder / "done").exists():
            return
        shutil.rmtree(folder, ignore_errors=True)
        say(f"heed: a model of {model} sizes with random weights")
        setting = types.SimpleNamespace(heed=self.options.heed, peers_dir=self.folder, device="cpu",
                                        update_tokens=4000, threads=os.cpu_count())
        call(runs.heed_command(setting, model, "fp32", 1, 1, folder), log=f"{folder}.log")
        (folder / "done").touch()

    def train_peer(self, peer, model):
        if self.checkpoint(peer, model):
            return
        say(f"{peer}: a model of {model} sizes with random weights")
        call([TRAIN_SPEED / f"peers/{peer}.sh", model], log=self.models / f"{peer}.{model}.log",
             PEERS_DIR=str(self.folder), KEEP="1", UPDATES="2", WARMUP="0",
             RESULT=str(self.scratch / "training.json"))

    def convert(self, case):
        source, out = self.heed_model(case) / "model.safetensors", self.converted(case)
        if (out / "model.bin").exists() and (out / "model.bin").stat().st_mtime > source.stat().st_mtime \
                and (out / "origin").read_text() == str(source):
            return
        shutil.rmtree(out, ignore_errors=True)
        call([self.python("ct2"), HERE / "peers/convert.py", self.heed_model(case), out])
        (out / "origin").write_text(str(source))

    def make_models(self, wanted):
        for case in wanted:
            if case.lengths == "forced":
                self.train_forced(case.model)
            elif not self.options.model:
                self.train_natural()
            for contender in cases.contenders(self.options, case):
                if contender.program == "ctranslate2":
                    self.convert(case)
                elif contender.program != "heed":
                    self.train_peer(contender.program, case.model)

    def ctranslate2_types(self):
        """What numbers CTranslate2 computes with on this processor."""
        return self.asked("ct2", "import ctranslate2; print(*ctranslate2.get_supported_compute_types('cpu'))").split()

    def asked(self, environment, code):
        """What an environment's Python prints."""
        return printed([self.python(environment), "-c", code])

    def versions(self):
        """Of everything that is compared."""
        code = "import importlib.metadata; print(importlib.metadata.version('{}'))"
        found = {peer: self.asked(PACKAGES[peer][0], code.format(PACKAGES[peer][1])) for peer in self.options.peers}
        return {"heed": printed([self.options.heed, "--version"]).splitlines()[0], **found}
