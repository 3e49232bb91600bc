"""Runs docs/guide/heed.ipynb; exits with 77, which is skipped, where something that it needs is not installed."""

import importlib.util
import pathlib
import sys
import tempfile

missing = [name for name in ("nbclient", "nbformat", "ipykernel", "matplotlib", "torch") if importlib.util.find_spec(name) is None]
if missing:
    print(f"SKIPPED: {sys.executable} has no {', '.join(missing)}")
    sys.exit(77)

import nbclient  # noqa: E402
import nbformat  # noqa: E402

path = pathlib.Path(__file__).resolve().parents[2] / "docs/guide/heed.ipynb"
notebook = nbformat.read(path, as_version=4)
assert not any(cell.get("outputs") for cell in notebook.cells), f"{path} is kept without outputs"
with tempfile.TemporaryDirectory() as folder:
    nbclient.NotebookClient(notebook, timeout=500, resources={"metadata": {"path": folder}}).execute()

outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
pictures = [output for output in outputs if "image/png" in output.get("data", {})]
printed = "".join(output["text"] for output in outputs if output.output_type == "stream" and output.name == "stdout")
print(printed)
assert len(pictures) == 2, f"{len(pictures)} pictures instead of the losses and the attention"
bleu = float(next(line for line in printed.splitlines() if line.startswith("BLEU")).split(" = ")[1].split()[0])
assert bleu > 80, f"BLEU {bleu}: the model has not learned the numbers"
