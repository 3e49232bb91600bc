"""Sentence frames: which structures are built, how often, with which words.

The Composer draws nouns, verbs and adjectives that go together and builds the
structures of grammar.py out of them.  It notes what it used, so that a
sentence's signature (frame, verbs, nouns) can be kept out of the other splits.
"""

from __future__ import annotations

from typing import List, NamedTuple, Tuple

import english
import german
import lexicon
from grammar import (MODALS, AdjectivePredicate, Clause, Coordination, Expletive, Fixed,
                     IndirectQuestion, Infinitive, Joined, Name, NounPhrase, NounPredicate,
                     Number, Prepositional, Pronoun, QuestionWord, RelativePronoun,
                     Subordinate, Titled, WhoseGroup, align, finish, new_label, pronoun_for)
from lexicon import NOUN, SINGLE, nouns_of
from rng import Rng


class Pair(NamedTuple):
    """A sentence pair with its alignment and what it is made of."""
    source: str
    target: str
    links: List[Tuple[int, int]]
    frame: str
    verbs: Tuple[str, ...]
    nouns: Tuple[str, ...]

    @property
    def signature(self) -> str:
        return "%s | %s | %s" % (self.frame, " ".join(self.verbs), " ".join(self.nouns))


VERBS = {name: lexicon.verbs(getattr(lexicon, name.upper())) for name in (
    "transitive", "intransitive", "dative", "prepositional", "ditransitive",
    "motion", "happening", "that_verbs", "ask_verbs", "to_verbs")}
TOWNS = lexicon.pairs(lexicon.TOWNS)
MONTHS = lexicon.pairs(lexicon.MONTHS)
WEEKDAYS = lexicon.pairs(lexicon.WEEKDAYS)

# Verbs of states and feelings: no manner adverb, no passive, no imperative.
STATIVE = ("like know need love hate understand admire see hear find lose forget miss "
           "fear believe dream think remember trust marry meet wear have").split()
# Verbs whose object is itself a place: no place adverbial besides.
LOCAL = "reach leave cross visit climb build".split()
POSSESSIVES = ("my", "your", "his", "her", "our", "their")
BENEFACTIVE = "buy bake cook draw order build need pick look".split()

CLAUSE_KINDS = (("transitive", 50), ("intransitive", 9), ("dative", 7),
                ("prepositional", 12), ("ditransitive", 9), ("motion", 7), ("copula", 8))
TENSES = (("past", 40), ("present", 24), ("perfect", 13), ("future", 9), ("can", 3),
          ("could", 2), ("must", 4), ("should", 4), ("want", 4), ("wanted", 2), ("may", 2))

# Which nouns can belong to someone (my lamp, Anna's lamp).
OWNED = ("kinsman kinswoman animal food drink thing device clothing furniture vehicle "
         "text room idea instrument plant").split()


def _object_verbs() -> dict:
    """For each noun, the transitive verbs it can be the object of."""
    table: dict = {name: [] for name in NOUN}
    for verb in VERBS["transitive"]:
        for noun in nouns_of(verb.objects):
            table[noun.lemma].append(verb)
    return table


OBJECT_VERBS = _object_verbs()
ACTION_VERBS = {lemma: [verb for verb in verbs if verb.lemma not in STATIVE]
                for lemma, verbs in OBJECT_VERBS.items()}


class Composer:
    """Builds one sentence after another from a random generator."""

    def __init__(self, seed: int):
        self.rng = Rng(seed)
        self.verbs: List[str] = []
        self.nouns: List[str] = []
        self.frame: List[str] = []
        self.active = False         # whether verbs of state are to be avoided

    # -- words ----------------------------------------------------------------

    def noun(self, groups: str):
        """A noun of the groups that the sentence does not contain yet."""
        used = [NOUN[lemma] for lemma in self.nouns]
        noun = self.rng.deal("noun " + groups, nouns_of(groups), used)
        self.nouns.append(noun.lemma)
        return noun

    def verb(self, kind: str):
        used = [v for v in VERBS[kind] if v.lemma in self.verbs
                or (self.active and v.lemma in STATIVE)]
        return self.use(self.rng.deal("verb " + kind, VERBS[kind], used))

    def use(self, verb):
        """Notes that the sentence contains the verb."""
        self.verbs.append((verb.lemma + " " + verb.particle).strip())
        return verb

    def adjective(self, group: str, compared: bool = False, avoid=()):
        kind = lexicon.KIND[group]
        options = [a for a in lexicon.adjectives_for(group)
                   if not compared or a.compared != "-"]
        return self.rng.deal("adjective %s %s" % (kind, compared), options, avoid)

    # -- noun phrases ---------------------------------------------------------

    def noun_phrase(self, groups: str, plain: bool = False, number: str = "",
                    relative: int = 0, topic: bool = False) -> NounPhrase:
        """A noun phrase; plain ones have no numerals, quantifiers or "every".
        With `relative` percent chance it has a relative clause.  Topics, the
        subjects of statements, are mostly definite."""
        rng, noun = self.rng, self.noun(groups)
        if not number:
            number = "pl" if not noun.mass and rng.chance(30) else "sg"
        determiner = self.determiner(noun, number, plain, topic)
        if determiner in POSSESSIVES or isinstance(determiner, Name):
            if noun.lemma in ("father", "mother"):
                number = "sg"
        phrase = NounPhrase(noun, number, determiner)
        phrase.adjectives = self.adjectives(phrase)
        if rng.chance(relative):
            self.add_relative(phrase)
        elif phrase.determiner == "the" and noun.group in OWNED and rng.chance(7):
            self.add_genitive(phrase)
        return phrase

    def determiner(self, noun, number: str, plain: bool, topic: bool):
        rng = self.rng
        options = [("the", 62), ("a", 10)] if topic else [("the", 48), ("a", 26)]
        if noun.group in OWNED:
            options += [("possessive", 16), ("name", 5)]
        if not plain and not noun.mass:
            options.append(("this", 6))
            if number == "pl":
                options += [("number", 14), ("quantifier", 12)]
            elif lexicon.KIND[noun.group] == "person":
                options.append(("every", 4))
        kind = rng.weighted(options)
        if kind == "possessive":
            return rng.choice(POSSESSIVES)
        if kind == "quantifier":
            return rng.choice(("many", "several", "some"))
        if kind == "name":
            return self.name()
        if kind == "number":
            return self.number()
        return kind

    def number(self) -> Number:
        rng = self.rng
        if rng.chance(55):
            return Number(2 + rng.below(11))
        if rng.chance(60):
            return Number(13 + rng.below(18))
        return Number(10 * (2 + rng.below(9)), digits=True)

    def name(self) -> Name:
        if self.rng.chance(50):
            return Name(self.rng.deal("male", lexicon.MALE_NAMES), "m")
        return Name(self.rng.deal("female", lexicon.FEMALE_NAMES), "f")

    def adjectives(self, phrase: NounPhrase):
        """No, one or two adjectives with their label, as NounPhrase keeps them."""
        rng, group = self.rng, phrase.noun.group
        count = rng.weighted(((0, 45), (1, 45), (2, 10)))
        if not lexicon.adjectives_for(group):
            count = 0
        degree = "plain"
        if count and phrase.determiner == "the" and phrase.number == "sg" and rng.chance(12):
            degree, count = "superlative", 1
        chosen: list = []
        for _ in range(count):
            avoid = [adjective for adjective, _ in chosen]
            chosen.append((self.adjective(group, degree == "superlative", avoid), degree))
        return [(adjective, degree, new_label()) for adjective, degree in chosen]

    def add_genitive(self, phrase: NounPhrase) -> None:
        """the hat of my uncle, der Hut meines Onkels"""
        owner = self.noun("kin" if phrase.human else "person")
        determiner = "the"
        if owner.group in OWNED and self.rng.chance(50):
            determiner = self.rng.choice(POSSESSIVES)
        phrase.genitive = NounPhrase(owner, "sg", determiner)

    def person(self, relative: int = 0, plain: bool = False):
        """A person: noun phrase, pronoun, first name, or Mr. and Mrs."""
        kind = self.rng.weighted((("noun", 66), ("pronoun", 14), ("name", 11), ("title", 9)))
        if kind == "pronoun":
            return Pronoun(self.rng.choice(("I", "you", "he", "she", "we", "they")))
        if kind == "name":
            return self.name()
        if kind == "title":
            return Titled(self.rng.deal("surname", lexicon.SURNAMES), self.rng.choice("mf"))
        phrase = self.noun_phrase("person", plain, relative=relative, topic=True)
        alone = plain or phrase.relative or phrase.determiner == "every"
        if not alone and self.rng.chance(9):
            other = NounPhrase(self.noun("kin =dog =cat =horse"), "sg",
                               self.rng.choice(("the", "his", "her", "my")))
            return Joined(phrase, other)
        return phrase

    def object(self, groups: str, relative: int = 0, plain: bool = False):
        """An object; where persons can be meant, sometimes a pronoun or name."""
        if groups.split()[0] == "person" and self.rng.chance(22):
            if self.rng.chance(50):
                return Pronoun(self.rng.choice(("he", "she", "they")))
            return self.name()
        return self.noun_phrase(groups, plain, relative=relative)

    # -- adverbials -----------------------------------------------------------

    def tense(self) -> str:
        return self.rng.weighted(TENSES)

    def time(self, tense: str):
        """A time expression that fits the tense."""
        rng = self.rng
        past = tense in ("past", "passive", "could", "wanted")
        if past:
            kind = rng.weighted((("list", 40), ("ago", 8), ("date", 14), ("weekday", 12),
                                 ("year", 9), ("clock", 10), ("event", 12)))
        elif tense == "present":
            kind = rng.weighted((("list", 70), ("weekdays", 15), ("clock", 15)))
        else:
            kind = rng.weighted((("list", 46), ("weekday", 14), ("day", 10),
                                 ("clock", 16), ("event", 14)))
        if kind == "list":
            table = (lexicon.PAST_TIMES if past else lexicon.PRESENT_TIMES
                     if tense == "present" else lexicon.FUTURE_TIMES)
            return Fixed(*rng.choice(table))
        return getattr(self, "time_" + kind)()

    def time_ago(self):
        count, unit = 2 + self.rng.below(11), self.rng.choice(
            (("days", "Tagen"), ("weeks", "Wochen"), ("months", "Monaten"), ("years", "Jahren")))
        return Fixed("%s/1 %s/2 ago/3" % (english.number(count), unit[0]),
                     "vor/3 %s/1 %s/2" % (german.number(count), unit[1]))

    def time_date(self):
        month, day = self.rng.deal("month", MONTHS), 1 + self.rng.below(28)
        year = 1950 + self.rng.below(70)
        return Fixed("on/1 %s/2 %d,/3 %d/4" % (month[0], day, year),
                     "am/1 %d./3 %s/2 %d/4" % (day, month[1], year))

    def time_day(self):
        month, day = self.rng.deal("month", MONTHS), 1 + self.rng.below(28)
        return Fixed("on/1 %s/2 %d/3" % (month[0], day), "am/1 %d./3 %s/2" % (day, month[1]))

    def time_year(self):
        if self.rng.chance(40):
            month = self.rng.deal("month", MONTHS)
            return Fixed("in/1 %s/2" % month[0], "im/1 %s/2" % month[1])
        year = 1950 + self.rng.below(70)
        return Fixed("in/1 %d/2" % year, "im/1 Jahr/1 %d/2" % year)

    def time_weekday(self):
        day = self.rng.deal("weekday", WEEKDAYS)
        return Fixed("on/1 %s/2" % day[0], "am/1 %s/2" % day[1])

    def time_weekdays(self):
        day = self.rng.deal("weekday", WEEKDAYS)
        return Fixed("on/1 %ss/1" % day[0], "%ss/1" % day[1].lower())

    def time_clock(self):
        """at 7:30, at 3 o'clock, at half past seven, at a quarter to two"""
        hour, kind = 1 + self.rng.below(11), self.rng.below(5)
        en, de = english.number(hour), german.number(hour)
        if kind == 0:
            return Fixed("at/1 half/2 past/2 %s/3" % en,
                         "um/1 halb/2 %s/3" % german.number(hour + 1))
        if kind == 1:
            return Fixed("at/1 a/2 quarter/2 past/3 %s/4" % en, "um/1 Viertel/2 nach/3 %s/4" % de)
        if kind == 2:
            return Fixed("at/1 a/2 quarter/2 to/3 %s/4" % en, "um/1 Viertel/2 vor/3 %s/4" % de)
        if kind == 3:
            return Fixed("at/1 %d/2 o'clock/3" % hour, "um/1 %d/2 Uhr/3" % hour)
        clock = "%d:%d" % (7 + self.rng.below(15), self.rng.choice((15, 30, 45)))
        return Fixed("at/1 %s/2" % clock, "um/1 %s/2 Uhr/2" % clock)

    def time_event(self):
        """after the concert, nach dem Konzert"""
        en, de, case = self.rng.choice(lexicon.EVENT_TIMES)
        return Prepositional(en, de, case, NounPhrase(self.noun("event")))

    def place(self):
        """in the park, at the station, on the hill, behind the house, in Berlin"""
        rng = self.rng
        kind = rng.weighted((("inside", 42), ("spot", 14), ("ground", 13),
                             ("near", 14), ("town", 17)))
        if kind == "town":
            return self.town("in", "in")
        if kind == "near":
            en, de = rng.choice(lexicon.NEIGHBOURHOOD)
            landmark = self.landmark("building =house =tree =tower =fountain")
            return Prepositional(en, de, "dat", landmark)
        en, de = {"inside": ("in", "in"), "spot": ("at", "an"), "ground": ("on", "auf")}[kind]
        return Prepositional(en, de, "dat", self.landmark(kind))

    def landmark(self, groups: str) -> NounPhrase:
        phrase = NounPhrase(self.noun(groups), "sg", self.rng.weighted((("the", 80), ("a", 20))))
        if self.rng.chance(30):
            phrase.adjectives = self.adjectives(phrase)
        return phrase

    def town(self, en: str, de: str):
        name = self.rng.deal("town", TOWNS)
        return Fixed("%s/1 %s/2" % (en, name[0]), "%s/1 %s/2" % (de, name[1]))

    def direction(self):
        """to the park (in den), to the station (zum), to the hill (auf den), to Rome"""
        kind = self.rng.weighted((("town", 30), ("building area", 40), ("spot", 20),
                                  ("ground", 10)))
        if kind == "town":
            return self.town("to", "nach")
        de, case = {"spot": ("zu", "dat"), "ground": ("auf", "acc")}.get(kind, ("in", "acc"))
        return Prepositional("to", de, case, self.landmark(kind))

    def companion(self) -> Prepositional:
        en, de, case = self.rng.weighted(((("with", "mit", "dat"), 3),
                                          (("without", "ohne", "acc"), 1)))
        return Prepositional(en, de, case, self.noun_phrase("kin", plain=True, number="sg"))

    def price(self) -> Fixed:
        """for 12.50 euros, für 12,50 Euro"""
        amount, de = self.amount()
        return Fixed("for/1 %s/2 euros/3" % amount, "für/1 %s/2 Euro/3" % de)

    def amount(self) -> Tuple[str, str]:
        rng = self.rng
        if rng.chance(55):
            text = "%d.%s" % (1 + rng.below(20), rng.choice(("50", "20", "95")))
            return text, text.replace(".", ",")
        if rng.chance(60):
            return (str(10 * (2 + rng.below(9))),) * 2
        text = "%d,%s" % (1 + rng.below(9), rng.choice(("000", "500")))
        return text, text.replace(",", ".")

    # -- clauses --------------------------------------------------------------

    def clause(self, kind: str = "", subject=None, tense: str = "", adjuncts: int = 60,
               relative: int = 0, negation: int = 9) -> Clause:
        """A clause of a valency kind; the subject is a person unless given."""
        kind = kind or self.rng.weighted(CLAUSE_KINDS)
        if subject is not None and not subject.human:
            kind = "copula"
        self.frame.append(kind)
        tense = tense or self.tense()
        clause = getattr(self, "clause_" + kind)(subject, tense, relative)
        group = getattr(getattr(clause.subject, "noun", None), "group", "man")
        lifeless = lexicon.KIND[group] not in ("person", "animal")
        if tense in MODALS and (lifeless or clause.verb.lemma in STATIVE):
            tense = clause.tense = "past" if tense in ("could", "wanted") else "present"
        self.add_adjuncts(clause, kind, adjuncts)
        if (self.rng.chance(negation) and tense != "must" and not clause.slots["frequency"]
                and self.can_negate(clause)):
            clause.negate()
        return clause

    @staticmethod
    def can_negate(clause: Clause) -> bool:
        """No "every" or numbers near a negation, whose scope they would blur;
        and no nicht that would come long after its verb, behind a relative
        clause."""
        phrases = [clause.subject, clause.slots["accusative"], clause.slots["dative"]]
        for phrase in phrases:
            determiner = getattr(phrase, "determiner", "the")
            if determiner in ("every", "many", "several", "some"):
                return False
            if isinstance(determiner, Number):
                return False
        indefinite = getattr(clause.slots["accusative"], "indefinite", False)
        if Composer.heavy(clause) and not indefinite:
            return False
        return not isinstance(clause.subject, QuestionWord)

    def add_adjuncts(self, clause: Clause, kind: str, percent: int) -> None:
        """Adds time, frequency, manner, place or companion to a clause."""
        rng, slots, tense = self.rng, clause.slots, clause.tense
        if self.heavy(clause):
            return
        stative = clause.verb.lemma in STATIVE or kind == "copula"
        if tense == "perfect":
            if rng.chance(percent // 3):
                slots["frequency"] = Fixed(*rng.choice(lexicon.PERFECT_ADVERBS))
        elif rng.chance(percent):
            if tense in ("present", "past") and rng.chance(20):
                slots["frequency"] = Fixed(*rng.choice(lexicon.FREQUENCIES))
            elif not (kind == "copula" and tense == "present"):
                slots["time"] = self.time(tense)
        if not stative and rng.chance(percent // 6):
            slots["manner"] = Fixed(*rng.choice(lexicon.MANNERS))
        if kind in ("transitive", "intransitive", "prepositional"):
            if clause.verb.lemma not in LOCAL and rng.chance(percent // 2):
                slots["place"] = self.place()
        if kind in ("intransitive", "motion") and slots["means"] is None:
            if rng.chance(percent // 4):
                slots["means"] = self.companion()

    @staticmethod
    def heavy(clause: Clause) -> bool:
        """Whether a relative clause follows the verb.  An adverbial at the end
        could then belong to either clause, so there must be none."""
        for filler in clause.slots.values():
            phrase = getattr(filler, "phrase", getattr(filler, "standard", filler))
            if getattr(phrase, "relative", None):
                return True
        return False

    def clause_transitive(self, subject, tense, relative):
        verb = self.verb("transitive")
        subject = subject or self.person(relative // 2)
        clause = Clause(subject, verb, tense)
        target = self.object(verb.objects, relative)
        if target.pronoun and verb.particle:
            target = self.noun_phrase("person")
        clause.slots["accusative"] = target
        if self.heavy(clause):
            return clause
        if verb.lemma in ("buy", "sell") and self.rng.chance(70):
            clause.slots["means"] = self.price()
        elif verb.lemma in BENEFACTIVE and not verb.particle and self.rng.chance(35):
            someone = self.noun_phrase("person", plain=True)
            clause.slots["means"] = Prepositional("for", "für", "acc", someone)
        return clause

    def clause_intransitive(self, subject, tense, relative):
        verb = self.verb("intransitive")
        while subject is not None and "person" not in verb.extra:
            self.verbs.pop()
            verb = self.verb("intransitive")
        if subject is None:
            group = self.rng.choice(verb.extra.split())
            subject = (self.person(relative) if group == "person"
                       else self.noun_phrase(group, relative=relative, topic=True))
        return Clause(subject, verb, tense)

    def clause_dative(self, subject, tense, relative):
        verb = self.verb("dative")
        subject = subject or self.person(relative // 2)
        return Clause(subject, verb, tense, dative=self.object(verb.objects, relative))

    def clause_prepositional(self, subject, tense, relative):
        verb = self.verb("prepositional")
        subject = subject or self.person(relative // 2)
        clause = Clause(subject, verb, tense)
        en, de, case = verb.extra.split()
        target = self.noun_phrase(verb.objects, relative=relative)
        phrase = Prepositional(en.strip("-"), de, case, target)
        if en == "-":
            phrase.label = clause.label
        clause.slots["prepositional"] = phrase
        return clause

    def clause_ditransitive(self, subject, tense, relative):
        verb = self.verb("ditransitive")
        subject = subject or self.person()
        clause = Clause(subject, verb, tense)
        clause.slots["dative"] = self.object("person", plain=True)
        relative = 0 if verb.extra == "to" else relative
        clause.slots["accusative"] = self.noun_phrase(verb.objects, relative=relative)
        clause.dative_after = verb.extra == "to" or (not self.heavy(clause) and self.rng.chance(30))
        return clause

    def clause_motion(self, subject, tense, relative):
        verb = self.verb("motion")
        subject = subject or self.person(relative)
        clause = Clause(subject, verb, tense)
        if verb.lemma in ("fly", "travel", "drive"):
            clause.slots["direction"] = self.town("to", "nach")
        else:
            clause.slots["direction"] = self.direction()
        if verb.lemma in ("travel", "drive") and self.rng.chance(60):
            vehicle = self.noun("=car =bus =train =taxi =tram =truck")
            dem = german.pick(german.DEFINITE, vehicle.gender, "dat")
            clause.slots["means"] = Fixed("by/1 %s/2" % vehicle.lemma,
                                          "mit/1 %s/2 %s/2" % (dem, vehicle.de_sg))
        return clause

    def clause_copula(self, subject, tense, relative):
        """be or become with an adjective, a comparison or a noun"""
        rng = self.rng
        verb = self.use(SINGLE["become" if tense == "past" and rng.chance(25) else "be"])
        kind = rng.weighted((("adjective", 45), ("comparison", 35), ("noun", 20)))
        if subject is None:
            if kind == "noun" or rng.chance(35):
                subject = self.person(relative)
            else:
                groups = "animal thing clothing vehicle text building area idea event room food"
                subject = self.noun_phrase(groups, True, relative=relative, topic=True)
        noun = getattr(subject, "antecedent", subject)
        group = noun.noun.group if isinstance(noun, (NounPhrase, WhoseGroup)) else "man"
        if isinstance(subject, WhoseGroup):
            group = subject.noun.group
        person = lexicon.KIND[group] == "person"
        if tense in MODALS:
            tense = "past" if tense in ("could", "wanted") else "present"
        if kind == "noun" and person and subject.agreement == "3sg":
            gender = getattr(noun, "gender", "m")
            if isinstance(subject, Pronoun):
                gender = "f" if subject.key == "she" else "m"
            role = NounPhrase(self.noun("man" if gender != "f" else "woman"), "sg", "a")
            role.adjectives = self.adjectives(role)
            predicate = NounPredicate(role)
        elif kind == "comparison":
            adjective = self.adjective(group, True)
            standard = self.noun_phrase("person" if person else group, plain=True)
            predicate = AdjectivePredicate(adjective, None, standard, rng.chance(25))
        else:
            degree = Fixed(*rng.choice(lexicon.DEGREES)) if rng.chance(50) else None
            predicate = AdjectivePredicate(self.adjective(group), degree)
        return Clause(subject, verb, tense, predicate=predicate)

    # -- relative clauses -----------------------------------------------------

    def add_relative(self, phrase: NounPhrase) -> None:
        """Gives a noun phrase a relative clause of a kind its noun allows."""
        noun = phrase.noun
        options = [("subject", 30)] if phrase.human else [("predicate", 9)]
        if OBJECT_VERBS[noun.lemma]:
            options.append(("object", 30))
            if not phrase.human and ACTION_VERBS[noun.lemma]:
                options.append(("passive", 14))
        if phrase.human:
            options += [("dative", 10), ("whose", 16)]
        if noun.group in ("room", "building", "area", "ground"):
            options.append(("where", 20))
        if noun.group == "animal":
            options.append(("subject", 16))
        kind = self.rng.weighted(options)
        self.frame.append("relative-" + kind)
        phrase.relative = getattr(self, "relative_" + kind)(phrase)
        phrase.genitive = None

    def relative_tense(self) -> str:
        return self.rng.weighted((("past", 50), ("present", 25), ("perfect", 20), ("want", 5)))

    def relative_subject(self, phrase):
        """the man who bought the hat, der Mann, der den Hut kaufte"""
        if phrase.human:
            clause = self.clause(subject=RelativePronoun(phrase), tense=self.relative_tense(),
                                 adjuncts=25)
        else:
            verb = self.use(self.rng.choice(
                [v for v in VERBS["intransitive"] if "animal" in v.extra]))
            clause = Clause(RelativePronoun(phrase), verb, self.rng.choice(("past", "present")))
            clause.slots["place"] = self.place()
        clause.front = clause.subject
        return clause

    def relative_predicate(self, phrase):
        """the lamp that is very old, die Lampe, die sehr alt ist"""
        tense = self.rng.choice(("past", "present"))
        clause = self.clause_copula(RelativePronoun(phrase), tense, 0)
        clause.front = clause.subject
        return clause

    def verb_for(self, noun, table):
        """A transitive verb the noun can be the object of, a new one if possible."""
        options = table[noun.lemma]
        fresh = [verb for verb in options if verb.lemma not in self.verbs]
        return self.use(self.rng.choice(fresh or options))

    def relative_object(self, phrase):
        """the hat that the man bought, der Hut, den der Mann kaufte"""
        verb = self.verb_for(phrase.noun, OBJECT_VERBS)
        clause = Clause(self.person(), verb, self.relative_tense())
        clause.front = clause.slots["accusative"] = RelativePronoun(phrase)
        if clause.tense == "past" and self.rng.chance(30):
            clause.slots["time"] = self.time("past")
        return clause

    def relative_passive(self, phrase):
        """the lamp that was sold by the man, die Lampe, die vom Mann verkauft wurde"""
        verb = self.verb_for(phrase.noun, ACTION_VERBS)
        clause = Clause(RelativePronoun(phrase), verb, "passive")
        agent = self.noun_phrase("person", plain=True)
        clause.slots["means"] = Prepositional("by", "von", "dat", agent)
        clause.front = clause.subject
        return clause

    def relative_dative(self, phrase):
        """the man whom the girl helped, der Mann, dem das Mädchen half"""
        clause = Clause(self.person(), self.verb("dative"), self.relative_tense())
        clause.front = clause.slots["dative"] = RelativePronoun(phrase)
        return clause

    def relative_whose(self, phrase):
        """the man whose dog is sick, der Mann, dessen Hund krank ist"""
        group = self.rng.choice(("kin", "animal", "vehicle"))
        whose = WhoseGroup(phrase, self.noun(group))
        tense = self.rng.choice(("past", "present"))
        if whose.human:
            clause = self.clause(subject=whose, tense=tense, adjuncts=20)
        else:
            clause = self.clause_copula(whose, tense, 0)
        clause.front = clause.subject
        return clause

    def relative_where(self, phrase):
        """the house in which he lives, das Haus, in dem er wohnt"""
        en, de = ("on", "auf") if phrase.noun.group == "ground" else ("in", "in")
        kind = self.rng.choice(("intransitive", "transitive"))
        clause = getattr(self, "clause_" + kind)(self.person(), self.relative_tense(), 0)
        clause.front = Prepositional(en, de, "dat", RelativePronoun(phrase))
        return clause

    # -- sentences ------------------------------------------------------------

    SENTENCES = (("simple", 27), ("relative", 13), ("because", 9), ("fronted", 8),
                 ("that", 8), ("ask", 5), ("infinitive", 6), ("purpose", 4),
                 ("coordination", 6), ("contrast", 6), ("yes_no", 5), ("wh", 6),
                 ("request", 3), ("passive", 5), ("existence", 3), ("happening", 3),
                 ("birth", 2), ("age", 3), ("cost", 3), ("belong", 2), ("duration", 2))

    def compose(self) -> Pair:
        """The next sentence."""
        self.verbs, self.nouns, self.frame, self.active = [], [], [], False
        kind = self.rng.weighted(self.SENTENCES)
        self.frame.append(kind)
        en, de, mark = getattr(self, "sentence_" + kind)()
        source, target = finish(en, mark), finish(de, mark)
        return Pair(" ".join(word.text for word in source),
                    " ".join(word.text for word in target),
                    align(source, target), "+".join(self.frame),
                    tuple(sorted(self.verbs)), tuple(sorted(self.nouns)))

    def statement(self, clause):
        return clause.english(), clause.german(), "."

    def front_something(self, clause: Clause, percent: int) -> None:
        """Moves the time or the place to the front of a statement."""
        if self.heavy(clause) and clause.tense != "perfect" and not clause.slots["time"]:
            if clause.tense != "present" or clause.verb.lemma not in ("be",) + tuple(STATIVE):
                if self.rng.chance(percent):
                    clause.slots["time"] = clause.front = self.time(clause.tense)
            return
        options = [slot for slot in ("time", "place") if clause.slots[slot]]
        if options and self.rng.chance(percent):
            clause.front = clause.slots[self.rng.choice(options)]

    def sentence_simple(self):
        clause = self.clause(adjuncts=99)
        self.front_something(clause, 45)
        return self.statement(clause)

    def sentence_relative(self):
        clause = self.clause(adjuncts=70, relative=85)
        self.front_something(clause, 55)
        return self.statement(clause)

    def sub_tense(self, tense: str) -> str:
        """A tense for the second clause that fits the first."""
        if tense in ("past", "could", "wanted"):
            return self.rng.weighted((("past", 80), ("wanted", 10), ("could", 10)))
        return self.rng.weighted((("present", 50), ("perfect", 22), ("want", 9), ("must", 9),
                                  ("can", 10)))

    def subordinate(self, tense: str, front: bool = False, anaphor=None) -> Subordinate:
        """A because-, although-, when-, if- or while-clause."""
        past = tense in ("past", "could", "wanted")
        options = [("because weil", 40), ("although obwohl", 28)]
        if past:
            options += [("when als", 16), ("before bevor", 12), ("while während", 10)]
        else:
            options += [("if wenn", 24)]
        en, de = self.rng.weighted(options).split()
        tense = self.sub_tense(tense)
        if en in ("when", "before", "while"):
            tense = "past"
        if anaphor is None and self.rng.chance(7):
            verb = self.use(SINGLE[self.rng.choice(("rain", "snow"))])
            clause = Clause(Expletive("it", "es"), verb, "past" if past else "present")
            self.frame.append("weather")
        else:
            subject = anaphor if anaphor is not None else self.person()
            clause = self.clause("", subject, tense, adjuncts=50,
                                 negation=0 if en == "before" else 9)
        self.frame.append(en)
        return Subordinate(en, de, clause, comma=(en == "although" and not front))

    def sentence_because(self):
        clause = self.clause(adjuncts=30)
        clause.after.append(self.subordinate(clause.tense, anaphor=self.anaphor(clause)))
        return self.statement(clause)

    def anaphor(self, clause: Clause):
        """A pronoun for the subject, or for the object if that is the clause's
        only thing: The man sold the lamp because it (sie) was old."""
        target = clause.slots["accusative"]
        if (isinstance(target, NounPhrase) and not target.human and target.number == "sg"
                and not any(clause.slots[s] for s in ("place", "means", "time", "direction"))
                and target.genitive is None
                and (not isinstance(clause.subject, NounPhrase) or clause.subject.human)
                and self.rng.chance(55)):
            return self.refer(target)
        if self.rng.chance(60):
            return self.refer(clause.subject)
        return None

    def refer(self, phrase):
        """The pronoun for a phrase; "every" and neuter persons are not taken up."""
        if isinstance(phrase, NounPhrase):
            if phrase.determiner == "every" or phrase.noun.group == "young":
                return None
        if isinstance(phrase, Expletive):
            return None
        return pronoun_for(phrase)

    def sentence_fronted(self):
        tense = self.tense()
        first = self.subordinate(tense, front=True)
        anaphor = self.refer(first.clause.subject) if self.rng.chance(60) else None
        clause = self.clause(subject=anaphor, tense=tense, adjuncts=30)
        clause.front = first
        return self.statement(clause)

    def sentence_that(self):
        verb = self.verb("that_verbs")
        tense = self.rng.choice(("past", "past", "present", "perfect"))
        clause = Clause(self.person(relative=10), verb, tense)
        if self.rng.chance(20) and self.can_negate(clause):
            clause.negate()
        inner = self.clause(tense=self.sub_tense(tense), adjuncts=70, relative=12)
        clause.after.append(Subordinate("that", "dass", inner))
        return self.statement(clause)

    def sentence_ask(self):
        """asked whether (ob), why, where, when"""
        verb = self.verb("ask_verbs")
        tense = self.rng.choice(("past", "past", "present"))
        clause = Clause(self.person(plain=True), verb, tense)
        if verb.lemma == "know" or (verb.lemma == "find" and tense == "past"):
            clause.negate()
        kind = self.rng.weighted((("whether", 50), ("why", 20), ("where", 15), ("when", 15)))
        self.frame.append(kind)
        inner_tense = self.sub_tense(tense)
        if kind == "whether":
            clause.after.append(Subordinate(
                "whether", "ob", self.clause(tense=inner_tense, adjuncts=70, relative=12)))
        else:
            inner = self.wh_clause(kind, inner_tense)
            clause.after.append(IndirectQuestion(inner))
        return self.statement(clause)

    WH = {"why": ("why", "warum"), "where": ("where", "wo"), "when": ("when", "wann")}

    def wh_clause(self, kind: str, tense: str) -> Clause:
        """A clause with why, where or when in front."""
        verb_kind = "" if kind == "why" else self.rng.choice(("transitive", "prepositional"))
        adjuncts = {"why": 80, "where": 0, "when": 0}[kind]
        clause = self.clause(verb_kind, tense=tense, adjuncts=adjuncts, relative=25, negation=0)
        if not self.heavy(clause):
            if kind == "where" and tense != "perfect" and self.rng.chance(60):
                clause.slots["time"] = self.time(tense)
            if kind == "when" and self.rng.chance(50):
                clause.slots["place"] = self.place()
        clause.front = Fixed(*self.WH[kind])
        return clause

    def infinitive_clause(self, subject) -> Clause:
        """The clause of an infinitive: its subject is understood."""
        kind = self.rng.weighted((("transitive", 60), ("dative", 8), ("prepositional", 14),
                                  ("ditransitive", 12), ("motion", 6)))
        understood = pronoun_for(subject)
        clause = self.clause(kind, understood, "present", adjuncts=0, relative=15, negation=0)
        if kind != "motion" and not self.heavy(clause) and self.rng.chance(40):
            clause.slots["place"] = self.place()
        return clause

    def sentence_infinitive(self):
        """tried to sell the hat, versuchte, den Hut zu verkaufen"""
        verb = self.verb("to_verbs")
        subject = self.person(relative=12)
        clause = Clause(subject, verb, self.rng.choice(("past", "past", "present", "perfect")))
        if clause.tense == "past" and self.rng.chance(35):
            clause.slots["time"] = clause.front = self.time("past")
        clause.after.append(Infinitive(self.infinitive_clause(subject)))
        return self.statement(clause)

    def sentence_purpose(self):
        """went to the city in order to buy a hat, ging in die Stadt, um ... zu kaufen"""
        clause = self.clause(self.rng.choice(("motion", "transitive")), adjuncts=20, negation=0)
        clause.after.append(Infinitive(self.infinitive_clause(clause.subject), purpose=True))
        return self.statement(clause)

    def sentence_coordination(self):
        """opened the door and greeted the guest; the subject is said once"""
        first = self.clause(adjuncts=25, negation=0)
        tense = first.tense
        second = self.clause(subject=first.subject, tense=tense, adjuncts=25, negation=0)
        second.drop_subject = True
        both = Coordination(first, "and", "und", second)
        return both.english(), both.german(), "."

    def sentence_contrast(self):
        """The lamp is old, but it (sie) still works: aber does not change the order."""
        first = self.clause(adjuncts=30)
        anaphor = self.anaphor(first)
        second = self.clause("", anaphor, self.sub_tense(first.tense), adjuncts=30, negation=25)
        self.front_something(first, 40)
        both = Coordination(first, "but", "aber", second)
        return both.english(), both.german(), "."

    def question_tense(self) -> str:
        return self.rng.weighted((("past", 35), ("present", 28), ("perfect", 15), ("future", 10),
                                  ("can", 6), ("want", 6)))

    def sentence_yes_no(self):
        clause = self.clause(tense=self.question_tense(), adjuncts=99, relative=25)
        return clause.english("question"), clause.german("first"), "?"

    def sentence_wh(self):
        kind = self.rng.weighted((("adverb", 40), ("who", 16), ("what", 16), ("whom", 8),
                                  ("which", 12), ("how many", 10)))
        tense = self.question_tense()
        if kind == "adverb":
            word = self.rng.choice(("why", "where", "when"))
            self.frame.append(word)
            clause = self.wh_clause(word, tense)
        elif kind == "who":
            self.frame.append("who")
            clause = self.clause(subject=QuestionWord("who", "wer"), tense=tense,
                                 adjuncts=99, relative=40, negation=0)
            clause.front = clause.subject
        else:
            self.frame.append(kind)
            clause = self.object_question(kind, tense)
        return clause.english("question"), clause.german("second"), "?"

    def object_question(self, kind: str, tense: str) -> Clause:
        """what, whom, which hat, how many hats as object"""
        if kind == "whom":
            clause = Clause(self.person(relative=40), self.verb("dative"), tense)
            clause.slots["dative"] = clause.front = QuestionWord("who", "wer")
            self.add_adjuncts(clause, "dative", 70)
            return clause
        verb = self.verb("transitive")
        if kind == "what":
            target = QuestionWord("what", "was")
        else:
            noun = self.noun(verb.objects)
            many = kind == "how many" and not noun.mass
            determiner = Fixed("how/1 many/2", "wie/1 viele/2") if many else "which"
            target = NounPhrase(noun, "pl" if many else "sg", determiner)
            target.adjectives = self.adjectives(target)
        clause = Clause(self.person(relative=30), verb, tense, accusative=target)
        if verb.lemma in STATIVE and tense in MODALS:
            clause.tense = "present"
        self.add_adjuncts(clause, "transitive", 90)
        clause.front = target
        return clause

    def sentence_request(self):
        """Please open the window. Bitte öffnen Sie das Fenster."""
        kind = self.rng.weighted((("transitive", 50), ("ditransitive", 20), ("dative", 10),
                                  ("prepositional", 20)))
        you, self.active = Pronoun("you"), True
        clause = self.clause(kind, you, "present", adjuncts=0, relative=35, negation=0)
        if not self.heavy(clause) and self.rng.chance(70):
            time = self.rng.choice((self.time_clock, self.time_weekday, self.soon))
            clause.slots["time"] = time()
        you.label = clause.label
        clause.front = Fixed("please", "bitte")
        return clause.english("imperative"), clause.german("second"), "."

    def soon(self) -> Fixed:
        return Fixed(*self.rng.choice(lexicon.FUTURE_TIMES[:3]))

    def sentence_passive(self):
        """The bridge was built by the king, die Brücke wurde vom König gebaut"""
        verb = self.rng.deal("passive", [v for v in VERBS["transitive"] if v.lemma not in STATIVE])
        self.use(verb)
        subject = self.noun_phrase(verb.objects, relative=10)
        clause = Clause(subject, verb, "passive")
        if self.rng.chance(75):
            agent = self.noun_phrase("person", plain=True)
            clause.slots["means"] = Prepositional("by", "von", "dat", agent)
        if self.rng.chance(80):
            clause.slots["time"] = self.time("past")
        if self.rng.chance(30):
            clause.slots["place"] = self.place()
        if self.rng.chance(12) and self.can_negate(clause):
            clause.negate()
        self.front_something(clause, 40)
        return self.statement(clause)

    def sentence_existence(self):
        """There is a lamp in the kitchen, es gibt eine Lampe in der Küche."""
        verb = SINGLE["exist"]._replace(lemma="be")
        self.verbs.append("exist")
        indoors = self.rng.chance(75)
        thing = self.noun("thing furniture animal food" if indoors else "building plant")
        number = "pl" if not thing.mass and self.rng.chance(45) else "sg"
        determiner = "a"
        if number == "pl":
            determiner = self.rng.weighted((("many", 2), ("several", 2), (self.number(), 4),
                                            ("a", 1)))
        phrase = NounPhrase(thing, number, determiner)
        phrase.adjectives = self.adjectives(phrase)
        if self.rng.chance(30):
            self.add_relative(phrase)
        if indoors:
            place = self.place()
        elif self.rng.chance(50):
            place = self.town("in", "in")
        else:
            place = Prepositional("in", "in", "dat", self.landmark("area"))
        clause = Clause(Expletive("there", "es"), verb, self.rng.choice(("present", "past")),
                        accusative=phrase, place=place)
        clause.english_agreement = phrase.agreement
        if determiner == "a" and self.rng.chance(25):
            clause.negate()
        if self.heavy(clause) or self.rng.chance(45):
            clause.front = place
        return self.statement(clause)

    def sentence_happening(self):
        """The concert begins at 7:30, das Konzert fängt um 7:30 Uhr an."""
        subject = self.noun_phrase("event", plain=True, number="sg", relative=20)
        tense = self.rng.choice(("past", "present", "future"))
        clause = Clause(subject, self.verb("happening"), tense)
        clause.slots["time"] = self.time_clock() if self.rng.chance(60) else self.time(tense)
        clause.slots["place"] = self.place()
        self.front_something(clause, 30)
        return self.statement(clause)

    def relative_of(self) -> NounPhrase:
        """the brother of the baker"""
        phrase = NounPhrase(self.noun("kin"))
        phrase.genitive = NounPhrase(self.noun("person"), "sg", self.rng.choice(("the", "this")))
        phrase.genitive.adjectives = self.adjectives(phrase.genitive)
        return phrase

    def sentence_birth(self):
        """was born in Bonn on March 3, 1984, wurde am 3. März 1984 in Bonn geboren"""
        subject = self.relative_of() if self.rng.chance(75) else self.person()
        verb = self.use(SINGLE["bear"])
        clause = Clause(subject, verb, "passive", time=self.time_date())
        if self.rng.chance(50):
            clause.slots["place"] = self.town("in", "in")
        if self.rng.chance(30):
            clause.front = clause.slots["time"]
        return self.statement(clause)

    def sentence_age(self):
        """is thirty-four years old, ist vierunddreißig Jahre alt"""
        subject = self.relative_of() if self.rng.chance(70) else self.person(relative=60)
        age = 18 + self.rng.below(42)
        predicate = Fixed("%s/1 years/2 old/3" % english.number(age),
                          "%s/1 Jahre/2 alt/3" % german.number(age))
        verb = self.use(SINGLE["be"])
        return self.statement(Clause(subject, verb, self.rng.choice(("present", "past")),
                                     predicate=predicate))

    def sentence_cost(self):
        """The hat costs 12.50 euros, der Hut kostet 12,50 Euro."""
        subject = self.noun_phrase("object food", relative=45)
        if subject.relative is None and subject.determiner == "the" and not subject.genitive:
            self.add_genitive(subject)
        en, de = self.amount()
        price = Fixed("%s/1 euros/2" % en, "%s/1 Euro/2" % de)
        tense = self.rng.choice(("present", "future"))
        verb = self.use(SINGLE["cost"])
        clause = Clause(subject, verb, tense, predicate=price)
        if tense == "future":
            clause.slots["time"] = self.time("future")
        return self.statement(clause)

    def sentence_belong(self):
        """The hat belongs to the man, der Hut gehört dem Mann."""
        groups = "thing clothing vehicle text instrument furniture"
        subject = self.noun_phrase(groups, plain=True, relative=35)
        if subject.determiner not in ("the", "this"):
            subject.determiner = "this"
        clause = Clause(subject, self.use(SINGLE["belong"]), self.rng.choice(("present", "past")),
                        dative=self.noun_phrase("person", relative=25))
        if self.rng.chance(25) and self.can_negate(clause):
            clause.negate()
        return self.statement(clause)

    def sentence_duration(self):
        """The concert lasted two hours, das Konzert dauerte zwei Stunden."""
        subject = self.noun_phrase("event", plain=True, number="sg", relative=30)
        en, de = self.rng.choice((("hours", "Stunden"), ("days", "Tage"), ("minutes", "Minuten")))
        count = 2 + self.rng.below(30)
        length = Fixed("%s/1 %s/2" % (english.number(count), en),
                       "%s/1 %s/2" % (german.number(count), de))
        tense = self.rng.choice(("present", "past", "future"))
        clause = Clause(subject, self.use(SINGLE["last"]), tense, predicate=length)
        if self.rng.chance(60):
            clause.slots["place"] = self.place()
            self.front_something(clause, 40)
        return self.statement(clause)
