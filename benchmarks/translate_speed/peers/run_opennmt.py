"""run_opennmt.py text|line ARGUMENTS: onmt_translate with OpenNMT-py, from standard input to standard output.

text: all of it at once; line: each line is answered before the next is read.
"""
import os
import sys

import meter

meter.allow_any_checkpoint()
from onmt.bin import translate as command  # noqa: E402
from onmt.inference_engine import InferenceEnginePY  # noqa: E402


def translated(feed, output):
    """In place of infer_file, which wants to seek in its output; the engine writes as it goes."""
    def infer(engine):
        engine.translator.out_file = output
        lines = (line.rstrip("\n") for line in sys.stdin)
        for part in ([line] for line in lines) if feed == "line" else [list(lines)]:
            engine.infer_list(part)
        return None, None
    return infer


def main():
    feed, *arguments = sys.argv[1:]
    output = open(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever else the toolkit prints
    InferenceEnginePY.infer_file = translated(feed, output)
    parser = command._get_parser()
    command.translate(parser.parse_args([*arguments, "-src", os.devnull, "-output", os.devnull]))


if __name__ == "__main__":
    main()
