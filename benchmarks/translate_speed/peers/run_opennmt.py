"""run_opennmt.py text|line ARGUMENTS: onmt_translate with OpenNMT-py, from standard input to standard output.

text: all of it at once; line: each line is answered before the next is read.
"""
import os
import sys

import meter

meter.allow_any_checkpoint()
from onmt.bin import translate as command  # noqa: E402
from onmt.inference_engine import InferenceEnginePY  # noqa: E402


def answer_lines(engine):
    """In place of infer_file."""
    for line in sys.stdin:
        engine.infer_list([line.rstrip("\n")])
    return None, None


def main():
    feed, *arguments = sys.argv[1:]
    translations = os.dup(1)
    os.dup2(2, 1)  # whatever else the toolkit prints
    if feed == "line":
        InferenceEnginePY.infer_file = answer_lines
    arguments += ["-src", "/dev/stdin", "-output", f"/dev/fd/{translations}"]
    command.translate(command._get_parser().parse_args(arguments))


if __name__ == "__main__":
    main()
