"""heed and transformers have the same MarianMT models: pieces, logits and translations."""
import argparse
import pathlib
import sys
import tempfile

import peers
import torch

SHAPES = {
    "tied": {},
    "unequal": {"encoder_layers": 2, "decoder_layers": 1, "encoder_attention_heads": 4, "decoder_attention_heads": 2,
                "encoder_ffn_dim": 24, "decoder_ffn_dim": 40, "activation_function": "relu", "scale_embedding": False},
    "two tables": {"share_encoder_decoder_embeddings": False, "activation_function": "gelu"},
    "three tables": {"share_encoder_decoder_embeddings": False, "tie_word_embeddings": False},
}
TOLERANCE = 1e-4


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
    names = {"<s>": tokenizer.pad_token}  # pad is the decoder's first token
    source_ids, target_ids = tokenizer.get_src_vocab(), target_vocabulary(tokenizer)
    to_source = [source_ids.get(names.get(piece, piece)) for piece in vocabularies["source"]]
    to_target = [target_ids[names.get(piece, piece)] for piece in vocabularies["target"][1:]]  # without heed's pad
    assert sorted(to_target) == list(range(len(target_ids))), "each piece has one id"
    largest = 0
    for (source, target), heed in zip(pairs, found):
        read, written, logits = logits_of_transformers(model, tokenizer, source, target)
        assert [to_source[i] for i in heed["source"]] == read, (source, heed["source"], read)
        assert [to_target[i - 1] for i in heed["target"]] == written[:-1], (target, heed["target"], written)
        ours = torch.tensor(heed["logits"])
        largest = max(largest, (ours[:, 1:] - logits[:, to_target]).abs().max().item())
        assert (ours[:, 0] < ours[:, 1:].min() - 50).all(), "heed's own pad has no probability"
    return largest


def target_vocabulary(tokenizer):
    return tokenizer.target_encoder if tokenizer.separate_vocabs else tokenizer.encoder


def translate(model, tokenizer, lines, beam):
    """What transformers finds, ending where heed does; unknown words are barred as heed bars them."""
    bad = [[tokenizer.pad_token_id], [tokenizer.unk_token_id]]
    found = []
    for line in lines:
        batch = tokenizer([line], return_tensors="pt")
        length = 2 * (batch["input_ids"].shape[1] - 1) + 10 + 2  # with the first token and end-of-sentence
        with torch.no_grad():
            ids = model.generate(**batch, num_beams=beam, max_length=length, early_stopping=beam > 1, do_sample=False,
                                 bad_words_ids=bad, length_penalty=1.0, min_new_tokens=2)
        pieces = tokenizer.convert_ids_to_tokens(ids[0])
        text = tokenizer.spm_target.decode_pieces([piece for piece in pieces if piece not in ("<pad>", "</s>")])
        found.append(text.replace("\u2581", " ").strip())
    return found


def check_translations(model, tokenizer, directory, lines):
    """How many lines differ, greedy and beam."""
    different = {}
    for beam in (1, 4):
        ours = peers.heed("translate", "--model", directory, "--search.beam", beam, "--precision", "fp32",
                          text="".join(line + "\n" for line in lines)).splitlines()
        theirs = translate(model, tokenizer, lines, beam)
        different[beam] = [(line, a, b) for line, a, b in zip(lines, ours, theirs) if a != b]
    return different


def check_shape(name, folder, pairs, updates=0, translated=0):
    tokenizer = peers.write_tokenizer(folder / "theirs", pairs)
    model = peers.new_model(folder / "theirs", **SHAPES[name])
    if updates:
        peers.train(model, tokenizer, pairs, updates)
    model.save_pretrained(folder / "theirs")
    peers.heed("import", "--from", "huggingface", "--input", folder / "theirs", "--model", folder / "heed")
    largest = compare_logits(model, tokenizer, folder / "heed", pairs[:8])
    print(f"{name}: logits differ by at most {largest:.2g}")
    assert largest < TOLERANCE, name
    if translated:
        lines = [pair[0] for pair in peers.made_pairs(translated, seed=9)]
        for beam, different in check_translations(model, tokenizer, folder / "heed", lines).items():
            print(f"{name}: beam {beam}: {len(different)} of {len(lines)} translations differ")
            assert not different, different


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--updates", type=int, default=150)
    options = parser.parse_args()
    pairs = peers.made_pairs(500)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for shape in SHAPES:
            check_shape(shape, folder / shape, pairs)
        check_shape("tied", folder / "trained", pairs, updates=options.updates, translated=30)
    print("7 passed, 0 failed")


if __name__ == "__main__":
    sys.exit(main())
