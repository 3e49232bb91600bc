"""heed and transformers have the same MarianMT models: pieces, logits and translations."""
import argparse
import pathlib
import shutil
import subprocess
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
# Settings that heed honors, and the beams with which translations must be the same. At its limit a translation's forced
# end has probability 1 in transformers and the model's in heed: there only greedy search compares.
GENERATION = [
    ({"min_length": 12}, (1, 4)), ({"min_length": 0}, (1, 4)), ({"min_new_tokens": 11}, (1, 4)),
    ({"min_length": 30, "min_new_tokens": 9}, (1, 4)),
    ({"no_repeat_ngram_size": 1}, (1, 4)), ({"no_repeat_ngram_size": 2}, (1, 4)),
    ({"early_stopping": "never"}, (4,)), ({"length_penalty": 0.0, "early_stopping": "never"}, (4,)),
    ({"max_length": 6}, (1,)), ({"max_length": 6, "forced_eos_token_id": None}, (1,)), ({"max_new_tokens": 4}, (1,)),
    ({"max_length": 30, "max_new_tokens": 5}, (1,)),
]
# Settings that are neither honored nor named: how transformers computes, and what it gives beside the text.
WITHOUT_EFFECT = """
    _from_model_config assistant_confidence_threshold assistant_early_exit assistant_ensemble_weight assistant_lookbehind
    bos_token_id cache_config cache_implementation compile_config continuous_batching_config disable_compile is_assistant
    low_memory max_cache_len max_matching_ngram_size num_assistant_tokens num_assistant_tokens_schedule output_attentions
    output_hidden_states output_logits output_scores pad_token_id prefill_chunk_size prompt_lookup_num_tokens
    remove_invalid_values return_dict_in_generate speculation_type target_lookbehind transformers_version use_cache use_mtp
    """.split()
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


def text_of(tokenizer, ids):
    pieces = tokenizer.convert_ids_to_tokens(ids)
    text = tokenizer.spm_target.decode_pieces([piece for piece in pieces if piece not in ("<pad>", "</s>")])
    return text.replace("\u2581", " ").strip()


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
        found.append(text_of(tokenizer, ids[0]))
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
        check_generation(tokenizer, folder, lines)
        check_all_settings(tokenizer, folder)


def generation_config(tokenizer, **settings):
    pad, unk = tokenizer.pad_token_id, tokenizer.unk_token_id
    ids = {"pad_token_id": pad, "decoder_start_token_id": pad, "eos_token_id": 0, "forced_eos_token_id": 0}
    if "min_length" not in settings:
        settings = {"min_new_tokens": 1, **settings}
    return {**ids, "bad_words_ids": [[pad], [unk]], "early_stopping": True, "max_length": 60, **settings}


def import_with(folder, generation, name):
    """A copy of folder/theirs with these settings, imported; and what the import says."""
    theirs, ours = folder / f"{name} theirs", folder / f"{name} heed"
    shutil.copytree(folder / "theirs", theirs)
    peers.write_json(theirs / "generation_config.json", generation)
    done = subprocess.run([peers.BINARIES / "heed", "import", "--from", "huggingface", "--input", theirs, "--model", ours],
                          capture_output=True, text=True, check=True)
    return theirs, ours, done.stderr


def check_generation(tokenizer, folder, lines):
    """Without options, transformers and heed translate alike by the settings of generation_config.json."""
    for number, (settings, beams) in enumerate(GENERATION):
        for beam in beams:
            generation = generation_config(tokenizer, num_beams=beam, **settings)
            theirs, ours, said = import_with(folder, generation, f"{number} {beam}")
            assert "left out" not in said, said
            model = transformers.MarianMTModel.from_pretrained(theirs).eval()
            expected = []
            for line in lines:
                with torch.no_grad():
                    ids = model.generate(**tokenizer([line], return_tensors="pt"))
                expected.append(text_of(tokenizer, ids[0]))
            found = peers.heed("translate", "--model", ours, "--precision", "fp32",
                               text="".join(line + "\n" for line in lines)).splitlines()
            assert found == expected, (settings, beam, [pair for pair in zip(found, expected) if pair[0] != pair[1]])
    print(f"{len(GENERATION)} kinds of generation settings: no translation differs")


def check_all_settings(tokenizer, folder):
    """Of all settings that this transformers has, each is honored, without effect, or named."""
    honored = {"num_beams": 4, "num_beam_groups": 2, "no_repeat_ngram_size": 3, "min_length": 3, "min_new_tokens": 3,
               "max_length": 30, "max_new_tokens": 30}
    odd = {"early_stopping": False, "length_penalty": -1.0, "do_sample": True, "bad_words_ids": [[5]], "suppress_tokens": [5],
           "eos_token_id": [0, 5], "forced_eos_token_id": 5, "decoder_start_token_id": tokenizer.pad_token_id, **honored}
    names = transformers.GenerationConfig().to_dict().keys() | {"a_setting_of_the_future"}
    _, _, said = import_with(folder, {name: odd.get(name, 3) for name in names}, "all")
    silent = {name for name in names if f"`{name}`" not in said}
    assert silent - honored.keys() - set(WITHOUT_EFFECT) == {"decoder_start_token_id"}, silent
    print(f"{len(names)} generation settings: {len(names - silent)} are named")


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
    peers.heed("train", "--preset", "transformer-tiny", "--source", source, "--target", target, "--model", folder / "heed", "--threads", 1,
               "--text.vocab-size", 90, "--arch.d-model", 32, "--arch.encoder.layers", 1, "--arch.decoder.layers", 1,
               "--arch.encoder.feed-forward.hidden", 64, "--arch.decoder.feed-forward.hidden", 64,
               "--arch.encoder.norm-order", "post", "--arch.decoder.norm-order", "post",
               "--train.schedule.type", "constant", "--train.schedule.learning-rate", 0.005,
               "--train.max-steps", updates, "--data.batch-tokens", 500, *NETWORKS[name])
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
