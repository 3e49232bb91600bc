"""Random lines of many scripts, with odd white space, punctuation and combining marks; the same for the same seed."""

ALPHABETS = [
    "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789", "äöüßéèêçñøåłžš", "ÄÖÜẞÉÈÊÇÑØÅŁŽŠİıſ",
    "αβγδεσςΑΒΓΔΣΩΆΈ", "абвгдеёжзАБВГДЕЁЖЗ", "你好世界中国语言", "こんにちはカタカナ", "안녕하세요", "مرحبا", "שלום", "नमस्ते",
    "ไทยภาษา", "😀🎉👩\u200d💻🏳️🇩🇪", "\u0301\u0308\u0327\u20dd", "²³½Ⅷ①٣४", "ﬁﬂＡｂ１．，", "\U00010400\U00010428\U0001e900",
]
PUNCTUATION = list("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~") + list("…–—„“”‘’«»¿¡§€£。、！？「」・·⁇\u00ad")
SPACES = [" "] * 40 + ["  ", "\t", "\u00a0", "\u3000", "\u2003", "\u2028", "\u0085", "\u200b", "\x0b", "\x0c", "\x1c", "\r", "\ufeff"]
SNIPPETS = ["&quot;", "&amp;", "&lt;", "&gt;", "&amp;lt;", "&amp;quot;", "&apos;", "<skipped>", "1,000.50", "3.14", "-5", "10-12", "a.m.",
            "U.S.A.", "don't", "...", ",,", ".5", "5.", "x.y", "1.a", "a.1", "1-", "2--3", "--", "http://a.b/c?d=e&f=g", "«ß»", "ΟΔΟΣ", "ΣΑΣ. Σ"]


def word(rng):
    kind = rng.random()
    if kind < 0.15:
        return rng.choice(SNIPPETS)
    letters = rng.choice(ALPHABETS[:4]) if kind < 0.6 else rng.choice(ALPHABETS)
    text = "".join(rng.choice(letters) for _ in range(rng.randint(1, 6)))
    for _ in range(rng.choice([0, 0, 0, 1, 1, 2])):
        place = rng.choice([0, len(text), rng.randint(0, len(text))])
        text = text[:place] + rng.choice(PUNCTUATION) + text[place:]
    return text


def line(rng, words=12):
    text = "".join(word(rng) + rng.choice(SPACES) for _ in range(rng.randint(0, words)))
    return rng.choice(["", "", "", " ", "\u00a0", ". "]) + text + rng.choice(["", "", ".", " .", "\t", "\u2028"])


def noisy_copy(rng, text):
    """A line that shares many n-grams with `text`."""
    tokens = text.split(" ")
    for _ in range(rng.randint(0, 1 + len(tokens) // 3)):
        place = rng.randint(0, len(tokens))
        change = rng.random()
        if change < 0.35:
            tokens[place:place + 1] = [word(rng)]
        elif change < 0.6:
            del tokens[place:place + rng.randint(1, 3)]
        elif change < 0.8:
            tokens[place:place] = tokens[:rng.randint(0, 4)]
        else:
            tokens = [token.swapcase() for token in tokens]
    return " ".join(tokens)
