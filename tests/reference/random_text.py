"""Random lines of many scripts, with odd white space, punctuation and combining marks; the same for the same seed."""
import functools
import unicodedata

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


@functools.cache
def of_category(category):
    """All characters of a general category, such as "Lu" (Unicode 14 with Python 3.11), without those that end lines."""
    return [chr(c) for c in range(0x110000) if unicodedata.category(chr(c)) == category and chr(c) not in "\n\r"]


# First and last characters of the ranges that tokenizers for Chinese and Japanese speak of, and their neighbors.
EDGES = [chr(edge + step) for edge in (
    0x2000, 0x2A6D, 0x2E80, 0x2EFF, 0x2F00, 0x2FDF, 0x2FF0, 0x3001, 0x3002, 0x3008, 0x3011, 0x3014, 0x301F, 0x303F, 0x3040, 0x309F,
    0x30A0, 0x30FB, 0x30FF, 0x3100, 0x312F, 0x31A0, 0x31BF, 0x31C0, 0x31EF, 0x31F0, 0x31FF, 0x3200, 0x32FF, 0x3300, 0x33FF, 0x3400,
    0x3F22, 0x4DB5, 0x4DBF, 0x4E00, 0x9FBB, 0x9FFF, 0xF900, 0xFA2D, 0xFA30, 0xFA6A, 0xFA70, 0xFAD9, 0xFAFF, 0xFE10, 0xFE1F, 0xFE30,
    0xFE4F, 0xFF00, 0xFF01, 0xFF02, 0xFF08, 0xFF09, 0xFF0C, 0xFF0E, 0xFF1A, 0xFF1B, 0xFF1F, 0xFF61, 0xFF65, 0xFFEF, 0x20000, 0x2A6D6,
    0x2F800, 0x2FA1D) for step in (-1, 0, 1)]
CATEGORIES = ["Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sm", "Sc", "Sk",
              "So", "Zs", "Cf", "Cc"]


def wild_line(rng, length=20):
    """Characters of all categories, one after the other, mixed with ASCII."""
    text = ""
    for _ in range(rng.randint(0, length)):
        kind = rng.random()
        if kind < 0.3:
            text += rng.choice("ab 19.,-'&;!s")
        elif kind < 0.5:
            text += rng.choice(EDGES)
        else:
            text += rng.choice(of_category(rng.choice(CATEGORIES)))
    return text
