"""What the tests against transformers and CTranslate2 share: the programs, made text, small models."""
import gzip
import json
import os
import pathlib
import random
import subprocess
import sys

SKIPPED = 77

try:
    import sentencepiece
    import torch
    import transformers
except ImportError as missing:
    print(f"skipped: {missing}; pip install torch transformers ctranslate2 sentencepiece")
    sys.exit(SKIPPED)

transformers.logging.set_verbosity_error()
transformers.utils.logging.disable_progress_bar()
torch.set_num_threads(1)

BINARIES = pathlib.Path(os.environ["HEED_BINARY_DIR"]) / "bin"
SYLLABLES = {"source": "ka lo mi tu ren sa vo ni pe zul".split(), "target": "ba do fe gi hus je ko ly mor au".split()}
WORDS = 40


def run(*words, text="", code=0):
    """Standard output of a command; fails unless it ends with `code`. Of a failure, standard error."""
    done = subprocess.run([str(word) for word in words], input=text, capture_output=True, text=True, check=False)
    if done.returncode != code:
        raise AssertionError(f"{words} ended with {done.returncode}, not {code}: {done.stderr}")
    return done.stderr if code else done.stdout


def heed(*words, text="", code=0):
    return run(BINARIES / "heed", *words, text=text, code=code)


def lexicon(rng):
    """Words of the made source language and their translations."""
    def word(side):
        return "".join(rng.choice(SYLLABLES[side]) for _ in range(rng.randint(1, 3)))
    return {word("source"): word("target") for _ in range(WORDS)}


def made_pairs(count, seed=1):
    """Sentences and their translations, word by word."""
    rng = random.Random(seed)
    words = lexicon(random.Random(7))
    pairs = []
    for _ in range(count):
        chosen = [rng.choice(list(words)) for _ in range(rng.randint(2, 9))]
        pairs.append((" ".join(chosen) + " .", " ".join(words[word] for word in chosen) + " ."))
    return pairs


def require_same_files(one, two, names):
    for name in names:
        assert (one / name).read_bytes() == (two / name).read_bytes(), f"{name} in {one} and {two}"


def read_pairs(source, target):
    def lines(path):
        with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
            return file.read().split("\n")
    return [pair for pair in zip(lines(source), lines(target)) if all(pair)]


def train_pieces(lines, path, size):
    """A SentencePiece model as OPUS-MT has them: SentencePiece's own special ids."""
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines), model_prefix=str(path.with_suffix("")), vocab_size=size, minloglevel=2,
        hard_vocab_limit=False)
    path.with_suffix(".model").rename(path)
    path.with_suffix(".vocab").unlink()
    return sentencepiece.SentencePieceProcessor(model_file=str(path))


def pieces_of(model):
    special = {"<unk>", "<s>", "</s>"}
    return [model.id_to_piece(i) for i in range(model.get_piece_size()) if model.id_to_piece(i) not in special]


def write_json(path, value):
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")


def read_json(path):
    return json.loads(path.read_text(encoding="utf-8"))


def write_pairs(folder, pairs):
    folder.mkdir(parents=True, exist_ok=True)
    for side, name in enumerate(("source.txt", "target.txt")):
        (folder / name).write_text("".join(pair[side] + "\n" for pair in pairs), encoding="utf-8")
    return folder / "source.txt", folder / "target.txt"


def write_tokenizer(folder, pairs, size=90, separate=False):
    """source.spm, target.spm and vocab.json, whose ids are none of SentencePiece's."""
    folder.mkdir(parents=True)
    source = pieces_of(train_pieces([pair[0] for pair in pairs], folder / "source.spm", size))
    target = pieces_of(train_pieces([pair[1] for pair in pairs], folder / "target.spm", size + 7))

    def table(pieces):
        shuffled = sorted(set(pieces))
        random.Random(3).shuffle(shuffled)
        ordered = ["</s>", "<unk>", "<pad>", *shuffled] if separate else ["</s>", "<unk>", *shuffled, "<pad>"]
        ordered[-1:-1] = [] if separate else [">>ba<<"]
        return {piece: i for i, piece in enumerate(ordered)}
    write_json(folder / "vocab.json", table(source if separate else source + target))
    if separate:
        write_json(folder / "target_vocab.json", table(target))
    write_json(folder / "tokenizer_config.json", {"separate_vocabs": separate, "tokenizer_class": "MarianTokenizer"})
    return transformers.MarianTokenizer.from_pretrained(folder)


def sizes_of(folder, separate):
    """The ids of vocab.json and of the target's."""
    source = len(json.loads((folder / "vocab.json").read_text(encoding="utf-8")))
    if not separate:
        return source, source
    return source, len(json.loads((folder / "target_vocab.json").read_text(encoding="utf-8")))


def new_model(folder, seed=1, separate=False, **options):
    """A MarianMT model with random values, biases and norms among them, for the tokenizer in the folder."""
    source, target = sizes_of(folder, separate)
    pad = 2 if separate else source - 1
    config = transformers.MarianConfig(**{
        "vocab_size": source, "decoder_vocab_size": target, "d_model": 16, "encoder_layers": 1, "decoder_layers": 1,
        "encoder_ffn_dim": 32, "decoder_ffn_dim": 32, "encoder_attention_heads": 2, "decoder_attention_heads": 2,
        "activation_function": "swish", "max_position_embeddings": 64, "pad_token_id": pad, "eos_token_id": 0,
        "decoder_start_token_id": pad, "forced_eos_token_id": 0, "scale_embedding": True, "init_std": 0.3,
        **options})
    torch.manual_seed(seed)
    model = transformers.MarianMTModel(config).eval()
    with torch.no_grad():
        for name, value in model.named_parameters():
            if "embed_positions" not in name and value.dim() == 1:
                value.add_(0.1 * torch.randn_like(value))
        model.final_logits_bias.add_(0.1 * torch.randn_like(model.final_logits_bias))
    return model


def train(model, tokenizer, pairs, updates, rate=3e-3):
    """Teaches a model the made language for a few updates."""
    optimizer = torch.optim.Adam([value for value in model.parameters() if value.requires_grad], lr=rate)
    rng = random.Random(5)
    model.train()
    for update in range(updates):
        chosen = rng.sample(pairs, 32)
        batch = tokenizer([pair[0] for pair in chosen], text_target=[pair[1] for pair in chosen], return_tensors="pt",
                          padding=True)
        batch["labels"][batch["labels"] == tokenizer.pad_token_id] = -100
        loss = model(**batch).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if update % 100 == 99:
            print(f"update {update + 1}: loss {loss.item():.3f}", flush=True)
    model.eval()


def logits_of_heed(directory, pairs):
    """The pieces of the vocabularies, and for each pair what tests/interchange/logits.cpp says."""
    text = "".join(json.dumps(pair) + "\n" for pair in pairs)
    lines = run(BINARIES / "interchange_logits", directory, text=text).splitlines()
    return json.loads(lines[0]), [json.loads(line) for line in lines[1:]]
