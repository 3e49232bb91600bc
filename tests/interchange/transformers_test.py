"""heed and transformers have the same MarianMT models: pieces, logits and translations."""
import argparse
import pathlib
import sys
import tempfile

import peers
import torch
import transformers

SHAPES = {
    "trained": {"d_model": 32, "encoder_ffn_dim": 64, "decoder_ffn_dim": 64, "init_std": 0.1},
    "tied": {},
    "unequal": {"encoder_layers": 2, "decoder_layers": 1, "encoder_attention_heads": 4, "decoder_attention_heads": 2,
                "encoder_ffn_dim": 24, "decoder_ffn_dim": 40, "activation_function": "relu", "scale_embedding": False},
    "two tables": {"share_encoder_decoder_embeddings": False, "activation_function": "gelu"},
    "two vocabularies": {"share_encoder_decoder_embeddings": False},
    "three tables": {"share_encoder_decoder_embeddings": False, "tie_word_embeddings": False},
}
TOLERANCE = 1e-4
# Characters that one language's model knows and the other's does not, or neither; marks of languages, known and unknown.
ODD = ["ka b", "do ka gus", "zu\u00dfb", "\u732b ka \U0001f600\U0001f600 .", "  ka \t lo  ", "KA \u00a0lo\u2009mi", "<s> ka <heed-pad>",
       ">>ba<< ka lo .", ">>ba<<ka", "ka >>ba<< lo", ">>ba< <", "\ufb01ka e\u0301", "\u2581ka\u2581"]


def logits_of_transformers(model, tokenizer, source, target):
    """The ids of both, and the logits of every position of the target and its end."""
    batch = tokenizer([source], text_target=[target], return_tensors="pt")
    with torch.no_grad():
        logits = model(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"],
                       labels=batch["labels"]).logits
    return batch["input_ids"][0].tolist(), batch["labels"][0].tolist(), logits[0]


def compare_logits(model, tokenizer, directory, pairs):
    """The largest difference of two logits, of all pieces at all positions."""
    vocabularies, found = peers.logits_of_heed(directory, pairs)
    names = {"<s>": tokenizer.pad_token, "<pad>": "<heed-pad>"}  # pad is the decoder's first token
    source_ids, target_ids = tokenizer.get_src_vocab(), target_vocabulary(tokenizer)
    to_source = [source_ids.get(names.get(piece, piece)) for piece in vocabularies["source"]]
    to_target = [target_ids.get(names.get(piece, piece)) for piece in vocabularies["target"]]
    lacks_pad = to_target[0] is None
    assert sorted(to_target[lacks_pad:]) == list(range(len(target_ids))), "each piece has one id"
    largest = 0
    for (source, target), heed in zip(pairs, found):
        read, written, logits = logits_of_transformers(model, tokenizer, source, target)
        assert [to_source[i] for i in heed["source"]] == read, (source, heed["source"], read)
        assert [to_target[i] for i in heed["target"]] == written[:-1], (target, heed["target"], written)
        ours = torch.tensor(heed["logits"])
        largest = max(largest, (ours[:, lacks_pad:] - logits[:, to_target[lacks_pad:]]).abs().max().item())
        if lacks_pad:
            assert (ours[:, 0] < ours[:, 1:].min() - 50).all(), "heed's own pad has no probability"
    return largest


def target_vocabulary(tokenizer):
    return tokenizer.target_encoder if tokenizer.separate_vocabs else tokenizer.encoder


def translate(model, tokenizer, lines, beam):
    """What transformers finds, ending where heed does; unknown words are barred as heed bars them. None: the longest
    translation that may be, whose forced end has probability 1 in transformers and the model's in heed."""
    bad = [[tokenizer.pad_token_id], [tokenizer.unk_token_id]]
    bad += [[target_vocabulary(tokenizer)["<heed-pad>"]]] if "<heed-pad>" in target_vocabulary(tokenizer) else []
    found = []
    for line in lines:
        batch = tokenizer([line], return_tensors="pt")
        length = 2 * (batch["input_ids"].shape[1] - 1) + 10 + 2  # with the first token and end-of-sentence
        with torch.no_grad():
            ids = model.generate(**batch, num_beams=beam, max_length=length, early_stopping=beam > 1, do_sample=False,
                                 bad_words_ids=bad, length_penalty=1.0, min_new_tokens=1)
        if len(ids[0]) == length:
            found.append(None)
            continue
        pieces = tokenizer.convert_ids_to_tokens(ids[0])
        text = tokenizer.spm_target.decode_pieces([piece for piece in pieces if piece not in ("<pad>", "</s>")])
        found.append(text.replace("\u2581", " ").strip())
    return found


def check_translations(name, model, tokenizer, directory, lines):
    """Greedy and beam."""
    for beam in (1, 4):
        ours = peers.heed("translate", "--model", directory, "--search.beam", beam, "--precision", "fp32",
                          text="".join(line + "\n" for line in lines)).splitlines()
        theirs = translate(model, tokenizer, lines, beam)
        compared = [triple for triple in zip(lines, ours, theirs) if triple[2] is not None]
        different = [triple for triple in compared if triple[1] != triple[2]]
        print(f"{name}: beam {beam}: {len(different)} of {len(compared)} translations differ, "
              f"{len(lines) - len(compared)} are cut off")
        assert not different and len(compared) > len(lines) / 2, different


def check_pieces(tokenizer, directory):
    """Odd lines have the same ids, on either side; without marks of languages among the pieces heed takes them for text."""
    lines = [line for line in ODD if not (line.startswith(">>") and tokenizer.separate_vocabs)]
    vocabularies, found = peers.logits_of_heed(directory, [(line, line) for line in lines])
    for line, heed in zip(lines, found):
        for side, theirs in (("source", tokenizer(line)), ("target", tokenizer(text_target=line))):
            table = tokenizer.get_src_vocab() if side == "source" else target_vocabulary(tokenizer)
            ids = [table[vocabularies[side][i]] for i in heed[side]]
            assert ids[:len(theirs["input_ids"]) - 1] == theirs["input_ids"][:-1], (line, side, ids, theirs["input_ids"])


def check_shape(name, folder, pairs, updates=0, translated=0):
    separate = name == "two vocabularies"
    tokenizer = peers.write_tokenizer(folder / "theirs", pairs, separate=separate)
    model = peers.new_model(folder / "theirs", separate=separate, **SHAPES[name])
    if updates:
        peers.train(model, tokenizer, pairs, updates)
    model.save_pretrained(folder / "theirs")
    peers.heed("import", "--from", "huggingface", "--input", folder / "theirs", "--model", folder / "heed")
    check_pieces(tokenizer, folder / "heed")
    largest = compare_logits(model, tokenizer, folder / "heed", pairs[:8])
    print(f"{name}: logits differ by at most {largest:.2g}")
    assert largest < TOLERANCE, name
    check_way_back(folder)
    if translated:
        lines = [pair[0] for pair in peers.made_pairs(translated, seed=9)]
        check_translations(name, model, tokenizer, folder / "heed", lines)


NETWORKS = {
    "joint": [],
    "two tokenizers": ["--text.joint", "false", "--arch.output-bias", "true"],
    "three tables": ["--arch.tied-embeddings", "none", "--arch.decoder.layers", "2", "--arch.encoder.heads", "4"],
    "no biases": ["--arch.encoder.attention-bias", "false", "--arch.decoder.feed-forward.bias", "false",
                  "--arch.encoder.scale-scores", "false", "--arch.decoder.scale-scores", "false"],
}


def check_network(name, folder, pairs, updates, translated):
    """A model that heed has trained, in transformers and back."""
    source, target = peers.write_pairs(folder, pairs)
    peers.heed("train", "--source", source, "--target", target, "--model", folder / "heed", "--threads", 1,
               "--text.vocab-size", 90, "--arch.d-model", 32, "--arch.encoder.layers", 1, "--arch.decoder.layers", 1,
               "--arch.encoder.feed-forward.hidden", 64, "--arch.decoder.feed-forward.hidden", 64,
               "--arch.encoder.norm-order", "post", "--arch.decoder.norm-order", "post",
               "--train.schedule.type", "constant", "--train.schedule.learning-rate", 0.005,
               "--train.max-updates", updates, "--data.update-tokens", 500, *NETWORKS[name])
    peers.heed("export", "--to", "huggingface", "--model", folder / "heed", "--output", folder / "theirs")
    model = transformers.MarianMTModel.from_pretrained(folder / "theirs").eval()
    tokenizer = transformers.MarianTokenizer.from_pretrained(folder / "theirs")
    largest = compare_logits(model, tokenizer, folder / "heed", pairs[:8])
    print(f"{name}: logits differ by at most {largest:.2g}")
    assert largest < TOLERANCE, name
    lines = [pair[0] for pair in peers.made_pairs(translated, seed=9)]
    check_translations(name, model, tokenizer, folder / "heed", lines)
    peers.heed("import", "--from", "huggingface", "--input", folder / "theirs", "--model", folder / "back")
    if name != "no biases":  # which come back as zeros
        peers.require_same_files(folder / "heed", folder / "back", ["model.safetensors", "source.spm", "target.spm"])


def check_way_back(folder):
    """What transformers saved comes back with the same bytes."""
    peers.heed("export", "--to", "huggingface", "--model", folder / "heed", "--output", folder / "back")
    names = ["model.safetensors", "source.spm", "target.spm"]
    peers.require_same_files(folder / "theirs", folder / "back", names)
    for name in ("vocab.json", "target_vocab.json", "config.json"):
        if not (folder / "theirs" / name).exists():
            continue
        theirs, ours = peers.read_json(folder / "theirs" / name), peers.read_json(folder / "back" / name)
        if name == "config.json":
            theirs = {key: value for key, value in theirs.items() if key in ours and key != "max_position_embeddings"}
            ours = {key: value for key, value in ours.items() if key in theirs}
        assert theirs == ours, (name, theirs, ours)


def check_text(options):
    """A model of the text's: many lines and real pieces."""
    pairs = peers.read_pairs(*options.text[:2])
    lines = [source for source, _ in peers.read_pairs(*options.text[2:])][:500]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        tokenizer = peers.write_tokenizer(folder / "theirs", pairs, size=4000)
        model = peers.new_model(folder / "theirs", d_model=128, encoder_layers=2, decoder_layers=2, encoder_ffn_dim=256,
                                decoder_ffn_dim=256, encoder_attention_heads=4, decoder_attention_heads=4, init_std=0.05,
                                max_position_embeddings=512)
        peers.train(model, tokenizer, pairs, options.updates, rate=2e-3)
        model.save_pretrained(folder / "theirs")
        peers.heed("import", "--from", "huggingface", "--input", folder / "theirs", "--model", folder / "heed")
        print(f"logits differ by at most {compare_logits(model, tokenizer, folder / 'heed', pairs[:50]):.2g}")
        check_translations("text", model, tokenizer, folder / "heed", lines)
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--updates", type=int, default=400)
    parser.add_argument("--text", nargs=4, metavar="FILE", help="training text and text to translate, source and target "
                        "of each, instead of made ones; translates 500 lines")
    options = parser.parse_args()
    if options.text:
        return check_text(options)
    pairs = peers.made_pairs(500)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for shape in SHAPES:
            updates = options.updates if shape == "trained" else 0
            check_shape(shape, folder / shape, pairs, updates, translated=30 if updates else 0)
        for network in NETWORKS:
            check_network(network, folder / f"heed {network}", pairs, options.updates, 30)
    print(f"{len(SHAPES) + len(NETWORKS)} passed, 0 failed")


if __name__ == "__main__":
    sys.exit(main())
