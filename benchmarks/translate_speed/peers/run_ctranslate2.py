"""Translates lines of standard input with CTranslate2, as `heed translate` does with the model that was converted.

    run_ctranslate2.py CONVERTED --heed MODEL --compute int8 --beam 5 --inter 2 --intra 1 --batch 32 <text >translations

Lines are cut and joined by the tokenizers in MODEL. Search has heed's defaults: the score is log p over the length, the
unknown token is not produced. Its limit of the length, 2 * source + 10 tokens, holds for each line with --line;
otherwise all lines have that of the longest, since CTranslate2 takes one limit for a whole text.
"""
import argparse
import pathlib
import sys

import ctranslate2

import tokens


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("converted", help="directory that convert.py made")
    parser.add_argument("--heed", type=pathlib.Path, required=True, help="the model directory that it was made of")
    parser.add_argument("--compute", default="float32")
    parser.add_argument("--beam", type=int, default=5)
    parser.add_argument("--inter", type=int, default=1, help="translators side by side")
    parser.add_argument("--intra", type=int, default=1, help="threads of each")
    parser.add_argument("--batch", type=int, default=32, help="sentences, or source tokens with --tokens")
    parser.add_argument("--tokens", action="store_true")
    parser.add_argument("--stream", action="store_true", help="sort within 16 batches instead of the whole text")
    parser.add_argument("--line", action="store_true", help="answer each line before the next is read")
    parser.add_argument("--length", type=int, help="make every translation this long")
    parser.add_argument("--longest", type=int, default=256, help="tokens of the longest line")
    return parser.parse_args()


def longest_translation(source_length):
    """heed's default."""
    return 2 * source_length + 10


def search_options(options, vocabulary):
    found = {"beam_size": options.beam, "length_penalty": 1, "disable_unk": True, "return_scores": False,
             "max_decoding_length": options.length or longest_translation(options.longest)}
    if options.length:  # random weights would produce padding and begin-of-sentence, which heed never does
        padding, _, begin = vocabulary[:3]
        found.update(min_decoding_length=options.length, suppress_sequences=[[padding], [begin]])
    return found


def write(tokenizer, result):
    sys.stdout.write(tokenizer.join(result.hypotheses[0]) + "\n")
    sys.stdout.flush()


def answer_lines(translator, source, target, search, forced):
    for line in sys.stdin:
        cut = source.cut([line.rstrip("\n")])
        if not forced:
            search["max_decoding_length"] = longest_translation(len(cut[0]))
        write(target, translator.translate_batch(cut, **search)[0])


def batch_options(options):
    return {"max_batch_size": options.batch, "batch_type": "tokens" if options.tokens else "examples"}


def stream_lines(translator, source, target, search, batches):
    cut = (source.cut([line.rstrip("\n")])[0] for line in sys.stdin)
    for result in translator.translate_iterable(cut, **batches, **search):
        write(target, result)


def translate_text(translator, source, target, search, batches):
    lines = source.cut([line.rstrip("\n") for line in sys.stdin])
    for result in translator.translate_batch(lines, asynchronous=True, **batches, **search):
        write(target, result.result())


def main():
    options = parse_arguments()
    sys.stdin.reconfigure(encoding="utf-8", newline="\n")
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    source, target = (tokens.open_tokenizer(options.heed, side) for side in ("source", "target"))
    translator = ctranslate2.Translator(options.converted, device="cpu", compute_type=options.compute,
                                        inter_threads=options.inter, intra_threads=options.intra)
    search = search_options(options, target.vocabulary())
    if options.line:
        answer_lines(translator, source, target, search, options.length)
    elif options.stream:
        stream_lines(translator, source, target, search, batch_options(options))
    else:
        translate_text(translator, source, target, search, batch_options(options))


if __name__ == "__main__":
    main()
