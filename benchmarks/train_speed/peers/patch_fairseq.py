"""patch_fairseq.py FOLDER: lets fairseq 0.12.2 run on Python 3.11, which refuses mutable defaults of dataclasses."""
import pathlib
import re
import sys

folder = pathlib.Path(sys.argv[1])
for name in ("dataclass/configs.py", "models/transformer/transformer_config.py"):
    path = folder / name
    text = re.sub(r"(?m)^(\s+\w+: ([A-Za-z_.]+) = )\2\(\)\s*$", r"\1field(default_factory=\2)", path.read_text())
    path.write_text(text.replace("field(default=QuantNoiseConfig())", "field(default_factory=QuantNoiseConfig)"))

path = folder / "dataclass/initialize.py"
path.write_text(path.read_text().replace(
    "        v = FairseqConfig.__dataclass_fields__[k].default\n",
    "        f = FairseqConfig.__dataclass_fields__[k]\n"
    "        v = f.default_factory() if callable(f.default_factory) else f.default\n"))
