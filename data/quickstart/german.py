"""German morphology: declension, conjugation, comparison, numbers.

Cases are "nom", "acc", "dat", "gen"; genders "m", "f", "n"; the plural has one
set of endings for all genders and is called "pl" wherever a gender is asked.
"""

from __future__ import annotations

from typing import List

CASES = ("nom", "acc", "dat", "gen")

# Endings by gender, in the order of CASES.
DEFINITE = {"m": "der den dem des", "f": "die die der der",
            "n": "das das dem des", "pl": "die die den der"}
RELATIVE = {"m": "der den dem dessen", "f": "die die der deren",
            "n": "das das dem dessen", "pl": "die die denen deren"}
DER_WORD = {"m": "er en em es", "f": "e e er er",       # dies-, jed-, welch-
            "n": "es es em es", "pl": "e e en er"}
EIN_WORD = {"m": "- en em es", "f": "e e er er",        # ein-, kein-, mein-
            "n": "- - em es", "pl": "e e en er"}

# Adjective endings: strong without an article, weak after der-words, mixed
# after ein-words.
STRONG = {"m": "er en em en", "f": "e e er er",
          "n": "es es em en", "pl": "e e en er"}
WEAK = {"m": "e en en en", "f": "e e en en",
        "n": "e e en en", "pl": "en en en en"}
MIXED = {"m": "er en en en", "f": "e e en en",
         "n": "es es en en", "pl": "en en en en"}

UNITS = ("null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf "
         "dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn").split()
TENS = "- - zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split()

CONTRACTIONS = {("in", "dem"): "im", ("in", "das"): "ins", ("an", "dem"): "am",
                ("zu", "dem"): "zum", ("zu", "der"): "zur", ("von", "dem"): "vom"}

# Present tense of the first person where it is not stem + e.
FIRST_PERSON = {"sein": "bin", "wissen": "weiß", "können": "kann", "müssen": "muss",
                "wollen": "will", "sollen": "soll", "dürfen": "darf", "mögen": "mag",
                "sammeln": "sammle"}

INSEPARABLE = ("be", "ent", "er", "ge", "ver", "zer", "über", "unter", "wider")


def pick(table: dict, gender: str, case: str) -> str:
    """One ending of a table, with "-" for none."""
    ending = table[gender].split()[CASES.index(case)]
    return "" if ending == "-" else ending


def decline_noun(singular: str, ending: str, plural: str, number: str, case: str) -> str:
    """A noun in its case: des Hauses, den Häusern, den Bauern."""
    if number == "pl":
        if case == "dat" and not plural.endswith(("n", "s")):
            return plural + "n"
        return plural
    weak_noun = ending in ("n", "en")
    if case == "gen" or (weak_noun and case != "nom"):
        return singular + ending
    return singular


def attributive(adjective: str) -> str:
    """The stem that takes endings: dunkel, dunkl-; teuer, teur-; müde, müd-."""
    if adjective.endswith("el"):
        return adjective[:-2] + "l"
    if adjective.endswith(("euer", "auer")):
        return adjective[:-2] + "r"
    return adjective[:-1] if adjective.endswith("e") else adjective


def comparative(adjective: str) -> str:
    return attributive(adjective) + "er"


def superlative(adjective: str) -> str:
    """The superlative stem: klein, kleinst-; leicht, leichtest-."""
    if adjective.endswith(("d", "t", "s", "ß", "z", "sch")) and not adjective.endswith("end"):
        return adjective + "est"
    return adjective + "st"


def weak_forms(prefix: str, infinitive: str) -> List[str]:
    """Present, preterite, participle of a weak verb: kauft, kaufte, gekauft."""
    stem = infinitive[:-2] if infinitive.endswith("en") else infinitive[:-1]
    link = "e" if stem.endswith(("t", "d", "ffn", "chn", "gn")) else ""
    ge = "ge"
    if infinitive.endswith("ieren") or (not prefix and infinitive.startswith(INSEPARABLE)):
        ge = ""
    return [stem + link + "t", stem + link + "te", prefix + ge + stem + link + "t"]


def finite(verb, tense: str, agreement: str) -> str:
    """A finite form, without prefix; agreement is "1sg", "3sg" or "pl"."""
    if tense == "past":
        if agreement != "pl":
            return verb.preterite
        return verb.preterite + ("n" if verb.preterite.endswith("e") else "en")
    if agreement == "3sg":
        return verb.present
    if agreement == "pl":
        return "sind" if verb.infinitive == "sein" else verb.infinitive
    if verb.infinitive in FIRST_PERSON:
        return FIRST_PERSON[verb.infinitive]
    return verb.infinitive[:-1] if verb.infinitive.endswith("en") else verb.infinitive[:-1] + "e"


def zu_infinitive(verb) -> List[str]:
    """zu kaufen (two words), but anzurufen (one word)."""
    if verb.prefix:
        return [verb.prefix + "zu" + verb.infinitive]
    return ["zu", verb.infinitive]


def number(value: int) -> str:
    """The number 0 to 99 in words: 34 is vierunddreißig."""
    if value < 20:
        return UNITS[value]
    tens, unit = TENS[value // 10], value % 10
    if unit == 0:
        return tens
    return ("ein" if unit == 1 else UNITS[unit]) + "und" + tens
