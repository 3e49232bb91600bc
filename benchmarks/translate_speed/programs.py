"""The command with which each program does a case, and the environment that it needs."""
import dataclasses

import cases
from shared import HERE, TRAIN_SPEED

PEER_BATCH = 64  # sentences, of OpenNMT-py and fairseq
COMPUTE = {"fp32": "float32", "bf16": "bfloat16", "int8": "int8"}
LIBRARIES = {"oneDNN": "0", "MKL": "1"}


@dataclasses.dataclass(frozen=True)
class Setting:
    """What of CTranslate2 is chosen for a case."""
    library: str = "oneDNN"
    isa: str = ""         # "": as it finds; AVX512: its own kernels with these instructions, which it does not choose
    inter: int = 1        # translators side by side
    intra: int = 1        # threads of each
    batch: int = 32
    unit: str = "sentences"  # of batch; or tokens
    sorted: str = "text"     # whole text, or windows of 16 batches

    def told(self, case):
        kernels = f"{self.library} {self.isa}".strip()
        if case.feed == "line":
            return f"{self.intra} {'thread' if self.intra == 1 else 'threads'}, {kernels}"
        order = ", sorted by windows" if self.sorted == "windows" else ""
        return f"{self.inter} x {self.intra} threads, {kernels}, batches of {self.batch} {self.unit}{order}"


def splits(threads):
    """All ways to share the threads: (translators, threads of each)."""
    return [(inter, threads // inter) for inter in range(threads, 0, -1) if threads % inter == 0]


def heed(workshop, case, contender):
    command = [workshop.options.heed, "translate", "--model", workshop.heed_model(case), "--threads", case.threads,
               "--search.beam", case.beam]
    if contender.precision != "fp32":
        command += ["--precision", contender.precision]
    if case.feed == "line":
        command += ["--search.buffer-lines", 1]
    if case.lengths == "forced":
        command += ["--search.min-length", cases.FORCED_LENGTH, "--search.max-length-factor", 0,
                    "--search.max-length-constant", cases.FORCED_LENGTH]
    return command, {}


def ctranslate2(workshop, case, contender, setting):
    command = [workshop.python("ct2"), HERE / "peers/run_ctranslate2.py", workshop.converted(case),
               "--heed", workshop.heed_model(case), "--compute", COMPUTE[contender.precision], "--beam", case.beam,
               "--inter", setting.inter, "--intra", setting.intra]
    if case.feed == "line":
        command += ["--line"]
    else:
        command += ["--batch", setting.batch, *(["--tokens"] if setting.unit == "tokens" else []),
                    *(["--stream"] if setting.sorted == "windows" else [])]
    if case.lengths == "forced":
        command += ["--length", cases.FORCED_LENGTH]
    else:
        command += ["--longest", workshop.texts.longest(case)]
    environment = {"CT2_USE_MKL": LIBRARIES[setting.library], "OMP_NUM_THREADS": str(setting.intra)}
    if setting.isa:
        environment["CT2_FORCE_CPU_ISA"] = setting.isa
    return command, environment


def of_toolkit(case):
    """The environment of OpenNMT-py and fairseq."""
    threads = str(case.threads)
    return {"OMP_NUM_THREADS": threads, "MKL_NUM_THREADS": threads, "PYTHONPATH": str(TRAIN_SPEED / "peers"),
            "PYTHONWARNINGS": "ignore", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONIOENCODING": "utf-8",
            "TOKENIZERS_PARALLELISM": "false", "HF_HUB_OFFLINE": "1"}


def opennmt(workshop, case, batch):
    length = cases.FORCED_LENGTH
    return [workshop.python("onmt"), HERE / "peers/run_opennmt.py", case.feed,
            "-model", workshop.checkpoint("opennmt", case.model), "-batch_type", "sents", "-batch_size", batch,
            "-beam_size", case.beam, "-min_length", length, "-max_length", length, "-max_length_ratio", 0,
            "-length_penalty", "avg", "-gpu", -1]


def fairseq(workshop, case, batch):
    length = cases.FORCED_LENGTH
    return [workshop.python("fairseq"), HERE / "peers/run_fairseq.py", workshop.folder / "data/fairseq",
            "--path", workshop.checkpoint("fairseq", case.model), "--cpu", "--task", "translation",
            "--source-lang", "en", "--target-lang", "de", "--beam", case.beam, "--lenpen", 1,
            "--min-len", length, "--max-len-a", 0, "--max-len-b", length, "--batch-size", batch,
            "--buffer-size", 1 if case.feed == "line" else max(batch, case.lines), "--input", "-"]


def command_of(workshop, case, contender, setting):
    """Command and environment; setting: of CTranslate2."""
    if contender.program == "heed":
        return heed(workshop, case, contender)
    if contender.program == "ctranslate2":
        return ctranslate2(workshop, case, contender, setting)
    make = {"opennmt": opennmt, "fairseq": fairseq}[contender.program]
    return make(workshop, case, 1 if case.feed == "line" else PEER_BATCH), of_toolkit(case)
