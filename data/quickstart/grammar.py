"""The bilingual grammar: phrases and clauses that can say themselves twice.

A phrase is built once, as a structure, and then realised in English and in
German.  Both realisations are lists of words, and every word carries labels:
numbers that name what the word expresses.  Two words are aligned if they share
a label.  When "does not buy" becomes "kauft nicht", the words "does", "buy" and
"kauft" all carry the label of the verb, and "not" and "nicht" that of the
negation; so the gold word alignment falls out of the grammar by itself.
"""

from __future__ import annotations

import itertools
from typing import List, NamedTuple, Optional, Tuple

import english
import german
import lexicon

_labels = itertools.count(1)


class Word(NamedTuple):
    """A word as written, and the labels of what it expresses."""
    text: str
    labels: tuple


Words = List[Word]
COMMA = Word(",", ())


def new_label() -> tuple:
    return (next(_labels),)


def words(text: str, labels: tuple) -> Words:
    """The words of a text, all with the same labels."""
    return [Word(token, labels) for token in text.split()]


def finish(parts: Words, mark: str) -> Words:
    """Attaches commas and the final mark to words, capitalises the first."""
    out: Words = []
    for part in parts:
        if part.text == ",":
            if not out[-1].text.endswith(","):
                out[-1] = Word(out[-1].text + ",", out[-1].labels)
        else:
            out.append(part)
    out[-1] = Word(out[-1].text.rstrip(",") + mark, out[-1].labels)
    out[0] = Word(out[0].text[0].upper() + out[0].text[1:], out[0].labels)
    return out


def align(source: Words, target: Words) -> List[Tuple[int, int]]:
    """The word alignment: all pairs of words that share a label, sorted."""
    return [(i, j) for i, s in enumerate(source) for j, t in enumerate(target)
            if any(label in t.labels for label in s.labels)]


# ---------------------------------------------------------------------------
# Fixed expressions
# ---------------------------------------------------------------------------

class Fixed:
    """An expression with one fixed form in each language.

    Words marked "/1", "/2", ... are linked to words with the same mark;
    unmarked words are all linked with each other.
    """
    pronoun = False

    def __init__(self, en: str, de: str):
        self.marks: dict = {}
        self.en = [self._word(token) for token in en.split()]
        self.de = [self._word(token) for token in de.split()]

    def _word(self, token: str) -> Word:
        text, _, mark = token.partition("/")
        if mark not in self.marks:
            self.marks[mark] = new_label()
        return Word(text, self.marks[mark])

    def english(self) -> Words:
        return list(self.en)

    def german(self) -> Words:
        return list(self.de)


# ---------------------------------------------------------------------------
# Noun phrases
# ---------------------------------------------------------------------------

POSSESSIVES = {"my": "mein", "your": "Ihr", "his": "sein", "her": "ihr",
               "our": "unser", "their": "ihr"}
DER_WORDS = {"this": "dies", "every": "jed", "which": "welch"}
QUANTIFIERS = {"many": "viele", "several": "mehrere", "some": "einige"}


class NounPhrase:
    """Determiner, adjectives, noun, genitive attribute and relative clause.

    determiner  "the", "a" (nothing in the plural and with mass nouns), "this",
                "every", "which", a possessive, a quantifier, a number, or a
                proper name whose genitive precedes the noun (Anna's)
    adjectives  list of (adjective, degree); degree is "plain" or "superlative"
    negation    label of a "not" that German fuses into "kein"
    """
    pronoun = False

    def __init__(self, noun, number="sg", determiner="the", adjectives=()):
        self.noun = noun
        self.number = number
        self.determiner = determiner
        self.adjectives = [(a, degree, new_label()) for a, degree in adjectives]
        self.genitive: Optional[NounPhrase] = None
        self.relative: Optional[Clause] = None
        self.extraposed = False          # the German clause says the relative itself
        self.negation: Optional[tuple] = None
        self.noun_label = new_label()
        self.determiner_label = new_label()
        self.of_label = new_label()

    @property
    def agreement(self) -> str:
        return "pl" if self.number == "pl" else "3sg"

    @property
    def gender(self) -> str:
        """Gender as declension sees it: the plural counts as one more."""
        return "pl" if self.number == "pl" else self.noun.gender

    @property
    def human(self) -> bool:
        return lexicon.KIND[self.noun.group] == "person"

    @property
    def indefinite(self) -> bool:
        return self.determiner == "a"

    def english(self, case: str = "object") -> Words:
        out: Words = []
        for adjective, degree, label in self.adjectives:
            if degree == "plain":
                out += words(adjective.lemma, label)
            elif adjective.compared == "er":
                out += words(english.compare(adjective.lemma, "est"), label)
            else:
                out += words("most " + adjective.lemma, label)
        plural = self.number == "pl"
        out += words(self.noun.plural if plural else self.noun.lemma, self.noun_label)
        out = self._english_determiner(out[0].text) + out
        if self.genitive:
            out += words("of", self.of_label) + self.genitive.english()
        if self.relative:
            out += self.relative.english("embedded")
        return out

    def _english_determiner(self, next_word: str) -> Words:
        determiner, plural = self.determiner, self.number == "pl"
        if isinstance(determiner, Name):
            return words(determiner.text + "'s", self.determiner_label)
        if isinstance(determiner, (Number, Fixed)):
            return determiner.english()
        if determiner == "a" and (plural or self.noun.mass):
            text = "any" if self.negation else ""
        elif determiner == "a":
            text = english.indefinite_article(next_word)
        elif determiner == "this" and plural:
            text = "these"
        else:
            text = determiner
        return words(text, self.determiner_label)

    def german(self, case: str) -> Words:
        article, endings = self._german_determiner(case)
        out = article
        for adjective, degree, label in self.adjectives:
            stem = german.attributive(adjective.base)
            if degree == "superlative":
                stem = adjective.superlative
            out = out + words(stem + german.pick(endings, self.gender, case), label)
        noun = german.decline_noun(self.noun.de_sg, self.noun.de_ending,
                                   self.noun.de_pl or "", self.number, case)
        out = out + words(noun, self.noun_label)
        if self.genitive:
            first, *rest = self.genitive.german("gen")
            out += [Word(first.text, first.labels + self.of_label)] + rest
        if self.relative and not self.extraposed:
            out += self.german_relative()
        return out

    def german_relative(self) -> Words:
        return [COMMA] + self.relative.german("final") + [COMMA]

    def _german_determiner(self, case: str):
        """The determiner in its case, and the endings adjectives take after it."""
        determiner, gender = self.determiner, self.gender
        label = self.determiner_label
        if isinstance(determiner, Name):
            return words(determiner.text + "s", label), german.STRONG
        if isinstance(determiner, (Number, Fixed)):
            return determiner.german(), german.STRONG
        if determiner == "the":
            return words(german.pick(german.DEFINITE, gender, case), label), german.WEAK
        if determiner in DER_WORDS:
            ending = german.pick(german.DER_WORD, gender, case)
            return words(DER_WORDS[determiner] + ending, label), german.WEAK
        if determiner in QUANTIFIERS:
            stem = QUANTIFIERS[determiner][:-1]
            return words(stem + german.pick(german.STRONG, "pl", case), label), german.STRONG
        if determiner == "a" and not self.negation and (gender == "pl" or self.noun.mass):
            return [], german.STRONG
        stem = POSSESSIVES.get(determiner, "ein")
        if self.negation:
            stem, label = "kein", label + self.negation
        return words(stem + german.pick(german.EIN_WORD, gender, case), label), german.MIXED


class Joined:
    """Two noun phrases joined by and: the king and his daughter."""
    pronoun = False
    indefinite = False
    agreement = "pl"

    def __init__(self, first: NounPhrase, second: NounPhrase):
        self.first, self.second = first, second
        self.human = first.human
        self.label = new_label()

    def english(self, case: str = "object") -> Words:
        return self.first.english(case) + words("and", self.label) + self.second.english(case)

    def german(self, case: str) -> Words:
        return self.first.german(case) + words("und", self.label) + self.second.german(case)


class Number:
    """A number as determiner: in words or in digits."""

    def __init__(self, value: int, digits: bool = False):
        self.value, self.digits, self.label = value, digits, new_label()

    def english(self) -> Words:
        return words(str(self.value) if self.digits else english.number(self.value), self.label)

    def german(self) -> Words:
        return words(str(self.value) if self.digits else german.number(self.value), self.label)


class Name:
    """A proper name: the same in all cases here."""
    pronoun = False
    agreement = "3sg"
    indefinite = False
    human = True

    def __init__(self, text: str, gender: str):
        self.text, self.gender, self.label = text, gender, new_label()

    def english(self, case: str = "object") -> Words:
        return words(self.text, self.label)

    def german(self, case: str) -> Words:
        return words(self.text, self.label)


class Titled(Name):
    """Mr. or Mrs. with a surname: Herr is declined (Herrn)."""

    def __init__(self, text: str, gender: str):
        super().__init__(text, gender)
        self.title_label = new_label()

    def english(self, case: str = "object") -> Words:
        title = "Mr." if self.gender == "m" else "Mrs."
        return words(title, self.title_label) + words(self.text, self.label)

    def german(self, case: str) -> Words:
        title = "Frau" if self.gender == "f" else "Herr" if case == "nom" else "Herrn"
        return words(title, self.title_label) + words(self.text, self.label)


class Pronoun:
    """A personal pronoun: forms are subject, object; nom, acc, dat, reflexive."""
    pronoun = True
    indefinite = False
    human = True

    FORMS = {
        "I": ("I me", "ich mich mir mich", "1sg"),
        "you": ("you you", "Sie Sie Ihnen sich", "pl"),
        "he": ("he him", "er ihn ihm sich", "3sg"),
        "she": ("she her", "sie sie ihr sich", "3sg"),
        "we": ("we us", "wir uns uns uns", "pl"),
        "they": ("they them", "sie sie ihnen sich", "pl"),
        # "it" takes the gender of the noun it stands for.
        "it-m": ("it it", "er ihn ihm sich", "3sg"),
        "it-f": ("it it", "sie sie ihr sich", "3sg"),
        "it-n": ("it it", "es es ihm sich", "3sg"),
    }
    CASES = ("nom", "acc", "dat", "reflexive")

    def __init__(self, key: str):
        self.key = key
        self.en, self.de, self.agreement = self.FORMS[key]
        self.label = new_label()

    def english(self, case: str = "object") -> Words:
        return words(self.en.split()[case != "subject"], self.label)

    def german(self, case: str) -> Words:
        return words(self.de.split()[self.CASES.index(case)], self.label)


def pronoun_for(phrase) -> Pronoun:
    """The pronoun that takes up a noun phrase again."""
    if phrase.pronoun:
        key = phrase.key
    elif phrase.agreement == "pl":
        key = "they"
    elif phrase.human:
        key = "she" if phrase.gender == "f" else "he"
    else:
        key = "it-" + phrase.gender
    pronoun = Pronoun(key)
    pronoun.human, pronoun.antecedent = phrase.human, phrase
    return pronoun


class Expletive:
    """An empty subject: there is, es gibt; it rains, es regnet."""
    pronoun = True
    agreement = "3sg"
    indefinite = False

    def __init__(self, en: str, de: str):
        self.en, self.de, self.label = en, de, new_label()

    def english(self, case: str = "object") -> Words:
        return words(self.en, self.label)

    def german(self, case: str) -> Words:
        return words(self.de, self.label)


class QuestionWord(Expletive):
    """who (wer, wen, wem) or what (was) as subject or object."""
    pronoun = False
    human = True

    def english(self, case: str = "object") -> Words:
        who = self.en == "who" and case != "subject"
        return words("whom" if who else self.en, self.label)

    def german(self, case: str) -> Words:
        text = self.de
        if self.en == "who":
            text = {"nom": "wer", "acc": "wen", "dat": "wem"}[case]
        return words(text, self.label)


class RelativePronoun:
    """who, whom, that, which: agrees with its antecedent in gender and number."""
    pronoun = False
    indefinite = False

    def __init__(self, antecedent: NounPhrase):
        self.antecedent = antecedent
        self.agreement = antecedent.agreement
        self.human = antecedent.human
        self.label = new_label()

    def english(self, case: str = "object") -> Words:
        if self.antecedent.human:
            return words("who" if case == "subject" else "whom", self.label)
        return words("which" if case == "prepositional" else "that", self.label)

    def german(self, case: str) -> Words:
        return words(german.pick(german.RELATIVE, self.antecedent.gender, case), self.label)


class WhoseGroup:
    """whose dog, dessen Hund: a relative possessive with its noun."""
    pronoun = False
    indefinite = False

    def __init__(self, antecedent: NounPhrase, noun):
        self.antecedent, self.noun = antecedent, noun
        self.agreement = "3sg"
        self.human = lexicon.KIND[noun.group] == "person"
        self.gender = noun.gender
        self.label, self.noun_label = new_label(), new_label()

    def english(self, case: str = "object") -> Words:
        return words("whose", self.label) + words(self.noun.lemma, self.noun_label)

    def german(self, case: str) -> Words:
        whose = german.pick(german.RELATIVE, self.antecedent.gender, "gen")
        noun = german.decline_noun(self.noun.de_sg, self.noun.de_ending, "", "sg", case)
        return words(whose, self.label) + words(noun, self.noun_label)


class Prepositional:
    """A preposition and its noun phrase; im, zum, ... are contracted."""
    pronoun = False

    def __init__(self, en: str, de: str, case: str, phrase):
        self.en, self.de, self.case, self.phrase = en, de, case, phrase
        self.label = new_label()

    def english(self) -> Words:
        return words(self.en, self.label) + self.phrase.english("prepositional")

    def german(self) -> Words:
        first, *rest = self.phrase.german(self.case)
        key = (self.de, first.text)
        definite = getattr(self.phrase, "determiner", "") == "the"
        if definite and key in german.CONTRACTIONS:
            return [Word(german.CONTRACTIONS[key], self.label + first.labels)] + rest
        return words(self.de, self.label) + [first] + rest


# ---------------------------------------------------------------------------
# Predicates
# ---------------------------------------------------------------------------

class AdjectivePredicate:
    """(very) old; older than the dog; as old as the dog."""
    pronoun = False

    def __init__(self, adjective, degree=None, standard=None, equal=False):
        self.adjective, self.degree = adjective, degree
        self.standard, self.equal = standard, equal
        self.label, self.than, self.as_label = new_label(), new_label(), new_label()

    def english(self) -> Words:
        adjective = self.adjective
        if self.standard is None:
            before = self.degree.english() if self.degree else []
            return before + words(adjective.lemma, self.label)
        if self.equal:
            out = words("as", self.as_label) + words(adjective.lemma, self.label)
            return out + words("as", self.than) + self.standard.english("subject")
        if adjective.compared == "er":
            out = words(english.compare(adjective.lemma, "er"), self.label)
        else:
            out = words("more " + adjective.lemma, self.label)
        return out + words("than", self.than) + self.standard.english("subject")

    def german(self) -> Words:
        adjective = self.adjective
        if self.standard is None:
            before = self.degree.german() if self.degree else []
            return before + words(adjective.base, self.label)
        if self.equal:
            out = words("so", self.as_label) + words(adjective.base, self.label)
            return out + words("wie", self.than) + self.standard.german("nom")
        out = words(adjective.comparative, self.label) + words("als", self.than)
        return out + self.standard.german("nom")


class NounPredicate:
    """is a good doctor, ist ein guter Arzt."""
    pronoun = False

    def __init__(self, phrase: NounPhrase):
        self.phrase = phrase

    def english(self) -> Words:
        return self.phrase.english()

    def german(self) -> Words:
        return self.phrase.german("nom")


# ---------------------------------------------------------------------------
# Clauses
# ---------------------------------------------------------------------------

# Modal verbs: English forms for (1sg and pl, 3sg), German verb and tense.
MODALS = {
    "can": ("can", "can", "can", "present"),
    "could": ("could", "could", "can", "past"),
    "must": ("must", "must", "must", "present"),
    "should": ("should", "should", "should", "past"),
    "may": ("may", "may", "may", "present"),
    "want": ("want", "wants", "want", "present"),
    "wanted": ("wanted", "wanted", "want", "past"),
}


class Clause:
    """A clause: a subject, a verb and whatever the verb brings along.

    tense  "present", "past", "perfect", "future", "passive", or a modal (MODALS)
    front  the constituent said before everything else, if not the subject: an
           adverbial, a question word, a relative pronoun, a whole subordinate
           clause.  It must also stand in its own slot.
    """

    SLOTS = ("subject", "dative", "accusative", "prepositional", "predicate", "time",
             "frequency", "manner", "means", "place", "direction")

    def __init__(self, subject, verb, tense="present", **slots):
        self.subject, self.verb, self.tense = subject, verb, tense
        self.negation: Optional[tuple] = None
        self.front = None
        self.dative_after = False        # English "to the man" after the object
        self.drop_subject = False        # coordination: he came and (he) saw
        self.english_agreement = None    # there is, there are
        self.slots = dict.fromkeys(self.SLOTS[1:])
        self.slots.update(slots)
        self.after: list = []            # subordinate clauses at the end
        self.label = new_label()         # of the main verb
        self.helper = new_label()        # of the auxiliary
        self.to_label = new_label()      # of "to" in "to the man"

    def negate(self) -> None:
        """Adds "not"; an indefinite object turns into "kein" in German."""
        self.negation = new_label()
        target = self.slots["accusative"]
        if target is None and isinstance(self.slots["predicate"], NounPredicate):
            target = self.slots["predicate"].phrase
        if target is not None and target.indefinite:
            target.negation = self.negation

    # -- English ------------------------------------------------------------

    def english(self, mode: str = "statement") -> Words:
        """The English clause; mode is "statement", "question", "embedded",
        "infinitive" or "imperative"."""
        subject_first = self.front is None or self.front is self.subject
        inverted = mode == "question" and self.front is not self.subject
        helper, main = self._english_verb(mode, inverted)
        subject = [] if self.drop_subject else self.subject.english("subject")
        frequency = self._english_slot("frequency")
        negation = words("not", self.negation) if self.negation else []
        out = [] if subject_first else self._english_front(mode)
        if mode in ("infinitive", "imperative"):
            out += negation + frequency + main
        elif inverted:
            out += helper + subject + negation + frequency + main
        else:
            out += subject + helper + negation + frequency + main
        slots = ["accusative", "dative"] if self.dative_after else ["dative", "accusative"]
        slots += ["predicate", "prepositional", "manner", "direction", "means", "place", "time"]
        for slot in slots:
            out += self._english_slot(slot)
        for clause in self.after:
            out += clause.english()
        return out

    def _english_front(self, mode: str) -> Words:
        front = self.front
        if front in (self.slots["accusative"], self.slots["dative"]):
            return front.english("object")
        out = front.english()
        if mode == "statement" and len(out) > 1:
            out = out + [COMMA]
        return out

    def _english_slot(self, slot: str) -> Words:
        filler = self.slots[slot]
        if filler is None or filler is self.front:
            return []
        if slot == "dative" and self.dative_after:
            return words("to", self.to_label) + filler.english("object")
        return filler.english()

    def _english_verb(self, mode: str, inverted: bool):
        """The auxiliary and the rest of the verb group, as two word lists."""
        verb, tense = self.verb, self.tense
        agreement = self.english_agreement or self.subject.agreement
        third = agreement == "3sg"
        particle = words(verb.particle, self.label)

        def be(past):
            if past:
                return "were" if agreement == "pl" else "was"
            return {"1sg": "am", "3sg": "is", "pl": "are"}[agreement]

        def main(text):
            return words(text, self.label) + particle

        if mode == "infinitive":
            return [], words("to", self.helper) + main(verb.lemma)
        if mode == "imperative":
            return [], main(verb.lemma)
        if tense == "perfect":
            return words("has" if third else "have", self.helper), main(verb.participle)
        if tense == "future":
            return words("will", self.helper), main(verb.lemma)
        if tense == "passive":
            return words(be(True), self.helper), main(verb.participle)
        support = bool(self.negation) or inverted
        if tense in MODALS:
            plain, third_form, lemma, modal_tense = MODALS[tense]
            if lemma != "want":
                return words(plain, self.helper), main(verb.lemma)
            rest = words("to", self.label) + main(verb.lemma)
            if support:
                return (words(self._do(modal_tense, third), self.helper),
                        words("want", self.helper) + rest)
            return [], words(third_form if third else plain, self.helper) + rest
        if verb.lemma == "be":
            return words(be(tense == "past"), self.label), []
        if support:
            return words(self._do(tense, third), self.label), main(verb.lemma)
        if tense == "past":
            return [], main(verb.past)
        text = "has" if verb.lemma == "have" else english.add_s(verb.lemma)
        return [], main(text if third else verb.lemma)

    @staticmethod
    def _do(tense: str, third: bool) -> str:
        return "did" if tense == "past" else "does" if third else "do"

    # -- German -------------------------------------------------------------

    def german(self, order: str = "second") -> Words:
        """The German clause; order says where the finite verb goes: "second"
        (statement, wh-question), "first" (yes/no question), "final"
        (subordinate clause) or "infinitive" (clause with zu)."""
        finite, prefix, nonfinite = self._german_verb()
        front = self.front
        if front is None and order == "second" and not self.drop_subject:
            front = self.subject
        heavy = self._last_with_relative(front)
        if heavy:
            heavy.extraposed = True
        out = self._german_front(front, order)
        field = self._middle_field(front, order)
        if order == "infinitive":
            zu = german.zu_infinitive(self.verb)
            both = self.label + self.helper
            end = words(zu[0], both) if len(zu) == 1 else (
                words(zu[0], self.helper) + words(zu[1], self.label))
            out += field + end
        elif order == "final":
            joined = [Word(prefix[0].text + finite[0].text, finite[0].labels)] if prefix else finite
            out += field + nonfinite + joined
        else:
            out += finite + field + prefix + nonfinite
        if heavy:
            out += heavy.german_relative()
        for clause in self.after:
            out += [COMMA] + clause.german() + [COMMA]
        return out

    MIDDLE_FIELD = ("time", "frequency", "dative", "accusative", "manner", "means",
                    "place", "predicate", "direction", "prepositional")

    def _last_with_relative(self, front) -> Optional[NounPhrase]:
        """The noun phrase that ends the middle field, if it has a relative
        clause.  That clause is extraposed behind the clause-final verb: er hat
        den Hut gekauft, den sie mochte."""
        filled = [slot for slot in self.MIDDLE_FIELD
                  if self.slots[slot] and self.slots[slot] is not front]
        if not filled:
            return None
        last = filled[-1]
        if last in ("dative", "accusative") and self.negation and not self._has_kein():
            return None                  # nicht comes after it
        phrase = self.slots[last]
        phrase = getattr(phrase, "phrase", getattr(phrase, "standard", phrase))
        return phrase if getattr(phrase, "relative", None) else None

    def _german_front(self, front, order: str) -> Words:
        if front is None:
            return []
        if front is self.subject:
            return front.german("nom")
        for case, slot in (("acc", "accusative"), ("dat", "dative")):
            if front is self.slots[slot]:
                return front.german(case)
        return front.german()

    def _middle_field(self, front, order: str) -> Words:
        """What stands between the finite verb and the end of the clause.

        First the subject, the reflexive and object pronouns, then the slots in
        the order of MIDDLE_FIELD; nicht stands after the noun phrase objects.
        """
        slots = self.slots
        out: Words = []
        if not self.drop_subject and front is not self.subject and order != "infinitive":
            out += self.subject.german("nom")
        if self.verb.reflexive:
            text = "sich"
            if isinstance(self.subject, Pronoun):
                text = self.subject.german("reflexive")[0].text
            out += words(text, self.label)
        cases = (("dative", "dat"), ("accusative", "acc"))

        def objects(pronoun: bool) -> Words:
            said: Words = []
            for slot, case in cases:
                filler = slots[slot]
                if filler and filler is not front and filler.pronoun == pronoun:
                    phrase = filler.german(case)
                    if slot == "dative" and self.dative_after:
                        phrase[0] = Word(phrase[0].text, phrase[0].labels + self.to_label)
                    said += phrase
            return said

        def say(*names: str) -> Words:
            return [word for name in names if slots[name] and slots[name] is not front
                    for word in slots[name].german()]

        out += objects(True) + say("time", "frequency") + objects(False)
        if self.negation and not self._has_kein():
            out += words("nicht", self.negation)
        return out + say(*self.MIDDLE_FIELD[4:])

    def _has_kein(self) -> bool:
        target = self.slots["accusative"]
        if target is None and isinstance(self.slots["predicate"], NounPredicate):
            target = self.slots["predicate"].phrase
        return getattr(target, "negation", None) is not None

    def _german_verb(self):
        """The finite verb, its separated prefix, and the clause-final forms."""
        verb, tense, agreement = self.verb, self.tense, self.subject.agreement
        if tense in ("present", "past"):
            finite = german.finite(verb, tense, agreement)
            return words(finite, self.label), words(verb.prefix, self.label), []
        single = lexicon.SINGLE
        if tense == "perfect":
            helper = single["have"] if verb.auxiliary == "haben" else single["be"]
            finite, end = german.finite(helper, "present", agreement), verb.de_participle
        elif tense == "passive":
            finite, end = german.finite(single["become"], "past", agreement), verb.de_participle
        else:
            if tense == "future":
                helper, helper_tense = single["will"], "present"
            else:
                helper, helper_tense = single[MODALS[tense][2]], MODALS[tense][3]
            finite = german.finite(helper, helper_tense, agreement)
            end = verb.prefix + verb.infinitive
        return words(finite, self.helper), [], words(end, self.label)


class Subordinate:
    """A conjunction with its clause: because ..., weil ... (verb-final)."""
    pronoun = False

    def __init__(self, en: str, de: str, clause: Clause, comma: bool = False):
        self.conjunction = Fixed(en, de)
        self.clause, self.comma = clause, comma

    def english(self) -> Words:
        before = [COMMA] if self.comma else []
        return before + self.conjunction.english() + self.clause.english("embedded")

    def german(self) -> Words:
        return self.conjunction.german() + self.clause.german("final") + [COMMA]


class IndirectQuestion:
    """why he came, warum er kam: the question word is the clause's front."""

    def __init__(self, clause: Clause):
        self.clause = clause

    def english(self) -> Words:
        return self.clause.english("embedded")

    def german(self) -> Words:
        return self.clause.german("final")


class Infinitive:
    """to buy a hat; with a purpose: in order to buy a hat, um ... zu kaufen."""

    def __init__(self, clause: Clause, purpose: bool = False):
        self.clause = clause
        self.purpose = Fixed("in order", "um") if purpose else None

    def english(self) -> Words:
        before = self.purpose.english() if self.purpose else []
        return before + self.clause.english("infinitive")

    def german(self) -> Words:
        before = self.purpose.german() if self.purpose else []
        return before + self.clause.german("infinitive")


class Coordination:
    """Two clauses joined by and or but."""

    def __init__(self, first: Clause, en: str, de: str, second: Clause):
        self.first, self.second = first, second
        self.conjunction = Fixed(en, de)
        self.comma = [COMMA] if en == "but" else []

    def english(self, mode: str = "statement") -> Words:
        return (self.first.english(mode) + self.comma + self.conjunction.english()
                + self.second.english(mode))

    def german(self, order: str = "second") -> Words:
        return (self.first.german(order) + self.comma + self.conjunction.german()
                + self.second.german(order))
