"""English morphology: plurals, verb endings, comparison, articles, numbers."""

from __future__ import annotations

VOWELS = "aeiou"

UNITS = ("zero one two three four five six seven eight nine ten eleven twelve "
         "thirteen fourteen fifteen sixteen seventeen eighteen nineteen").split()
TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()


def add_s(word: str) -> str:
    """Plural of a noun or third person of a verb: box, boxes; carry, carries."""
    if word.endswith("y") and word[-2] not in VOWELS:
        return word[:-1] + "ies"
    if word.endswith(("s", "x", "z", "ch", "sh", "o")):
        return word + "es"
    return word + "s"


def add_ed(word: str) -> str:
    """Regular past: open, opened; save, saved; carry, carried."""
    if word.endswith("e"):
        return word + "d"
    if word.endswith("y") and word[-2] not in VOWELS:
        return word[:-1] + "ied"
    return word + "ed"


def compare(adjective: str, ending: str) -> str:
    """Adds -er or -est: big, bigger; lazy, laziest; brave, braver."""
    if adjective.endswith("e"):
        return adjective + ending[1:]
    if adjective.endswith("y") and len(adjective) > 3:
        return adjective[:-1] + "i" + ending
    short = len(adjective) <= 4 and adjective[-3] not in VOWELS
    if short and adjective[-2] in VOWELS and adjective[-1] not in VOWELS + "wxy":
        return adjective + adjective[-1] + ending
    return adjective + ending


def indefinite_article(next_word: str) -> str:
    """"a" or "an", by the sound of the next word."""
    word = next_word.lower()
    if word.startswith(("uni", "use", "hon")) and not word.startswith("unu"):
        return "an" if word.startswith("honest") else "a"
    return "an" if word[0] in VOWELS else "a"


def number(value: int) -> str:
    """The number 0 to 99 in words: 34 is thirty-four."""
    if value < 20:
        return UNITS[value]
    if value % 10 == 0:
        return TENS[value // 10]
    return TENS[value // 10] + "-" + UNITS[value % 10]
