"""run_fairseq.py ARGUMENTS: fairseq-interactive, of whose output only the hypotheses are left, one a line."""
import builtins
import sys

import meter

meter.allow_any_checkpoint()
from fairseq_cli import interactive  # noqa: E402


def print_hypothesis(line):
    """Lines are KIND-NUMBER TAB FIELDS; a hypothesis is H-NUMBER TAB SCORE TAB TOKENS."""
    if line.startswith("H-"):
        builtins.print(line.split("\t")[2], flush=True)


interactive.print = print_hypothesis
meter.run_main(interactive.cli_main, ["fairseq-interactive", *sys.argv[1:]])
