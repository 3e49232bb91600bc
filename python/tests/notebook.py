"""Runs a notebook of docs, by its name; exits with 77, which is skipped, where something that it needs is not installed."""

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

root = pathlib.Path(__file__).resolve().parents[2]


def run(path):
    """What the notebook's cells print, and how many pictures they draw."""
    notebook = nbformat.read(root / path, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), f"{path} is kept without outputs"
    with tempfile.TemporaryDirectory() as folder:
        nbclient.NotebookClient(notebook, timeout=500, resources={"metadata": {"path": folder}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    printed = "".join(output["text"] for output in outputs if output.output_type == "stream" and output.name == "stdout")
    print(printed)
    return printed, sum("image/png" in output.get("data", {}) for output in outputs)


def guide():
    printed, pictures = run("docs/guide/heed.ipynb")
    assert pictures == 2, f"{pictures} pictures instead of the losses and the attention"
    bleu = float(next(line for line in printed.splitlines() if line.startswith("BLEU")).split(" = ")[1].split()[0])
    assert bleu > 80, f"BLEU {bleu}: the model has not learned the numbers"


def tour():
    printed, pictures = run("docs/learn/rnn-to-transformer.ipynb")
    right = {line.split(":")[0]: int(line.split(": ")[1].split("%")[0]) for line in printed.splitlines() if "% of" in line}
    assert len(right) == 8 and pictures == 7, f"{len(right)} steps and {pictures} pictures"
    assert right["no attention"] < 60 < 90 < right["additive"], f"attention is what makes the difference: {right}"
    assert right["parameter-free"] < right["one head"], f"projections help: {right}"


{"guide": guide, "tour": tour}[sys.argv[1]]()
